//! `undo` after every kind of operation on a committed chapter, and going back over rewritten ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod gates_support;
mod history_support;
mod support;

use std::fs;

use gates_support::{
    FAULTY, chapter_json, configure, markdown, pending, planted, revision, three_chapters,
};
use history_support::Demo;
use serde_json::{Value, json};
use support::{assert_same_tree, differences};

/// Does something and takes it back.
#[track_caller]
fn assert_undone(book: &Demo, args: &[&str], kind: &str) {
    let before = book.files();
    let _ = book.novel(args).ok();
    let after = book.files();
    let changed = differences(&before, &after);
    assert!(!changed.is_empty(), "{args:?} does something");
    let data = book.novel(&["undo"]).ok();
    assert_eq!(data["kind"], kind, "{args:?}: {data:#}");
    assert_same_tree(&book.files(), &before, &format!("{args:?}, undone"));
    // Done again, it is the same: answers are kept.
    let _ = book.novel(args).ok();
    if kind == "review" || args.contains(&"rebuild") {
        return;
    }
    assert_same_tree(&book.files(), &after, &format!("{args:?}, done again"));
}

fn edit(book: &Demo, chapter: u32) {
    let text = book.text(&markdown(chapter));
    book.write(
        &markdown(chapter),
        text.replacen('。', "，天色暗了下来。", 1),
    );
}

#[test]
fn decisions_and_reports_are_taken_back() {
    let waits = pending();
    assert_undone(&waits.copy(), &["revision", "apply", "4"], "rewrite");
    assert_undone(&waits.copy(), &["revision", "reject", "4"], "review");
    assert_undone(&waits.copy(), &["revision", "candidate", "4"], "review");
    let book = planted("");
    book.write_to(FAULTY);
    assert_undone(&book.copy(), &["review", "run", "4"], "review");
    assert_undone(&book.copy(), &["revision", "candidate", "4"], "review");
}

#[test]
fn rewritten_chapters_are_taken_back() {
    let book = three_chapters();
    // The newest, and an older one.
    for chapter in [3, 2] {
        let book = book.copy();
        edit(&book, chapter);
        let before = book.files();
        let _ = book.novel(&["adopt", &chapter.to_string()]).ok();
        let data = book.novel(&["undo"]).ok();
        assert_eq!(data["kind"], "rewrite", "{data:#}");
        // The edited Markdown was replaced by its rendering; the edit is what was there before.
        assert_same_tree(&book.files(), &before, "adopt, undone");
    }
}

#[test]
fn the_rollback_of_regen_is_taken_back() {
    for (chapter, more) in [("3", None), ("2", Some("--cascade"))] {
        let book = three_chapters();
        let before = book.files();
        let mut args = vec!["regen", chapter];
        args.extend(more);
        let _ = book.novel(&args).ok();
        // First the chapter that was written anew, then its going away.
        let kinds: Vec<Value> = (0..2)
            .map(|_| book.novel(&["undo"]).ok()["kind"].clone())
            .collect();
        assert_eq!(kinds, [json!("commit"), json!("rollback")]);
        assert_same_tree(&book.files(), &before, "regen, undone");
        assert_eq!(book.novel(&["doctor"]).ok()["findings"], json!([]));
    }
}

#[test]
fn a_rollback_is_taken_back_though_a_chapter_was_begun_since() {
    let book = three_chapters();
    let before = book.files();
    // Somebody writes a draft after the chapter went away, and then wants the old one.
    let _ = book.novel(&["rollback", "2"]).ok();
    book.begin(3);
    let data = book.novel(&["undo"]).ok();
    assert_eq!(data["kind"], "rollback", "{data:#}");
    assert_same_tree(&book.files(), &before, "rollback, undone past a draft");
    book.write_to(4);
}

#[test]
fn rebuilt_state_and_memory_are_taken_back() {
    let book = three_chapters();
    for path in [
        "summaries/chapter-003-summary.md",
        "storylines/tide-ledger/memory.md",
    ] {
        let text = fs::read_to_string(book.path(path)).unwrap();
        book.write(path, text + "\n- 手写的一行\n");
    }
    assert_undone(&book.copy(), &["memory", "rebuild", "3"], "rewrite");
    let changed = book.copy();
    changed.edit("state/current-state.json", |state| {
        state["characters"]["lu-yan"]["location"] = json!("天上");
    });
    assert_undone(&changed, &["state", "rebuild"], "rewrite");
    assert_undone(
        &book.copy(),
        &["state", "rebuild", "--from", "3"],
        "rewrite",
    );
}

/// What rolling back over a rewritten chapter and writing again must give.
#[track_caller]
fn assert_same_again(book: &Demo, last: u32, after: u32, what: &str) {
    let written = book.files();
    let again = book.copy();
    let _ = again.novel(&["rollback", &last.to_string()]).ok();
    assert_eq!(
        again.json(".checkpoint.json")["last_completed_chapter"],
        last
    );
    assert_eq!(
        again.novel(&["doctor"]).ok()["findings"],
        json!([]),
        "{what}"
    );
    let replayed = support::replay::replay(&again.text("state/changelog.jsonl"));
    assert_eq!(replayed, again.text("state/current-state.json"), "{what}");
    again.write_to(after);
    assert_same_tree(&again.files(), &written, what);
}

#[test]
fn the_same_chapters_come_again_after_an_apply_and_a_rollback() {
    let book = pending();
    let _ = book.novel(&["revision", "apply", "4"]).ok();
    // Later chapters have the same fault; they are not to stop the book here.
    let text = book.text("novel.toml").replace("manual_confirm", "none");
    book.write("novel.toml", text);
    let applied = book.files();
    book.write_to(6);
    // Back to the applied chapter itself.
    let back = book.copy();
    let _ = back.novel(&["rollback", "4"]).ok();
    assert_same_tree(&back.files(), &applied, "back to the applied text");
    assert_eq!(back.json(&revision(FAULTY))["status"], "accepted");
    assert_eq!(
        back.json(&chapter_json(FAULTY)),
        back.json(&revision(FAULTY))["revised_chapter"]
    );
    for last in [4, 5] {
        assert_same_again(
            &book,
            last,
            6,
            &format!("rollback to {last} after an apply"),
        );
    }
}

#[test]
fn the_same_chapters_come_again_after_the_adoption_of_an_older_chapter() {
    let book = three_chapters();
    configure(&book, "consistency_check = \"deterministic\"");
    book.write_to(4);
    edit(&book, 2);
    let _ = book.novel(&["adopt", "2"]).ok();
    let adopted = book.json(&chapter_json(2));
    book.write_to(6);
    for last in [5, 4] {
        assert_same_again(
            &book,
            last,
            6,
            &format!("rollback to {last} after an adoption"),
        );
    }
    // Going back between the adopted chapter and the moment of its adoption keeps the new text.
    for last in [3, 2] {
        let back = book.copy();
        let _ = back.novel(&["rollback", &last.to_string()]).ok();
        assert_eq!(back.json(&chapter_json(2)), adopted);
        assert_eq!(back.novel(&["doctor"]).ok()["findings"], json!([]));
        let replayed = support::replay::replay(&back.text("state/changelog.jsonl"));
        assert_eq!(replayed, back.text("state/current-state.json"));
        let once = back.files();
        back.write_to(5);
        let written = back.files();
        let _ = back.novel(&["rollback", &last.to_string()]).ok();
        assert_same_tree(&back.files(), &once, "back again");
        back.write_to(5);
        assert_same_tree(&back.files(), &written, "written again");
    }
}

#[test]
fn a_tampered_markdown_is_reported_and_adopt_takes_it() {
    let book = three_chapters();
    edit(&book, 2);
    let (json_before, text) = (book.text(&chapter_json(2)), book.text(&markdown(2)));
    let edited = &book.novel(&["status"]).ok()["edited_chapters"];
    assert!(edited.to_string().contains('2'), "{edited}");
    let findings = book.novel(&["doctor"]);
    let said = findings.json().to_string();
    assert!(said.contains(&markdown(2)), "{said}");
    assert_eq!(book.text(&chapter_json(2)), json_before);
    let data = book.novel(&["adopt", "2"]).ok();
    assert_eq!(data["chapter"], 2, "{data:#}");
    assert!(book.text(&chapter_json(2)).contains("天色暗了下来"));
    assert_eq!(book.text(&markdown(2)), text);
    assert_eq!(book.novel(&["status"]).ok()["edited_chapters"], json!([]));
    assert_eq!(book.novel(&["doctor"]).ok()["findings"], json!([]));
    let error = gates_support::refused(&book, 2, &["adopt", "2"]);
    assert_eq!(error["code"], "NOT_EDITED");
}
