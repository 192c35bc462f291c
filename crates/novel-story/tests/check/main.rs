//! The story checker on whole books: silent on clean ones, exact on planted faults.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod book;
mod clean;
mod english;
mod faults;
mod output;
