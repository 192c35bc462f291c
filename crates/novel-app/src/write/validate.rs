//! `novel validate STEP`: checks what lies in staging, writes nothing.

use novel_book::believe::Hearing;
use novel_contract::write as contract;
use novel_model::{Lang, StepId, Warning};
use novel_steps::outputs::findings;
use serde_json::{Map, Value};

use crate::{BookError, Project};

/// What a validation found.
#[derive(Debug)]
pub struct ValidationReport {
    /// The step.
    pub step: StepId,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What was measured, by name.
    pub measured: Map<String, Value>,
}

/// Checks the outputs of a step, whether or not it is the next one.
///
/// # Errors
/// With every problem found.
pub fn validate(project: &Project, step: StepId) -> Result<ValidationReport, BookError> {
    project.look_at_work(|view| {
        view.check_step_not_blocked(step)?;
        let findings = findings(view, step, Hearing::Outside)?.accept(step)?;
        Ok(ValidationReport {
            step,
            warnings: findings.warnings,
            measured: findings.measured,
        })
    })
}

impl ValidationReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ValidateAnswer {
        contract::ValidateAnswer {
            step: self.step.to_string(),
            valid: true,
            measured: self.measured.clone(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
