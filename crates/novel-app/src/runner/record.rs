//! The log of a run: `logs/runs/ID.jsonl`.
//!
//! Whoever watches is watched along: every event goes to the log first, then to the inner watcher. The
//! log begins with the first thing that happens, so work that needs no agent leaves none. A log that
//! cannot be written stops nothing; that is told once, at the end.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use novel_book::{
    config::ExecutorKind,
    run::{Goal, Stop},
};
use novel_contract::{
    forecast::Estimate,
    run::{
        Begun, CallId, EVENT_VERSION, Happened, Notice, NoticeKind, RunEvent, RunGoal, Said, Work,
    },
    write::RunStop,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Explain, Kind, Message, RelPath, RunId, StepId, Warning,
    files::{Evaluation, JudgeRole, StageLog},
    layout,
};
use novel_steps::commit::CommitReport;
use novel_store::{Fault, FsError, Store, StoreError};

use super::{
    Extent, Part, Spent, Watch, WatchEvent,
    notify::{self, notify},
};
use crate::{
    BookError, Project,
    runner::{Candidate, Pick},
    waits,
};

/// Logs of so many runs are kept; the oldest goes when another one begins.
const KEPT: usize = 50;

/// A piece of prose is written down when it is this long, ends a paragraph, or is this old.
const PIECE_BYTES: usize = 400;
const PIECE_AGE: Duration = Duration::from_millis(120);

/// How often the size of an answer that is not prose is written down.
const PROGRESS_AGE: Duration = Duration::from_secs(1);

/// Writes what happens into the log of the run, and passes it on.
pub struct Recorder<'a> {
    project: &'a Project,
    executor: ExecutorKind,
    forecast: Option<Estimate>,
    inner: &'a dyn Watch,
    state: Mutex<State>,
}

/// What was written so far.
#[derive(Default)]
struct State {
    goal: Option<Goal>,
    log: Option<Log>,
    spent: Spent,
    /// Why the writing loop ended.
    stop: Option<Stop>,
    /// Why nothing is written any more.
    failed: Option<StoreError>,
    /// Answers that are arriving.
    arriving: Vec<Arriving>,
}

struct Log {
    run: RunId,
    path: RelPath,
    /// Number of the last event.
    last: u64,
}

/// An answer that is arriving.
struct Arriving {
    step: StepId,
    judge: JudgeRole,
    part: Part,
    /// Prose that is not written down yet.
    text: String,
    tokens: u64,
    since: Instant,
}

impl<'a> Recorder<'a> {
    /// Records for a project; `inner` sees the same.
    #[must_use]
    pub fn new(
        project: &'a Project,
        executor: ExecutorKind,
        forecast: Option<Estimate>,
        inner: &'a dyn Watch,
    ) -> Self {
        Self {
            project,
            executor,
            forecast,
            inner,
            state: Mutex::default(),
        }
    }

    /// Writes the end of the run, and returns what the author should know about its log.
    ///
    /// Without an error the run reached its goal.
    pub fn end(&self, failure: Option<&dyn Explain>) -> Vec<Warning> {
        let mut state = self.state();
        if state.log.is_some() {
            self.flush(&mut state, |_| true);
            let ended = ended(state.stop, failure, &state.spent);
            self.write(&mut state, vec![ended]);
        }
        let failed = state.failed.take();
        let mut warnings: Vec<Warning> = failed.iter().map(unwritten).collect();
        if let Some(notice) = self.notice(&state, failure) {
            warnings.extend(notify(self.project, &notice));
        }
        warnings
    }

    /// What is told about a run of the writing loop that called somebody. Whoever stopped a run knows
    /// that it is over.
    fn notice(&self, state: &State, failure: Option<&dyn Explain>) -> Option<Notice> {
        let (log, _) = (state.log.as_ref()?, state.goal?);
        let Happened::Ended { stop, spent, .. } = ended(state.stop, failure, &state.spent) else {
            return None;
        };
        let config = self.project.config();
        let looked = self.project.look(|view| {
            let last = view.checkpoint.get().last_completed_chapter;
            Ok::<_, BookError>((last, waits::waits(view, config.approval.into())))
        });
        let (last, waits) = looked.ok().unzip();
        let waiting = waits.as_ref().filter(|waits| waits.code.is_some());
        let event = match (failure.map(Explain::kind), stop) {
            (Some(Kind::Interrupted), _) | (_, RunStop::Interrupted) => return None,
            (Some(Kind::Gate), _) | (None, RunStop::Blocked) => NoticeKind::Waits,
            (None, RunStop::OverBudget) => NoticeKind::Ended,
            (Some(_), _) | (None, RunStop::Failed) => NoticeKind::Failed,
            (None, _) if waiting.is_some() => NoticeKind::Waits,
            (None, _) => NoticeKind::Ended,
        };
        let code = failure.map(Explain::code);
        let code = code.or_else(|| waiting.and_then(|waits| waits.code));
        let last = last.unwrap_or_default();
        let title = config.title.as_deref();
        let what = waiting.and_then(waits::Waits::decision);
        let text = notify::words(event, title, stop, code, what, last);
        let root = self.project.store().root();
        let directory = root.and_then(|root| root.file_name());
        Some(Notice {
            v: EVENT_VERSION,
            event,
            text: Said::from(&text),
            book: config.title.clone(),
            project: directory.map(|name| name.to_string_lossy().into_owned()),
            run: log.run,
            stop,
            code: code.map(str::to_owned),
            command: waits.map(|waits| waits.command),
            last_completed_chapter: last,
            spent,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events to the log, which is begun when there is none.
    fn write(&self, state: &mut State, events: Vec<Happened>) {
        if state.failed.is_some() || events.is_empty() {
            return;
        }
        if let Err(error) = self.try_write(state, events) {
            state.failed = Some(error);
        }
    }

    fn try_write(&self, state: &mut State, events: Vec<Happened>) -> Result<(), StoreError> {
        if state.log.is_none() {
            state.log = Some(self.begin(state.goal)?);
        }
        let at = self.project.now().to_string();
        let Some(log) = &mut state.log else {
            return Ok(());
        };
        let mut lines = String::new();
        for what in events {
            log.last += 1;
            lines.push_str(&line(log.run, log.last, &at, what));
        }
        let store = self.project.store();
        store.append_log(&log.path, lines.as_bytes())
    }

    fn begin(&self, goal: Option<Goal>) -> Result<Log, StoreError> {
        let store = self.project.store();
        let kept = runs(&store.reader()?).map_err(StoreError::from)?;
        let checkpoint = self
            .project
            .look(|view| Ok::<_, BookError>(view.checkpoint.get().last_completed_chapter))
            .unwrap_or_default();
        let process = store.this_process();
        let begun = Happened::Begun(Begun {
            goal: goal.map_or(RunGoal::Inquiry, goal_answer),
            executor: self.executor.answer(),
            pid: process.pid,
            process_start: process.start,
            host: process.host,
            last_completed_chapter: checkpoint,
            forecast: self.forecast.clone(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        });
        let mut run = kept.last().map_or(RunId::first(), |last| last.next());
        let at = self.project.now().to_string();
        loop {
            let path = layout::run_log(run);
            let first = line(run, 1, &at, begun.clone());
            match store.begin_log(&path, first.as_bytes()) {
                // Someone without the lock was quicker, such as an inquiry that only reads.
                Err(StoreError::Fs(FsError {
                    fault: Fault::Exists,
                    ..
                })) => run = run.next(),
                Err(error) => return Err(error),
                Ok(()) => {
                    forget_oldest(store, &kept)?;
                    return Ok(Log { run, path, last: 1 });
                }
            }
        }
    }

    /// Writes down what has arrived of the answers that `is_due`.
    fn flush(&self, state: &mut State, is_due: impl Fn(&Arriving) -> bool) {
        let mut events = Vec::new();
        for arriving in &mut state.arriving {
            if !is_due(arriving) {
                continue;
            }
            let text = std::mem::take(&mut arriving.text);
            arriving.since = Instant::now();
            let call = call_id(arriving.step, arriving.judge, arriving.part);
            let tokens = arriving.tokens;
            if !is_prose(arriving.step, arriving.part) {
                events.push(Happened::Progress { call, tokens });
            } else if !text.is_empty() {
                events.push(Happened::Text { call, text, tokens });
            }
        }
        self.write(state, events);
    }

    fn text(&self, step: StepId, judge: JudgeRole, piece: &str, tokens: u64) {
        let mut state = self.state();
        let known = (state.arriving.iter_mut())
            .find(|arriving| arriving.step == step && arriving.judge == judge);
        let Some(arriving) = known else { return };
        arriving.tokens = tokens;
        if is_prose(step, arriving.part) {
            arriving.text.push_str(piece);
        }
        self.flush(&mut state, |arriving| {
            let age = arriving.since.elapsed();
            if is_prose(arriving.step, arriving.part) {
                arriving.text.len() >= PIECE_BYTES
                    || arriving.text.ends_with('\n')
                    || (!arriving.text.is_empty() && age >= PIECE_AGE)
            } else {
                age >= PROGRESS_AGE
            }
        });
    }

    fn started(&self, step: StepId, judge: JudgeRole, part: Part, what: Happened) {
        let mut state = self.state();
        forget(&mut state, step, judge);
        state.arriving.push(Arriving {
            step,
            judge,
            part,
            text: String::new(),
            tokens: 0,
            since: Instant::now(),
        });
        self.write(&mut state, vec![what]);
    }

    fn again(&self, step: StepId, judge: JudgeRole, why: Said) {
        let mut state = self.state();
        let mut part = Part::Whole;
        let known = (state.arriving.iter_mut())
            .find(|arriving| arriving.step == step && arriving.judge == judge);
        if let Some(arriving) = known {
            // What arrived is void.
            arriving.text.clear();
            part = arriving.part;
        }
        let call = call_id(step, judge, part);
        self.write(&mut state, vec![Happened::Again { call, why }]);
    }

    fn answered(&self, step: StepId, judge: JudgeRole, spent: &Spent, what: Happened) {
        let mut state = self.state();
        self.flush(&mut state, |arriving| {
            arriving.step == step && arriving.judge == judge && !arriving.text.is_empty()
        });
        forget(&mut state, step, judge);
        state.spent = spent.clone();
        self.write(&mut state, vec![what]);
    }

    fn record(&self, what: Happened) {
        let mut state = self.state();
        self.write(&mut state, vec![what]);
    }

    fn note(&self, event: &WatchEvent<'_>) {
        match event {
            WatchEvent::Begun { goal } => self.state().goal = Some(*goal),
            WatchEvent::Started {
                step,
                agent,
                judge,
                part,
                model,
                attempt,
            } => {
                let what = Happened::Started {
                    call: call_id(*step, *judge, *part),
                    agent: (*agent).to_owned(),
                    model: (*model).to_owned(),
                    attempt: *attempt,
                };
                self.started(*step, *judge, *part, what);
            }
            WatchEvent::Text {
                step,
                judge,
                piece,
                tokens,
            } => self.text(*step, *judge, piece, *tokens),
            WatchEvent::Again { step, judge, why } => self.again(*step, *judge, Said::from(*why)),
            WatchEvent::Answered {
                step,
                judge,
                part,
                work,
                from_ledger,
                spent,
            } => {
                let what = Happened::Answered {
                    call: call_id(*step, *judge, *part),
                    work: work_answer(work),
                    from_ledger: *from_ledger,
                    spent: spent.answer(),
                };
                self.answered(*step, *judge, spent, what);
            }
            WatchEvent::Failed { step, why } => {
                let mut state = self.state();
                state.arriving.retain(|arriving| arriving.step != *step);
                let what = Happened::Failed {
                    step: step.to_string(),
                    why: Said::from(*why),
                };
                self.write(&mut state, vec![what]);
            }
            WatchEvent::Accepted { step, extent } => self.record(accepted(*step, *extent)),
            WatchEvent::Judged { evaluation } => {
                if let Some(what) = judged(evaluation) {
                    self.record(what);
                }
            }
            WatchEvent::Warned { warning } => self.record(Happened::Warned {
                code: warning.code.to_owned(),
                message: Said::from(&warning.message),
            }),
            WatchEvent::Told { step, note } => self.record(Happened::Told {
                step: step.to_string(),
                note: (*note).to_owned(),
            }),
            WatchEvent::Over { stop, spent } => {
                let mut state = self.state();
                state.stop = Some(*stop);
                state.spent = (*spent).clone();
            }
            WatchEvent::Chosen {
                chapter,
                candidates,
                chosen,
            } => {
                let drafts: Vec<_> = candidates.iter().map(Candidate::answer).collect();
                let chosen = drafts.get(*chosen).map_or(0, |draft| draft.number);
                self.record(Happened::Chosen {
                    chapter: *chapter,
                    drafts,
                    chosen,
                });
            }
            WatchEvent::StopRequested => self.record(Happened::StopRequested),
            WatchEvent::Committed { report } => self.record(committed(report)),
        }
    }
}

impl Watch for Recorder<'_> {
    fn event(&self, event: &WatchEvent<'_>) {
        self.note(event);
        self.inner.event(event);
    }

    fn choose(&self, chapter: ChapterNo, candidates: &[Candidate], judged: usize) -> Pick {
        self.inner.choose(chapter, candidates, judged)
    }
}

/// The runs there are logs of, in order.
pub(crate) fn runs(reader: &dyn BookReader) -> Result<Vec<RunId>, novel_model::ReadError> {
    let names = reader.list(&layout::runs_dir())?;
    let ids = names
        .iter()
        .filter_map(|name| name.strip_suffix(".jsonl")?.parse().ok());
    let mut ids: Vec<RunId> = ids.collect();
    ids.sort_unstable();
    Ok(ids)
}

fn forget_oldest(store: &Store, kept: &[RunId]) -> Result<(), StoreError> {
    let many = (kept.len() + 1).saturating_sub(KEPT);
    for run in kept.iter().take(many) {
        store.remove_beside(&layout::run_log(*run))?;
    }
    Ok(())
}

fn forget(state: &mut State, step: StepId, judge: JudgeRole) {
    state
        .arriving
        .retain(|arriving| arriving.step != step || arriving.judge != judge);
}

/// Whether an answer is prose of the book, which others may read as it arrives.
fn is_prose(step: StepId, part: Part) -> bool {
    matches!(
        (step, part),
        (
            StepId::Chapter(_, ChapterStage::Draft | ChapterStage::Refine),
            Part::Whole | Part::Scene(_)
        )
    )
}

fn line(run: RunId, n: u64, at: &str, what: Happened) -> String {
    let event = RunEvent {
        v: EVENT_VERSION,
        run,
        n,
        at: at.to_owned(),
        what,
    };
    // A line that has no form in JSON would be a gap; it has one, all of it being text and numbers.
    let text = serde_json::to_string(&event).unwrap_or_default();
    format!("{text}\n")
}

fn call_id(step: StepId, judge: JudgeRole, part: Part) -> CallId {
    let is_verdict = matches!(step, StepId::Chapter(_, ChapterStage::Judge));
    CallId {
        step: step.to_string(),
        judge: is_verdict.then_some(judge),
        part: match part {
            Part::Whole => None,
            Part::ScenePlan => Some("plan".to_owned()),
            Part::Scene(scene) => Some(scene.get().to_string()),
            Part::Newcomers => Some("newcomers".to_owned()),
        },
    }
}

fn work_answer(work: &StageLog) -> Work {
    Work {
        name: work.name.clone(),
        model: work.model.clone(),
        duration_ms: work.duration_ms,
        input_tokens: work.input_tokens,
        output_tokens: work.output_tokens,
        cached_tokens: work.cached_tokens,
        cost_usd: work.cost_usd,
        attempts: work.attempts,
    }
}

fn accepted(step: StepId, extent: Extent) -> Happened {
    Happened::Accepted {
        step: step.to_string(),
        chapters: match extent {
            Extent::Chapters(first, last) => Some((first, last)),
            Extent::Whole | Extent::Newcomers => None,
        },
    }
}

fn judged(evaluation: &Evaluation) -> Option<Happened> {
    let gate = evaluation.metadata.as_ref()?.gate.as_ref()?;
    let fixes = evaluation.required_fixes.iter();
    Some(Happened::Gate {
        chapter: evaluation.chapter,
        decision: gate.decision,
        overall: evaluation.overall.unwrap_or_default(),
        scored_by: evaluation.scored_by(),
        force_passed: gate.force_passed,
        revisions: gate.revisions,
        fixes: fixes.map(|fix| fix.instruction.clone()).collect(),
    })
}

fn committed(report: &CommitReport) -> Happened {
    Happened::Committed {
        chapter: report.chapter,
        title: report.title.clone(),
        words: report.words,
        overall: report.overall,
        scored_by: report.scored_by,
        gate_decision: report.gate,
        revisions: report.revisions,
        force_passed: report.force_passed,
        volume_end: report.volume_end,
        pending: report.consistency.is_some_and(|found| found.pending),
    }
}

fn ended(stop: Option<Stop>, failure: Option<&dyn Explain>, spent: &Spent) -> Happened {
    let stop = match (stop, failure) {
        (Some(stop), _) => stop_answer(stop),
        (None, None) => RunStop::GoalReached,
        (None, Some(failure)) => match failure.kind() {
            Kind::Interrupted => RunStop::Interrupted,
            Kind::Gate => RunStop::Blocked,
            _ => RunStop::Failed,
        },
    };
    Happened::Ended {
        stop,
        code: failure.map(|failure| failure.code().to_owned()),
        message: failure.map(|failure| Said::from(&failure.message())),
        hint: failure.and_then(Explain::hint).as_ref().map(Said::from),
        spent: spent.answer(),
    }
}

/// A stop as answers tell it.
pub(crate) const fn stop_answer(stop: Stop) -> RunStop {
    match stop {
        Stop::GoalReached => RunStop::GoalReached,
        Stop::VolumeEnd => RunStop::VolumeEnd,
        Stop::Blocked(_) => RunStop::Blocked,
        Stop::Failed => RunStop::Failed,
        Stop::OverBudget => RunStop::OverBudget,
        Stop::Interrupted => RunStop::Interrupted,
    }
}

const fn goal_answer(goal: Goal) -> RunGoal {
    match goal {
        Goal::Chapters(count) => RunGoal::Chapters { count },
        Goal::Until(chapter) => RunGoal::Until { chapter },
        Goal::VolumeEnd => RunGoal::VolumeEnd,
        Goal::Decision => RunGoal::Decision,
        Goal::Draft(chapter) => RunGoal::Draft { chapter },
        Goal::ScenePlan(chapter) => RunGoal::ScenePlan { chapter },
        Goal::Scenes(chapter, scene) => RunGoal::Scenes { chapter, scene },
    }
}

fn unwritten(error: &StoreError) -> Warning {
    let why = error.message();
    Warning::new(
        "run_log_incomplete",
        Message {
            en: format!("the log of this run is incomplete: {}", why.en),
            zh: format!("本次运行的日志不完整：{}", why.zh),
        },
    )
}
