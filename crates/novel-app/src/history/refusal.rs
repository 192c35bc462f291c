//! Why an operation is not undone or redone.

use novel_model::{ErrorTable, Kind, RelPath, Row, message};
use serde::Serialize;

use crate::{BookError, error::use_case_error};

/// An operation that stands in the way of taking an earlier one back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaterOperation {
    /// Its number.
    pub operation: u64,
    /// Name of its kind.
    pub kind: &'static str,
    /// What it was done to.
    pub target: String,
    /// The files both changed.
    #[serde(rename = "paths")]
    pub files: Vec<RelPath>,
}

/// Why an operation is not undone or redone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UndoRefusal {
    /// No operation is left to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Nothing was taken back last that could be brought back.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// No operation with this number stands.
    #[error("no operation {operation} is in effect")]
    NoSuchOperation {
        /// Operation number the author asked to undo.
        operation: u64,
    },
    /// Files were changed after an operation; taking it back would lose that.
    #[error("files were changed after operation {operation}")]
    ChangedSince {
        /// Operation that was to be undone.
        operation: u64,
        /// Files of that operation that were edited after it.
        paths: Vec<RelPath>,
    },
    /// Later operations build on the files of an operation.
    #[error("later operations changed the files of operation {operation}")]
    LaterOperations {
        /// Operation that was to be undone.
        operation: u64,
        /// The later ones, oldest first.
        later: Vec<LaterOperation>,
    },
}

impl ErrorTable for UndoRefusal {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        let see_log =
            message!(en: "`novel log` lists the operations", zh: "用 `novel log` 查看操作");
        match self {
            Self::NothingToUndo => row(
                "NOTHING_TO_UNDO",
                message!(en: "there is nothing to undo", zh: "没有可撤销的操作"),
            )
            .hint(see_log),
            Self::NothingToRedo => row(
                "NOTHING_TO_REDO",
                message!(en: "there is nothing to redo", zh: "没有可重做的操作"),
            )
            .hint(message!(
                en: "`novel redo` restores what was undone last, as long as nothing else was done since; see `novel log`",
                zh: "`novel redo` 只能重做刚刚撤销的操作，其间不能有别的操作；见 `novel log`"
            )),
            Self::NoSuchOperation { operation } => row(
                "NO_SUCH_OPERATION",
                message!(
                    en: "there is no operation {operation} to undo",
                    zh: "没有可撤销的操作 {operation}"
                ),
            )
            .hint(see_log)
            .fact("operation", operation),
            Self::ChangedSince { operation, paths } => {
                let list = joined(paths);
                row(
                    "CHANGED_SINCE",
                    message!(
                        en: "operation {operation} cannot be undone: changed since then: {list}",
                        zh: "无法撤销操作 {operation}：此后有文件被改动：{list}"
                    ),
                )
                .hint(message!(
                    en: "restore the files, or use `novel rollback N` to return to a chapter",
                    zh: "请恢复这些文件，或用 `novel rollback N` 回到某一章"
                ))
                .fact("operation", operation)
                .fact("paths", paths)
            }
            Self::LaterOperations { operation, later } => {
                let told = later.iter().map(|later| {
                    let LaterOperation {
                        operation,
                        kind,
                        target,
                        files,
                    } = later;
                    format!("{operation} ({kind} {target}: {})", joined(files))
                });
                let list = told.collect::<Vec<_>>().join("; ");
                row(
                    "LATER_OPERATIONS",
                    message!(
                        en: "operation {operation} cannot be undone: later operations changed its files: {list}",
                        zh: "无法撤销操作 {operation}：后来的操作改动了它的文件：{list}"
                    ),
                )
                .hint(message!(en: "undo the later operations first", zh: "请先撤销后来的操作"))
                .fact("operation", operation)
                .fact("later", later)
            }
        }
    }
}

fn joined(paths: &[RelPath]) -> String {
    let paths: Vec<&str> = paths.iter().map(RelPath::as_str).collect();
    paths.join(", ")
}

use_case_error! {
    /// Why an operation cannot be undone or redone.
    pub enum UndoError {
        /// The book or its operations log cannot be read or written.
        Book(BookError),
        /// The operation cannot be taken back, or nothing is left to bring back.
        Refused(UndoRefusal),
    }
}
