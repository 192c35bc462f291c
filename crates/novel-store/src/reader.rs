//! Reading a book without the lock.
//!
//! A sealed transaction is decided, even while a crash keeps its files from
//! their places: readers see the book as it will be once someone redoes it.
//!
//! Another process may commit while a reader reads, and a reader that was made
//! for a look then notices: see [`StoreReader::is_settled`].

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use novel_book::{
    edit::{Change, Changes},
    operations::TxnLabel,
};
use novel_model::{BookReader, Decoded, ReadError, RelPath, last_line_of, layout};

use crate::{
    cache::UserCache,
    compressed,
    error::StoreError,
    fs::{Fault, FileKind, FileSystem, FsError, Operation, list_if_there},
    journal,
    limits::limit_of,
    pack::ReadAt,
    plan::{Op, Plan},
    witness::Witness,
};

/// Size of the first piece in which the end of a log is searched.
const TAIL_PIECE: u64 = 8 * 1024;

/// What a reader has seen.
#[derive(Default)]
struct Known {
    files: BTreeMap<RelPath, Option<Vec<u8>>>,
    /// By directory and suffix.
    lists: BTreeMap<(RelPath, String), Vec<String>>,
}

/// A sealed transaction, and what it does to the files that are not in their places yet.
struct Sealed {
    plan: Plan,
    changes: Changes,
}

impl Sealed {
    fn load(fs: &dyn FileSystem, plan: Plan) -> Result<Self, StoreError> {
        let mut changes = Changes::default();
        for op in &plan.ops {
            match op {
                Op::Remove { path, .. } => changes.remove(path.clone()),
                // Once the blob has been moved, the file itself is the new content.
                Op::Write { path, blob, .. } => {
                    if let Some(bytes) = journal::read_if_there(fs, blob)? {
                        changes.write(path.clone(), bytes);
                    }
                }
                Op::Append { path, blob, .. } => {
                    if let Some(bytes) = journal::read_if_there(fs, blob)? {
                        changes.append(path.clone(), bytes);
                    }
                }
            }
        }
        Ok(Self { plan, changes })
    }

    /// The length of a file before the transaction added to it.
    fn length_before(&self, path: &RelPath) -> Option<u64> {
        self.plan.ops.iter().find_map(|op| match op {
            Op::Append {
                path: grown,
                old_len,
                ..
            } if grown == path => Some(*old_len),
            _ => None,
        })
    }
}

/// By directory and suffix: the state of the directory, and its names.
type Listings = BTreeMap<(RelPath, String), (u64, Vec<String>)>;

/// What was learnt of the files while the project is open.
#[derive(Default)]
pub(crate) struct Held {
    decoded: Decoded,
    listings: Mutex<Listings>,
}

impl Held {
    fn listings(&self) -> MutexGuard<'_, Listings> {
        self.listings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Read access to a project.
pub struct StoreReader {
    fs: Arc<dyn FileSystem>,
    sealed: Option<Sealed>,
    /// What was read so far, where it is remembered.
    known: Option<Mutex<Known>>,
    /// What was read, where the lock does not keep others from changing it.
    witness: Option<Arc<Witness>>,
    /// Whether the log of operations was noted for the witness, in place of stamps.
    notes_log: AtomicBool,
    /// Whether what was only stamped is noted too, because somebody wants to know of later changes.
    notes_stamps: bool,
    /// What was made of the project's files to be quicker.
    cache: Option<Arc<UserCache>>,
    held: Arc<Held>,
}

impl StoreReader {
    pub(crate) fn new(fs: Arc<dyn FileSystem>) -> Result<Self, StoreError> {
        let sealed = journal::sealed(fs.as_ref())?
            .map(|plan| Sealed::load(fs.as_ref(), plan))
            .transpose()?;
        Ok(Self {
            fs,
            sealed,
            known: None,
            witness: None,
            notes_log: AtomicBool::new(false),
            notes_stamps: false,
            cache: None,
            held: Arc::default(),
        })
    }

    pub(crate) fn with_cache(mut self, cache: Option<Arc<UserCache>>) -> Self {
        self.cache = cache;
        self
    }

    pub(crate) fn with_held(mut self, held: Arc<Held>) -> Self {
        self.held = held;
        self
    }

    /// A reader that can tell afterwards whether it saw one moment.
    pub(crate) fn witnessing(self) -> Self {
        self.witnessed_by(Arc::default())
    }

    /// A reader whose witness learns of files that were only stamped, too.
    pub(crate) fn noting_stamps(self) -> Self {
        Self {
            notes_stamps: true,
            ..self
        }
    }

    /// A reader that notes for a witness what it reads.
    pub(crate) fn witnessed_by(mut self, witness: Arc<Witness>) -> Self {
        self.witness = Some(witness);
        self
    }

    pub(crate) fn witness(&self) -> Option<&Witness> {
        self.witness.as_deref()
    }

    /// Whether all that was read stood there together, before or after any transaction.
    ///
    /// The journal is looked at first. All that was read is shown to be as it was from then until
    /// now; so it is what a reader with the same plan finds at the moment of that first look.
    pub(crate) fn is_settled(&self) -> bool {
        let fs = self.fs.as_ref();
        let sealed = self.sealed.as_ref().map(|sealed| &sealed.plan);
        journal::sealed(fs).is_ok_and(|plan| plan.as_ref() == sealed)
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

    /// The sealed transaction this reader sees as finished.
    #[must_use]
    pub fn sealed(&self) -> Option<&TxnLabel> {
        self.sealed.as_ref().map(|sealed| &sealed.plan.label)
    }

    /// The length of a file; `None` where there is none.
    pub(crate) fn length(&self, path: &RelPath) -> Result<Option<u64>, FsError> {
        self.before_reading(path);
        let there = self.fs.metadata(path)?.map(|meta| meta.len);
        Ok(match (self.pending(path), &self.sealed) {
            (Some(Change::Append(tail)), Some(sealed)) => {
                let before = sealed.length_before(path).or(there);
                Some(before.unwrap_or(0) + tail.len() as u64)
            }
            (Some(Change::Write(bytes)), _) => Some(bytes.len() as u64),
            (Some(Change::Remove), _) => None,
            _ => there,
        })
    }

    fn pending(&self, path: &RelPath) -> Option<&Change> {
        self.sealed.as_ref()?.changes.get(path)
    }

    fn on_disk(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.before_reading(path);
        match self.fs.read(path, limit_of(path)) {
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

    /// The directory as it is; listed anew unless it has been in the same state for some seconds. Its state is
    /// told before it is listed, and after the witness has noted it.
    fn found(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        self.before_reading(directory);
        let state = self.fs.stamp(directory).ok().flatten();
        let state = state.and_then(|state| state.settled());
        let asked = (directory.clone(), suffix.to_owned());
        if let Some((then, names)) = self.held.listings().get(&asked)
            && state == Some(*then)
        {
            return Ok(names.clone());
        }
        let names = match &self.witness {
            Some(witness) => witness.list(self.fs.as_ref(), directory, suffix)?,
            None => list_if_there(self.fs.as_ref(), directory, suffix)?,
        };
        if let Some(state) = state {
            self.held.listings().insert(asked, (state, names.clone()));
        }
        Ok(names)
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
        let Some(sealed) = &self.sealed else {
            return self.on_disk(path);
        };
        sealed.changes.read(path, || {
            let mut bytes = self.on_disk(path)?;
            // A part of what is added may be there already; all of it, where the blob is gone.
            let before = sealed
                .length_before(path)
                .filter(|_| self.pending(path).is_some());
            if let (Some(bytes), Some(length)) = (&mut bytes, before) {
                bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
            }
            Ok(bytes)
        })
    }
}

impl ReadAt for StoreReader {
    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError> {
        self.before_reading(path);
        let piece = |bytes: &[u8], offset: u64| {
            let rest = usize::try_from(offset)
                .ok()
                .and_then(|from| bytes.get(from..));
            rest.map_or_else(Vec::new, |rest| rest[..rest.len().min(len)].to_vec())
        };
        match (self.pending(path), &self.sealed) {
            (Some(Change::Write(bytes)), _) => Ok(piece(bytes, offset)),
            (Some(Change::Append(tail)), Some(sealed)) => {
                let begin = sealed.length_before(path).unwrap_or(0);
                match offset.checked_sub(begin) {
                    Some(within) => Ok(piece(tail, within)),
                    None => self.fs.read_at(path, offset, len),
                }
            }
            _ => self.fs.read_at(path, offset, len),
        }
    }
}

impl BookReader for StoreReader {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        if layout::is_cached(path) {
            return Ok(self.cache.as_ref().and_then(|cache| cache.read(path)));
        }
        self.stored(path)
    }

    fn decoded(&self) -> Option<&Decoded> {
        Some(&self.held.decoded)
    }

    fn older_lines(&self, path: &RelPath) -> Result<String, ReadError> {
        if *path != layout::operations() {
            return Ok(String::new());
        }
        let path = layout::older_operations();
        let frames = self.read(&path)?.unwrap_or_default();
        compressed::expand(&frames).map_err(|source| ReadError::Io { path, source })
    }

    fn exists(&self, path: &RelPath) -> Result<bool, ReadError> {
        if self.known.is_none() && self.sealed.is_none() {
            self.before_reading(path);
            let meta = self.fs.metadata(path);
            match meta.map_err(|error| error.into_read_error(path))? {
                None => return Ok(false),
                Some(meta) if meta.kind == FileKind::File => return Ok(true),
                // Reading says where a link leads, and why anything else is no file.
                Some(_) => {}
            }
        }
        Ok(self.read(path)?.is_some())
    }

    /// Not noted for the witness of one look: a look that goes by the stamps of thousands of files would take
    /// each of them twice. Whoever changes a file by a transaction adds to the log, which is noted instead;
    /// whoever changes one by hand changes it before or after the look, as far as the look can tell.
    fn stamp(&self, path: &RelPath) -> Option<u64> {
        if layout::is_cached(path) {
            return self.cache.as_ref()?.stamp(path);
        }
        if self.pending(path).is_some() {
            return None;
        }
        if self.notes_stamps {
            self.before_reading(path);
        } else if self.witness.is_some() && !self.notes_log.swap(true, Ordering::Relaxed) {
            self.before_reading(&layout::operations());
        }
        self.fs.stamp(path).ok().flatten()?.settled()
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.list_ending(directory, "")
    }

    fn last_line(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        if self.pending(path).is_some() {
            let bytes = self.read(path)?.unwrap_or_default();
            return Ok(last_line_of(&bytes).map(<[u8]>::to_vec));
        }
        self.before_reading(path);
        last_line(self.fs.as_ref(), path).map_err(|error| error.into_read_error(path))
    }

    fn list_ending(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let mut names = self.listed(directory, suffix)?;
        if let Some(sealed) = &self.sealed {
            names = sealed.changes.list(directory, names);
        }
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }
}

/// The last line of a file, reading only as much of its end as needed.
pub(crate) fn last_line(fs: &dyn FileSystem, path: &RelPath) -> Result<Option<Vec<u8>>, FsError> {
    let Some(meta) = fs.metadata(path)? else {
        return Ok(None);
    };
    let (size, limit) = (meta.len, limit_of(path));
    if size > limit {
        let fault = Fault::TooLarge { size, limit };
        return Err(FsError::new(Operation::Read, path, fault));
    }
    // Each look reaches back twice as far, so that a long line is not read over and over.
    let mut piece = TAIL_PIECE;
    loop {
        let length = piece.min(size);
        let tail = fs.read_at(path, size - length, usize::try_from(length).unwrap_or(0))?;
        if length == size || tail.trim_ascii_end().contains(&b'\n') {
            return Ok(last_line_of(&tail).map(<[u8]>::to_vec));
        }
        piece *= 2;
    }
}
