//! `novel undo`.

use novel_app::history;
use novel_model::message;

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
};

/// Take the last operation back
///
/// A commit, a rollback, a changed chapter: every file is as it was before. Run it again to go
/// further back; `novel log` lists the operations. Refuses when a file was changed since.
#[derive(clap::Args, Debug)]
pub(crate) struct UndoArgs {}

pub(crate) fn run(context: &Context, _args: &UndoArgs) -> CommandResult {
    let project = context.project()?;
    let report = history::undo(&project)?;
    let (number, files) = (report.undone.operation, report.restored.len());
    let what = labels::operation(&report.undone.kind);
    let target = &report.undone.target;
    let (en, zh) = (what.en, what.zh);
    Ok(Output::new(report.answer())
        .note(message!(
            en: "Operation {number} ({en}, {target}) is taken back: {files} files.",
            zh: "已撤销操作 {number}（{zh}，{target}）：{files} 个文件。"
        ))
        .about_config(project.warnings()))
}
