use novel_model::ChapterNo;
use novel_model::files::{
    CheckStatus, Confidence, ConstraintType, ContractCheck, ContractVerification, DimensionScore,
    Evaluation,
    GateDecision::{self, *},
    Scores,
};

use super::*;

fn dimension(score: f64) -> DimensionScore {
    DimensionScore::new(score)
}

fn scores(score: f64) -> Scores {
    Scores {
        plot_logic: dimension(score),
        character: dimension(score),
        immersion: dimension(score),
        foreshadowing: dimension(score),
        pacing: dimension(score),
        style_naturalness: dimension(score),
        emotional_impact: dimension(score),
        storyline_coherence: dimension(score),
    }
}

fn evaluation(score: f64) -> Evaluation {
    Evaluation {
        chapter: ChapterNo::first(),
        contract_verification: ContractVerification::default(),
        scores: scores(score),
        overall: None,
        recommendation: None,
        risk_flags: vec![],
        required_fixes: vec![],
        issues: vec![],
        strengths: vec![],
        anti_ai: None,
        metadata: None,
    }
}

fn violation(
    rule: &str,
    confidence: Confidence,
    constraint: Option<ConstraintType>,
) -> ContractCheck {
    ContractCheck {
        confidence: Some(confidence),
        constraint_type: constraint,
        detail: Some(format!("{rule} is broken")),
        ..ContractCheck::new(rule, CheckStatus::Violation)
    }
}

#[test]
fn gate_decision_shall_follow_thresholds_and_violation_confidence() {
    let table: &[(f64, bool, u32, GateDecision, bool)] = &[
        (5.0, false, 0, Pass, false),
        (4.0, false, 0, Pass, false),
        (3.999_999, false, 0, Polish, false),
        (3.5, false, 0, Polish, false),
        (3.499_999, false, 0, Revise, false),
        (3.0, false, 0, Revise, false),
        (2.999_999, false, 0, PauseForUser, false),
        (2.0, false, 0, PauseForUser, false),
        (1.999_999, false, 0, PauseForUserForceRewrite, false),
        (1.0, false, 0, PauseForUserForceRewrite, false),
        (5.0, true, 0, Revise, false),
        (1.0, true, 1, Revise, false),
        (3.2, false, 1, Revise, false),
        (3.2, false, 2, Pass, true),
        (3.0, false, 2, Pass, true),
        (2.999_999, false, 2, PauseForUser, false),
        (4.9, true, 2, PauseForUser, false),
        (2.0, true, 2, PauseForUser, false),
        (3.7, false, 2, Polish, false),
    ];
    for &(score, high, revisions, decision, force_passed) in table {
        let outcome = decide(
            &Overall::of(&scores(score), &Weights::default()),
            high,
            revisions,
        );
        assert_eq!(
            (outcome.decision, outcome.force_passed),
            (decision, force_passed),
            "score {score}, violation {high}, revisions {revisions}"
        );
    }
}

#[test]
fn eight_equal_scores_give_exactly_that_score() {
    for tenths in 10..=50 {
        let score = f64::from(tenths) / 10.0;
        let overall = Overall::of(&scores(score), &Weights::default());
        assert!(overall.at_least_tenths(i128::from(tenths)), "{score}");
        assert!(!overall.at_least_tenths(i128::from(tenths) + 1), "{score}");
        assert!((overall.value() - score).abs() < 1e-12, "{score}");
    }
}

#[test]
fn soft_storyline_violations_and_lower_confidence_do_not_force_a_revision() {
    let mut eval = evaluation(4.2);
    eval.contract_verification
        .l1_checks
        .push(violation("W-001", Confidence::Medium, None));
    eval.contract_verification.ls_checks.push(violation(
        "LS-002",
        Confidence::High,
        Some(ConstraintType::Soft),
    ));
    assert_eq!(
        decide_evaluation(&eval, &Weights::default(), 0).decision,
        Pass
    );
    eval.contract_verification
        .ls_checks
        .push(violation("LS-001", Confidence::High, None));
    assert_eq!(
        decide_evaluation(&eval, &Weights::default(), 0).decision,
        Revise
    );
}

#[test]
fn revision_instructions_fall_back_from_fixes_to_violations_to_weakest_dimensions() {
    let mut eval = evaluation(3.2);
    eval.scores.pacing = DimensionScore {
        reason: Some("too slow".into()),
        ..dimension(2.0)
    };
    eval.scores.immersion = DimensionScore {
        reason: Some("thin".into()),
        ..dimension(2.5)
    };
    let weakest = revision_instructions(&eval, Lang::En);
    assert_eq!(
        weakest
            .iter()
            .map(|fix| (fix.target.as_str(), fix.instruction.as_str()))
            .collect::<Vec<_>>(),
        [
            ("pacing", "Raise pacing (2.0): too slow"),
            ("immersion", "Raise immersion (2.5): thin"),
            ("plot_logic", "Raise plot_logic (3.2)"),
        ]
    );

    for n in 0..7 {
        eval.contract_verification.l2_checks.push(violation(
            &format!("C-{n}"),
            Confidence::High,
            None,
        ));
    }
    let from_violations = revision_instructions(&eval, Lang::En);
    assert_eq!(from_violations.len(), 5);
    assert_eq!(
        from_violations[0].instruction,
        "Bring the chapter in line with C-0: C-0 is broken"
    );
    eval.contract_verification.l2_checks.truncate(1);
    let filled_up = revision_instructions(&eval, Lang::En);
    let targets: Vec<&str> = filled_up.iter().map(|fix| fix.target.as_str()).collect();
    assert_eq!(targets, ["C-0", "pacing", "immersion"]);

    eval.required_fixes = vec![RequiredFix {
        target: "paragraph_3".into(),
        instruction: "cut".into(),
    }];
    assert_eq!(revision_instructions(&eval, Lang::En), eval.required_fixes);
}
