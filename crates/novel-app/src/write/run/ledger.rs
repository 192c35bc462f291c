//! The ledger of paid calls: `logs/calls/`. An answer is kept before anything is done with it and
//! is never overwritten; the driver looks here before it calls.

use std::cell::OnceCell;

use novel_book::operations::OperationLog;
use novel_llm::Usage;
use novel_model::{
    BookReader, BrokenFile, ContentHash, Failure, Problem, RelPath, StepId,
    files::{JudgeRole, StageLog},
    layout, message, to_json_text,
};
use novel_store::Writer;
use serde::{Deserialize, Serialize};

use super::consult::Reuse;
use crate::write::advance::Work;

/// What identifies a call: the same question asked again finds the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Question {
    pub(super) project: String,
    pub(super) step: String,
    pub(super) round: String,
    pub(super) judge: JudgeRole,
    pub(super) model: String,
    pub(super) prompt_hash: ContentHash,
}

/// One kept answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Recorded {
    pub(super) id: String,
    pub(super) step: String,
    pub(super) agent: String,
    pub(super) agent_version: String,
    pub(super) executor: String,
    pub(super) model: String,
    pub(super) prompt_hash: ContentHash,
    /// The question whose first answer was sent back, when this is the answer to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) retry_of: Option<String>,
    /// The operation the call was part of; not in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) operation: Option<u64>,
    /// Not in entries of older versions.
    #[serde(default)]
    pub(super) asked_at: Option<String>,
    pub(super) answered_at: String,
    pub(super) duration_ms: u64,
    pub(super) attempts: u32,
    pub(super) usage: Usage,
    pub(super) cost_usd: Option<f64>,
    pub(super) left_out: Vec<String>,
    pub(super) text: String,
    /// The answer as it came over the wire, where that differs from `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) raw: Option<String>,
}

/// Where the answer to a question is or will be.
pub(super) struct Slot {
    pub(super) id: String,
    pub(super) answer: Option<Recorded>,
}

impl Question {
    /// What its answers are named after.
    pub(super) fn name(&self) -> String {
        let hash = ContentHash::of(to_json_text(self));
        let digits = hash.as_str().chars().skip("blake3:".len());
        digits.take(16).collect()
    }

    /// The name of the question without the note on what was wrong; `None` where there is no note.
    pub(super) fn retry_of(&self, plain: ContentHash) -> Option<String> {
        let first = Self {
            prompt_hash: plain,
            ..self.clone()
        };
        (first != *self).then(|| first.name())
    }

    /// The first answer that was not rejected, be it one that was sent back once, or the place of the
    /// next one. A rejected answer stays, but the question is asked anew; so it is when what the
    /// answer was for was taken back by the author. `operation` is the one under way.
    pub(super) fn find(
        &self,
        reader: &dyn BookReader,
        step: StepId,
        operation: u64,
    ) -> Result<Slot, Failure> {
        let short = self.name();
        let mut generation = 0_u32;
        let discarded = Discarded::new(reader, operation);
        loop {
            let id = format!("{short}-{generation}");
            let path = layout::call(step, &id);
            let Some(text) = reader.text(&path)? else {
                let retried = match generation {
                    0 => None,
                    _ => retried(reader, step, &short, &discarded)?,
                };
                return Ok(match retried {
                    Some(answer) => Slot {
                        id: answer.id.clone(),
                        answer: Some(answer),
                    },
                    None => Slot { id, answer: None },
                });
            };
            let answer = parse(&path, &text)?;
            if reader.read(&layout::rejected_call(step, &id))?.is_some()
                || discarded.contains(&answer)?
            {
                generation += 1;
                continue;
            }
            return Ok(Slot {
                id,
                answer: Some(answer),
            });
        }
    }
}

impl Question {
    /// The same; where another answer is wanted, the one that is there is set aside first.
    pub(super) fn slot(
        &self,
        writer: &Writer,
        step: StepId,
        reuse: Reuse,
    ) -> Result<Slot, Failure> {
        loop {
            let slot = self.find(&writer.reader()?, step, writer.operation_id()?)?;
            let (Some(found), Reuse::Another) = (&slot.answer, reuse) else {
                return Ok(slot);
            };
            let why = vec!["another answer was asked for".to_owned()];
            reject(writer, step, &found.id, &why)?;
        }
    }
}

/// The sound answer to a question whose first answer was sent back.
fn retried(
    reader: &dyn BookReader,
    step: StepId,
    question: &str,
    discarded: &Discarded<'_>,
) -> Result<Option<Recorded>, Failure> {
    for (call, rejected) in kept(reader, step)? {
        let is_answer = !rejected && call.retry_of.as_deref() == Some(question);
        if is_answer && !discarded.contains(&call)? {
            return Ok(Some(call));
        }
    }
    Ok(None)
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

    fn contains(&self, call: &Recorded) -> Result<bool, Failure> {
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

fn parse(path: &RelPath, text: &str) -> Result<Recorded, BrokenFile> {
    serde_json::from_str(text).map_err(|error| {
        BrokenFile::new(
            Problem::new(
                "json_syntax",
                path,
                message!(en: "not a kept answer: {error}", zh: "不是有效的调用记录：{error}"),
            )
            .hint(message!(
                en: "move the file away to ask the agent again",
                zh: "移走该文件即可重新调用"
            )),
        )
    })
}

/// What a kept answer took, and whether what it was for is no longer part of the book.
pub(crate) fn read(
    reader: &dyn BookReader,
    path: &RelPath,
    log: &OperationLog,
) -> Result<(StageLog, bool), Failure> {
    let text = reader.text(path)?.unwrap_or_default();
    let call = parse(path, &text)?;
    let discarded = call.is_discarded(log);
    Ok((call.stage_log(), discarded))
}

/// Keeps an answer.
pub(super) fn keep(writer: &Writer, step: StepId, answer: &Recorded) -> Result<(), Failure> {
    let text = to_json_text(answer);
    Ok(writer.keep(&layout::call(step, &answer.id), text.as_bytes())?)
}

/// Marks a kept answer as not usable, with the reason.
pub(super) fn reject(
    writer: &Writer,
    step: StepId,
    id: &str,
    reasons: &[String],
) -> Result<(), Failure> {
    let marker = to_json_text(&serde_json::json!({"id": id, "problems": reasons}));
    Ok(writer.keep(&layout::rejected_call(step, id), marker.as_bytes())?)
}

/// All calls of a step that no log has counted yet, the rejected ones too, in the order they were
/// answered; and when the first of them was made. Answers `at_hand` may still be on their way to the
/// disk.
pub(super) fn uncounted<'a>(
    reader: &dyn BookReader,
    step: StepId,
    counted: &[StageLog],
    at_hand: impl Iterator<Item = &'a Recorded>,
    operation: u64,
) -> Result<Work, Failure> {
    let is_counted = |id: &str| {
        let mut counted = counted.iter();
        counted.any(|stage| stage.call.as_deref() == Some(id))
    };
    let at_hand: Vec<&Recorded> = at_hand.filter(|call| !is_counted(&call.id)).collect();
    let is_at_hand = |id: &str| at_hand.iter().any(|call| call.id == id);
    let mut calls = kept_but(reader, step, |id| is_counted(id) || is_at_hand(id))?;
    let discarded = Discarded::new(reader, operation);
    let mut failed = None;
    calls.retain(|(call, _)| match discarded.contains(call) {
        Ok(discarded) => !discarded,
        Err(failure) => {
            failed = Some(failure);
            false
        }
    });
    if let Some(failure) = failed {
        return Err(failure);
    }
    calls.extend(at_hand.iter().map(|call| ((*call).clone(), false)));
    in_order(&mut calls);
    let started_at = calls
        .iter()
        .filter_map(|(call, _)| call.asked_at.clone())
        .min();
    let stages = calls.into_iter().map(|(call, rejected)| StageLog {
        rejected,
        ..call.stage_log()
    });
    Ok(Work {
        stages: stages.collect(),
        warnings: Vec::new(),
        started_at,
    })
}

/// All kept answers of a step in the order they were given, and whether each was rejected.
fn kept(reader: &dyn BookReader, step: StepId) -> Result<Vec<(Recorded, bool)>, Failure> {
    kept_but(reader, step, |_| false)
}

/// The same but for some.
fn kept_but(
    reader: &dyn BookReader,
    step: StepId,
    is_left_out: impl Fn(&str) -> bool,
) -> Result<Vec<(Recorded, bool)>, Failure> {
    let mut calls: Vec<(Recorded, bool)> = Vec::new();
    for name in reader.list(&layout::calls_of(step))? {
        let id = name.strip_suffix(".json");
        let Some(id) = id.filter(|id| !id.ends_with(".rejected") && !is_left_out(id)) else {
            continue;
        };
        let path = layout::call(step, id);
        if let Some(text) = reader.text(&path)? {
            let rejected = reader.read(&layout::rejected_call(step, id))?.is_some();
            calls.push((parse(&path, &text)?, rejected));
        }
    }
    in_order(&mut calls);
    Ok(calls)
}

/// As they were answered.
fn in_order(calls: &mut [(Recorded, bool)]) {
    calls.sort_by(|(a, _), (b, _)| (&a.answered_at, &a.id).cmp(&(&b.answered_at, &b.id)));
}

impl Recorded {
    /// Whether what it was for was taken back, rolled back or thrown away.
    fn is_discarded(&self, log: &OperationLog) -> bool {
        log.is_discarded(self.operation, self.step.parse().ok())
    }

    /// What the log of the chapter says about the call.
    pub(super) fn stage_log(&self) -> StageLog {
        StageLog {
            name: String::new(),
            model: Some(self.model.clone()),
            duration_ms: Some(self.duration_ms),
            input_tokens: self.usage.input,
            output_tokens: self.usage.output,
            cached_tokens: self.usage.cached,
            cost_usd: self.cost_usd,
            attempts: Some(self.attempts),
            executor: Some(self.executor.clone()),
            agent_version: Some(self.agent_version.clone()),
            left_out: self.left_out.clone(),
            call: Some(self.id.clone()),
            rejected: false,
        }
    }
}
