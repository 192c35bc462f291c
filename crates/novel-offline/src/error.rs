//! Why the offline author can not answer.

use novel_book::context::ContextError;
use novel_model::{Explain, FileError, IdError, Kind, Message, Problem, ReadError, message};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The agent's work needs a language model.
    #[error("the offline author has no part for agent {agent}")]
    NoPart {
        /// The agent.
        agent: String,
    },
    /// The packet holds no paths to read from.
    #[error("the packet is in mode `{mode}`, expected `paths`")]
    NotInPathsMode {
        /// Its mode.
        mode: String,
    },
    /// The packet lacks something, or holds it in another form.
    #[error("the packet has no usable `{field}`")]
    PacketField {
        /// The field.
        field: &'static str,
    },
    /// The packet's step is no step id.
    #[error(transparent)]
    Step(#[from] IdError),
    /// The plan of the chapter is missing or broken.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// A file is missing or broken.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<ReadError> for OfflineError {
    fn from(error: ReadError) -> Self {
        Self::File(error.into())
    }
}

impl Explain for OfflineError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoPart { .. } => Kind::Input,
            Self::NotInPathsMode { .. } | Self::PacketField { .. } => Kind::Internal,
            Self::Step(error) => error.kind(),
            Self::Context(error) => error.kind(),
            Self::File(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoPart { .. } => "OFFLINE_NO_PART",
            Self::NotInPathsMode { .. } => "OFFLINE_PACKET_MODE",
            Self::PacketField { .. } => "OFFLINE_PACKET_FIELD",
            Self::Step(error) => error.code(),
            Self::Context(error) => error.code(),
            Self::File(error) => error.code(),
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoPart { agent } => message!(
                en: "the offline author has no part for agent {agent}",
                zh: "离线作者不承担 {agent} 的工作"
            ),
            Self::NotInPathsMode { mode } => message!(
                en: "the packet is in mode `{mode}`, the offline author reads `paths`",
                zh: "指令包为 `{mode}` 模式，离线作者只读取 `paths` 模式"
            ),
            Self::PacketField { field } => message!(
                en: "the packet has no usable `{field}`",
                zh: "指令包中没有可用的 `{field}`"
            ),
            Self::Step(error) => error.message(),
            Self::Context(error) => error.message(),
            Self::File(error) => error.message(),
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::NoPart { .. } => Some(message!(
                en: "this step needs a language model, an agent command, or the author: choose another executor in novel.toml, or hand the result in with `novel submit`",
                zh: "此步骤需要语言模型、外部命令或作者本人：请在 novel.toml 中换一个执行器，或用 `novel submit` 提交结果"
            )),
            Self::NotInPathsMode { .. } | Self::PacketField { .. } => None,
            Self::Step(error) => error.hint(),
            Self::Context(error) => error.hint(),
            Self::File(error) => error.hint(),
        }
    }

    fn problems(&self) -> &[Problem] {
        match self {
            Self::Context(error) => error.problems(),
            Self::File(error) => error.problems(),
            Self::NoPart { .. }
            | Self::NotInPathsMode { .. }
            | Self::PacketField { .. }
            | Self::Step(_) => &[],
        }
    }
}
