//! Answers of the commands that look at chapters: `chapter list`, `read` and `diff`.

use novel_model::{
    ChapterNo, Slug,
    files::{GateDecision, ScoredBy, Severity},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Warning, answer::answers, write::ShownChapter};

/// How a chapter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChapterState {
    /// In the book.
    Committed,
    /// In the book, and waits for the author.
    Pending,
    /// Being written.
    InFlight,
    /// Planned.
    Planned,
}

/// One chapter of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterRow {
    /// Its number.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// How it stands.
    pub state: ChapterState,
    /// Its length; none before it is in the book.
    pub words: Option<u64>,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// The gate's last word.
    pub gate_decision: Option<GateDecision>,
    /// Revisions it took.
    pub revisions: u32,
    /// Its storyline.
    pub storyline_id: Option<Slug>,
    /// Whether its Markdown was edited by hand and not adopted.
    pub edited: bool,
    /// Whether readers have it.
    #[serde(default)]
    pub published: bool,
    /// Whether the author locked it.
    #[serde(default)]
    pub locked: bool,
}

/// The answer of `chapter list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChaptersAnswer {
    /// The chapters, in order.
    pub chapters: Vec<ChapterRow>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Who flagged something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlaggedBy {
    /// The quality judge.
    Judge,
    /// The story checker or the auditor.
    Consistency,
    /// The logic reviewer.
    LogicReview,
}

/// Something that was flagged in a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flag {
    /// By whom.
    pub by: FlaggedBy,
    /// What is wrong, in words.
    pub what: String,
    /// How bad, where it was said.
    pub severity: Option<Severity>,
    /// A quotation from the chapter.
    pub quotation: Option<String>,
    /// How to repair it.
    pub repair: Option<String>,
}

/// The answer of `read`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadAnswer {
    /// The chapter, as `chapter show` gives it.
    #[serde(flatten)]
    pub chapter: ShownChapter,
    /// What was flagged in it.
    pub flagged: Vec<Flag>,
}

/// What a chapter was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ComparedWith {
    /// The text in the book, with the author's edit of the Markdown.
    Edit,
    /// The text before an operation, with the text now.
    Operation {
        /// The operation.
        operation: u64,
    },
}

/// A piece of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffPiece {
    /// Whether it stayed, went or came.
    pub change: DiffChange,
    /// The text.
    pub text: String,
}

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffChange {
    /// It stayed.
    Same,
    /// It went.
    Removed,
    /// It came.
    Added,
}

/// The answer of `diff`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// With what it was compared.
    pub with: ComparedWith,
    /// The pieces of both texts, in order.
    pub pieces: Vec<DiffPiece>,
}

answers! {
    ChaptersAnswer { warnings },
    ReadAnswer { chapter.warnings },
    DiffAnswer {},
}
