//! What a verdict that was sent back lacks, with sentences of the chapter to choose from where a quotation
//! was not found: a judge that cannot quote is given a way on.

use novel_model::files::{CheckStatus, ContractCheck, Evaluation};
use novel_text::nearest_sentences;
use serde_json::{Value, json};

use super::verdict::{self, Contracts, LAYERS};

/// Sentences that are offered for one quotation.
const OFFERED: usize = 4;

/// What a verdict lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Contracts without a check, by the name of the list their checks stand in.
    pub missing: Vec<(&'static str, String)>,
    /// Violations without a ground that was found, or without confidence.
    pub violations: Vec<LackingViolation>,
    /// Scores without a ground that was found, or off the scale.
    pub scores: Vec<LackingScore>,
    /// Whether `has_violations` is true and no violation is named.
    pub unnamed: bool,
}

/// A violation that is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingViolation {
    /// The list it stands in.
    pub layer: &'static str,
    /// The contract.
    pub id: String,
    /// Whether the judge has not said how sure it is.
    pub lacks_confidence: bool,
    /// Sentences to choose from; none where its ground was found.
    pub offered: Vec<String>,
}

/// A score that is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingScore {
    /// The dimension.
    pub name: &'static str,
    /// Whether the score is off the scale.
    pub off_scale: bool,
    /// Sentences to choose from; none where its ground was found.
    pub offered: Vec<String>,
}

impl Lacking {
    /// What the verdict `said` of the chapter `text` lacks; `None` where it cannot be read as a verdict.
    #[must_use]
    pub fn of(said: &Value, text: &str, contracts: &Contracts) -> Option<Self> {
        let mut whole = said.clone();
        // Which chapter it is, the program knows.
        whole.as_object_mut()?.insert("chapter".into(), json!(1));
        let mut evaluation: Evaluation = serde_json::from_value(whole).ok()?;
        verdict::write_out(&mut evaluation, contracts);
        verdict::mark(&mut evaluation, text);
        let checked =
            |id: &str| verdict::checks(&evaluation).any(|it| verdict::same(&it.rule_id, id));
        let missing = contracts
            .by_layer()
            .filter(|(_, id)| !checked(id))
            .map(|(layer, id)| (layer, id.clone()))
            .collect();
        let violations = LAYERS
            .iter()
            .zip(verdict::layers(&evaluation))
            .flat_map(|(layer, checks)| checks.iter().map(move |check| (*layer, check)))
            .filter_map(|(layer, check)| violation(layer, check, text))
            .collect();
        // Without one quotation at all it is no verdict, whatever is declared missing.
        let quotes_nothing = !verdict::quotes(&evaluation);
        let scores = evaluation
            .scores
            .by_name()
            .into_iter()
            .filter_map(|(name, score)| {
                let off_scale = !(1.0..=5.0).contains(&score.score);
                let offered = if quotes_nothing || score.unproven == Some(true) {
                    offered(text, score.evidence.as_deref(), score.reason.as_deref())
                } else {
                    Vec::new()
                };
                (off_scale || !offered.is_empty()).then_some(LackingScore {
                    name,
                    off_scale,
                    offered,
                })
            })
            .collect();
        let accuses = |check: &ContractCheck| check.status != CheckStatus::Pass;
        Some(Self {
            missing,
            violations,
            scores,
            unnamed: evaluation.contract_verification.has_violations == Some(true)
                && !verdict::checks(&evaluation).any(accuses),
        })
    }

    /// The offered sentences by the name of what they are for.
    pub fn offers(&self) -> impl Iterator<Item = (&str, &[String])> {
        let violations = self
            .violations
            .iter()
            .map(|it| (it.id.as_str(), it.offered.as_slice()));
        let scores = self
            .scores
            .iter()
            .map(|it| (it.name, it.offered.as_slice()));
        violations
            .chain(scores)
            .filter(|(_, offered)| !offered.is_empty())
    }
}

fn violation(layer: &'static str, check: &ContractCheck, text: &str) -> Option<LackingViolation> {
    if check.status != CheckStatus::Violation || verdict::is_withdrawn(check) {
        return None;
    }
    let offered = if check.unproven == Some(true) {
        offered(text, check.evidence.as_deref(), check.detail.as_deref())
    } else {
        Vec::new()
    };
    let lacks_confidence = check.confidence.is_none();
    (lacks_confidence || !offered.is_empty()).then(|| LackingViolation {
        layer,
        id: check.rule_id.clone(),
        lacks_confidence,
        offered,
    })
}

/// Sentences near what was quoted and said.
fn offered(text: &str, quoted: Option<&str>, said: Option<&str>) -> Vec<String> {
    let wanted = [quoted, said].into_iter().flatten().collect::<Vec<_>>();
    nearest_sentences(text, &wanted.join("\n"), OFFERED)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[path = "lacking_tests.rs"]
mod tests;
