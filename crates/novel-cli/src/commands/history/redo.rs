//! `novel redo`.

use novel_app::history;
use novel_model::{counted, message};

use crate::{
    args::WallArgs,
    context::Context,
    output::{CommandResult, Output},
};

use super::undo::named;

/// Redo what was undone last
///
/// Every file is as it was before the undo; no agent is called. Run it again to redo more. Refuses
/// when anything else was done since the undo.
#[derive(clap::Args, Debug)]
pub(crate) struct RedoArgs {
    #[command(flatten)]
    walls: WallArgs,
}

pub(crate) fn run(context: &Context, args: &RedoArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let report = history::redo(&project)?;
    let (operation, en, zh) = named(&report);
    let files = report.restored.len();
    let counted = counted(files, "file");
    let note = message!(
        en: "Redid operation {operation}: {en} ({counted}).",
        zh: "已重做操作 {operation}（{zh}）：{files} 个文件。"
    );
    Ok(Output::new(report.answer())
        .note(note)
        .about_config(project.warnings())
        .until_printed(report.lock))
}
