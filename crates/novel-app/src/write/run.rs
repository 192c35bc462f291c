//! The local driver of the writing loop: performs the actions of [`novel_book::run`] on files.

mod accept;
mod ask;
mod calls;
mod candidates;
mod cause;
mod foresee;
mod newcomers;
mod report;
mod scenes;

use std::collections::{BTreeMap, VecDeque};

use novel_book::{
    edit::Changes,
    next::{Next, Round},
    post_commit,
    run::{Action, Begun, Block, Event, Gates, Judging, Run, Task},
    scenes::Part,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Explain, Message, Problem, StepId, VolumeStage,
    Warning,
    files::{Bindings, ChapterLog, Checkpoint, OrchestratorState, PipelineStage},
    layout, message,
};
use novel_store::{StoreError, TxnKind, TxnLabel, Writer};
use novel_story::plan;

use crate::{
    Book, BookError, Project, StepError, history, judge,
    revise::{ReviseError, revision},
    runner::{
        AskError, Candidate, Reuse, Runner, Spent, WatchEvent, inbox, ledger,
        ledger::name_what_was_told,
    },
    waits::waiting_step,
    work::WorkReader,
    write::advance::{self, Work, accept_outputs, stamp_checkpoint},
    write::anew,
    write::commit::{self, CommitReport},
    write::volume,
};
pub(crate) use accept::strip_wrapping;
pub(crate) use candidates::staged_candidate_text;
use report::GoOn;
use scenes::Ahead;
pub(crate) use scenes::write_merged;

pub use cause::StopCause;
pub use novel_book::run::{Approval, Finished, Goal, Stop};
pub use report::{RunError, RunReport, RunStopped};

/// Whether a run may start from `ERROR_RETRY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FromError {
    /// It must be asked for.
    Refuse,
    /// It was asked for.
    Retry,
}

impl Runner<'_> {
    /// Sets up, plans, writes and reviews until the goal is reached or something stops the run. The
    /// lock is held all the while.
    ///
    /// # Errors
    /// When anything but the goal or the end of a volume stops it; what was finished before is
    /// reported with the error.
    pub fn run(&self, goal: Goal, from_error: FromError) -> Result<RunReport, RunError> {
        self.acquire_and_drive(goal, from_error, Reuse::Kept)
    }

    /// Has a plan of scenes or a scene written again that is there already.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run_again(&self, goal: Goal, from_error: FromError) -> Result<RunReport, RunError> {
        self.acquire_and_drive(goal, from_error, Reuse::Another)
    }

    /// Runs with the lock that `writer` holds.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run_holding(
        &self,
        writer: &Writer,
        goal: Goal,
        from_error: FromError,
    ) -> Result<RunReport, RunError> {
        self.in_the_loop(|runner| {
            runner.check_prices()?;
            let reader = runner.project.at_work(writer)?;
            let first = first_chapter(&runner.project.view(&reader)?, goal, from_error)?;
            runner.drive(writer, first, goal, Reuse::Kept)
        })
    }

    fn acquire_and_drive(
        &self,
        goal: Goal,
        from_error: FromError,
        reuse: Reuse,
    ) -> Result<RunReport, RunError> {
        self.in_the_loop(|runner| {
            runner.check_prices()?;
            let project = runner.project;
            let first = project.look_at_work(|view| first_chapter(view, goal, from_error))?;
            let writer = project.store().acquire(Some(first))?;
            if reuse == Reuse::Another {
                name_what_was_told(&writer)?;
            }
            runner.drive(&writer, first, goal, reuse)
        })
    }

    fn in_the_loop(
        &self,
        run: impl FnOnce(&Runner<'_>) -> Result<RunReport, RunError>,
    ) -> Result<RunReport, RunError> {
        let project = self.project.in_the_loop();
        run(&Runner {
            project: &project,
            budget: self.budget.clone(),
            ..*self
        })
    }

    fn drive(
        &self,
        writer: &Writer,
        first: ChapterNo,
        goal: Goal,
        reuse: Reuse,
    ) -> Result<RunReport, RunError> {
        let _alive = writer.heartbeat();
        inbox::discard_stop(self.project.store())?;
        self.watch.event(&WatchEvent::Begun { goal });
        let warnings = self.executor.begin_run();
        let mut drive = Drive {
            runner: self,
            writer,
            goal,
            renew: reuse,
            answers: BTreeMap::new(),
            problems: BTreeMap::new(),
            earlier: BTreeMap::new(),
            unrevised: None,
            named: first,
            cause: None,
            spent: Spent::default(),
            steps: Vec::new(),
            go_on: GoOn::Continue,
            later: Vec::new(),
            candidates: Vec::new(),
            warnings,
            told_warnings: 0,
        };
        let (run, stop) = drive.drive();
        drive.tell_warnings();
        self.watch.event(&WatchEvent::Over {
            stop,
            spent: &drive.spent,
        });
        if let (Goal::Scenes(..), Stop::GoalReached) = (goal, stop) {
            writer.finish_operation(self.project.now())?;
        }
        let report = RunReport {
            finished: run.finished().to_vec(),
            steps: drive.steps,
            stop,
            spent: drive.spent,
            later: drive.later,
            candidates: drive.candidates,
            warnings: drive.warnings,
        };
        let executor = self.project.config().executor;
        match (stop, drive.cause) {
            (Stop::GoalReached | Stop::VolumeEnd, _) => Ok(report),
            (_, cause) => Err(RunStopped::new(report, drive.go_on, cause, executor).into()),
        }
    }
}

/// The chapter a run begins with, where it may begin.
fn first_chapter(
    view: &Book<'_>,
    goal: Goal,
    from_error: FromError,
) -> Result<ChapterNo, BookError> {
    let checkpoint = view.checkpoint.get();
    if checkpoint.orchestrator_state == OrchestratorState::ErrorRetry
        && from_error == FromError::Refuse
    {
        return Err(crate::Refusal::NeedsRetry {
            step: view.next()?.step,
        }
        .into());
    }
    if let (Goal::Chapters(_), OrchestratorState::Init | OrchestratorState::QuickStart) =
        (goal, checkpoint.working_state())
    {
        return Err(crate::Refusal::NotWriting {
            state: checkpoint.orchestrator_state,
            next: view.next()?.step,
        }
        .into());
    }
    let next = checkpoint.next_chapter();
    Ok(checkpoint.inflight_chapter.unwrap_or(next))
}

/// One run under way.
struct Drive<'s> {
    runner: &'s Runner<'s>,
    writer: &'s Writer,
    goal: Goal,
    /// Whether the next answer must be a new one.
    renew: Reuse,
    /// Answers of the step under way, by judge.
    answers: BTreeMap<&'static str, ledger::Recorded>,
    /// What was wrong with the last answers, by judge; told to the agent once.
    problems: BTreeMap<&'static str, Vec<Problem>>,
    /// The answers that were sent back, by judge: what they said may still be used.
    earlier: BTreeMap<&'static str, ledger::Recorded>,
    /// A chapter that became pending in this run and has no candidate yet.
    unrevised: Option<ChapterNo>,
    /// The chapter the lock names.
    named: ChapterNo,
    /// What stopped the run, in full.
    cause: Option<StopCause>,
    spent: Spent,
    /// Steps of set-up, planning and review that were accepted.
    steps: Vec<StepId>,
    /// What goes on from the step under way.
    go_on: GoOn,
    /// Later chapters that may no longer fit what was written.
    later: Vec<ChapterNo>,
    /// The drafts the last one was chosen from.
    candidates: Vec<Candidate>,
    warnings: Vec<Warning>,
    /// How many of the warnings were shown to whoever watches.
    told_warnings: usize,
}

impl Drive<'_> {
    fn drive(&mut self) -> (Run, Stop) {
        let mut run = Run::new(self.goal, self.runner.approval);
        let mut events = VecDeque::from([Event::Begin]);
        loop {
            // What has happened is handled before a wish to stop: no answer is lost, and no chapter
            // is left half in the book.
            let event = events.pop_front().unwrap_or(Event::Interrupted);
            let (next, actions) = run.decide(event);
            run = next;
            if let Some(Action::Stop(stop)) = actions.first() {
                self.explain(*stop);
                return (run, *stop);
            }
            let stops = events.is_empty()
                && (self.runner.cancel.is_cancelled() || self.is_stop_wanted(&actions));
            if stops {
                events.push_back(Event::Interrupted);
            } else {
                events.extend(self.perform(&actions));
            }
            self.tell_warnings();
        }
    }

    /// Whether the author asked to stop (`novel stop`) and a step has just ended. A wish that cannot
    /// be read is no wish.
    fn is_stop_wanted(&self, actions: &[Action]) -> bool {
        let is_between_steps = matches!(actions, [Action::Look]);
        let wanted = is_between_steps && inbox::take_stop(self.runner.project.store());
        if wanted {
            self.runner.watch.event(&WatchEvent::StopRequested);
        }
        wanted
    }

    fn tell_warnings(&mut self) {
        // A plan is checked after each of its parts, which finds the same again.
        for warning in self.warnings.split_off(self.told_warnings) {
            if !self.warnings.contains(&warning) {
                let event = WatchEvent::Warned { warning: &warning };
                self.runner.watch.event(&event);
                self.warnings.push(warning);
            }
        }
        self.told_warnings = self.warnings.len();
    }

    /// Where the machine itself stopped, and no file or agent did.
    fn explain(&mut self, stop: Stop) {
        if self.cause.is_some() {
            return;
        }
        let Stop::Blocked(Block::TrialWaits | Block::PlanWaits | Block::NotWriting) = stop else {
            return;
        };
        let refusal = self.reader().map_err(StopCause::from).and_then(|reader| {
            let view = self.runner.project.view(&reader)?;
            let step = view.next()?.step;
            let waits = waiting_step(&view, step, Approval::Author);
            Ok(match (stop, waits) {
                (Stop::Blocked(Block::TrialWaits | Block::PlanWaits), Some(waits)) => waits,
                _ => crate::Refusal::NotWriting {
                    state: view.checkpoint.get().orchestrator_state,
                    next: step,
                },
            })
        });
        self.cause = Some(refusal.map_or_else(|cause| cause, StopCause::from));
    }

    fn perform(&mut self, actions: &[Action]) -> Vec<Event> {
        let asks = ask::asks(actions);
        if !asks.is_empty() {
            return self.ask_all(&asks);
        }
        actions
            .iter()
            .map(|action| self.perform_one(action))
            .collect()
    }

    fn perform_one(&mut self, action: &Action) -> Event {
        match action {
            Action::Look => match self.revision_due() {
                Ok(Some(chapter)) => Event::RevisionDue(chapter),
                Ok(None) => match self.look() {
                    Ok(Some(task)) => Event::Looked(task),
                    Ok(None) => Event::Reached,
                    Err(cause) => self.blocked(cause),
                },
                Err(cause) => self.blocked(cause),
            },
            Action::Revise(chapter) => self.revise(*chapter),
            Action::BeginRound(task) => match self.begin_round(*task) {
                Ok(()) => Event::RoundBegun,
                Err(error) => self.write_failed(error),
            },
            Action::Accept(task) => self.accept(*task),
            Action::Commit(chapter) => self.commit(*chapter),
            Action::GiveUp => match self.give_up() {
                Ok(()) => Event::RoundBegun,
                Err(error) => self.write_failed(error),
            },
            // Asks are performed together, a stop ends the loop.
            Action::Ask { .. } | Action::Stop(_) => Event::Interrupted,
        }
    }

    fn blocked(&mut self, cause: StopCause) -> Event {
        let block = cause.block();
        self.cause = Some(cause);
        Event::Blocked(block)
    }

    fn write_failed(&mut self, cause: impl Into<StopCause>) -> Event {
        let cause = cause.into();
        let event = if cause.is_unfinished_write() {
            Event::Unfinished
        } else {
            Event::WriteFailed
        };
        self.cause = Some(cause);
        event
    }

    /// A revision of the newest chapter that is made without asking.
    fn revision_due(&self) -> Result<Option<ChapterNo>, StopCause> {
        let reader = self.writer.reader()?;
        let newest = crate::read_checkpoint(&reader)?.get().last_chapter();
        // A chapter that was written anew in its place need not be the newest.
        let due = revision::due(&reader, newest, self.unrevised);
        Ok(due.or_else(|| revision::due(&reader, self.unrevised, self.unrevised)))
    }

    /// A revision that cannot be made leaves the chapter pending: the author decides.
    fn revise(&mut self, chapter: ChapterNo) -> Event {
        self.unrevised = None;
        match revision::carry_out(self.runner, self.writer, &mut self.spent, chapter) {
            Ok(warnings) => {
                self.warnings.extend(warnings);
                Event::Revised
            }
            Err(ReviseError::Ask(AskError::OverBudget(_))) => Event::OverBudget,
            Err(error) => {
                self.cause = Some(error.into());
                Event::Blocked(Block::PendingRevision)
            }
        }
    }

    /// What to do next; `None` when what was asked for is there.
    fn look(&mut self) -> Result<Option<Task>, StopCause> {
        self.expect_goal()?;
        let redo = self.accept_leftovers()?;
        let reader = self.reader()?;
        let view = self.runner.project.view(&reader)?;
        let mut next = view.next()?;
        next.step = redo.unwrap_or(next.step);
        let planned = view.checkpoint.get().trial_until.is_none();
        let task = match self.ahead(&view, &next)? {
            Ahead::Work(task) => task,
            Ahead::Nothing => return Ok(None),
            Ahead::Merge(chapter) => {
                drop(view);
                let merged =
                    write_merged(self.runner.project, self.writer, chapter, TxnKind::Submit)?;
                self.warnings.extend(merged.warnings);
                return self.look();
            }
        };
        self.go_on = match task.step {
            StepId::Chapter(..) if planned => GoOn::Continue,
            StepId::Chapter(..) | StepId::Quickstart(_) => GoOn::Quickstart,
            StepId::Volume(_, VolumeStage::Review) => GoOn::Review,
            StepId::Volume(..) => GoOn::Plan,
        };
        self.warnings.extend(next.warnings);
        self.answers.clear();
        self.problems.clear();
        self.earlier.clear();
        if let StepId::Chapter(chapter, _) = task.step
            && chapter != self.named
        {
            self.writer
                .guard()
                .name_chapter(chapter)
                .map_err(StoreError::from)?;
            self.named = chapter;
        }
        Ok(Some(task))
    }

    /// Makes what is written from now on one operation: a chapter from its first step to its commit,
    /// the whole plan of a volume, one step of the set-up, the scenes the author asked for.
    fn begin_operation(&self, reader: &WorkReader, step: StepId) -> Result<(), StopCause> {
        let chapter = match (self.goal, step) {
            (Goal::ScenePlan(_) | Goal::Scenes(..), _)
            | (_, StepId::Chapter(_, ChapterStage::Review | ChapterStage::Audit))
            | (_, StepId::Volume(..) | StepId::Quickstart(_)) => None,
            (_, StepId::Chapter(chapter, _)) => Some(chapter),
        };
        let label = match (self.goal, chapter) {
            (Goal::ScenePlan(chapter), _) => scenes::plan_label(chapter),
            (Goal::Scenes(chapter, scene), _) => scenes::scenes_label(chapter, scene),
            (_, None) => self.label_of(reader, step)?,
            (_, Some(chapter)) if reader.is_rewriting() => anew::label(chapter),
            (_, Some(chapter)) => {
                let open = self.writer.open_operation()?;
                open.filter(|label| label.kind.ends_with(TxnKind::Commit { chapter }))
                    .unwrap_or_else(|| commit::label(chapter))
            }
        };
        if self.writer.operation_label().as_ref() == Some(&label) {
            return Ok(());
        }
        let staged = chapter.map(|chapter| history::staged(reader, chapter));
        self.writer.operation(label, staged.transpose()?)?;
        Ok(())
    }

    /// The operation that a step beside the chapters belongs to. The people of a plan are asked for when
    /// its parts are there, and belong to it too.
    fn label_of(&self, reader: &WorkReader, step: StepId) -> Result<TxnLabel, StopCause> {
        let StepId::Volume(volume, stage) = step else {
            return Ok(advance::label(step));
        };
        match stage {
            VolumeStage::Review => Ok(advance::label(step)),
            VolumeStage::Commit if !plan::is_unwoven(reader, volume)? => Ok(volume::label(volume)),
            VolumeStage::Plan | VolumeStage::Commit => {
                let open = self.writer.open_operation()?;
                Ok(open
                    .filter(|label| label.kind.ends_with(TxnKind::Plan { volume }))
                    .unwrap_or_else(|| volume::plan_label(volume)))
            }
        }
    }

    /// Outputs that a crash left between their hand-in and their acceptance are accepted now. Ones
    /// that are not valid are made anew: the step is returned.
    fn accept_leftovers(&mut self) -> Result<Option<StepId>, StopCause> {
        let reader = self.reader()?;
        let next = self.runner.project.view(&reader)?.next()?;
        self.begin_operation(&reader, next.step)?;
        if matches!(self.goal, Goal::ScenePlan(_) | Goal::Scenes(..)) {
            return Ok(None);
        }
        let Some(step) = leftover(&next) else {
            return Ok(None);
        };
        let work = work_of(&reader, step, std::iter::empty(), self.writer)?;
        match accept_outputs(self.runner.project, self.writer, step, work) {
            Ok(report) => {
                self.warnings.extend(report.warnings);
                Ok(None)
            }
            Err(error) if error.is_rejected() => Ok(Some(step)),
            Err(error) => Err(error.into()),
        }
    }

    fn begin_round(&mut self, task: Task) -> Result<(), StopCause> {
        let reader = self.reader()?;
        let view = self.runner.project.view(&reader)?;
        let checkpoint = begun(&view, task)?;
        self.save_checkpoint(checkpoint, "begin")
    }

    fn give_up(&mut self) -> Result<(), StopCause> {
        let reader = self.reader()?;
        let mut checkpoint = crate::read_checkpoint(&reader)?;
        checkpoint.edit(novel_model::files::Checkpoint::give_up);
        self.save_checkpoint(checkpoint, "error-retry")
    }

    fn save_checkpoint(
        &mut self,
        checkpoint: Document<Checkpoint>,
        target: &str,
    ) -> Result<(), StopCause> {
        let label = TxnLabel::new(TxnKind::Checkpoint, target);
        let changes = self.moved(checkpoint);
        self.runner.project.write(self.writer, label, changes)?;
        Ok(())
    }

    /// The change that moves the checkpoint alone.
    fn moved(&self, mut checkpoint: Document<Checkpoint>) -> Changes {
        stamp_checkpoint(self.runner.project.now(), &mut checkpoint);
        let mut changes = Changes::default();
        changes.write(layout::checkpoint(), checkpoint.to_text());
        changes
    }

    fn commit(&mut self, chapter: ChapterNo) -> Event {
        match commit::write_commit(self.runner.project, self.writer, chapter) {
            Ok(report) => {
                let event = committed(self.runner.project, &report);
                let pending = report.consistency.is_some_and(|found| found.pending);
                self.unrevised = pending.then_some(chapter);
                self.runner
                    .watch
                    .event(&WatchEvent::Committed { report: &report });
                self.later.extend(report.later);
                self.warnings.extend(report.warnings);
                self.probe(chapter);
                event
            }
            Err(error) => self.write_failed(error),
        }
    }

    /// Watches the judge, where the configuration asks for it. A probe that fails stops nothing.
    fn probe(&mut self, chapter: ChapterNo) {
        let probed = judge::probe_after(self.runner, self.writer, &mut self.spent, chapter);
        if let Err(error) = probed {
            let Message { en, zh } = error.message();
            self.warnings.push(Warning::new(
                "probe_failed",
                message!(
                    en: "the judge could not be tested after chapter {}: {en}",
                    zh: "第 {} 章之后未能检验评审：{zh}",
                    chapter.get()
                ),
            ));
        }
    }

    /// The book as the next step sees it.
    fn reader(&self) -> Result<WorkReader, BookError> {
        self.runner.project.at_work(self.writer)
    }
}

/// The step whose outputs wait for their acceptance, if any: a crash left them between hand-in and
/// acceptance, or they are a draft the author edited, which is taken and not written again.
fn leftover(next: &Next) -> Option<StepId> {
    let edited = (next.reason == "draft_changed").then_some(next.step);
    // A staged plan is for the author to look at, whoever made it.
    let unaccepted = next
        .unaccepted
        .filter(|step| matches!(step, StepId::Chapter(..)));
    unaccepted.or(edited)
}

/// The next step as a task of the run.
fn task_at(view: &Book<'_>, next: &Next) -> Result<Task, StepError> {
    let (step, round) = (next.step, next.round);
    let checkpoint = view.checkpoint.get();
    let StepId::Chapter(chapter, stage) = step else {
        return Ok(Task {
            step,
            round,
            part: Part::Whole,
            judges: Judging::One,
            begun: Begun::Yes,
        });
    };
    let judges = if stage == ChapterStage::Judge && view.is_key_chapter(chapter)? {
        Judging::Two
    } else {
        Judging::One
    };
    let begun = match round {
        Round::First => {
            checkpoint.inflight_chapter.is_some()
                || matches!(stage, ChapterStage::Review | ChapterStage::Audit)
        }
        Round::Revision | Round::Polish => {
            stage == ChapterStage::Commit
                || checkpoint.pipeline_stage == Some(PipelineStage::Revising)
        }
    };
    Ok(Task {
        step,
        round,
        part: Part::Whole,
        judges,
        begun: if begun { Begun::Yes } else { Begun::No },
    })
}

/// The checkpoint that says what is being done.
fn begun(view: &Book<'_>, task: Task) -> Result<Document<Checkpoint>, StepError> {
    let mut checkpoint = view.checkpoint.clone();
    let StepId::Chapter(chapter, _) = task.step else {
        return Ok(checkpoint);
    };
    view.check_not_blocked(chapter)?;
    checkpoint.edit(|checkpoint| match task.round {
        Round::First => {
            checkpoint.pipeline_stage = Some(PipelineStage::Drafting);
            checkpoint.inflight_chapter = Some(chapter);
            checkpoint.revision_count = 0;
        }
        Round::Revision => {
            checkpoint.go_to(OrchestratorState::ChapterRewrite);
            checkpoint.pipeline_stage = Some(PipelineStage::Revising);
            checkpoint.revision_count += 1;
        }
        Round::Polish => checkpoint.pipeline_stage = Some(PipelineStage::Revising),
    });
    Ok(checkpoint)
}

/// A committed chapter, as a run tells it.
pub(crate) fn finished(report: &CommitReport) -> Finished {
    Finished {
        chapter: report.chapter,
        words: report.words,
        overall: report.overall,
        scored_by: report.scored_by,
        gate: report.gate,
        revisions: report.revisions,
        force_passed: report.force_passed,
    }
}

/// What a commit means for the run.
fn committed(project: &Project, report: &CommitReport) -> Event {
    let pending = report.consistency.is_some_and(|found| found.pending);
    let gated = pending || post_commit::any(project.config());
    Event::Committed {
        finished: finished(report),
        volume_end: report.volume_end,
        gates: if gated { Gates::Open } else { Gates::None },
    }
}

/// Every call of a step that the chapter's log has not counted yet, the answers at hand among them.
fn work_of<'a>(
    reader: &dyn BookReader,
    step: StepId,
    at_hand: impl Iterator<Item = &'a ledger::Recorded>,
    writer: &Writer,
) -> Result<Work, BookError> {
    let counted = match step {
        StepId::Chapter(chapter, ChapterStage::Review | ChapterStage::Audit) => {
            let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
            log.map(|log| log.get().stages.clone())
        }
        StepId::Chapter(chapter, _) => {
            let bindings = Document::<Bindings>::load(reader, &layout::staged_bindings(chapter))?;
            bindings.map(|bindings| bindings.get().stages.clone())
        }
        StepId::Volume(..) | StepId::Quickstart(_) => None,
    };
    let counted = counted.unwrap_or_default();
    ledger::uncounted(reader, step, &counted, at_hand, writer.operation_id()?)
}
