//! Reading a book without the lock.
//!
//! A sealed transaction is decided, even while a crash keeps its files from
//! their places: readers see the book as it will be once someone redoes it.
//!
//! Another process may commit while a reader reads, and a reader that was made
//! for a look then notices: see [`StoreReader::is_settled`].

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use novel_model::{BookReader, ReadError, RelPath, last_line_of, layout};

use crate::{
    changes::Changes,
    fs::{Dir, Fault, FileSystem, FsError},
    journal,
    plan::{Op, Plan, TxnLabel},
    txn::Transaction,
    witness::Witness,
};

/// Largest file that is read, except for logs that grow with the book.
pub const TEXT_LIMIT: u64 = 16 * 1024 * 1024;

/// Size of the pieces in which the end of a log is searched.
const TAIL_PIECE: usize = 8 * 1024;

/// What a reader has seen.
#[derive(Default)]
struct Known {
    files: BTreeMap<RelPath, Option<Vec<u8>>>,
    /// By directory and suffix.
    lists: BTreeMap<(RelPath, String), Vec<String>>,
}

/// Read access to a project.
pub struct StoreReader {
    fs: Arc<dyn FileSystem>,
    sealed: Option<Plan>,
    /// What was read so far, where it is remembered.
    known: Option<Mutex<Known>>,
    /// Changes that are seen here and nowhere else.
    ahead: Changes,
    /// What was read, where the lock does not keep others from changing it.
    witness: Option<Witness>,
}

impl StoreReader {
    pub(crate) fn new(fs: Arc<dyn FileSystem>, sealed: Option<Plan>) -> Self {
        Self {
            fs,
            sealed,
            known: None,
            ahead: Changes::default(),
            witness: None,
        }
    }

    /// A reader that can tell afterwards whether it saw one moment.
    pub(crate) fn witnessing(mut self) -> Self {
        self.witness = Some(Witness::default());
        self
    }

    /// Whether all that was read stood there together, before or after any transaction.
    ///
    /// The journal is looked at first. All that was read is shown to be as it was from then until
    /// now; so it is what a reader with the same plan finds at the moment of that first look.
    pub(crate) fn is_settled(&self) -> bool {
        let fs = self.fs.as_ref();
        journal::sealed(fs).is_ok_and(|plan| plan == self.sealed)
            && self.witness.as_ref().is_none_or(|seen| seen.holds(fs))
    }

    fn before_reading(&self, place: &RelPath) {
        if let Some(witness) = &self.witness {
            witness.before(self.fs.as_ref(), place);
        }
    }

    /// Reads each file and directory once and then gives the same again: for one look at the book, not for
    /// longer.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.known = Some(Mutex::default());
        self
    }

    /// Shows the book from now on as it would be after this transaction, which is not made.
    pub fn look_past(&mut self, transaction: &Transaction<'_>) {
        self.ahead.extend(transaction.changes().clone());
    }

    /// The sealed transaction this reader sees as finished.
    #[must_use]
    pub fn sealed(&self) -> Option<&TxnLabel> {
        self.sealed.as_ref().map(|plan| &plan.label)
    }

    fn pending(&self, path: &RelPath) -> Option<&Op> {
        let plan = self.sealed.as_ref()?;
        plan.ops.iter().find(|op| op.path() == path)
    }

    fn read_limited(&self, path: &RelPath, place: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.before_reading(place);
        match self.fs.read(place, limit_of(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(FsError {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(error) => Err(error.into_read_error(path)),
        }
    }

    /// The directory as it is, from memory where it is remembered.
    fn listed(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let Some(known) = &self.known else {
            return self.found(directory, suffix);
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = (directory.clone(), suffix.to_owned());
        if let Some(names) = known.lists.get(&asked) {
            return Ok(names.clone());
        }
        let names = self.found(directory, suffix)?;
        known.lists.insert(asked, names.clone());
        Ok(names)
    }

    fn found(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        match &self.witness {
            Some(witness) => witness.list(self.fs.as_ref(), directory, suffix),
            None => list_if_there(self.fs.as_ref(), directory, suffix),
        }
    }

    /// The file as it is, from memory where it is remembered.
    fn stored(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(known) = &self.known else {
            return self.decided(path);
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known.files.get(path) {
            return Ok(bytes.clone());
        }
        let bytes = self.decided(path)?;
        known.files.insert(path.clone(), bytes.clone());
        Ok(bytes)
    }

    /// The file with a sealed transaction counted as done.
    fn decided(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.pending(path) {
            None => self.read_limited(path, path),
            Some(Op::Remove { .. }) => Ok(None),
            // Once the blob has been moved, the file itself is the new content.
            Some(Op::Write { blob, .. }) => match self.read_limited(path, blob)? {
                Some(bytes) => Ok(Some(bytes)),
                None => self.read_limited(path, path),
            },
            Some(Op::Append { blob, old_len, .. }) => {
                let tail = self.read_limited(path, blob)?;
                let mut bytes = self.read_limited(path, path)?.unwrap_or_default();
                if let Some(tail) = tail {
                    bytes.truncate(usize::try_from(*old_len).unwrap_or(usize::MAX));
                    bytes.extend(tail);
                }
                Ok(Some(bytes))
            }
        }
    }
}

impl BookReader for StoreReader {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.ahead.read(path, || self.stored(path))
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.list_ending(directory, "")
    }

    fn last_line(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        if self.ahead.get(path).is_some() {
            let bytes = self.read(path)?.unwrap_or_default();
            return Ok(last_line_of(&bytes).map(<[u8]>::to_vec));
        }
        match self.pending(path) {
            Some(Op::Remove { .. }) => Ok(None),
            Some(Op::Write { .. } | Op::Append { .. }) => {
                let bytes = self.read(path)?.unwrap_or_default();
                Ok(last_line_of(&bytes).map(<[u8]>::to_vec))
            }
            None => {
                self.before_reading(path);
                last_line(self.fs.as_ref(), path).map_err(|error| error.into_read_error(path))
            }
        }
    }

    fn list_ending(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let names = self.listed(directory, suffix)?;
        if self.sealed.is_none() && self.ahead.is_empty() {
            return Ok(names);
        }
        let ops = self.sealed.iter().flat_map(|plan| &plan.ops);
        let names = with_changes(
            names,
            directory,
            ops.map(|op| (op.path(), Presence::of(op))),
        );
        let mut names = self.ahead.list(directory, names);
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }
}

/// Whether a path is there after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    There,
    Gone,
}

impl Presence {
    fn of(op: &Op) -> Self {
        match op {
            Op::Write { .. } | Op::Append { .. } => Self::There,
            Op::Remove { .. } => Self::Gone,
        }
    }
}

/// The names in `directory`, none when there is no such directory.
pub(crate) fn list_if_there(
    fs: &dyn FileSystem,
    directory: &RelPath,
    suffix: &str,
) -> Result<Vec<String>, ReadError> {
    match fs.list_ending(&Dir::At(directory.clone()), suffix) {
        Ok(names) => Ok(names),
        Err(FsError {
            fault: Fault::NotFound,
            ..
        }) => Ok(Vec::new()),
        Err(error) => Err(error.into_read_error(directory)),
    }
}

/// The names in `directory` once `changes` have happened.
pub(crate) fn with_changes<'a>(
    names: Vec<String>,
    directory: &RelPath,
    changes: impl Iterator<Item = (&'a RelPath, Presence)>,
) -> Vec<String> {
    let mut names: BTreeSet<String> = names.into_iter().collect();
    for (path, presence) in changes {
        let below = path
            .as_str()
            .strip_prefix(directory.as_str())
            .and_then(|rest| rest.strip_prefix('/'));
        match (below, presence) {
            (None, _) => {}
            (Some(below), Presence::There) => {
                let name = below.split('/').next().unwrap_or(below);
                names.insert(name.to_owned());
            }
            (Some(below), Presence::Gone) => {
                names.remove(below);
            }
        }
    }
    names.into_iter().collect()
}

/// Logs grow with the book and are exempt from [`TEXT_LIMIT`].
pub(crate) fn limit_of(path: &RelPath) -> u64 {
    let logs = [
        layout::state_changelog(),
        layout::operations(),
        layout::unknown_entities(),
        layout::audit(),
    ];
    if logs.contains(path) {
        u64::MAX
    } else {
        TEXT_LIMIT
    }
}

/// The last line of a file, reading only as much of its end as needed.
pub(crate) fn last_line(fs: &dyn FileSystem, path: &RelPath) -> Result<Option<Vec<u8>>, FsError> {
    let Some(meta) = fs.metadata(path)? else {
        return Ok(None);
    };
    let mut start = meta.len;
    let mut tail = Vec::new();
    while start > 0 {
        let piece = start.min(TAIL_PIECE as u64);
        start -= piece;
        let mut bytes = fs.read_at(path, start, usize::try_from(piece).unwrap_or(TAIL_PIECE))?;
        bytes.extend(tail);
        tail = bytes;
        let text = tail.trim_ascii_end();
        if text.contains(&b'\n') {
            break;
        }
    }
    Ok(last_line_of(&tail).map(<[u8]>::to_vec))
}
