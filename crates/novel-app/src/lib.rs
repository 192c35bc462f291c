//! Use cases of `novel`: the only place that joins decisions and files.
//!
//! Every generation entrance goes through [`View::enter`], every write through a transaction.

pub mod care;
mod error;
pub mod executor;
pub mod history;
mod layered;
pub mod library;
mod project;
pub mod revise;
pub mod setup;
mod shadow;
pub mod write;

pub use error::Refusal;
pub use project::{Clock, Project, View, read_checkpoint};
