//! A file of three gigabytes anywhere in a project, or handed in, never exhausts the memory.

use std::{fs::File, process::Command};

use novel_testkit::{Output, TestBook, binary};

/// Holes cost no room on the disk.
const SIZE: u64 = 3 * 1024 * 1024 * 1024;

/// Kibibytes of memory a command may ask for: less than the file has.
const MEMORY: &str = "2000000";

/// Makes a file large, or makes a large file.
fn make_large(book: &TestBook, path: &str) {
    let path = book.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::options().append(true).create(true).open(path);
    file.unwrap().set_len(SIZE).unwrap();
}

/// Runs the binary with little memory. It ends by itself: with an answer, or with an error it explains.
#[track_caller]
fn limited(book: &TestBook, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    book.seal(&mut command);
    command.args(["-c", "ulimit -v \"$1\"; shift; exec \"$@\"", "sh", MEMORY]);
    command.arg(binary()).arg("--json").args(args);
    let output = Output::of(command);
    assert!((0..=5).contains(&output.code), "{output:#?}");
    assert!(!output.stderr.contains("memory"), "{output:#?}");
    output
}

const COMMANDS: &[&[&str]] = &[
    &["next"],
    &["status"],
    &["log"],
    &["check", "all"],
    &["search", "灯"],
    &["chapter", "show", "1"],
    &["export", "--format", "txt", "--out", "book.txt", "--force"],
    &["lock", "status"],
    &["undo"],
    &["rollback", "1"],
    &["state", "rebuild", "--from", "1"],
    &["doctor", "--fix"],
];

/// A file of every kind, and files of none.
const PLACES: &[&str] = &[
    ".checkpoint.json",
    "novel.toml",
    "brief.md",
    "ai-blacklist.json",
    "world/rules.json",
    "characters/active/he-xiaoman.json",
    "storylines/storylines.json",
    "volumes/vol-01/outline.md",
    "volumes/vol-01/chapter-contracts/chapter-003.json",
    "chapters/chapter_001.json",
    "chapters/chapter-002.md",
    "chapters/chapter_002_revision.json",
    "reviews/chapter_002_consistency.json",
    "reviews/waivers.json",
    "summaries/chapter-002-summary.md",
    "evaluations/chapter-002-eval.json",
    "state/current-state.json",
    "state/changelog.jsonl",
    "foreshadowing/global.json",
    "logs/chapter-002-log.json",
    "logs/progress.json",
    "logs/operations.jsonl",
    "logs/unknown-entities.jsonl",
    "logs/audit.jsonl",
    "staging/chapters/chapter-003.md",
    "staging/bindings/chapter-003.json",
    "archive/pack-0001.bin",
    "archive/pack-0002.bin",
    ".novel.journal/plan.json",
    ".novel.journal/0000.blob",
    ".novel.lock/info.json",
    "research/notes.md",
    "cover.png",
    "chapters/stray.bin",
    "notes.bin",
];

#[test]
fn a_file_of_three_gigabytes_anywhere_never_exhausts_memory() {
    let sound = TestBook::demo(2);
    for (place, path) in PLACES.iter().enumerate() {
        let book = sound.copy();
        // Each place meets some of the others, so that each of them meets every kind of file.
        let others = (0..3).map(|turn| COMMANDS[(place + 3 * turn) % COMMANDS.len()]);
        for args in others.chain([&["doctor"][..], &["continue"]]) {
            make_large(&book, path);
            let _ = limited(&book, args);
        }
    }
}

#[test]
fn doctor_names_a_file_that_is_too_large_and_its_limit() {
    let book = TestBook::demo(2);
    for path in ["logs/chapter-002-log.json", "state/changelog.jsonl"] {
        let book = book.copy();
        make_large(&book, path);
        let found = limited(&book, &["doctor"]).data();
        let named = found["findings"].as_array().unwrap().iter().any(|finding| {
            let message = finding["message"].as_str().unwrap();
            finding["path"] == path && message.contains(&SIZE.to_string())
        });
        assert!(named, "{path}: {found:#}");
    }
}

#[test]
fn a_large_file_that_is_handed_in_is_refused_unread() {
    let book = TestBook::demo(1);
    make_large(&book, "large.txt");
    for args in [
        &["submit", "chapter:002:draft", "large.txt"][..],
        &["import", "large.txt", "--into", "other", "--yes"],
        &["lint", "large.txt"],
    ] {
        let error = limited(&book, args).fails(2);
        assert!(
            error["message"].as_str().unwrap().contains("large.txt"),
            "{error:#}"
        );
    }
}
