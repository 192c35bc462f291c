//! `novel rollback N`.

use novel_app::history;
use novel_model::{counted, message};

use crate::{
    args::WallArgs,
    context::Context,
    output::{CommandResult, Output},
};

/// Return the book to the moment right after a chapter
///
/// Later chapters and anything in progress go to `archive/`; nothing is deleted, and `novel undo`
/// takes the rollback back. Writing the same chapters again gives the same files.
#[derive(clap::Args, Debug)]
pub(crate) struct RollbackArgs {
    /// Last chapter that stays; 0 is before the first
    #[arg(value_name = "N")]
    chapter: u32,

    #[command(flatten)]
    walls: WallArgs,
}

pub(crate) fn run(context: &Context, args: &RollbackArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let report = history::rollback(&project, args.chapter)?;
    let (chapter, removed) = (args.chapter, report.removed);
    let chapters = counted(removed, "chapter");
    let note = match chapter {
        0 => message!(
            en: "The book is empty again; {chapters} went to archive/. `novel undo` reverts it.",
            zh: "作品回到动笔之前，{removed} 章已移入 archive/。`novel undo` 可撤销。"
        ),
        _ => message!(
            en: "The book is back at chapter {chapter}; {chapters} went to archive/. `novel undo` reverts it.",
            zh: "作品回到第 {chapter} 章刚写完时，{removed} 章已移入 archive/。`novel undo` 可撤销。"
        ),
    };
    Ok(Output::new(report.answer())
        .note(note)
        .about_config(project.warnings()))
}
