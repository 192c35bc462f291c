//! Accepting a judge's answer: bind it to the text, recompute what the judge computed, look its
//! quotations up, merge two judges by the worst case.

use novel_model::{
    ContentHash,
    files::{
        ContractCheck, Evaluation, EvaluationMetadata, GateRecord, JudgeRecord, JudgeRole, Judges,
    },
};

use crate::{
    believe::verdict,
    gate::{self, Overall, Weights},
};

/// A text and its hash, as the judge saw it.
#[derive(Debug, Clone, Copy)]
pub struct JudgedText<'a> {
    /// The staged Markdown.
    pub markdown: &'a str,
    /// Its hash.
    pub hash: &'a ContentHash,
}

/// One judge's answer.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What the judge said.
    pub evaluation: Evaluation,
    /// Which model, where known.
    pub model: Option<String>,
}

/// Recomputes and checks one answer in place.
pub fn verify(evaluation: &mut Evaluation, text: JudgedText<'_>, weights: &Weights) {
    verdict::mark(evaluation, text.markdown);
    for ((_, dimension), weight) in evaluation.scores.by_name_mut().into_iter().zip(weights.0) {
        dimension.weight = Some(weight);
    }
    evaluation.overall = Some(Overall::of(&evaluation.scores, weights).value());
    bind(evaluation, text.hash);
}

/// Names the text an evaluation is about.
pub fn bind(evaluation: &mut Evaluation, text: &ContentHash) {
    let metadata = evaluation.metadata.get_or_insert_default();
    metadata.chapter_hash = Some(text.clone());
}

/// The evaluation that is staged: one verdict, or the worst case of two, with the gate's record.
#[must_use]
pub fn conclude(
    primary: Verdict,
    secondary: Option<Verdict>,
    weights: &Weights,
    revisions: u32,
) -> Evaluation {
    let score = |verdict: &Verdict| Overall::of(&verdict.evaluation.scores, weights);
    let violated = |verdict: &Verdict| !gate::high_violations(&verdict.evaluation).is_empty();
    let record = |verdict: &Verdict| JudgeRecord {
        model: verdict.model.clone(),
        overall: score(verdict).value(),
    };

    // On a tie the second judge is used: it is the stronger model.
    let used = match &secondary {
        Some(second) if !score(second).is_above(&score(&primary)) => JudgeRole::Secondary,
        _ => JudgeRole::Primary,
    };
    let high_violation = violated(&primary) || secondary.as_ref().is_some_and(violated);
    let records = (record(&primary), secondary.as_ref().map(record));
    let other = match used {
        JudgeRole::Primary => secondary.as_ref(),
        JudgeRole::Secondary => Some(&primary),
    };
    let other_violations: Vec<ContractCheck> = other
        .map(|verdict| {
            gate::high_violations(&verdict.evaluation)
                .into_iter()
                .cloned()
                .collect()
        })
        .unwrap_or_default();
    let mut evaluation = match (used, secondary) {
        (JudgeRole::Secondary, Some(second)) => second.evaluation,
        _ => primary.evaluation,
    };
    let overall = Overall::of(&evaluation.scores, weights);
    let outcome = gate::decide(&overall, high_violation, revisions);
    let metadata = evaluation
        .metadata
        .get_or_insert_with(EvaluationMetadata::default);
    metadata.judges = Some(Judges {
        primary: records.0,
        secondary: records.1,
        used,
        overall_final: overall.value(),
        has_high_confidence_violation: high_violation,
        other_violations,
    });
    metadata.gate = Some(GateRecord {
        decision: outcome.decision,
        revisions,
        force_passed: outcome.force_passed,
        author: None,
    });
    evaluation
}

/// Writes the gate's record anew, from the scores and checks alone.
pub fn record_gate(evaluation: &mut Evaluation, weights: &Weights, revisions: u32) {
    let outcome = gate::decide_evaluation(evaluation, weights, revisions);
    let metadata = evaluation
        .metadata
        .get_or_insert_with(EvaluationMetadata::default);
    metadata.gate = Some(GateRecord {
        decision: outcome.decision,
        revisions,
        force_passed: outcome.force_passed,
        author: None,
    });
}

/// Whether a quotation stands in the text; `None` when there is no quotation.
pub(crate) fn quotation_found(quotation: Option<&str>, haystack: &str) -> Option<bool> {
    let quotation = squeeze(quotation?);
    let core = quotation.trim_matches(|c: char| "“”\"'‘’「」『』….".contains(c));
    Some(!core.is_empty() && haystack.contains(core))
}

/// The text without white space: judges wrap lines differently.
pub(crate) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Hash of the text an evaluation judged.
#[must_use]
pub fn judged_hash(evaluation: &Evaluation) -> Option<&ContentHash> {
    evaluation.metadata.as_ref()?.chapter_hash.as_ref()
}

#[cfg(test)]
#[path = "judgement_tests.rs"]
mod tests;
