//! Published and locked chapters: every entrance at which a title or text could change asks the wall.

use novel_testkit::{
    Answers, ScriptedModel, TestBook, assert_same_tree,
    faulty::{FAULTY, pending},
};
use serde_json::{Value, json};

/// Everything that may change the text of a chapter of a book of four published chapters, whose last
/// operation is the commit of chapter 4.
const ENTRANCES: &[&[&str]] = &[
    &["rewrite", "2", "--note", "雨夜"],
    &["regen", "4"],
    &["regen", "2", "--cascade"],
    &["rollback", "3"],
    &["rollback", "0"],
    &["adopt", "3"],
    &["edit", "3"],
    &["revision", "candidate", "3", "--note", "改。"],
    &["revision", "apply", "3"],
    &["undo"],
];

/// Four chapters, chapter 3 with a hand edit and a candidate, all of it published.
fn published() -> TestBook {
    let book = TestBook::demo(4);
    let mut revised = book.json("chapters/chapter_003.json");
    revised["scenes"][0]["content"] = json!("换了一个开头。");
    let offered = json!({"chapter_number": 3, "status": "rejected", "triggered_by": null,
        "revision_notes": "换一个开头。", "issues": [], "revised_chapter": revised,
        "logic_review_report_file": null, "chapter_hash": null, "created_at": null,
        "decision_at": null});
    book.write("chapters/chapter_003_revision.json", offered.to_string());
    let text = book.text("chapters/chapter-003.md");
    book.write(
        "chapters/chapter-003.md",
        text + "\n他把账页合上，没有再说什么。\n",
    );
    book.ask(&["publish", "--to", "4"]).data();
    book
}

#[test]
fn no_entrance_changes_a_published_chapter() {
    for entrance in ENTRANCES {
        // Undo takes back the commit, not the publication: that is asked for by number.
        let book = published();
        let before = book.content();
        let number = commit_of_four(&book);
        let args: Vec<&str> = if entrance[0] == "undo" {
            vec!["undo", &number]
        } else {
            entrance.to_vec()
        };
        let refused = book.refuses(3, &args);
        assert_eq!(refused["code"], "CHAPTER_PUBLISHED", "{args:?}: {refused}");
        assert_same_tree(&book.content(), &before, &format!("{args:?}"));
    }
}

fn commit_of_four(book: &TestBook) -> String {
    let log = book.ask(&["log", "50"]).data();
    let commit = log["operations"].as_array().unwrap().iter();
    let mut found = commit.filter(|it| it["kind"] == "commit" && it["target"] == "chapter-004");
    found.next().unwrap()["operation"].to_string()
}

#[test]
fn the_authors_word_opens_the_wall_and_what_goes_is_no_longer_published() {
    let book = TestBook::demo(4);
    book.ask(&["publish", "--to", "4"]).data();
    book.ask(&["rewrite", "2", "--note", "雨夜", "--published"])
        .data();
    assert_eq!(book.json("chapters/marks.json")["published_to"], 4);
    book.ask(&["rollback", "2", "--published"]).data();
    assert_eq!(book.json("chapters/marks.json")["published_to"], 2);
    book.ask(&["undo", "--published"]).data();
    assert_eq!(book.json("chapters/marks.json")["published_to"], 4);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_rewrite_that_was_begun_does_not_pass_a_wall_built_since() {
    let book = TestBook::demo(3);
    let model = ScriptedModel::reacting(Answers::new(), |_| {
        Some(novel_mockllm::Behaviour::error(400, "no_answer", "nothing"))
    });
    model.write_for(&book);
    book.ask(&["rewrite", "2"]).fails(5);
    let refused = book.refuses(2, &["publish", "--to", "3"]);
    assert_eq!(refused["code"], "REWRITE_UNDER_WAY");
    assert_eq!(
        book.refuses(2, &["chapter", "lock", "1..3"])["code"],
        "REWRITE_UNDER_WAY"
    );
    book.ask(&["publish", "--to", "1"]).data();
}

#[test]
fn locked_chapters_are_walled_one_by_one() {
    let book = TestBook::demo(4);
    book.ask(&["chapter", "lock", "2..3"]).data();
    assert_eq!(book.refuses(3, &["rewrite", "3"])["code"], "CHAPTER_LOCKED");
    let rollback = book.refuses(3, &["rollback", "1"]);
    assert_eq!(rollback["details"]["chapters"], json!([2, 3]));
    book.ask(&["rewrite", "4", "--note", "雨夜"]).data();
    book.ask(&["chapter", "unlock", "3"]).data();
    book.ask(&["rewrite", "3", "--note", "雨夜"]).data();
    assert_eq!(book.json("chapters/marks.json")["locked"], json!([2]));
    let nothing = book.ask(&["chapter", "unlock", "3"]).data();
    assert_eq!(nothing["changed"], false);
    for bad in ["0", "5..2", "x", "3..9"] {
        book.refuses(2, &["chapter", "lock", bad]);
    }
}

#[test]
fn derived_files_may_be_rebuilt_and_the_book_goes_on() {
    let book = TestBook::demo(3);
    book.ask(&["publish", "--to", "3"]).data();
    book.ask(&["memory", "rebuild", "3"]).data();
    book.ask(&["state", "rebuild", "--from", "2"]).data();
    book.remove("chapters/chapter-002.md");
    book.ask(&["doctor", "--fix"]).data();
    book.write_to(4);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_pending_chapter_is_not_published() {
    let book = pending();
    let last = FAULTY.to_string();
    let refused = book.refuses(3, &["publish", "--to", &last]);
    assert_eq!(refused["code"], "CHAPTER_PENDING");
    let before = (FAULTY - 1).to_string();
    book.ask(&["publish", "--to", &before]).data();
    assert_eq!(
        book.refuses(2, &["publish", "--to", "1"])["code"],
        "ALREADY_PUBLISHED"
    );
    book.ask(&["publish", "--to", "1", "--published"]).data();
    assert_eq!(
        book.refuses(2, &["publish", "--to", "99"])["code"],
        "NO_SUCH_CHAPTER"
    );
}

#[test]
fn what_is_wrong_with_a_published_chapter_is_told_to_the_next_writer_once() {
    let book = TestBook::demo(3);
    book.ask(&["publish", "--to", "3"]).data();
    book.configure("logic_review_policy = \"blocking\"\n");
    let low = json!({"overall_score": 20, "summary": "…", "issues": [
        {"issue_type": "logic", "description": "灯塔当夜并未亮灯", "severity": "high",
         "evidence": null, "fix_instructions": "说明灯为何亮着。"}]});
    let answers = Answers::from([("logic-reviewer".to_owned(), vec![low.to_string()])]);
    let model = ScriptedModel::start(answers);
    model.write_for(&book);
    book.ask(&["review", "run", "3"]).data();
    assert!(
        !book.has("chapters/chapter_003_revision.json"),
        "not pending"
    );
    let marks = book.json("chapters/marks.json");
    assert_eq!(marks["forward_repairs"][0]["chapter"], 3);
    let prompt = book.ask(&["prompt", "chapter:004:draft"]).data()["user"].to_string();
    assert!(prompt.contains("forward_repairs") && prompt.contains("灯塔当夜并未亮灯"));
    book.write(
        "novel.toml",
        book.text("novel.toml")
            .replace("\"llm\"", "\"offline\"")
            .replace("\"blocking\"", "\"off\""),
    );
    book.write_to(4);
    assert_eq!(
        book.json("chapters/marks.json")["forward_repairs"][0]["told_chapter"],
        4
    );
    let prompt = book.ask(&["prompt", "chapter:005:draft"]).data()["user"].to_string();
    assert!(!prompt.contains("灯塔当夜并未亮灯"), "told once");
}

#[test]
fn damaged_marks_are_an_error_and_never_no_wall() {
    let book = TestBook::demo(2);
    book.write("chapters/marks.json", "{\"published_to\": ");
    let refused = book.refuses(2, &["rewrite", "2"]);
    assert!(
        refused.to_string().contains("chapters/marks.json"),
        "{refused}"
    );
    assert_eq!(
        book.refuses(2, &["rollback", "1"])["details"]
            .get("chapters")
            .cloned()
            .unwrap_or(Value::Null),
        Value::Null
    );
    assert!(book.has("chapters/chapter_002.json"));
}
