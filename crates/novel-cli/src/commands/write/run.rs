//! `novel run [--to N] [--yes]`.

use novel_app::write::run::{FromError, Goal};
use novel_model::ChapterNo;

use crate::{
    context::Context,
    output::CommandResult,
    writing::{self, ApprovalArgs, Executor, MaxCost, Wish},
};

/// Write to the end of the volume
///
/// Continues from wherever the book stands: setup, plan, chapters, and with `--to` across the ends
/// of volumes. Stops where a gate, a trial or a plan waits for you; trial and plan are approved
/// unseen with `--yes`, or with `approval = "unattended"` in novel.toml. Chapters that are in the
/// book are not written again. Ctrl-C stops without losing anything.
#[derive(clap::Args, Debug)]
pub(crate) struct RunArgs {
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

pub(crate) fn run(context: &Context, args: &RunArgs) -> CommandResult {
    go_on(
        context,
        args.to,
        args.executor,
        FromError::Refuse,
        &args.approval,
        args.max_cost,
    )
}

/// Writes to a chapter, or to the end of the volume.
pub(super) fn go_on(
    context: &Context,
    to: Option<ChapterNo>,
    executor: Option<Executor>,
    from_error: FromError,
    approval: &ApprovalArgs,
    max_cost: Option<MaxCost>,
) -> CommandResult {
    let mut project = context.project()?;
    if let Some(MaxCost(limit)) = max_cost {
        project = project.with_max_cost(limit);
    }
    let goal = to.map_or(Goal::VolumeEnd, Goal::Until);
    let wish = Wish {
        goal,
        from_error,
        executor: executor.map(Into::into),
        approval: approval.of(&project),
    };
    let written = writing::write(context, &project, wish)?;
    Ok(writing::output(context, &project, goal, written))
}
