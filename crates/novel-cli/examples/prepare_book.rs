//! Makes a book in a directory and drives it to a given point, through a given binary.
//!
//! `prepare_book HOME POINT` with `NOVEL_BIN` set; the project is `HOME/book`. Points:
//! `judged` (chapter 2 waits for its commit), `drafted` (the draft of chapter 2 waits to be
//! accepted), `refined` (chapter 2 waits for its judge).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool of the tests"
)]

use std::path::PathBuf;

use novel_testkit::{Manner, Plan, TestBook, pretty};

fn main() {
    let mut args = std::env::args_os().skip(1);
    let home = PathBuf::from(args.next().expect("HOME"));
    let point = args.next().expect("POINT").into_string().unwrap();
    std::fs::create_dir_all(&home).unwrap();
    let book = TestBook::planned_at(home.canonicalize().unwrap(), Plan::new(3));
    let driver = book.driver();
    driver.write(1);
    match point.as_str() {
        "judged" => driver.up_to_judged(2),
        "refined" => {
            driver.up_to_refined(2);
            let verdict = pretty(&book.plan().verdict(2, 4.2));
            std::fs::write(book.outside().join("verdict.json"), verdict).unwrap();
        }
        "drafted" => {
            let draft = book.plan().draft(2, Manner::Usual);
            book.feed(&["submit", "chapter:002:draft", "-"], draft)
                .data();
        }
        other => panic!("no point `{other}`"),
    }
}
