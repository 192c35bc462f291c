//! The ledger of paid calls: `logs/calls/`. An answer is kept before anything is done with it and
//! is never overwritten; the driver looks here before it calls.

mod entry;
pub(crate) mod put_away;

use std::{cell::OnceCell, collections::BTreeSet};

use novel_book::operations::{OperationLog, OperationState};
use novel_model::{
    BookReader, ContentHash, RelPath, StepId,
    files::{JudgeRole, StageLog},
    layout, seal, to_json_text,
};
use novel_steps::accept::Work;
use novel_store::{LockInfo, StoreError, TxnLabel, Writer};
use serde::{Deserialize, Serialize};

pub(crate) use self::entry::Recorded;
use self::entry::{Entry, Mark, Place};
use super::Reuse;

use crate::BookError;

/// What identifies a call: the same question asked again finds the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Question {
    pub(crate) project: String,
    pub(crate) step: String,
    pub(crate) round: String,
    pub(crate) judge: JudgeRole,
    pub(crate) model: String,
    pub(crate) prompt_hash: ContentHash,
}

/// Where the answer to a question is or will be.
pub(crate) struct Slot {
    pub(crate) id: String,
    pub(crate) answer: Option<Recorded>,
    /// Whether the answer is there, but perhaps not for good.
    pub(crate) is_fresh: bool,
}

impl Slot {
    const fn open(id: String) -> Self {
        Self {
            id,
            answer: None,
            is_fresh: false,
        }
    }
}

impl Question {
    /// What its answers are named after.
    pub(crate) fn name(&self) -> String {
        let hash = ContentHash::of(to_json_text(self));
        let digits = hash.as_str().chars().skip("blake3:".len());
        digits.take(16).collect()
    }

    /// The name of the question without the note on what was wrong; `None` where there is no note.
    pub(crate) fn retry_of(&self, plain: ContentHash) -> Option<String> {
        let first = Self {
            prompt_hash: plain,
            ..self.clone()
        };
        (first != *self).then(|| first.name())
    }

    /// The newest answer that can be used, be it one that was sent back once, or the place of the next
    /// one. A rejected answer stays, but the question is asked anew; so it is when what the answer was
    /// for was taken back by the author. Where another answer is wanted, those that were used do not
    /// count, unless the process that used them died before it told anybody.
    pub(crate) fn find(
        &self,
        writer: &Writer,
        reader: &dyn BookReader,
        step: StepId,
        reuse: Reuse,
    ) -> Result<Slot, BookError> {
        let operation = writer.operation_id()?;
        let told = writer.taken_over().and_then(|holder| holder.last_operation);
        let is_untold = |entry: &Entry| {
            entry
                .call
                .operation
                .zip(told)
                .is_some_and(|(operation, told)| operation > told)
        };
        let short = self.name();
        let entries = entry::of_step(reader, step, |_| false)?;
        let generation = |entry: &Entry| -> Option<u32> {
            let rest = entry.call.id.strip_prefix(&short)?;
            rest.strip_prefix('-')?.parse().ok()
        };
        let asked = entries.iter().filter_map(generation).max();
        let id = format!("{short}-{}", asked.map_or(0, |newest| newest + 1));
        if asked.is_none() {
            return Ok(Slot::open(id));
        }
        let discarded = Discarded::new(reader, operation);
        let (mut own, mut retried) = (Vec::new(), None);
        for entry in entries {
            let (call, generation) = (&entry.call, generation(&entry));
            let is_open = match reuse {
                Reuse::Kept => true,
                Reuse::Another => entry.is_unused() || is_untold(&entry),
            };
            if call.rejected.is_some() || !is_open || discarded.contains(call)? {
                continue;
            }
            if generation.is_some() {
                own.push((generation, entry));
            } else if call.retry_of.as_ref() == Some(&short) {
                retried = Some(entry);
            }
        }
        let own = own.into_iter().max_by_key(|(generation, _)| *generation);
        Ok(match own.map(|(_, entry)| entry).or(retried) {
            Some(entry) => Slot {
                id: entry.call.id.clone(),
                is_fresh: entry.place == Place::Fresh,
                answer: Some(entry.call),
            },
            None => Slot::open(id),
        })
    }
}

/// Calls whose work is no longer part of the book. The log of operations is long; it is read only for
/// calls of another operation than the one under way.
struct Discarded<'a> {
    reader: &'a dyn BookReader,
    operation: u64,
    log: OnceCell<OperationLog>,
}

impl<'a> Discarded<'a> {
    fn new(reader: &'a dyn BookReader, operation: u64) -> Self {
        Self {
            reader,
            operation,
            log: OnceCell::new(),
        }
    }

    fn contains(&self, call: &Recorded) -> Result<bool, BookError> {
        if call.operation == Some(self.operation) {
            return Ok(false);
        }
        if let Some(log) = self.log.get() {
            return Ok(call.is_discarded(log));
        }
        let log = OperationLog::read(self.reader)?;
        Ok(call.is_discarded(self.log.get_or_init(|| log)))
    }
}

/// The texts of all answers of a step, in the order they were given.
pub(crate) fn texts(reader: &dyn BookReader, step: StepId) -> Result<Vec<String>, BookError> {
    let entries = entry::of_step(reader, step, |_| false)?;
    Ok(entries.into_iter().map(|entry| entry.call.text).collect())
}

/// A call that no chapter's log has, by the name of its step, and whether it was in vain.
pub(crate) struct Uncounted {
    pub(crate) step: String,
    pub(crate) stage: StageLog,
    pub(crate) discarded: bool,
}

/// The calls of a ledger, but for those already counted, by step. `ledger` is a directory such as
/// `logs/calls`.
pub(crate) fn calls_but(
    reader: &dyn BookReader,
    ledger: &RelPath,
    counted: &BTreeSet<String>,
    log: &OperationLog,
) -> Result<Vec<Uncounted>, BookError> {
    let mut calls = Vec::new();
    let mut names = reader.list(ledger)?;
    names.sort_unstable();
    for name in names {
        let path = ledger.join(&name)?;
        if name.ends_with(".zst") {
            calls.extend(entry::used(reader, &path)?);
            continue;
        }
        let mut files = reader.list(&path)?;
        files.sort_unstable();
        for id in files.iter().filter_map(|name| entry::id_of(name)) {
            if !counted.contains(id) {
                let found = entry::alone(reader, &path, id)?;
                calls.extend(found.map(|entry| entry.call));
            }
        }
    }
    calls.retain(|call| !counted.contains(&call.id));
    let uncounted = calls.into_iter().map(|call| Uncounted {
        discarded: call.is_discarded(log),
        stage: call.stage_log(),
        step: call.step,
    });
    Ok(uncounted.collect())
}

/// Says in the lock what was done before another answer is asked for: a lock that is left behind then
/// tells which answers nobody was told of.
pub(crate) fn name_what_was_told(writer: &Writer) -> Result<(), StoreError> {
    let is_named = |holder: &LockInfo| holder.last_operation.is_some();
    if !writer.taken_over().is_some_and(is_named) {
        let last = writer.last_operation()?;
        writer.guard().name_last_operation(last)?;
    }
    Ok(())
}

/// A report and the lock it is told under: a lock left behind says that nobody was told.
#[derive(Debug)]
pub struct UnderLock<T> {
    /// What there is to tell.
    pub report: T,
    /// Held until it is told.
    pub lock: Writer,
}

/// Whether a process that died had done an operation and told nobody.
pub(crate) fn is_told_nobody(writer: &Writer, label: &TxnLabel) -> Result<bool, BookError> {
    let holder = writer.taken_over();
    let Some(before) = holder.and_then(|holder| holder.last_operation) else {
        return Ok(false);
    };
    let log = OperationLog::read(&writer.reader()?)?;
    Ok(log.operations.last().is_some_and(|last| {
        let is_done = last.state == OperationState::Done && last.operation > before;
        is_done && last.kind == label.kind && last.target == label.target
    }))
}

/// Keeps an answer.
pub(crate) fn keep(writer: &Writer, step: StepId, answer: &Recorded) -> Result<(), BookError> {
    let text = seal::seal_document(&to_json_text(answer));
    let (path, fresh) = (
        layout::call(step, &answer.id),
        layout::fresh_call(step, &answer.id),
    );
    Ok(writer.keep_at_once(&path, &fresh, text.as_bytes())?)
}

/// Makes the place of an answer that is awaited. Whoever keeps it makes what is missing.
pub(crate) fn make_room(writer: &Writer, step: StepId, id: &str) {
    let _ = writer.make_room(&layout::call(step, id));
}

/// Keeps an answer that the process which brought it did not come to keep for good.
pub(crate) fn keep_found(writer: &Writer, step: StepId, slot: &Slot) -> Result<(), BookError> {
    match &slot.answer {
        Some(answer) if slot.is_fresh => keep(writer, step, answer),
        _ => Ok(()),
    }
}

/// Whether the answer, or the mark of one, in a text is the one that belongs at a path.
pub(crate) fn is_in_place(path: &RelPath, text: &str) -> bool {
    #[derive(Deserialize)]
    struct Named {
        id: String,
        #[serde(default)]
        step: Option<String>,
    }
    let Ok(Named { id, step }) = serde_json::from_str(text) else {
        return false;
    };
    let names = [format!("{id}.json"), format!("{id}.rejected.json")];
    let of_step = step.and_then(|step| step.parse::<StepId>().ok());
    names.iter().any(|name| name == path.file_name())
        && of_step.is_none_or(|step| path.is_under(&layout::calls_of(step)))
}

/// Checks a file of used answers.
pub(crate) fn check_used(reader: &dyn BookReader, path: &RelPath) -> Result<(), BookError> {
    entry::used(reader, path).map(drop)
}

/// Marks a kept answer as not usable, with the reason.
pub(crate) fn reject(
    writer: &Writer,
    step: StepId,
    id: &str,
    reasons: &[String],
) -> Result<(), BookError> {
    let mark = rejection(id, reasons);
    Ok(writer.keep(&layout::rejected_call(step, id), mark.as_bytes())?)
}

/// The file that marks a kept answer as not usable.
pub(crate) fn rejection(id: &str, reasons: &[String]) -> String {
    seal::seal_document(&to_json_text(&Mark {
        id: id.to_owned(),
        problems: reasons.to_vec(),
    }))
}

/// All calls of a step that no log has counted yet, the rejected ones too, in the order they were
/// answered; and when the first of them was made. Answers `at_hand` may still be on their way to the
/// disk.
pub(crate) fn uncounted<'a>(
    reader: &dyn BookReader,
    step: StepId,
    counted: &[StageLog],
    at_hand: impl Iterator<Item = &'a Recorded>,
    operation: u64,
) -> Result<Work, BookError> {
    let is_counted = |id: &str| {
        let mut counted = counted.iter();
        counted.any(|stage| stage.call.as_deref() == Some(id))
    };
    let at_hand: Vec<&Recorded> = at_hand.filter(|call| !is_counted(&call.id)).collect();
    let is_at_hand = |id: &str| at_hand.iter().any(|call| call.id == id);
    let entries = entry::of_step(reader, step, |id| is_counted(id) || is_at_hand(id))?;
    let discarded = Discarded::new(reader, operation);
    let mut calls = Vec::new();
    for Entry { call, .. } in entries {
        if !discarded.contains(&call)? {
            calls.push(call);
        }
    }
    calls.extend(at_hand.into_iter().cloned());
    calls.sort_by(|a, b| (&a.answered_at, &a.id).cmp(&(&b.answered_at, &b.id)));
    let started_at = calls.iter().filter_map(|call| call.asked_at.clone()).min();
    Ok(Work {
        stages: calls.iter().map(Recorded::stage_log).collect(),
        warnings: Vec::new(),
        started_at,
    })
}
