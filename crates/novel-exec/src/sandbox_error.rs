//! Why a program cannot be run apart from a project.

use std::{fmt::Display, io, path::PathBuf};

use novel_model::{ErrorTable, Kind, Row, message};

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A directory or file cannot be used.
    #[error("`{}` cannot be used", path.display())]
    Place {
        /// The directory or file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The system refused.
    #[error("the sandbox cannot be set up: {reason}")]
    Refused {
        /// In its words.
        reason: String,
    },
    /// The program cannot be started.
    #[error("`{}` cannot be run", program.display())]
    Exec {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl SandboxError {
    pub(crate) fn refused(reason: impl Display) -> Self {
        Self::Refused {
            reason: reason.to_string(),
        }
    }
}

impl ErrorTable for SandboxError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Provider, code, message);
        match self {
            Self::Place { path, source } => row("SANDBOX_FAILED", message!(
                en: "the sandbox cannot be set up: `{}`: {source}",
                zh: "无法建立沙箱：`{}`：{source}", path.display()
            )).hint(message!(
                en: "set `sandbox = \"compare\"` under `[command]` in novel.toml to go on with comparison alone",
                zh: "可在 novel.toml 的 `[command]` 中设置 `sandbox = \"compare\"`，只用前后比对"
            )),
            Self::Refused { reason } => row("SANDBOX_FAILED", message!(
                en: "the sandbox cannot be set up: {reason}", zh: "无法建立沙箱：{reason}"
            )).hint(message!(
                en: "set `sandbox = \"compare\"` under `[command]` in novel.toml to go on with comparison alone",
                zh: "可在 novel.toml 的 `[command]` 中设置 `sandbox = \"compare\"`，只用前后比对"
            )),
            Self::Exec { program, source } => row("COMMAND_NOT_STARTED", message!(
                en: "`{}` cannot be run: {source}", zh: "无法运行 `{}`：{source}", program.display()
            )),
        }
    }
}
