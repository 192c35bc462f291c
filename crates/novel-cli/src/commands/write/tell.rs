//! `novel tell TEXT`.

use novel_app::library::runs;
use novel_model::message;

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Tell the run under way what you want
///
/// The note reaches writer, reviser and planner with their next call, and applies to all rounds of
/// that chapter or plan. Works from any terminal. Without a run it waits for the next one.
#[derive(clap::Args, Debug)]
pub(crate) struct TellArgs {
    /// What you want, in your own words
    #[arg(value_name = "TEXT")]
    note: String,
}

pub(crate) fn run(context: &Context, args: &TellArgs) -> CommandResult {
    let project = context.project()?;
    let posted = runs::tell(&project, &args.note)?;
    let said = match posted.run {
        Some(run) => {
            let number = run.get();
            message!(
                en: "Run {number} will pass your note on with its next call to the writer, reviser or planner.",
                zh: "第 {number} 次运行会在下一次写作、修订或规划时带上这条要求。"
            )
        }
        None => message!(
            en: "No run is under way; the next one will pass your note on.",
            zh: "当前没有运行；下一次运行会带上这条要求。"
        ),
    };
    Ok(Output::new(posted).note(said))
}
