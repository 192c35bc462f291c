//! Why the offline author cannot answer.

use novel_book::context::ContextError;
use novel_model::{ErrorTable, FileError, IdError, Kind, ReadError, Row, message};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The agent's work needs a language model.
    #[error("the offline author cannot do the work of agent {agent}")]
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

impl ErrorTable for OfflineError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::NoPart { agent } => Row::new(Kind::Input, "OFFLINE_NO_PART", message!(
                en: "the offline author cannot do the work of agent {agent}",
                zh: "离线作者不承担 {agent} 的工作"
            )).hint(message!(
                en: "this needs a language model or an agent command: set one up with `novel setup`, or choose another executor in novel.toml",
                zh: "这一步需要语言模型或外部命令：请用 `novel setup` 配置模型，或在 novel.toml 中换一个执行器"
            )),
            Self::NotInPathsMode { mode } => Row::new(Kind::Internal, "OFFLINE_PACKET_MODE", message!(
                en: "the packet is in mode `{mode}`, the offline author reads `paths`",
                zh: "指令包为 `{mode}` 模式，离线作者只读取 `paths` 模式"
            )),
            Self::PacketField { field } => Row::new(Kind::Internal, "OFFLINE_PACKET_FIELD", message!(
                en: "the packet has no usable `{field}`",
                zh: "指令包中没有可用的 `{field}`"
            )),
            Self::Step(error) => Row::of(error),
            Self::Context(error) => Row::of(error),
            Self::File(error) => Row::of(error),
        }
    }
}
