//! The surface of the command line: envelope, exit codes, languages, streams, help.

mod envelope;
mod failures;
mod help;
mod streams;

use novel_testkit::TestBook;
use serde_json::Value;

/// A new Chinese book.
fn with_book() -> TestBook {
    let book = TestBook::nowhere();
    let _ = book.novel(&["init", "book", "--title", "雾城"]).success();
    book
}

/// Exit code and answer of a command with `--json`.
fn asked(book: &TestBook, arguments: &[&str]) -> (i32, Value) {
    let output = book.novel(&[arguments, &["--json"]].concat());
    (output.code, output.json())
}
