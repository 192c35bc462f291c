//! `novel validate STEP`.

use novel_app::write::validate;
use novel_model::{StepId, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table,
};

/// Check the outputs of a step
///
/// Writes nothing. Every problem is listed, with file, place and a hint.
#[derive(clap::Args, Debug)]
pub(crate) struct ValidateArgs {
    /// Step, such as `chapter:048:summarize`
    step: StepId,
}

pub(crate) fn run(context: &Context, args: &ValidateArgs) -> CommandResult {
    let project = context.project()?;
    let report = validate::validate(&project, args.step)?;
    let step = report.step;
    let measured = report.measured.iter();
    let rows: Vec<_> = measured
        .map(|(name, value)| vec![name.clone(), value.to_string()])
        .collect();
    Ok(Output::new(report.answer(context.lang))
        .text(table::align(&rows))
        .note(message!(en: "The outputs of {step} are valid.", zh: "{step} 的产物有效。"))
        .warnings(&report.warnings)
        .about_config(project.warnings()))
}
