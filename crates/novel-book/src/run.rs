//! The writing loop as a pure state machine: state and event in, next state and actions out.
//!
//! A driver performs the actions and reports back as events. The machine knows no file, no model
//! and no clock, so a driver on local files and one on a durable-execution engine share it.

use novel_model::{
    ChapterNo, ChapterStage, QuickstartPhase, SceneNo, StepId, VolumeStage,
    files::{GateDecision, JudgeRole, ScoredBy},
};

pub use crate::config::Approval;
use crate::{next::Round, scenes::Part};

/// Tries of one step before the run gives up: the first and one retry (seed 003, step 1.6).
pub const MAX_TRIES: u32 = 2;

/// What a run is to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So many more chapters, a recovered one included. Set-up, planning and review are not its
    /// business (seed 003, step 1).
    Chapters(u32),
    /// This chapter, through set-up, plans and reviews.
    Until(ChapterNo),
    /// The end of the volume, through set-up, plan and the review of the volume before.
    VolumeEnd,
    /// The author's next decision: a written trial, a staged plan, a finished review.
    Decision,
    /// The accepted draft of this chapter.
    Draft(ChapterNo),
    /// A plan of this chapter's scenes.
    ScenePlan(ChapterNo),
    /// This scene of a chapter, or all that are still to be written.
    Scenes(ChapterNo, Option<SceneNo>),
}

/// A chapter this run has committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its length.
    pub words: u64,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    pub scored_by: Option<ScoredBy>,
    /// The gate's last word.
    pub gate: Option<GateDecision>,
    /// Revisions it took.
    pub revisions: u32,
    /// Whether the limit of revisions let it pass.
    pub force_passed: bool,
}

/// The next thing to do, as the driver found it in the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The step.
    pub step: StepId,
    /// Which time around.
    pub round: Round,
    /// Which part, for a draft.
    pub part: Part,
    /// Who judges, for a judge step: one or two at the same time.
    pub judges: Judging,
    /// Whether the checkpoint already says that this round (or this chapter) was begun.
    pub begun: Begun,
}

/// How many judges a chapter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judging {
    /// One.
    One,
    /// A key chapter's two.
    Two,
}

/// Whether the checkpoint already records a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// The checkpoint names the round.
    Yes,
    /// The checkpoint must be written before the round starts.
    No,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The run begins.
    Begin,
    /// The files were looked at: there is something to do.
    Looked(Task),
    /// The files were looked at: what was asked for is there.
    Reached,
    /// The files were looked at: the author must act first.
    Blocked(Block),
    /// The round was recorded in the checkpoint.
    RoundBegun,
    /// An agent answered; the answer is kept.
    Answered(JudgeRole),
    /// An agent did not answer.
    AnswerFailed(JudgeRole, Again),
    /// The answers are valid and the checkpoint moved.
    Accepted,
    /// The answers are not valid.
    Rejected,
    /// The chapter is in the book.
    Committed {
        /// What was committed.
        finished: Finished,
        /// Whether the volume is complete.
        volume_end: bool,
        /// Whether gates after the commit are open.
        gates: Gates,
    },
    /// A committed chapter is to be revised without asking.
    RevisionDue(ChapterNo),
    /// The revision was carried out.
    Revised,
    /// A file could not be written.
    WriteFailed,
    /// A write is decided, but could not be finished: whoever writes next finishes it. Nothing is
    /// tried again here, and nothing is built on it.
    Unfinished,
    /// The next call would exceed the budget.
    OverBudget,
    /// The author asked to stop.
    Interrupted,
}

/// Whether an agent that did not answer is asked once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// Once: the next answer may be there.
    Once,
    /// Not at all: the same question is refused again, such as one with a wrong key.
    Useless,
}

/// Gates after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gates {
    /// There are none.
    None,
    /// They are to be passed before the run is over.
    Open,
}

/// Why the author must act first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// The quality gate waits.
    GatePaused,
    /// A revision is pending.
    PendingRevision,
    /// No chapter is to be written: set-up, planning or review comes first.
    NotWriting,
    /// The trial chapters wait for the author's word.
    TrialWaits,
    /// The plan of a volume waits for the author's word.
    PlanWaits,
    /// A file is missing or damaged.
    BrokenProject,
}

/// What the driver is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Look at the files and report [`Event::Looked`], [`Event::Reached`] or [`Event::Blocked`].
    Look,
    /// Record the chapter or round in the checkpoint.
    BeginRound(Task),
    /// Call an agent. Several of these in one decision run at the same time.
    Ask {
        /// For this.
        task: Task,
        /// Which judge, for a judge step.
        judge: JudgeRole,
        /// Which try, from one.
        attempt: u32,
    },
    /// Validate the answers and move the checkpoint.
    Accept(Task),
    /// Commit the chapter.
    Commit(ChapterNo),
    /// Carry out the revision of a committed chapter.
    Revise(ChapterNo),
    /// Record `ERROR_RETRY` in the checkpoint.
    GiveUp,
    /// The run is over.
    Stop(Stop),
}

/// Why a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Everything asked for is written.
    GoalReached,
    /// The volume is complete.
    VolumeEnd,
    /// The author must act.
    Blocked(Block),
    /// A step failed twice.
    Failed,
    /// The budget is used up.
    OverBudget,
    /// The author asked to stop.
    Interrupted,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    goal: Goal,
    approval: Approval,
    finished: Vec<Finished>,
    phase: Phase,
    /// Why the run ends once the gates after its last commit are passed.
    ending: Option<Stop>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Idle,
    Looking,
    Beginning {
        task: Task,
        writes: u32,
    },
    Asking {
        task: Task,
        attempt: u32,
        primary: Reply,
        secondary: Reply,
    },
    Accepting {
        task: Task,
        attempt: u32,
        writes: u32,
    },
    Committing {
        chapter: ChapterNo,
        attempt: u32,
    },
    Revising,
    GivingUp,
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    NotAsked,
    Awaited,
    Here,
    Failed,
    Refused,
}

impl Run {
    /// A run that has not begun.
    #[must_use]
    pub const fn new(goal: Goal, approval: Approval) -> Self {
        Self {
            goal,
            approval,
            finished: Vec::new(),
            phase: Phase::Idle,
            ending: None,
        }
    }

    /// The chapters committed so far.
    #[must_use]
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    /// Takes an event and says what to do. An event that does not fit the phase (a late answer
    /// after an interruption) changes nothing.
    #[must_use]
    pub fn decide(mut self, event: Event) -> (Self, Vec<Action>) {
        let actions = self.react(event);
        (self, actions)
    }

    fn react(&mut self, event: Event) -> Vec<Action> {
        match (self.phase, event) {
            (Phase::Over, _) => vec![],
            (_, Event::Interrupted) => self.stop(Stop::Interrupted),
            (_, Event::OverBudget) => self.stop(Stop::OverBudget),
            (_, Event::Unfinished) => self.stop(Stop::Failed),
            (_, Event::Blocked(block)) => {
                let ending = self.ending.filter(|_| block == Block::NotWriting);
                self.stop(ending.unwrap_or(Stop::Blocked(block)))
            }
            (Phase::Idle, Event::Begin) => self.look(),
            (Phase::Looking, Event::Looked(task)) => match self.ending {
                Some(ending) if !is_gate(task.step) => self.stop(ending),
                _ => self.take_up(task),
            },
            (Phase::Looking, Event::RevisionDue(chapter)) => {
                self.phase = Phase::Revising;
                vec![Action::Revise(chapter)]
            }
            (Phase::Revising, Event::Revised) => self.look(),
            (Phase::Looking, Event::Reached) => self.stop(Stop::GoalReached),
            (Phase::Beginning { task, .. }, Event::RoundBegun) => self.ask(task, 1),
            // A write that fails is tried once more, at every stage.
            (Phase::Beginning { task, writes }, Event::WriteFailed) if writes < MAX_TRIES => {
                self.begin(task, writes + 1)
            }
            (
                Phase::Asking {
                    task,
                    attempt,
                    primary,
                    secondary,
                },
                event,
            ) => self.hear(task, attempt, primary, secondary, &event),
            (Phase::Accepting { task, .. }, Event::Accepted) => self.after_accept(task),
            // Nobody can be asked again for what the program itself is to take over.
            (Phase::Accepting { task, .. }, Event::Rejected) if by_program(task.step) => {
                self.stop(Stop::Blocked(Block::BrokenProject))
            }
            (Phase::Accepting { task, attempt, .. }, Event::Rejected) => self.retry(task, attempt),
            (
                Phase::Accepting {
                    task,
                    attempt,
                    writes,
                },
                Event::WriteFailed,
            ) if writes < MAX_TRIES => self.accept(task, attempt, writes + 1),
            (
                Phase::Committing { .. },
                Event::Committed {
                    finished,
                    volume_end,
                    gates,
                },
            ) => {
                self.finished.push(finished);
                self.after_commit(volume_end, gates)
            }
            (Phase::Committing { chapter, attempt }, Event::WriteFailed) if attempt < MAX_TRIES => {
                self.phase = Phase::Committing {
                    chapter,
                    attempt: attempt + 1,
                };
                vec![Action::Commit(chapter)]
            }
            (Phase::GivingUp, _) => self.stop(Stop::Failed),
            (_, Event::WriteFailed) => self.give_up(),
            _ => vec![],
        }
    }

    fn look(&mut self) -> Vec<Action> {
        self.phase = Phase::Looking;
        vec![Action::Look]
    }

    fn stop(&mut self, reason: Stop) -> Vec<Action> {
        self.phase = Phase::Over;
        vec![Action::Stop(reason)]
    }

    fn give_up(&mut self) -> Vec<Action> {
        self.phase = Phase::GivingUp;
        vec![Action::GiveUp]
    }

    fn take_up(&mut self, task: Task) -> Vec<Action> {
        match task.step {
            StepId::Chapter(chapter, ChapterStage::Commit) => {
                self.phase = Phase::Committing {
                    chapter,
                    attempt: 1,
                };
                vec![Action::Commit(chapter)]
            }
            StepId::Chapter(..) if task.begun == Begun::No => self.begin(task, 1),
            StepId::Chapter(..) => self.ask(task, 1),
            StepId::Volume(..) | StepId::Quickstart(_) => self.take_up_lifecycle(task),
        }
    }

    fn take_up_lifecycle(&mut self, task: Task) -> Vec<Action> {
        match (self.goal, waits(task.step)) {
            (Goal::Chapters(_), _) => self.stop(Stop::Blocked(Block::NotWriting)),
            (Goal::Decision, Some(_)) => self.stop(Stop::GoalReached),
            (_, Some(block)) if self.approval == Approval::Author => {
                self.stop(Stop::Blocked(block))
            }
            _ if by_program(task.step) => self.accept(task, 1, 1),
            _ => self.ask(task, 1),
        }
    }

    fn after_accept(&mut self, task: Task) -> Vec<Action> {
        match (self.goal, task.step) {
            (Goal::Decision, StepId::Volume(_, VolumeStage::Review)) => {
                self.stop(Stop::GoalReached)
            }
            _ => self.look(),
        }
    }

    fn begin(&mut self, task: Task, writes: u32) -> Vec<Action> {
        self.phase = Phase::Beginning { task, writes };
        vec![Action::BeginRound(task)]
    }

    fn accept(&mut self, task: Task, attempt: u32, writes: u32) -> Vec<Action> {
        self.phase = Phase::Accepting {
            task,
            attempt,
            writes,
        };
        vec![Action::Accept(task)]
    }

    /// Two judges are asked at the same time.
    fn ask(&mut self, task: Task, attempt: u32) -> Vec<Action> {
        let two = matches!(task.step, StepId::Chapter(_, ChapterStage::Judge))
            && task.judges == Judging::Two;
        let secondary = if two { Reply::Awaited } else { Reply::NotAsked };
        self.phase = Phase::Asking {
            task,
            attempt,
            primary: Reply::Awaited,
            secondary,
        };
        let mut actions = vec![Action::Ask {
            task,
            judge: JudgeRole::Primary,
            attempt,
        }];
        if two {
            actions.push(Action::Ask {
                task,
                judge: JudgeRole::Secondary,
                attempt,
            });
        }
        actions
    }

    fn hear(
        &mut self,
        task: Task,
        attempt: u32,
        primary: Reply,
        secondary: Reply,
        event: &Event,
    ) -> Vec<Action> {
        let (judge, reply) = match event {
            Event::Answered(judge) => (judge, Reply::Here),
            Event::AnswerFailed(judge, Again::Once) => (judge, Reply::Failed),
            Event::AnswerFailed(judge, Again::Useless) => (judge, Reply::Refused),
            // An answer could not be kept; what was kept is found again.
            Event::WriteFailed => return self.retry(task, attempt),
            _ => return vec![],
        };
        let (primary, secondary) = match judge {
            JudgeRole::Primary => (reply, secondary),
            JudgeRole::Secondary => (primary, reply),
        };
        self.phase = Phase::Asking {
            task,
            attempt,
            primary,
            secondary,
        };
        // An answer still on its way is waited for: it is paid for.
        if [primary, secondary].contains(&Reply::Awaited) {
            return vec![];
        }
        if [primary, secondary].contains(&Reply::Refused) {
            return self.give_up();
        }
        if [primary, secondary].contains(&Reply::Failed) {
            return self.retry(task, attempt);
        }
        self.accept(task, attempt, 1)
    }

    fn retry(&mut self, task: Task, attempt: u32) -> Vec<Action> {
        if attempt < MAX_TRIES {
            self.ask(task, attempt + 1)
        } else {
            self.give_up()
        }
    }

    fn after_commit(&mut self, volume_end: bool, gates: Gates) -> Vec<Action> {
        let last = self.finished.last().map(|finished| finished.chapter);
        let reached = match self.goal {
            // Seed 003: the end of a volume ends `continue` whatever was asked for.
            Goal::Chapters(wanted) => volume_end || self.finished.len() >= wanted as usize,
            Goal::Until(chapter) => last.is_some_and(|last| last >= chapter),
            Goal::VolumeEnd | Goal::Decision => volume_end,
            // Nothing is committed on the way there.
            Goal::Draft(_) | Goal::ScenePlan(_) | Goal::Scenes(..) => true,
        };
        let ending = match (reached, volume_end) {
            (true, true) => Some(Stop::VolumeEnd),
            (true, false) => Some(Stop::GoalReached),
            (false, _) => None,
        };
        match (ending, gates) {
            (Some(stop), Gates::None) => self.stop(stop),
            (ending, _) => {
                self.ending = ending;
                self.look()
            }
        }
    }
}

/// Steps no agent is asked for.
const fn by_program(step: StepId) -> bool {
    matches!(
        step,
        StepId::Volume(_, VolumeStage::Commit) | StepId::Quickstart(QuickstartPhase::Results)
    )
}

/// What the author has to approve before a step.
const fn waits(step: StepId) -> Option<Block> {
    match step {
        StepId::Volume(_, VolumeStage::Commit) => Some(Block::PlanWaits),
        StepId::Quickstart(QuickstartPhase::Results) => Some(Block::TrialWaits),
        _ => None,
    }
}

/// Whether a step is a gate after a commit.
const fn is_gate(step: StepId) -> bool {
    matches!(
        step,
        StepId::Chapter(_, ChapterStage::Review | ChapterStage::Audit)
    )
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
