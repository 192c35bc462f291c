//! The next step: a pure function of the checkpoint and what lies in staging (spec 02, "next").

mod no_step;

use novel_model::{
    ChapterNo, ChapterStage, ContentHash, Message, QuickstartPhase, StepId, VolumeStage, Warning,
    files::{Checkpoint, Evaluation, GateDecision, OrchestratorState, PipelineStage},
    layout, message,
};
use serde_json::{Value, json};

use crate::{
    gate::{self, GateOutcome, Weights},
    staged::{Found, Staged},
};

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
                        en: "no chapter is in flight",
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
            zh: "试写章节已完成，等待作者定夺"
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

/// Rows 6 to 15.
fn chapter_step(situation: &Situation<'_>, staged: &Staged) -> Result<Next, NoStep> {
    let answer = |stage, round, reason, explanation| {
        let step = StepId::Chapter(staged.chapter, stage);
        Ok(Next {
            round,
            ..plain(situation, step, reason, explanation)
        })
    };
    use ChapterStage::{Commit, Draft, Judge, Refine, Summarize};
    let bound = staged.bound();
    let Some(stage) = situation.checkpoint.pipeline_stage else {
        // Row 2 has refused this; a draft is always safe.
        return answer(Draft, Round::First, "no_stage", Message::default());
    };
    if stage == PipelineStage::Revising {
        return match recorded_decision(staged) {
            Some(GateDecision::Polish) if staged.text.is_some() => answer(
                Refine,
                Round::Polish,
                "polish_interrupted",
                message!(
                    en: "the polish round was interrupted", zh: "二次润色被中断"
                ),
            ),
            _ => answer(
                Draft,
                Round::Revision,
                "revision_interrupted",
                message!(
                    en: "a revision was interrupted", zh: "修订被中断"
                ),
            ),
        };
    }
    let Some(text) = &staged.text else {
        return answer(
            Draft,
            Round::First,
            "text_missing",
            message!(
                en: "there is no staged text", zh: "staging 中没有正文"
            ),
        );
    };
    let broken = |hash: &Option<ContentHash>| hash.as_ref().is_some_and(|hash| *hash != text.hash);
    match stage {
        PipelineStage::Drafting if broken(&bound.draft) => answer(
            Draft,
            Round::First,
            "draft_changed",
            message!(
                en: "the staged text was changed after the draft was accepted",
                zh: "初稿被接受后，staging 中的正文又被改动"
            ),
        ),
        // A chapter was begun and its text lies there, but no draft was accepted.
        PipelineStage::Drafting
            if bound.draft.is_none() && !matches!(staged.summary, Found::Sound(_)) =>
        {
            let next = answer(
                Summarize,
                Round::First,
                "summary_missing",
                message!(
                    en: "the summary artefacts are missing", zh: "缺少摘要产物"
                ),
            );
            let unaccepted = Some(StepId::Chapter(staged.chapter, Draft));
            next.map(|next| Next { unaccepted, ..next })
        }
        PipelineStage::Drafting | PipelineStage::Drafted => match &staged.summary {
            Found::Sound(_)
                if bound.draft.is_some()
                    && bound.summarized.is_some()
                    && bound.summarized != bound.draft =>
            {
                answer(
                    Summarize,
                    Round::First,
                    "summary_of_older_text",
                    message!(
                        en: "the summary describes an older draft", zh: "摘要描述的是更早的初稿"
                    ),
                )
            }
            Found::Sound(_) => {
                let next = answer(
                    Refine,
                    Round::First,
                    "summarized",
                    message!(
                        en: "summary, delta, cross-references and memory are there",
                        zh: "摘要、状态增量、交叉引用与记忆均已就绪"
                    ),
                );
                let unaccepted = (stage == PipelineStage::Drafting)
                    .then_some(StepId::Chapter(staged.chapter, Summarize));
                next.map(|next| Next { unaccepted, ..next })
            }
            Found::Missing => answer(
                Summarize,
                Round::First,
                "summary_missing",
                message!(
                    en: "the summary artefacts are missing", zh: "缺少摘要产物"
                ),
            ),
            Found::Invalid(_) => answer(
                Summarize,
                Round::First,
                "summary_invalid",
                message!(
                    en: "the summary artefacts are not valid", zh: "摘要产物无效"
                ),
            ),
        },
        PipelineStage::Refined | PipelineStage::Judged
            if matches!(staged.summary, Found::Invalid(_)) =>
        {
            answer(
                Summarize,
                Round::First,
                "summary_invalid",
                message!(
                    en: "the summary artefacts are not valid", zh: "摘要产物无效"
                ),
            )
        }
        PipelineStage::Refined if bound.polished.is_some() => match &staged.evaluation {
            Found::Sound(_)
                if !polish_stands(
                    staged,
                    &situation.weights,
                    situation.checkpoint.revision_count,
                ) =>
            {
                answer(
                    Judge,
                    Round::First,
                    "verdict_changed",
                    message!(
                        en: "the evaluation is not the one the chapter was polished for",
                        zh: "评估已不是二次润色所依据的那一份"
                    ),
                )
            }
            Found::Sound(_) if !broken(&bound.polished) => answer(
                Commit,
                Round::Polish,
                "polished",
                message!(
                    en: "the chapter was polished after its verdict", zh: "章节已按裁决完成二次润色"
                ),
            ),
            Found::Sound(_) => answer(
                Refine,
                Round::Polish,
                "polish_changed",
                message!(
                    en: "the staged text was changed after the polish was accepted",
                    zh: "二次润色被接受后，正文又被改动"
                ),
            ),
            Found::Missing | Found::Invalid(_) => answer(
                Judge,
                Round::First,
                "no_verdict",
                message!(
                    en: "the evaluation is gone", zh: "评估已不存在"
                ),
            ),
        },
        PipelineStage::Refined if broken(&bound.refined) => answer(
            Refine,
            Round::First,
            "refined_changed",
            message!(
                en: "the staged text was changed after the refinement was accepted",
                zh: "润色被接受后，正文又被改动"
            ),
        ),
        PipelineStage::Refined => answer(
            Judge,
            Round::First,
            "refined",
            message!(
                en: "the text is refined", zh: "正文已润色"
            ),
        ),
        PipelineStage::Judged => judged_step(situation, staged, &text.hash),
        PipelineStage::Revising | PipelineStage::Committed => {
            answer(Draft, Round::First, "no_stage", Message::default())
        }
    }
}

/// Rows 10 to 14: the gate is recomputed from the staged evaluation.
fn judged_step(
    situation: &Situation<'_>,
    staged: &Staged,
    text_hash: &ContentHash,
) -> Result<Next, NoStep> {
    let answer = |stage, round, reason, explanation| {
        let step = StepId::Chapter(staged.chapter, stage);
        Next {
            round,
            ..plain(situation, step, reason, explanation)
        }
    };
    let Found::Sound(document) = &staged.evaluation else {
        return Ok(answer(
            ChapterStage::Judge,
            Round::First,
            "no_verdict",
            message!(
                en: "there is no valid evaluation", zh: "没有有效的评估"
            ),
        ));
    };
    if verdict_changed(staged) {
        return Ok(answer(
            ChapterStage::Judge,
            Round::First,
            "verdict_changed",
            message!(
                en: "the evaluation was changed after it was accepted",
                zh: "评估在被接受之后又被改动"
            ),
        ));
    }
    let evaluation = document.get();
    let judged = evaluation
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.chapter_hash.as_ref());
    let mut warnings = Vec::new();
    let revisions = situation.checkpoint.revision_count;
    // An author's word counts only in an evaluation the program has accepted.
    let outcome = if is_accepted_verdict(staged) {
        outcome_for(evaluation, text_hash, &situation.weights, revisions)
    } else {
        gate::decide_evaluation(evaluation, &situation.weights, revisions)
    };
    match judged {
        None => warnings.push(unbound_verdict()),
        // After "revise" or "polish" a changed text is the answer to the verdict.
        Some(hash)
            if hash != text_hash
                && !matches!(
                    outcome.decision,
                    GateDecision::Revise | GateDecision::Polish
                ) =>
        {
            let explanation = message!(
                en: "the staged text was changed after it was judged",
                zh: "正文在评估之后又被改动"
            );
            // The refined text is the first thing the change broke, where its hash is known.
            let stage = match &staged.bound().refined {
                Some(refined) if refined != text_hash => ChapterStage::Refine,
                _ => ChapterStage::Judge,
            };
            return Ok(answer(
                stage,
                Round::First,
                "judged_text_changed",
                explanation,
            ));
        }
        Some(_) => {}
    }
    let mut next = match outcome.decision {
        GateDecision::Pass if outcome.force_passed => answer(
            ChapterStage::Commit,
            Round::First,
            "force_passed",
            message!(
                en: "the limit of revisions is reached and nothing forbids the chapter",
                zh: "修订次数已用尽且没有硬性违规，允许提交"
            ),
        ),
        GateDecision::Pass => answer(
            ChapterStage::Commit,
            Round::First,
            "gate_pass",
            message!(
                en: "the gate lets the chapter pass", zh: "门控通过"
            ),
        ),
        GateDecision::Polish => answer(
            ChapterStage::Refine,
            Round::Polish,
            "gate_polish",
            message!(
                en: "the gate asks for a second polish", zh: "门控要求二次润色"
            ),
        ),
        GateDecision::Revise => answer(
            ChapterStage::Draft,
            Round::Revision,
            "gate_revise",
            message!(
                en: "the gate asks for a revision", zh: "门控要求修订"
            ),
        ),
        GateDecision::PauseForUser | GateDecision::PauseForUserForceRewrite => {
            return Err(NoStep::Paused {
                chapter: staged.chapter,
                outcome,
                scores: evaluation
                    .scores
                    .by_name()
                    .map(|(name, d)| (name, d.score))
                    .to_vec(),
                revisions,
            });
        }
    };
    next.warnings = warnings;
    Ok(next)
}

/// Whether the evaluation file is the very one that was accepted.
fn is_accepted_verdict(staged: &Staged) -> bool {
    let accepted = staged.bound().verdict;
    accepted.is_some() && accepted == staged.evaluation_hash
}

/// Whether a bound evaluation is not the one that was accepted. One that names no text is a
/// hand-made file: it is taken as it is, with a warning.
fn verdict_changed(staged: &Staged) -> bool {
    let names_text = staged.evaluation.sound().is_some_and(|document| {
        let metadata = document.get().metadata.as_ref();
        metadata.is_some_and(|metadata| metadata.chapter_hash.is_some())
    });
    names_text && staged.bound().verdict.is_some() && !is_accepted_verdict(staged)
}

/// Whether the polish round may end in a commit: the verdict is the accepted one, about the refined
/// text, and asks for no more than a polish.
fn polish_stands(staged: &Staged, weights: &Weights, revisions: u32) -> bool {
    let Some(evaluation) = staged.evaluation.sound().map(|document| document.get()) else {
        return false;
    };
    let judged = evaluation
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.chapter_hash.as_ref());
    let refined = staged.bound().refined;
    let decision = gate::decide_evaluation(evaluation, weights, revisions).decision;
    !verdict_changed(staged)
        && (refined.is_none() || judged.is_none() || judged == refined.as_ref())
        && matches!(decision, GateDecision::Pass | GateDecision::Polish)
}

/// The gate's outcome, or the author's own word for exactly this text.
#[must_use]
pub fn outcome_for(
    evaluation: &Evaluation,
    text_hash: &ContentHash,
    weights: &Weights,
    revisions: u32,
) -> GateOutcome {
    let outcome = gate::decide_evaluation(evaluation, weights, revisions);
    let author = evaluation
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.gate.as_ref())
        .and_then(|record| record.author.as_ref());
    match author {
        Some(author) if author.chapter_hash == *text_hash => GateOutcome {
            decision: GateDecision::Pass,
            revisions_exhausted: false,
            ..outcome
        },
        _ => outcome,
    }
}

/// The warning for an evaluation that names no text.
#[must_use]
pub fn unbound_verdict() -> Warning {
    Warning::new(
        "unbound_verdict",
        message!(
            en: "the evaluation does not say which text it judged (metadata.chapter_hash)",
            zh: "评估没有注明它评的是哪份正文（metadata.chapter_hash）"
        ),
    )
}

fn recorded_decision(staged: &Staged) -> Option<GateDecision> {
    let evaluation = staged.evaluation.sound()?.get();
    Some(evaluation.metadata.as_ref()?.gate.as_ref()?.decision)
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
