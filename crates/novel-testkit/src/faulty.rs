//! The demo book whose fourth chapter contradicts its state, and who revises it: the offline author,
//! or a model behind a socket that answers as the offline author did.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::{
    book::TestBook,
    model::{Answers, ScriptedModel},
    plan::pretty,
};

/// The chapter that contradicts the state.
pub const FAULTY: u32 = 4;
/// What somebody dead does in it.
pub const ACTS: &str = "何小满先动了，";

/// `chapters/chapter_NNN.json`.
#[must_use]
pub fn chapter_json(chapter: u32) -> String {
    format!("chapters/chapter_{chapter:03}.json")
}

/// `chapters/chapter-NNN.md`.
#[must_use]
pub fn markdown(chapter: u32) -> String {
    format!("chapters/chapter-{chapter:03}.md")
}

/// `chapters/chapter_NNN_revision.json`.
#[must_use]
pub fn revision(chapter: u32) -> String {
    format!("chapters/chapter_{chapter:03}_revision.json")
}

/// `reviews/chapter_NNN_consistency.json`.
#[must_use]
pub fn consistency(chapter: u32) -> String {
    format!("reviews/chapter_{chapter:03}_consistency.json")
}

/// `reviews/chapter_NNN_logic_review.json`.
#[must_use]
pub fn logic_review(chapter: u32) -> String {
    format!("reviews/chapter_{chapter:03}_logic_review.json")
}

/// The demo book with three chapters; by its state a character is dead who speaks in the fourth.
#[must_use]
pub fn planted(policies: &str) -> TestBook {
    let book = TestBook::demo(FAULTY - 1);
    book.edit("state/current-state.json", |state| {
        state["characters"]["he-xiaoman"]["status"] = json!("dead");
    });
    book.configure(policies);
    book
}

/// The planted book, its fourth chapter written and pending, with a candidate.
#[must_use]
pub fn pending() -> TestBook {
    TestBook::once("pending", || {
        let book = planted("revision_policy = \"manual_confirm\"");
        let error = book.ask(&["continue"]).fails(3);
        assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
        book
    })
}

/// What the offline author answers about the fourth chapter and its revision.
#[must_use]
pub fn offline_answers() -> Answers {
    static ANSWERS: OnceLock<Answers> = OnceLock::new();
    let answers = ANSWERS.get_or_init(|| {
        let twin = pending();
        let before = twin.calls(FAULTY);
        twin.ask(&["revision", "apply", "4"]).data();
        let mut after = twin.calls(FAULTY);
        after.retain(|id, _| !before.contains_key(id));
        let mut answers = Answers::new();
        for (agent, text) in before.into_values().chain(after.into_values()) {
            answers.entry(agent).or_default().push(text);
        }
        answers
    });
    answers.clone()
}

/// A logic review as a model gives it.
#[must_use]
pub fn review_answer(score: u32, severities: &[&str]) -> String {
    let issues: Vec<Value> = severities
        .iter()
        .map(|severity| {
            json!({"issue_type": "motive", "description": "陆砚没有理由下水。", "severity": severity,
                   "evidence": null, "fix_instructions": "写明陆砚为什么下水"})
        })
        .collect();
    pretty(&json!({"overall_score": score, "issues": issues, "summary": "见问题。"}))
}

/// The planted book twice: with the offline author, and with a model that gives these answers.
pub fn with_each_author(
    policies: &str,
    answers: &Answers,
    test: impl Fn(&TestBook, Option<&ScriptedModel>),
) {
    test(&planted(policies), None);
    let model = ScriptedModel::start(answers.clone());
    let book = planted(policies);
    model.write_for(&book);
    test(&book, Some(&model));
}

/// What stands between the marks of a block of a prompt.
#[track_caller]
#[must_use]
pub fn block<'a>(prompt: &'a str, opening: &str) -> &'a str {
    let starts = prompt
        .find(opening)
        .unwrap_or_else(|| panic!("no {opening}: {prompt}"));
    let rest = &prompt[starts..];
    let inner = &rest[rest.find('\n').unwrap() + 1..];
    let ends = inner
        .find("\n</DATA>")
        .unwrap_or_else(|| panic!("no end of {opening}: {prompt}"));
    &inner[..ends]
}
