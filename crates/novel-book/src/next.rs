//! The next step: a pure function of the checkpoint and what lies in staging (spec 02, "next").

mod in_flight;
mod no_step;

use novel_model::{
    ChapterNo, ChapterStage, Message, QuickstartPhase, StepId, VolumeStage, Warning,
    files::{Checkpoint, OrchestratorState, PipelineStage},
    layout, message,
};
use serde_json::{Value, json};

use crate::{gate::Weights, staged::Staged};

use in_flight::chapter_step;
pub use in_flight::{is_verdict_bound, outcome_for, unbound_verdict};
pub use no_step::NoStep;

/// Everything the decision looks at.
#[derive(Debug, Clone)]
pub struct Situation<'a> {
    /// Where the book stands.
    pub checkpoint: &'a Checkpoint,
    /// The step whose commit was sealed but not finished.
    pub sealed: Option<StepId>,
    /// Staging of the chapter in flight.
    pub staged: Option<&'a Staged>,
    /// First quick-start phase that is not done.
    pub quickstart: QuickstartPhase,
    /// Whether a sound plan of the current volume waits in staging.
    pub volume_plan_staged: bool,
    /// Weights of the eight dimensions.
    pub weights: Weights,
    /// A gate after a commit that a chapter has not passed yet.
    pub gate_due: Option<(ChapterNo, ChapterStage)>,
    /// Which verdicts may end in a commit.
    pub verdicts: Verdicts,
}

/// Which verdicts may end in a commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdicts {
    /// An evaluation without a binding too, with a warning: an outside driver answers for it.
    #[default]
    Any,
    /// Only the evaluation that was accepted for this text: whoever could write to `staging/` is not
    /// the judge.
    Bound,
}

/// Which time around a step is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// The first time.
    First,
    /// After the gate said "revise".
    Revision,
    /// After the gate said "polish".
    Polish,
}

/// The next step and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// What to do.
    pub step: StepId,
    /// Which time around.
    pub round: Round,
    /// Stable code of the reason.
    pub reason: &'static str,
    /// The reason for people.
    pub explanation: Message,
    /// An earlier step whose outputs lie there but were not accepted yet; it may be accepted too.
    pub unaccepted: Option<StepId>,
    /// The chapter in flight.
    pub inflight: Option<ChapterNo>,
    /// What was looked at.
    pub evidence: Vec<Evidence>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// One thing the decision looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// A file, or a field of the checkpoint.
    pub subject: String,
    /// What was found there.
    pub found: Value,
}

/// The next step.
///
/// # Errors
/// When the checkpoint contradicts itself or the gate waits for the author.
pub fn next(situation: &Situation<'_>) -> Result<Next, NoStep> {
    let checkpoint = situation.checkpoint;
    if let Some(step) = situation.sealed {
        return Ok(plain(
            situation,
            step,
            "sealed_commit",
            message!(
                en: "a commit was interrupted after its commit point; running it again completes it",
                zh: "提交在提交点之后被中断，重新运行即可完成"
            ),
        ));
    }
    contradiction(checkpoint)?;
    if let Some(gate) = situation.gate_due {
        return Ok(gate_step(situation, gate));
    }
    let volume = checkpoint.current_volume;
    match checkpoint.working_state() {
        OrchestratorState::Init | OrchestratorState::QuickStart => {
            if let Some(last) = checkpoint.trial_until {
                return trial_step(situation, last);
            }
            let step = StepId::Quickstart(situation.quickstart);
            Ok(plain(
                situation,
                step,
                "quick_start",
                message!(
                    en: "the book is being set up",
                    zh: "作品尚在初始设定中"
                ),
            ))
        }
        OrchestratorState::VolPlanning if situation.volume_plan_staged => {
            let step = StepId::Volume(volume, VolumeStage::Commit);
            let next = plain(
                situation,
                step,
                "volume_planned",
                message!(
                    en: "the plan of volume {volume} waits in staging",
                    zh: "第 {volume} 卷的规划已在 staging 中"
                ),
            );
            Ok(Next {
                unaccepted: Some(StepId::Volume(volume, VolumeStage::Plan)),
                ..next
            })
        }
        OrchestratorState::VolPlanning => {
            let step = StepId::Volume(volume, VolumeStage::Plan);
            Ok(plain(
                situation,
                step,
                "volume_unplanned",
                message!(
                    en: "volume {volume} has no plan yet",
                    zh: "第 {volume} 卷尚未规划"
                ),
            ))
        }
        OrchestratorState::VolReview => {
            let step = StepId::Volume(volume, VolumeStage::Review);
            Ok(plain(
                situation,
                step,
                "volume_complete",
                message!(
                    en: "all chapters of volume {volume} are written",
                    zh: "第 {volume} 卷的全部章节已写完"
                ),
            ))
        }
        OrchestratorState::Writing
        | OrchestratorState::ChapterRewrite
        | OrchestratorState::ErrorRetry => match (checkpoint.inflight_chapter, situation.staged) {
            (Some(_), Some(staged)) => chapter_step(situation, staged),
            _ => {
                let chapter = checkpoint.next_chapter();
                let step = StepId::Chapter(chapter, ChapterStage::Draft);
                Ok(plain(
                    situation,
                    step,
                    "new_chapter",
                    message!(
                        en: "no chapter is in progress",
                        zh: "没有进行中的章节"
                    ),
                ))
            }
        },
    }
}

/// The trial chapters are written like any other; then the author looks at them.
fn trial_step(situation: &Situation<'_>, last: ChapterNo) -> Result<Next, NoStep> {
    let checkpoint = situation.checkpoint;
    if let (Some(_), Some(staged)) = (checkpoint.inflight_chapter, situation.staged) {
        return chapter_step(situation, staged);
    }
    let (chapter, last) = (checkpoint.next_chapter(), last.get());
    if chapter.get() <= last {
        let step = StepId::Chapter(chapter, ChapterStage::Draft);
        return Ok(plain(
            situation,
            step,
            "trial_chapter",
            message!(
                en: "the trial runs to chapter {last}",
                zh: "试写到第 {last} 章为止"
            ),
        ));
    }
    let step = StepId::Quickstart(QuickstartPhase::Results);
    Ok(plain(
        situation,
        step,
        "trial_written",
        message!(
            en: "the trial chapters are written and wait for you",
            zh: "试写章节已写完，等你决定"
        ),
    ))
}

/// Row 4: a chapter is not left before its gates are passed, a volume's last one included.
fn gate_step(situation: &Situation<'_>, (chapter, stage): (ChapterNo, ChapterStage)) -> Next {
    let n = chapter.get();
    let (reason, explanation) = match stage {
        ChapterStage::Audit => (
            "audit_due",
            message!(
                en: "chapter {n} has not been audited for consistency yet",
                zh: "第 {n} 章尚未做一致性审计"
            ),
        ),
        _ => (
            "logic_review_due",
            message!(
                en: "the logic of chapter {n} has not been reviewed yet",
                zh: "第 {n} 章尚未做逻辑审查"
            ),
        ),
    };
    plain(
        situation,
        StepId::Chapter(chapter, stage),
        reason,
        explanation,
    )
}

/// Row 2: the two fields must agree, and the chapter in flight must be the next one.
fn contradiction(checkpoint: &Checkpoint) -> Result<(), NoStep> {
    let running = checkpoint
        .pipeline_stage
        .filter(|stage| *stage != PipelineStage::Committed);
    let stage_field = || match checkpoint.pipeline_stage {
        None => "pipeline_stage = null".to_owned(),
        Some(stage) => format!("pipeline_stage = \"{}\"", stage.word()),
    };
    match (checkpoint.inflight_chapter, running) {
        (Some(chapter), Some(_)) if chapter != checkpoint.next_chapter() => {
            Err(NoStep::Contradiction {
                first: format!("inflight_chapter = {}", chapter.get()),
                second: format!(
                    "last_completed_chapter = {}",
                    checkpoint.last_completed_chapter
                ),
            })
        }
        (Some(_), Some(_)) | (None, None) => Ok(()),
        (None, Some(_)) => Err(NoStep::Contradiction {
            first: stage_field(),
            second: "inflight_chapter = null".to_owned(),
        }),
        (Some(chapter), None) => Err(NoStep::Contradiction {
            first: format!("inflight_chapter = {}", chapter.get()),
            second: stage_field(),
        }),
    }
}

fn plain(
    situation: &Situation<'_>,
    step: StepId,
    reason: &'static str,
    explanation: Message,
) -> Next {
    Next {
        step,
        round: Round::First,
        reason,
        explanation,
        unaccepted: None,
        inflight: situation.checkpoint.inflight_chapter,
        evidence: evidence(situation),
        warnings: Vec::new(),
    }
}

fn evidence(situation: &Situation<'_>) -> Vec<Evidence> {
    let checkpoint = situation.checkpoint;
    let mut seen: Vec<(String, Value)> = vec![
        (
            "checkpoint.orchestrator_state".into(),
            json!(checkpoint.orchestrator_state),
        ),
        (
            "checkpoint.pipeline_stage".into(),
            json!(checkpoint.pipeline_stage),
        ),
        (
            "checkpoint.inflight_chapter".into(),
            json!(checkpoint.inflight_chapter),
        ),
        (
            "checkpoint.last_completed_chapter".into(),
            json!(checkpoint.last_completed_chapter),
        ),
        (
            "checkpoint.revision_count".into(),
            json!(checkpoint.revision_count),
        ),
    ];
    if let Some(staged) = situation.staged {
        let path = |path: novel_model::RelPath| path.as_str().to_owned();
        let text = staged
            .text
            .as_ref()
            .map_or("missing", |text| text.hash.as_str());
        seen.push((path(layout::staged_chapter(staged.chapter)), json!(text)));
        seen.push((
            path(layout::staged_summary(staged.chapter)),
            json!(staged.summary.word()),
        ));
        seen.push((
            path(layout::staged_evaluation(staged.chapter)),
            json!(staged.evaluation.word()),
        ));
    }
    seen.into_iter()
        .map(|(subject, found)| Evidence { subject, found })
        .collect()
}

#[cfg(test)]
#[path = "next_tests.rs"]
mod tests;
