//! Answers of `review`, `revision`, `regen`, `adopt`, `state rebuild` and `memory rebuild`.

use novel_model::{
    ChapterNo, ContentHash,
    files::{
        ConsistencyReport, ForwardRepair, LogicReview, RevisionState, RevisionStatus,
        RevisionTrigger,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Warning, answer::answers};

/// Reviews of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Hash of its text.
    pub chapter_hash: ContentHash,
    /// The logic review.
    pub logic_review: Option<LogicReview>,
    /// Whether the logic review is about this text.
    pub logic_review_is_current: Option<bool>,
    /// The consistency report.
    pub consistency: Option<ConsistencyReport>,
    /// The revision.
    pub revision: Option<RevisionStatus>,
    /// Whether the chapter waits for the author.
    pub pending: bool,
    /// Why the book cannot go on, in words.
    pub blocks: Option<String>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A revision of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Where the revision stands.
    pub status: RevisionState,
    /// The revision.
    pub revision: RevisionStatus,
    /// The file of the revision, relative to the project.
    pub revision_status_file: String,
    /// Hash of the chapter's text.
    pub chapter_hash: ContentHash,
    /// Whether the text changed after the revision was made.
    pub stale: bool,
    /// Words of the chapter.
    pub words: u64,
    /// Later chapters that were written on the old text.
    pub later_chapters: Vec<u32>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// The revisions of the book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionsAnswer {
    /// The revisions, by chapter.
    pub revisions: Vec<RevisionRow>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A revision in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionRow {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Where it stands.
    pub status: RevisionState,
    /// What asked for it.
    pub triggered_by: Option<RevisionTrigger>,
    /// How many issues it is about.
    pub issues: usize,
    /// Whether there is a text to apply.
    pub has_candidate: bool,
    /// When it was asked for.
    pub created_at: Option<String>,
    /// When the author decided.
    pub decision_at: Option<String>,
    /// The file of the revision, relative to the project.
    pub revision_status_file: String,
}

/// An edit of the author that is in the book now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdoptAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its words before.
    pub words_before: u64,
    /// Its words now.
    pub words: u64,
    /// Later chapters that were written on the old text.
    pub later_chapters: Vec<u32>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Which chapters are published or locked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MarksAnswer {
    /// The last chapter that is published; zero when none is.
    pub published_to: u32,
    /// Chapters that are locked.
    pub locked: Vec<ChapterNo>,
    /// What is wrong with such chapters and must be explained later.
    pub forward_repairs: Vec<ForwardRepair>,
    /// Whether anything changed.
    pub changed: bool,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// State or memory that was made again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RebuildAnswer {
    /// Chapters that were summarised again.
    pub chapters: Vec<u32>,
    /// Whether a file was not what the changelog says.
    pub restored: bool,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Answer of `chapter save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SaveAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The hash of its Markdown now; the next save begins with it.
    pub hash: ContentHash,
    /// Whether the file had this text already.
    pub unchanged: bool,
    /// What the author should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

answers!(
    ReviewAnswer { warnings },
    RevisionAnswer { warnings },
    RevisionsAnswer { warnings },
    AdoptAnswer { warnings },
    MarksAnswer { warnings },
    RebuildAnswer { warnings },
    SaveAnswer { warnings },
);
