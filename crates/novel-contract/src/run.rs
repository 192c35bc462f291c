//! Runs: the events in their logs, and the answers of `runs`, `watch`, `stop` and `tell`.
//!
//! A log is `logs/runs/ID.jsonl`, one [`RunEvent`] a line, numbered from 1 without gaps. It only grows.
//! New kinds of events and new fields may be added; a reader skips what it does not know.

use novel_model::{
    ChapterNo, Message, RunId, SceneNo,
    files::{GateDecision, JudgeRole, ScoredBy},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Warning,
    answer::answers,
    forecast::Estimate,
    write::{DraftCandidate, ExecutorKind, RunStop, Spent},
};

/// Version of the form of events.
pub const EVENT_VERSION: u32 = 1;

/// One line of a run's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunEvent {
    /// Version of this form.
    pub v: u32,
    /// The run.
    pub run: RunId,
    /// The number of the event, from 1, without gaps.
    pub n: u64,
    /// When.
    pub at: String,
    /// What happened.
    #[serde(flatten)]
    pub what: Happened,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum Happened {
    /// The run began; always the first event.
    #[serde(rename = "run.begun")]
    Begun(Begun),
    /// An agent is called.
    #[serde(rename = "call.started")]
    Started {
        /// Which call.
        #[serde(flatten)]
        call: CallId,
        /// The agent, such as `chapter-writer`.
        agent: String,
        /// The model.
        model: String,
        /// Which try, from 1.
        attempt: u32,
    },
    /// More prose of a draft or a refinement arrived.
    #[serde(rename = "text")]
    Text {
        /// Which call.
        #[serde(flatten)]
        call: CallId,
        /// The new piece.
        text: String,
        /// Estimated tokens of the answer so far.
        tokens: u64,
    },
    /// More of an answer that is not prose arrived.
    #[serde(rename = "call.progress")]
    Progress {
        /// Which call.
        #[serde(flatten)]
        call: CallId,
        /// Estimated tokens of the answer so far.
        tokens: u64,
    },
    /// A call is made again; the text of it that arrived before is void.
    #[serde(rename = "call.again")]
    Again {
        /// Which call.
        #[serde(flatten)]
        call: CallId,
        /// Why.
        why: Said,
    },
    /// An agent answered, or its earlier answer was found in the ledger.
    #[serde(rename = "call.answered")]
    Answered {
        /// Which call.
        #[serde(flatten)]
        call: CallId,
        /// What it took.
        work: Work,
        /// Whether the answer was paid for earlier.
        from_ledger: bool,
        /// All spent in this run so far.
        spent: Spent,
    },
    /// An agent failed, or its answer was not accepted.
    #[serde(rename = "call.failed")]
    Failed {
        /// Which step.
        step: String,
        /// Why.
        why: Said,
    },
    /// The outputs of a step are accepted.
    #[serde(rename = "step.accepted")]
    Accepted {
        /// The step.
        step: String,
        /// The chapters of a volume's plan that this part of it covers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chapters: Option<(ChapterNo, ChapterNo)>,
    },
    /// One of several drafts of a chapter was chosen, by the author or the judge.
    #[serde(rename = "draft.chosen")]
    Chosen {
        /// The chapter.
        chapter: ChapterNo,
        /// All of them.
        drafts: Vec<DraftCandidate>,
        /// The number of the chosen one.
        chosen: u32,
    },
    /// The gate decided about a chapter that was judged.
    #[serde(rename = "gate.decided")]
    Gate {
        /// The chapter.
        chapter: ChapterNo,
        /// What happens to it.
        decision: GateDecision,
        /// Its score.
        overall: f64,
        /// Whose score it is; none without a score.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scored_by: Option<ScoredBy>,
        /// Whether the limit of revisions let it pass.
        force_passed: bool,
        /// Revisions so far.
        revisions: u32,
        /// What the judge wants repaired.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fixes: Vec<String>,
    },
    /// A chapter is in the book.
    #[serde(rename = "chapter.committed")]
    Committed {
        /// The chapter.
        chapter: ChapterNo,
        /// Its title.
        title: String,
        /// Its length.
        words: u64,
        /// Its score.
        overall: Option<f64>,
        /// Whose score it is; none without a score.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scored_by: Option<ScoredBy>,
        /// The gate's last word.
        gate_decision: Option<GateDecision>,
        /// Revisions it took.
        revisions: u32,
        /// Whether the limit of revisions let it pass.
        force_passed: bool,
        /// Whether the volume is complete now.
        volume_end: bool,
        /// Whether the chapter waits for its revision.
        pending: bool,
    },
    /// Something the author should know.
    #[serde(rename = "warning")]
    Warned {
        /// Stable code.
        code: String,
        /// In words.
        message: Said,
    },
    /// A note of the author reached the run (`novel tell`).
    #[serde(rename = "note.taken")]
    Told {
        /// For this chapter or volume and its rounds, such as `chapter:048:draft`.
        step: String,
        /// The note.
        note: String,
    },
    /// The author asked to stop after the step under way (`novel stop`).
    #[serde(rename = "stop.requested")]
    StopRequested,
    /// The run is over; always the last event. A log without it is of a run under way, or of one that
    /// was killed.
    #[serde(rename = "run.ended")]
    Ended {
        /// Why.
        stop: RunStop,
        /// Stable code of the error, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The error in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<Said>,
        /// What to do about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<Said>,
        /// What it cost.
        spent: Spent,
    },
}

/// What `[notify]` tells when a run is over. It holds no prose of the book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// Version of this form.
    pub v: u32,
    /// What happened.
    pub event: NoticeKind,
    /// All of it in one line.
    pub text: Said,
    /// Title of the book.
    pub book: Option<String>,
    /// Name of the project's directory.
    pub project: Option<String>,
    /// The run.
    pub run: RunId,
    /// Why it ended.
    pub stop: RunStop,
    /// Stable code of what waits or failed.
    pub code: Option<String>,
    /// One command to run next.
    pub command: Option<String>,
    /// The newest chapter of the book.
    pub last_completed_chapter: u32,
    /// What the run cost.
    pub spent: Spent,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// Something waits for the author.
    Waits,
    /// The run is over.
    Ended,
    /// The run failed.
    Failed,
}

impl NoticeKind {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waits => "waits",
            Self::Ended => "ended",
            Self::Failed => "failed",
        }
    }
}

/// What is known when a run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// What was asked for.
    pub goal: RunGoal,
    /// Who runs the agents.
    pub executor: ExecutorKind,
    /// The process.
    pub pid: u32,
    /// When the process was started, in a form only good for comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process_start: Option<String>,
    /// The machine.
    pub host: String,
    /// The newest committed chapter before it; 0 before the first.
    pub last_completed_chapter: u32,
    /// What it is expected to cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Estimate>,
    /// Version of the program.
    pub program: String,
}

/// What a run is to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunGoal {
    /// So many more chapters.
    Chapters {
        /// How many.
        count: u32,
    },
    /// This chapter, through set-up, plans and reviews.
    Until {
        /// Which.
        chapter: ChapterNo,
    },
    /// The end of the volume.
    VolumeEnd,
    /// The author's next decision.
    Decision,
    /// The draft of a chapter.
    Draft {
        /// Which.
        chapter: ChapterNo,
    },
    /// The plan of a chapter's scenes.
    ScenePlan {
        /// Which.
        chapter: ChapterNo,
    },
    /// Scenes of a chapter.
    Scenes {
        /// Of which.
        chapter: ChapterNo,
        /// One of them; all that are missing without.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scene: Option<SceneNo>,
    },
    /// Questions to agents outside the writing loop: a review, a revision, an analysis.
    Inquiry,
}

/// Which call an event is about: the step, and which judge or part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallId {
    /// The step, such as `chapter:048:draft`.
    pub step: String,
    /// Which judge, for a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeRole>,
    /// Which scene, where a draft is written in scenes; `plan` for their plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

/// What a call took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// What was done, such as `draft`.
    pub name: String,
    /// Which model.
    pub model: Option<String>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Tokens sent.
    pub input_tokens: Option<u64>,
    /// Tokens received.
    pub output_tokens: Option<u64>,
    /// Tokens sent that the provider had cached.
    pub cached_tokens: Option<u64>,
    /// Price in US dollars.
    pub cost_usd: Option<f64>,
    /// Calls it took.
    pub attempts: Option<u32>,
}

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl From<&Message> for Said {
    fn from(message: &Message) -> Self {
        Self {
            en: message.en.clone(),
            zh: message.zh.clone(),
        }
    }
}

impl From<Said> for Message {
    fn from(said: Said) -> Self {
        Self {
            en: said.en,
            zh: said.zh,
        }
    }
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Under way.
    Running,
    /// Over.
    Ended,
    /// Its process is gone and it did not end: killed, or the machine went down.
    Broken,
}

/// One run, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunBrief {
    /// Its number.
    pub run: RunId,
    /// Where its log is.
    pub log: String,
    /// How it stands.
    pub state: RunState,
    /// What was asked for.
    pub goal: RunGoal,
    /// When it began.
    pub begun_at: String,
    /// When its last event was.
    pub last_at: String,
    /// Events in its log.
    pub events: u64,
    /// Chapters it committed.
    pub chapters: Vec<ChapterNo>,
    /// Why it ended.
    pub stop: Option<RunStop>,
    /// What it cost so far.
    pub spent: Spent,
    /// The steps under way.
    pub under_way: Vec<String>,
}

/// The answer of `runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunsAnswer {
    /// The runs, newest first.
    pub runs: Vec<RunBrief>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// The answer of `watch`, after the run ended: all its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchAnswer {
    /// The run in short.
    #[serde(flatten)]
    pub run: RunBrief,
    /// All events, in order.
    pub log_events: Vec<RunEvent>,
}

/// The answer of `stop` and `tell`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PostedAnswer {
    /// The run it is for; none when it waits for the next one.
    pub run: Option<RunId>,
    /// The file in the inbox.
    pub file: String,
    /// The note, for `tell`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

answers! {
    RunsAnswer { warnings },
    WatchAnswer {},
    PostedAnswer {},
}
