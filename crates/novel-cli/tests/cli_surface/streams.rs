//! Languages, pipes, colours and terminals.

use std::process::Command;

use novel_testkit::{Output, TestBook, terminal::with_errors_shown};

use super::with_book;

/// The first line of an error, in the language the environment asks for.
fn first_line(book: &TestBook, environment: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = book.command(arguments);
    command
        .env_remove("LANG")
        .env_remove("NOVEL_LANG")
        .envs(environment.iter().copied());
    let ran = Output::of(command);
    assert_eq!(ran.code, 2);
    ran.stderr.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_language_is_chosen_in_order() {
    let book = with_book();
    let lines = |environment: &[(&str, &str)], arguments: &[&str]| {
        let mut all = vec!["advance", "chapter:1:draft"];
        all.extend_from_slice(arguments);
        first_line(&book, environment, &all)
    };
    let is_zh = |line: String| line.starts_with("错误[");
    let is_en = |line: String| line.starts_with("error[");
    assert!(is_en(lines(&[("NOVEL_LANG", "zh")], &["--lang", "en"])));
    assert!(is_zh(lines(
        &[("NOVEL_LANG", "zh"), ("LANG", "en_US.UTF-8")],
        &[]
    )));
    for locale in ["en_US.UTF-8", "C.UTF-8", "zh_CN.UTF-8"] {
        assert!(
            is_zh(lines(&[("LC_ALL", locale)], &[])),
            "the book is Chinese: {locale}"
        );
    }
    book.write("novel.toml", "language = \"en\"\n");
    assert!(
        is_en(lines(&[("LANG", "C.UTF-8")], &[])),
        "the book is English"
    );
    assert!(is_en(lines(&[], &[])), "the book is English");
    let nowhere = TestBook::nowhere();
    let lines = |environment: &[(&str, &str)]| first_line(&nowhere, environment, &["advance", "x"]);
    assert!(is_zh(lines(&[
        ("LC_ALL", "zh_CN.UTF-8"),
        ("LANG", "en_GB")
    ])));
    assert!(is_en(lines(&[
        ("LC_MESSAGES", "en_GB"),
        ("LANG", "zh_CN.UTF-8")
    ])));
    assert!(is_en(lines(&[("LANG", "C.UTF-8")])), "a plain locale");
}

#[test]
fn a_new_book_is_english_by_an_english_locale() {
    for (locale, language) in [
        ("en_US.UTF-8", "en"),
        ("C.UTF-8", "zh-CN"),
        ("zh_CN.UTF-8", "zh-CN"),
    ] {
        let home = TestBook::nowhere();
        let mut command = home.command(&["init", "b", "--title", "x"]);
        let ran = Output::of(command.env("LANG", locale));
        assert_eq!(ran.code, 0, "{ran:#?}");
        let made = std::fs::read_to_string(home.outside().join("b/novel.toml"));
        let made = made.unwrap_or_default();
        assert!(
            made.contains(&format!("language = \"{language}\"")),
            "{locale}: {made}"
        );
    }
}

#[test]
fn a_new_english_book_is_announced_in_english() {
    let nowhere = TestBook::nowhere();
    let mut command = nowhere.command(&["init", "b", "--language", "en"]);
    let ran = Output::of(command.env_remove("LANG").env_remove("NOVEL_LANG"));
    assert!(
        ran.stderr.starts_with("The project is ready"),
        "{}",
        ran.stderr
    );
}

#[test]
fn data_goes_to_standard_output_and_talk_to_standard_error() {
    let book = with_book();
    let next = book.novel(&["next"]);
    assert_eq!(next.stdout, "quickstart:world\n");
    assert!(next.stderr.contains("novel instructions quickstart:world"));
    let quiet = book.novel(&["next", "-q"]);
    assert_eq!(
        (quiet.stdout.as_str(), quiet.stderr.as_str()),
        ("quickstart:world\n", "")
    );
    let packet = book.novel(&["instructions", "quickstart:world"]);
    let packet: serde_json::Value = serde_json::from_str(&packet.stdout).unwrap();
    assert_eq!(packet["step"], "quickstart:world");
}

#[test]
fn a_reader_that_left_is_no_failure() {
    let book = with_book();
    for arguments in [
        &["completions", "bash"][..],
        &["--help"],
        &["status", "--json"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = Output::of(book.command(arguments).stdout(writer));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_project_is_named_by_its_workspace() {
    let workspace = TestBook::nowhere();
    let made = workspace.novel(&["init", "-p", "moon"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(
        workspace
            .outside()
            .join("projects/moon/.checkpoint.json")
            .is_file()
    );
    let inside = workspace.outside().join("projects");
    let mut command = workspace.command(&["next", "-p", "moon"]);
    let ran = Output::of(command.current_dir(inside));
    assert_eq!(ran.stdout, "quickstart:world\n");
}

#[test]
fn no_colour_without_a_terminal_unless_asked() {
    let book = with_book();
    let plain = book.novel(&["advance", "chapter:1:draft"]);
    assert!(!plain.stderr.contains('\u{1b}'));
    assert!(!book.novel(&["--help"]).stdout.contains('\u{1b}'));
    let asked = book.novel(&["advance", "chapter:1:draft", "--color", "always"]);
    assert!(asked.stderr.contains('\u{1b}'));
}

/// What a person sees on the terminal a command writes its errors to.
fn seen(command: Command) -> (i32, String) {
    let output = with_errors_shown(command);
    (output.code, output.stderr)
}

#[test]
fn colours_are_for_terminals_and_never_with_no_color() {
    let book = with_book();
    let advance = || book.command(&["advance", "chapter:1:draft"]);
    let (_, colourful) = seen(advance());
    assert!(
        colourful.contains("\u{1b}[1m\u{1b}[31merror"),
        "{colourful:?}"
    );
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut command = advance();
        command.env(name, value);
        assert!(!seen(command).1.contains('\u{1b}'), "{name}");
    }
    let mut never = advance();
    never.args(["--color", "never"]);
    assert!(!seen(never).1.contains('\u{1b}'));
}

#[test]
fn a_person_is_not_left_waiting_for_an_answer_to_type() {
    let book = with_book();
    let (code, shown) = seen(book.command(&["submit", "quickstart:world"]));
    assert_eq!(code, 2);
    assert!(shown.contains("NO_INPUT"), "{shown}");
    assert!(
        shown.contains("novel submit quickstart:world FILE"),
        "{shown}"
    );
}
