//! Help, completions, manual.

use novel_testkit::TestBook;

use super::{asked, with_book};

const COMMANDS: &[&str] = &[
    "init",
    "start",
    "quickstart",
    "plan",
    "import",
    "setup",
    "demo",
    "continue",
    "run",
    "resume",
    "status",
    "next",
    "instructions",
    "submit",
    "validate",
    "advance",
    "commit",
    "chapter",
    "scene",
    "gate",
    "revision",
    "review",
    "adopt",
    "regen",
    "volume",
    "report",
    "character",
    "storyline",
    "foreshadow",
    "projects",
    "rollback",
    "undo",
    "state",
    "memory",
    "world",
    "log",
    "search",
    "export",
    "agents",
    "cost",
    "config",
    "check",
    "lint",
    "doctor",
    "lock",
    "completions",
    "man",
    "version",
    "help",
];

#[test]
fn help_is_short_or_long_in_both_languages() {
    let nowhere = TestBook::nowhere();
    insta::assert_snapshot!("help_en", nowhere.novel(&["-h"]).stdout);
    insta::assert_snapshot!("help_zh", nowhere.novel(&["-h", "--lang", "zh"]).stdout);
    insta::assert_snapshot!(
        "help_3",
        nowhere.novel(&["submit", "--help", "--lang", "zh"]).stdout
    );
}

#[test]
fn without_arguments_the_help_is_an_error() {
    let ran = TestBook::nowhere().novel(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: novel"), "{}", ran.stderr);
}

#[test]
fn every_command_has_help_in_both_languages() {
    let nowhere = TestBook::nowhere();
    for command in COMMANDS {
        for (lang, word) in [("en", "Usage: novel "), ("zh", "用法：novel ")] {
            let ran = nowhere.novel(&[command, "--help", "--lang", lang]);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
            assert!(
                ran.stdout.contains(&format!("{word}{command}")),
                "{}",
                ran.stdout
            );
            let other = nowhere.novel(&["help", command, "--lang", lang]);
            assert_eq!(other.stdout, ran.stdout, "{command}");
        }
    }
}

#[test]
fn completions_know_every_command() {
    let nowhere = TestBook::nowhere();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = nowhere.novel(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        for command in COMMANDS {
            assert!(ran.stdout.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn the_manual_mentions_every_command() {
    let nowhere = TestBook::nowhere();
    for lang in ["en", "zh"] {
        let manual = nowhere.novel(&["man", "--lang", lang]).stdout;
        for command in COMMANDS {
            assert!(
                manual.contains(&format!(".TH novel-{command} 1")),
                "{command}"
            );
            assert!(
                manual.contains(&format!("novel\\-{command}(1)")),
                "{command}"
            );
        }
    }
}

#[test]
fn the_manual_can_be_written_to_files() {
    let nowhere = TestBook::nowhere();
    let (code, answer) = asked(&nowhere, &["man", "--out", "man1"]);
    assert_eq!(code, 0);
    let written = answer["data"]["written"].as_array().unwrap();
    assert!(written.len() > COMMANDS.len());
    for name in written {
        let path = nowhere.outside().join("man1").join(name.as_str().unwrap());
        assert!(path.is_file(), "{}", path.display());
    }
}

#[test]
fn status_lines_are_aligned_by_width() {
    let book = with_book();
    insta::assert_snapshot!(book.novel(&["status", "--lang", "zh"]).stdout, @"
    书名      雾城
    状态      筹备中
    卷        第 1 卷（未规划）
    章节      已完成 0 章
    字数      0
    评分      -
    伏笔      未回收 0
    待你处理  无
    锁        空闲
    下一步    `novel start`
    ");
    insta::assert_snapshot!(book.novel(&["status"]).stdout, @"
    Title            雾城
    State            being set up
    Volume           1 (not planned)
    Chapters         0 written
    Words            0
    Score            -
    Foreshadowing    0 open
    Waiting for you  nothing
    Lock             free
    Next             `novel start`
    ");
}
