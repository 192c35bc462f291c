//! `novel resume [--to N]`.

use novel_app::write::run::FromError;
use novel_model::ChapterNo;

use super::run;
use crate::{
    context::Context,
    output::CommandResult,
    writing::{ApprovalArgs, Executor, MaxCost},
};

/// Continue after an interruption, to the end of the planned volume
///
/// Like `novel run`, and retries a step that failed before. Finished calls are not billed twice.
#[derive(clap::Args, Debug)]
pub(crate) struct ResumeArgs {
    /// Stop after this chapter
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    to: Option<ChapterNo>,

    #[command(flatten)]
    approval: ApprovalArgs,

    /// Spending limit in US dollars, instead of `budget.max_cost_usd`; `none` for no limit
    #[arg(long, value_name = "USD")]
    max_cost: Option<MaxCost>,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &ResumeArgs) -> CommandResult {
    run::go_on(
        context,
        args.to,
        args.executor,
        FromError::Retry,
        &args.approval,
        args.max_cost,
    )
}
