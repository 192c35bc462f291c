//! `novel run` and `novel resume`: to a chapter, to the end of the volume, after a failure.

use std::fs;

use novel_testkit::{TestBook, assert_same_tree, pretty};
use serde_json::{Value, json};

fn chapters(data: &Value) -> Vec<u64> {
    let finished = data["finished"].as_array().unwrap();
    let number = |chapter: &Value| chapter["chapter"].as_u64().unwrap();
    finished.iter().map(number).collect()
}

#[test]
fn a_run_goes_to_its_chapter_and_then_to_the_end_of_the_volume() {
    let book = TestBook::demo(0);
    let data = book.ask(&["run", "--to", "3"]).data();
    assert_eq!(
        (chapters(&data), &data["stop"]),
        (vec![1, 2, 3], &json!("goal_reached"))
    );
    assert_eq!(data["executor"], "offline");
    let data = book.ask(&["run"]).data();
    assert_eq!(
        (chapters(&data), &data["stop"]),
        ((4..=12).collect(), &json!("volume_end"))
    );
    assert_eq!(book.ask(&["next"]).data()["step"], "volume:01:review");
    // Further chapters are not this command's business: the review comes first.
    let error = book.ask(&["continue"]).fails(3);
    assert_eq!(error["code"], "NOT_WRITING", "{error:#}");
    assert_eq!(error["details"]["next"], "volume:01:review", "{error:#}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("volume 1 must be reviewed first"),
        "{error:#}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("`novel start`"), "{error:#}");
}

#[test]
fn a_chapter_in_the_book_is_not_written_again() {
    let book = TestBook::demo(2);
    let before = book.tree();
    for to in ["1", "2"] {
        let data = book.ask(&["run", "--to", to]).data();
        assert_eq!(
            (chapters(&data), &data["stop"]),
            (vec![], &json!("goal_reached"))
        );
        assert_eq!(data["executor"], Value::Null);
    }
    assert_same_tree(&book.tree(), &before, "nothing to write");
}

#[test]
fn a_resume_finishes_the_chapter_under_way() {
    let book = TestBook::demo(1);
    book.begin(2);
    let data = book.ask(&["resume", "--to", "2"]).data();
    assert_eq!(chapters(&data), [2]);
}

#[test]
fn only_a_resume_tries_a_failed_step_again() {
    let book = TestBook::demo(1);
    let path = book.path(".checkpoint.json");
    let mut checkpoint: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    checkpoint["orchestrator_state"] = json!("ERROR_RETRY");
    checkpoint["inflight_chapter"] = json!(2);
    checkpoint["pipeline_stage"] = json!("drafting");
    fs::write(&path, pretty(&checkpoint)).unwrap();
    let error = book.ask(&["run", "--to", "2"]).fails(3);
    assert_eq!(error["code"], "ERROR_RETRY", "{error:#}");
    let data = book.ask(&["resume", "--to", "2"]).data();
    assert_eq!(chapters(&data), [2]);
}

#[test]
fn a_run_says_what_a_continue_says() {
    let (run, other) = (TestBook::demo(0), TestBook::demo(0));
    let [one, two] = [
        run.novel(&["run", "--to", "2"]),
        other.novel(&["continue", "2"]),
    ];
    assert_eq!(one.stdout, two.stdout);
    assert_same_tree(&run.content(), &other.content(), "the same chapters");
    let told = run.novel(&["run", "--to", "1"]);
    assert_eq!(told.stdout, "");
    let talk = told.stderr;
    assert!(
        talk.contains("The book already has these chapters"),
        "{talk}"
    );
}
