//! `novel state rebuild [--from N]`.

use clap::Subcommand;
use novel_app::{revise::rebuild, runner::UnderLock};
use novel_model::{ChapterNo, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    writing::{self, Executor},
};

/// Rebuild the state of the story world
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct StateArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Bring the state back to what the chapters say
    ///
    /// Without `--from`, the changelog is replayed, and chapters whose state ops were lost are
    /// summarized again. With it, every chapter from there on is summarized again. A state edited
    /// by hand goes to `archive/`.
    Rebuild {
        /// First chapter to summarize again
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        from: Option<ChapterNo>,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
}

pub(crate) fn run(context: &Context, args: &StateArgs) -> CommandResult {
    let project = context.project()?;
    let Action::Rebuild { from, executor } = &args.action;
    let UnderLock { report, lock } = if from.is_some() || !rebuild::lost(&project)?.is_empty() {
        let other = executor.map(Into::into);
        writing::ask(context, &project, other, |runner| {
            rebuild::state(runner, *from)
        })?
    } else {
        rebuild::replay(&project)?
    };
    let count = report.chapters.len();
    let note = match (count, report.restored) {
        (0, true) => message!(
            en: "Rebuilt the state from the changelog; the old file is in archive/.",
            zh: "状态已按变更日志重建，旧文件在 archive/ 中。"
        ),
        (0, false) => message!(
            en: "The state already matches the changelog.",
            zh: "状态与变更日志一致，无需重建。"
        ),
        _ => {
            let list = labels::chapters(&report.chapters);
            message!(
                en: "Rebuilt the state; summarized again: {list}.",
                zh: "状态已重建；重做摘要的章：{list}。"
            )
        }
    };
    Ok(Output::new(report.answer(context.lang))
        .warnings(&report.warnings)
        .note(note)
        .about_config(project.warnings())
        .until_printed(lock))
}
