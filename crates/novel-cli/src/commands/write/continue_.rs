//! `novel continue [N]`.

use clap::value_parser;
use novel_app::write::run::{FromError, Goal};
use novel_model::{Warning, message};

use crate::{
    context::Context,
    output::CommandResult,
    writing::{self, Executor, Wish},
};

/// More chapters than this in one go are better looked at in between (seed 003).
const ADVISED: u32 = 5;

/// Write the next chapters
///
/// An interrupted chapter is finished first. Each chapter is drafted, summarized, refined and
/// judged, revised where the gate asks for it, and committed. Ctrl-C stops without losing anything;
/// finished calls are not billed twice.
#[derive(clap::Args, Debug)]
pub(crate) struct ContinueArgs {
    /// Chapters to write; 5 or fewer are recommended
    #[arg(value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    chapters: u32,

    /// Write N drafts of each chapter and choose one: you choose at a terminal, otherwise the judge
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=9))]
    drafts: Option<u32>,

    /// Retry a step that failed before
    #[arg(long)]
    retry: bool,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &ContinueArgs) -> CommandResult {
    let mut project = context.project()?;
    if let Some(drafts) = args.drafts {
        project = project.with_drafts(drafts);
    }
    let many = (args.chapters > ADVISED).then(|| too_many(args.chapters));
    if let Some(warning) = &many {
        context.printer.warning(warning);
    }
    let goal = Goal::Chapters(args.chapters);
    let from_error = if args.retry {
        FromError::Retry
    } else {
        FromError::Refuse
    };
    let executor = args.executor.map(Into::into);
    let wish = Wish {
        goal,
        from_error,
        executor,
        approval: project.config().approval.into(),
    };
    let written = writing::write(context, &project, wish)?;
    Ok(writing::output(context, &project, goal, written).shown_already(many))
}

fn too_many(chapters: u32) -> Warning {
    Warning::new(
        "many_chapters",
        message!(
            en: "{chapters} chapters in one go; {ADVISED} or fewer are recommended, so that you can review them in between",
            zh: "一次续写 {chapters} 章：建议不超过 {ADVISED} 章，以便中途查看"
        ),
    )
}
