//! What the commit of a chapter changes: text, state, foreshadowing, upkeep, checkpoint.

mod derived;
mod in_place;
mod plan;
mod upkeep;

use novel_book::{
    drift::DriftAction,
    judgement::judged_hash,
    next,
    staged::{Found, Staged},
    validate::Rejected,
};
use novel_contract::write as contract;
use novel_model::{
    ChapterNo, ChapterStage, ContentHash, Lang, StepId, Warning,
    files::{GateDecision, PipelineStage, ScoredBy},
    layout,
};
use serde_json::Value;

use crate::{Book, Refusal, StepError, answer::effect_answer};
pub use derived::{add_progress, committed_report, count_progress, current_progress};
pub use in_place::prepare_in_place;
use novel_book::edit::FileEffect;
pub use plan::CommitPlan;

/// What a commit did.
#[derive(Debug, Clone)]
pub struct CommitReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its length.
    pub words: u64,
    /// Version of the state after it.
    pub state_version: u64,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    pub scored_by: Option<ScoredBy>,
    /// The gate's last word.
    pub gate: Option<GateDecision>,
    /// Whether the limit of revisions let it pass.
    pub force_passed: bool,
    /// Revisions it took.
    pub revisions: u32,
    /// Whether the volume is complete now.
    pub volume_end: bool,
    /// Whether the chapter was in the book already.
    pub already_committed: bool,
    /// The files that changed, or would.
    pub changes: Vec<FileEffect>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// A look back, every five chapters.
    pub briefing: Option<Briefing>,
    /// What the deterministic check found; nothing where it is off.
    pub consistency: Option<Consistency>,
    /// Later chapters that may no longer fit, of a chapter that was written anew in its place.
    pub later: Vec<ChapterNo>,
}

/// What the deterministic check found in a chapter as it was committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consistency {
    /// Contradictions.
    pub issues: usize,
    /// Those with fix instructions.
    pub fixable: usize,
    /// Whether the chapter waits for its revision.
    pub pending: bool,
}

/// A look back over the last five chapters.
#[derive(Debug, Clone)]
pub struct Briefing {
    /// First and last chapter.
    pub window: (ChapterNo, ChapterNo),
    /// Mean score.
    pub mean: Option<f64>,
    /// Chapters below 3.5.
    pub weak: Vec<ChapterNo>,
    /// What the last judge warned of.
    pub risks: Vec<Value>,
    /// What the drift check did.
    pub drift: DriftAction,
}

/// Whether a chapter is in the book.
pub fn is_committed(view: &Book<'_>, chapter: ChapterNo) -> bool {
    chapter.get() <= view.checkpoint.get().last_completed_chapter
}

/// Works out the commit of a chapter that is not in the book yet.
///
/// # Errors
/// When the chapter is not ready, or a gate stops it.
pub fn prepare(view: &Book<'_>, chapter: ChapterNo) -> Result<CommitPlan, StepError> {
    view.check_not_blocked(chapter)?;
    let staged = view.staged_of(chapter)?;
    check_ready(view, &staged)?;
    plan::plan(view, &staged)
}

/// The verdict must belong to the text, the gate must let it pass, and commit must come next.
fn check_ready(view: &Book<'_>, staged: &Staged) -> Result<(), StepError> {
    let step = StepId::Chapter(staged.chapter, ChapterStage::Commit);
    if let Some((judged, text)) = broken_binding(view, staged) {
        return Err(Refusal::StaleVerdict {
            chapter: staged.chapter,
            judged,
            staged: text,
        }
        .into());
    }
    // Nobody can say whether the summary is of the line the contract names.
    if let Found::Invalid(problems) = &staged.storyline {
        return Err(Rejected::new(step, problems.clone()).into());
    }
    if view.lacks_second_verdict()? {
        return Err(Refusal::OneVerdict {
            chapter: staged.chapter,
        }
        .into());
    }
    let next = view.next_for_commit()?;
    if next.step == step {
        return Ok(());
    }
    let checkpoint = view.checkpoint.get();
    let in_flight = checkpoint.inflight_chapter == Some(staged.chapter)
        && checkpoint.pipeline_stage == Some(PipelineStage::Judged);
    if let (true, Found::Sound(evaluation), Some(text)) =
        (in_flight, &staged.evaluation, &staged.text)
    {
        let outcome = next::outcome_for(
            evaluation.get(),
            &text.hash,
            &view.config().weights(),
            checkpoint.revision_count,
        );
        return Err(Refusal::GateRefuses {
            chapter: staged.chapter,
            decision: outcome.decision,
            overall: outcome.overall,
            next: next.step,
        }
        .into());
    }
    Err(Refusal::NotNext {
        asked: step,
        next: next.step,
    }
    .into())
}

/// The hash a verdict was given for and the hash of the staged text, where they differ. In the
/// polish round the polished text stands in for the judged one.
fn broken_binding(view: &Book<'_>, staged: &Staged) -> Option<(ContentHash, ContentHash)> {
    let text = staged.text.as_ref()?;
    let checkpoint = view.checkpoint.get();
    if checkpoint.inflight_chapter != Some(staged.chapter) {
        return None;
    }
    let bound = staged.bound();
    let expected = match checkpoint.pipeline_stage? {
        PipelineStage::Judged => judged_hash(staged.evaluation.sound()?.get()).cloned(),
        PipelineStage::Refined => bound.polished,
        _ => None,
    }?;
    (expected != text.hash).then(|| (expected, text.hash.clone()))
}

impl CommitReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ChapterCommit {
        let found = |found: &Consistency| contract::ConsistencySummary {
            issues: found.issues,
            fixable: found.fixable,
            pending: found.pending,
            report_file: layout::consistency(self.chapter).to_string(),
        };
        contract::ChapterCommit {
            chapter: self.chapter,
            title: self.title.clone(),
            words: self.words,
            state_version: self.state_version,
            overall: self.overall,
            scored_by: self.scored_by,
            gate_decision: self.gate,
            force_passed: self.force_passed,
            revisions: self.revisions,
            volume_end: self.volume_end,
            already_committed: self.already_committed,
            changes: self.changes.iter().map(effect_answer).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
            briefing: self.briefing.as_ref().map(Briefing::answer),
            consistency: self.consistency.as_ref().map(found),
            later_chapters: self.later.iter().map(|chapter| chapter.get()).collect(),
        }
    }
}

impl Briefing {
    fn answer(&self) -> contract::Briefing {
        contract::Briefing {
            window: self.window,
            mean: self.mean,
            weak_chapters: self.weak.clone(),
            risks: self.risks.clone(),
            style_drift: match &self.drift {
                DriftAction::Keep => contract::DriftOutcome::Unchanged,
                DriftAction::Correct(_) => contract::DriftOutcome::Corrected,
                DriftAction::Clear(_) => contract::DriftOutcome::Cleared,
            },
        }
    }
}
