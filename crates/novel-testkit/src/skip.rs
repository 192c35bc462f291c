//! Tests that need something the machine may lack.

use std::{io::Write, thread};

/// Reports that the current test is left out because `what` is missing.
///
/// The line reaches standard error past the capture of the test runner. Where `NOVEL_NO_SKIP` is
/// set, as in CI, the test fails instead.
///
/// # Panics
/// With `NOVEL_NO_SKIP`.
#[track_caller]
pub fn skip(what: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    assert!(
        std::env::var_os("NOVEL_NO_SKIP").is_none_or(|value| value.is_empty()),
        "{test} must not be skipped here; it needs {what}"
    );
    // Nobody may be reading.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: it needs {what}");
}
