//! The offline author on whole books in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod agents;
mod demo;
mod generated;
mod marks;
mod pipeline;
mod planner;
mod repetition;
mod reviewers;
mod validity;
