//! The quality gate (seed 003, step 5).
//!
//! Scores and weights are turned into whole millionths, so that eight fours give exactly 4.0 and
//! no rounding decides about a chapter.

use novel_model::Lang;
use novel_model::files::{
    CheckStatus, Confidence, ConstraintType, ContractCheck, DimensionScore, Evaluation,
    GateDecision, RequiredFix, Scores,
};

use crate::believe::verdict;

/// Revisions a chapter may take before the gate lets it pass or asks the author.
pub const MAX_REVISIONS: u32 = 2;

const MILLION: i128 = 1_000_000;

/// Share of each dimension in the overall score, in the order of [`Scores::by_name`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights(pub [f64; 8]);

impl Default for Weights {
    fn default() -> Self {
        Self([0.18, 0.18, 0.15, 0.10, 0.08, 0.15, 0.08, 0.08])
    }
}

/// An overall score without rounding.
#[derive(Debug, Clone, Copy)]
pub struct Overall {
    weighted_sum: i128,
    weight: i128,
}

impl Overall {
    /// The weighted mean of all eight dimensions.
    #[must_use]
    pub fn of(scores: &Scores, weights: &Weights) -> Self {
        let mut overall = Self {
            weighted_sum: 0,
            weight: 0,
        };
        for ((_, dimension), weight) in scores.by_name().into_iter().zip(weights.0) {
            overall.weighted_sum += millionths(dimension.score) * millionths(weight);
            overall.weight += millionths(weight);
        }
        overall
    }

    /// Whether the score is at least so many tenths.
    #[must_use]
    pub fn at_least_tenths(&self, tenths: i128) -> bool {
        self.weighted_sum * 10 >= tenths * MILLION * self.weight
    }

    /// Whether this score is higher than `other`; both come from the same weights.
    #[must_use]
    pub fn is_above(&self, other: &Self) -> bool {
        self.weighted_sum * other.weight > other.weighted_sum * self.weight
    }

    /// The score for people and files.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "both are far below 2^53")]
    pub fn value(&self) -> f64 {
        if self.weight == 0 {
            0.0
        } else {
            (self.weighted_sum as f64 / self.weight as f64) / 1e6
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "scores and weights are small"
)]
fn millionths(value: f64) -> i128 {
    (value * 1e6).round() as i128
}

/// Whether a check is a violation with high confidence that may force a revision.
fn is_high_violation(check: &ContractCheck) -> bool {
    check.status == CheckStatus::Violation
        && check.confidence == Some(Confidence::High)
        && !verdict::is_withdrawn(check)
}

/// All violations that force a revision: L1, L2, L3, and LS unless it is soft.
#[must_use]
pub fn high_violations(evaluation: &Evaluation) -> Vec<&ContractCheck> {
    let contracts = &evaluation.contract_verification;
    let hard_line_rules = contracts
        .ls_checks
        .iter()
        .filter(|check| check.constraint_type != Some(ConstraintType::Soft));
    contracts
        .l1_checks
        .iter()
        .chain(&contracts.l2_checks)
        .chain(&contracts.l3_checks)
        .chain(hard_line_rules)
        .filter(|check| is_high_violation(check))
        .collect()
}

/// All violations that force a revision, the other judge's too.
#[must_use]
pub fn forcing_violations(evaluation: &Evaluation) -> Vec<&ContractCheck> {
    let judges = evaluation
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.judges.as_ref());
    let mut violations = high_violations(evaluation);
    violations.extend(judges.iter().flat_map(|judges| &judges.other_violations));
    violations
}

/// What the gate says about an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateOutcome {
    /// The decision, after the limit of revisions was taken into account.
    pub decision: GateDecision,
    /// Whether the limit of revisions turned "revise" into "pass".
    pub force_passed: bool,
    /// Whether the limit of revisions is reached and the author must decide.
    pub revisions_exhausted: bool,
    /// The recomputed score.
    pub overall: f64,
    /// Whether a violation forced the decision.
    pub high_violation: bool,
}

/// The gate, exactly as in the seed: violations first, then 4.0 / 3.5 / 3.0 / 2.0.
#[must_use]
pub fn decide(overall: &Overall, high_violation: bool, revisions: u32) -> GateOutcome {
    let wanted = if high_violation {
        GateDecision::Revise
    } else if overall.at_least_tenths(40) {
        GateDecision::Pass
    } else if overall.at_least_tenths(35) {
        GateDecision::Polish
    } else if overall.at_least_tenths(30) {
        GateDecision::Revise
    } else if overall.at_least_tenths(20) {
        GateDecision::PauseForUser
    } else {
        GateDecision::PauseForUserForceRewrite
    };
    let exhausted = wanted == GateDecision::Revise && revisions >= MAX_REVISIONS;
    let force_passed = exhausted && !high_violation && overall.at_least_tenths(30);
    let decision = match (exhausted, force_passed) {
        (true, true) => GateDecision::Pass,
        (true, false) => GateDecision::PauseForUser,
        (false, _) => wanted,
    };
    GateOutcome {
        decision,
        force_passed,
        revisions_exhausted: exhausted && !force_passed,
        overall: overall.value(),
        high_violation,
    }
}

/// The gate for a staged evaluation. A second judge's violation counts although the evaluation
/// that is kept may be the other one's.
#[must_use]
pub fn decide_evaluation(
    evaluation: &Evaluation,
    weights: &Weights,
    revisions: u32,
) -> GateOutcome {
    let either_judge = evaluation
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.judges.as_ref())
        .is_some_and(|judges| judges.has_high_confidence_violation);
    let high_violation = either_judge || !high_violations(evaluation).is_empty();
    decide(
        &Overall::of(&evaluation.scores, weights),
        high_violation,
        revisions,
    )
}

/// Fewest and most instructions that are made where the judge gave none.
const FALLBACK: (usize, usize) = (3, 5);

/// The smallest set of revision instructions: the judge's fixes; else three to five from the
/// high-confidence violations and the weakest dimensions, each with its reason and quotation.
#[must_use]
pub fn revision_instructions(evaluation: &Evaluation, lang: Lang) -> Vec<RequiredFix> {
    let given: Vec<RequiredFix> = evaluation
        .required_fixes
        .iter()
        .filter(|fix| !fix.instruction.trim().is_empty())
        .cloned()
        .collect();
    if !given.is_empty() {
        return given;
    }
    let mut fixes: Vec<RequiredFix> = forcing_violations(evaluation)
        .into_iter()
        .take(FALLBACK.1)
        .map(|check| RequiredFix {
            target: check.rule_id.clone(),
            instruction: match lang {
                Lang::Zh => format!("使本章符合 {}", verdict::shown(check, lang)),
                Lang::En => format!(
                    "Bring the chapter in line with {}",
                    verdict::shown(check, lang)
                ),
            },
        })
        .collect();
    let missing = FALLBACK.0.saturating_sub(fixes.len());
    let mut dimensions = evaluation.scores.by_name();
    dimensions.sort_by(|a, b| a.1.score.total_cmp(&b.1.score));
    let weakest = dimensions.into_iter().take(missing);
    fixes.extend(weakest.map(|(name, dimension)| RequiredFix {
        target: name.to_owned(),
        instruction: raise(name, dimension, lang),
    }));
    fixes
}

/// How a weak dimension is to become stronger: the judge's reason and the passage it saw.
fn raise(name: &str, dimension: &DimensionScore, lang: Lang) -> String {
    let score = dimension.score;
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let mut line = match lang {
        Lang::Zh => format!("提升 {name}（{score:.1} 分）"),
        Lang::En => format!("Raise {name} ({score:.1})"),
    };
    if let Some(reason) = filled(&dimension.reason) {
        line.push_str(match lang {
            Lang::Zh => "：",
            Lang::En => ": ",
        });
        line.push_str(&reason);
    }
    match (filled(&dimension.evidence), filled(&dimension.absent)) {
        (Some(quoted), _) => line.push_str(&match lang {
            Lang::Zh => format!("。见“{quoted}”"),
            Lang::En => format!(". See \"{quoted}\""),
        }),
        (None, Some(absent)) => line.push_str(&match lang {
            Lang::Zh => format!("。缺少：{absent}"),
            Lang::En => format!(". Missing: {absent}"),
        }),
        (None, None) => {}
    }
    line
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
