//! Every state of page 05 and every way out of it, by the binary and by options alone.

use std::fs;

use novel_testkit::{Plan, TestBook};
use serde_json::{Value, json};

/// The recommended choice and the ids of all.
pub(crate) fn offers(data: &Value) -> (String, Vec<String>) {
    let id = |choice: &Value| choice["id"].as_str().unwrap().to_owned();
    let ids: Vec<String> = data["choices"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(data["recommended"], ids[0].as_str(), "{data:#}");
    (ids[0].clone(), ids)
}

/// The command of a choice.
pub(crate) fn command_of<'a>(data: &'a Value, id: &str) -> &'a str {
    let choices = data["choices"].as_array().unwrap();
    let choice = choices.iter().find(|choice| choice["id"] == id);
    choice.unwrap()["command"].as_str().unwrap()
}

#[test]
fn no_checkpoint_offers_to_create_a_project_and_leads_to_quick_start() {
    let home = TestBook::empty();
    let data = home.ask(&["start"]).data();
    assert_eq!(data["orchestrator_state"], Value::Null);
    assert_eq!(offers(&data).0, "create");
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0, "only looked");
    let made = home
        .ask(&[
            "start", "--choose", "create", "--title", "雾港", "--genre", "悬疑",
        ])
        .data();
    assert!(made["written"].as_array().unwrap().len() >= 6, "{made:#}");
    assert_eq!(home.state(), "QUICK_START");
    assert!(home.text("brief.md").contains("- 题材：悬疑"));
    // The author wants to be asked later on.
    assert!(!home.text("novel.toml").contains("\napproval"));
    assert_eq!(offers(&home.ask(&["start"]).data()).0, "quickstart");
}

#[test]
fn a_name_in_a_workspace_makes_a_project_below_projects() {
    let home = TestBook::empty();
    fs::create_dir(home.path("projects")).unwrap();
    home.ask(&["init", "-p", "tide", "--yes"]).data();
    assert!(home.has("projects/tide/.checkpoint.json"));
    let data = home.ask(&["start", "-p", "tide"]).data();
    assert_eq!(data["orchestrator_state"], "QUICK_START");
    // Another one is made only when asked for.
    let data = home.ask(&["start", "-p", "fog"]).data();
    assert_eq!(offers(&data).0, "create");
    assert!(!home.has("projects/fog"));
}

#[test]
fn init_never_overwrites_without_force() {
    let home = TestBook::initialised();
    let before = home.tree();
    let error = home.ask(&["init", "--genre", "武侠", "--yes"]).fails(2);
    assert_eq!(error["code"], "ALREADY_EXISTS");
    assert_eq!(home.tree(), before);
    home.ask(&["init", "--genre", "武侠", "--yes", "--force"])
        .data();
    assert!(home.text("brief.md").contains("武侠"));
}

#[test]
fn a_style_that_can_not_be_had_is_refused_before_anything_is_written() {
    let home = TestBook::empty();
    let error = home.ask(&["init", "--style-template", "baroque"]).fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("plain"),
        "{error:#}"
    );
    let error = home.ask(&["init", "--style-source", "reference"]).fails(2);
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("--style-reference"),
        "{error:#}"
    );
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0);
    home.ask(&["init", "--style-reference", "汪曾祺"]).data();
    let config = home.text("novel.toml");
    assert!(
        config.contains("source = \"reference\"") && config.contains("汪曾祺"),
        "{config}"
    );
}

#[test]
fn writing_continues_and_finishes_what_was_interrupted_first() {
    let demo = TestBook::demo(1);
    let data = demo.ask(&["start"]).data();
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
            .contains("Written so far: 1 chapter")
    );
    demo.begin(2);
    let data = demo.ask(&["start"]).data();
    assert!(
        data["headline"]
            .as_str()
            .unwrap()
            .contains("Chapter 2 was interrupted"),
        "{data:#}"
    );
    let data = demo.ask(&["start", "--yes"]).data();
    assert_eq!(data["finished"][0]["chapter"], 2);
    let data = demo
        .ask(&["start", "--choose", "several", "--chapters", "2"])
        .data();
    assert_eq!(data["finished"].as_array().unwrap().len(), 2);
}

#[test]
fn error_retry_offers_retry_first_and_leads_back_to_the_state_before() {
    let demo = TestBook::demo(1);
    demo.begin(2);
    let config = demo.text("novel.toml");
    let program = "[command]\nprogram = [\"false\"]\n";
    demo.write("novel.toml", format!("{config}\n{program}"));
    let error = demo.ask(&["continue", "--executor", "command"]).fails(5);
    assert_eq!(error["details"]["stop"], "failed", "{error:#}");
    let data = demo.ask(&["start"]).data();
    assert_eq!(data["orchestrator_state"], "ERROR_RETRY");
    assert_eq!(
        offers(&data).1,
        ["retry", "look_back", "redirect", "status"]
    );
    // Without `--retry` nothing happens by itself.
    assert_eq!(demo.ask(&["continue"]).fails(3)["code"], "ERROR_RETRY");
    let data = demo
        .ask(&["start", "--yes", "--executor", "offline"])
        .data();
    assert_eq!(data["finished"][0]["chapter"], 2);
    assert_eq!(demo.ask(&["start"]).data()["orchestrator_state"], "WRITING");
}

#[test]
fn error_retry_can_change_direction() {
    let demo = TestBook::demo(1);
    demo.begin(2);
    let checkpoint = demo.text(".checkpoint.json");
    let failed = checkpoint.replace("\"WRITING\"", "\"ERROR_RETRY\"");
    demo.write(".checkpoint.json", failed);
    demo.ask(&["start", "--choose", "redirect"]).data();
    assert!(!demo.path("staging/chapters/chapter-002.md").exists());
    let data = demo.ask(&["start"]).data();
    assert_eq!(data["orchestrator_state"], "WRITING");
    assert_eq!(demo.ask(&["next"]).data()["step"], "chapter:002:draft");
}

#[test]
fn a_paused_gate_offers_rewrite_accept_and_an_edit_by_hand() {
    let book = TestBook::planned(Plan::new(10));
    let driver = book.driver();
    driver.write(1);
    driver.up_to_refined(2);
    driver.judge(2, &book.plan().verdict(2, 2.5));
    let data = book.ask(&["start"]).data();
    assert_eq!(offers(&data).1, ["rewrite", "accept", "edit", "read"]);
    book.ask(&["start", "--choose", "accept"]).data();
    assert_eq!(book.next(), "chapter:002:commit");
}

#[test]
fn a_pending_revision_offers_what_its_gate_offers() {
    let book = TestBook::planned(Plan::new(10));
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
    let error = book.ask(&["next"]).fails(3);
    let data = book.ask(&["start"]).data();
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
    let book = TestBook::planned(Plan::new(10));
    book.driver().write(1);
    book.remove("volumes/vol-01/outline.md");
    let data = book.ask(&["start"]).data();
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
    let _ = book.ask(&["start", "--yes"]);
    assert_ne!(book.checkpoint()["orchestrator_state"], "WRITING");
}

#[test]
fn a_choice_that_is_not_offered_is_refused_with_the_nearest() {
    let home = TestBook::empty();
    let error = home.ask(&["start", "--choose", "creat"]).fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("`create`"),
        "{error:#}"
    );
    assert_eq!(fs::read_dir(home.root()).unwrap().count(), 0);
}
