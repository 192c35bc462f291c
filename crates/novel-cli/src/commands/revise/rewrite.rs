//! `novel rewrite N [--note TEXT]`.

use novel_app::{
    runner::UnderLock,
    write::anew,
    write::run::{Approval, Goal},
};
use novel_model::{ChapterNo, message};

use crate::{
    args::{NoteArgs, WallArgs},
    context::Context,
    output::CommandResult,
    ui::labels,
    writing::{self, Executor, Written},
};

/// Rewrite one chapter of the book in place
///
/// The agents see the book as it stood right before the chapter. The new text goes through all
/// stages, the gate and the reviews; summary, facts, foreshadowing and memory follow it, later
/// chapters stay, and those that may no longer fit are listed. The old text stays the book's until
/// the new one is committed. After a crash the same command goes on; `novel undo` reverts the
/// rewrite.
#[derive(clap::Args, Debug)]
pub(crate) struct RewriteArgs {
    /// Chapter
    #[arg(allow_negative_numbers = true)]
    chapter: ChapterNo,

    #[command(flatten)]
    note: NoteArgs,

    #[command(flatten)]
    walls: WallArgs,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &RewriteArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let note = args.note.read()?;
    let other = args.executor.map(Into::into);
    let worked =
        writing::with_runner(context, &project, other, Approval::Author, None, |runner| {
            anew::write_anew(runner, args.chapter, note.as_deref())
        })?;
    let UnderLock { report: run, lock } = worked.result?;
    let later = run.later.clone();
    let written = Written {
        report: run,
        executor: Some(worked.executor),
        seen: worked.seen,
    };
    let n = args.chapter.get();
    let output = writing::output(context, &project, Goal::Decision, written);
    let output = labels::note_later(output, &later).note(message!(
        en: "Chapter {n} has its new text; the old one is in archive/. `novel undo` reverts it.",
        zh: "第 {n} 章已换成新的正文，旧文在 archive/ 中。`novel undo` 可撤销。"
    ));
    Ok(output.until_printed(lock))
}
