//! `novel next`: writes nothing.

use novel_engine::next::{Next, Round};
use novel_model::{Failure, Lang};
use serde_json::{Value, json};

use crate::{Project, warnings_json};

/// The next step.
#[derive(Debug)]
pub struct NextReport {
    /// The step, and why.
    pub next: Next,
}

/// The next step of the book.
///
/// # Errors
/// When there is none: a gate waits, the checkpoint contradicts itself, a file is damaged.
pub fn next_step(project: &Project) -> Result<NextReport, Failure> {
    let reader = project.store().reader()?;
    let next = project.view(&reader)?.next()?;
    Ok(NextReport { next })
}

/// The word for a round in answers.
#[must_use]
pub const fn round_word(round: Round) -> &'static str {
    match round {
        Round::First => "first",
        Round::Revision => "revision",
        Round::Polish => "polish",
    }
}

impl NextReport {
    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Value {
        let next = &self.next;
        let evidence: Vec<Value> = next
            .evidence
            .iter()
            .map(|seen| json!({"subject": seen.subject, "found": seen.found}))
            .collect();
        json!({
            "step": next.step.to_string(),
            "reason": next.reason,
            "explanation": next.explanation.get(lang),
            "round": round_word(next.round),
            "inflight": next.inflight,
            "evidence": evidence,
            "warnings": warnings_json(&next.warnings, lang),
        })
    }
}
