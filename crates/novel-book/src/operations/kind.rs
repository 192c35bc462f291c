//! What a transaction does, and to what.

use novel_model::{ChapterNo, StepId, VolumeNo, VolumeStage};
use serde::{Deserialize, Serialize};

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
    /// Bookkeeping of agent calls: the audit log, staging as it was before a program failed.
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
    /// A volume is planned: every part of its plan and the people it brings.
    Plan {
        /// The volume.
        volume: VolumeNo,
    },
    /// A volume's plan enters the book.
    CommitVolume {
        /// The volume.
        volume: VolumeNo,
    },
    /// A phase of the set-up, or the review of a volume, enters the book.
    Lifecycle,
    /// A step of the set-up or of planning is to be done again.
    Again {
        /// The step.
        step: StepId,
    },
    /// A character leaves the active cast.
    Retire,
    /// The book goes back to an earlier chapter.
    Rollback {
        /// The last chapter that stays; zero is before the first.
        #[serde(alias = "chapter")]
        last: u32,
    },
    /// A chapter of the book is taken out and written anew.
    Regen {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// A chapter of the book is written anew in its place; later ones stay.
    InPlace {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// The text of a chapter in the book changes: a revision, a hand edit, a rebuilt state.
    Rewrite {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// The Markdown of a chapter in the book is edited by the author; its text follows by adoption.
    Edit {
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
    /// The author accepts a text at which the gate waits.
    Gate {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// An operation is taken back.
    Undo {
        /// Its number.
        operation: u64,
    },
    /// An operation that was taken back is brought back.
    Redo {
        /// Its number.
        operation: u64,
    },
    /// The author changes a setting in `novel.toml`.
    Config,
    /// Files are repaired.
    Doctor,
}

impl TxnKind {
    /// Stable name, as it appears in answers and in directories of `archive/`.
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
            Self::Plan { .. } => "plan",
            Self::CommitVolume { .. } => "commit-volume",
            Self::Lifecycle | Self::Again { .. } => "lifecycle",
            Self::Retire => "retire",
            Self::Rollback { .. } => "rollback",
            Self::Regen { .. } => "regen",
            Self::InPlace { .. } => "in-place",
            Self::Rewrite { .. } => "rewrite",
            Self::Edit { .. } => "edit",
            Self::Review { .. } => "review",
            Self::Scene { .. } => "scene",
            Self::Merge { .. } => "merge",
            Self::Redraft { .. } => "redraft",
            Self::Gate { .. } => "gate",
            Self::Undo { .. } => "undo",
            Self::Redo { .. } => "redo",
            Self::Config => "config",
            Self::Doctor => "doctor",
        }
    }

    /// Whether it is recorded in the operations log.
    #[must_use]
    pub fn is_recorded(self) -> bool {
        self != Self::Call
    }

    /// Whether a transaction of kind `step` is the last one of an operation of this kind.
    #[must_use]
    pub fn ends_with(self, step: Self) -> bool {
        match (self, step) {
            (
                Self::Regen { chapter } | Self::Redraft { chapter },
                Self::Commit { chapter: other },
            )
            | (Self::InPlace { chapter }, Self::Rewrite { chapter: other }) => chapter == other,
            (Self::Again { step: again }, Self::Plan { volume }) => {
                again == StepId::Volume(volume, VolumeStage::Plan)
            }
            _ => self == step,
        }
    }

    /// Whether it writes a chapter, or scenes of one, that is not in the book yet.
    #[must_use]
    pub fn writes_a_chapter(self) -> bool {
        matches!(
            self,
            Self::Commit { .. }
                | Self::Regen { .. }
                | Self::InPlace { .. }
                | Self::Redraft { .. }
                | Self::Scene { .. }
        )
    }

    /// The kind that an older version wrote as a name and a target.
    pub(super) fn of_older(name: &str, target: &str) -> Option<Self> {
        let chapter = || {
            let digits = target.strip_prefix("chapter-")?.split('-').next()?;
            digits.parse::<ChapterNo>().ok()
        };
        // The style of an imported book, and its whole state, were recorded without a chapter.
        let chapter_or_first = || chapter().or_else(|| Some(ChapterNo::first()));
        Some(match name {
            "commit" => Self::Commit {
                chapter: chapter()?,
            },
            "import" => Self::Import { last: chapter()? },
            "analyse" => Self::Analyse {
                chapter: chapter_or_first()?,
            },
            "commit-volume" => Self::CommitVolume {
                volume: target.strip_prefix("vol-")?.parse().ok()?,
            },
            "lifecycle" => Self::Lifecycle,
            "retire" => Self::Retire,
            "rollback" => Self::Rollback {
                last: target.strip_prefix("to-")?.parse().ok()?,
            },
            "rewrite" => Self::Rewrite {
                chapter: chapter_or_first()?,
            },
            "review" => Self::Review {
                chapter: chapter()?,
            },
            "scene" => Self::Scene {
                chapter: chapter()?,
            },
            "merge" => Self::Merge {
                chapter: chapter()?,
            },
            "redraft" => Self::Redraft {
                chapter: chapter()?,
            },
            "undo" => Self::Undo {
                operation: target.strip_prefix("operation-")?.parse().ok()?,
            },
            _ => return None,
        })
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
    #[must_use]
    pub fn archive_name(&self) -> String {
        format!("{}-{}", self.kind.name(), self.target)
    }
}
