//! The operations log: what was done to the book, one line a transaction.
//!
//! An operation is one line, or several when it was made step by step (a chapter from its first step
//! to its commit). The last line of a finished operation says `done`. Every line names the files it
//! changed and where the store keeps what it replaced, so that an operation can be taken back.

mod kind;
mod records;
mod take_back;

use novel_model::{
    BookReader, BrokenFile, ContentHash, FileError, Problem, RelPath, StepId, layout, message,
    seal::{self, Seal},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use kind::{TxnKind, TxnLabel};
pub use records::{Expected, Records};
pub use take_back::{KeptContents, NotTakenBack, TakeBack};

/// The number that the making of a book has in the log, which is no operation.
pub const ORIGIN: u64 = 0;

/// A shortened hash that identifies a version of a file in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Hexadecimal digits of it: 16 bytes of BLAKE3.
    const DIGITS: usize = 32;

    /// The fingerprint of `bytes`.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::from(ContentHash::of(bytes).as_str().to_owned())
    }
}

impl From<String> for Fingerprint {
    /// Takes the whole hash of older logs too.
    fn from(text: String) -> Self {
        let digits = text.strip_prefix("blake3:").unwrap_or(&text);
        Self(digits.chars().take(Self::DIGITS).collect())
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.0
    }
}

impl From<&ContentHash> for Fingerprint {
    fn from(hash: &ContentHash) -> Self {
        Self::from(hash.as_str().to_owned())
    }
}

/// Where the store keeps what a change replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kept {
    /// Number of the pack.
    pub pack: u32,
    /// Where in the pack.
    pub offset: u64,
}

/// What a transaction did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum FileChange {
    /// It was not there before.
    Created {
        /// The file.
        path: RelPath,
        /// Content after.
        after: Fingerprint,
    },
    /// It got new content.
    Replaced {
        /// The file.
        path: RelPath,
        /// Content before.
        before: Fingerprint,
        /// Content after.
        after: Fingerprint,
        /// The content before; lines of older versions have it in a directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Kept>,
    },
    /// It was taken away.
    Removed {
        /// The file.
        path: RelPath,
        /// Content before.
        before: Fingerprint,
        /// The content before; lines of older versions have it in a directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Kept>,
    },
    /// It grew.
    Grown {
        /// The file.
        path: RelPath,
        /// Length before.
        from: u64,
        /// What was added.
        added: Fingerprint,
    },
    /// Its end was cut off.
    Cut {
        /// The file.
        path: RelPath,
        /// Content after.
        after: Fingerprint,
        /// What was cut off.
        tail: Fingerprint,
        /// Where the tail is kept.
        kept: Kept,
    },
}

impl FileChange {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Created { path, .. }
            | Self::Replaced { path, .. }
            | Self::Removed { path, .. }
            | Self::Grown { path, .. }
            | Self::Cut { path, .. } => path,
        }
    }

    /// Where what it replaced is kept in a pack.
    #[must_use]
    pub fn kept(&self) -> Option<Kept> {
        match self {
            Self::Replaced { kept, .. } | Self::Removed { kept, .. } => *kept,
            Self::Cut { kept, .. } => Some(*kept),
            Self::Created { .. } | Self::Grown { .. } => None,
        }
    }
}

/// Whether more lines of an operation may follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperationState {
    /// It is under way, or was interrupted.
    Open,
    /// It is complete.
    #[default]
    Done,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Number of the operation, from one; [`ORIGIN`] for the making of the book.
    pub operation: u64,
    /// What the operation does.
    pub kind: TxnKind,
    /// To what, such as `chapter-048`.
    pub target: String,
    /// The transaction, where it is one step of the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<TxnLabel>,
    /// The newest standing operation when this one began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// When.
    pub at: String,
    /// Whether it is the last line of its operation.
    pub state: OperationState,
    /// On the first line of an operation made step by step: the files of its chapter that lay in
    /// staging before it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged: Option<Vec<RelPath>>,
    /// What the author asked for with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The directory of what was replaced, in lines of older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<RelPath>,
    /// What it changed; the log itself is not among it.
    pub changes: Vec<FileChange>,
    /// What it did to kept answers, which are no part of the book and are not taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<FileChange>,
}

/// A line as it is read: `kind` is a bare name in lines of older versions.
#[derive(Deserialize)]
struct RawLine {
    operation: u64,
    kind: Value,
    target: String,
    #[serde(default)]
    step: Option<TxnLabel>,
    #[serde(default)]
    parent: Option<u64>,
    at: String,
    #[serde(default)]
    state: Option<OperationState>,
    #[serde(default)]
    staged: Option<Vec<RelPath>>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    archive: Option<RelPath>,
    changes: Vec<FileChange>,
    #[serde(default)]
    answers: Vec<FileChange>,
}

impl Line {
    /// Reads a line of this version or an older one.
    ///
    /// # Errors
    /// When it is not one.
    pub fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let raw: RawLine = serde_json::from_slice(text)?;
        let kind = match (&raw.kind, raw.state) {
            (Value::String(name), None) => TxnKind::of_older(name, &raw.target),
            _ => None,
        };
        let kind = match kind {
            Some(kind) => kind,
            None => serde_json::from_value(raw.kind)?,
        };
        Ok(Self {
            operation: raw.operation,
            kind,
            target: raw.target,
            step: raw.step,
            parent: raw.parent,
            at: raw.at,
            state: raw.state.unwrap_or_default(),
            staged: raw.staged,
            note: raw.note,
            archive: raw.archive,
            changes: raw.changes,
            answers: raw.answers,
        })
    }

    /// The transaction: a step of the operation, or all of it.
    #[must_use]
    pub fn transaction(&self) -> TxnLabel {
        let whole = || TxnLabel::new(self.kind, self.target.clone());
        self.step.clone().unwrap_or_else(whole)
    }

    /// The line's change of a file.
    #[must_use]
    pub fn change_of(&self, path: &RelPath) -> Option<&FileChange> {
        self.changes.iter().find(|change| change.path() == path)
    }
}

/// Everything that was done in one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its number.
    pub operation: u64,
    /// What it did.
    pub kind: TxnKind,
    /// To what.
    pub target: String,
    /// When its last step was made.
    pub at: String,
    /// Whether it is complete.
    pub state: OperationState,
    /// Its lines, oldest first; at least one.
    pub lines: Vec<Line>,
}

impl Operation {
    fn begun(line: Line) -> Self {
        Self {
            operation: line.operation,
            kind: line.kind,
            target: line.target.clone(),
            at: line.at.clone(),
            state: line.state,
            lines: vec![line],
        }
    }

    /// The files it changed, sorted.
    #[must_use]
    pub fn paths(&self) -> Vec<&RelPath> {
        let mut paths: Vec<&RelPath> = self.changes().map(|(_, change)| change.path()).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Its changes in order, each with its line.
    pub fn changes(&self) -> impl Iterator<Item = (&Line, &FileChange)> {
        self.lines
            .iter()
            .flat_map(|line| line.changes.iter().map(move |change| (line, change)))
    }

    /// What the author asked for with it.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| line.note.as_deref())
    }

    /// Whether it takes another operation back or brings it back.
    #[must_use]
    pub fn is_about_another(&self) -> bool {
        matches!(self.kind, TxnKind::Undo { .. } | TxnKind::Redo { .. })
    }
}

/// All operations, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationLog {
    /// By number.
    pub operations: Vec<Operation>,
    /// What the files of a new book were; nothing can be taken back before it.
    pub origin: Vec<FileChange>,
}

impl OperationLog {
    /// Reads the log of a book.
    ///
    /// # Errors
    /// When the log is damaged.
    pub fn read(reader: &dyn BookReader) -> Result<Self, FileError> {
        let path = layout::operations();
        let older = reader.older_lines(&path)?;
        let newer = reader.text(&path)?.unwrap_or_default();
        let parts = [(layout::older_operations(), older), (path, newer)];
        let lines = parts.iter().flat_map(|(path, text)| {
            text.lines().enumerate().map(move |(index, line)| {
                Line::parse(line.as_bytes()).map_err(|error| {
                    let text =
                        message!(en: "not a valid record: {error}", zh: "不是有效的记录：{error}");
                    let problem = Problem::new("json_syntax", path, text);
                    BrokenFile::new(problem.at_line(index + 1)).into()
                })
            })
        });
        lines.collect()
    }

    /// The operation with a number.
    #[must_use]
    pub fn get(&self, operation: u64) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|found| found.operation == operation)
    }

    /// The operations that are in effect, oldest first; undo and redo themselves are not among them.
    #[must_use]
    pub fn standing(&self) -> Vec<&Operation> {
        let mut undone = std::collections::BTreeSet::new();
        for operation in &self.operations {
            match operation.kind {
                TxnKind::Undo { operation } => undone.insert(operation),
                TxnKind::Redo { operation } => undone.remove(&operation),
                _ => continue,
            };
        }
        self.operations
            .iter()
            .filter(|found| !found.is_about_another() && !undone.contains(&found.operation))
            .collect()
    }

    /// The operation that undo takes back.
    #[must_use]
    pub fn newest_standing(&self) -> Option<&Operation> {
        self.standing().pop()
    }

    /// The undo that redo takes back: the newest one not brought back yet, while nothing else was done
    /// since.
    #[must_use]
    pub fn redoable(&self) -> Option<&Operation> {
        let mut undone: Vec<&Operation> = Vec::new();
        for operation in &self.operations {
            match operation.kind {
                TxnKind::Undo { .. } => undone.push(operation),
                TxnKind::Redo { operation: brought } => {
                    undone.retain(|undo| undo.kind != TxnKind::Undo { operation: brought })
                }
                _ => undone.clear(),
            }
        }
        undone.pop()
    }

    /// The standing operations after `operation` that touch its files, each with those files.
    #[must_use]
    pub fn later_on_its_files(&self, operation: &Operation) -> Vec<(&Operation, Vec<RelPath>)> {
        let own = operation.paths();
        let later = self.standing().into_iter();
        later
            .filter(|later| later.operation > operation.operation)
            .filter_map(|later| {
                let shared = later.paths().into_iter().filter(|path| own.contains(path));
                let shared: Vec<RelPath> = shared.cloned().collect();
                (!shared.is_empty()).then_some((later, shared))
            })
            .collect()
    }

    /// Whether a call of an operation belongs to work that is no longer part of the book: it was taken
    /// back, or its step was rolled back or begun anew since. Calls of older versions have no
    /// operation.
    #[must_use]
    pub fn is_discarded(&self, operation: Option<u64>, step: Option<StepId>) -> bool {
        let standing = self.standing();
        // Advice and reports are bought once; a chapter that was taken back is wanted anew.
        let is_undone = operation
            .and_then(|number| self.get(number))
            .filter(|found| found.kind.writes_a_chapter())
            .is_some_and(|undone| !standing.contains(&undone));
        let begun_anew = |step: StepId| {
            let anew = standing
                .iter()
                .rev()
                .find(|found| match (found.kind, step) {
                    (TxnKind::Rollback { last }, StepId::Chapter(chapter, _)) => {
                        chapter.get() > last
                    }
                    (TxnKind::Regen { chapter: first }, StepId::Chapter(chapter, _)) => {
                        chapter >= first
                    }
                    (
                        TxnKind::Redraft { chapter: thrown } | TxnKind::InPlace { chapter: thrown },
                        StepId::Chapter(chapter, _),
                    ) => chapter == thrown,
                    (TxnKind::Again { step: again }, step) => {
                        // The trial chapters were written from the set-up that is made again.
                        let trial =
                            matches!((again, step), (StepId::Quickstart(_), StepId::Chapter(..)));
                        again == step || trial
                    }
                    _ => false,
                });
            anew.is_some_and(|anew| operation.is_none_or(|number| number < anew.operation))
        };
        is_undone || step.is_some_and(begun_anew)
    }

    /// The last change of a file.
    #[must_use]
    pub fn last_change(&self, path: &RelPath) -> Option<&FileChange> {
        let lines = self.operations.iter().rev();
        lines
            .flat_map(|operation| operation.lines.iter().rev())
            .find_map(|line| line.change_of(path))
    }

    /// The places of the log, from its beginning on, where a line is not as it was written or one is gone.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn broken_lines(reader: &dyn BookReader) -> Result<Vec<(RelPath, usize)>, FileError> {
        let path = layout::operations();
        let older = reader.older_lines(&path)?;
        let newer = reader.text(&path)?.unwrap_or_default();
        let mut before: Option<String> = None;
        let mut broken = Vec::new();
        for (path, text) in [(layout::older_operations(), older), (path, newer)] {
            for (index, line) in text.lines().enumerate() {
                match seal::check_line(line, before.as_deref()) {
                    Seal::Sound(sum) => before = Some(sum.to_owned()),
                    Seal::Unsealed if before.is_none() => {}
                    // What is no JSON is told by whoever reads it.
                    _ if serde_json::from_str::<Value>(line).is_err() => {}
                    Seal::Unsealed | Seal::Broken => {
                        broken.push((path.clone(), index + 1));
                        // What follows is compared with what stands there.
                        before = seal::sum_of_line(line).map(str::to_owned);
                    }
                }
            }
        }
        Ok(broken)
    }
}

impl FromIterator<Line> for OperationLog {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        let mut log = Self::default();
        for line in lines {
            if line.operation == ORIGIN {
                log.origin.extend(line.changes);
                continue;
            }
            match log.operations.last_mut() {
                Some(last)
                    if last.operation == line.operation && last.state == OperationState::Open =>
                {
                    last.at.clone_from(&line.at);
                    last.state = line.state;
                    last.lines.push(line);
                }
                _ => log.operations.push(Operation::begun(line)),
            }
        }
        log
    }
}

#[cfg(test)]
#[path = "operations_tests.rs"]
mod tests;
