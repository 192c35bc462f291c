//! The client against a protocol-true server on a real socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod support;

mod adaptation;
mod answers;
mod connections;
mod failures;
mod limits;
mod secrets;
