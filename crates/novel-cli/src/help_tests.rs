use std::collections::BTreeSet;

use clap::CommandFactory;

use super::*;
use crate::commands::Cli;

/// Keys of everything visible, and whether it has a long text in English.
fn keys(command: &Command, key: &str, found: &mut Vec<(String, bool)>) {
    if command.is_hide_set() {
        return;
    }
    found.push((key.to_owned(), command.get_long_about().is_some()));
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        let key = argument_key(key, argument);
        found.push((key, argument.get_long_help().is_some()));
    }
    for sub in command.get_subcommands() {
        keys(sub, &key_below(key, sub.get_name()), found);
    }
}

fn all_keys() -> Vec<(String, bool)> {
    let mut found = Vec::new();
    keys(&Cli::tree(Lang::En), "", &mut found);
    found
}

#[test]
fn everything_visible_has_a_chinese_text_as_long_as_the_english_one() {
    for (key, has_long) in all_keys() {
        let text = zh::text(&key);
        assert!(text.is_some(), "no Chinese text for `{key}`");
        assert_eq!(text.unwrap().1.is_some(), has_long, "long text of `{key}`");
    }
}

#[test]
fn no_chinese_text_is_left_over_or_written_twice() {
    let known: BTreeSet<String> = all_keys().into_iter().map(|(key, _)| key).collect();
    let mut seen = BTreeSet::new();
    for (key, _) in zh::TABLE {
        assert!(known.contains(*key), "`{key}` is no command or argument");
        assert!(seen.insert(*key), "`{key}` is written twice");
    }
}

#[test]
fn english_texts_are_there_and_have_no_final_period() {
    fn walk(command: &Command) {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let name = command.get_name();
        assert!(
            !about.is_empty() && !about.ends_with('.'),
            "{name}: {about}"
        );
        for argument in command.get_arguments() {
            let help = argument
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                !help.is_empty() && !help.ends_with('.'),
                "{name}.{}",
                argument.get_id()
            );
        }
        command.get_subcommands().for_each(walk);
    }
    walk(&Cli::command());
}

#[test]
fn the_tree_is_sound() {
    Cli::command().debug_assert();
    Cli::tree(Lang::Zh).debug_assert();
}
