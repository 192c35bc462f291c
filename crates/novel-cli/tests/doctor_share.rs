//! `novel doctor --share`: a report for others, without prose, names or keys.

use novel_testkit::{KEY, TestBook, assert_same_tree};
use serde_json::{Value, json};

/// Stands in prose, names, titles, notes and settings.
const MARKER: &str = "zzmarkerzz";

/// A book that is full of things nobody else should read.
fn private() -> TestBook {
    let book = TestBook::demo(2);
    let toml = book.text("novel.toml");
    let toml = toml.lines().map(|line| match line.split_once(" = ") {
        Some((key @ ("title" | "author"), _)) => format!("{key} = \"{MARKER} {key}\"\n"),
        _ => format!("{line}\n"),
    });
    book.write("novel.toml", toml.collect::<String>());
    book.configure_tables(&format!(
        "[models]\ndefault = \"{MARKER}-model\"\n{MARKER}-role = \"x\"\n\n[llm]\nbase_url = \"https://{MARKER}.example.com/v1\"\nkey_env = \"{MARKER}_ENV\"\nmax_attempts = 3\n\n[prices.{MARKER}-model]\ninput = 1.0\noutput = 2.0\n\n[notify]\ncommand = [\"{MARKER}\", \"{KEY}\"]\nwebhook = \"https://hooks.example.com/{MARKER}/{KEY}\"\n\n[fallback.default]\nmodel = \"{MARKER}-other\"\n\n[{MARKER}]\n{MARKER} = 1"
    ));
    // A hand edit, a file that is not the program's, a damaged character.
    let chapter = book.text("chapters/chapter-002.md");
    book.write(
        "chapters/chapter-002.md",
        format!("{chapter}\n{MARKER} {KEY}\n"),
    );
    book.write(
        &format!("characters/active/{MARKER}.json"),
        format!("{{\"{MARKER}\": {KEY}"),
    );
    book.write("brief.md", format!("{MARKER}\n"));
    book.ask(&["tell", &format!("{MARKER} {KEY}")]).data();
    book
}

#[test]
fn the_report_holds_nothing_of_the_book() {
    let book = private();
    let before = book.tree();
    for args in [
        ["--lang", "en", "doctor", "--share"].as_slice(),
        &["--lang", "zh", "doctor", "--share"],
        &["--json", "doctor", "--share"],
    ] {
        let output = book.novel(args).success();
        let all = output.both();
        assert!(!all.contains(MARKER), "{args:?}: {all}");
        assert!(!all.contains(KEY), "{args:?}: {all}");
    }
    assert_same_tree(&book.tree(), &before, "nothing is written");
    let report = book.ask(&["doctor", "--share"]).data();
    assert_eq!(report["settings"]["models.default"], "(set)");
    assert_eq!(report["settings"]["llm.max_attempts"], 3);
    assert_eq!(report["settings"]["prices.*.input"], 1.0);
    assert_eq!(report["settings"]["notify.webhook"], "(set)");
    assert!(
        !report["findings"].as_array().unwrap().is_empty(),
        "{report:#}"
    );
    let operations = report["operations"].as_array().unwrap();
    assert!(!operations.is_empty());
    assert!(!report["runs"].as_array().unwrap().is_empty());
}

#[test]
fn a_sound_book_and_one_that_cannot_be_opened() {
    let book = TestBook::demo(1);
    let report = book.ask(&["doctor", "--share"]).data();
    assert_eq!(report["findings"], json!([]));
    assert_eq!(report["book"]["last_completed_chapter"], 1);
    assert_eq!(report["unreadable"], Value::Null);
    book.write("novel.toml", format!("{MARKER} = [\n"));
    let output = book.ask(&["doctor", "--share"]);
    assert!(!output.both().contains(MARKER), "{output:#?}");
    let report = output.data();
    assert_eq!(report["unreadable"], "BROKEN_CONFIG");
    assert_eq!(report["book"], Value::Null);
}

#[test]
fn a_report_repairs_nothing() {
    let refused = TestBook::demo(1).novel(&["doctor", "--share", "--fix"]);
    assert_eq!(refused.code, 2, "{refused:#?}");
}
