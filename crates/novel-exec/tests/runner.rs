//! The tests of programs and their sandbox, one binary for all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod child;
mod sandbox;

#[test]
fn no_test_file_is_forgotten() {
    novel_testkit::modules::assert_all_declared(env!("CARGO_MANIFEST_DIR"), "tests/runner.rs");
}
