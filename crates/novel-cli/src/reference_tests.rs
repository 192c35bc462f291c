//! Keeps `docs/cli.md` current. `UPDATE_DOCS=1 cargo test -p novel-cli reference` writes it anew.

use std::{fmt::Write, fs, path::Path};

use clap::{Arg, Command};
use novel_model::Lang;

use crate::{args::GLOBAL_HEADING, commands::Cli};

const HEAD: &str = include_str!("reference_head.md");

fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

/// How an argument is typed.
fn spelling(argument: &Arg) -> String {
    let value = argument.get_value_names().unwrap_or_default().join(" ");
    if argument.is_positional() {
        return match argument.is_required_set() {
            true => format!("`{value}`"),
            false => format!("`[{value}]`"),
        };
    }
    let mut forms = Vec::new();
    forms.extend(argument.get_short().map(|short| format!("-{short}")));
    forms.extend(argument.get_long().map(|long| format!("--{long}")));
    let mut spelling = forms.join(", ");
    if argument.get_action().takes_values() {
        spelling = format!("{spelling} {value}");
    }
    format!("`{spelling}`")
}

fn values(argument: &Arg) -> String {
    if !argument.get_action().takes_values() || argument.is_hide_possible_values_set() {
        return String::new();
    }
    let names: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    }
}

fn table<'a>(out: &mut String, arguments: impl Iterator<Item = (&'a Arg, &'a Arg)>) {
    let rows: Vec<String> = arguments
        .map(|(en, zh)| {
            let zh = text(zh.get_help());
            let zh = zh.split(" [").next().unwrap_or_default();
            let (spelling, values) = (spelling(en), values(en));
            format!("| {spelling} | {}{values} | {zh} |", text(en.get_help()))
        })
        .collect();
    if !rows.is_empty() {
        let _ = writeln!(
            out,
            "\n| argument | meaning | 含义 |\n|---|---|---|\n{}",
            rows.join("\n")
        );
    }
}

fn pairs<'a>(en: &'a Command, zh: &'a Command) -> impl Iterator<Item = (&'a Arg, &'a Arg)> {
    en.get_arguments().zip(zh.get_arguments())
}

fn section(out: &mut String, en: &mut Command, zh: &Command) {
    if en.is_hide_set() {
        return;
    }
    let usage = en.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let name = en.get_bin_name().unwrap_or_default().to_owned();
    let long = |command: &Command| match command.get_long_about() {
        Some(long) => long.to_string(),
        None => text(command.get_about()),
    };
    let _ = writeln!(
        out,
        "\n## `{name}`\n\n```\n{usage}\n```\n\n{}\n\n{}",
        long(en),
        long(zh)
    );
    table(
        out,
        pairs(en, zh).filter(|(en, _)| en.get_help_heading() != Some(GLOBAL_HEADING)),
    );
    let below: Vec<Command> = zh.get_subcommands().cloned().collect();
    for (en, zh) in en.get_subcommands_mut().zip(&below) {
        section(out, en, zh);
    }
}

fn reference() -> String {
    let (mut en, zh) = (Cli::tree(Lang::En), Cli::tree(Lang::Zh));
    let mut out = HEAD.to_owned();
    table(&mut out, pairs(&en, &zh));
    let below: Vec<Command> = zh.get_subcommands().cloned().collect();
    for (en, zh) in en.get_subcommands_mut().zip(&below) {
        section(&mut out, en, zh);
    }
    out
}

#[test]
fn the_reference_in_docs_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let expected = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/cli.md is not current: run `UPDATE_DOCS=1 cargo test -p novel-cli reference`"
    );
}
