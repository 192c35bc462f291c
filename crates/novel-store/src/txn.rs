//! Collecting the changes of one transaction, and committing them.

use jiff::Timestamp;
use novel_book::edit::{Change, Changes};
use novel_model::{BookReader, ContentHash, ReadError, RelPath, layout};
use serde_json::{Value, json};

use crate::{
    error::StoreError,
    fs::{Fault, FileSystem, FsError},
    history::changes_of,
    journal,
    plan::{Old, Op, PLAN_VERSION, Plan, TxnLabel, blob_path},
    reader::{last_line, limit_of, list_if_there},
    store::{Writer, reserved},
};

/// Which replaced and removed files are kept in `archive/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchivePolicy {
    /// All of them.
    Everything,
    /// Not the bookkeeping: checkpoint, progress, bindings, instruction packets.
    ContentOnly,
}

impl ArchivePolicy {
    fn keeps(self, path: &RelPath) -> bool {
        let bookkeeping = [layout::checkpoint(), layout::progress()];
        let staged = ["staging/bindings/", "staging/manifests/"];
        match self {
            Self::Everything => true,
            Self::ContentOnly => {
                !bookkeeping.contains(path)
                    && !staged.iter().any(|dir| path.as_str().starts_with(dir))
            }
        }
    }
}

/// New contents, by their place in the journal.
type Blobs = Vec<(RelPath, Vec<u8>)>;

/// What a finished transaction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its name.
    pub label: TxnLabel,
    /// Its number in the operations log, if it is an operation that changed something.
    pub operation: Option<u64>,
    /// Where what it replaced is kept, if it replaced anything.
    pub archive: Option<RelPath>,
    /// The files it changed, sorted.
    pub changed: Vec<RelPath>,
}

/// Changes that become visible all at once, or not at all.
///
/// Collecting them touches no file. Reading through the transaction sees them.
#[must_use = "a transaction that is not committed changes nothing"]
pub struct Transaction<'w> {
    writer: &'w Writer,
    label: TxnLabel,
    policy: ArchivePolicy,
    time: Option<Timestamp>,
    changes: Changes,
}

impl<'w> Transaction<'w> {
    pub(crate) fn new(writer: &'w Writer, label: TxnLabel, changes: Changes) -> Self {
        let policy = if label.kind.is_operation() {
            ArchivePolicy::Everything
        } else {
            ArchivePolicy::ContentOnly
        };
        Self {
            writer,
            label,
            policy,
            time: None,
            changes,
        }
    }

    /// Chooses what is archived; operations keep everything by default, other
    /// transactions content only.
    pub fn archive_policy(&mut self, policy: ArchivePolicy) {
        self.policy = policy;
    }

    /// The time the operations log gives; the machine's clock unless this is set.
    pub fn at(&mut self, time: Timestamp) {
        self.time = Some(time);
    }

    /// The file gets this content.
    pub fn write(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.changes.write(path, bytes);
    }

    /// The file goes; a file that is not there may go too.
    pub fn remove(&mut self, path: RelPath) {
        self.changes.remove(path);
    }

    /// The file grows by these bytes; a missing file is made.
    pub fn append(&mut self, path: RelPath, bytes: impl AsRef<[u8]>) {
        self.changes.append(path, bytes);
    }

    /// The paths it changes so far, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.changes.paths()
    }

    /// This transaction, with the changes of an earlier one made along with it, before its own.
    pub fn after(mut self, earlier: Self) -> Self {
        let own = std::mem::replace(&mut self.changes, earlier.changes);
        self.changes.extend(own);
        self
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Makes all changes, durably. Changes that change nothing are left out, and
    /// a transaction without changes writes nothing at all.
    ///
    /// # Errors
    /// [`StoreError::Sealed`] when it is decided but not finished: the next
    /// writer finishes it. With any other error the project is unchanged.
    pub fn commit(self) -> Result<Receipt, StoreError> {
        self.writer.own_writes().commit(|| self.apply())
    }

    fn apply(&self) -> Result<Receipt, StoreError> {
        let fs = self.writer.fs();
        // Held to the end: whoever takes over a lock must hold it too, so the
        // lock can not change hands between the check and the last rename.
        let _serialised = fs.lock_root()?;
        self.writer.guard().check()?;
        // Left by an earlier commit of this writer that failed.
        if let Some(plan) = journal::sealed(fs)? {
            return Err(StoreError::Unfinished { label: plan.label });
        }
        journal::recover(fs)?;

        let (plan, blobs) = self.plan(fs)?;
        let receipt = receipt_of(&plan);
        if plan.ops.is_empty() {
            return Ok(receipt);
        }
        let sealed = journal::prepare(fs, &plan, &blobs)
            .and_then(|()| Ok(self.writer.guard().check()?))
            .and_then(|()| Ok(journal::seal(fs)?));
        if let Err(error) = sealed {
            // What can not be removed now is discarded by the next writer.
            let _ = journal::discard(fs);
            return Err(error);
        }
        match journal::finish(fs, &plan) {
            Ok(()) => Ok(receipt),
            Err(source) => Err(StoreError::Sealed {
                label: self.label.clone(),
                source: Box::new(source),
            }),
        }
    }

    /// Compares the changes with what is there and writes down what to do.
    fn plan(&self, fs: &dyn FileSystem) -> Result<(Plan, Blobs), StoreError> {
        self.check_targets(fs)?;
        let last = last_operation(fs)?;
        let operation = self.label.kind.is_operation().then_some(last + 1);
        let archive = free_archive(fs, operation.unwrap_or(last), &self.label)?;
        let mut builder = Builder {
            fs,
            archive: &archive,
            policy: self.policy,
            ops: Vec::new(),
            blobs: Vec::new(),
        };
        for (path, change) in self.changes.iter() {
            builder.add(path, change)?;
        }
        if let (Some(number), false) = (operation, builder.ops.is_empty()) {
            let line = self.operation_line(number, &archive, &builder.ops);
            builder.add(&layout::operations(), &Change::Append(line))?;
        }
        let Builder { ops, blobs, .. } = builder;
        let plan = Plan {
            version: PLAN_VERSION,
            label: self.label.clone(),
            operation: operation.filter(|_| !ops.is_empty()),
            archive,
            ops,
        };
        Ok((plan, blobs))
    }

    fn check_targets(&self, fs: &dyn FileSystem) -> Result<(), StoreError> {
        let mut reserved = reserved().to_vec();
        if self.label.kind.is_operation() {
            reserved.push(layout::operations());
        }
        for (path, change) in self.changes.iter() {
            let ancestors = std::iter::successors(path.parent(), RelPath::parent);
            let under_a_file = ancestors
                .filter_map(|ancestor| self.changes.get(&ancestor))
                .any(|change| *change != Change::Remove);
            let bad = reserved.iter().any(|reserved| path.is_under(reserved)) || under_a_file;
            if bad {
                return Err(StoreError::BadTarget { path: path.clone() });
            }
            let removes_nothing = *change == Change::Remove && fs.metadata(path)?.is_none();
            if !removes_nothing {
                fs.check_writable(path)?;
            }
        }
        Ok(())
    }

    fn operation_line(&self, number: u64, archive: &RelPath, ops: &[Op]) -> Vec<u8> {
        let archives = ops.iter().any(|op| op.archived_at().is_some());
        let line = json!({
            "operation": number,
            "kind": self.label.kind.name(),
            "target": self.label.target,
            "at": self.time.unwrap_or_else(|| self.writer.now()).to_string(),
            "archive": archives.then_some(archive.as_str()),
            "changes": changes_of(ops),
        });
        format!("{line}\n").into_bytes()
    }
}

impl BookReader for Transaction<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        let on_disk = || match self.writer.fs().read(path, limit_of(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(FsError {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(error) => Err(error.into_read_error(path)),
        };
        self.changes.read(path, on_disk)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let names = list_if_there(self.writer.fs(), directory, "")?;
        Ok(self.changes.list(directory, names))
    }
}

/// Turns changes into the operations of a plan.
struct Builder<'a> {
    fs: &'a dyn FileSystem,
    archive: &'a RelPath,
    policy: ArchivePolicy,
    ops: Vec<Op>,
    blobs: Blobs,
}

impl Builder<'_> {
    fn add(&mut self, path: &RelPath, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Write(bytes) => self.write(path, bytes),
            Change::Remove => self.remove(path),
            Change::Append(bytes) => match self.fs.metadata(path)? {
                None => self.write(path, bytes),
                Some(_) if bytes.is_empty() => Ok(()),
                Some(meta) => {
                    let op = Op::Append {
                        path: path.clone(),
                        blob: self.blob(bytes),
                        hash: ContentHash::of(bytes),
                        old_len: meta.len,
                    };
                    self.ops.push(op);
                    Ok(())
                }
            },
        }
    }

    fn write(&mut self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        let hash = ContentHash::of(bytes);
        let old = self.old(path)?;
        if old.as_ref().is_some_and(|old| old.hash == hash) {
            return Ok(());
        }
        let archive = self.place_for(path, old.as_ref())?;
        let op = Op::Write {
            path: path.clone(),
            blob: self.blob(bytes),
            hash,
            old,
            archive,
        };
        self.ops.push(op);
        Ok(())
    }

    fn remove(&mut self, path: &RelPath) -> Result<(), StoreError> {
        let Some(old) = self.old(path)? else {
            return Ok(());
        };
        let archive = self.place_for(path, Some(&old))?;
        self.ops.push(Op::Remove {
            path: path.clone(),
            old,
            archive,
        });
        Ok(())
    }

    fn old(&self, path: &RelPath) -> Result<Option<Old>, StoreError> {
        Ok(journal::read_if_there(self.fs, path)?.map(|bytes| Old {
            len: bytes.len() as u64,
            hash: ContentHash::of(bytes),
        }))
    }

    fn blob(&mut self, bytes: &[u8]) -> RelPath {
        let path = blob_path(self.blobs.len());
        self.blobs.push((path.clone(), bytes.to_vec()));
        path
    }

    fn place_for(&self, path: &RelPath, old: Option<&Old>) -> Result<Option<RelPath>, StoreError> {
        if old.is_some() && self.policy.keeps(path) {
            Ok(Some(format!("{}/{path}", self.archive).parse()?))
        } else {
            Ok(None)
        }
    }
}

fn receipt_of(plan: &Plan) -> Receipt {
    let archives = plan.ops.iter().any(|op| op.archived_at().is_some());
    let mut changed: Vec<RelPath> = plan.ops.iter().map(|op| op.path().clone()).collect();
    changed.sort();
    Receipt {
        label: plan.label.clone(),
        operation: plan.operation,
        archive: archives.then(|| plan.archive.clone()),
        changed,
    }
}

/// Number of the last operation, from the last line of the log alone.
fn last_operation(fs: &dyn FileSystem) -> Result<u64, StoreError> {
    let Some(line) = last_line(fs, &layout::operations())? else {
        return Ok(0);
    };
    let damaged = |reason: String| StoreError::OperationsDamaged { reason };
    let entry: Value = serde_json::from_slice(&line).map_err(|error| damaged(error.to_string()))?;
    entry
        .get("operation")
        .and_then(Value::as_u64)
        .ok_or_else(|| damaged("no `operation` number".to_owned()))
}

/// The first archive directory for this transaction that is not taken.
fn free_archive(fs: &dyn FileSystem, number: u64, label: &TxnLabel) -> Result<RelPath, StoreError> {
    let first = layout::archived_operation(number, &label.archive_name());
    let mut place = first.clone();
    let mut attempt = 1_u64;
    while fs.metadata(&place)?.is_some() {
        attempt += 1;
        place = format!("{first}-{attempt}").parse()?;
    }
    Ok(place)
}
