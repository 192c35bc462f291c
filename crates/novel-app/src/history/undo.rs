//! `novel undo` and `novel redo`.
//!
//! Both are safe to repeat: after a crash or an error at any moment, the same command finishes what
//! was begun and does nothing more.

use novel_book::operations::{NotTakenBack, Operation, OperationLog, TakeBack};
use novel_contract::history as contract;
use novel_model::{BookReader, ChapterNo, ReadError, RelPath, layout};
use novel_steps::staging;
use novel_store::{Recovery, StoreError, StoreReader, TxnKind, TxnLabel, Writer};

use super::refusal::{LaterOperation, UndoError, UndoRefusal};
use crate::Project;

/// What an undo took back, or a redo brought back.
#[derive(Debug)]
pub struct UndoReport {
    /// The operation.
    pub undone: Operation,
    /// The files that changed.
    pub restored: Vec<RelPath>,
    /// Held until the answer is told: a lock left behind says that it was not.
    pub lock: Writer,
}

/// Takes an operation back: the newest one that stands, or the one with this number.
///
/// # Errors
/// When there is none, later operations touch its files, or a file was changed since; nothing is
/// written then.
pub fn undo(project: &Project, number: Option<u64>) -> Result<UndoReport, UndoError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let log = OperationLog::read(&reader)?;
    let is_meant = |kind| match kind {
        TxnKind::Undo { operation } => number.is_none_or(|number| number == operation),
        _ => false,
    };
    if let Some(done) = done_before(&writer, &log, is_meant) {
        return Ok(report(&log, done, writer));
    }
    let operation = match number {
        None => log.newest_standing().ok_or(UndoRefusal::NothingToUndo)?,
        Some(number) => {
            let standing = log.standing().into_iter();
            let mut found = standing.filter(|found| found.operation == number);
            let none = || UndoRefusal::NoSuchOperation { operation: number };
            found.next().ok_or_else(none)?
        }
    };
    let later = log.later_on_its_files(operation);
    if !later.is_empty() {
        let later = later.into_iter().map(|(later, files)| LaterOperation {
            operation: later.operation,
            kind: later.kind.name(),
            target: later.target.clone(),
            files,
        });
        return Err(UndoRefusal::LaterOperations {
            operation: operation.operation,
            later: later.collect(),
        }
        .into());
    }
    let by = TxnKind::Undo {
        operation: operation.operation,
    };
    let restored = apply(project, &writer, &reader, &log, operation, by)?;
    Ok(UndoReport {
        undone: operation.clone(),
        restored,
        lock: writer,
    })
}

/// Brings back the operation that was taken back last.
///
/// # Errors
/// When there is none or something else was done since, or a file was changed since; nothing is
/// written then.
pub fn redo(project: &Project) -> Result<UndoReport, UndoError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let log = OperationLog::read(&reader)?;
    let is_meant = |kind| matches!(kind, TxnKind::Redo { .. });
    if let Some(done) = done_before(&writer, &log, is_meant) {
        return Ok(report(&log, done, writer));
    }
    let undo = log.redoable().ok_or(UndoRefusal::NothingToRedo)?;
    let operation = about(undo.kind).and_then(|number| log.get(number));
    let operation = operation.ok_or(UndoRefusal::NothingToRedo)?;
    let by = TxnKind::Redo {
        operation: operation.operation,
    };
    let restored = apply(project, &writer, &reader, &log, undo, by)?;
    Ok(UndoReport {
        undone: operation.clone(),
        restored,
        lock: writer,
    })
}

/// The undo or redo that an interrupted call of the same command made: finished just now from its
/// journal, or complete although its process died before it could say so.
fn done_before<'a>(
    writer: &Writer,
    log: &'a OperationLog,
    is_meant: impl Fn(TxnKind) -> bool,
) -> Option<&'a Operation> {
    let last = log.operations.last()?;
    let finished =
        matches!(writer.recovery(), Recovery::RolledForward { label } if label.kind == last.kind);
    let untold = writer
        .taken_over()
        .and_then(|holder| holder.last_operation)
        .is_some_and(|before| last.operation > before);
    ((finished || untold) && is_meant(last.kind)).then_some(last)
}

fn report(log: &OperationLog, done: &Operation, lock: Writer) -> UndoReport {
    let operation = about(done.kind).and_then(|number| log.get(number));
    UndoReport {
        undone: operation.unwrap_or(done).clone(),
        restored: done.paths().into_iter().cloned().collect(),
        lock,
    }
}

/// The operation that an undo or a redo is about.
fn about(kind: TxnKind) -> Option<u64> {
    match kind {
        TxnKind::Undo { operation } | TxnKind::Redo { operation } => Some(operation),
        _ => None,
    }
}

/// Makes the inverse of an operation; returns the files that changed.
fn apply(
    project: &Project,
    writer: &Writer,
    reader: &StoreReader,
    log: &OperationLog,
    operation: &Operation,
    by: TxnKind,
) -> Result<Vec<RelPath>, UndoError> {
    let at = project.now().to_string();
    let in_staging = match operation.kind {
        TxnKind::Commit { chapter }
        | TxnKind::Regen { chapter }
        | TxnKind::InPlace { chapter }
        | TxnKind::Redraft { chapter } => staged(reader, chapter)?,
        _ => Vec::new(),
    };
    let taken_back = TakeBack {
        operation,
        log,
        book: reader,
        kept: reader,
        in_staging: &in_staging,
        by,
        at: &at,
    };
    let number = about(by).unwrap_or(operation.operation);
    let changes = taken_back.changes().map_err(|error| match error {
        NotTakenBack::ChangedSince { paths } => UndoError::from(UndoRefusal::ChangedSince {
            operation: number,
            paths,
        }),
        NotTakenBack::File(error) => error.into(),
    })?;
    let last = writer.last_operation()?;
    let guard = writer.guard();
    guard.name_last_operation(last).map_err(StoreError::from)?;
    let label = TxnLabel::new(by, format!("operation-{number}"));
    let receipt = project.write(writer, label, changes)?;
    let log = [layout::operations(), layout::older_operations()];
    let changed = receipt.changed.into_iter();
    Ok(changed.filter(|path| !log.contains(path)).collect())
}

/// The files that lie in staging for a chapter.
pub(crate) fn staged(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Vec<RelPath>, ReadError> {
    let mut found = Vec::new();
    for path in staging::everything(reader, chapter)? {
        if reader.read(&path)?.is_some() {
            found.push(path);
        }
    }
    Ok(found)
}

impl UndoReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::UndoAnswer {
        contract::UndoAnswer {
            operation: self.undone.operation,
            kind: self.undone.kind.name().to_owned(),
            target: self.undone.target.clone(),
            restored: self.restored.iter().map(RelPath::to_string).collect(),
            warnings: Vec::new(),
        }
    }
}
