//! Quick start, planning and review by the binary and by options alone: the states of page 05 in
//! which agents set the book up.

use novel_testkit::TestBook;

use crate::life_states::{command_of, offers};
use serde_json::json;

#[test]
fn quick_start_leads_through_the_trial_to_vol_planning() {
    let home = TestBook::initialised();
    let data = home.ask(&["start", "--yes"]).data();
    assert_eq!(data["stop"], "goal_reached", "{data:#}");
    let steps: Vec<&str> = data["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step.as_str().unwrap())
        .collect();
    let set_up = ["world", "characters", "style", "trial"].map(|step| format!("quickstart:{step}"));
    assert_eq!(steps, set_up);
    // Trial chapters go through the normal pipeline, and the book is still being set up.
    assert_eq!(data["finished"].as_array().unwrap().len(), 3);
    for chapter in 1..=3 {
        assert!(home.has(&format!("chapters/chapter_{chapter:03}.json")));
        assert!(home.has(&format!("evaluations/chapter-{chapter:03}-eval.json")));
    }
    assert_eq!(home.state(), "QUICK_START");
    assert_eq!(home.checkpoint()["trial_until"], 3);
    // `continue` is not for this state (seed 003).
    let error = home.ask(&["continue"]).fails(3);
    assert_eq!(error["code"], "NOT_WRITING");
    let (first, all) = offers(&home.ask(&["start"]).data());
    assert_eq!(first, "accept");
    assert!(all.contains(&"adjust".to_owned()));
    home.ask(&["start", "--yes"]).data();
    assert_eq!(home.state(), "VOL_PLANNING");
    assert_eq!(home.checkpoint().get("trial_until"), None);
    // Taken back like anything else.
    home.ask(&["undo"]).data();
    assert_eq!(
        (home.state().as_str(), home.next().as_str()),
        ("QUICK_START", "quickstart:results")
    );
}

#[test]
fn an_adjusted_trial_is_written_anew_and_the_note_is_for_this_once() {
    let home = TestBook::initialised();
    home.ask(&["quickstart"]).data();
    let first = home.text("chapters/chapter-001.md");
    home.ask(&[
        "start",
        "--choose",
        "adjust",
        "--phase",
        "characters",
        "--note",
        "主角改为两姐妹",
    ])
    .data();
    // The set-up goes on at once, to the trial; the note is for once.
    assert_eq!(home.next(), "quickstart:results");
    assert!(!home.text("brief.md").contains("主角改为两姐妹"));
    assert!(!home.has("staging/notes/quickstart-characters.md"));
    assert!(home.text("logs/notes.jsonl").contains("主角改为两姐妹"));
    assert!(home.has("world/rules.json"), "the world stays");
    assert_eq!(home.checkpoint()["last_completed_chapter"], 3);
    let log = home.ask(&["log", "50"]).data();
    let operations = log["operations"].as_array().unwrap();
    let redone = operations
        .iter()
        .position(|operation| operation["note"] == "主角改为两姐妹")
        .unwrap();
    // Taken back to where it began, everything is as before.
    for _ in 0..=redone {
        home.ask(&["undo"]).data();
    }
    assert_eq!(home.text("chapters/chapter-001.md"), first);
    assert_eq!(home.next(), "quickstart:results");
    let data = home.ask(&["quickstart", "redo", "trial"]).data();
    assert_eq!(data["finished"].as_array().unwrap().len(), 3, "{data:#}");
    assert_eq!(data["next"], "quickstart:results");
    assert_eq!(home.next(), "quickstart:results");
}

#[test]
fn vol_planning_waits_for_approval_and_leads_to_writing() {
    let home = TestBook::planning();
    let data = home.ask(&["start"]).data();
    assert_eq!(
        (
            data["orchestrator_state"].as_str(),
            offers(&data).0.as_str()
        ),
        (Some("VOL_PLANNING"), "plan")
    );
    // A run without unattended approval plans, and waits there with what to type.
    let error = home.ask(&["run", "--to", "5"]).fails(3);
    assert_eq!(error["code"], "PLAN_WAITS", "{error:#}");
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("novel plan approve")
    );
    assert_eq!(home.next(), "volume:01:commit");
    assert!(!home.has("volumes/vol-01/chapter-contracts/chapter-004.json"));
    let shown = home.ask(&["plan", "show"]).data();
    assert_eq!(shown["problems"], json!([]), "{shown:#}");
    let (first, all) = offers(&home.ask(&["start"]).data());
    assert_eq!(first, "approve");
    assert_eq!(all, ["approve", "show", "redo", "status"]);
    home.ask(&["start", "--yes"]).data();
    assert_eq!(home.state(), "WRITING");
    // The trial chapters stay in the outline, in front of the plan.
    let outline = home.text("volumes/vol-01/outline.md");
    for chapter in 1..=4 {
        assert!(outline.contains(&format!("第 {chapter} 章")), "{outline}");
    }
    assert_eq!(home.next(), "chapter:004:draft");
}

#[test]
fn a_plan_is_planned_again_with_a_note_and_the_old_one_is_kept() {
    let home = TestBook::planning();
    home.ask(&["plan"]).data();
    let staged = "staging/volumes/vol-01/outline.md";
    assert!(home.has(staged));
    let before = home.tree();
    // Asking again makes nothing new.
    let data = home.ask(&["plan"]).data();
    assert_eq!(data["spent"]["calls"], 0);
    assert_eq!(home.tree(), before);
    let data = home.ask(&["plan", "redo", "--note", "节奏放慢"]).data();
    assert!(
        data["spent"]["calls"].as_u64().unwrap() > 0,
        "planned at once"
    );
    assert!(home.has(staged));
    assert!(!home.text("brief.md").contains("节奏放慢"));
    assert_eq!(
        home.text("staging/notes/volume-01-plan.md"),
        "节奏放慢\n",
        "until the plan is approved"
    );
    assert_eq!(home.next(), "volume:01:commit");
    home.ask(&["plan", "approve"]).data();
    assert!(!home.has("staging/notes/volume-01-plan.md"), "used once");
}

#[test]
fn a_plan_that_waits_stays_whole_when_a_chapter_is_rolled_back() {
    let home = TestBook::planning();
    home.ask(&["plan"]).data();
    let plan = |home: &TestBook| {
        let mut files = home.tree();
        files.retain(|path, node| {
            let staged = ["volumes", "storylines", "characters"];
            let is_plan = staged
                .iter()
                .any(|part| path.starts_with(&format!("staging/{part}/")));
            is_plan && *node != novel_testkit::Node::Dir
        });
        files
    };
    let before = plan(&home);
    assert!(before.contains_key("staging/storylines/storylines.json"));
    home.ask(&["rollback", "2"]).data();
    assert_eq!(plan(&home), before);
    // The trial is written to its end again; the plan follows it as it did before.
    home.ask(&["quickstart"]).data();
    home.ask(&["quickstart", "accept"]).data();
    assert_eq!(home.next(), "volume:01:commit");
    home.ask(&["plan", "approve"]).data();
    assert_eq!(home.next(), "chapter:004:draft");
}

#[test]
fn the_last_chapter_leads_to_vol_review_and_the_review_to_the_next_plan() {
    let demo = TestBook::demo(12);
    let data = demo.ask(&["start"]).data();
    assert_eq!(
        (
            data["orchestrator_state"].as_str(),
            offers(&data).0.as_str()
        ),
        (Some("VOL_REVIEW"), "review")
    );
    demo.ask(&["start", "--yes"]).data();
    assert!(demo.path("volumes/vol-01/review.md").exists());
    let data = demo.ask(&["start"]).data();
    assert_eq!(
        (
            data["orchestrator_state"].as_str(),
            offers(&data).0.as_str()
        ),
        (Some("VOL_PLANNING"), "plan")
    );
    assert_eq!(demo.ask(&["next"]).data()["step"], "volume:02:plan");
}

#[test]
fn a_failed_plan_is_retried_in_the_state_before() {
    let home = TestBook::planning();
    let config = home.text("novel.toml");
    let program = "[command]\nprogram = [\"false\"]\n";
    home.write("novel.toml", format!("{config}\n{program}"));
    let error = home.ask(&["plan", "--executor", "command"]).fails(5);
    assert_eq!(error["details"]["stop"], "failed", "{error:#}");
    assert_eq!(home.state(), "ERROR_RETRY");
    assert_eq!(home.checkpoint()["state_before_error"], "VOL_PLANNING");
    assert_eq!(home.next(), "volume:01:plan");
    let data = home.ask(&["start"]).data();
    assert_eq!(command_of(&data, "retry"), "novel plan --retry");
    assert_eq!(command_of(&data, "redirect"), "novel plan redo");
    assert_eq!(home.ask(&["run"]).fails(3)["code"], "ERROR_RETRY");
    home.ask(&["start", "--yes"]).data();
    assert_eq!(home.state(), "VOL_PLANNING");
    assert_eq!(home.checkpoint().get("state_before_error"), None);
}
