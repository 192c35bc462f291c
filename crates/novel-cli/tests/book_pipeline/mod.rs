//! The chapter pipeline, scenario by scenario: seeds 002 and 004, and page 02 of the specification.

mod gate;
mod seeds;
mod states;

use novel_testkit::{Plan, TestBook};
use serde_json::Value;

fn ordinary() -> TestBook {
    // Chapter 2 of 3 is no key chapter, and chapter 1 is written when a test needs it.
    TestBook::planned(Plan::new(3))
}

/// A book whose chapter 2, which has one judge, is the next one.
fn at_chapter_two() -> TestBook {
    let book = ordinary();
    book.driver().write(1);
    book
}

/// Judges chapter 2 and gives what `advance` said.
fn judged_with(book: &TestBook, verdict: &Value) -> Value {
    book.driver().up_to_refined(2);
    book.driver().judge(2, verdict)
}

/// One more round after a verdict of "revise".
fn revise(book: &TestBook, round: u32, verdict: &Value) -> Value {
    let driver = book.driver();
    let packet = driver.packet(2, "draft");
    assert_eq!(packet["agent"]["mode"], "revise");
    driver.hand_in(2, "draft", book.plan().revised(2, round));
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["revision_count"], round);
    assert_eq!(checkpoint["orchestrator_state"], "CHAPTER_REWRITE");
    for gone in [
        "staging/summaries/chapter-002-summary.md",
        "staging/state/chapter-002-delta.json",
        "staging/state/chapter-002-crossref.json",
        "staging/storylines/main-arc/memory.md",
        "staging/evaluations/chapter-002-eval.json",
    ] {
        assert!(!book.has(gone), "{gone} describes an older text");
    }
    driver.summarize(2);
    driver.packet(2, "refine");
    driver.hand_in(2, "refine", book.plan().revised(2, round));
    driver.judge(2, verdict)
}
