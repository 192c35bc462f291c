//! Why a program cannot be run apart from a project.

use std::{fmt::Display, io, path::PathBuf};

use novel_model::{Explain, Kind, Message, message};

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

impl Explain for SandboxError {
    fn kind(&self) -> Kind {
        Kind::Provider
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Place { .. } | Self::Refused { .. } => "SANDBOX_FAILED",
            Self::Exec { .. } => "COMMAND_NOT_STARTED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Place { path, source } => message!(
                en: "the sandbox cannot be set up: `{}`: {source}",
                zh: "无法建立沙箱：`{}`：{source}", path.display()
            ),
            Self::Refused { reason } => message!(
                en: "the sandbox cannot be set up: {reason}", zh: "无法建立沙箱：{reason}"
            ),
            Self::Exec { program, source } => message!(
                en: "`{}` cannot be run: {source}", zh: "无法运行 `{}`：{source}", program.display()
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::Place { .. } | Self::Refused { .. } => Some(message!(
                en: "set `sandbox = \"compare\"` under `[command]` in novel.toml to go on with comparison alone",
                zh: "可在 novel.toml 的 `[command]` 中设置 `sandbox = \"compare\"`，只用前后比对"
            )),
            Self::Exec { .. } => None,
        }
    }
}
