//! Collecting the changes of one transaction, and committing them.

use jiff::Timestamp;
use novel_book::{
    edit::{Change, Changes},
    operations::{FileChange, Fingerprint, Kept, Line, OperationState, TxnKind, TxnLabel},
};
use novel_model::{BookReader, ContentHash, ReadError, RelPath, layout};

use crate::{
    error::StoreError,
    fs::{Fault, FileSystem, FsError, list_if_there},
    journal,
    log_end::{LogEnd, UnderWay},
    pack::{Packer, Version},
    plan::{Old, Op, PLAN_VERSION, Plan, blob_path},
    reader::{is_log, limit_of},
    store::{Writer, reserved},
};

/// New contents, by their place in the journal.
type Blobs = Vec<(RelPath, Vec<u8>)>;

/// What a finished transaction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its name.
    pub label: TxnLabel,
    /// Its operation in the log, if it is recorded there and changed something.
    pub operation: Option<u64>,
    /// Where what it replaced is kept, if it replaced anything.
    pub pack: Option<RelPath>,
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
    time: Option<Timestamp>,
    changes: Changes,
    /// Whether it ends the operation under way, whatever it is.
    closes: bool,
}

impl<'w> Transaction<'w> {
    pub(crate) fn new(writer: &'w Writer, label: TxnLabel, changes: Changes) -> Self {
        Self {
            writer,
            label,
            time: None,
            changes,
            closes: false,
        }
    }

    /// Ends the operation under way with this transaction.
    pub(crate) fn closing(mut self) -> Self {
        self.closes = true;
        self
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

        let mut end = self.writer.log_end();
        let planned = match end.take() {
            Some(known) => self.plan(fs, known),
            None => match LogEnd::read(fs) {
                Ok(read) => self.plan(fs, read),
                // What is not recorded may repair the log.
                Err(_) if !self.label.kind.is_recorded() => self.plan(fs, LogEnd::default()),
                Err(error) => Err(error),
            },
        };
        let Planned {
            plan,
            blobs,
            line,
            end: after,
        } = planned?;
        let receipt = receipt_of(&plan);
        if plan.ops.is_empty() {
            *end = Some(after);
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
            Ok(()) => {
                // A log that was repaired ends in another way.
                *end = Some(after).filter(|_| self.changes.get(&layout::operations()).is_none());
                if let Some(line) = line {
                    self.writer.note_line(&line);
                }
                Ok(receipt)
            }
            Err(source) => Err(StoreError::Sealed {
                label: self.label.clone(),
                source: Box::new(source),
            }),
        }
    }

    /// Compares the changes with what is there and writes down what to do.
    fn plan(&self, fs: &dyn FileSystem, end: LogEnd) -> Result<Planned, StoreError> {
        self.check_targets(fs)?;
        let is_new_book =
            self.label.kind == TxnKind::Init && fs.metadata(&layout::checkpoint())?.is_none();
        let under_way = self.writer.under_way();
        let operation = match &under_way {
            Some(under_way) => under_way.operation,
            None => end.last + 1,
        };
        let packer = Packer::open(fs, operation)?;
        let mut builder = Builder {
            fs,
            end,
            packer,
            ops: Vec::new(),
            blobs: Vec::new(),
            changes: Vec::new(),
        };
        for (path, change) in self.changes.iter() {
            builder.add(path, change)?;
        }
        // A new book is where the log begins; nothing can be taken back before it.
        let is_root = is_new_book
            && builder
                .changes
                .iter()
                .all(|change| matches!(change, FileChange::Created { .. }));
        // What changed nothing in the end is taken back all the same.
        let is_undo = matches!(self.label.kind, TxnKind::Undo { .. } | TxnKind::Redo { .. });
        let changes_anything = is_undo || !builder.ops.is_empty();
        let recorded = self.label.kind.is_recorded() && !is_root && changes_anything;
        let line = if recorded || (self.closes && under_way.is_some()) {
            let parent = builder.end.parent(fs)?;
            let has_begun = under_way.is_some() && builder.end.has_begun(operation);
            let changes = std::mem::take(&mut builder.changes);
            let line = Line {
                operation,
                kind: self.label.kind,
                target: self.label.target.clone(),
                step: None,
                parent: parent.filter(|_| !has_begun),
                at: self.time.unwrap_or_else(|| self.writer.now()).to_string(),
                state: OperationState::Done,
                staged: None,
                archive: None,
                changes,
            };
            Some(match under_way {
                Some(under_way) => self.as_step(line, under_way, has_begun),
                None => line,
            })
        } else {
            None
        };
        if let Some(line) = &line {
            let mut text = serde_json::to_vec(line)?;
            text.push(b'\n');
            builder.append(&layout::operations(), &text)?;
            builder.end.note_line(line);
        }
        builder.add_pack()?;
        let Builder {
            ops, blobs, end, ..
        } = builder;
        let plan = Plan {
            version: PLAN_VERSION,
            label: self.label.clone(),
            operation: line.as_ref().map(|line| line.operation),
            archive: layout::archived_operation(operation, &self.label.archive_name()),
            ops,
        };
        Ok(Planned {
            plan,
            blobs,
            line,
            end,
        })
    }

    /// The line of a transaction that is one step of an operation.
    fn as_step(&self, line: Line, under_way: UnderWay, has_begun: bool) -> Line {
        let UnderWay { label, staged, .. } = under_way;
        let is_last = self.closes
            || (label.kind.ends_with(self.label.kind)
                && (label.kind != self.label.kind || label == self.label));
        Line {
            kind: label.kind,
            step: (label != self.label).then(|| self.label.clone()),
            target: label.target,
            state: if is_last {
                OperationState::Done
            } else {
                OperationState::Open
            },
            staged: staged.filter(|_| !has_begun),
            ..line
        }
    }

    fn check_targets(&self, fs: &dyn FileSystem) -> Result<(), StoreError> {
        let mut reserved = reserved().to_vec();
        if self.label.kind.is_recorded() {
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

/// A transaction that is worked out.
struct Planned {
    plan: Plan,
    blobs: Blobs,
    line: Option<Line>,
    /// The end of the log once it is made.
    end: LogEnd,
}

/// Turns changes into the operations of a plan.
struct Builder<'a> {
    fs: &'a dyn FileSystem,
    end: LogEnd,
    packer: Packer,
    ops: Vec<Op>,
    blobs: Blobs,
    /// For the log.
    changes: Vec<FileChange>,
}

impl Builder<'_> {
    fn add(&mut self, path: &RelPath, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Write(bytes) => self.write(path, bytes),
            Change::Remove => self.remove(path),
            Change::Append(bytes) => {
                if let Some((from, added)) = self.append(path, bytes)? {
                    self.changes.push(FileChange::Grown {
                        path: path.clone(),
                        from,
                        added,
                    });
                }
                Ok(())
            }
        }
    }

    /// Adds to a file; returns its length before and what is added, unless it is new or nothing is.
    fn append(
        &mut self,
        path: &RelPath,
        bytes: &[u8],
    ) -> Result<Option<(u64, Fingerprint)>, StoreError> {
        let Some(meta) = self.fs.metadata(path)? else {
            self.write(path, bytes)?;
            return Ok(None);
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let hash = ContentHash::of(bytes);
        let added = Fingerprint::from(&hash);
        let op = Op::Append {
            path: path.clone(),
            blob: self.blob(bytes),
            hash,
            old_len: meta.len,
        };
        self.ops.push(op);
        Ok(Some((meta.len, added)))
    }

    fn write(&mut self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        let before = journal::read_if_there(self.fs, path)?;
        if before.as_deref() == Some(bytes) {
            return Ok(());
        }
        let hash = ContentHash::of(bytes);
        let old = before.as_deref().map(Old::of);
        let (path, after) = (path.clone(), Fingerprint::from(&hash));
        let change = match (before, &old) {
            (Some(before), Some(old)) => self.replaced(&path, before, old, bytes, after)?,
            _ => FileChange::Created {
                path: path.clone(),
                after,
            },
        };
        self.changes.push(change);
        let op = Op::Write {
            path,
            blob: self.blob(bytes),
            hash,
            old,
            archive: None,
        };
        self.ops.push(op);
        Ok(())
    }

    fn replaced(
        &mut self,
        path: &RelPath,
        before: Vec<u8>,
        old: &Old,
        bytes: &[u8],
        after: Fingerprint,
    ) -> Result<FileChange, StoreError> {
        let path = path.clone();
        if is_log(&path)
            && let Some(tail) = before.strip_prefix(bytes)
        {
            return Ok(FileChange::Cut {
                kept: self.packer.add(&path, tail, None)?,
                tail: Fingerprint::of(tail),
                path,
                after,
            });
        }
        let kept = Some(self.keep(&path, before)?);
        Ok(FileChange::Replaced {
            before: Fingerprint::from(&old.hash),
            path,
            after,
            kept,
        })
    }

    fn remove(&mut self, path: &RelPath) -> Result<(), StoreError> {
        let Some(before) = journal::read_if_there(self.fs, path)? else {
            return Ok(());
        };
        let old = Old::of(&before);
        let kept = Some(self.keep(path, before)?);
        self.changes.push(FileChange::Removed {
            path: path.clone(),
            before: Fingerprint::from(&old.hash),
            kept,
        });
        self.ops.push(Op::Remove {
            path: path.clone(),
            old,
            archive: None,
        });
        Ok(())
    }

    /// Puts the content of a file into the pack.
    fn keep(&mut self, path: &RelPath, bytes: Vec<u8>) -> Result<Kept, StoreError> {
        let base = self.end.base(self.fs, path);
        let links = base.map_or(0, |(_, version)| version.links + 1);
        let kept = self.packer.add(path, &bytes, base)?;
        self.end.note_kept(path, kept, Version { bytes, links });
        Ok(kept)
    }

    /// The pack comes first: what it keeps is durable before anything is replaced.
    fn add_pack(&mut self) -> Result<(), StoreError> {
        let bytes = std::mem::take(&mut self.packer.bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        let path = self.packer.path();
        let (hash, blob) = (ContentHash::of(&bytes), self.blob(&bytes));
        let op = match self.fs.metadata(&path)? {
            Some(meta) => Op::Append {
                path,
                blob,
                hash,
                old_len: meta.len,
            },
            None => Op::Write {
                path,
                blob,
                hash,
                old: None,
                archive: None,
            },
        };
        self.ops.insert(0, op);
        Ok(())
    }

    fn blob(&mut self, bytes: &[u8]) -> RelPath {
        let path = blob_path(self.blobs.len());
        self.blobs.push((path.clone(), bytes.to_vec()));
        path
    }
}

fn receipt_of(plan: &Plan) -> Receipt {
    let (packs, files): (Vec<&Op>, Vec<&Op>) = plan.ops.iter().partition(|op| op.is_to_archive());
    let mut changed: Vec<RelPath> = files.iter().map(|op| op.path().clone()).collect();
    changed.sort();
    Receipt {
        label: plan.label.clone(),
        operation: plan.operation,
        pack: packs.first().map(|op| op.path().clone()),
        changed,
    }
}
