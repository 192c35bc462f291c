//! A project on disk, and the right to write to it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use novel_book::{
    edit::Changes,
    operations::{Line, OperationState, TxnKind, TxnLabel},
};
use novel_model::{ChapterNo, RelPath, layout};

use crate::{
    boundary::OwnWrites,
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError},
    heartbeat::{HEARTBEAT_INTERVAL, Heartbeat},
    journal::{self, Recovery},
    lock::{self, Clear, LockGuard},
    lock_state::{LockInfo, LockStatus},
    log_end::{LogEnd, UnderWay},
    machine::{Machine, RealMachine},
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
        StoreReader::new(Arc::clone(&self.fs))
    }

    /// Takes the lock and completes or discards what a crash left behind.
    ///
    /// # Errors
    /// [`crate::LockError::Held`] when another writes; or recovery fails, and
    /// then the lock is given back.
    pub fn acquire(&self, chapter: Option<ChapterNo>) -> Result<Writer, StoreError> {
        let (guard, taken_over) = LockGuard::acquire(&self.fs, &self.machine, chapter)?;
        let recovery = {
            let _serialised = self.fs.lock_root()?;
            guard.check()?;
            journal::recover(self.fs.as_ref())?
        };
        Ok(Writer {
            store: self.clone(),
            guard,
            recovery,
            taken_over,
            durable: Mutex::default(),
            end: Mutex::default(),
            under_way: Mutex::default(),
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
    /// The holder of the stale lock that was taken over.
    taken_over: Option<LockInfo>,
    /// The end of the operations log, once it was read.
    end: Mutex<Option<LogEnd>>,
    /// The operation that transactions belong to.
    under_way: Mutex<Option<UnderWay>>,
    /// Directories above kept files that are known to be durable.
    durable: Mutex<BTreeSet<RelPath>>,
}

impl Writer {
    /// What was done about an unfinished transaction when the lock was taken.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// A transaction without changes yet.
    pub fn begin(&self, label: TxnLabel) -> Transaction<'_> {
        Transaction::new(self, label, Changes::default())
    }

    /// Makes all changes in one transaction, durably; `at` is the time the operations log gives.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn apply(
        &self,
        label: TxnLabel,
        changes: Changes,
        at: Timestamp,
    ) -> Result<Receipt, StoreError> {
        let mut txn = Transaction::new(self, label, changes);
        txn.at(at);
        txn.commit()
    }

    /// Makes the transactions from now on steps of one operation: of an interrupted one of the same
    /// label at the end of the log, else of a new one. For an operation that writes a chapter, `staged`
    /// are the files that lie in staging for it: all else there is the operation's. The operation ends with the transaction that has its label, or with
    /// [`Writer::finish_operation`].
    ///
    /// # Errors
    /// When the log can not be read.
    pub fn operation(
        &self,
        label: TxnLabel,
        staged: Option<Vec<RelPath>>,
    ) -> Result<(), StoreError> {
        let operation = self.with_end(|end| end.number_of(&label))?;
        *self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(UnderWay {
            operation,
            label,
            staged,
        });
        Ok(())
    }

    /// Ends the operation under way, if it has changed anything and is not ended yet.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn finish_operation(&self, at: Timestamp) -> Result<(), StoreError> {
        let Some(under_way) = self.under_way() else {
            return Ok(());
        };
        if self.with_end(|end| end.has_begun(under_way.operation))? {
            let mut txn = Transaction::new(self, under_way.label, Changes::default()).closing();
            txn.at(at);
            txn.commit()?;
        }
        self.abandon_operation();
        Ok(())
    }

    /// Leaves the operation under way open: whoever continues it finds it at the end of the log.
    pub fn abandon_operation(&self) {
        *self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The number of the operation under way, or of the next one. It is the same after a crash, and
    /// another one after the operation was taken back.
    ///
    /// # Errors
    /// When the log can not be read.
    pub fn operation_id(&self) -> Result<u64, StoreError> {
        match self.under_way() {
            Some(under_way) => Ok(under_way.operation),
            None => self.with_end(|end| end.last + 1),
        }
    }

    /// The operation under way.
    #[must_use]
    pub fn operation_label(&self) -> Option<TxnLabel> {
        self.under_way().map(|under_way| under_way.label)
    }

    /// The operation at the end of the log, if it was interrupted.
    ///
    /// # Errors
    /// When the log can not be read.
    pub fn open_operation(&self) -> Result<Option<TxnLabel>, StoreError> {
        self.with_end(|end| end.open.clone())
    }

    /// The number of the last operation in the log.
    ///
    /// # Errors
    /// When the log can not be read.
    pub fn last_operation(&self) -> Result<u64, StoreError> {
        self.with_end(|end| end.last)
    }

    /// The holder of the stale lock that was taken over.
    #[must_use]
    pub fn taken_over(&self) -> Option<&LockInfo> {
        self.taken_over.as_ref()
    }

    pub(crate) fn under_way(&self) -> Option<UnderWay> {
        let under_way = self.under_way.lock();
        under_way.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn log_end(&self) -> MutexGuard<'_, Option<LogEnd>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_end<T>(&self, look: impl FnOnce(&LogEnd) -> T) -> Result<T, StoreError> {
        let mut end = self.log_end();
        match &*end {
            Some(known) => Ok(look(known)),
            None => Ok(look(end.insert(LogEnd::read(self.fs())?))),
        }
    }

    pub(crate) fn note_line(&self, line: &Line) {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if line.state == OperationState::Done {
            *under_way = None;
        }
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
                pack: None,
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
