//! The one object that `--json` prints.

use novel_model::{Explain, Lang};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Problem, codes};

/// What a command prints when it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Done<T> {
    /// Always true.
    pub ok: bool,
    /// The command, with its subcommand.
    pub command: String,
    /// The answer of the command.
    pub data: T,
}

impl<T> Done<T> {
    /// The answer of a command.
    #[must_use]
    pub fn new(command: &str, data: T) -> Self {
        Self {
            ok: true,
            command: command.to_owned(),
            data,
        }
    }
}

/// What a command prints when it failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// Always false.
    pub ok: bool,
    /// The command, with its subcommand.
    pub command: String,
    /// Why it failed.
    pub error: ErrorAnswer,
}

impl Failed {
    /// The failure of a command, in one language.
    #[must_use]
    pub fn new(command: &str, failure: &dyn Explain, lang: Lang) -> Self {
        Self {
            ok: false,
            command: command.to_owned(),
            error: ErrorAnswer::new(failure, lang),
        }
    }
}

/// Why a command failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Error")]
pub struct ErrorAnswer {
    /// Stable code; the exit code follows from it.
    #[schemars(schema_with = "codes::schema")]
    pub code: String,
    /// What happened and where.
    pub message: String,
    /// What to type next.
    pub hint: Option<String>,
    /// Facts about the failure.
    pub details: Details,
}

/// Facts about a failure. Which ones depends on the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Details {
    /// Facts by name.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
    /// Every single problem of a broken file or an answer that is not valid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

impl ErrorAnswer {
    /// The failure in one language.
    #[must_use]
    pub fn new(failure: &dyn Explain, lang: Lang) -> Self {
        let problem = |problem| Problem::new(problem, lang);
        Self {
            code: failure.code().to_owned(),
            message: failure.message().get(lang).to_owned(),
            hint: failure.hint().map(|hint| hint.get(lang).to_owned()),
            details: Details {
                facts: failure.details(lang),
                problems: failure.problems().iter().map(problem).collect(),
            },
        }
    }
}

/// A failure in short, inside the answer of another command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorSummary {
    /// Stable code of the failure.
    pub code: String,
    /// What happened and where.
    pub message: String,
}

impl ErrorSummary {
    /// The failure in one language.
    #[must_use]
    pub fn new(failure: &dyn Explain, lang: Lang) -> Self {
        Self {
            code: failure.code().to_owned(),
            message: failure.message().get(lang).to_owned(),
        }
    }
}
