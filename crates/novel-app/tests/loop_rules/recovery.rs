//! Seed 003, steps 1, 1.5 and 1.6: the checkpoint, recovery, errors.

use std::fs;

use novel_app::{write::advance, write::next, write::submit};
use novel_book::run::{Action, Approval, Begun, Event, Goal, Judging, Run, Stop, Task};
use novel_model::{ChapterStage, Kind, StepId, files::JudgeRole};
use serde_json::json;

use super::{
    book::{Book, Launch, code},
    script::{Reply, Script, covered, verdict},
};

/// A book with one chapter, whose second chapter was interrupted in this work.
fn interrupted(work: &'static str) -> Book {
    let book = Book::with_chapters(1);
    let dying = Script::new(&book, move |call, _| {
        (call.work == work).then_some(Reply::Dies)
    });
    book.dies(&dying, &Launch::default());
    book
}

/// Hands the verdict in by hand and accepts it.
fn judge_by_hand(book: &Book, score: f64) {
    let project = book.project();
    let step = "chapter:002:judge".parse().unwrap();
    let mut verdict = verdict(score);
    verdict["chapter"] = json!(2);
    let reader = book.store.reader().unwrap();
    let answer = covered(&reader, 2, &verdict.to_string());
    let origin = submit::Origin::default();
    submit::submit(&project, step, answer.as_bytes(), &origin).unwrap();
    advance::advance(&project, step).unwrap();
}

#[test]
fn step_1_only_a_book_that_is_being_written_goes_on() {
    for state in ["INIT", "QUICK_START", "VOL_PLANNING", "VOL_REVIEW"] {
        let book = Book::new();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["orchestrator_state"] = json!(state);
        });
        let before = book.checkpoint();
        let script = Script::plain(&book);
        let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
        let why = failure.explain();
        assert_eq!(
            (why.kind(), why.code()),
            (Kind::Gate, "NOT_WRITING"),
            "{state}"
        );
        assert!(why.message().en.contains(state), "{}", why.message());
        assert!(why.hint().is_some());
        assert!(script.calls().is_empty());
        assert_eq!(book.checkpoint(), before);
        assert!(book.is_free());
    }
    let book = Book::new();
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["orchestrator_state"] = json!("CHAPTER_REWRITE");
    });
    book.write(&Script::plain(&book), 1);
}

#[test]
fn step_1_staging_need_not_be_there() {
    let book = Book::with_chapters(1);
    let _ = fs::remove_dir_all(book.root().join("staging"));
    book.write(&Script::plain(&book), 1);
    assert!(book.exists("chapters/chapter-002.md"));
}

#[test]
fn step_1_5_drafting_without_a_text_starts_the_chapter_again() {
    let book = interrupted("draft");
    assert_eq!(book.stands(), json!(["WRITING", "drafting", 2, 0]));
    assert!(!book.exists("staging/chapters/chapter-002.md"));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(
        script.done(),
        ["draft 2", "summarize 2", "refine 2", "judge 2"]
    );
}

#[test]
fn step_1_5_drafting_with_a_text_goes_on_with_the_summary() {
    let book = interrupted("summarize");
    assert_eq!(book.stands(), json!(["WRITING", "drafting", 2, 0]));
    assert!(book.exists("staging/chapters/chapter-002.md"));
    assert!(!book.exists("staging/summaries/chapter-002-summary.md"));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["summarize 2", "refine 2", "judge 2"]);
}

#[test]
fn step_1_5_drafted_goes_on_with_the_refinement() {
    let book = interrupted("refine");
    assert_eq!(book.stands(), json!(["WRITING", "drafted", 2, 0]));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["refine 2", "judge 2"]);
}

#[test]
fn step_1_5_refined_goes_on_with_the_judge() {
    let book = interrupted("judge");
    assert_eq!(book.stands(), json!(["WRITING", "refined", 2, 0]));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["judge 2"]);
}

#[test]
fn step_1_5_judged_is_committed_without_a_call() {
    let book = interrupted("judge");
    judge_by_hand(&book, 4.2);
    assert_eq!(book.stands(), json!(["WRITING", "judged", 2, 0]));
    let script = Script::plain(&book);
    let report = book.write(&script, 1);
    assert!(script.calls().is_empty());
    assert_eq!(report.finished[0].chapter.get(), 2);
    assert_eq!(report.finished[0].overall, Some(4.2));
}

#[test]
fn step_1_5_judged_and_failed_is_not_committed() {
    let book = interrupted("judge");
    judge_by_hand(&book, 3.2);
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done()[0], "revise 2");
}

#[test]
fn step_1_5_revising_starts_the_writer_again_and_keeps_the_count() {
    let book = Book::with_chapters(1);
    let dying = Script::new(&book, |call, _| match call.work.as_str() {
        "judge" => Some(Reply::Text(verdict(3.2).to_string())),
        "revise" => Some(Reply::Dies),
        _ => None,
    });
    book.dies(&dying, &Launch::default());
    assert_eq!(book.stands(), json!(["CHAPTER_REWRITE", "revising", 2, 1]));
    let script = Script::plain(&book);
    let report = book.write(&script, 1);
    assert_eq!(
        script.done(),
        ["revise 2", "summarize 2", "refine 2", "judge 2"]
    );
    assert_eq!(report.finished[0].revisions, 1);
}

#[test]
fn step_1_5_an_interrupted_polish_is_polished_and_not_drafted() {
    let book = Book::with_chapters(1);
    let dying = Script::new(&book, |call, _| match call.work.as_str() {
        "judge" => Some(Reply::Text(verdict(3.7).to_string())),
        "polish" => Some(Reply::Dies),
        _ => None,
    });
    book.dies(&dying, &Launch::default());
    assert_eq!(book.stands(), json!(["WRITING", "revising", 2, 0]));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["polish 2"]);
}

#[test]
fn step_1_5_the_recovered_chapter_counts_among_the_chapters_asked_for() {
    let book = interrupted("refine");
    let script = Script::plain(&book);
    let report = book.write(&script, 2);
    let written: Vec<u32> = report.finished.iter().map(|c| c.chapter.get()).collect();
    assert_eq!(written, [2, 3]);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 3);
    assert!(!script.done().contains(&"draft 4".to_owned()));
}

#[test]
fn step_1_6_a_failed_step_is_tried_once_more() {
    for work in ["draft", "summarize", "refine", "judge"] {
        let book = Book::with_chapters(1);
        let script = Script::new(&book, move |call, _| {
            (call.work == work && call.nth == 1).then_some(Reply::Fails)
        });
        book.write(&script, 1);
        assert_eq!(script.count(work), 2, "{work}");
        assert_eq!(script.calls().len(), 5, "{work}");
        // The book does not move on before the commit.
        assert!(
            script
                .calls()
                .iter()
                .all(|call| call.checkpoint["last_completed_chapter"] == 1)
        );
        assert_eq!(book.stands(), json!(["WRITING", "committed", null, 0]));
    }
}

#[test]
fn step_1_6_a_second_failure_is_recorded_and_keeps_the_stage() {
    for (work, stage) in [
        ("draft", "drafting"),
        ("summarize", "drafting"),
        ("refine", "drafted"),
        ("judge", "refined"),
    ] {
        let book = Book::with_chapters(1);
        let script = Script::new(&book, move |call, _| {
            (call.work == work).then_some(Reply::Fails)
        });
        let failure = book.run(&script, Goal::Chapters(2)).unwrap_err();
        assert_eq!(code(&failure), "EMPTY_ANSWER");
        assert!(failure.explain().hint().unwrap().en.contains("--retry"));
        assert_eq!(script.count(work), 2, "{work}");
        assert_eq!(book.stands(), json!(["ERROR_RETRY", stage, 2, 0]), "{work}");
        assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
        assert!(book.is_free(), "{work}");
    }
}

#[test]
fn step_1_6_going_on_must_be_asked_for_and_takes_the_chapter_up_where_it_was() {
    let book = Book::with_chapters(1);
    let broken = Script::new(&book, |call, _| {
        (call.work == "refine").then_some(Reply::Fails)
    });
    book.run(&broken, Goal::Chapters(1)).unwrap_err();

    let script = Script::plain(&book);
    let refused = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(refused.explain().kind(), Kind::Gate);
    assert!(refused.explain().hint().unwrap().en.contains("--retry"));
    assert!(script.calls().is_empty());
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafted", 2, 0]));

    book.retry(&script, 1).unwrap();
    assert_eq!(script.done(), ["refine 2", "judge 2"]);
    assert_eq!(book.stands(), json!(["WRITING", "committed", null, 0]));
}

#[test]
fn step_1_6_an_error_in_a_revision_keeps_the_count_through_the_retry() {
    let book = Book::with_chapters(1);
    let broken = Script::new(&book, |call, _| match call.work.as_str() {
        "judge" => Some(Reply::Text(verdict(3.2).to_string())),
        "revise" => Some(Reply::Fails),
        _ => None,
    });
    book.run(&broken, Goal::Chapters(1)).unwrap_err();
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "revising", 2, 1]));
    let script = Script::scoring(&book, &[3.2, 4.5]);
    let report = book.retry(&script, 1).unwrap();
    assert_eq!(script.count("revise"), 2);
    assert_eq!(report.finished[0].revisions, 2);
}

#[test]
fn step_1_6_one_failing_judge_of_two_is_asked_again_and_the_other_is_not() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.judge == JudgeRole::Secondary && call.nth == 1).then_some(Reply::Fails)
    });
    book.write(&script, 1);
    let judged: Vec<JudgeRole> = script
        .calls()
        .iter()
        .filter(|call| call.work == "judge")
        .map(|call| call.judge)
        .collect();
    assert_eq!(judged.len(), 3);
    let second = |role: &&JudgeRole| **role == JudgeRole::Secondary;
    assert_eq!(judged.iter().filter(second).count(), 2);
}

/// Any stage: a write that fails while answers are kept or accepted is tried once more too.
#[test]
fn step_1_6_a_write_that_fails_is_tried_once_more_at_every_stage() {
    let chapter = novel_model::ChapterNo::new(2).unwrap();
    let task = |stage| Task {
        step: StepId::Chapter(chapter, stage),
        round: novel_book::next::Round::First,
        part: novel_book::scenes::Part::Whole,
        judges: Judging::One,
        begun: Begun::Yes,
    };
    let looking = |stage| {
        let (run, _) = Run::new(Goal::Chapters(1), Approval::Author).decide(Event::Begin);
        run.decide(Event::Looked(task(stage))).0
    };

    let (run, again) = looking(ChapterStage::Commit).decide(Event::WriteFailed);
    assert_eq!(again, [Action::Commit(chapter)]);
    let (run, given_up) = run.decide(Event::WriteFailed);
    assert_eq!(given_up, [Action::GiveUp]);
    assert_eq!(
        run.decide(Event::RoundBegun).1,
        [Action::Stop(Stop::Failed)]
    );

    // What is decided is neither tried again nor given up: the next writer finishes it.
    for stage in [ChapterStage::Commit, ChapterStage::Draft] {
        let (_, stopped) = looking(stage).decide(Event::Unfinished);
        assert_eq!(stopped, [Action::Stop(Stop::Failed)]);
    }

    let answered = Event::Answered(JudgeRole::Primary);
    let (accepting, accept) = looking(ChapterStage::Draft).decide(answered);
    assert_eq!(accept, [Action::Accept(task(ChapterStage::Draft))]);
    let (_, again) = accepting.decide(Event::WriteFailed);
    assert_ne!(again, [Action::GiveUp], "accepting was tried once only");

    let (_, again) = looking(ChapterStage::Draft).decide(Event::WriteFailed);
    assert_ne!(
        again,
        [Action::GiveUp],
        "keeping an answer was tried once only"
    );
}

#[test]
fn step_2_a_missing_contract_stops_at_once_without_a_call_and_without_error_retry() {
    let book = Book::with_chapters(1);
    fs::remove_file(
        book.root()
            .join("volumes/vol-01/chapter-contracts/chapter-002.json"),
    )
    .unwrap();
    let script = Script::plain(&book);
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert!(failure.explain().hint().is_some());
    assert!(script.calls().is_empty());
    assert_eq!(book.checkpoint()["orchestrator_state"], "WRITING");
    assert!(book.is_free());
}

#[test]
fn a_recovered_book_asks_for_the_next_chapter() {
    let book = interrupted("judge");
    book.write(&Script::plain(&book), 1);
    let next = next::next_step(&book.project()).unwrap().next;
    assert_eq!(next.step.to_string(), "chapter:003:draft");
}
