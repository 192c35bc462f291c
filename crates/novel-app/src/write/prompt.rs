//! `novel prompt STEP`: the exact prompt of a step, for an agent outside.

use novel_contract::write as contract;
use novel_model::StepId;
use novel_prompt::prompt::Role;

use super::instructions;
use crate::{Project, runner::PacketError};

/// The prompt that the built-in executor would send for a step now.
///
/// # Errors
/// As [`instructions::explain`].
pub fn prompt(project: &Project, step: StepId) -> Result<contract::PromptAnswer, PacketError> {
    let prompt = instructions::explain(project, step)?.prompt;
    Ok(contract::PromptAnswer {
        agent: prompt.agent.name().to_owned(),
        mode: prompt.mode.word().to_owned(),
        version: prompt.template_version,
        system: prompt.text(Role::System),
        user: prompt.text(Role::User),
        form: prompt.output.word().to_owned(),
        schema: prompt.output.schema().cloned(),
        tokens: prompt.tokens(),
        warnings: Vec::new(),
    })
}
