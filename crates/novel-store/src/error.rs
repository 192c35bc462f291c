//! Everything that can go wrong with the store.

use novel_book::operations::TxnLabel;
use novel_model::{
    ErrorTable, Explain, Kind, Message, ReadError, RelPath, RelPathError, Row, layout, message,
};

use crate::{fs::FsError, lock_state::LockError};

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file operation failed; the project is unchanged.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The lock could not be taken or was lost.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The transaction is decided but could not be applied completely.
    #[error("`{}` is sealed but not finished", label.target)]
    Sealed {
        /// Kind and target of the sealed transaction.
        label: TxnLabel,
        /// Error that stopped its application.
        #[source]
        source: Box<StoreError>,
    },
    /// An earlier transaction of the same writer is sealed and must be finished first.
    #[error("`{}` must be finished first", label.target)]
    Unfinished {
        /// Kind and target of the earlier transaction.
        label: TxnLabel,
    },
    /// The journal cannot be understood.
    #[error("the journal file `{path}` is damaged: {reason}")]
    JournalDamaged {
        /// Damaged file below `.novel.journal/`.
        path: RelPath,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that only grows has become shorter.
    #[error("`{path}` has {found} bytes; at least {expected} were expected")]
    Shortened {
        /// Log that only grows.
        path: RelPath,
        /// Length when the transaction was prepared.
        expected: u64,
        /// Length of the log in bytes.
        found: u64,
    },
    /// The last line of the operations log cannot be understood.
    #[error("the last line of `{}` is damaged: {reason}", layout::operations())]
    OperationsDamaged {
        /// What is wrong with it.
        reason: String,
    },
    /// A pack of replaced contents is damaged.
    #[error("`{path}` is damaged at byte {offset}: {reason}")]
    PackDamaged {
        /// Damaged pack below `archive/`.
        path: RelPath,
        /// Byte offset of the damaged entry.
        offset: u64,
        /// Fault of the entry, in words.
        reason: String,
    },
    /// Others wrote whenever the book was looked at.
    #[error("the book kept changing while it was read")]
    Changing,
    /// A transaction may not write there.
    #[error("`{path}` cannot be written by a transaction")]
    BadTarget {
        /// Reserved path, or path written twice.
        path: RelPath,
    },
    /// A path could not be built.
    #[error(transparent)]
    Path(#[from] RelPathError),
    /// A plan could not be written down.
    #[error("the plan cannot be encoded")]
    Encode(#[from] serde_json::Error),
}

impl ErrorTable for StoreError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::Fs(error) => Row::of(error),
            Self::Read(error) => Row::of(error),
            Self::Lock(error) => Row::of(error),
            Self::Sealed { source, label } => Row::new(source.kind(), "SEALED_NOT_FINISHED", {
                let (source, target) = (source.message(), &label.target);
                Message {
                    en: format!("`{target}` is decided but not finished: {}", source.en),
                    zh: format!("`{target}` 已封存但尚未完成：{}", source.zh),
                }
            }).hint({
                let remove_cause = source.hint().unwrap_or_default();
                Message {
                    en: format!(
                        "nothing is lost: running the command again completes it. {}",
                        remove_cause.en
                    )
                    .trim_end()
                    .to_owned(),
                    zh: format!("内容没有丢失：再次运行该命令即可完成。{}", remove_cause.zh),
                }
            }),
            Self::Unfinished { label } => Row::new(Kind::Input, "UNFINISHED_TRANSACTION", message!(
                en: "`{}` is decided but not finished; it must be finished first",
                zh: "`{}` 已封存但尚未完成，须先完成它", label.target
            )).hint(message!(
                en: "run the command again: the next write finishes it first",
                zh: "请重新运行命令：下一次写入会先完成它"
            )),
            Self::JournalDamaged { path, reason } => Row::new(Kind::Input, "JOURNAL_DAMAGED", message!(
                en: "the journal file `{path}` is damaged ({reason}); nothing was changed or removed",
                zh: "日志文件 `{path}` 已损坏（{reason}）；未改动或删除任何内容"
            )).hint(message!(
                en: "keep a copy of `.novel.journal/`, then run `novel doctor`",
                zh: "请先备份 `.novel.journal/`，然后运行 `novel doctor`"
            )),
            Self::Shortened { path, expected, found } => Row::new(Kind::Input, "FILE_SHORTENED", message!(
                en: "`{path}` has {found} bytes, but at least {expected} were expected",
                zh: "`{path}` 只有 {found} 字节，应不少于 {expected} 字节"
            )).hint(message!(
                en: "put back the complete `{path}`, then run the command again",
                zh: "请恢复完整的 `{path}`，然后重新运行命令"
            )),
            Self::OperationsDamaged { reason } => Row::new(Kind::Input, "OPERATIONS_DAMAGED", {
                let path = layout::operations();
                message!(
                    en: "the last line of `{path}` is damaged: {reason}",
                    zh: "`{path}` 的最后一行已损坏：{reason}"
                )
            }).hint(message!(
                en: "repair or remove that line by hand, then run `novel doctor`",
                zh: "请手动修复或删除该行，然后运行 `novel doctor`"
            )),
            Self::PackDamaged { path, offset, reason } => Row::new(Kind::Input, "ARCHIVE_DAMAGED", message!(
                en: "`{path}` is damaged at byte {offset}: {reason}",
                zh: "`{path}` 在第 {offset} 字节处已损坏：{reason}"
            )).hint(message!(
                en: "restore the file from an undamaged copy; nothing else in the book depends on it",
                zh: "请换回该文件的完好副本；作品的其他部分不依赖它"
            )),
            Self::Changing => Row::new(Kind::Locked, "BOOK_IS_CHANGING", message!(
                en: "another process keeps writing to the book, so it could not be read as a whole",
                zh: "另一个进程一直在写入作品，无法读到完整一致的内容"
            )).hint(message!(
                en: "run the command again in a moment; `novel lock status` shows who writes",
                zh: "请稍后重新运行该命令；`novel lock status` 可查看谁在写入"
            )),
            Self::BadTarget { path } => Row::new(Kind::Internal, "BAD_TARGET", message!(
                en: "`{path}` is reserved or in conflict with another file of the same transaction",
                zh: "`{path}` 为保留路径，或与同一事务中的其他文件冲突"
            )),
            Self::Path(error) => Row::new(Kind::Internal, error.code(), error.message()),
            Self::Encode(error) => Row::new(Kind::Internal, "PLAN_ENCODE", message!(
                en: "the plan cannot be encoded: {error}", zh: "无法编码计划：{error}"
            )),
        }
    }
}
