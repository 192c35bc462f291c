//! Taking operations back, and the log of them.

use novel_testkit::{Node, Plan, TestBook, Tree, assert_same_tree, tree::content};
use serde_json::{Value, json};

/// Everything but what an undo adds to: the archive and the log of operations.
fn bytes(tree: Tree) -> Tree {
    tree.into_iter()
        .filter(|(path, node)| {
            *node != Node::Dir
                && !path.starts_with("archive/")
                && !path.starts_with("logs/operations")
        })
        .collect()
}

#[test]
fn a_commit_is_taken_back_byte_for_byte() {
    for chapter in [1, 2] {
        let book = TestBook::planned(Plan::new(3));
        for earlier in 1..chapter {
            book.driver().write(earlier);
        }
        book.driver().up_to_judged(chapter);
        let before = bytes(book.tree());
        book.driver().commit(chapter);
        let after = bytes(book.tree());
        let data = book.ask(&["undo"]).data();
        let newest = book.ask(&["log", "1"]).data();
        assert_eq!(newest["operations"][0]["kind"], "undo");
        let target = format!("operation-{}", data["operation"]);
        assert_eq!(newest["operations"][0]["target"], target);
        assert_eq!(data["kind"], "commit");
        assert_eq!(data["target"], format!("chapter-{chapter:03}"));
        assert!(!data["restored"].as_array().unwrap().is_empty());
        assert_same_tree(&bytes(book.tree()), &before, "undone");
        book.driver().commit(chapter);
        assert_same_tree(&bytes(book.tree()), &after, "committed again");
    }
}

#[test]
fn a_rollback_is_taken_back_byte_for_byte() {
    let book = TestBook::demo(3);
    let before = bytes(book.tree());
    for last in ["1", "0", "2"] {
        book.ask(&["rollback", last]).data();
        assert_ne!(bytes(book.tree()), before);
        let data = book.ask(&["undo"]).data();
        assert_eq!(data["kind"], "rollback");
        assert_same_tree(&bytes(book.tree()), &before, last);
    }
    book.write_to(4);
}

#[test]
fn the_commit_of_a_volume_is_taken_back_byte_for_byte() {
    let book = TestBook::planned(Plan::volume(1, 2));
    for chapter in [1, 2] {
        book.driver().write(chapter);
    }
    book.feed(&["submit", "volume:01:review", "-"], "# 回顾\n")
        .data();
    book.ask(&["advance", "volume:01:review"]).data();
    for (path, text) in Plan::volume(2, 2).volume_files() {
        book.write(&format!("staging/{path}"), text);
    }
    let before = bytes(book.tree());
    book.ask(&["commit", "--volume", "2"]).data();
    let data = book.ask(&["undo"]).data();
    assert_eq!(
        (&data["kind"], &data["target"]),
        (&json!("commit-volume"), &json!("vol-02"))
    );
    assert_same_tree(&bytes(book.tree()), &before, "undone");
}

/// A large plan comes in parts and with people; to the author it is one thing.
#[test]
fn a_plan_is_one_operation_and_so_is_another_one_in_its_place() {
    // Runs and paid answers are not taken back.
    let bytes = |tree: Tree| -> Tree {
        let mut kept = bytes(tree);
        kept.retain(|path, _| !path.starts_with("logs/calls") && !path.starts_with("logs/runs"));
        kept
    };
    let book = TestBook::planning();
    let total = || book.ask(&["log"]).data()["total"].as_u64().unwrap();
    let (before, unplanned) = (total(), bytes(book.tree()));
    book.ask(&["plan"]).data();
    let planned = bytes(book.tree());
    assert!(book.ledger().len() > 3, "the plan has several parts");
    assert_eq!(total(), before + 1);

    book.ask(&["plan", "redo", "--note", "再快一些"]).data();
    let planned_again = bytes(book.tree());
    let newest = book.ask(&["log", "1"]).data()["operations"][0].clone();
    assert_eq!(total(), before + 2);
    assert_eq!(newest["target"], "vol-01");
    assert_eq!(newest["note"], "再快一些");
    assert_eq!(newest["open"], Value::Null);

    book.ask(&["undo"]).data();
    assert_same_tree(&bytes(book.tree()), &planned, "the first plan is back");
    book.ask(&["redo"]).data();
    assert_same_tree(&bytes(book.tree()), &planned_again, "and the second one");
    book.ask(&["undo"]).data();
    book.ask(&["undo"]).data();
    assert_same_tree(&bytes(book.tree()), &unplanned, "no plan");
    book.ask(&["plan"]).data();
    book.ask(&["plan", "approve"]).data();
    let newest = book.ask(&["log", "1"]).data()["operations"][0].clone();
    assert_eq!(
        (&newest["kind"], &newest["open"]),
        (&json!("commit-volume"), &Value::Null)
    );
}

/// What a run does between two volumes is told as what it is, and nothing of it stays open.
#[test]
fn the_end_of_a_volume_and_the_next_plan_are_operations_that_end() {
    let book = TestBook::once("second volume begun", || {
        let book = TestBook::planning();
        book.configure_tables("[plan]\nchapters = 6");
        book.ask(&["run", "--to", "7", "--yes"]).data();
        book
    });
    let log = book.ask(&["log", "100"]).data();
    let operations = log["operations"].as_array().unwrap();
    let open: Vec<&Value> = operations.iter().filter(|it| it["open"] == true).collect();
    assert!(open.is_empty(), "{open:#?}");
    let kinds: Vec<&str> = operations
        .iter()
        .take(5)
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["commit", "commit-volume", "plan", "lifecycle", "commit"]
    );
}

#[test]
fn undo_again_goes_further_back() {
    let book = TestBook::demo(0);
    let mut after = vec![book.content()];
    for chapter in 1..=3 {
        book.write_to(chapter);
        after.push(book.content());
    }
    book.ask(&["rollback", "1"]).data();
    let kinds: Vec<Value> = (0..3)
        .map(|_| {
            let data = book.ask(&["undo"]).data();
            json!([data["kind"], data["target"]])
        })
        .collect();
    assert_eq!(
        kinds,
        [
            json!(["rollback", "to-001"]),
            json!(["commit", "chapter-003"]),
            json!(["commit", "chapter-002"])
        ]
    );
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:002:draft");
    // A chapter goes from its first step to its commit.
    assert_same_tree(&book.content(), &after[1], "undone three times");
    book.ask(&["undo"]).data();
    assert_same_tree(&book.content(), &after[0], "undone to the beginning");
    let error = book.ask(&["undo"]).fails(2);
    assert_eq!(error["code"], "NOTHING_TO_UNDO");
    book.write_to(3);
    assert_same_tree(&content(book.tree()), &after[3], "written again");
}

#[test]
fn a_file_that_was_changed_since_is_named_and_kept() {
    let book = TestBook::demo(2);
    for path in [
        "chapters/chapter-002.md",
        "storylines/main-arc/memory.md",
        "state/changelog.jsonl",
    ] {
        let again = book.copy();
        again.tamper(path);
        let before = again.tree();
        let error = again.ask(&["undo"]).fails(2);
        assert_eq!(error["code"], "CHANGED_SINCE", "{error:#}");
        assert_eq!(error["details"]["paths"], json!([path]), "{error:#}");
        assert!(
            error["message"].as_str().unwrap().contains(path),
            "{error:#}"
        );
        assert_same_tree(&again.tree(), &before, path);
    }
    let again = book.copy();
    again.remove("chapters/chapter_002.json");
    let error = again.ask(&["undo"]).fails(2);
    assert_eq!(
        error["details"]["paths"],
        json!(["chapters/chapter_002.json"])
    );
}

#[test]
fn without_an_operation_there_is_nothing_to_undo() {
    let book = TestBook::demo(0);
    let before = book.tree();
    let error = book.ask(&["undo"]).fails(2);
    assert_eq!(error["code"], "NOTHING_TO_UNDO");
    assert_same_tree(&book.tree(), &before, "refused");
    let data = book.ask(&["log"]).data();
    assert_eq!(data, json!({"operations": [], "total": 0}));
}

#[test]
fn the_log_has_the_newest_operation_first() {
    let book = TestBook::demo(2);
    book.ask(&["rollback", "1"]).data();
    book.ask(&["undo"]).data();
    let before = book.tree();
    let at = "2026-03-01T00:00:00Z";
    assert_eq!(
        book.ask(&["log"]).data(),
        json!({"total": 4, "operations": [
            {"operation": 4, "kind": "undo", "target": "operation-3", "at": at, "undone": false},
            {"operation": 3, "kind": "rollback", "target": "to-001", "at": at, "undone": true},
            {"operation": 2, "kind": "commit", "target": "chapter-002", "at": at, "undone": false},
            {"operation": 1, "kind": "commit", "target": "chapter-001", "at": at, "undone": false},
        ]})
    );
    let data = book.ask(&["log", "1"]).data();
    assert_eq!(data["operations"].as_array().unwrap().len(), 1);
    assert_eq!(data["operations"][0]["operation"], 4);
    assert_same_tree(&book.tree(), &before, "a log writes nothing");
    let told = book.novel(&["log", "2"]);
    let rows: Vec<Vec<String>> = told
        .stdout
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows[0], ["no.", "operation", "target", "files", "time"]);
    assert_eq!(
        (&rows[1][..3], &rows[1][4]),
        (
            &["4", "undo", "operation-3"].map(str::to_owned)[..],
            &at.to_owned()
        )
    );
    assert_eq!(rows[2][..3], ["3", "rollback", "to-001"].map(str::to_owned));
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_damaged_log_is_an_error_with_its_line() {
    let book = TestBook::demo(1);
    let lines = book.text("logs/operations.jsonl").lines().count();
    book.tamper("logs/operations.jsonl");
    for command in ["log", "undo"] {
        let error = book.ask(&[command]).fails(2);
        let problem = &error["details"]["problems"][0];
        assert_eq!(problem["path"], "logs/operations.jsonl", "{error:#}");
        assert_eq!(problem["line"], lines + 1, "{error:#}");
    }
}

/// Kinds of the operations that are taken back one after the other.
fn undo_kinds(book: &TestBook, times: usize) -> Vec<Value> {
    let undo = |_| book.ask(&["undo"]).data()["kind"].clone();
    (0..times).map(undo).collect()
}

#[test]
fn a_rollback_is_taken_back_after_new_chapters_were_written_and_undone() {
    let book = TestBook::demo(3);
    let before = book.content();
    book.ask(&["rollback", "1"]).data();
    let rollback = book.ask(&["log", "1"]).data()["operations"][0]["operation"].clone();
    book.write_to(2);
    let number = rollback.to_string();
    let error = book.ask(&["undo", &number]).fails(2);
    assert_eq!(error["code"], "LATER_OPERATIONS", "{error:#}");
    assert_eq!(error["details"]["later"][0]["kind"], "commit");
    let paths = error["details"]["later"][0]["paths"].to_string();
    assert!(paths.contains("chapters/chapter_002.json"), "{paths}");
    assert_eq!(undo_kinds(&book, 2), [json!("commit"), json!("rollback")]);
    assert_same_tree(&book.content(), &before, "rollback undone");
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn scenes_and_the_chapter_made_of_them_are_taken_back_one_by_one() {
    let book = TestBook::demo(1);
    let before = book.content();
    book.ask(&["scene", "plan", "2"]).data();
    let planned = book.content();
    book.write_to(2);
    assert_eq!(undo_kinds(&book, 1), [json!("commit")]);
    assert_same_tree(&book.content(), &planned, "the chapter is undone");
    assert_eq!(undo_kinds(&book, 1), [json!("scene")]);
    assert_same_tree(&book.content(), &before, "the plan is undone");
    book.ask(&["redo"]).data();
    book.ask(&["redo"]).data();
    let error = book.ask(&["redo"]).fails(2);
    assert_eq!(error["code"], "NOTHING_TO_REDO");
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:003:draft");
}

#[test]
fn an_undone_chapter_is_asked_for_anew_and_a_redone_one_is_not() {
    let book = TestBook::demo(1);
    let written = book.ask(&["continue"]).data();
    let calls = written["spent"]["calls"].as_u64().unwrap();
    assert!(calls > 0, "{written:#}");
    let after = book.content();
    book.ask(&["undo"]).data();
    book.ask(&["redo"]).data();
    assert_same_tree(&book.content(), &after, "redone");
    book.ask(&["undo"]).data();
    let again = book.ask(&["continue"]).data();
    assert_eq!(again["spent"]["calls"], calls, "{again:#}");
    assert_eq!(again["spent"]["reused"], 0, "{again:#}");
    assert_same_tree(&book.content(), &after, "written again");
    let cost = book.ask(&["cost"]).data();
    assert_eq!(cost["discarded"]["calls"], calls, "{cost:#}");
}

#[test]
fn repairs_are_operations() {
    let book = TestBook::demo(2);
    let text = book.text("logs/progress.json").replace("2", "7");
    book.write("logs/progress.json", text);
    let before = book.content();
    book.ask(&["doctor", "--fix"]).data();
    assert_ne!(book.content(), before);
    assert_eq!(undo_kinds(&book, 1), [json!("doctor")]);
    assert_same_tree(&book.content(), &before, "repair undone");
}

#[test]
fn a_book_that_was_begun_anew_is_brought_back() {
    let book = TestBook::demo(2);
    let before = book.content();
    let root = book.root();
    let _ = book
        .ask(&["init", root.to_str().unwrap(), "--force", "--yes"])
        .data();
    assert_eq!(book.json(".checkpoint.json")["last_completed_chapter"], 0);
    assert_eq!(undo_kinds(&book, 1), [json!("init")]);
    assert_same_tree(&book.content(), &before, "init --force undone");
}

#[test]
fn a_step_of_an_outside_driver_is_an_operation() {
    let book = TestBook::planned(Plan::new(3));
    let start = content(book.tree());
    book.driver().up_to_judged(1);
    let judged = content(book.tree());
    let operations = book.ask(&["log", "100"]).data()["total"].as_u64().unwrap();
    assert!(operations > 4, "{operations}");
    for _ in 0..operations {
        book.ask(&["undo"]).data();
    }
    assert_same_tree(&content(book.tree()), &start, "all undone");
    for _ in 0..operations {
        book.ask(&["redo"]).data();
    }
    assert_same_tree(&content(book.tree()), &judged, "all redone");
}
