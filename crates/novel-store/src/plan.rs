//! The plan by which a transaction is applied or redone.

use novel_book::operations::TxnLabel;
use novel_model::{ContentHash, RelPath, layout};
use serde::{Deserialize, Serialize};

/// Format of [`Plan`]. Plans of format 1 give every replaced file a place of its own in `archive/`.
pub(crate) const PLAN_VERSION: u32 = 2;

/// The oldest format that is understood.
pub(crate) const OLDEST_PLAN: u32 = 1;

/// Content a plan expects to find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Old {
    pub(crate) hash: ContentHash,
    pub(crate) len: u64,
}

impl Old {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            hash: ContentHash::of(bytes),
            len: bytes.len() as u64,
        }
    }
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
        /// Where the old content is kept, in a plan of format 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        archive: Option<RelPath>,
    },
    /// The file goes.
    Remove {
        path: RelPath,
        old: Old,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        archive: Option<RelPath>,
    },
    /// The blob's bytes follow the first `old_len` bytes of the file.
    Append {
        path: RelPath,
        blob: RelPath,
        hash: ContentHash,
        old_len: u64,
        /// How many bytes; plans of older versions do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        len: Option<u64>,
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

    /// Whether it adds to a pack, which comes before everything it is needed for.
    pub(crate) fn is_to_archive(&self) -> bool {
        self.path().is_under(&layout::archive_dir())
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
    /// Directory for files that turn out to be edited while the transaction was interrupted.
    pub(crate) archive: RelPath,
    pub(crate) ops: Vec<Op>,
}

/// What a finished transaction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its name.
    pub label: TxnLabel,
    /// Its operation in the log, if it is recorded there and changed something.
    pub operation: Option<u64>,
    /// Where what it replaced is kept, if it replaced anything.
    pub pack: Option<RelPath>,
    /// The files it changed, sorted.
    pub changed: Vec<RelPath>,
}

impl Receipt {
    /// Of a plan that is applied.
    pub(crate) fn of(plan: &Plan) -> Self {
        let (packs, files): (Vec<&Op>, Vec<&Op>) =
            plan.ops.iter().partition(|op| op.is_to_archive());
        let mut changed: Vec<RelPath> = files.iter().map(|op| op.path().clone()).collect();
        changed.sort();
        Self {
            label: plan.label.clone(),
            operation: plan.operation,
            pack: packs.first().map(|op| op.path().clone()),
            changed,
        }
    }
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

/// A copy of a file that takes its place, by the index of its change.
pub(crate) fn copy_path(index: usize) -> RelPath {
    below_journal(&format!("{index:04}.copy"))
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
