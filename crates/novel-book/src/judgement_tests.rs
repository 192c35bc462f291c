use novel_model::files::{CheckStatus, Confidence, JudgeRole};
use serde_json::json;

use super::*;

fn verdict(score: f64, violation: bool) -> Verdict {
    let dimension = json!({"score": score, "evidence": "夜色 很深"});
    let checks = if violation {
        json!([{"rule_id": "W-001", "status": "violation", "confidence": "high", "evidence": "火光冲天"}])
    } else {
        json!([])
    };
    let evaluation = serde_json::from_value(json!({
        "chapter": 1, "overall": 4.9,
        "contract_verification": {"l1_checks": checks},
        "scores": {"plot_logic": dimension, "character": dimension, "immersion": dimension,
            "foreshadowing": dimension, "pacing": dimension, "style_naturalness": dimension,
            "emotional_impact": dimension, "storyline_coherence": dimension},
    }))
    .unwrap();
    Verdict {
        evaluation,
        model: None,
    }
}

const TEXT: &str = "# 第 1 章\n\n夜色\n很深。\n";

fn verified(mut verdict: Verdict) -> Verdict {
    let hash = ContentHash::of(TEXT);
    verify(
        &mut verdict.evaluation,
        JudgedText {
            markdown: TEXT,
            hash: &hash,
        },
        &Weights::default(),
    );
    verdict
}

#[test]
fn the_judges_arithmetic_is_recomputed_and_the_text_bound() {
    let evaluation = verified(verdict(3.8, false)).evaluation;
    assert_eq!(evaluation.overall, Some(3.8));
    assert_eq!(evaluation.scores.pacing.evidence_found, Some(true));
    assert_eq!(evaluation.scores.pacing.weight, Some(0.08));
    assert_eq!(
        evaluation.metadata.unwrap().chapter_hash,
        Some(ContentHash::of(TEXT))
    );
}

#[test]
fn a_quotation_that_is_not_there_is_marked_and_nothing_is_lowered() {
    let evaluation = verified(verdict(4.5, true)).evaluation;
    let check = &evaluation.contract_verification.l1_checks[0];
    assert_eq!(check.evidence_found, Some(false));
    assert_eq!(check.unproven, Some(true));
    assert_eq!(check.confidence, Some(Confidence::High));
    assert_eq!(check.status, CheckStatus::Violation);
    assert_eq!(gate::high_violations(&evaluation).len(), 1);
}

#[test]
fn two_judges_merge_by_the_worst_case() {
    let merged = |first: Verdict, second: Verdict| {
        conclude(first, Some(second), &Weights::default(), 0)
            .metadata
            .unwrap()
            .judges
            .unwrap()
    };
    let lower_second = merged(verdict(4.2, false), verdict(3.8, false));
    assert_eq!(
        (lower_second.used, lower_second.overall_final),
        (JudgeRole::Secondary, 3.8)
    );
    let lower_first = merged(verdict(3.1, false), verdict(4.8, true));
    assert_eq!(
        (lower_first.used, lower_first.overall_final),
        (JudgeRole::Primary, 3.1)
    );
    assert!(lower_first.has_high_confidence_violation);
    assert_eq!(
        merged(verdict(4.0, false), verdict(4.0, false)).used,
        JudgeRole::Secondary
    );
}
