//! `novel memory rebuild N`.

use clap::Subcommand;
use novel_app::{revise::rebuild, runner::UnderLock};
use novel_model::{ChapterNo, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    writing::{self, Executor},
};

/// Rebuild what the book remembers of a chapter
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Summarize a chapter again: summary, cross-references, storyline memory
    ///
    /// The memory of a storyline stays if a later chapter has updated it since. The state of the
    /// story world is not touched.
    Rebuild {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
}

pub(crate) fn run(context: &Context, args: &MemoryArgs) -> CommandResult {
    let project = context.project()?;
    let Action::Rebuild { chapter, executor } = &args.action;
    let other = executor.map(Into::into);
    let UnderLock { report, lock } = writing::ask(context, &project, other, |runner| {
        rebuild::memory(runner, *chapter)
    })?;
    let n = chapter.get();
    Ok(Output::new(report.answer(context.lang))
        .warnings(&report.warnings)
        .note(message!(
            en: "Summarized chapter {n} again; the old files are in archive/.",
            zh: "已重做第 {n} 章的摘要，旧文件在 archive/ 中。"
        ))
        .about_config(project.warnings())
        .until_printed(lock))
}
