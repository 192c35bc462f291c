//! `novel regen N [--cascade]`.

use novel_app::{
    runner::UnderLock,
    write::{
        regen::{self, Later},
        run::{Approval, Goal},
    },
};
use novel_model::ChapterNo;

use crate::{
    args::{NoteArgs, WallArgs},
    context::Context,
    output::CommandResult,
    writing::{self, Executor, Written},
};

/// Rewrite a chapter of the book from its contract
///
/// The chapter goes to `archive/` and is written again from its contract; a revision that waits for
/// you at it is cleared. Only the newest chapter, unless `--cascade` allows later ones to go too.
/// After a crash, run the same command again to continue.
#[derive(clap::Args, Debug)]
pub(crate) struct RegenArgs {
    /// Chapter
    #[arg(allow_negative_numbers = true)]
    chapter: ChapterNo,

    /// Move all later chapters to `archive/` first
    #[arg(long)]
    cascade: bool,

    #[command(flatten)]
    note: NoteArgs,

    #[command(flatten)]
    walls: WallArgs,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &RegenArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let later = if args.cascade {
        Later::TakeAway
    } else {
        Later::Refuse
    };
    let other = args.executor.map(Into::into);
    let approval = Approval::Author;
    let note = args.note.read()?;
    let worked = writing::with_runner(context, &project, other, approval, None, |runner| {
        regen::regen(runner, args.chapter, later, note.as_deref())
    })?;
    let UnderLock { report: run, lock } = worked.result?;
    let written = Written {
        report: run,
        executor: Some(worked.executor),
        seen: worked.seen,
    };
    let output = writing::output(context, &project, Goal::Chapters(1), written);
    Ok(output.until_printed(lock))
}
