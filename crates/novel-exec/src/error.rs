//! Why a program gave no output.

use std::{io, time::Duration};

use novel_model::{ErrorTable, Kind, Row, message};

use crate::words;

/// Why a program gave no usable output.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// There is no such program.
    #[error("there is no program `{program}`")]
    NotFound {
        /// As it was asked for.
        program: String,
    },
    /// The system did not start it, or did not let us talk to it.
    #[error("`{program}` cannot be run")]
    Start {
        /// As it was asked for.
        program: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It ran too long and was ended.
    #[error("`{program}` ran longer than {limit:?}")]
    Timeout {
        /// As it was asked for.
        program: String,
        /// The longest run allowed.
        limit: Duration,
    },
    /// It was ended because the author asked to stop.
    #[error("`{program}` was cancelled")]
    Cancelled {
        /// As it was asked for.
        program: String,
    },
    /// It wrote too much and was ended.
    #[error("`{program}` wrote more than {limit} bytes")]
    TooMuchOutput {
        /// As it was asked for.
        program: String,
        /// The most bytes allowed.
        limit: usize,
    },
    /// It ended with an error.
    #[error("`{program}` failed: {status}")]
    Failed {
        /// As it was asked for.
        program: String,
        /// Its exit code or the signal that ended it.
        status: String,
        /// The end of what it wrote to standard error.
        stderr: String,
        /// The end of what it wrote to standard output.
        stdout: String,
    },
    /// Its output is not UTF-8.
    #[error("the output of `{program}` is not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// As it was asked for.
        program: String,
        /// The first byte that is none.
        offset: usize,
    },
}

impl ErrorTable for ChildError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Provider, code, message);
        match self {
            Self::NotFound { program } => row("COMMAND_NOT_FOUND", message!(
                en: "there is no program `{program}`", zh: "找不到程序 `{program}`"
            )).hint(message!(
                en: "install it, or correct `program` under `[command]` in novel.toml; a relative path starts at the project",
                zh: "请安装该程序，或改正 novel.toml 中 `[command]` 的 `program`；相对路径从项目目录算起"
            )),
            Self::Start { program, source } => row("COMMAND_NOT_STARTED", message!(
                en: "`{program}` cannot be run: {source}", zh: "无法运行 `{program}`：{source}"
            )).hint(message!(
                en: "check that it can be run here, by hand, in the project directory",
                zh: "请在项目目录中手动运行，确认它可以启动"
            )),
            Self::Timeout { program, limit } => row("COMMAND_TIMEOUT", {
                let seconds = limit.as_secs_f64();
                message!(
                    en: "`{program}` ran longer than {seconds} s and was stopped",
                    zh: "`{program}` 运行超过 {seconds} 秒，已被终止"
                )
            }).hint(message!(
                en: "give it more time with `timeout_seconds` under `[command]` in novel.toml",
                zh: "可在 novel.toml 的 `[command]` 中用 `timeout_seconds` 给它更多时间"
            )),
            Self::Cancelled { program } => row("CANCELLED", message!(
                en: "`{program}` was stopped on request", zh: "已按要求终止 `{program}`"
            )),
            Self::TooMuchOutput { program, limit } => row("COMMAND_OUTPUT_TOO_LARGE", message!(
                en: "`{program}` wrote more than {limit} bytes and was stopped",
                zh: "`{program}` 的输出超过 {limit} 字节，已被终止"
            )).hint(message!(
                en: "make it print only the answer", zh: "请让它只输出回答本身"
            )),
            Self::Failed { program, status, stderr, stdout } => row("COMMAND_FAILED", match words::last_words(stderr, stdout) {
                Some(line) => message!(
                    en: "`{program}` failed ({status}): {line}",
                    zh: "`{program}` 运行失败（{status}）：{line}"
                ),
                None => message!(
                    en: "`{program}` failed ({status}) and printed nothing",
                    zh: "`{program}` 运行失败（{status}），没有任何说明"
                ),
            }).hint(message!(
                en: "run it by hand in the project directory to see what it needs",
                zh: "请在项目目录中手动运行，查看它缺少什么"
            )).fact("stdout", stdout).fact("status", status).fact("stderr", stderr),
            Self::NotUtf8 { program, offset } => row("COMMAND_OUTPUT_NOT_UTF8", message!(
                en: "the output of `{program}` is not UTF-8 (byte {offset})",
                zh: "`{program}` 的输出不是 UTF-8（第 {offset} 字节）"
            )).hint(message!(
                en: "make it print UTF-8, for example with `LC_ALL=C.UTF-8`",
                zh: "请让它输出 UTF-8，例如设置 `LC_ALL=C.UTF-8`"
            )),
        }
    }
}
