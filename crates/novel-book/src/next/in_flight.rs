//! The next step of the chapter in flight: rows 6 to 15, the gate recomputed from its verdict.

use novel_model::{
    ChapterStage, ContentHash, Message, StepId, Warning,
    files::{Evaluation, GateDecision, PipelineStage},
    message,
};

use super::{Next, NoStep, Round, Situation, Verdicts, plain};
use crate::{
    gate::{self, GateOutcome, Weights},
    judgement::judged_hash,
    staged::{Found, Staged},
};

/// Rows 6 to 15.
pub(super) fn chapter_step(situation: &Situation<'_>, staged: &Staged) -> Result<Next, NoStep> {
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
        return match recorded_decision(situation, staged) {
            Some(GateDecision::Polish) if staged.text.is_some() => answer(
                Refine,
                Round::Polish,
                "polish_interrupted",
                message!(
                    en: "the polish round was interrupted", zh: "二次润色中断"
                ),
            ),
            _ => answer(
                Draft,
                Round::Revision,
                "revision_interrupted",
                message!(
                    en: "a revision was interrupted", zh: "修订中断"
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
                zh: "草稿接受之后，staging 中的正文又有改动"
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
                        en: "the summary describes an older draft", zh: "摘要对应的是更早的草稿"
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
                        zh: "摘要、状态增量、跨线引用与记忆均已就绪"
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
            Found::Sound(_) if !polish_stands(situation, staged) => answer(
                Judge,
                Round::First,
                "verdict_changed",
                message!(
                    en: "the evaluation is not the one the chapter was polished for",
                    zh: "评审结果已不是二次润色所依据的那一份"
                ),
            ),
            Found::Sound(_) if !broken(&bound.polished) => answer(
                Commit,
                Round::Polish,
                "polished",
                message!(
                    en: "the chapter was polished after its verdict", zh: "已按评审结论完成二次润色"
                ),
            ),
            Found::Sound(_) => answer(
                Refine,
                Round::Polish,
                "polish_changed",
                message!(
                    en: "the staged text was changed after the polish was accepted",
                    zh: "二次润色接受之后，正文又有改动"
                ),
            ),
            Found::Missing | Found::Invalid(_) => answer(
                Judge,
                Round::First,
                "no_verdict",
                message!(
                    en: "the evaluation is gone", zh: "评审结果不见了"
                ),
            ),
        },
        PipelineStage::Refined if broken(&bound.refined) => answer(
            Refine,
            Round::First,
            "refined_changed",
            message!(
                en: "the staged text was changed after the refinement was accepted",
                zh: "润色接受之后，正文又有改动"
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
                en: "there is no valid evaluation", zh: "没有有效的评审结果"
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
                zh: "评审结果接受之后又有改动"
            ),
        ));
    }
    let is_bound = is_verdict_bound(staged);
    let n = staged.chapter.get();
    if !is_bound && situation.verdicts == Verdicts::Bound {
        return Ok(answer(
            ChapterStage::Judge,
            Round::First,
            "verdict_unbound",
            message!(
                en: "the evaluation was not accepted for this text; the judge is asked again, \
                    unless `novel gate accept {n}` accepts it",
                zh: "这份评审结果没有绑定到现在的正文；将重新评审，也可用 `novel gate accept {n}` 接受"
            ),
        ));
    }
    let evaluation = document.get();
    let judged = judged_hash(evaluation);
    let mut warnings = Vec::new();
    if !is_bound {
        warnings.push(unbound_verdict());
    }
    let revisions = situation.checkpoint.revision_count;
    // An author's word counts only in an evaluation the program has accepted.
    let outcome = if is_accepted_verdict(staged) {
        outcome_for(evaluation, text_hash, &situation.weights, revisions)
    } else {
        gate::decide_evaluation(evaluation, &situation.weights, revisions)
    };
    match judged {
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
                zh: "正文在评审之后又有改动"
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
        Some(_) | None => {}
    }
    let mut next = match outcome.decision {
        GateDecision::Pass if outcome.force_passed => answer(
            ChapterStage::Commit,
            Round::First,
            "force_passed",
            message!(
                en: "the limit of revisions is reached and no hard rule is violated",
                zh: "修订次数已用尽且没有硬性违规，允许提交"
            ),
        ),
        GateDecision::Pass => answer(
            ChapterStage::Commit,
            Round::First,
            "gate_pass",
            message!(
                en: "the chapter passed the judge", zh: "评审通过"
            ),
        ),
        GateDecision::Polish => answer(
            ChapterStage::Refine,
            Round::Polish,
            "gate_polish",
            message!(
                en: "the judge asks for another polish", zh: "评审要求再润色一遍"
            ),
        ),
        GateDecision::Revise => answer(
            ChapterStage::Draft,
            Round::Revision,
            "gate_revise",
            message!(
                en: "the judge asks for a revision", zh: "评审要求修订"
            ),
        ),
        GateDecision::PauseForUser | GateDecision::PauseForUserForceRewrite => {
            return Err(NoStep::Paused {
                chapter: staged.chapter,
                outcome,
                scores: Box::new(evaluation.scores.clone()),
                fixes: evaluation
                    .required_fixes
                    .iter()
                    .map(|fix| fix.instruction.clone())
                    .collect(),
                revisions,
                violations: gate::forcing_violations(evaluation)
                    .into_iter()
                    .cloned()
                    .collect(),
                scored_by: evaluation.scored_by(),
                judge: None,
            });
        }
    };
    next.warnings = warnings;
    Ok(next)
}

/// Whether the evaluation names the text it judged and is the very one that was accepted.
#[must_use]
pub fn is_verdict_bound(staged: &Staged) -> bool {
    names_text(staged) && is_accepted_verdict(staged)
}

fn names_text(staged: &Staged) -> bool {
    let evaluation = staged.evaluation.sound();
    evaluation.is_some_and(|document| judged_hash(document.get()).is_some())
}

/// Whether the evaluation file is the very one that was accepted.
fn is_accepted_verdict(staged: &Staged) -> bool {
    let accepted = staged.bound().verdict;
    accepted.is_some() && accepted == staged.evaluation_hash
}

/// Whether a bound evaluation is not the one that was accepted. One that names no text is a
/// hand-made file: it is taken as it is, with a warning.
fn verdict_changed(staged: &Staged) -> bool {
    names_text(staged) && staged.bound().verdict.is_some() && !is_accepted_verdict(staged)
}

/// Whether the polish round may end in a commit: the verdict is the accepted one, about the refined
/// text, and asks for no more than a polish.
fn polish_stands(situation: &Situation<'_>, staged: &Staged) -> bool {
    let Some(evaluation) = staged.evaluation.sound().map(|document| document.get()) else {
        return false;
    };
    let judged = judged_hash(evaluation);
    let refined = staged.bound().refined;
    let revisions = situation.checkpoint.revision_count;
    let decision = gate::decide_evaluation(evaluation, &situation.weights, revisions).decision;
    !verdict_changed(staged)
        && (situation.verdicts == Verdicts::Any || is_verdict_bound(staged))
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

/// The warning for an evaluation that the program did not accept for the text, or that names none.
#[must_use]
pub fn unbound_verdict() -> Warning {
    Warning::new(
        "unbound_verdict",
        message!(
            en: "the evaluation is not bound to this text: it does not say which text it judged (metadata.chapter_hash), or `novel advance` did not accept it",
            zh: "评审结果没有绑定到这份正文：它没有注明评的是哪份正文（metadata.chapter_hash），或未经 `novel advance` 接受"
        ),
    )
}

fn recorded_decision(situation: &Situation<'_>, staged: &Staged) -> Option<GateDecision> {
    if situation.verdicts == Verdicts::Bound && !is_verdict_bound(staged) {
        return None;
    }
    let evaluation = staged.evaluation.sound()?.get();
    Some(evaluation.metadata.as_ref()?.gate.as_ref()?.decision)
}
