//! The tests of the Studio without a port, one binary for all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod acts;
mod editor;
mod guard;
mod kept;
mod model;
mod outline;
mod pages;
mod support;

#[test]
fn no_test_file_is_forgotten() {
    novel_testkit::modules::assert_all_declared(env!("CARGO_MANIFEST_DIR"), "tests/runner.rs");
}
