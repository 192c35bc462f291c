//! `novel stop`.

use novel_app::library::runs;
use novel_model::{RunId, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Stop the run under way after its step
///
/// The agent at work finishes, its answer is kept, and the run ends without losing anything. Works
/// from any terminal. `novel resume` continues.
#[derive(clap::Args, Debug)]
pub(crate) struct StopArgs {}

pub(crate) fn run(context: &Context, _args: &StopArgs) -> CommandResult {
    let project = context.project()?;
    let posted = runs::stop(&project)?;
    let number = posted.run.map_or(0, RunId::get);
    Ok(Output::new(posted).note(message!(
        en: "Run {number} will stop after the step under way; `novel watch` shows it.",
        zh: "第 {number} 次运行会在当前步骤完成后停止；可用 `novel watch` 查看。"
    )))
}
