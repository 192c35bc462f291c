//! `novel volume review [V]`.

use clap::Subcommand;
use novel_app::write::{
    run::Approval,
    volume_review::{self, VolumeReviewReport},
};
use novel_model::{Message, VolumeNo, counted, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    writing::{self, Executor},
};

/// Work on a whole volume
#[derive(clap::Args, Debug)]
pub(crate) struct VolumeArgs {
    #[command(subcommand)]
    command: VolumeCommand,
}

#[derive(Subcommand, Debug)]
enum VolumeCommand {
    Review(ReviewArgs),
}

/// Review a finished volume and open the next one
///
/// Reports over the volume (scores, length, dialogue, storylines, foreshadowing, cast, style) and
/// the advice of one agent become `volumes/vol-VV/review.md`; the state is kept in
/// `state/history/`, and the next volume can be planned. One transaction; `novel undo` reverts it.
#[derive(clap::Args, Debug)]
struct ReviewArgs {
    /// Volume to review; the current one by default
    #[arg(value_name = "V")]
    volume: Option<VolumeNo>,
    /// Who advises, instead of `executor` in novel.toml
    #[arg(long, value_name = "NAME")]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &VolumeArgs) -> CommandResult {
    match &args.command {
        VolumeCommand::Review(args) => review(context, args),
    }
}

fn review(context: &Context, args: &ReviewArgs) -> CommandResult {
    let project = context.project()?;
    let executor = args.executor.map(Into::into);
    let worked = writing::with_runner(
        context,
        &project,
        executor,
        Approval::Author,
        None,
        |runner| volume_review::volume_review(runner, args.volume),
    )?;
    let report = worked.result?;
    Ok(Output::new(report.answer(worked.executor, context.lang))
        .text(format!("{}\n", report.review))
        .note(outcome(&report))
        .warnings(&report.warnings)
        .about_config(project.warnings()))
}

fn outcome(report: &VolumeReviewReport) -> Message {
    let number = report.volume.get();
    if report.already_reviewed {
        return message!(
            en: "Volume {number} has already been reviewed.", zh: "第 {number} 卷已经回顾过。"
        );
    }
    let (next, count) = (report.volume.next().get(), report.findings.len());
    let points = counted(count, "point");
    message!(
        en: "Reviewed volume {number}, {points} to look at; `novel start` continues with the plan of volume {next}.",
        zh: "第 {number} 卷回顾完成，有 {count} 处需要留意；用 `novel start` 继续规划第 {next} 卷。"
    )
}
