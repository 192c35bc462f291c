//! Where an answer comes from, and what became of it.

use novel_model::{Lang, RelPath, Warning, files::JudgeRole};
use serde_json::{Value, json};

use crate::warnings_json;

/// What became of an answer.
#[derive(Debug)]
pub struct SubmitReport {
    /// The files it became.
    pub written: Vec<RelPath>,
    /// The judge that is awaited before the step can advance.
    pub awaiting: Option<JudgeRole>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Who handed an answer in.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Which judge, for a judge step.
    pub judge: JudgeRole,
    /// Which model, where known.
    pub model: Option<String>,
}

impl Default for Origin {
    fn default() -> Self {
        Self {
            judge: JudgeRole::Primary,
            model: None,
        }
    }
}

impl SubmitReport {
    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Value {
        let written: Vec<&str> = self.written.iter().map(RelPath::as_str).collect();
        let mut data = json!({
            "written": written,
            "warnings": warnings_json(&self.warnings, lang),
        });
        if let Some(awaiting) = self.awaiting {
            data["awaiting"] = json!(awaiting);
        }
        data
    }
}
