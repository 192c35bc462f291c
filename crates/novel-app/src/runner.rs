//! What a use case that asks agents works with: executor, budget, ledger, progress.

mod budget;
mod error;
pub(crate) mod inbox;
mod inquiry;
pub(crate) mod ledger;
mod packet;
mod record;
mod watch;

use novel_book::{config::ExecutorKind, run::Approval};
use novel_llm::CancelToken;
use novel_model::StepId;
use novel_prompt::prompt::{Agent, LeftOut, Prompt};
use novel_store::Writer;
use novel_text::estimate_tokens;

use self::ledger::Recorded;
pub use novel_book::scenes::Part;

pub use self::{
    budget::{Budget, NoPrice, Spent},
    error::{AskError, NoUsableAnswer, OverBudget, PacketError},
    record::Recorder,
    watch::{Extent, Watch, WatchEvent},
};
pub(crate) use self::{
    inquiry::{Inquiry, Reuse},
    packet::{prompt_for, save_packet},
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
    /// Whoever runs the agents.
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
        self.budget.check_prices(models)
    }

    /// Keeps what the executor learnt of its model server, so that no later process finds it out
    /// by a refused call. A note that cannot be written costs such a call, and nothing else.
    pub(crate) fn keep_learnt(&self, writer: &Writer) {
        for note in self.executor.take_learnt() {
            let _ = writer.keep(&note.path, note.text.as_bytes());
        }
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
