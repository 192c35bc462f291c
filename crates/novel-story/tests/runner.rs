//! The tests of the story checks, one binary for all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod check;

#[test]
fn no_test_file_is_forgotten() {
    novel_testkit::modules::assert_all_declared(env!("CARGO_MANIFEST_DIR"), "tests/runner.rs");
}
