//! A long book by the offline author: nothing to find, then a fault in each copy, which is found and goes
//! away when its repair is applied as it says.
//!
//! `NOVEL_LONG_BOOK=300 cargo nextest run -p novel-cli long_book --no-capture` prints the counts of
//! docs/story-checks.md; without the variable the books are short and some faults are tried.

#![expect(clippy::print_stdout, reason = "prints figures")]

mod edits;
mod faults;
mod repair;

use std::collections::BTreeMap;

use novel_testkit::TestBook;
use serde_json::Value;

use edits::{Edit, Fault, Tongue};

/// Chapters of a book that takes seconds.
const SHORT: u32 = 40;

/// How long the books are, and every how many faults one is tried.
fn extent() -> (u32, usize) {
    match std::env::var("NOVEL_LONG_BOOK") {
        Ok(chapters) => (chapters.parse().unwrap(), 1),
        Err(_) => (SHORT, 5),
    }
}

/// A book by the offline author.
fn written(tongue: Tongue, chapters: u32) -> TestBook {
    let (genre, language) = match tongue {
        Tongue::Zh => ("玄幻", "zh-CN"),
        Tongue::En => ("fantasy", "en"),
    };
    TestBook::once(&format!("long {language} {chapters}"), || {
        let book = TestBook::nowhere();
        let args = ["init", "book", "--genre", genre, "--language", language];
        book.ask(&[&args[..], &["--yes"]].concat()).data();
        book.ask(&["run", "--to", &chapters.to_string(), "--yes"])
            .data();
        book
    })
}

/// Everything `novel check` finds in a part of a book.
fn check(book: &TestBook, chapters: &str) -> Vec<Value> {
    let mut data = book.ask(&["check", chapters]).data();
    let findings = data["findings"].take();
    findings.as_array().unwrap().clone()
}

/// The chapters around a fault: what a repair may stir up is near.
fn around(fault: &Fault, last: u32) -> String {
    const NEAR: u32 = 12;
    let touched = fault.edits.iter().filter_map(Edit::chapter);
    let first = touched.chain([fault.chapter]).min().unwrap_or(1);
    let (first, end) = (
        first.saturating_sub(1).max(1),
        (fault.chapter + NEAR).min(last),
    );
    format!("{first}..{end}")
}

/// What became of the faults of a kind.
#[derive(Default)]
struct Count {
    planted: usize,
    found: usize,
    repaired: usize,
}

fn try_book(tongue: Tongue) {
    let (chapters, every) = extent();
    let book = written(tongue, chapters);
    let clean = check(&book, "all");
    assert!(clean.is_empty(), "{clean:#?}");
    println!("{tongue:?}: {chapters} chapters, no finding");

    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut failed = Vec::new();
    for fault in faults::all(&book, tongue, chapters).iter().step_by(every) {
        let copy = book.copy();
        for edit in &fault.edits {
            edit.make(&copy);
        }
        let (code, range) = (fault.code, around(fault, chapters));
        let findings = check(&copy, &range);
        let count = counts.entry(code).or_default();
        count.planted += 1;
        let is_it =
            |finding: &&Value| finding["code"] == code && finding["chapter"] == fault.chapter;
        if !findings.iter().any(|finding| is_it(&finding)) {
            failed.push(format!("not found: {fault:?}: {findings:#?}"));
            continue;
        }
        count.found += 1;
        for finding in &findings {
            repair::apply(&copy, finding);
        }
        let left = check(&copy, &range);
        if left.is_empty() {
            count.repaired += 1;
        } else {
            failed.push(format!("not repaired: {fault:?}: {left:#?}"));
        }
    }
    let sum = |part: fn(&Count) -> usize| -> usize { counts.values().map(part).sum() };
    for (code, count) in &counts {
        let (planted, found, repaired) = (count.planted, count.found, count.repaired);
        println!("  {code:36} planted {planted}, found {found}, repaired {repaired}");
    }
    let (planted, found) = (sum(|count| count.planted), sum(|count| count.found));
    let repaired = sum(|count| count.repaired);
    println!("{tongue:?}: planted {planted}, found {found}, repaired {repaired}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn faults_in_a_long_chinese_book_are_found_and_their_repairs_work() {
    try_book(Tongue::Zh);
}

#[test]
fn faults_in_a_long_english_book_are_found_and_their_repairs_work() {
    try_book(Tongue::En);
}
