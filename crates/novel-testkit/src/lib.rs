//! Test support, one house for every crate.
//!
//! - [`TestBook`] runs the real binary in a sealed box and reads and changes the book in it;
//!   [`Output`] is what the binary said, [`Terminal`] what a person saw.
//! - [`Plan`] is a book planned by a rule; a [`Driver`] writes it step by step, a [`ScriptedModel`]
//!   answers for its agents over a socket.
//! - [`simfs`], [`machine`], [`crash`] and [`faults`] stop a write anywhere or let it fail; [`memory`] is a book without a disk.
//! - [`story`] holds the cases of the story checker.
//! - [`modules`] keeps the list of test modules complete; [`skip()`] is the only way to leave a test out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test support fails loudly and prints its counts"
)]

pub mod book;
pub mod crash;
pub mod driver;
pub mod faults;
pub mod faulty;
pub mod ledger;
pub mod machine;
pub mod memory;
pub mod model;
pub mod modules;
pub mod output;
pub mod plan;
pub mod replay;
pub mod sanguo;
pub mod simfs;
pub mod skip;
pub mod story;
pub mod terminal;
pub mod tree;
pub mod volume;

pub use book::{KEY, Running, TestBook, binary};
pub use driver::Driver;
pub use model::{Answers, Asked, ScriptedModel};
pub use output::Output;
pub use plan::{Manner, Plan, pretty};
pub use skip::skip;
pub use terminal::Terminal;
pub use tree::{Node, Tree, assert_same_tree, differences, tree};
