//! Calling agents: budget first, then the ledger, then the executor; every answer is kept at once.

use std::{collections::BTreeMap, sync::mpsc, thread, time::Instant};

use novel_engine::{
    config::Config,
    packet::{self, Book, PacketMode, Request},
    prompt::{LeftOut, Prompt, retry_note},
    run::{Event, Task},
};
use novel_llm::{Price, PriceTable, Usage, estimate_tokens};
use novel_model::{
    Failure, RelPath, StepId,
    files::{JudgeRole, Packet},
};
use novel_store::{TxnKind, TxnLabel};
use serde_json::{Value, json};

use super::{
    Drive, WatchEvent,
    ledger::{self, Question, Recorded},
};
use crate::{
    executor::{AgentAnswer, AgentCall, Sign, UnusableAnswer},
    instructions::prompt_for,
    next::round_word,
};

/// What a run may cost.
#[derive(Debug, Clone)]
pub struct Budget {
    /// In US dollars.
    pub max_cost_usd: Option<f64>,
    /// In tokens.
    pub max_tokens: Option<u64>,
    /// What tokens cost.
    pub prices: PriceTable,
    /// Longest answer of an agent, in tokens, for the estimate.
    pub max_output_tokens: u64,
}

impl Budget {
    /// The budget of a project's configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let own = config.prices.iter().map(|(model, price)| {
            let price = Price {
                input: price.input,
                cached_input: price.cached_input,
                cache_write: None,
                output: price.output,
            };
            (model.clone(), price)
        });
        Self {
            max_cost_usd: config.budget.max_cost_usd,
            max_tokens: config.budget.max_tokens,
            prices: PriceTable::builtin().with(own.collect()),
            max_output_tokens: u64::from(
                config
                    .llm
                    .max_output_tokens
                    .unwrap_or(DEFAULT_OUTPUT_TOKENS),
            ),
        }
    }
}

impl Budget {
    /// Whether calls (model, tokens of the prompt) might exceed it after what was spent.
    pub(super) fn is_exceeded<'a>(
        &self,
        spent: &Spent,
        calls: impl Iterator<Item = (&'a str, u64)>,
    ) -> bool {
        let (mut tokens, mut cost) = (0, 0.0);
        for (model, prompt) in calls {
            let expected = Usage {
                input: Some(prompt),
                output: Some(self.max_output_tokens),
                ..Usage::default()
            };
            tokens += prompt + self.max_output_tokens;
            cost += self.prices.cost(model, &expected).unwrap_or_default();
        }
        let used = spent.input_tokens + spent.output_tokens;
        self.max_tokens.is_some_and(|most| used + tokens > most)
            || self
                .max_cost_usd
                .is_some_and(|most| spent.cost_usd.unwrap_or_default() + cost > most)
    }
}

/// What an answer is the answer to.
pub(super) struct Asked<'a> {
    pub(super) id: &'a str,
    pub(super) step: StepId,
    pub(super) agent: &'a str,
    pub(super) prompt: &'a Prompt,
}

impl super::Runner<'_> {
    /// An answer as it is kept.
    pub(super) fn record(
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
            text: answer.text,
            raw: answer.raw,
        }
    }
}

/// Longest answer of an agent, in tokens, unless the author says otherwise.
pub const DEFAULT_OUTPUT_TOKENS: u32 = 8_192;

/// What a run has cost so far. Answers found in the ledger cost nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// Calls made.
    pub calls: u32,
    /// Answers found in the ledger.
    pub reused: u32,
    /// Tokens read, as far as reported.
    pub input_tokens: u64,
    /// Tokens written, as far as reported.
    pub output_tokens: u64,
    /// Tokens read from a cache, as far as reported.
    pub cached_tokens: u64,
    /// US dollars; `None` when no price is known.
    pub cost_usd: Option<f64>,
}

impl Spent {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "calls": self.calls,
            "reused": self.reused,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
            "cost_usd": self.cost_usd,
        })
    }

    pub(super) fn add(&mut self, answer: &Recorded) {
        self.calls += 1;
        self.input_tokens += answer.usage.input.unwrap_or_default();
        self.output_tokens += answer.usage.output.unwrap_or_default();
        self.cached_tokens += answer.usage.cached.unwrap_or_default();
        if let Some(cost) = answer.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }
}

/// A call, prepared.
struct Prepared {
    task: Task,
    judge: JudgeRole,
    attempt: u32,
    packet: Packet,
    prompt: Prompt,
    model: String,
    slot: ledger::Slot,
    packet_path: Option<RelPath>,
}

/// What came of a call.
pub(super) struct Outcome {
    index: usize,
    duration_ms: u64,
    answer: Result<AgentAnswer, Failure>,
}

impl Drive<'_> {
    /// Calls all agents of one decision at the same time.
    pub(super) fn ask_all(&mut self, asks: &[(Task, JudgeRole, u32)]) -> Vec<Event> {
        let mut prepared = Vec::new();
        for (task, judge, attempt) in asks {
            match self.prepare(*task, *judge, *attempt) {
                Ok(call) => prepared.push(call),
                Err(failure) => return vec![self.blocked(failure)],
            }
        }
        let mut events = Vec::new();
        let mut open = Vec::new();
        for call in prepared {
            match &call.slot.answer {
                Some(found) => {
                    let found = found.clone();
                    self.spent.reused += 1;
                    events.push(self.heard(&call, found, /*from_ledger*/ true));
                }
                None => open.push(call),
            }
        }
        if open.is_empty() {
            return events;
        }
        if self.over_budget(&open) {
            return vec![Event::OverBudget];
        }
        let before = match self.staging_before() {
            Ok(before) => before,
            Err(failure) => return vec![self.write_failed(failure)],
        };
        let answered = self.call(&open);
        let failed = answered
            .iter()
            .any(|event| matches!(event, Event::AnswerFailed(_)));
        if let (true, Err(failure)) = (failed, self.restore_staging(&before)) {
            return vec![self.write_failed(failure)];
        }
        events.extend(answered);
        events
    }

    /// Staging as it is before a program may write there; nothing for executors that can not.
    fn staging_before(&self) -> Result<BTreeMap<RelPath, Vec<u8>>, Failure> {
        if !self.runner.executor.wants_packet() {
            return Ok(BTreeMap::new());
        }
        crate::staging::contents(&self.reader()?)
    }

    /// Takes back what a program left in staging before it failed: half a text is no text.
    fn restore_staging(&self, before: &BTreeMap<RelPath, Vec<u8>>) -> Result<(), Failure> {
        if !self.runner.executor.wants_packet() {
            return Ok(());
        }
        let now = crate::staging::contents(&self.reader()?)?;
        let mut txn = self
            .writer
            .begin(TxnLabel::new(TxnKind::Call, "failed-program"));
        for path in now.keys().filter(|path| !before.contains_key(*path)) {
            txn.remove(path.clone());
        }
        for (path, bytes) in before {
            txn.write(path.clone(), bytes.clone());
        }
        txn.commit()?;
        Ok(())
    }

    fn prepare(&mut self, task: Task, judge: JudgeRole, attempt: u32) -> Result<Prepared, Failure> {
        let reader = self.reader()?;
        let project = self.runner.project;
        let view = project.view(&reader)?;
        if let StepId::Chapter(chapter, _) = task.step {
            view.enter(chapter)?;
        }
        let book = Book {
            reader: &reader,
            config: project.config(),
            checkpoint: view.checkpoint.get(),
        };
        let request = Request {
            step: task.step,
            round: task.round,
            judge,
            mode: PacketMode::Paths,
        };
        let packet = packet::build(book, request)?;
        let embedded = packet::build(
            book,
            Request {
                mode: PacketMode::Embed,
                ..request
            },
        )?;
        let mut prompt = prompt_for(project.config(), &reader, &embedded)?;
        // Told to the agent whose answer it was; the other judge's sound answer stays paid for.
        if let Some(problems) = self.problems.get(judge_key(judge)).filter(|_| attempt > 1) {
            let note = retry_note(problems, project.config().lang(), &prompt.output);
            prompt = prompt.with(note);
        }
        let model = self.runner.executor.model_for(&roles(&packet, judge));
        let question = Question {
            project: project.config().title.clone().unwrap_or_default(),
            step: task.step.to_string(),
            round: format!(
                "{}-{}",
                round_word(task.round),
                view.checkpoint.get().revision_count
            ),
            judge,
            model: model.clone(),
            prompt_hash: prompt.hash.clone(),
        };
        let slot = question.find(&reader, task.step)?;
        let packet_path = self
            .runner
            .executor
            .wants_packet()
            .then(|| crate::instructions::save_packet(self.writer, task.step, judge, &packet));
        let packet_path = packet_path.transpose()?;
        Ok(Prepared {
            task,
            judge,
            attempt,
            packet,
            prompt,
            model,
            slot,
            packet_path,
        })
    }

    fn over_budget(&self, calls: &[Prepared]) -> bool {
        let calls = calls
            .iter()
            .map(|call| (call.model.as_str(), call.prompt.tokens()));
        self.runner.budget.is_exceeded(&self.spent, calls)
    }

    /// Runs the calls in threads; each answer is kept as soon as it arrives.
    fn call(&mut self, calls: &[Prepared]) -> Vec<Event> {
        let runner = self.runner;
        let (sender, results) = mpsc::channel::<Outcome>();
        thread::scope(|scope| {
            for (index, call) in calls.iter().enumerate() {
                let sender = sender.clone();
                runner.watch.event(&WatchEvent::Started {
                    step: call.task.step,
                    judge: call.judge,
                    model: &call.model,
                    attempt: call.attempt,
                });
                scope.spawn(move || {
                    let begun = Instant::now();
                    let answer = run_one(runner, call);
                    let duration_ms =
                        u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    // The receiver lives until every sender is gone.
                    let _ = sender.send(Outcome {
                        index,
                        duration_ms,
                        answer,
                    });
                });
            }
            drop(sender);
            let mut events = Vec::new();
            for outcome in results {
                events.push(self.settle(&calls[outcome.index], outcome));
            }
            events
        })
    }

    /// Keeps what arrived, whatever it is worth.
    fn settle(&mut self, call: &Prepared, outcome: Outcome) -> Event {
        match outcome.answer {
            Ok(answer) => {
                let recorded = self.record(call, answer, outcome.duration_ms);
                let keep = || ledger::keep(self.writer, call.task.step, &recorded);
                if let Err(failure) = keep().or_else(|_| keep()) {
                    return self.write_failed(failure);
                }
                self.spent.add(&recorded);
                self.heard(call, recorded, /*from_ledger*/ false)
            }
            Err(failure) => {
                if let Some(unusable) = failure.downcast_ref::<UnusableAnswer>() {
                    let step = call.task.step;
                    let recorded = self.record(call, unusable.answer.clone(), outcome.duration_ms);
                    let why = vec![failure.explain().message().en];
                    let kept = ledger::keep(self.writer, step, &recorded)
                        .and_then(|()| ledger::reject(self.writer, step, &recorded.id, &why));
                    self.spent.add(&recorded);
                    if let Err(failure) = kept {
                        return self.write_failed(failure);
                    }
                }
                let why = failure.explain().message();
                self.runner.watch.event(&WatchEvent::Failed {
                    step: call.task.step,
                    why: &why,
                });
                self.audit(&failure);
                self.failure = Some(failure);
                Event::AnswerFailed(call.judge)
            }
        }
    }

    fn record(&self, call: &Prepared, answer: AgentAnswer, duration_ms: u64) -> Recorded {
        let asked = Asked {
            id: &call.slot.id,
            step: call.task.step,
            agent: &call.packet.agent.name,
            prompt: &call.prompt,
        };
        self.runner.record(asked, answer, duration_ms)
    }

    fn heard(&mut self, call: &Prepared, answer: Recorded, from_ledger: bool) -> Event {
        let work = answer.stage_log();
        self.runner.watch.event(&WatchEvent::Answered {
            step: call.task.step,
            judge: call.judge,
            work: &work,
            from_ledger,
            spent: &self.spent,
        });
        self.answers.insert(judge_key(call.judge), answer);
        Event::Answered(call.judge)
    }
}

fn run_one(runner: &super::Runner<'_>, call: &Prepared) -> Result<AgentAnswer, Failure> {
    runner.run_agent(&AgentCall {
        step: call.task.step,
        judge: call.judge,
        packet: &call.packet,
        packet_path: call.packet_path.clone(),
        prompt: &call.prompt,
        model: &call.model,
        book: None,
    })
}

impl super::Runner<'_> {
    /// Runs an agent and tells whoever watches what arrives.
    pub(super) fn run_agent(&self, call: &AgentCall<'_>) -> Result<AgentAnswer, Failure> {
        let mut tokens = 0;
        let mut on_sign = |sign: Sign| match sign {
            Sign::Text(piece) => {
                tokens += estimate_tokens(&piece);
                self.watch.event(&WatchEvent::Text {
                    step: call.step,
                    judge: call.judge,
                    tokens,
                });
            }
            Sign::Again { why, .. } => {
                tokens = 0;
                self.watch.event(&WatchEvent::Again {
                    step: call.step,
                    why: &why,
                });
            }
        };
        self.executor.run(call, &mut on_sign, self.cancel)
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

/// Names under which a model may be chosen, the most particular first.
fn roles(packet: &Packet, judge: JudgeRole) -> Vec<&str> {
    let mut roles = Vec::new();
    if judge == JudgeRole::Secondary {
        roles.push("judge-secondary");
    }
    if packet.agent.mode.as_deref() == Some("revise") {
        roles.push("revision");
    }
    roles.push(packet.agent.name.as_str());
    roles
}

/// Answers of a step are kept by judge.
pub(super) const fn judge_key(judge: JudgeRole) -> &'static str {
    match judge {
        JudgeRole::Primary => "primary",
        JudgeRole::Secondary => "secondary",
    }
}
