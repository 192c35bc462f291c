//! What a use case that asks agents works with: executor, budget, ledger, progress.

mod budget;
mod candidate;
mod error;
pub(crate) mod inbox;
mod inquiry;
pub(crate) mod ledger;
mod notify;
mod packet;
mod parts;
mod record;
mod watch;

use novel_book::{config::ExecutorKind, edit::Changes, run::Approval};
use novel_llm::CancelToken;
use novel_model::{BookReader, StepId, Warning, counted, layout, message, seal};
use novel_prompt::prompt::{Agent, LeftOut, Prompt};
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_text::estimate_tokens;
use serde_json::json;

use self::ledger::Recorded;
pub use novel_book::scenes::Part;

pub use self::{
    budget::{Budget, NoPrice, Spent},
    candidate::{Candidate, Pick},
    error::{AskError, NoUsableAnswer, OverBudget, PacketError},
    ledger::UnderLock,
    record::Recorder,
    watch::{Extent, Watch, WatchEvent},
};
pub(crate) use self::{
    inquiry::{AnswerNeed, Inquiry, Reuse},
    packet::{prompt_for, save_packet},
    parts::parts_of,
    record::{runs, stop_answer},
};
use crate::{
    Project,
    executor::{AgentAnswer, AgentCall, AgentError, Executor, Sign},
};

/// What a use case that asks agents works with.
pub struct Runner<'a> {
    /// The book.
    pub project: &'a Project,
    /// Runs the agents: a model client, a program, or the offline author.
    pub executor: &'a dyn Executor,
    /// Where progress goes.
    pub watch: &'a dyn Watch,
    /// How the author stops it.
    pub cancel: &'a CancelToken,
    /// What it may cost.
    pub budget: Budget,
    /// Who approves a trial and a plan.
    pub approval: Approval,
}

/// What an answer is the answer to.
pub(crate) struct Asked<'a> {
    pub(crate) id: &'a str,
    pub(crate) step: StepId,
    pub(crate) agent: &'a str,
    pub(crate) prompt: &'a Prompt,
    /// The question whose first answer was sent back, when this is asked again.
    pub(crate) retry_of: Option<&'a str>,
    /// The operation it is part of.
    pub(crate) operation: u64,
    /// When.
    pub(crate) at: &'a str,
}

impl Runner<'_> {
    /// Fails before anything is paid for when a limit in money cannot be kept.
    ///
    /// # Errors
    /// When one of the models has no price.
    pub(crate) fn check_prices(&self) -> Result<(), NoPrice> {
        if self.executor.kind() == ExecutorKind::Offline {
            return Ok(());
        }
        let agents = Agent::ALL.iter().map(|agent| agent.name());
        let roles = agents.chain(["judge-secondary", "revision"]);
        let models = roles.map(|role| self.executor.model_for(&[role]));
        let is_llm = self.executor.kind() == ExecutorKind::Llm;
        let fallbacks = self.budget.fallbacks.iter().filter(|_| is_llm).cloned();
        self.budget.check_prices(models.chain(fallbacks))
    }

    /// Keeps what the executor learnt of its model server, so that no later process finds it out
    /// by a refused call. A note that cannot be written costs such a call, and nothing else.
    pub(crate) fn keep_learnt(&self, writer: &Writer) {
        for note in self.executor.take_learnt() {
            let _ = writer.keep(&note.path, note.text.as_bytes());
        }
    }

    /// Audits what programs made for themselves and was taken away; returns what the author should know.
    pub(crate) fn audit_discarded(&self, writer: &Writer) -> Vec<Warning> {
        let mut warnings = self.executor.take_fallbacks();
        let discarded = self.executor.take_discarded();
        let Some(first) = discarded.first() else {
            return warnings;
        };
        let lines = discarded.iter().map(|discarded| {
            json!({
                "event": "own_file",
                "step": discarded.step,
                "program": discarded.program,
                "path": discarded.path,
            })
        });
        // The audit log is for people: the answer stands without it.
        let _ = audit(self.project, writer, lines.collect());
        let (program, path, count) = (&first.program, &first.path, discarded.len());
        let files = counted(count, "file");
        warnings.push(Warning::new(
            "own_files_discarded",
            message!(
                en: "`{program}` created {files} for itself in the project, such as `{path}`; removed",
                zh: "`{program}` 在项目中创建了 {count} 个自用文件（如 `{path}`），已清除"
            ),
        ));
        warnings
    }

    /// Runs an agent and reports what arrives to the watcher.
    pub(crate) fn run_agent(&self, call: &AgentCall<'_>) -> Result<AgentAnswer, AgentError> {
        let mut tokens = 0;
        let mut on_sign = |sign: Sign| match sign {
            Sign::Text(piece) => {
                tokens += estimate_tokens(&piece);
                self.watch.event(&WatchEvent::Text {
                    step: call.step,
                    judge: call.judge,
                    piece: &piece,
                    tokens,
                });
            }
            Sign::Again { why, .. } => {
                tokens = 0;
                self.watch.event(&WatchEvent::Again {
                    step: call.step,
                    judge: call.judge,
                    why: &why,
                });
            }
        };
        self.executor.run(call, &mut on_sign, self.cancel)
    }

    /// An answer as it is kept.
    pub(crate) fn record(
        &self,
        asked: Asked<'_>,
        answer: AgentAnswer,
        duration_ms: u64,
    ) -> Recorded {
        let cost = self.budget.prices.cost(&answer.model, &answer.usage);
        Recorded {
            id: asked.id.to_owned(),
            step: asked.step.to_string(),
            agent: asked.agent.to_owned(),
            agent_version: asked.prompt.template_version.to_string(),
            executor: self.executor.kind().word().to_owned(),
            model: answer.model,
            prompt_hash: asked.prompt.hash.clone(),
            retry_of: asked.retry_of.map(str::to_owned),
            operation: Some(asked.operation),
            asked_at: Some(asked.at.to_owned()),
            answered_at: self.project.now().to_string(),
            duration_ms: if self.project.is_reproducible() {
                0
            } else {
                duration_ms
            },
            attempts: answer.attempts,
            usage: answer.usage,
            cost_usd: cost,
            left_out: asked.prompt.left_out.iter().map(left_out_line).collect(),
            raw: (answer.raw != answer.text).then_some(answer.raw),
            hints: answer.hints,
            text: answer.text,
            rejected: None,
        }
    }
}

fn left_out_line(cut: &LeftOut) -> String {
    let LeftOut {
        name,
        tokens_before,
        tokens_after,
        how,
    } = cut;
    format!("{name}: {tokens_before} -> {tokens_after} tokens ({how})")
}

/// Adds lines to the audit log, each with the time.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn audit(
    project: &Project,
    writer: &Writer,
    lines: Vec<serde_json::Value>,
) -> Result<(), crate::BookError> {
    let path = layout::audit();
    let last = writer.reader()?.last_line(&path)?.unwrap_or_default();
    let last = String::from_utf8_lossy(&last);
    let mut before = seal::sum_of_line(&last).map(str::to_owned);
    let mut changes = Changes::default();
    let now = project.now().to_string();
    for line in lines {
        let mut timed = json!({"time": now});
        if let (Some(timed), serde_json::Value::Object(line)) = (timed.as_object_mut(), line) {
            timed.extend(line);
        }
        let line = seal::seal_line(&timed.to_string(), before.as_deref());
        changes.append(path.clone(), format!("{line}\n"));
        before = seal::sum_of_line(&line).map(str::to_owned);
    }
    let label = TxnLabel::new(TxnKind::Call, "audit");
    project.write(writer, label, changes)?;
    Ok(())
}
