//! What the author can do about a gate that stops the book.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing the author can do, in `details.next_actions` of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// What it does.
    pub action: OfferedAction,
    /// The command that does it.
    pub command: String,
}

impl Offer {
    /// The offer of a command, given with `novel`.
    #[must_use]
    pub fn new(action: OfferedAction, command: impl Into<String>) -> Self {
        Self {
            action,
            command: command.into(),
        }
    }
}

/// What an offer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferedAction {
    /// Takes the chapter, or the trial, as it is.
    Accept,
    /// Changes a part of the set-up.
    Adjust,
    /// Puts the proposed revision into the book.
    ApplyRevision,
    /// Approves the plan.
    Approve,
    /// Has a revision proposed.
    GenerateCandidate,
    /// Has the plan made again.
    Redo,
    /// Writes the chapter anew.
    Regen,
    /// Keeps the text and closes the revision.
    Reject,
    /// Shows what the reviewer found.
    Review,
    /// Has the chapter written anew.
    Rewrite,
    /// Goes back to the chapter before.
    Rollback,
    /// Shows the plan.
    Show,
}

impl OfferedAction {
    /// The word in answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Adjust => "adjust",
            Self::ApplyRevision => "apply_revision",
            Self::Approve => "approve",
            Self::GenerateCandidate => "generate_candidate",
            Self::Redo => "redo",
            Self::Regen => "regen",
            Self::Reject => "reject",
            Self::Review => "review",
            Self::Rewrite => "rewrite",
            Self::Rollback => "rollback",
            Self::Show => "show",
        }
    }
}
