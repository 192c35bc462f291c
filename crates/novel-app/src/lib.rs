//! Use cases of `novel`: the only place that joins decisions and files.
//!
//! Every generation entrance goes through [`View::enter`], every write through a transaction.

pub mod care;
mod error;
pub mod executor;
pub mod history;
pub mod library;
mod project;
pub mod revise;
pub mod setup;
pub mod write;

use novel_model::{Lang, Warning};
use serde_json::Value;

pub use error::Refusal;
pub use project::{Clock, Project, View, read_checkpoint};

fn warnings_json(warnings: &[Warning], lang: Lang) -> Vec<Value> {
    warnings
        .iter()
        .map(|warning| warning.to_json(lang))
        .collect()
}
