//! Test support: a file system that can crash, a machine that obeys, a book in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support fails loudly"
)]

pub mod machine;
pub mod memory;
pub mod simfs;
