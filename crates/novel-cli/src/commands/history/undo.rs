//! `novel undo [ID]`.

use novel_app::history::{self, UndoReport};
use novel_model::{Message, counted, message};

use crate::{
    args::WallArgs,
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
};

/// Take an operation back
///
/// The last one, or the one with this number: every file is as it was before. A chapter under way
/// is discarded; paid answers stay in `logs/calls/`. Run it again to go further back; `novel redo`
/// restores it, `novel log` lists the operations. Refuses when a file was changed since, or when
/// later operations changed its files. After a crash the same command finishes what it began.
#[derive(clap::Args, Debug)]
pub(crate) struct UndoArgs {
    /// Number of the operation, from `novel log`; the last one by default
    #[arg(value_name = "ID")]
    operation: Option<u64>,

    #[command(flatten)]
    walls: WallArgs,
}

pub(crate) fn run(context: &Context, args: &UndoArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let report = history::undo(&project, args.operation)?;
    let (operation, en, zh) = named(&report);
    let files = report.restored.len();
    let counted = counted(files, "file");
    let note = message!(
        en: "Undid operation {operation}: {en} ({counted}). `novel redo` brings it back.",
        zh: "已撤销操作 {operation}（{zh}）：{files} 个文件。`novel redo` 可重做。"
    );
    Ok(Output::new(report.answer())
        .note(note)
        .about_config(project.warnings())
        .until_printed(report.lock))
}

/// An operation by its number, and what it did in both languages.
pub(super) fn named(report: &UndoReport) -> (u64, String, String) {
    let operation = &report.undone;
    let (Message { en, zh }, target) = (
        labels::operation(operation.kind, &operation.target),
        &operation.target,
    );
    (
        operation.operation,
        format!("{en}, {target}"),
        format!("{zh}，{target}"),
    )
}
