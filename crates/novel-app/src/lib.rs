//! Use cases of `novel`: the only place that joins decisions and files.
//!
//! A front end uses this crate, `novel-contract` and the plain types of `novel-model`; types of lower crates that
//! use cases take or return are exported beside them.
//!
//! Every generation entrance goes through [`Book::check_not_blocked`], every write through a transaction.

pub mod care;
mod error;
pub mod executor;
pub mod history;
pub mod judge;
pub mod library;
mod project;
pub mod revise;
pub mod runner;
pub mod setup;
pub mod waits;
mod work;
pub mod write;

pub use error::BookError;
pub use novel_book::config::{Origin as SettingOrigin, Setting};
pub use novel_steps::{Book, Refusal, StepError, read_checkpoint};
pub use novel_store::{Stamp, Store, StoreError, Watched, Writer, find_project, is_project};
pub use project::{Clock, OpenError, Project, Walls};
