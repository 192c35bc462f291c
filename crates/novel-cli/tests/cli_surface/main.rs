//! The surface of the command line: envelope, exit codes, languages, streams, help.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod envelope;
mod failures;
mod help;
mod sandbox;
mod streams;
