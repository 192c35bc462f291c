//! Every state of page 05 and every way out of it, by the binary and by options alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod history_support;
mod life_support;
mod support;

use std::fs;

use history_support::Demo;
use life_support::{Home, command_of, offers};
use serde_json::{Value, json};
use support::{Book, fixture::Plan, tree};

#[test]
fn no_checkpoint_offers_to_create_a_project_and_leads_to_quick_start() {
    let home = Home::empty();
    let data = home.novel(&["start"]).ok();
    assert_eq!(data["orchestrator_state"], Value::Null);
    assert_eq!(offers(&data).0, "create");
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0, "only looked");
    let made = home
        .novel(&[
            "start", "--choose", "create", "--title", "雾港", "--genre", "悬疑",
        ])
        .ok();
    assert!(made["written"].as_array().unwrap().len() >= 6, "{made:#}");
    assert_eq!(home.state(), "QUICK_START");
    assert!(home.text("brief.md").contains("- 题材：悬疑"));
    // The author wants to be asked later on.
    assert!(!home.text("novel.toml").contains("\napproval"));
    assert_eq!(offers(&home.novel(&["start"]).ok()).0, "quickstart");
}

#[test]
fn a_name_in_a_workspace_makes_a_project_below_projects() {
    let home = Home::empty();
    fs::create_dir(home.path("projects")).unwrap();
    let _ = home.novel(&["init", "-p", "tide", "--yes"]).ok();
    assert!(home.has("projects/tide/.checkpoint.json"));
    let data = home.novel(&["start", "-p", "tide"]).ok();
    assert_eq!(data["orchestrator_state"], "QUICK_START");
    // Another one is made only when asked for.
    let data = home.novel(&["start", "-p", "fog"]).ok();
    assert_eq!(offers(&data).0, "create");
    assert!(!home.has("projects/fog"));
}

#[test]
fn init_never_overwrites_without_force() {
    let home = Home::with_book();
    let before = tree(home.root());
    let error = home.novel(&["init", "--genre", "武侠", "--yes"]).fails(2);
    assert_eq!(error["code"], "ALREADY_EXISTS");
    assert_eq!(tree(home.root()), before);
    let _ = home
        .novel(&["init", "--genre", "武侠", "--yes", "--force"])
        .ok();
    assert!(home.text("brief.md").contains("武侠"));
}

#[test]
fn a_style_that_can_not_be_had_is_refused_before_anything_is_written() {
    let home = Home::empty();
    let error = home
        .novel(&["init", "--style-template", "baroque"])
        .fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("plain"),
        "{error:#}"
    );
    let error = home
        .novel(&["init", "--style-source", "reference"])
        .fails(2);
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("--style-reference"),
        "{error:#}"
    );
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0);
    let _ = home.novel(&["init", "--style-reference", "汪曾祺"]).ok();
    let config = home.text("novel.toml");
    assert!(
        config.contains("source = \"reference\"") && config.contains("汪曾祺"),
        "{config}"
    );
}

#[test]
fn writing_continues_and_finishes_what_was_interrupted_first() {
    let demo = Demo::with(1);
    let data = demo.novel(&["start"]).ok();
    assert_eq!(
        (
            data["orchestrator_state"].as_str(),
            offers(&data).0.as_str()
        ),
        (Some("WRITING"), "continue")
    );
    assert!(
        data["headline"]
            .as_str()
            .unwrap()
            .contains("1 chapters are written")
    );
    demo.begin(2);
    let data = demo.novel(&["start"]).ok();
    assert!(
        data["headline"]
            .as_str()
            .unwrap()
            .contains("Chapter 2 was interrupted"),
        "{data:#}"
    );
    let data = demo.novel(&["start", "--yes"]).ok();
    assert_eq!(data["finished"][0]["chapter"], 2);
    let data = demo
        .novel(&["start", "--choose", "several", "--chapters", "2"])
        .ok();
    assert_eq!(data["finished"].as_array().unwrap().len(), 2);
}

#[test]
fn error_retry_offers_retry_first_and_leads_back_to_the_state_before() {
    let demo = Demo::with(1);
    demo.begin(2);
    let config = fs::read_to_string(demo.path("novel.toml")).unwrap();
    let program = "[command]\nprogram = [\"false\"]\n";
    fs::write(demo.path("novel.toml"), format!("{config}\n{program}")).unwrap();
    let error = demo.novel(&["continue", "--executor", "command"]).fails(5);
    assert_eq!(error["details"]["stop"], "failed", "{error:#}");
    let data = demo.novel(&["start"]).ok();
    assert_eq!(data["orchestrator_state"], "ERROR_RETRY");
    assert_eq!(
        offers(&data).1,
        ["retry", "look_back", "redirect", "status"]
    );
    // Without `--retry` nothing happens by itself.
    assert_eq!(demo.novel(&["continue"]).fails(3)["code"], "ERROR_RETRY");
    let data = demo
        .novel(&["start", "--yes", "--executor", "offline"])
        .ok();
    assert_eq!(data["finished"][0]["chapter"], 2);
    assert_eq!(demo.novel(&["start"]).ok()["orchestrator_state"], "WRITING");
}

#[test]
fn error_retry_can_change_direction() {
    let demo = Demo::with(1);
    demo.begin(2);
    let checkpoint = fs::read_to_string(demo.path(".checkpoint.json")).unwrap();
    let failed = checkpoint.replace("\"WRITING\"", "\"ERROR_RETRY\"");
    fs::write(demo.path(".checkpoint.json"), failed).unwrap();
    let _ = demo.novel(&["start", "--choose", "redirect"]).ok();
    assert!(!demo.path("staging/chapters/chapter-002.md").exists());
    let data = demo.novel(&["start"]).ok();
    assert_eq!(data["orchestrator_state"], "WRITING");
    assert_eq!(demo.novel(&["next"]).ok()["step"], "chapter:002:draft");
}

#[test]
fn a_paused_gate_offers_rewrite_and_accept() {
    let book = Book::new(Plan::new(10));
    let driver = book.driver();
    driver.write(1);
    driver.up_to_refined(2);
    driver.judge(2, &book.plan.verdict(2, 2.5));
    let data = book.novel(&["start"]).ok();
    assert_eq!(offers(&data).1, ["rewrite", "accept"]);
    let _ = book.novel(&["start", "--choose", "accept"]).ok();
    assert_eq!(book.next(), "chapter:002:commit");
}

#[test]
fn a_pending_revision_offers_what_its_gate_offers() {
    let book = Book::new(Plan::new(10));
    book.driver().write(1);
    let pending = json!({
        "chapter_number": 1, "status": "pending", "triggered_by": "logic_review",
        "revision_notes": "", "issues": [], "revised_chapter": null,
        "logic_review_report_file": null, "chapter_hash": "blake3:0", "created_at": "2026-02-21T15:30:00Z",
        "decision_at": null,
    });
    book.write(
        "chapters/chapter_001_revision.json",
        format!("{pending:#}\n"),
    );
    let error = book.novel(&["next"]).fails(3);
    let data = book.novel(&["start"]).ok();
    let gate: Vec<&str> = error["details"]["next_actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["action"].as_str().unwrap())
        .collect();
    assert_eq!(offers(&data).1, gate, "{data:#}");
    for action in error["details"]["next_actions"].as_array().unwrap() {
        let id = action["action"].as_str().unwrap();
        assert_eq!(command_of(&data, id), action["command"]);
    }
}

#[test]
fn writing_without_an_outline_goes_back_to_vol_planning() {
    let book = Book::new(Plan::new(10));
    book.driver().write(1);
    book.remove("volumes/vol-01/outline.md");
    let data = book.novel(&["start"]).ok();
    assert_eq!(offers(&data).0, "plan");
    assert!(
        data["headline"]
            .as_str()
            .unwrap()
            .contains("volumes/vol-01/outline.md")
    );
    assert_eq!(
        book.checkpoint()["orchestrator_state"],
        "WRITING",
        "only looked"
    );
    let _ = book.novel(&["start", "--yes"]);
    assert_ne!(book.checkpoint()["orchestrator_state"], "WRITING");
}

#[test]
fn a_choice_that_is_not_offered_is_refused_with_the_nearest() {
    let home = Home::empty();
    let error = home.novel(&["start", "--choose", "creat"]).fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("`create`"),
        "{error:#}"
    );
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0);
}
