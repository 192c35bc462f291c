//! Calling agents: budget first, then the ledger, then the executor; every answer is kept at once.

use std::{
    collections::BTreeMap,
    panic,
    sync::{Arc, mpsc},
    thread::ScopedJoinHandle,
    time::{Duration, Instant},
};

use novel_engine::{
    packet::{self, Book, PacketMode, Request},
    prompt::{LeftOut, Prompt, retry_note},
    run::{Action, Event, Task},
};
use novel_llm::estimate_tokens;
use novel_model::{
    Failure, RelPath, StepId,
    files::{JudgeRole, Packet},
    layout,
};
use novel_store::{TxnKind, TxnLabel};

use super::{
    Drive, WatchEvent,
    consult::Reuse,
    ledger::{self, Question, Recorded},
};
use crate::{
    View,
    executor::{AgentAnswer, AgentCall, Reads, Sign, UnusableAnswer},
    instructions::prompt_for,
    next::round_word,
};

/// What an answer is the answer to.
pub(super) struct Asked<'a> {
    pub(super) id: &'a str,
    pub(super) step: StepId,
    pub(super) agent: &'a str,
    pub(super) prompt: &'a Prompt,
    /// The question whose first answer was sent back, when this is asked again.
    pub(super) retry_of: Option<&'a str>,
    /// When.
    pub(super) at: &'a str,
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
            retry_of: asked.retry_of.map(str::to_owned),
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
            text: answer.text,
            raw: answer.raw,
        }
    }
}

/// One call that is wanted: for what, by which judge, which try.
pub(super) type Ask = (Task, JudgeRole, u32);

/// The calls among some actions.
pub(super) fn asks(actions: &[Action]) -> Vec<Ask> {
    let asked = actions.iter().filter_map(|action| match action {
        Action::Ask {
            task,
            judge,
            attempt,
        } => Some((*task, *judge, *attempt)),
        _ => None,
    });
    asked.collect()
}

/// A call, prepared.
pub(super) struct Prepared {
    task: Task,
    judge: JudgeRole,
    attempt: u32,
    packet: Packet,
    prompt: Prompt,
    model: String,
    slot: ledger::Slot,
    retry_of: Option<String>,
    packet_path: Option<RelPath>,
    asked_at: String,
}

/// How long the writing of files waits for questions to arrive: both want the processor, and it is
/// the questions that everybody waits for.
const HEAD_START: Duration = Duration::from_millis(10);

/// Calls on their way.
pub(super) struct Flight<'s> {
    calls: Vec<Arc<Prepared>>,
    /// One sign for each question that arrived.
    arrived: mpsc::Receiver<()>,
    outcomes: mpsc::Receiver<Outcome>,
    /// Each brings an answer and then writes it down.
    threads: Vec<ScopedJoinHandle<'s, Result<(), Failure>>>,
}

impl Flight<'_> {
    /// Waits until the questions have arrived, or a little while.
    pub(super) fn get_away(&self) {
        let begun = Instant::now();
        for _ in &self.calls {
            let left = HEAD_START.saturating_sub(begun.elapsed());
            if self.arrived.recv_timeout(left).is_err() {
                return;
            }
        }
    }

    /// Whether these are the questions it will bring the answers to.
    fn is_for(&self, open: &[Prepared]) -> bool {
        let asked = self.calls.iter().map(|call| call.place());
        asked.eq(open.iter().map(Prepared::place))
    }
}

impl Prepared {
    /// Whether it must still be made.
    pub(super) fn is_open(&self) -> bool {
        self.slot.answer.is_none()
    }

    fn place(&self) -> RelPath {
        layout::call(self.task.step, &self.slot.id)
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            id: &self.slot.id,
            step: self.task.step,
            agent: &self.packet.agent.name,
            prompt: &self.prompt,
            retry_of: self.retry_of.as_deref(),
            at: &self.asked_at,
        }
    }
}

/// What came of a call.
struct Outcome {
    index: usize,
    duration_ms: u64,
    answer: Result<Arc<Recorded>, Failure>,
}

impl<'s> Drive<'s, '_> {
    /// Calls all agents of one decision at the same time, or waits for them where they were called
    /// ahead.
    pub(super) fn ask_all(&mut self, asks: &[Ask]) -> Vec<Event> {
        let (found, open) = match self.prepare_all(asks) {
            Ok(prepared) => prepared,
            Err(failure) => return vec![self.blocked(failure)],
        };
        match self.flight.take() {
            Some(flight) if flight.is_for(&open) => {
                let mut events = self.reuse(found);
                events.extend(self.land(flight));
                events
            }
            // The book was changed in between. What was asked is paid for and kept.
            Some(flight) => {
                self.flight = Some(flight);
                self.await_flight();
                self.ask_all(asks)
            }
            None => self.ask_now(found, open),
        }
    }

    /// The calls that were answered already, and the ones that must be made.
    fn prepare_all(&self, asks: &[Ask]) -> Result<(Vec<Prepared>, Vec<Prepared>), Failure> {
        let reader = self.reader()?.remembering();
        let view = self.runner.project.view(&reader)?;
        let mut prepared = Vec::new();
        for ask in asks {
            prepared.push(self.prepare(&view, *ask)?);
        }
        let (open, found) = prepared.into_iter().partition(Prepared::is_open);
        Ok((found, open))
    }

    fn ask_now(&mut self, found: Vec<Prepared>, open: Vec<Prepared>) -> Vec<Event> {
        let mut events = self.reuse(found);
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
        let flight = self.start(open);
        let answered = self.land(flight);
        let failed = answered
            .iter()
            .any(|event| matches!(event, Event::AnswerFailed(_)));
        if let (true, Err(failure)) = (failed, self.restore_staging(&before)) {
            return vec![self.write_failed(failure)];
        }
        events.extend(answered);
        events
    }

    fn reuse(&mut self, found: Vec<Prepared>) -> Vec<Event> {
        let mut events = Vec::new();
        for mut call in found {
            if let Some(answer) = call.slot.answer.take() {
                self.spent.reused += 1;
                events.push(self.heard(&call, Arc::new(answer), /*from_ledger*/ true));
            }
        }
        events
    }

    /// Keeps the answers of calls nobody asks for any more.
    pub(super) fn await_flight(&mut self) {
        if let Some(flight) = self.flight.take() {
            self.land(flight);
            self.answers.clear();
        }
        if let Err(failure) = self.kept() {
            self.failure.get_or_insert(failure);
        }
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

    /// One call, from one look at the book.
    pub(super) fn prepare(&self, view: &View<'_>, ask: Ask) -> Result<Prepared, Failure> {
        let (task, judge, attempt) = ask;
        let (project, reader) = (self.runner.project, view.reader());
        view.enter_step(task.step)?;
        let book = Book {
            reader,
            config: project.config(),
            checkpoint: view.checkpoint.get(),
        };
        let request = |mode| Request {
            step: task.step,
            round: task.round,
            judge,
            part: task.part,
            mode,
        };
        let embedded = packet::build(book, request(PacketMode::Embed))?;
        let mut prompt = prompt_for(project.config(), reader, &embedded)?;
        let plain = prompt.hash.clone();
        // Told to the agent whose answer it was; the other judge's sound answer stays paid for.
        if let Some(problems) = self.problems.get(judge_key(judge)).filter(|_| attempt > 1) {
            let note = retry_note(problems, project.config().lang(), &prompt.output);
            prompt = prompt.with(note);
        }
        let packet = match self.runner.executor.reads() {
            Reads::Prompt => embedded,
            Reads::Files => packet::build(book, request(PacketMode::Paths))?,
        };
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
        let retry_of = question.retry_of(plain);
        let slot = match self.renew {
            Reuse::Another if attempt == 1 => {
                question.slot(self.writer, task.step, Reuse::Another)?
            }
            _ => question.find(reader, task.step)?,
        };
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
            retry_of,
            packet_path,
            asked_at: project.now().to_string(),
        })
    }

    pub(super) fn over_budget(&self, calls: &[Prepared]) -> bool {
        let calls = calls
            .iter()
            .map(|call| (call.model.as_str(), call.prompt.tokens()));
        self.runner.budget.is_exceeded(&self.spent, calls)
    }

    /// Makes the calls, each in a thread of its own.
    pub(super) fn start(&self, calls: Vec<Prepared>) -> Flight<'s> {
        let (runner, writer) = (self.runner, self.writer);
        let (sender, outcomes) = mpsc::channel();
        let (arrival, arrived) = mpsc::channel();
        let calls: Vec<Arc<Prepared>> = calls.into_iter().map(Arc::new).collect();
        let mut threads = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let (call, sender, arrival) = (Arc::clone(call), sender.clone(), arrival.clone());
            runner.watch.event(&WatchEvent::Started {
                step: call.task.step,
                judge: call.judge,
                part: call.task.part,
                model: &call.model,
                attempt: call.attempt,
            });
            threads.push(self.scope.spawn(move || {
                let begun = Instant::now();
                let answer = run_one(runner, &call, || {
                    // Nobody listens any more after the head start.
                    let _ = arrival.send(());
                });
                let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                let answer = answer.map(|answer| {
                    let recorded = runner.record(call.asked(), answer, duration_ms);
                    Arc::new(recorded)
                });
                let recorded = answer.as_ref().ok().map(Arc::clone);
                let keep = || match &recorded {
                    Some(recorded) => ledger::keep(writer, call.task.step, recorded)
                        .or_else(|_| ledger::keep(writer, call.task.step, recorded)),
                    None => Ok(()),
                };
                let announce = || {
                    // The receiver lives until every outcome is there.
                    let _ = sender.send(Outcome {
                        index,
                        duration_ms,
                        answer,
                    });
                };
                match runner.executor.reads() {
                    // Where the next agent is called ahead, it is looked at while it is written.
                    Reads::Prompt => {
                        announce();
                        keep()
                    }
                    Reads::Files => {
                        let kept = keep();
                        announce();
                        kept
                    }
                }
            }));
        }
        Flight {
            calls,
            arrived,
            outcomes,
            threads,
        }
    }

    /// Waits for calls; each answer is kept as soon as it arrives.
    fn land(&mut self, flight: Flight<'s>) -> Vec<Event> {
        self.landed.clear();
        self.make_room(&flight);
        let mut events = Vec::new();
        for outcome in flight.outcomes.iter().take(flight.calls.len()) {
            events.push(self.settle(&flight.calls[outcome.index], outcome));
        }
        self.keeping.extend(flight.threads);
        // Whoever ended without an outcome panicked. Where nobody is called ahead, nothing is to be
        // gained by going on before the answers are written down.
        let is_short = events.len() < flight.calls.len();
        if (is_short || self.runner.executor.reads() == Reads::Files)
            && let Err(failure) = self.kept()
        {
            return vec![self.write_failed(failure)];
        }
        self.landed = flight.calls;
        events
    }

    /// Makes the places of the answers while they are awaited. Where one can not be made, keeping
    /// the answer says so.
    fn make_room(&self, flight: &Flight<'_>) {
        if self.runner.executor.reads() == Reads::Prompt {
            for call in &flight.calls {
                let _ = self.writer.make_room(&call.place());
            }
        }
    }

    /// Keeps what arrived, whatever it is worth.
    fn settle(&mut self, call: &Prepared, outcome: Outcome) -> Event {
        match outcome.answer {
            Ok(recorded) => {
                self.spent.add(&recorded);
                self.heard(call, recorded, /*from_ledger*/ false)
            }
            Err(failure) => {
                if let Some(unusable) = failure.downcast_ref::<UnusableAnswer>() {
                    let step = call.task.step;
                    let answer = unusable.answer.clone();
                    let recorded = self
                        .runner
                        .record(call.asked(), answer, outcome.duration_ms);
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

    /// Waits until every answer that arrived is in the ledger: nothing may follow from it before.
    pub(super) fn kept(&mut self) -> Result<(), Failure> {
        let mut kept = Ok(());
        for writing in self.keeping.drain(..) {
            match writing.join() {
                Ok(written) => kept = kept.and(written),
                Err(panicked) => panic::resume_unwind(panicked),
            }
        }
        kept
    }

    fn heard(&mut self, call: &Prepared, answer: Arc<Recorded>, from_ledger: bool) -> Event {
        let work = answer.stage_log();
        self.runner.watch.event(&WatchEvent::Answered {
            step: call.task.step,
            judge: call.judge,
            part: call.task.part,
            work: &work,
            from_ledger,
            spent: &self.spent,
        });
        self.answers.insert(judge_key(call.judge), answer);
        Event::Answered(call.judge)
    }
}

fn run_one(
    runner: &super::Runner<'_>,
    call: &Prepared,
    on_arrival: impl Fn(),
) -> Result<AgentAnswer, Failure> {
    let call = AgentCall {
        step: call.task.step,
        judge: call.judge,
        packet: &call.packet,
        packet_path: call.packet_path.clone(),
        prompt: &call.prompt,
        model: &call.model,
        book: None,
    };
    runner.run_agent(&call, on_arrival)
}

impl super::Runner<'_> {
    /// Runs an agent and tells whoever watches what arrives.
    pub(super) fn run_agent(
        &self,
        call: &AgentCall<'_>,
        on_arrival: impl Fn(),
    ) -> Result<AgentAnswer, Failure> {
        let mut tokens = 0;
        let mut on_sign = |sign: Sign| match sign {
            Sign::Begun => on_arrival(),
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
