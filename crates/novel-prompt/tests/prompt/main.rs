//! Prompts of the built-in executor: order, size, wrappers, templates.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod book;
mod injection;
mod order;
mod review;
mod size;
mod templates;
