//! What the operations log says every file should be.

use std::collections::BTreeMap;

use novel_model::RelPath;

use super::{FileChange, Fingerprint, OperationLog};

/// What a file should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// It was taken away.
    Absent,
    /// It has this content.
    Whole(Fingerprint),
    /// It was added to: what it began with, where that is known, and from which byte on what was added.
    Grown {
        /// The content before the first addition.
        beginning: Option<Fingerprint>,
        /// Where each addition begins, and what it is.
        added: Vec<(u64, Fingerprint)>,
    },
}

impl Expected {
    /// Whether a file is so; `None` where there is none.
    #[must_use]
    pub fn is(&self, content: Option<&[u8]>) -> bool {
        let Some(bytes) = content else {
            return *self == Self::Absent;
        };
        match self {
            Self::Absent => false,
            Self::Whole(fingerprint) => Fingerprint::of(bytes) == *fingerprint,
            Self::Grown { beginning, added } => {
                let part = |from: u64, to: Option<u64>| {
                    let from = usize::try_from(from).ok()?;
                    let to = to.map_or(Some(bytes.len()), |to| usize::try_from(to).ok())?;
                    bytes.get(from..to)
                };
                let is = |part: Option<&[u8]>, wanted: &Fingerprint| {
                    part.is_some_and(|part| Fingerprint::of(part) == *wanted)
                };
                let first = added.first().map(|(from, _)| *from);
                let begins = beginning
                    .as_ref()
                    .is_none_or(|wanted| is(part(0, first), wanted));
                let ends = added.iter().skip(1).map(|(from, _)| Some(*from));
                begins
                    && added
                        .iter()
                        .zip(ends.chain([None]))
                        .all(|((from, wanted), to)| is(part(*from, to), wanted))
            }
        }
    }
}

/// What every file that an operation has changed should be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    files: BTreeMap<RelPath, Expected>,
}

impl Records {
    /// After all operations of a log.
    #[must_use]
    pub fn of(log: &OperationLog) -> Self {
        let mut records = Self::default();
        log.origin.iter().for_each(|change| records.note(change));
        for line in log.operations.iter().flat_map(|operation| &operation.lines) {
            for change in line.changes.iter().chain(&line.answers) {
                records.note(change);
            }
        }
        records
    }

    /// What a file should be; `None` for one that no operation has changed.
    #[must_use]
    pub fn get(&self, path: &RelPath) -> Option<&Expected> {
        self.files.get(path)
    }

    /// All of them, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &Expected)> {
        self.files.iter()
    }

    fn note(&mut self, change: &FileChange) {
        let path = change.path().clone();
        let expected = match change {
            FileChange::Created { after, .. }
            | FileChange::Replaced { after, .. }
            | FileChange::Cut { after, .. } => Expected::Whole(after.clone()),
            FileChange::Removed { .. } => Expected::Absent,
            FileChange::Grown { from, added, .. } => {
                let addition = (*from, added.clone());
                match self.files.remove(&path) {
                    Some(Expected::Grown {
                        beginning,
                        added: mut all,
                    }) => {
                        all.push(addition);
                        Expected::Grown {
                            beginning,
                            added: all,
                        }
                    }
                    before => Expected::Grown {
                        beginning: match before {
                            Some(Expected::Whole(fingerprint)) => Some(fingerprint),
                            _ => None,
                        },
                        added: vec![addition],
                    },
                }
            }
        };
        self.files.insert(path, expected);
    }
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
