//! Use cases of `novel`: the only place that joins decisions and files.
//!
//! Every generation entrance goes through [`Book::check_not_blocked`], every write through a transaction.

pub mod care;
pub mod executor;
pub mod history;
pub mod library;
mod project;
pub mod revise;
pub mod setup;
pub mod write;

pub use novel_steps::{Book, Refusal, read_checkpoint};
pub use project::{Clock, Project};
