//! What a transaction is called, and the plan by which it is applied or redone.

use novel_model::{ChapterNo, ContentHash, RelPath, VolumeNo, layout};
use serde::{Deserialize, Serialize};

/// Format of [`Plan`]; another one is not understood.
pub(crate) const PLAN_VERSION: u32 = 1;

/// What kind of change a transaction makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TxnKind {
    /// A new project.
    Init,
    /// The checkpoint moves.
    Advance,
    /// An answer is put into staging.
    Submit,
    /// An instruction packet is saved.
    Manifest,
    /// The checkpoint is set by hand or by the runner.
    Checkpoint,
    /// An agent's answer is kept.
    Call,
    /// A chapter enters the book.
    Commit {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// An existing novel becomes the book's chapters.
    Import {
        /// Its last chapter.
        last: ChapterNo,
    },
    /// An imported chapter gets its summary and what it did to the story.
    Analyse {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// A volume's plan enters the book.
    CommitVolume {
        /// The volume.
        volume: VolumeNo,
    },
    /// A phase of the set-up, or the review of a volume, enters the book.
    Lifecycle,
    /// A character leaves the active cast.
    Retire,
    /// The book goes back to an earlier chapter.
    Rollback {
        /// The last chapter that stays.
        chapter: ChapterNo,
    },
    /// The text of a chapter in the book changes: a revision, a hand edit, a rebuilt state.
    Rewrite {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// A report on a chapter of the book, or a decision on its revision.
    Review {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// A plan of scenes, or a scene, is put into staging at the author's word.
    Scene {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// Scenes become the draft of a chapter at the author's word.
    Merge {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// The author throws a draft in flight away to have another one.
    Redraft {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// An operation is taken back.
    Undo {
        /// Its number.
        operation: u64,
    },
    /// Files are repaired.
    Doctor,
}

impl TxnKind {
    /// Stable name, as it appears in the operations log and in `archive/`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Advance => "advance",
            Self::Submit => "submit",
            Self::Manifest => "manifest",
            Self::Checkpoint => "checkpoint",
            Self::Call => "call",
            Self::Commit { .. } => "commit",
            Self::Import { .. } => "import",
            Self::Analyse { .. } => "analyse",
            Self::CommitVolume { .. } => "commit-volume",
            Self::Lifecycle => "lifecycle",
            Self::Retire => "retire",
            Self::Rollback { .. } => "rollback",
            Self::Rewrite { .. } => "rewrite",
            Self::Review { .. } => "review",
            Self::Scene { .. } => "scene",
            Self::Merge { .. } => "merge",
            Self::Redraft { .. } => "redraft",
            Self::Undo { .. } => "undo",
            Self::Doctor => "doctor",
        }
    }

    /// Whether it changes the book itself and is numbered in the operations log.
    #[must_use]
    pub fn is_operation(self) -> bool {
        match self {
            Self::Commit { .. }
            | Self::Import { .. }
            | Self::Analyse { .. }
            | Self::CommitVolume { .. }
            | Self::Lifecycle
            | Self::Retire
            | Self::Rollback { .. }
            | Self::Rewrite { .. }
            | Self::Review { .. }
            | Self::Scene { .. }
            | Self::Merge { .. }
            | Self::Redraft { .. }
            | Self::Undo { .. } => true,
            Self::Init
            | Self::Advance
            | Self::Submit
            | Self::Manifest
            | Self::Checkpoint
            | Self::Call
            | Self::Doctor => false,
        }
    }
}

/// Name of a transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxnLabel {
    /// What it does.
    pub kind: TxnKind,
    /// To what: a step id, a chapter, a file.
    pub target: String,
}

impl TxnLabel {
    /// A label.
    pub fn new(kind: TxnKind, target: impl Into<String>) -> Self {
        let target = target.into();
        Self { kind, target }
    }

    /// The label as part of a directory name in `archive/`.
    pub(crate) fn archive_name(&self) -> String {
        format!("{}-{}", self.kind.name(), self.target)
    }
}

/// Content a plan expects to find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Old {
    pub(crate) hash: ContentHash,
    pub(crate) len: u64,
}

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Op {
    /// The blob becomes the file.
    Write {
        path: RelPath,
        blob: RelPath,
        hash: ContentHash,
        old: Option<Old>,
        /// Where the old content is kept.
        archive: Option<RelPath>,
    },
    /// The file goes.
    Remove {
        path: RelPath,
        old: Old,
        archive: Option<RelPath>,
    },
    /// The blob's bytes follow the first `old_len` bytes of the file.
    Append {
        path: RelPath,
        blob: RelPath,
        hash: ContentHash,
        old_len: u64,
    },
}

impl Op {
    pub(crate) fn path(&self) -> &RelPath {
        match self {
            Self::Write { path, .. } | Self::Remove { path, .. } | Self::Append { path, .. } => {
                path
            }
        }
    }

    pub(crate) fn archived_at(&self) -> Option<&RelPath> {
        match self {
            Self::Write { archive, .. } | Self::Remove { archive, .. } => archive.as_ref(),
            Self::Append { .. } => None,
        }
    }
}

/// All changes of one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) version: u32,
    pub(crate) label: TxnLabel,
    /// Number in the operations log.
    pub(crate) operation: Option<u64>,
    /// Directory of everything this transaction replaces.
    pub(crate) archive: RelPath,
    pub(crate) ops: Vec<Op>,
}

/// The sealed plan: its existence is the commit point.
pub(crate) fn sealed_path() -> RelPath {
    below_journal("plan.json")
}

/// The plan before it is sealed.
pub(crate) fn unsealed_path() -> RelPath {
    below_journal("plan.json.tmp")
}

/// A file that is not in its place yet.
pub(crate) fn draft_path() -> RelPath {
    below_journal("file.tmp")
}

/// The new content of the `index`-th change.
pub(crate) fn blob_path(index: usize) -> RelPath {
    below_journal(&format!("{index:04}.blob"))
}

fn below_journal(name: &str) -> RelPath {
    let journal = layout::journal_dir();
    // The names above are plain; the directory itself is the harmless answer otherwise.
    journal.join(name).unwrap_or(journal)
}
