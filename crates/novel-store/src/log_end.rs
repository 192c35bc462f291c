//! What a writer knows of the end of the operations log, so that it need not be read each time.
//!
//! Nobody else adds to the log while the lock is held; after a transaction that failed, the end is
//! read anew.

use std::collections::BTreeMap;

use novel_book::operations::{
    FileChange, Kept, Line, OperationLog, OperationState, TxnKind, TxnLabel,
};
use novel_model::{RelPath, layout};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    error::StoreError,
    fs::FileSystem,
    journal,
    pack::{self, Version},
    reader::last_line,
};

/// Bytes at the end of the log that are searched for kept versions.
const SEARCHED: u64 = 256 * 1024;

/// Bytes of kept versions that are held in memory.
const MAX_HELD: usize = 16 * 1024 * 1024;

/// An operation that is made step by step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnderWay {
    pub(crate) operation: u64,
    pub(crate) label: TxnLabel,
    /// The files of its chapter in staging, for its first line; `None` once that is written.
    pub(crate) staged: Option<Vec<RelPath>>,
}

/// The end of the log.
#[derive(Debug, Default)]
pub(crate) struct LogEnd {
    /// Number of the last operation.
    pub(crate) last: u64,
    /// The last operation, if more lines of it may follow.
    pub(crate) open: Option<TxnLabel>,
    /// The last operation, unless it is an undo or a redo.
    plain: bool,
    /// Where the newest kept version of a file is.
    newest: BTreeMap<RelPath, Kept>,
    /// Some of those versions.
    held: BTreeMap<RelPath, Version>,
}

/// What is needed of the last line, whatever else it holds.
#[derive(Deserialize)]
struct LastLine {
    operation: u64,
    #[serde(default)]
    kind: Value,
    #[serde(default)]
    target: String,
    #[serde(default)]
    state: OperationState,
}

impl LogEnd {
    pub(crate) fn read(fs: &dyn FileSystem) -> Result<Self, StoreError> {
        let path = layout::operations();
        let Some(line) = last_line(fs, &path)? else {
            return Ok(Self::default());
        };
        let damaged = |error: serde_json::Error| StoreError::OperationsDamaged {
            reason: error.to_string(),
        };
        let line: LastLine = serde_json::from_slice(&line).map_err(damaged)?;
        let kind: Option<TxnKind> = serde_json::from_value(line.kind).ok();
        Ok(Self {
            last: line.operation,
            open: kind
                .filter(|_| line.state == OperationState::Open)
                .map(|kind| TxnLabel::new(kind, line.target)),
            plain: kind
                .is_some_and(|kind| !matches!(kind, TxnKind::Undo { .. } | TxnKind::Redo { .. })),
            newest: newest_versions(fs)?,
            held: BTreeMap::new(),
        })
    }

    /// The number of an operation of this kind and target: of the one under way, or a new one.
    pub(crate) fn number_of(&self, label: &TxnLabel) -> u64 {
        if self.open.as_ref() == Some(label) {
            self.last
        } else {
            self.last + 1
        }
    }

    /// Whether a line of the operation is there already.
    pub(crate) fn has_begun(&self, operation: u64) -> bool {
        operation == self.last
    }

    /// The newest standing operation.
    pub(crate) fn parent(&self, fs: &dyn FileSystem) -> Result<Option<u64>, StoreError> {
        if self.last == 0 || self.plain {
            return Ok(Some(self.last).filter(|last| *last > 0));
        }
        let bytes = journal::read_if_there(fs, &layout::operations())?.unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        let log: OperationLog = lines.filter_map(|line| Line::parse(line).ok()).collect();
        Ok(log.newest_standing().map(|newest| newest.operation))
    }

    /// The version of a file that the next one builds on; `None` where it is to be kept whole.
    pub(crate) fn base(&mut self, fs: &dyn FileSystem, path: &RelPath) -> Option<(Kept, &Version)> {
        let at = *self.newest.get(path)?;
        if !self.held.contains_key(path) {
            // A damaged version is no reason to refuse a new one.
            let version = pack::read(fs, at).ok()?;
            self.held.insert(path.clone(), version);
        }
        let version = self.held.get(path)?;
        (version.links + 1 < pack::MAX_LINKS).then_some((at, version))
    }

    /// A version was kept.
    pub(crate) fn note_kept(&mut self, path: &RelPath, at: Kept, version: Version) {
        let held: usize = self.held.values().map(|held| held.bytes.len()).sum();
        if held + version.bytes.len() > MAX_HELD {
            self.held.clear();
        }
        self.newest.insert(path.clone(), at);
        self.held.insert(path.clone(), version);
    }

    /// A line was added.
    pub(crate) fn note_line(&mut self, line: &Line) {
        self.last = line.operation;
        self.open = (line.state == OperationState::Open)
            .then(|| TxnLabel::new(line.kind, line.target.clone()));
        self.plain = !matches!(line.kind, TxnKind::Undo { .. } | TxnKind::Redo { .. });
    }
}

/// Where the newest kept version of each file is, as far as the end of the log tells.
fn newest_versions(fs: &dyn FileSystem) -> Result<BTreeMap<RelPath, Kept>, StoreError> {
    /// The changes of a line; lines of older versions have none in packs.
    #[derive(Deserialize)]
    struct Changes {
        #[serde(default)]
        changes: Vec<FileChange>,
    }
    let path = layout::operations();
    let size = fs.metadata(&path)?.map_or(0, |meta| meta.len);
    let start = size.saturating_sub(SEARCHED);
    let bytes = fs.read_at(&path, start, usize::try_from(size - start).unwrap_or(0))?;
    let mut newest = BTreeMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        // The first line may be cut.
        let Ok(line) = serde_json::from_slice::<Changes>(line) else {
            continue;
        };
        for change in line.changes {
            if let (Some(kept), false) = (change.kept(), matches!(change, FileChange::Cut { .. })) {
                newest.insert(change.path().clone(), kept);
            }
        }
    }
    Ok(newest)
}
