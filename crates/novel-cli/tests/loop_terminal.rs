//! Progress as a person at a terminal sees it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod loop_support;

use std::{
    fs::File,
    io::Read,
    os::fd::OwnedFd,
    process::{Command, Stdio},
};

use loop_support::{Home, model::Model};
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

/// A terminal of 100 columns: the side the program sees and the side the person sees.
fn terminal() -> (OwnedFd, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    let program = File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize {
        ws_row: 40,
        ws_col: 100,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&program, size).unwrap();
    (person, program)
}

/// Exit code, standard output, and what a person sees of standard error.
fn seen(mut command: Command) -> (i32, String, String) {
    let (person, program) = terminal();
    let mut child = command
        .stderr(program)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The command holds the last copy of the program's side; then reading ends.
    drop(command);
    let mut seen = Vec::new();
    let mut person = File::from(person);
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = person.read(&mut buffer) {
        seen.extend_from_slice(&buffer[..count]);
    }
    let mut stdout = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    let code = child.wait().unwrap().code().unwrap();
    (code, stdout, String::from_utf8(seen).unwrap())
}

#[test]
fn a_live_line_and_a_table_for_each_chapter() {
    let home = Home::with_book();
    let model = Model::start(|_| None);
    home.configure(&model.config());
    let mut command = home.command(&["continue", "--lang", "zh"]);
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    let (code, stdout, shown) = seen(command);
    assert_eq!(code, 0, "{shown}");
    assert!(stdout.starts_with("第 2 章已生成（"), "{stdout}");
    // Which of the many states of the line are drawn is a matter of time, but a line there is.
    assert!(shown.contains("第 2 章 · 写作 · stub-model · "), "{shown}");
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
    let home = Home::with_book();
    let mut quiet = home.command(&["continue", "--quiet"]);
    quiet.env("TERM", "xterm");
    let (code, stdout, shown) = seen(quiet);
    assert_eq!((code, shown.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 1);
    let mut dumb = home.command(&["continue"]);
    dumb.env("TERM", "dumb");
    let (code, _, shown) = seen(dumb);
    assert_eq!(code, 0);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    assert!(
        shown.contains("chapter 3 · judge · offline author (not a language model)"),
        "{shown}"
    );
}

#[test]
fn a_program_at_a_terminal_still_gets_one_object() {
    let home = Home::with_book();
    let mut command = home.command(&["continue", "--json"]);
    command.env("TERM", "xterm");
    let (code, stdout, shown) = seen(command);
    assert_eq!(code, 0, "{shown}");
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(answer["data"]["finished"][0]["chapter"], 2);
    assert!(!shown.contains("Chapter 2 written"), "{shown}");
}
