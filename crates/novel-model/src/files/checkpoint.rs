//! `.checkpoint.json`: where the book stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChapterNo, VolumeNo};

/// The high-level state of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum OrchestratorState {
    /// Nothing is there yet.
    Init,
    /// World, cast, style, trial chapters.
    QuickStart,
    /// The current volume has no plan yet.
    VolPlanning,
    /// Chapters are being written.
    Writing,
    /// A chapter is being revised.
    ChapterRewrite,
    /// The volume is complete and waits for its review.
    VolReview,
    /// A step failed twice.
    ErrorRetry,
}

impl OrchestratorState {
    /// The word in the file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Init => "INIT",
            Self::QuickStart => "QUICK_START",
            Self::VolPlanning => "VOL_PLANNING",
            Self::Writing => "WRITING",
            Self::ChapterRewrite => "CHAPTER_REWRITE",
            Self::VolReview => "VOL_REVIEW",
            Self::ErrorRetry => "ERROR_RETRY",
        }
    }
}

/// The last completed stage of the chapter in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PipelineStage {
    /// A draft was begun or accepted.
    Drafting,
    /// The summary artefacts were accepted.
    Drafted,
    /// The refined text was accepted.
    Refined,
    /// The evaluation was accepted.
    Judged,
    /// A revision or polish round was begun.
    Revising,
    /// The chapter is in the book.
    Committed,
}

impl PipelineStage {
    /// The word in the file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Drafting => "drafting",
            Self::Drafted => "drafted",
            Self::Refined => "refined",
            Self::Judged => "judged",
            Self::Revising => "revising",
            Self::Committed => "committed",
        }
    }
}

/// `.checkpoint.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoint {
    /// Number of the newest committed chapter; zero before the first.
    pub last_completed_chapter: u32,
    /// The volume being written.
    #[serde(default = "VolumeNo::first")]
    pub current_volume: VolumeNo,
    /// High-level state.
    pub orchestrator_state: OrchestratorState,
    /// Last completed stage of the chapter in flight.
    #[serde(default)]
    pub pipeline_stage: Option<PipelineStage>,
    /// The chapter in flight.
    #[serde(default)]
    pub inflight_chapter: Option<ChapterNo>,
    /// Revisions of the chapter in flight.
    #[serde(default)]
    pub revision_count: u32,
    /// Reminders for the author.
    #[serde(default)]
    pub pending_actions: Vec<Value>,
    /// When this file was last written.
    #[serde(default)]
    pub last_checkpoint_time: Option<String>,
    /// Last trial chapter, while the trial is under way and the author has not accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial_until: Option<ChapterNo>,
    /// The state a step failed in; only in `ERROR_RETRY`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_before_error: Option<OrchestratorState>,
    /// A chapter of the book that is being written anew in its place. The fields above stay those of
    /// the book, so that a reader that does not know this one still finds the book's next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewrite: Option<RewriteUnderWay>,
    /// The first chapter to be planned anew, while the rest of a volume is. The chapters before it keep
    /// their plan, written or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_from: Option<ChapterNo>,
}

/// How far the rewriting of a chapter in its place has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RewriteUnderWay {
    /// The chapter.
    pub chapter: ChapterNo,
    /// State of the rewriting: writing, revising after a verdict, or a failed step.
    pub orchestrator_state: OrchestratorState,
    /// Last completed stage.
    pub pipeline_stage: PipelineStage,
    /// Revisions of the new text.
    #[serde(default)]
    pub revision_count: u32,
    /// The state a step failed in; only in `ERROR_RETRY`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_before_error: Option<OrchestratorState>,
}

impl Checkpoint {
    /// The checkpoint of a new book.
    #[must_use]
    pub fn new(state: OrchestratorState) -> Self {
        Self {
            last_completed_chapter: 0,
            current_volume: VolumeNo::first(),
            orchestrator_state: state,
            pipeline_stage: None,
            inflight_chapter: None,
            revision_count: 0,
            pending_actions: Vec::new(),
            last_checkpoint_time: None,
            trial_until: None,
            state_before_error: None,
            rewrite: None,
            plan_from: None,
        }
    }

    /// The first chapter that a plan of the current volume is about.
    #[must_use]
    pub fn plan_first(&self) -> ChapterNo {
        self.plan_from.unwrap_or_else(|| self.next_chapter())
    }

    /// Notes that a chapter of the book is being written anew in its place.
    pub fn begin_rewrite(&mut self, chapter: ChapterNo) {
        self.rewrite = Some(RewriteUnderWay {
            chapter,
            orchestrator_state: self.chapter_state(),
            pipeline_stage: PipelineStage::Drafting,
            revision_count: 0,
            state_before_error: None,
        });
        // A book between volumes stays where it is: its next step is a plan or a review.
        if self.orchestrator_state == OrchestratorState::Writing {
            self.orchestrator_state = OrchestratorState::ChapterRewrite;
        }
    }

    /// Notes that no chapter is being written anew any more.
    pub fn end_rewrite(&mut self) {
        if self.rewrite.take().is_some()
            && self.orchestrator_state == OrchestratorState::ChapterRewrite
            && self.inflight_chapter.is_none()
        {
            self.orchestrator_state = OrchestratorState::Writing;
        }
    }

    /// The checkpoint as whoever rewrites sees it: the book ends right before the chapter, which is in
    /// flight. `volume` is the chapter's.
    #[must_use]
    pub fn during_rewrite(&self, volume: VolumeNo) -> Self {
        let mut then = self.clone();
        if let Some(rewrite) = &self.rewrite {
            then.last_completed_chapter = rewrite.chapter.get() - 1;
            then.current_volume = volume;
            then.orchestrator_state = rewrite.orchestrator_state;
            then.pipeline_stage = Some(rewrite.pipeline_stage);
            then.inflight_chapter = Some(rewrite.chapter);
            then.revision_count = rewrite.revision_count;
            then.state_before_error = rewrite.state_before_error;
        }
        then
    }

    /// Whether this is the checkpoint of [`Checkpoint::during_rewrite`], not the book's.
    #[must_use]
    pub fn is_during_rewrite(&self) -> bool {
        let rewritten = self.rewrite.as_ref().map(|rewrite| rewrite.chapter);
        rewritten.is_some() && rewritten == self.inflight_chapter
    }

    /// Takes over how far the rewriting has come, from a checkpoint of [`Checkpoint::during_rewrite`].
    pub fn follow_rewrite(&mut self, then: &Self) {
        let (Some(rewrite), true) = (&mut self.rewrite, then.is_during_rewrite()) else {
            return;
        };
        rewrite.orchestrator_state = then.orchestrator_state;
        rewrite.pipeline_stage = then.pipeline_stage.unwrap_or(PipelineStage::Drafting);
        rewrite.revision_count = then.revision_count;
        rewrite.state_before_error = then.state_before_error;
        self.pending_actions.clone_from(&then.pending_actions);
        self.last_checkpoint_time
            .clone_from(&then.last_checkpoint_time);
    }

    /// The state the book works in: in `ERROR_RETRY` the one before.
    #[must_use]
    pub fn working_state(&self) -> OrchestratorState {
        match self.orchestrator_state {
            OrchestratorState::ErrorRetry => self
                .state_before_error
                .unwrap_or(OrchestratorState::Writing),
            state => state,
        }
    }

    /// Goes to another state; what was remembered of an error is forgotten.
    pub fn go_to(&mut self, state: OrchestratorState) {
        self.orchestrator_state = state;
        self.state_before_error = None;
    }

    /// Notes that a step failed twice.
    pub fn give_up(&mut self) {
        self.state_before_error = Some(self.working_state());
        self.orchestrator_state = OrchestratorState::ErrorRetry;
    }

    /// The state in which chapters go on: writing, or the quick start during its trial.
    #[must_use]
    pub fn chapter_state(&self) -> OrchestratorState {
        if self.trial_until.is_some() {
            OrchestratorState::QuickStart
        } else {
            OrchestratorState::Writing
        }
    }

    /// The newest committed chapter.
    #[must_use]
    pub fn last_chapter(&self) -> Option<ChapterNo> {
        ChapterNo::new(self.last_completed_chapter)
    }

    /// The chapter after the newest committed one.
    #[must_use]
    pub fn next_chapter(&self) -> ChapterNo {
        self.last_chapter()
            .map_or(ChapterNo::first(), ChapterNo::next)
    }
}
