//! Seed 003, step 3.5: the gate and what follows from it.

use novel_app::write::gate;
use novel_book::run::Goal;
use novel_model::{ChapterNo, Kind};
use serde_json::{Value, json};

use super::{
    book::{Book, code},
    script::{Call, Reply, Script, verdict, violated},
};

fn gate_of(book: &Book) -> Value {
    book.json("evaluations/chapter-002-eval.json")["metadata"]["gate"].clone()
}

/// Judges answer these, one round after another; the last one for all further rounds.
fn judged(book: &Book, verdicts: Vec<Value>) -> Script {
    Script::new(book, move |call, _| {
        (call.work == "judge").then(|| {
            let at = (call.nth - 1).min(verdicts.len() - 1);
            Reply::Text(verdicts[at].to_string())
        })
    })
}

fn fixes_shown(call: &Call) -> String {
    let found = call
        .sections
        .iter()
        .find(|(_, name, _)| name == "required_fixes");
    found.unwrap().2.clone()
}

#[test]
fn step_3_5_a_passing_chapter_is_committed_at_once() {
    for score in [4.0, 5.0] {
        let book = Book::with_chapters(1);
        let script = judged(&book, vec![verdict(score)]);
        let report = book.write(&script, 1);
        assert_eq!(script.calls().len(), 4);
        assert_eq!(report.finished[0].gate.unwrap().word(), "pass");
        assert_eq!(
            gate_of(&book),
            json!({"decision": "pass", "revisions": 0, "force_passed": false})
        );
    }
}

#[test]
fn step_3_5_polish_refines_once_more_and_is_not_judged_again() {
    for score in [3.5, 3.999] {
        let book = Book::with_chapters(1);
        let script = judged(&book, vec![verdict(score)]);
        let report = book.write(&script, 1);
        assert_eq!(
            script.done(),
            ["draft 2", "summarize 2", "refine 2", "judge 2", "polish 2"]
        );
        assert_eq!(
            script.last("polish").checkpoint["pipeline_stage"],
            "revising"
        );
        assert_eq!(report.finished[0].revisions, 0);
        assert_eq!(report.finished[0].gate.unwrap().word(), "polish");
        assert_eq!(gate_of(&book)["decision"], "polish");
    }
}

#[test]
fn step_3_5_a_revision_goes_through_all_agents_again() {
    for score in [3.0, 3.499] {
        let book = Book::with_chapters(1);
        let script = judged(&book, vec![verdict(score), verdict(4.2)]);
        let report = book.write(&script, 1);
        assert_eq!(
            script.done(),
            [
                "draft 2",
                "summarize 2",
                "refine 2",
                "judge 2",
                "revise 2",
                "summarize 2",
                "refine 2",
                "judge 2"
            ]
        );
        let revise = script.last("revise");
        assert_eq!(revise.checkpoint["orchestrator_state"], "CHAPTER_REWRITE");
        assert_eq!(revise.checkpoint["pipeline_stage"], "revising");
        assert_eq!(revise.checkpoint["revision_count"], 1);
        assert_eq!(report.finished[0].revisions, 1);
        assert_eq!(
            gate_of(&book),
            json!({"decision": "pass", "revisions": 1, "force_passed": false})
        );
        assert_eq!(book.stands(), json!(["WRITING", "committed", null, 0]));
    }
}

#[test]
fn step_3_5_the_revision_sees_the_old_text_and_may_have_a_stronger_model() {
    let book = Book::with_chapters(1);
    book.configure("[models]\ndefault = 'small'\nrevision = 'large'");
    let script = judged(&book, vec![verdict(3.2), verdict(4.2)]);
    book.write(&script, 1);
    let judged = script.calls()[3].clone();
    let text = |call: &Call| {
        let found = call
            .sections
            .iter()
            .find(|(_, name, _)| name == "chapter_content");
        found.unwrap().2.clone()
    };
    let body = |section: &str| section.split_once('\n').unwrap().1.to_owned();
    let revise = script.last("revise");
    assert_eq!(body(&text(&revise)), body(&text(&judged)));
    assert_eq!(revise.model, "large");
    assert_eq!(script.last("summarize").model, "small");
}

#[test]
fn step_3_5_required_fixes_are_the_instructions_of_the_revision() {
    let book = Book::with_chapters(1);
    let mut first = violated(verdict(3.2), "high");
    first["required_fixes"] = json!([{"target": "paragraph_3", "instruction": "删去梦境一段"}]);
    let script = judged(&book, vec![first, verdict(4.2)]);
    book.write(&script, 1);
    let fixes = fixes_shown(&script.last("revise"));
    assert!(
        fixes.contains("paragraph_3") && fixes.contains("删去梦境一段"),
        "{fixes}"
    );
    assert!(!fixes.contains("W-002"), "{fixes}");
}

#[test]
fn step_3_5_without_fixes_the_violations_are_the_instructions() {
    let book = Book::with_chapters(1);
    let script = judged(&book, vec![violated(verdict(4.6), "high"), verdict(4.2)]);
    book.write(&script, 1);
    let revise = script.last("revise");
    let fixes = fixes_shown(&revise);
    assert!(
        fixes.contains("W-002") && fixes.contains("信在退潮之后才投出"),
        "{fixes}"
    );
    assert_eq!(fixes.matches("的理由").count(), 2, "three in all: {fixes}");
    let (_, _, violations) = revise
        .sections
        .iter()
        .find(|(_, name, _)| name == "high_confidence_violations")
        .unwrap();
    assert!(violations.contains("W-002"));
}

#[test]
fn step_3_5_without_either_the_two_weakest_dimensions_are_the_instructions() {
    let book = Book::with_chapters(1);
    let mut first = verdict(3.3);
    first["scores"]["pacing"]["score"] = json!(2.0);
    first["scores"]["immersion"]["score"] = json!(2.5);
    let script = judged(&book, vec![first, verdict(4.2)]);
    book.write(&script, 1);
    let fixes = fixes_shown(&script.last("revise"));
    assert!(fixes.contains("pacing 的理由"), "{fixes}");
    assert!(fixes.contains("immersion 的理由"), "{fixes}");
    assert_eq!(fixes.matches("的理由").count(), 3, "{fixes}");
}

#[test]
fn step_3_5_a_violation_of_the_other_judge_is_told_to_the_writer() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.work == "judge" && call.nth == 1).then(|| {
            let verdict = match call.judge {
                novel_model::files::JudgeRole::Primary => verdict(4.2),
                novel_model::files::JudgeRole::Secondary => violated(verdict(4.9), "high"),
            };
            Reply::Text(verdict.to_string())
        })
    });
    book.write(&script, 1);
    let revise = script.last("revise");
    assert!(
        revise.user.contains("信在退潮之后才投出"),
        "the writer can not know what to repair"
    );
}

#[test]
fn step_3_5_medium_and_low_confidence_do_not_block() {
    for confidence in ["medium", "low"] {
        let book = Book::with_chapters(1);
        let script = judged(&book, vec![violated(verdict(4.5), confidence)]);
        book.write(&script, 1);
        assert_eq!(script.calls().len(), 4, "{confidence}");
    }
}

#[test]
fn step_3_5_a_soft_storyline_rule_does_not_block_and_a_hard_one_does() {
    for (kind, revisions) in [(json!("soft"), 0), (json!("hard"), 1), (Value::Null, 1)] {
        let book = Book::with_chapters(1);
        let mut first = verdict(4.5);
        first["contract_verification"]["ls_checks"] = json!([{
            "rule_id": "LS-001", "status": "violation", "confidence": "high",
            "constraint_type": kind, "detail": "两条线串了",
        }]);
        let script = judged(&book, vec![first, verdict(4.5)]);
        let report = book.write(&script, 1);
        assert_eq!(report.finished[0].revisions, revisions, "{kind}");
    }
}

#[test]
fn step_3_5_after_two_revisions_a_fair_chapter_is_let_through() {
    let book = Book::with_chapters(1);
    let script = judged(&book, vec![verdict(3.2)]);
    let report = book.write(&script, 1);
    assert_eq!(script.count("revise"), 2);
    assert_eq!(script.count("judge"), 3);
    let finished = &report.finished[0];
    assert_eq!((finished.revisions, finished.force_passed), (2, true));
    assert_eq!(finished.gate.unwrap().word(), "pass");
    let record = json!({"decision": "pass", "revisions": 2, "force_passed": true});
    assert_eq!(gate_of(&book), record);
    let log = book.json("logs/chapter-002-log.json");
    assert_eq!(
        json!({"decision": log["gate_decision"], "revisions": log["revisions"],
            "force_passed": log["force_passed"]}),
        record
    );
}

#[test]
fn step_3_5_after_two_revisions_a_violation_still_stops() {
    let book = Book::with_chapters(1);
    let script = judged(&book, vec![violated(verdict(4.8), "high")]);
    let failure = book.run(&script, Goal::Chapters(2)).unwrap_err();
    assert_eq!(code(&failure), "GATE_PAUSED");
    assert_eq!(failure.explain().kind(), Kind::Gate);
    assert_eq!(script.count("revise"), 2);
    assert_eq!(book.checkpoint()["revision_count"], 2);
    assert_eq!(book.checkpoint()["inflight_chapter"], 2);
    assert!(!book.exists("chapters/chapter-002.md"));
    assert!(book.is_free());
}

#[test]
fn step_3_5_a_weak_chapter_waits_for_the_author_with_the_lock_released() {
    for (score, decision) in [
        (2.999, "pause_for_user"),
        (2.0, "pause_for_user"),
        (1.999, "pause_for_user_force_rewrite"),
        (1.0, "pause_for_user_force_rewrite"),
    ] {
        let book = Book::with_chapters(1);
        let script = judged(&book, vec![verdict(score)]);
        let failure = book.run(&script, Goal::Chapters(2)).unwrap_err();
        assert_eq!(code(&failure), "GATE_PAUSED", "{score}");
        assert!(failure.explain().hint().is_some());
        assert_eq!(script.calls().len(), 4);
        assert!(book.is_free());
        assert_eq!(book.stands(), json!(["WRITING", "judged", 2, 0]));
        let staged = book.json("staging/evaluations/chapter-002-eval.json");
        assert_eq!(staged["metadata"]["gate"]["decision"], decision);
        assert_eq!(staged["metadata"]["judges"]["overall_final"], score);
        assert_eq!(staged["metadata"]["judges"]["primary"]["model"], "scripted");
        // Asking again calls nobody.
        let script = Script::plain(&book);
        book.run(&script, Goal::Chapters(1)).unwrap_err();
        assert!(script.calls().is_empty());
    }
}

#[test]
fn step_3_5_what_was_finished_before_a_pause_is_reported_with_it() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.work == "judge" && call.chapter == 2).then(|| Reply::Text(verdict(2.5).to_string()))
    });
    let failure = book.run(&script, Goal::Chapters(3)).unwrap_err();
    let details = failure.explain().details(novel_model::Lang::En);
    assert_eq!(details["finished"][0]["chapter"], 1);
    assert_eq!(details["finished"].as_array().unwrap().len(), 1);
    assert_eq!(details["stop"], "blocked");
}

/// The gate waits at chapter 2.
fn paused() -> Book {
    let book = Book::with_chapters(1);
    let script = judged(&book, vec![verdict(2.5)]);
    book.run(&script, Goal::Chapters(1)).unwrap_err();
    book
}

#[test]
fn step_3_5_the_author_may_accept_a_paused_chapter() {
    let chapter = ChapterNo::new(2).unwrap();
    let book = paused();
    gate::accept(&book.project(), chapter, Some("就要这样".into())).unwrap();
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert!(script.calls().is_empty());
    assert!(book.exists("chapters/chapter-002.md"));
}

#[test]
fn step_3_5_a_rewrite_ordered_by_the_author_is_a_new_text() {
    let chapter = ChapterNo::new(2).unwrap();
    let book = paused();
    gate::rewrite(&book.project(), chapter, None).unwrap();
    let script = Script::plain(&book);
    book.write(&script, 1);
    // The author wants another text, not the answers that led to this one.
    assert_eq!(
        script.done(),
        ["draft 2", "summarize 2", "refine 2", "judge 2"]
    );
}
