//! Calls on their way: made, awaited, and every answer kept at once.

use std::{
    panic,
    sync::{Arc, mpsc},
    thread::ScopedJoinHandle,
    time::{Duration, Instant},
};

use novel_engine::run::Event;
use novel_model::Failure;
use novel_text::estimate_tokens;

use super::{
    Drive, WatchEvent,
    ask::Prepared,
    ledger::{self, Recorded},
};
use crate::executor::{AgentAnswer, AgentCall, Reads, Sign, UnusableAnswer};

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

    /// Whether these are the questions it brings the answers to. One that has come already is in the
    /// ledger, and still to be heard from here.
    pub(super) fn is_for(&self, asked: &[Prepared]) -> bool {
        let calls = self.calls.iter().map(|call| call.place());
        calls.eq(asked.iter().map(Prepared::place))
    }

    /// Whether it brings the answer to this question.
    pub(super) fn brings(&self, asked: &Prepared) -> bool {
        self.calls.iter().any(|call| call.place() == asked.place())
    }
}

/// What came of a call.
struct Outcome {
    index: usize,
    duration_ms: u64,
    answer: Result<Arc<Recorded>, Failure>,
}

impl<'s> Drive<'s, '_> {
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
    pub(super) fn land(&mut self, flight: Flight<'s>) -> Vec<Event> {
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
