//! Answers of `log`, `undo` and `rollback`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Warning, answer::answers};

/// The operations on the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogAnswer {
    /// The newest operations, newest first.
    pub operations: Vec<Operation>,
    /// How many operations there are in all.
    pub total: usize,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Operation {
    /// Its number, from one.
    pub operation: u64,
    /// What was done, such as `commit`.
    pub kind: String,
    /// What it was done to, such as `chapter-048`.
    pub target: String,
    /// When it was done.
    pub at: String,
    /// Whether it was taken back.
    pub undone: bool,
    /// Whether it is still under way; left out when it is done.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
    /// What the author asked for with it; left out when nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// An operation that was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoAnswer {
    /// Number of the operation.
    pub operation: u64,
    /// What had been done, such as `commit`.
    pub kind: String,
    /// What it had been done to, such as `chapter-048`.
    pub target: String,
    /// Files that are as before the operation, relative to the project.
    pub restored: Vec<String>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A book that went back to an earlier chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RollbackAnswer {
    /// The newest chapter now; zero when none is left.
    pub chapter: u32,
    /// How many chapters went to `archive/`.
    pub removed: u32,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

fn is_false(value: &bool) -> bool {
    !value
}

answers!(
    LogAnswer { warnings },
    UndoAnswer { warnings },
    RollbackAnswer { warnings },
);
