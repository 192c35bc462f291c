//! `novel prompt STEP`.

use novel_app::write::prompt;
use novel_model::StepId;

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Print the exact prompt of a step
///
/// The rules of the agent, then everything it is given, exactly as the built-in executor would send
/// it now. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct PromptArgs {
    /// Step, such as `chapter:048:draft`
    step: StepId,
}

pub(crate) fn run(context: &Context, args: &PromptArgs) -> CommandResult {
    let project = context.project()?;
    let answer = prompt::prompt(&project, args.step)?;
    let text = format!("{}\n\n{}\n", answer.system, answer.user);
    Ok(Output::new(answer)
        .text(text)
        .about_config(project.warnings()))
}
