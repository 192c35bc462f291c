//! The tests of the use cases, one binary for all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "tests"
)]

mod commands;
mod crash_matrix;
mod llm_executor;
mod long_run;
mod loop_rules;
mod offline_run;
mod operations;

#[test]
fn no_test_file_is_forgotten() {
    novel_testkit::modules::assert_all_declared(env!("CARGO_MANIFEST_DIR"), "tests/runner.rs");
}
