//! The right to write to a project, and its transactions.

mod txn;

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use novel_book::{
    edit::Changes,
    operations::{Line, OperationState, TxnKind, TxnLabel},
};
use novel_model::{ChapterNo, RelPath, layout};

pub use self::txn::Transaction;
use crate::{
    boundary::{self, OwnWrites},
    cache::UserCache,
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError},
    heartbeat::{HEARTBEAT_INTERVAL, Heartbeat},
    journal::{self, Recovery},
    lock::{self, LockGuard, Taken, Unreleased},
    lock_state::LockInfo,
    log_end::{LogEnd, UnderWay},
    machine::Machine,
    plan::Receipt,
    reader::{Held, StoreReader},
};

/// The right to write: the lock, and a project without unfinished business.
/// Dropping it gives the lock back.
pub struct Writer {
    fs: Arc<dyn FileSystem>,
    machine: Arc<dyn Machine>,
    own: OwnWrites,
    guard: LockGuard,
    recovery: Recovery,
    /// The holder of the stale lock that was taken over.
    taken_over: Option<LockInfo>,
    /// The end of the operations log, once it was read.
    end: Mutex<Option<LogEnd>>,
    /// The operation that transactions belong to.
    under_way: Mutex<Option<UnderWay>>,
    /// What the author asked for, until it stands in a line of the log.
    note: Mutex<Option<String>>,
    /// Directories above kept files that are known to be durable.
    durable: Mutex<BTreeSet<RelPath>>,
    /// What was made of the project's files to be quicker.
    cache: Option<Arc<UserCache>>,
    held: Arc<Held>,
}

impl Writer {
    /// Takes the lock and completes or discards what a crash left behind.
    pub(crate) fn acquire(
        fs: &Arc<dyn FileSystem>,
        machine: &Arc<dyn Machine>,
        own: &OwnWrites,
        unreleased: &Unreleased,
        chapter: Option<ChapterNo>,
    ) -> Result<Self, StoreError> {
        let Taken {
            guard,
            taken_over,
            serialised,
        } = LockGuard::acquire(fs, machine, unreleased, chapter)?;
        // First, because a transaction that is completed may take the durable answers away.
        if taken_over.is_some() || !matches!(fs.metadata(&layout::journal_dir()), Ok(None)) {
            sweep_fresh(fs.as_ref());
        }
        let recovered = own
            .root()
            .map_or(Ok(()), boundary::recover)
            .and_then(|()| journal::recover(fs.as_ref()));
        drop(serialised);
        let recovery = recovered?;
        Ok(Self {
            fs: Arc::clone(fs),
            machine: Arc::clone(machine),
            own: own.clone(),
            guard,
            recovery,
            taken_over,
            durable: Mutex::default(),
            end: Mutex::default(),
            under_way: Mutex::default(),
            note: Mutex::default(),
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

    /// Gives the lock back.
    ///
    /// # Errors
    /// When it cannot be removed. What was written is written, and the next writer takes it over.
    pub fn release(self) -> Result<(), StoreError> {
        let unreleased = self.guard.unreleased();
        drop(self);
        match lock::take(&unreleased) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

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
    /// When the log cannot be read.
    pub fn operation(
        &self,
        label: TxnLabel,
        staged: Option<Vec<RelPath>>,
    ) -> Result<(), StoreError> {
        let operation = self.with_end(|end| end.number_of(&label))?;
        *self.under_way_mut() = Some(UnderWay {
            operation,
            label,
            staged,
        });
        Ok(())
    }

    /// Records what the author asked for with the next transaction that enters the log.
    pub fn record_note(&self, note: &str) {
        *self.note_mut() = Some(note.to_owned());
    }

    pub(crate) fn note(&self) -> Option<String> {
        self.note_mut().clone()
    }

    fn note_mut(&self) -> MutexGuard<'_, Option<String>> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner)
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
        *self.under_way_mut() = None;
    }

    /// The number of the operation under way, or of the next one. It is the same after a crash, and
    /// another one after the operation was taken back.
    ///
    /// # Errors
    /// When the log cannot be read.
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
    /// When the log cannot be read.
    pub fn open_operation(&self) -> Result<Option<TxnLabel>, StoreError> {
        self.with_end(|end| end.open.clone())
    }

    /// The number of the last operation in the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn last_operation(&self) -> Result<u64, StoreError> {
        self.with_end(|end| end.last)
    }

    /// The holder of the stale lock that was taken over.
    #[must_use]
    pub fn taken_over(&self) -> Option<&LockInfo> {
        self.taken_over.as_ref()
    }

    /// Whether the process before did not come to its end: it left a lock, or a transaction that was
    /// finished just now.
    #[must_use]
    pub fn follows_a_crash(&self) -> bool {
        self.taken_over.is_some() || matches!(self.recovery, Recovery::RolledForward { .. })
    }

    pub(crate) fn under_way(&self) -> Option<UnderWay> {
        self.under_way_mut().clone()
    }

    fn under_way_mut(&self) -> MutexGuard<'_, Option<UnderWay>> {
        let under_way = self.under_way.lock();
        under_way.unwrap_or_else(PoisonError::into_inner)
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
        *self.note_mut() = None;
        if line.state == OperationState::Done {
            self.abandon_operation();
        }
    }

    /// Writes a file once and for all, durably: there whole or not at all after a crash, and never
    /// replaced. Cheaper than a transaction, which has nothing to take back here. The same content
    /// again is no error.
    ///
    /// # Errors
    /// When the file is there with another content, or cannot be written.
    pub fn keep(&self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        self.keep_learning(path, || self.keep_alone(path, bytes, None))
    }

    /// Like [`Writer::keep`], for content that must survive this process: it is written to `fresh`, in the
    /// same directory, before anything is synced or waited for, and stays there until it is at `path`. A power cut may leave a part of it there, so the content tells itself whether it is whole.
    ///
    /// # Errors
    /// As [`Writer::keep`].
    pub fn keep_at_once(
        &self,
        path: &RelPath,
        fresh: &RelPath,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        self.keep_learning(path, || {
            refuse_reserved(fresh)?;
            let fs = self.fs();
            // What counts is the durable one.
            let is_there = journal::make_room(fs, fresh, &mut self.durable()).is_ok()
                && journal::write_anew(fs, fresh, bytes).is_ok();
            self.keep_alone(path, bytes, is_there.then_some(fresh))
        })
    }

    /// Makes the directories of a file that is to be kept, durably, so that keeping it waits for less.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn make_room(&self, path: &RelPath) -> Result<(), StoreError> {
        refuse_reserved(path)?;
        self.keep_learning(path, || {
            journal::make_room(self.fs(), path, &mut self.durable())
        })
    }

    /// Keeps a file; no comparison with what an agent wrote takes it for the agent's.
    fn keep_learning(
        &self,
        path: &RelPath,
        keep: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.own_writes().commit(|| {
            keep()?;
            Ok(Receipt {
                label: TxnLabel::new(TxnKind::Call, path.as_str()),
                operation: None,
                pack: None,
                changed: vec![path.clone()],
            })
        })?;
        Ok(())
    }

    fn keep_alone(
        &self,
        path: &RelPath,
        bytes: &[u8],
        fresh: Option<&RelPath>,
    ) -> Result<(), StoreError> {
        refuse_reserved(path)?;
        let fs = self.fs();
        // As for a transaction: the lock cannot change hands in between.
        let _serialised = fs.lock_root()?;
        self.guard.check()?;
        let placed = journal::place(fs, path, bytes, fresh, &mut self.durable());
        let Err(StoreError::Fs(FsError {
            fault: Fault::Exists,
            ..
        })) = placed
        else {
            return placed;
        };
        // Left by an attempt whose last sync failed: it may be there for now alone.
        if journal::read_if_there(fs, path)?.is_some_and(|there| there == bytes) {
            return journal::replace(fs, path, bytes, fresh);
        }
        placed
    }

    /// Whoever panicked while holding it has added nothing that is not so.
    fn durable(&self) -> MutexGuard<'_, BTreeSet<RelPath>> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The book as it is now. A transaction that could not be finished is finished first: what a
    /// writer reads is in its place and durable.
    ///
    /// # Errors
    /// When it still cannot be finished; or as [`crate::Store::reader`].
    pub fn reader(&self) -> Result<StoreReader, StoreError> {
        self.settle()?;
        Ok(StoreReader::new(Arc::clone(&self.fs))?
            .with_cache(self.cache.clone())
            .with_held(Arc::clone(&self.held)))
    }

    fn settle(&self) -> Result<(), StoreError> {
        let fs = self.fs();
        if fs.metadata(&layout::journal_dir())?.is_none() {
            return Ok(());
        }
        let _serialised = fs.lock_root()?;
        self.guard.check()?;
        if let Recovery::RolledForward { .. } = journal::recover(fs)? {
            let read = LogEnd::read(fs)?;
            let mut under_way = self.under_way_mut();
            if let Some(operation) = under_way.as_ref().map(|under_way| under_way.operation)
                && read.has_begun(operation)
                && read.open.is_none()
            {
                *under_way = None;
            }
            *self.log_end() = Some(read);
        }
        Ok(())
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
        &self.own
    }

    pub(crate) fn fs(&self) -> &dyn FileSystem {
        self.fs.as_ref()
    }

    /// The time on the store's machine.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.machine.now()
    }
}

/// Removes fresh answers that a crash left beside their durable ones. Those that cannot be looked at or
/// removed are in nobody's way.
fn sweep_fresh(fs: &dyn FileSystem) {
    let ledger = layout::calls_dir();
    let listed = |dir: &RelPath, end: &str| fs.list_ending(&Dir::At(dir.clone()), end);
    for step in listed(&ledger, "").unwrap_or_default() {
        let Ok(step) = ledger.join(&step) else {
            continue;
        };
        for name in listed(&step, ".new").unwrap_or_default() {
            let kept = name.replace(".new", ".json");
            let paths = (step.join(&name), step.join(&kept));
            if let (Ok(fresh), Ok(kept)) = paths
                && matches!(fs.metadata(&kept), Ok(Some(_)))
            {
                let _ = fs.remove_file(&fresh);
            }
        }
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

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("recovery", &self.recovery)
            .field("taken_over", &self.taken_over)
            .finish_non_exhaustive()
    }
}
