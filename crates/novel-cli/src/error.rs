//! Failures of the command line itself, and how any failure is shown.

use std::process::ExitCode;

use novel_app::StoreError;
use novel_model::{ErrorTable, Explain, Kind, Message, Row, message};

/// The exit code of a failure. The numbers are public (`docs/cli.md`).
pub(crate) fn exit_code(kind: Kind) -> ExitCode {
    ExitCode::from(novel_contract::exit_code(kind))
}

/// Causes below a failure that its message does not tell already.
pub(crate) fn causes(failure: &dyn Explain) -> Vec<String> {
    let told = failure.message().en;
    let mut causes: Vec<String> = Vec::new();
    let mut next = failure.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !told.contains(&text) && !causes.contains(&text) {
            causes.push(text);
        }
        next = cause.source();
    }
    causes
}

/// Failures of the command line that are about no argument and no file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// `SOURCE_DATE_EPOCH` is set but is no time.
    #[error("SOURCE_DATE_EPOCH is `{value}`")]
    BadEpoch {
        /// What it is.
        value: String,
    },
    /// The directory the program was started in is gone.
    #[error("the current directory cannot be used")]
    NoCurrentDirectory {
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The answer could not be printed.
    #[error("the answer cannot be written")]
    Output {
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The work is done, but its lock could not be removed.
    #[error("the lock cannot be removed")]
    Unreleased {
        /// Why.
        #[source]
        source: StoreError,
    },
    /// The program does not find its own file.
    #[error("the file of the program cannot be found")]
    NoProgramFile {
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Ctrl-C cannot be listened for.
    #[error("signals cannot be listened for")]
    Signals {
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A bug.
    #[error("internal error: {what}")]
    Panicked {
        /// What the program said.
        what: String,
    },
}

impl CliError {
    /// From what a caught panic carries.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let what = text.unwrap_or_else(|| "unknown".to_owned());
        Self::Panicked { what }
    }
}

impl ErrorTable for CliError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::BadEpoch { value } => Row::new(Kind::Input, "BAD_SOURCE_DATE_EPOCH", message!(
                en: "SOURCE_DATE_EPOCH is `{value}`, which is not a valid time",
                zh: "SOURCE_DATE_EPOCH 为 `{value}`，不是有效时间"
            )).hint(message!(
                en: "set it to a whole number of seconds since 1970, or unset it",
                zh: "请设为自 1970 年起的整秒数，或取消设置"
            )),
            Self::NoCurrentDirectory { source } => Row::new(Kind::Input, "NO_CURRENT_DIRECTORY", message!(
                en: "the current directory cannot be used: {source}",
                zh: "无法使用当前目录：{source}"
            )).hint(message!(
                en: "change into an existing directory", zh: "请进入一个存在的目录"
            )),
            Self::Output { source } => Row::new(Kind::Internal, "OUTPUT_FAILED", message!(
                en: "the answer cannot be written to standard output: {source}",
                zh: "无法把结果写到标准输出：{source}"
            )).hint(message!(
                en: "check the disk or the program that reads the output; what the command wrote to the book is safe",
                zh: "请检查磁盘或读取输出的程序；已写入作品的内容不受影响"
            )),
            Self::Unreleased { source } => Row::new(Kind::Internal, "LOCK_LEFT", {
                let Message { en, zh } = source.message();
                message!(
                    en: "the work is done and on the disk, but its lock cannot be removed: {en}",
                    zh: "工作已完成并已落盘，但无法移除锁：{zh}"
                )
            }).hint(message!(
                en: "check the disk; the next command takes the lock over",
                zh: "请检查磁盘；下一条命令会接管这把锁"
            )),
            Self::NoProgramFile { source } => Row::new(Kind::Internal, "NO_PROGRAM_FILE", message!(
                en: "cannot find the program file of `novel`: {source}",
                zh: "找不到 `novel` 程序自身的文件：{source}"
            )).hint(message!(
                en: "nothing was written; start `novel` from where it is installed",
                zh: "没有写入任何内容；请从安装位置启动 `novel`"
            )),
            Self::Signals { source } => Row::new(Kind::Internal, "NO_SIGNALS", message!(
                en: "cannot listen for Ctrl-C: {source}", zh: "无法监听 Ctrl-C：{source}"
            )).hint(message!(
                en: "nothing was written; check the limits of the process and try again",
                zh: "没有写入任何内容；请检查进程的限额后重试"
            )),
            Self::Panicked { what } => Row::new(Kind::Internal, "INTERNAL", message!(
                en: "a bug in `novel`: {what}", zh: "`novel` 的内部错误：{what}"
            )).hint(message!(
                en: "the book is safe: an unfinished write is completed or discarded by the next command; check with `novel doctor`",
                zh: "作品不受影响：未完成的写入会由下一条命令完成或丢弃；可用 `novel doctor` 检查"
            )),
        }
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
