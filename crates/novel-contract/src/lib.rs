//! What programs read from `novel`: the answers of `--json`, the events of a run, error codes.
//!
//! A use case fills one of these types; only the front end turns it into JSON. Field names and their
//! order are public: fields are added, never renamed or removed. The JSON Schemas under
//! `schemas/answers/` are generated from these types (`cargo run -p xtask -- schemas`).

mod answer;
pub mod care;
mod codes;
mod envelope;
pub mod forecast;
pub mod history;
pub mod library;
pub mod look;
mod offer;
pub mod problem;
pub mod report;
pub mod revise;
pub mod run;
mod schema;
pub mod setup;
pub mod share;
pub mod shell;
pub mod write;

pub use answer::Answer;
pub use codes::{ERROR_CODES, ErrorCode, exit_code};
pub use envelope::{Details, Done, ErrorAnswer, ErrorSummary, Failed};
pub use offer::{Offer, OfferedAction};
pub use problem::{Problem, Warning, warnings};
pub use schema::{commands, schema_file, schemas};
