//! `undo` after every kind of operation on a committed chapter, and going back over rewritten ones.

use novel_testkit::{
    TestBook, assert_same_tree, differences,
    faulty::{FAULTY, chapter_json, markdown, pending, planted, revision},
};
use serde_json::{Value, json};

/// Does something and takes it back.
#[track_caller]
fn assert_undone(book: &TestBook, args: &[&str], kind: &str) {
    let before = book.content();
    book.ask(args).data();
    let after = book.content();
    let changed = differences(&before, &after);
    assert!(!changed.is_empty(), "{args:?} does something");
    let data = book.ask(&["undo"]).data();
    assert_eq!(data["kind"], kind, "{args:?}: {data:#}");
    assert_same_tree(&book.content(), &before, &format!("{args:?}, undone"));
    // Done again, it is the same: answers are kept.
    book.ask(args).data();
    if kind == "review" || args.contains(&"rebuild") {
        return;
    }
    assert_same_tree(&book.content(), &after, &format!("{args:?}, done again"));
}

fn edit(book: &TestBook, chapter: u32) {
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
    let book = TestBook::demo(FAULTY - 1);
    // The newest, and an older one.
    for chapter in [3, 2] {
        let book = book.copy();
        edit(&book, chapter);
        let before = book.content();
        book.ask(&["adopt", &chapter.to_string()]).data();
        let data = book.ask(&["undo"]).data();
        assert_eq!(data["kind"], "rewrite", "{data:#}");
        // The edited Markdown was replaced by its rendering; the edit is what was there before.
        assert_same_tree(&book.content(), &before, "adopt, undone");
    }
}

#[test]
fn the_rollback_of_regen_is_taken_back() {
    for (chapter, more) in [("3", None), ("2", Some("--cascade"))] {
        let book = TestBook::demo(FAULTY - 1);
        let before = book.content();
        let mut args = vec!["regen", chapter];
        args.extend(more);
        book.ask(&args).data();
        let after = book.content();
        // The chapter going away and the one written anew are one operation.
        let data = book.ask(&["undo"]).data();
        assert_eq!(
            (&data["kind"], &data["target"]),
            (&json!("regen"), &json!(format!("chapter-00{chapter}")))
        );
        assert_same_tree(&book.content(), &before, "regen, undone");
        assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
        let _ = book.ask(&["redo"]).data();
        assert_same_tree(&book.content(), &after, "regen, brought back");
    }
}

#[test]
fn a_rollback_is_taken_back_though_a_chapter_was_begun_since() {
    let book = TestBook::demo(FAULTY - 1);
    let before = book.content();
    // Somebody writes a draft after the chapter went away, and then wants the old one.
    book.ask(&["rollback", "2"]).data();
    book.begin(3);
    // Each step of the driver is an operation of its own.
    let begun = book.content();
    let kinds: Vec<Value> = (0..3)
        .map(|_| book.ask(&["undo"]).data()["kind"].clone())
        .collect();
    assert_eq!(
        kinds,
        [json!("advance"), json!("submit"), json!("rollback")]
    );
    assert_same_tree(&book.content(), &before, "rollback, undone past a draft");
    for _ in 0..3 {
        let _ = book.ask(&["redo"]).data();
    }
    assert_same_tree(&book.content(), &begun, "all brought back");
    for _ in 0..3 {
        let _ = book.ask(&["undo"]).data();
    }
    book.write_to(4);
}

#[test]
fn rebuilt_state_and_memory_are_taken_back() {
    let book = TestBook::demo(FAULTY - 1);
    for path in [
        "summaries/chapter-003-summary.md",
        "storylines/tide-ledger/memory.md",
    ] {
        let text = book.text(path);
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
fn assert_same_again(book: &TestBook, last: u32, after: u32, what: &str) {
    let written = book.content();
    let again = book.copy();
    again.ask(&["rollback", &last.to_string()]).data();
    assert_eq!(
        again.json(".checkpoint.json")["last_completed_chapter"],
        last
    );
    assert_eq!(
        again.ask(&["doctor"]).data()["findings"],
        json!([]),
        "{what}"
    );
    let replayed = novel_testkit::replay::replay(&again.text("state/changelog.jsonl"));
    assert_eq!(replayed, again.text("state/current-state.json"), "{what}");
    again.write_to(after);
    assert_same_tree(&again.content(), &written, what);
}

#[test]
fn the_same_chapters_come_again_after_an_apply_and_a_rollback() {
    let book = pending();
    book.ask(&["revision", "apply", "4"]).data();
    // Later chapters have the same fault; they are not to stop the book here.
    let text = book.text("novel.toml").replace("manual_confirm", "none");
    book.write("novel.toml", text);
    let applied = book.content();
    book.write_to(6);
    // Back to the applied chapter itself.
    let back = book.copy();
    back.ask(&["rollback", "4"]).data();
    assert_same_tree(&back.content(), &applied, "back to the applied text");
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
    let book = TestBook::demo(FAULTY - 1);
    book.configure("consistency_check = \"deterministic\"");
    book.write_to(4);
    edit(&book, 2);
    book.ask(&["adopt", "2"]).data();
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
        back.ask(&["rollback", &last.to_string()]).data();
        assert_eq!(back.json(&chapter_json(2)), adopted);
        assert_eq!(back.ask(&["doctor"]).data()["findings"], json!([]));
        let replayed = novel_testkit::replay::replay(&back.text("state/changelog.jsonl"));
        assert_eq!(replayed, back.text("state/current-state.json"));
        let once = back.content();
        back.write_to(5);
        let written = back.content();
        back.ask(&["rollback", &last.to_string()]).data();
        assert_same_tree(&back.content(), &once, "back again");
        back.write_to(5);
        assert_same_tree(&back.content(), &written, "written again");
    }
}

#[test]
fn a_tampered_markdown_is_reported_and_adopt_takes_it() {
    let book = TestBook::demo(FAULTY - 1);
    edit(&book, 2);
    let (json_before, text) = (book.text(&chapter_json(2)), book.text(&markdown(2)));
    let edited = &book.ask(&["status"]).data()["edited_chapters"];
    assert!(edited.to_string().contains('2'), "{edited}");
    let findings = book.ask(&["doctor"]);
    let said = findings.json().to_string();
    assert!(said.contains(&markdown(2)), "{said}");
    assert_eq!(book.text(&chapter_json(2)), json_before);
    let data = book.ask(&["adopt", "2"]).data();
    assert_eq!(data["chapter"], 2, "{data:#}");
    assert!(book.text(&chapter_json(2)).contains("天色暗了下来"));
    assert_eq!(book.text(&markdown(2)), text);
    assert_eq!(book.ask(&["status"]).data()["edited_chapters"], json!([]));
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
    let error = book.refuses(2, &["adopt", "2"]);
    assert_eq!(error["code"], "NOT_EDITED");
}
