//! Structured answers: repaired here, else asked for again with the errors; lost ops.

use novel_book::run::Goal;
use serde_json::{Value, json};

use super::{
    book::{Book, code, codes},
    script::{Reply, Script},
};

/// The first answers of these chapters' summaries, in a form of the test's making.
fn summary_as(book: &Book, form: impl Fn(&str) -> String + Send + Sync + 'static) -> Script {
    Script::new(book, move |call, sound| {
        (call.work == "summarize" && call.nth == 1).then(|| Reply::Text(form(sound)))
    })
}

#[test]
fn a_fenced_answer_is_repaired_here() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| {
        format!("好的，结果如下：\n```json\n{sound}\n```\n希望有帮助！")
    });
    let report = book.write(&script, 1);
    assert_eq!(script.count("summarize"), 1);
    assert!(codes(&report.warnings).contains(&"answer_repaired"));
}

#[test]
fn trailing_commas_are_repaired_here() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| {
        let open = sound.trim_end().strip_suffix('}').unwrap();
        format!("{},\n}}", open.trim_end())
    });
    let report = book.write(&script, 1);
    assert_eq!(script.count("summarize"), 1);
    assert!(codes(&report.warnings).contains(&"answer_repaired"));
}

#[test]
fn a_truncated_tail_is_repaired_here() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| {
        sound.trim_end().strip_suffix('}').unwrap().to_owned()
    });
    let report = book.write(&script, 1);
    assert_eq!(script.count("summarize"), 1);
    assert!(codes(&report.warnings).contains(&"answer_repaired"));
}

#[test]
fn the_repaired_answer_stays_in_the_ledger_as_it_came() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| format!("```json\n{sound}\n```"));
    book.write(&script, 1);
    let kept = &book.calls("chapter-002-summarize")[0];
    assert!(kept["text"].as_str().unwrap().starts_with("```json"));
}

#[test]
fn a_wrong_form_is_asked_for_again_with_the_errors() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| {
        let mut answer: Value = serde_json::from_str(sound).unwrap();
        answer["summary"] = json!(17);
        answer.to_string()
    });
    book.write(&script, 1);
    assert_eq!(script.count("summarize"), 2);
    let again = script.last("summarize").user;
    assert!(again.contains("/summary"), "{again}");
    assert_eq!(book.stands(), json!(["WRITING", "committed", null, 0]));
}

#[test]
fn a_form_that_stays_wrong_ends_in_error_retry() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "judge").then(|| Reply::Text("[1, 2, 3".into()))
    });
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "VALIDATION_FAILED");
    assert!(!failure.explain().problems().is_empty());
    assert_eq!(script.count("judge"), 2);
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "refined", 2, 0]));
    // The next try is a new call, not one of the rejected answers.
    let script = Script::plain(&book);
    book.retry(&script, 1).unwrap();
    assert_eq!(script.done(), ["judge 2"]);
}

#[test]
fn a_second_rejection_without_problems_of_the_form_is_a_failure_too() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        match (call.work.as_str(), call.nth) {
        ("draft", 1) => Some(Reply::Text("The rain had not stopped. He opened the door of the shop and a letter lay on the counter. Nobody knew who had brought it.".into())),
        ("draft", _) => Some(Reply::Fails),
        _ => None,
    }
    });
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "EMPTY_ANSWER");
    assert_eq!(script.count("draft"), 2);
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafting", 2, 0]));
}

/// Every summary has ops that nobody can read.
fn without_ops(book: &Book) -> Script {
    Script::new(book, |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            answer["delta"]["ops"] = json!("把陆砚移到后院");
            Reply::Text(answer.to_string())
        })
    })
}

#[test]
fn no_chapter_is_committed_without_its_ops() {
    let book = Book::with_chapters(1);
    let script = without_ops(&book);
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "VALIDATION_FAILED");
    assert_eq!(script.count("summarize"), 2, "asked again once first");
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafting", 2, 0]));
    assert!(!book.exists("chapters/chapter-002.md"));
    book.retry(&Script::plain(&book), 1).unwrap();
    assert!(book.exists("chapters/chapter-002.md"));
}

#[test]
fn a_single_bad_op_is_dropped_and_the_others_are_applied() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            answer["delta"]["ops"] = json!([
                {"op": "explode", "path": "characters.lu-yan.location", "value": 1},
                {"op": "set", "path": "characters.lu-yan.location", "value": 5},
                {"op": "set", "path": "characters.lu-yan.location", "value": "后院"},
            ]);
            let quoted = call
                .user
                .lines()
                .find(|line| line.contains("陆砚") && line.ends_with('。'));
            for op in answer["delta"]["ops"].as_array_mut().unwrap() {
                op["evidence"] = json!(quoted.unwrap());
            }
            Reply::Text(answer.to_string())
        })
    });
    let report = book.write(&script, 1);
    assert_eq!(script.count("summarize"), 1);
    assert!(!codes(&report.warnings).is_empty());
    let state = book.json("state/current-state.json");
    assert_eq!(state["characters"]["lu-yan"]["location"], "后院");
}

#[test]
fn prose_in_a_fence_or_after_a_reasoning_block_is_taken_out() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, sound| match call.work.as_str() {
        "draft" => Some(Reply::Text(format!("<think>先想一想</think>\n\n{sound}"))),
        "refine" => Some(Reply::Text(format!("```markdown\n{sound}\n```"))),
        _ => None,
    });
    book.write(&script, 1);
    let text = book.text("chapters/chapter-002.md");
    assert!(!text.contains("先想一想") && !text.contains("```"));
}

#[test]
fn the_program_fills_in_what_only_it_knows() {
    let book = Book::with_chapters(1);
    let script = summary_as(&book, |sound| {
        let mut answer: Value = serde_json::from_str(sound).unwrap();
        answer["delta"]["base_state_version"] = json!(99);
        answer["delta"]["chapter"] = json!(7);
        answer["delta"]["storyline_id"] = json!("tide-ledger");
        answer["crossref"]["storyline_id"] = json!("tide-ledger");
        answer.to_string()
    });
    book.write(&script, 1);
    assert_eq!(script.count("summarize"), 1);
    assert!(book.exists("storylines/main-arc/memory.md"));
    assert_eq!(book.json("state/current-state.json")["state_version"], 2);
}
