//! Screens of 60 columns, in both languages.

use novel_testkit::{TestBook, terminal::shown_at};
use unicode_width::UnicodeWidthStr;

/// Columns of the terminal.
const COLUMNS: u16 = 60;

/// What the commands show, in English and in Chinese; no line is longer than the terminal.
fn screens(book: &TestBook, commands: &[&[&str]]) -> String {
    let mut all = String::new();
    for lang in ["en", "zh"] {
        for args in commands {
            let mut words = args.to_vec();
            words.extend(["--lang", lang]);
            let mut command = book.command(&words);
            command.env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
            let text = shown_at(COLUMNS, command);
            for line in text.lines() {
                let width = UnicodeWidthStr::width(line);
                assert!(width <= usize::from(COLUMNS), "{width} columns: {line}");
            }
            all.push_str(&format!("$ novel {}\n{text}\n", words.join(" ")));
        }
    }
    all
}

#[test]
fn lists_fit_sixty_columns() {
    let book = TestBook::demo(4);
    let shown = screens(
        &book,
        &[
            &["status"],
            &["chapter", "list"],
            &["log", "3"],
            &["character", "list"],
            &["storyline", "list"],
            &["foreshadow", "list"],
            &["fact", "list"],
            &["cost"],
            &["forecast"],
            &["impact", "chapter", "2"],
            &["config", "chapter"],
            &["doctor"],
            &["check", "all"],
        ],
    );
    insta::assert_snapshot!("lists", shown);
}

#[test]
fn reports_fit_sixty_columns() {
    let book = TestBook::demo(4);
    insta::assert_snapshot!("reports", screens(&book, &[&["report"]]));
}

#[test]
fn help_of_every_command_fits_sixty_columns() {
    let book = TestBook::demo(0);
    for name in commands_of_the_reference() {
        let mut words: Vec<&str> = name.split(' ').collect();
        words.push("--help");
        let shown = screens(&book, &[&words]);
        assert!(shown.contains("Usage: novel"), "{name}: {shown}");
        assert!(shown.contains("用法：novel"), "{name}: {shown}");
    }
}

/// Every command that the reference describes.
fn commands_of_the_reference() -> Vec<String> {
    include_str!("../../../docs/cli.md")
        .lines()
        .filter_map(|line| line.strip_prefix("## `novel ")?.strip_suffix('`'))
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}
