//! Progress as a person at a terminal sees it.

use novel_testkit::{ScriptedModel, TestBook, terminal::with_errors_shown};

#[test]
fn a_live_line_and_a_table_for_each_chapter() {
    let home = TestBook::demo(1);
    let model = ScriptedModel::start(TestBook::demo(3).answers(2..=3));
    model.write_for(&home);
    let mut command = home.command(&["continue", "--lang", "zh"]);
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    let ran = with_errors_shown(command);
    let (code, stdout, shown) = (ran.code, ran.stdout, ran.stderr);
    assert_eq!(code, 0, "{shown}");
    assert!(stdout.starts_with("第 2 章已生成（"), "{stdout}");
    // Which of the many states of the line are drawn is a matter of time, but a line there is.
    assert!(
        shown.contains("第 2 章 · 写作 · 等待回答 · stub-model"),
        "{shown}"
    );
    assert!(
        shown.contains("\u{1b}[2K"),
        "the line is drawn in place: {shown:?}"
    );
    assert!(
        !shown.contains("\u{1b}[36m"),
        "no colours with NO_COLOR: {shown:?}"
    );
    let table: Vec<&str> = shown
        .lines()
        // What stood on the line before was wiped away.
        .map(|line| line.rsplit("\u{1b}[2K").next().unwrap())
        .skip_while(|line| !line.contains("  步骤"))
        .take(6)
        .collect();
    assert_eq!(table.len(), 6, "{shown}");
    for (line, name) in table[1..]
        .iter()
        .zip(["写作", "摘要", "润色", "评审", "合计"])
    {
        assert!(line.starts_with(&format!("  {name}")), "{shown}");
    }
    assert!(
        table[5].contains("400") && table[5].contains("$0.0006"),
        "{shown}"
    );
    let ends: Vec<usize> = table
        .iter()
        .map(|line| unicode_width::UnicodeWidthStr::width(line.trim_end()))
        .collect();
    assert!(
        ends.iter().all(|end| *end == ends[0]),
        "columns end together: {table:#?}"
    );
}

#[test]
fn quiet_and_dumb_terminals_have_no_live_line() {
    let home = TestBook::demo(1);
    let mut quiet = home.command(&["continue", "--quiet"]);
    quiet.env("TERM", "xterm");
    let ran = with_errors_shown(quiet);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    // The line of the chapter, and whose score it shows.
    assert_eq!(ran.stdout.lines().count(), 2);
    let mut dumb = home.command(&["continue"]);
    dumb.env("TERM", "dumb");
    let shown = with_errors_shown(dumb).success().stderr;
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    assert!(
        shown.contains("chapter 3 · judge · offline author (not a language model)"),
        "{shown}"
    );
}

#[test]
fn a_program_at_a_terminal_still_gets_one_object() {
    let home = TestBook::demo(1);
    let mut command = home.command(&["continue", "--json"]);
    command.env("TERM", "xterm");
    let ran = with_errors_shown(command);
    let (code, stdout, shown) = (ran.code, ran.stdout, ran.stderr);
    assert_eq!(code, 0, "{shown}");
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(answer["data"]["finished"][0]["chapter"], 2);
    assert!(!shown.contains("Chapter 2 written"), "{shown}");
}
