//! Where an answer comes from, and what became of it.

use novel_book::{
    believe::Hearing,
    edit::{FileAction, FileEffect},
};
use novel_contract::write as contract;
use novel_model::{Lang, RelPath, Warning, files::JudgeRole};

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
    /// Whether the agent can be asked again for what is not proven.
    pub hearing: Hearing,
}

impl Default for Origin {
    fn default() -> Self {
        Self {
            judge: JudgeRole::Primary,
            model: None,
            hearing: Hearing::Outside,
        }
    }
}

impl SubmitReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::SubmitAnswer {
        contract::SubmitAnswer {
            written: self.written.iter().map(RelPath::to_string).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
            awaiting: self.awaiting,
        }
    }
}

/// A changed file, as answers tell it.
#[must_use]
pub fn effect_answer(effect: &FileEffect) -> contract::FileChange {
    contract::FileChange {
        path: effect.path.to_string(),
        action: match effect.action {
            FileAction::Create => contract::ChangeAction::Create,
            FileAction::Replace => contract::ChangeAction::Replace,
            FileAction::Append => contract::ChangeAction::Append,
            FileAction::Remove => contract::ChangeAction::Remove,
        },
    }
}
