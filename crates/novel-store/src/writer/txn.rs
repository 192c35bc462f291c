//! Collecting the changes of one transaction, and committing them.

use jiff::Timestamp;
use novel_book::{
    edit::{Change, Changes},
    operations::{FileChange, Fingerprint, Kept, Line, ORIGIN, OperationState, TxnKind, TxnLabel},
};
use novel_model::{BookReader, ContentHash, ReadError, RelPath, layout, seal};

use super::{Writer, reserved};
use crate::{
    compressed,
    error::StoreError,
    fs::{Fault, FileSystem, FsError, list_if_there},
    journal,
    limits::{is_log, limit_of},
    log_end::{LogEnd, UnderWay},
    pack::Packer,
    plan::{Old, Op, PLAN_VERSION, Plan, Receipt, blob_path},
};

/// Bytes of the log of operations from which its older lines are put away.
const MAX_LOG: u64 = 256 * 1024;

/// Bytes of the log that stay then.
const KEPT_OF_LOG: usize = 64 * 1024;

/// New contents, by their place in the journal.
type Blobs = Vec<(RelPath, Vec<u8>)>;

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
        // lock cannot change hands between the check and the last rename.
        let _serialised = fs.lock_root()?;
        self.writer.guard().check()?;
        // Left by an earlier commit of this writer that failed.
        if let Some(plan) = journal::sealed(fs)? {
            return Err(StoreError::Unfinished { label: plan.label });
        }
        journal::recover(fs)?;

        let mut end = self.writer.log_end();
        let (known, is_readable) = match end.take() {
            Some(known) => (known, true),
            None => match LogEnd::read(fs) {
                Ok(read) => (read, true),
                // What is not recorded may repair the log.
                Err(StoreError::OperationsDamaged { .. }) if !self.label.kind.is_recorded() => {
                    (LogEnd::default(), false)
                }
                Err(error) => return Err(error),
            },
        };
        let Planned {
            plan,
            blobs,
            line,
            end: after,
        } = self.plan(fs, known)?;
        // A log that was repaired ends in another way.
        let repaired = self.changes.get(&layout::operations()).is_some();
        let after = Some(after).filter(|_| is_readable && !repaired);
        let receipt = Receipt::of(&plan);
        if plan.ops.is_empty() {
            *end = after;
            return Ok(receipt);
        }
        let prepared =
            journal::prepare(fs, &plan, &blobs).and_then(|()| Ok(self.writer.guard().check()?));
        if let Err(error) = prepared {
            // What cannot be removed now is discarded by the next writer.
            let _ = journal::discard(fs);
            return Err(error);
        }
        let finished = match journal::seal(fs) {
            Ok(()) => journal::finish(fs, &plan),
            // Whether the plan was sealed is for the disk to say, not for the failed call.
            Err(error) if matches!(journal::sealed(fs), Ok(None)) => {
                let _ = journal::discard(fs);
                return Err(error.into());
            }
            Err(error) => Err(error.into()),
        };
        match finished {
            Ok(()) => {
                *end = after;
                if let Some(line) = line {
                    self.writer.note_line(&line);
                }
                Ok(receipt)
            }
            Err(error @ StoreError::Sealed { .. }) => Err(error),
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
            answers: Vec::new(),
        };
        for (path, change) in self.changes.iter() {
            builder.add(path, change)?;
        }
        // A new book is where the log begins; nothing can be taken back before it, but what it was
        // made of is known.
        let is_root = is_new_book
            && builder
                .changes
                .iter()
                .all(|change| matches!(change, FileChange::Created { .. }));
        // What changed nothing in the end is taken back all the same.
        let is_undo = matches!(self.label.kind, TxnKind::Undo { .. } | TxnKind::Redo { .. });
        let changes_anything = is_undo || !builder.ops.is_empty();
        let recorded = self.label.kind.is_recorded() && changes_anything;
        let operation = if is_root { ORIGIN } else { operation };
        let line = if recorded || (self.closes && under_way.is_some()) {
            let parent = builder.end.parent(fs)?;
            let has_begun = under_way.is_some() && builder.end.has_begun(operation);
            let changes = std::mem::take(&mut builder.changes);
            let answers = std::mem::take(&mut builder.answers);
            let line = Line {
                operation,
                kind: self.label.kind,
                target: self.label.target.clone(),
                step: None,
                parent: parent.filter(|_| !has_begun),
                at: self.time.unwrap_or_else(|| self.writer.now()).to_string(),
                state: OperationState::Done,
                staged: None,
                note: self.writer.note(),
                archive: None,
                changes,
                answers,
            };
            Some(match under_way {
                Some(under_way) => self.as_step(line, under_way, has_begun),
                None => line,
            })
        } else {
            None
        };
        if let Some(line) = &line {
            let mut text = seal::seal_line(&serde_json::to_string(line)?, builder.end.sum());
            builder.end.note_line(line, &text);
            text.push('\n');
            builder.log(&text)?;
        }
        builder.add_pack()?;
        let Builder {
            ops, blobs, end, ..
        } = builder;
        let plan = Plan {
            version: PLAN_VERSION,
            label: self.label.clone(),
            operation: line
                .as_ref()
                .map(|line| line.operation)
                .filter(|operation| *operation != ORIGIN),
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
            reserved.extend([layout::operations(), layout::older_operations()]);
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
    /// What happens to kept answers, for the log.
    answers: Vec<FileChange>,
}

impl Builder<'_> {
    fn add(&mut self, path: &RelPath, change: &Change) -> Result<(), StoreError> {
        // Neither belongs to an operation: undoing one neither forgets a paid answer nor repeats a note.
        if path.is_under(&layout::calls_dir()) || path.is_under(&layout::inbox_dir()) {
            return self.add_to_ledger(path, change);
        }
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

    /// Adds a line to the log of operations. Once the log is long, its older lines are put away
    /// compressed: they would be a tenth of the book.
    fn log(&mut self, line: &str) -> Result<(), StoreError> {
        let path = layout::operations();
        let is_long = self
            .fs
            .metadata(&path)?
            .is_some_and(|log| log.len > MAX_LOG);
        let before = match is_long {
            true => journal::read_if_there(self.fs, &path)?,
            false => None,
        };
        let text = before.as_deref().map(std::str::from_utf8);
        // A damaged log stays as it is, for whoever repairs it.
        let Some(Ok(text)) = text else {
            self.append(&path, line.as_bytes())?;
            return Ok(());
        };
        let lines = text.rmatch_indices('\n').map(|(end, _)| end + 1);
        let mut begins = lines.take_while(|begin| text.len() - begin <= KEPT_OF_LOG);
        let (older, newer) = text.split_at(begins.by_ref().last().unwrap_or(text.len()));
        let older_path = layout::older_operations();
        let frame = compressed::compress(&older_path, older)?;
        self.extend(&older_path, &frame)?;
        let bytes = [newer.as_bytes(), line.as_bytes()].concat();
        self.replace(&path, &bytes, Some(text.as_bytes()));
        Ok(())
    }

    /// The ledger is no part of the book: what happens to it is recorded and not kept.
    fn add_to_ledger(&mut self, path: &RelPath, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Append(bytes) => {
                let meta = self.fs.metadata(path)?;
                let added = Fingerprint::of(bytes);
                self.answers.push(match meta {
                    Some(meta) => FileChange::Grown {
                        path: path.clone(),
                        from: meta.len,
                        added,
                    },
                    None => FileChange::Created {
                        path: path.clone(),
                        after: added,
                    },
                });
                self.extend(path, bytes)
            }
            Change::Write(bytes) => {
                let old = journal::read_if_there(self.fs, path)?;
                self.answers.push(FileChange::Created {
                    path: path.clone(),
                    after: Fingerprint::of(bytes),
                });
                self.replace(path, bytes, old.as_deref());
                Ok(())
            }
            Change::Remove => {
                if let Some(old) = journal::read_if_there(self.fs, path)? {
                    let old = Old::of(&old);
                    // One in a file of its own came without a line, and goes without one.
                    if path.as_str().ends_with(".zst") {
                        self.answers.push(FileChange::Removed {
                            path: path.clone(),
                            before: Fingerprint::from(&old.hash),
                            kept: None,
                        });
                    }
                    self.ops.push(Op::Remove {
                        path: path.clone(),
                        old,
                        archive: None,
                    });
                }
                Ok(())
            }
        }
    }

    /// Adds to a file of the store itself, or makes it.
    fn extend(&mut self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        match self.fs.metadata(path)? {
            Some(meta) => {
                let op = Op::Append {
                    path: path.clone(),
                    blob: self.blob(bytes),
                    hash: ContentHash::of(bytes),
                    old_len: meta.len,
                    len: Some(bytes.len() as u64),
                };
                self.ops.push(op);
            }
            None => self.replace(path, bytes, None),
        }
        Ok(())
    }

    /// Gives a file of the store itself new content.
    fn replace(&mut self, path: &RelPath, bytes: &[u8], old: Option<&[u8]>) {
        let op = Op::Write {
            path: path.clone(),
            blob: self.blob(bytes),
            hash: ContentHash::of(bytes),
            old: old.map(Old::of),
            archive: None,
        };
        self.ops.push(op);
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
            len: Some(bytes.len() as u64),
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
                kept: self.packer.add_alone(&path, tail)?,
                tail: Fingerprint::of(tail),
                path,
                after,
            });
        }
        let content = Fingerprint::from(&old.hash);
        Ok(FileChange::Replaced {
            kept: self.keep(&path, before, &content)?,
            before: content,
            path,
            after,
        })
    }

    fn remove(&mut self, path: &RelPath) -> Result<(), StoreError> {
        let Some(before) = journal::read_if_there(self.fs, path)? else {
            return Ok(());
        };
        let old = Old::of(&before);
        let content = Fingerprint::from(&old.hash);
        let kept = self.keep(path, before, &content)?;
        self.changes.push(FileChange::Removed {
            path: path.clone(),
            before: content,
            kept,
        });
        self.ops.push(Op::Remove {
            path: path.clone(),
            old,
            archive: None,
        });
        Ok(())
    }

    /// Puts the content of a file into the pack, unless it is the operation's own.
    fn keep(
        &mut self,
        path: &RelPath,
        bytes: Vec<u8>,
        content: &Fingerprint,
    ) -> Result<Option<Kept>, StoreError> {
        if self.end.is_own(self.packer.operation, path, content) {
            return Ok(None);
        }
        let mut chain = self.end.chain(self.fs, path);
        let kept = self.packer.add_version(path, bytes, &mut chain)?;
        self.end.note_kept(path, kept, chain);
        Ok(Some(kept))
    }

    /// The pack comes first: what it keeps is durable before anything is replaced.
    fn add_pack(&mut self) -> Result<(), StoreError> {
        let bytes = std::mem::take(&mut self.packer.bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        self.extend(&self.packer.path(), &bytes)?;
        self.ops.rotate_right(1);
        Ok(())
    }

    fn blob(&mut self, bytes: &[u8]) -> RelPath {
        let path = blob_path(self.blobs.len());
        self.blobs.push((path.clone(), bytes.to_vec()));
        path
    }
}
