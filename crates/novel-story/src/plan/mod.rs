//! From answers to files: world, cast and the plan of a volume, and the checks of a plan.
//!
//! An agent answers once; the program writes the files. Outline and contract of a chapter come from
//! the same entry of the answer, so they cannot disagree. Ids are given here, texts are brought to
//! one line where a line is what they stand on.

mod author;
mod cast;
pub mod check;
mod complete;
mod material;
mod newcomers;
mod outlook;
mod render;
mod retell;
mod span;
mod touched;
mod world;

use std::collections::BTreeMap;

use novel_model::RelPath;

pub use author::OutlineOf;
pub use cast::{cast_files, character_files, check_cast};
pub use complete::{completed, numbered};
pub use material::{check_material, check_trial_lines};
pub use newcomers::{Newcomers, chapters_with, is_unwoven};
pub use outlook::Outlook;
pub use render::{Existing, check_answer, merged, volume_files};
pub use retell::{Heard, Known, Retold, Shown, Written, hear, joined, on_record, state_before};
pub use span::{PlanSpan, TRIAL_CHAPTERS, is_complete};
pub use touched::{Touched, terms, touched};
pub use world::{check_addition, check_world, extended_world, world_files};

/// Files by the path they are meant for.
pub type Files = BTreeMap<RelPath, String>;

/// One line: a text of a model may not make a second one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A Markdown document: ends with one line end.
fn document(text: &str) -> String {
    format!("{}\n", text.replace("\r\n", "\n").trim())
}
