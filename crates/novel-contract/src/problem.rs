//! Problems and warnings inside answers.

use novel_model::{Lang, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that is wrong with one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Stable code, lower snake case.
    pub code: String,
    /// The file, relative to the project.
    pub path: String,
    /// Line of the problem, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column of the problem in characters, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// JSON pointer to the problem, such as `/objectives/0/required`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What was found and what was expected.
    pub message: String,
    /// How to repair it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Problem {
    /// The problem in one language.
    #[must_use]
    pub fn new(problem: &novel_model::Problem, lang: Lang) -> Self {
        let (line, column, pointer) = match &problem.place {
            Place::File => (None, None, None),
            Place::Line { line, column } => (Some(*line), *column, None),
            Place::Pointer(pointer) => (None, None, Some(pointer.clone())),
        };
        Self {
            code: problem.code.to_owned(),
            path: problem.path.to_string(),
            line,
            column,
            pointer,
            message: problem.message.get(lang).to_owned(),
            hint: problem.hint.as_ref().map(|hint| hint.get(lang).to_owned()),
        }
    }
}

/// Something the author should know that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Stable code, lower snake case.
    pub code: String,
    /// What was noticed.
    pub message: String,
}

impl Warning {
    /// The warning in one language.
    #[must_use]
    pub fn new(warning: &novel_model::Warning, lang: Lang) -> Self {
        Self {
            code: warning.code.to_owned(),
            message: warning.message.get(lang).to_owned(),
        }
    }
}

/// Warnings in one language.
#[must_use]
pub fn warnings(warnings: &[novel_model::Warning], lang: Lang) -> Vec<Warning> {
    let warning = |warning| Warning::new(warning, lang);
    warnings.iter().map(warning).collect()
}
