//! Calls of agents: made together, and every answer written into the ledger by whoever brought it.

use std::{panic, thread, time::Instant};

use novel_book::run::{Again, Event};
use novel_model::{BookReader, Explain, Problem, StepId, layout, message};
use novel_store::Writer;

use super::{
    Drive, StopCause,
    ask::{Prepared, judge_key},
};
use crate::{
    BookError,
    executor::{ANSWER_CUT, AgentAnswer, AgentCall, AgentError},
    runner::{
        Runner, WatchEvent,
        ledger::{self, Recorded},
    },
};

/// The result of one call.
struct Outcome {
    duration_ms: u64,
    answer: Result<Recorded, AgentError>,
    /// Whether the answer is in the ledger; nothing may follow from one that is not.
    kept: Result<(), BookError>,
}

impl Drive<'_> {
    /// Makes the calls, each in a thread of its own, and waits for all of them.
    pub(super) fn call_all(&mut self, calls: Vec<Prepared>) -> Vec<Event> {
        let (runner, writer) = (self.runner, self.writer);
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let mut threads = Vec::new();
            for call in &calls {
                runner.watch.event(&WatchEvent::Started {
                    step: call.task.step,
                    agent: &call.packet.agent.name,
                    judge: call.judge,
                    part: call.task.part,
                    model: &call.model,
                    attempt: call.attempt,
                });
                threads.push(scope.spawn(move || {
                    let (answer, duration_ms) = runner.timed(writer, call);
                    let answer =
                        answer.map(|answer| runner.record(call.asked(), answer, duration_ms));
                    let kept = match &answer {
                        Ok(recorded) => ledger::keep(writer, call.task.step, recorded)
                            .or_else(|_| ledger::keep(writer, call.task.step, recorded)),
                        Err(_) => Ok(()),
                    };
                    Outcome {
                        duration_ms,
                        answer,
                        kept,
                    }
                }));
            }
            for call in &calls {
                ledger::make_room(writer, call.task.step, call.asked().id);
            }
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(outcome) => outcome,
                Err(panicked) => panic::resume_unwind(panicked),
            });
            joined.collect()
        });
        runner.keep_learnt(writer);
        self.warnings.extend(runner.audit_discarded(writer));
        let mut events = Vec::new();
        for (call, outcome) in calls.iter().zip(outcomes) {
            events.push(self.settle(call, outcome));
        }
        events
    }

    /// Counts what a call cost and says what came of it.
    fn settle(&mut self, call: &Prepared, outcome: Outcome) -> Event {
        if let Err(failure) = outcome.kept {
            return self.write_failed(failure);
        }
        match outcome.answer {
            Ok(recorded) => {
                self.spent.add(&recorded);
                self.answered(call, recorded, /*from_ledger*/ false)
            }
            Err(error) => {
                let why = error.message();
                if let AgentError::Unusable(unusable) = &error {
                    let step = call.task.step;
                    let answer = (*unusable.answer).clone();
                    let recorded = self
                        .runner
                        .record(call.asked(), answer, outcome.duration_ms);
                    let reasons = vec![why.en.clone()];
                    let kept = ledger::keep(self.writer, step, &recorded)
                        .and_then(|()| ledger::reject(self.writer, step, &recorded.id, &reasons));
                    self.spent.add(&recorded);
                    if let Err(error) = kept {
                        return self.write_failed(error);
                    }
                    let told = error.cut_at().map(|limit| answer_cut(step, limit));
                    let told = told.or_else(|| error.is_loop().then(|| answer_looped(step)));
                    if let Some(problem) = told {
                        self.problems.insert(judge_key(call.judge), vec![problem]);
                    }
                }
                let again = if error.is_final() {
                    Again::Useless
                } else {
                    Again::Once
                };
                self.runner.watch.event(&WatchEvent::Failed {
                    step: call.task.step,
                    why: &why,
                });
                let audited = self.audit(&error);
                self.cause = Some(audited.map_or_else(StopCause::from, |()| error.into()));
                Event::AnswerFailed(call.judge, again)
            }
        }
    }
}

/// What an agent is told whose answer was cut.
fn answer_cut(step: StepId, limit: u32) -> Problem {
    let path = layout::calls_of(step);
    Problem::new(
        ANSWER_CUT,
        &path,
        message!(
            en: "the answer was cut after {limit} tokens, before its end",
            zh: "回答在 {limit} 个 token 处被截断，没有写完"
        ),
    )
    .hint(message!(
        en: "give the whole text, somewhat shorter; there is twice the room now",
        zh: "请给出完整的正文，略短一些；这次的上限加倍"
    ))
}

/// What an agent is told whose answer went round in circles.
fn answer_looped(step: StepId) -> Problem {
    let path = layout::calls_of(step);
    Problem::new(
        "answer_looped",
        &path,
        message!(
            en: "the answer repeated the same lines again and again and was stopped",
            zh: "回答一遍遍重复同样的句子，已被中止"
        ),
    )
    .hint(message!(
        en: "tell every event once, in order, and end when it is told",
        zh: "每件事只写一次，按次序写，写完就结束"
    ))
}

impl Runner<'_> {
    /// Makes one call and measures how long it takes.
    fn timed(&self, writer: &Writer, call: &Prepared) -> (Result<AgentAnswer, AgentError>, u64) {
        let begun = Instant::now();
        let book = call.rewriting.then(|| self.project.at_work(writer));
        let book = match book.transpose() {
            Ok(book) => book,
            Err(error) => return (Err(error.into()), 0),
        };
        let call = AgentCall {
            step: call.task.step,
            judge: call.judge,
            packet: &call.packet,
            packet_path: call.packet_path.clone(),
            prompt: &call.prompt,
            model: &call.model,
            book: book.as_ref().map(|book| book as &dyn BookReader),
        };
        let answer = self.run_agent(&call);
        let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        (answer, duration_ms)
    }
}
