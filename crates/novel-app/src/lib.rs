//! Use cases of `novel`: the only place that joins decisions and files.
//!
//! Every generation entrance goes through [`View::enter`], every write through a transaction.

pub mod adopt;
pub mod advance;
pub mod agents;
pub mod analyse;
pub mod author;
pub mod cast;
pub mod chapter;
pub mod check;
pub mod commit;
mod consistency;
pub mod cost;
pub mod demo;
pub mod direction;
pub mod doctor;
mod error;
pub mod executor;
pub mod export;
pub mod history;
pub mod import;
pub mod init;
pub mod instructions;
mod key_chapter;
mod layered;
pub mod lines;
pub mod lint;
pub mod next;
mod project;
mod quickstart;
pub mod rebuild;
pub mod regen;
pub mod report;
pub mod review;
pub mod revision;
mod rewrite;
pub mod run;
pub mod scene;
pub mod search;
mod shadow;
mod staging;
pub mod start;
pub mod status;
pub mod submit;
pub mod validate;
pub mod volume;
pub mod volume_review;
mod volumes;
pub mod workspace;
pub mod world;

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
