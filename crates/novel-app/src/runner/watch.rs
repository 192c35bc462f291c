//! What a person may watch while agents work.

use novel_book::run::{Goal, Stop};
use novel_model::{
    ChapterNo, Message, StepId, Warning,
    files::{Evaluation, JudgeRole, StageLog},
};
use novel_steps::commit::CommitReport;

use super::{Part, Spent};
use crate::runner::{Candidate, Pick};

/// Something a person may want to watch.
#[derive(Debug)]
pub enum WatchEvent<'a> {
    /// The writing loop begins.
    Begun {
        /// What it is to reach.
        goal: Goal,
    },
    /// An agent is called.
    Started {
        /// The step.
        step: StepId,
        /// Which agent.
        agent: &'a str,
        /// Which judge.
        judge: JudgeRole,
        /// Which part of a draft.
        part: Part,
        /// Which model.
        model: &'a str,
        /// Which try.
        attempt: u32,
    },
    /// More of an answer arrived.
    Text {
        /// The step.
        step: StepId,
        /// Which judge.
        judge: JudgeRole,
        /// The new piece.
        piece: &'a str,
        /// Estimated tokens so far.
        tokens: u64,
    },
    /// A call is made again.
    Again {
        /// The step.
        step: StepId,
        /// Which judge.
        judge: JudgeRole,
        /// Why.
        why: &'a Message,
    },
    /// An agent answered, or its earlier answer was found in the ledger.
    Answered {
        /// The step.
        step: StepId,
        /// Which judge.
        judge: JudgeRole,
        /// Which part of a draft.
        part: Part,
        /// What it took.
        work: &'a StageLog,
        /// Whether the answer was paid for earlier.
        from_ledger: bool,
        /// All spent in this run so far.
        spent: &'a Spent,
    },
    /// An agent failed, or its answer was not accepted.
    Failed {
        /// The step.
        step: StepId,
        /// Why.
        why: &'a Message,
    },
    /// A step was accepted.
    Accepted {
        /// The step.
        step: StepId,
        /// How much of it.
        extent: Extent,
    },
    /// One of several drafts was chosen.
    Chosen {
        /// The chapter.
        chapter: ChapterNo,
        /// All of them.
        candidates: &'a [Candidate],
        /// The place of the chosen one.
        chosen: usize,
    },
    /// A chapter was judged, and the gate decided.
    Judged {
        /// The verdict, with the gate's decision.
        evaluation: &'a Evaluation,
    },
    /// Something the author should know.
    Warned {
        /// What.
        warning: &'a Warning,
    },
    /// A note of the author was taken from the inbox.
    Told {
        /// For this step and the rounds after it.
        step: StepId,
        /// The note.
        note: &'a str,
    },
    /// The author asked to stop after the step under way.
    StopRequested,
    /// The writing loop is over.
    Over {
        /// Why.
        stop: Stop,
        /// What it cost.
        spent: &'a Spent,
    },
    /// A chapter is in the book.
    Committed {
        /// What was committed.
        report: &'a CommitReport,
    },
}

/// How much of a step was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it, or its end.
    Whole,
    /// These chapters of a volume's plan; others will follow.
    Chapters(ChapterNo, ChapterNo),
    /// The people a plan brings.
    Newcomers,
}

/// Observer of a run: progress lines, the run log, the notifier. Called from several threads.
pub trait Watch: Send + Sync {
    /// Something happened.
    fn event(&self, event: &WatchEvent<'_>);

    /// Asks the author which draft goes on; the judge's choice is `judged`.
    fn choose(&self, _chapter: ChapterNo, _candidates: &[Candidate], _judged: usize) -> Pick {
        Pick::Judge
    }
}
