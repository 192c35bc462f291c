//! A project on disk, and the right to write to it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use novel_book::edit::Change;
use novel_model::{ChapterNo, RelPath, layout};

use crate::{
    boundary::OwnWrites,
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError},
    heartbeat::{HEARTBEAT_INTERVAL, Heartbeat},
    journal::{self, Recovery},
    lock::{self, Clear, LockGuard},
    lock_state::LockStatus,
    machine::{Machine, RealMachine},
    plan::{TxnKind, TxnLabel},
    reader::StoreReader,
    real::RealFs,
    txn::{Receipt, Transaction},
};

/// How often a look is begun anew before it is given up.
const LOOKS: usize = 100;

/// One project. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    fs: Arc<dyn FileSystem>,
    machine: Arc<dyn Machine>,
    own: OwnWrites,
}

impl Store {
    /// A project on any file system and machine.
    #[must_use]
    pub fn new(fs: Arc<dyn FileSystem>, machine: Arc<dyn Machine>) -> Self {
        Self {
            fs,
            machine,
            own: OwnWrites::default(),
        }
    }

    /// The project in an existing directory of this machine.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        Ok(Self::on_disk(RealFs::open(root)?))
    }

    /// A project in a directory that is made if it is not there.
    ///
    /// # Errors
    /// When the directory can not be made.
    pub fn create(root: &Path) -> Result<Self, StoreError> {
        Ok(Self::on_disk(RealFs::create(root)?))
    }

    fn on_disk(fs: RealFs) -> Self {
        let own = OwnWrites::at(fs.root());
        Self {
            own,
            ..Self::new(Arc::new(fs), Arc::new(RealMachine))
        }
    }

    /// The project directory, if it is on this machine's disk.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.own.root()
    }

    pub(crate) fn own_writes(&self) -> &OwnWrites {
        &self.own
    }

    /// One look at the book, a sealed transaction counted as done. Takes no lock, and no writer
    /// waits for it: if the book changed while `look` read it, `look` is run again, whether it
    /// succeeded or failed. What it returns is true of one moment.
    ///
    /// # Errors
    /// Those of `look`; [`StoreError::Changing`] when the book never stood still for it; or when
    /// a sealed journal can not be understood.
    pub fn look<T, E: From<StoreError>>(
        &self,
        mut look: impl FnMut(&StoreReader) -> Result<T, E>,
    ) -> Result<T, E> {
        for _ in 0..LOOKS {
            let reader = self.reader()?.witnessing();
            let found = look(&reader);
            if reader.is_settled() {
                return found;
            }
        }
        Err(StoreError::Changing.into())
    }

    /// The book as it is, a sealed transaction counted as done. Takes no lock: with another
    /// process writing, files read one after the other may be of different moments. Whoever does
    /// not hold the lock takes a [`Store::look`] instead.
    ///
    /// # Errors
    /// When a sealed journal can not be understood.
    pub fn reader(&self) -> Result<StoreReader, StoreError> {
        let sealed = journal::sealed(self.fs.as_ref())?;
        Ok(StoreReader::new(Arc::clone(&self.fs), sealed))
    }

    /// Takes the lock and completes or discards what a crash left behind.
    ///
    /// # Errors
    /// [`crate::LockError::Held`] when another writes; or recovery fails, and
    /// then the lock is given back.
    pub fn acquire(&self, chapter: Option<ChapterNo>) -> Result<Writer, StoreError> {
        let guard = LockGuard::acquire(&self.fs, &self.machine, chapter)?;
        let recovery = {
            let _serialised = self.fs.lock_root()?;
            guard.check()?;
            journal::recover(self.fs.as_ref())?
        };
        Ok(Writer {
            store: self.clone(),
            guard,
            recovery,
            durable: Mutex::default(),
        })
    }

    /// State of the lock. Writes nothing.
    ///
    /// # Errors
    /// When it can not be looked at.
    pub fn lock_status(&self) -> Result<LockStatus, StoreError> {
        let (fs, machine) = (self.fs.as_ref(), self.machine.as_ref());
        Ok(LockStatus::examine(fs, machine)?)
    }

    /// Removes the lock as far as `clear` allows; returns what it was.
    ///
    /// # Errors
    /// [`crate::LockError::Held`] or [`crate::LockError::Damaged`] when it may not be removed.
    pub fn clear_lock(&self, clear: Clear) -> Result<LockStatus, StoreError> {
        let (fs, machine) = (self.fs.as_ref(), self.machine.as_ref());
        Ok(lock::clear(fs, machine, clear)?)
    }

    /// The time on this store's machine.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.machine.now()
    }
}

/// The right to write: the lock, and a project without unfinished business.
/// Dropping it gives the lock back.
pub struct Writer {
    store: Store,
    guard: LockGuard,
    recovery: Recovery,
    /// Directories above kept files that are known to be durable.
    durable: Mutex<BTreeSet<RelPath>>,
}

impl Writer {
    /// What was done about an unfinished transaction when the lock was taken.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Makes changes as one transaction, durably.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn apply(
        &self,
        label: TxnLabel,
        changes: novel_book::edit::Changes,
        at: Timestamp,
    ) -> Result<Receipt, StoreError> {
        let mut txn = self.begin(label);
        txn.at(at);
        for (path, change) in changes.iter() {
            match change {
                Change::Write(bytes) => txn.write(path.clone(), bytes.clone()),
                Change::Append(bytes) => txn.append(path.clone(), bytes),
                Change::Remove => txn.remove(path.clone()),
            }
        }
        txn.commit()
    }

    /// A transaction without changes yet.
    pub fn begin(&self, label: TxnLabel) -> Transaction<'_> {
        Transaction::new(self, label)
    }

    /// Writes a file once and for all, durably: there whole or not at all after a crash, and never
    /// replaced. Cheaper than a transaction, which has nothing to take back here. The same content
    /// again is no error.
    ///
    /// # Errors
    /// When the file is there with another content, or can not be written.
    pub fn keep(&self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        self.own_writes().commit(|| {
            self.keep_alone(path, bytes)?;
            Ok(Receipt {
                label: TxnLabel::new(TxnKind::Call, path.as_str()),
                operation: None,
                archive: None,
                changed: vec![path.clone()],
            })
        })?;
        Ok(())
    }

    fn keep_alone(&self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        refuse_reserved(path)?;
        let fs = self.fs();
        // As for a transaction: the lock can not change hands in between.
        let _serialised = fs.lock_root()?;
        self.guard.check()?;
        let placed = journal::place(fs, path, bytes, &mut self.durable());
        let Err(StoreError::Fs(FsError {
            fault: Fault::Exists,
            ..
        })) = placed
        else {
            return placed;
        };
        // Left by an attempt whose last sync failed.
        if journal::read_if_there(fs, path)?.is_some_and(|there| there == bytes) {
            fs.sync_file(path)?;
            return Ok(fs.sync_dir(&Dir::of(path))?);
        }
        placed
    }

    /// Makes the directory a file is going to be kept in, so that keeping it takes less time.
    ///
    /// # Errors
    /// When it can not be made.
    pub fn make_room(&self, path: &RelPath) -> Result<(), StoreError> {
        refuse_reserved(path)?;
        self.own_writes().commit(|| {
            let fs = self.fs();
            let _serialised = fs.lock_root()?;
            self.guard.check()?;
            journal::make_room(fs, path, &mut self.durable())?;
            Ok(Receipt {
                label: TxnLabel::new(TxnKind::Call, path.as_str()),
                operation: None,
                archive: None,
                changed: path.parent().into_iter().collect(),
            })
        })?;
        Ok(())
    }

    /// Whoever panicked while holding it has added nothing that is not so.
    fn durable(&self) -> MutexGuard<'_, BTreeSet<RelPath>> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The book as it is now.
    ///
    /// # Errors
    /// As [`Store::reader`].
    pub fn reader(&self) -> Result<StoreReader, StoreError> {
        self.store.reader()
    }

    /// The lock.
    #[must_use]
    pub fn guard(&self) -> &LockGuard {
        &self.guard
    }

    /// Keeps the lock alive through a long step, until the answer is dropped.
    #[must_use]
    pub fn heartbeat(&self) -> Heartbeat {
        Heartbeat::start(&self.guard, HEARTBEAT_INTERVAL)
    }

    pub(crate) fn own_writes(&self) -> &OwnWrites {
        self.store.own_writes()
    }

    pub(crate) fn fs(&self) -> &dyn FileSystem {
        self.store.fs.as_ref()
    }

    /// The time on the store's machine.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.store.now()
    }
}

fn refuse_reserved(path: &RelPath) -> Result<(), StoreError> {
    if reserved().iter().any(|place| path.is_under(place)) {
        return Err(StoreError::BadTarget { path: path.clone() });
    }
    Ok(())
}

/// Directories of the store itself.
pub(crate) fn reserved() -> [RelPath; 3] {
    [
        layout::lock_dir(),
        layout::journal_dir(),
        layout::archive_dir(),
    ]
}

/// The project directory that holds `start`: the nearest one with a checkpoint.
///
/// # Errors
/// [`StoreError::NoProject`] when there is none up to the root of the file system.
pub fn find_project(start: &Path) -> Result<PathBuf, StoreError> {
    let none = || StoreError::NoProject {
        start: start.to_owned(),
    };
    let absolute = start.canonicalize().map_err(|_| none())?;
    absolute
        .ancestors()
        .find(|directory| {
            let checkpoint = directory.join(layout::checkpoint().as_str());
            checkpoint.symlink_metadata().is_ok()
        })
        .map(Path::to_owned)
        .ok_or_else(none)
}
