//! What a writer knows of the end of the operations log, so that it need not be read each time.
//!
//! Nobody else adds to the log while the lock is held; after a transaction that failed, the end is
//! read anew.

use std::collections::BTreeMap;

use novel_book::operations::{
    FileChange, Fingerprint, Kept, Line, OperationLog, OperationState, TxnKind, TxnLabel,
};
use novel_model::{RelPath, layout, seal};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    compressed, error::StoreError, fs::FileSystem, journal, pack::Chain, reader::last_line,
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
    /// What the next version of a file may build on, for some files.
    held: BTreeMap<RelPath, Chain>,
    /// What the open operation left in the files it works with; see [`LogEnd::is_own`].
    left: BTreeMap<RelPath, Fingerprint>,
    /// The sum of the last line, which that of the next one covers.
    sum: Option<String>,
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
        let sum = std::str::from_utf8(&line).ok().and_then(seal::sum_of_line);
        let sum = sum.map(str::to_owned);
        let line: LastLine = serde_json::from_slice(&line).map_err(damaged)?;
        let kind: Option<TxnKind> = serde_json::from_value(line.kind).ok();
        let searched = Searched::of(fs, line.operation)?;
        Ok(Self {
            last: line.operation,
            open: kind
                .filter(|_| line.state == OperationState::Open)
                .map(|kind| TxnLabel::new(kind, line.target)),
            plain: kind
                .is_some_and(|kind| !matches!(kind, TxnKind::Undo { .. } | TxnKind::Redo { .. })),
            newest: searched.newest,
            held: BTreeMap::new(),
            left: searched.left,
            sum,
        })
    }

    /// The sum of the last line.
    pub(crate) fn sum(&self) -> Option<&str> {
        self.sum.as_deref()
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
        let file = |path| journal::read_if_there(fs, &path).map(Option::unwrap_or_default);
        // A damaged beginning is no reason to refuse a new operation.
        let older = compressed::expand(&file(layout::older_operations())?).unwrap_or_default();
        let newer = file(layout::operations())?;
        let parts = [older.as_bytes(), &newer];
        let lines = parts
            .iter()
            .flat_map(|part| part.split(|byte| *byte == b'\n'));
        let log: OperationLog = lines.filter_map(|line| Line::parse(line).ok()).collect();
        Ok(log.newest_standing().map(|newest| newest.operation))
    }

    /// What the next version of a file may build on. A damaged version is no reason to refuse a new
    /// one, which is kept whole then.
    pub(crate) fn chain(&mut self, fs: &dyn FileSystem, path: &RelPath) -> Chain {
        match (self.held.remove(path), self.newest.get(path)) {
            (Some(chain), _) => chain,
            (None, Some(at)) => Chain::after(fs, *at).unwrap_or_default(),
            (None, None) => Chain::default(),
        }
    }

    /// A version was kept.
    pub(crate) fn note_kept(&mut self, path: &RelPath, at: Kept, chain: Chain) {
        let held: usize = self.held.values().map(Chain::size).sum();
        if held + chain.size() > MAX_HELD {
            self.held.clear();
        }
        self.newest.insert(path.clone(), at);
        self.held.insert(path.clone(), chain);
    }

    /// Whether the operation that goes on wrote this content itself, as one of its steps on the way.
    /// Taking the operation back needs what was there before it, and not this.
    pub(crate) fn is_own(&self, operation: u64, path: &RelPath, content: &Fingerprint) -> bool {
        operation == self.last && self.left.get(path) == Some(content)
    }

    /// A line was added, as this text.
    pub(crate) fn note_line(&mut self, line: &Line, text: &str) {
        self.sum = seal::sum_of_line(text).map(str::to_owned);
        if line.operation != self.last {
            self.left.clear();
        }
        note_left(&mut self.left, &line.changes);
        self.last = line.operation;
        self.open = (line.state == OperationState::Open)
            .then(|| TxnLabel::new(line.kind, line.target.clone()));
        self.plain = !matches!(line.kind, TxnKind::Undo { .. } | TxnKind::Redo { .. });
    }
}

/// What the last part of the log tells of files.
#[derive(Default)]
struct Searched {
    /// Where the newest kept version of each is.
    newest: BTreeMap<RelPath, Kept>,
    /// What the last operation left.
    left: BTreeMap<RelPath, Fingerprint>,
}

impl Searched {
    fn of(fs: &dyn FileSystem, last: u64) -> Result<Self, StoreError> {
        /// Lines of older versions have no changes in packs.
        #[derive(Deserialize)]
        struct Changes {
            operation: u64,
            #[serde(default)]
            changes: Vec<FileChange>,
        }
        let path = layout::operations();
        let size = fs.metadata(&path)?.map_or(0, |meta| meta.len);
        let start = size.saturating_sub(SEARCHED);
        let bytes = fs.read_at(&path, start, usize::try_from(size - start).unwrap_or(0))?;
        let mut found = Self::default();
        for line in bytes.split(|byte| *byte == b'\n') {
            // The first line may be cut.
            let Ok(line) = serde_json::from_slice::<Changes>(line) else {
                continue;
            };
            if line.operation == last {
                note_left(&mut found.left, &line.changes);
            }
            for change in line.changes {
                let is_tail = matches!(change, FileChange::Cut { .. });
                if let (Some(kept), false) = (change.kept(), is_tail) {
                    found.newest.insert(change.path().clone(), kept);
                }
            }
        }
        Ok(found)
    }
}

/// Notes what changes left in the files an operation works with: staging, and the checkpoint. Other
/// files keep all their versions, since going back to a chapter may need one from the midst of an
/// operation.
fn note_left(left: &mut BTreeMap<RelPath, Fingerprint>, changes: &[FileChange]) {
    for change in changes {
        let path = change.path();
        if !path.is_under(&layout::staging_dir()) && *path != layout::checkpoint() {
            continue;
        }
        match change {
            FileChange::Created { after, .. } | FileChange::Replaced { after, .. } => {
                left.insert(path.clone(), after.clone());
            }
            FileChange::Removed { .. } | FileChange::Grown { .. } | FileChange::Cut { .. } => {
                left.remove(path);
            }
        }
    }
}
