//! `novel import --analyse`: imported chapters get summaries, state, memory and style.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod library_support;
mod support;

use std::{fs, process::Stdio};

use library_support::Shelf;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use support::{assert_same_tree, tree};

const CHAPTERS: u32 = 4;

/// An imported book of four chapters.
fn imported() -> Shelf {
    let mut text = String::new();
    for chapter in 1..=CHAPTERS {
        text.push_str(&format!("第{chapter}章 其{chapter}\n"));
        for line in 1..=12 {
            text.push_str(&format!(
                "　　第{chapter}日的第{line}个时辰，林枫走过了石桥。“你从哪里来？”老人问他。\n"
            ));
        }
    }
    let shelf = Shelf::with("a.txt", text);
    let _ = shelf
        .novel(&["import", "a.txt", "--into", "book", "--yes"])
        .ok();
    shelf
}

fn analyse(shelf: &Shelf, more: &[&str]) -> support::Run {
    shelf.novel(&[&["import", "--analyse", "--project", "book"], more].concat())
}

fn state_version(shelf: &Shelf) -> Value {
    shelf.json("book/state/current-state.json")["state_version"].clone()
}

fn findings(shelf: &Shelf) -> Value {
    shelf.novel(&["doctor", "--project", "book"]).ok()["findings"].clone()
}

#[test]
fn the_price_is_shown_before_anything_is_asked() {
    let shelf = imported();
    let before = tree(&shelf.path("book"));
    let data = analyse(&shelf, &[]).ok();
    assert_eq!(data["analysis"], Value::Null);
    assert_eq!(data["command"], "novel import --analyse --yes");
    let estimate = &data["estimate"];
    assert_eq!(
        (&estimate["chapters"], &estimate["done"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(
        (&estimate["model"], &estimate["cost_usd"]),
        (&json!("offline"), &Value::Null)
    );
    assert!(
        estimate["input_tokens"].as_u64().unwrap() > 4 * 300,
        "{estimate}"
    );
    assert_same_tree(&before, &tree(&shelf.path("book")), "an estimate");

    let mut config = fs::read_to_string(shelf.path("book/novel.toml")).unwrap();
    config.push_str("\n[models]\ndefault = \"m\"\n\n[prices.m]\ninput = 10.0\noutput = 100.0\n");
    config.push_str(
        "\n[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\n\n[budget]\nmax_cost_usd = 0.0001\n",
    );
    shelf.put("book/novel.toml", config);
    let told = shelf.told(&[
        "import",
        "--analyse",
        "--executor",
        "llm",
        "--project",
        "book",
        "--lang",
        "en",
    ]);
    assert!(told.stderr.contains("about US$0."), "{told:?}");
    let error = analyse(&shelf, &["--yes", "--executor", "llm"]).fails(3);
    assert_eq!(error["code"], "OVER_BUDGET");
    assert_eq!(error["details"]["analysed"], 0);
}

#[test]
fn an_analysed_book_has_what_a_written_one_has() {
    let shelf = imported();
    let data = analyse(&shelf, &["--yes"]).ok();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["style"]),
        (&json!(4), &json!(true))
    );
    for chapter in 1..=CHAPTERS {
        let summary = fs::read_to_string(
            shelf.path(&format!("book/summaries/chapter-{chapter:03}-summary.md")),
        )
        .unwrap();
        assert!(summary.contains("storyline_id: main-arc"), "{summary}");
        let log = shelf.json(&format!("book/logs/chapter-{chapter:03}-log.json"));
        assert_eq!(log["stages"][0]["name"], "summarize");
        assert!(log["summarized"].as_str().unwrap().starts_with("blake3:"));
        assert!(
            shelf
                .path(&format!("book/state/chapter-{chapter:03}-crossref.json"))
                .exists()
        );
    }
    assert_eq!(state_version(&shelf), 4);
    assert!(shelf.path("book/storylines/main-arc/memory.md").exists());
    let style = shelf.json("book/style-profile.json");
    assert_eq!(style["source_type"], "original");
    assert!(
        style["avg_sentence_length"].as_f64().unwrap() > 5.0,
        "{style}"
    );
    assert!(style["dialogue_ratio"].as_f64().unwrap() > 0.1, "{style}");
    assert_eq!(findings(&shelf), json!([]));
    let data = shelf
        .novel(&["search", "石桥", "--in", "summaries", "--project", "book"])
        .ok();
    assert!(data["total"].as_u64().unwrap() > 0);

    // Once more: nothing is left to do, and nothing changes.
    let before = tree(&shelf.path("book"));
    let data = analyse(&shelf, &["--yes"]).ok();
    assert_eq!(
        (&data["estimate"]["done"], &data["analysis"]),
        (&json!(4), &Value::Null)
    );
    assert_same_tree(&before, &tree(&shelf.path("book")), "a second analysis");

    // The book goes on from its last chapter.
    let status = shelf.novel(&["status", "--project", "book"]).ok();
    assert_eq!(status["next"]["step"], "volume:02:plan");
    let packet = shelf
        .novel(&["instructions", "volume:02:plan", "--project", "book"])
        .ok();
    assert_eq!(packet["packet"]["manifest"]["inline"]["first_chapter"], 5);
}

#[test]
fn a_summary_that_is_gone_is_made_again_and_the_rest_is_left_alone() {
    let shelf = imported();
    let _ = analyse(&shelf, &["--yes"]).ok();
    let state = fs::read(shelf.path("book/state/current-state.json")).unwrap();
    let log = fs::read(shelf.path("book/state/changelog.jsonl")).unwrap();
    let gone = shelf.path("book/summaries/chapter-002-summary.md");
    let summary = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    let data = analyse(&shelf, &["--yes"]).ok();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["skipped"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(
        data["analysis"]["spent"]["reused"], 1,
        "the answer was there"
    );
    assert_eq!(fs::read(&gone).unwrap(), summary);
    assert_eq!(
        fs::read(shelf.path("book/state/current-state.json")).unwrap(),
        state
    );
    assert_eq!(
        fs::read(shelf.path("book/state/changelog.jsonl")).unwrap(),
        log
    );
    assert_eq!(findings(&shelf), json!([]));
}

#[test]
fn an_analysed_book_rolls_back_to_any_of_its_chapters() {
    let shelf = imported();
    let _ = analyse(&shelf, &["--yes"]).ok();
    let _ = shelf.novel(&["rollback", "2", "--project", "book"]).ok();
    assert_eq!(state_version(&shelf), 2);
    assert!(shelf.path("book/storylines/main-arc/memory.md").exists());
    assert!(!shelf.path("book/summaries/chapter-003-summary.md").exists());
    assert_eq!(findings(&shelf), json!([]));
    let undone = shelf.novel(&["undo", "--project", "book"]).ok();
    assert_eq!(undone["kind"], "rollback");
    let undone = shelf.novel(&["undo", "--project", "book"]).ok();
    assert_eq!(undone["target"], "style");
    let undone = shelf.novel(&["undo", "--project", "book"]).ok();
    assert_eq!(
        (&undone["kind"], &undone["target"]),
        (&json!("analyse"), &json!("chapter-004"))
    );
    assert_eq!(state_version(&shelf), 3);
    let data = analyse(&shelf, &["--yes"]).ok();
    assert_eq!(data["analysis"]["analysed"], 1);
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(4), json!([]))
    );
}

#[test]
fn an_interrupted_analysis_keeps_what_it_has_and_goes_on() {
    let shelf = imported();
    // The first chapter is analysed; then the agent hangs.
    let mark = shelf.path("asked");
    let script = format!("touch {}; sleep 600", mark.display());
    let config = fs::read_to_string(shelf.path("book/novel.toml")).unwrap();
    shelf.put(
        "book/novel.toml",
        format!(
            "{config}\n[command]\nprogram = [\"sh\", \"-c\", \"{script}\"]\nsandbox = \"compare\"\n"
        ),
    );
    let mut command = shelf.command(&[
        "import",
        "--analyse",
        "--yes",
        "--executor",
        "command",
        "--project",
        "book",
        "--json",
    ]);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !mark.exists() {
        std::thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["code"], "INTERRUPTED");
    assert_eq!(answer["error"]["details"]["chapter"], 1);
    let data = analyse(&shelf, &["--yes"]).ok();
    assert_eq!(data["analysis"]["analysed"], 4);
    assert_eq!(findings(&shelf), json!([]));
}

#[test]
fn import_and_analysis_are_one_command_too_and_other_books_are_refused() {
    let shelf = Shelf::with(
        "a.txt",
        "第一章 甲\n　　他走了很远。\n第二章 乙\n　　他回来了。\n",
    );
    let data = shelf
        .novel(&["import", "a.txt", "--into", "book", "--yes", "--analyse"])
        .ok();
    assert_eq!(
        (&data["written"], &data["analysis"]["analysed"]),
        (&json!(true), &json!(2))
    );
    let _ = shelf.novel(&["init", "other"]).ok();
    let error = shelf
        .novel(&["import", "--analyse", "--project", "other"])
        .fails(2);
    assert_eq!(error["code"], "NOT_IMPORTED");
    let error = shelf.novel(&["import"]).fails(2);
    assert_eq!(error["code"], "USAGE");
}
