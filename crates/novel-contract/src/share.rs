//! The answer of `doctor --share`.

use std::collections::BTreeMap;

use novel_model::{RunId, VolumeNo, files::OrchestratorState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{answer::answers, run::RunState, write::RunStop};

/// What helps somebody else to find a fault: no prose, no names, no keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareAnswer {
    /// Version of the program.
    pub program: String,
    /// System and processor.
    pub system: String,
    /// Where the book stands; null when it cannot be read.
    pub book: Option<SharedBook>,
    /// Code of the error with which the project cannot be opened.
    pub unreadable: Option<String>,
    /// Settings that are not the default; texts are replaced by `(set)`.
    pub settings: BTreeMap<String, Value>,
    /// What is wrong.
    pub findings: Vec<SharedFinding>,
    /// What is no damage, but not as the program left it.
    pub notes: Vec<SharedFinding>,
    /// The newest operations, newest first.
    pub operations: Vec<SharedOperation>,
    /// The newest runs, newest first.
    pub runs: Vec<SharedRun>,
}

/// Where a book stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedBook {
    /// Its language.
    pub language: String,
    /// High-level state.
    pub state: OrchestratorState,
    /// The newest committed chapter.
    pub last_completed_chapter: u32,
    /// The volume being written.
    pub current_volume: VolumeNo,
    /// Words of all chapters.
    pub words: u64,
    /// How many chapters wait for the author.
    pub pending_chapters: usize,
    /// Code of what waits for the author.
    pub waits: Option<String>,
}

/// A damaged or changed place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedFinding {
    /// Code of the problem.
    pub code: String,
    /// The file; words that are not the program's own are `*`.
    pub path: String,
    /// Whether `--fix` repairs it.
    pub repairable: bool,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedOperation {
    /// Its number.
    pub operation: u64,
    /// What it did.
    pub kind: String,
    /// To what; words that are not the program's own are `*`.
    pub target: String,
    /// How many files it changed.
    pub files: usize,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedRun {
    /// Its number.
    pub run: RunId,
    /// How it stands.
    pub state: RunState,
    /// Why it ended.
    pub stop: Option<RunStop>,
    /// How many chapters it committed.
    pub chapters: usize,
    /// How many calls it made.
    pub calls: u32,
}

answers!(ShareAnswer {},);
