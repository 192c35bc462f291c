//! Why a prompt cannot be built.

use novel_model::{Explain, Kind, Lang, Message, Problem, ReadError, message};
use serde_json::{Map, Value, json};

use super::Agent;

/// Why a prompt cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The packet is for an agent without a prompt.
    #[error("agent `{name}` has no prompt")]
    UnknownAgent {
        /// The agent of the packet.
        name: String,
    },
    /// The packet asks for a mode the agent does not have.
    #[error("agent `{agent}` has no mode `{mode}`")]
    UnknownMode {
        /// The agent.
        agent: &'static str,
        /// The mode of the packet.
        mode: String,
    },
    /// The packet names its files instead of giving them.
    #[error("the packet does not embed its files")]
    NotEmbedded,
    /// A field of the packet is not what the prompt needs.
    #[error("field `{field}` of the packet cannot be used")]
    BrokenField {
        /// The field.
        field: String,
    },
    /// The prompt file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The prompt file is there but broken.
    #[error("{}: {}", .problem.location(), .problem.message)]
    BrokenTemplate {
        /// Where and why.
        problem: Box<Problem>,
    },
    /// Even with everything shortened that may be, the prompt is over its budget.
    #[error("the prompt of `{agent}` needs {needed} tokens; its budget is {limit}")]
    TooLarge {
        /// The agent.
        agent: &'static str,
        /// Tokens of what cannot be left out.
        needed: u64,
        /// The budget.
        limit: u64,
        /// The largest sections with their tokens, largest first.
        largest: Vec<(String, u64)>,
    },
}

impl PromptError {
    pub(super) fn template(problem: Problem) -> Self {
        Self::BrokenTemplate {
            problem: Box::new(problem),
        }
    }
}

impl Explain for PromptError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::UnknownAgent { .. } => "UNKNOWN_AGENT",
            Self::UnknownMode { .. } => "UNKNOWN_MODE",
            Self::NotEmbedded => "PACKET_NOT_EMBEDDED",
            Self::BrokenField { .. } => "BROKEN_PACKET",
            Self::Read(error) => error.code(),
            Self::BrokenTemplate { .. } => "BROKEN_PROMPT",
            Self::TooLarge { .. } => "PROMPT_TOO_LARGE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::UnknownAgent { name } => message!(
                en: "agent `{name}` has no prompt",
                zh: "智能体 `{name}` 没有提示词"
            ),
            Self::UnknownMode { agent, mode } => message!(
                en: "agent `{agent}` has no mode `{mode}`",
                zh: "智能体 `{agent}` 没有 `{mode}` 模式"
            ),
            Self::NotEmbedded => message!(
                en: "the packet names its files; a prompt needs their contents",
                zh: "指令包只给出了文件路径，生成提示词需要文件内容"
            ),
            Self::BrokenField { field } => message!(
                en: "field `{field}` of the packet cannot be used: it is not wrapped, or not of its form",
                zh: "指令包的字段 `{field}` 无法使用：没有包裹，或形式不对"
            ),
            Self::Read(error) => error.message(),
            Self::BrokenTemplate { problem } => {
                let place = problem.location();
                let Message { en, zh } = &problem.message;
                message!(en: "{place}: {en}", zh: "{place}：{zh}")
            }
            Self::TooLarge {
                agent,
                needed,
                limit,
                largest,
            } => {
                let list = |join: &str| {
                    let parts: Vec<String> = largest
                        .iter()
                        .map(|(name, tokens)| format!("{name} {tokens}"))
                        .collect();
                    parts.join(join)
                };
                let (en, zh) = (list(", "), list("、"));
                message!(
                    en: "the prompt of {agent} needs {needed} tokens after everything optional was left out, but may have {limit}; largest: {en}",
                    zh: "{agent} 的提示词在省去一切可省内容后仍需 {needed} 个 token，上限为 {limit}；最大的部分：{zh}"
                )
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::UnknownAgent { .. } => {
                let known: Vec<&str> = Agent::ALL.iter().map(|agent| agent.name()).collect();
                let (en, zh) = (known.join(", "), known.join("、"));
                Some(message!(en: "agents with a prompt: {en}", zh: "有提示词的智能体：{zh}"))
            }
            Self::UnknownMode { agent, .. } => {
                let modes = Agent::from_name(agent).map_or(&[][..], Agent::modes);
                let words: Vec<&str> = modes.iter().map(|mode| mode.word()).collect();
                let (en, zh) = (words.join(", "), words.join("、"));
                Some(message!(en: "its modes: {en}", zh: "可用模式：{zh}"))
            }
            Self::NotEmbedded => Some(message!(
                en: "ask for it with `novel instructions STEP --embed`",
                zh: "请用 `novel instructions STEP --embed` 生成"
            )),
            Self::BrokenField { .. } => Some(message!(
                en: "make the packet again with `novel instructions STEP --embed`",
                zh: "请用 `novel instructions STEP --embed` 重新生成指令包"
            )),
            Self::Read(error) => error.hint(),
            Self::BrokenTemplate { problem } => problem.hint.clone(),
            Self::TooLarge { .. } => Some(message!(
                en: "raise `input_tokens` under [context] in novel.toml, or make the largest of these shorter",
                zh: "请在 novel.toml 的 [context] 中调大 `input_tokens`，或缩短其中最大的内容"
            )),
        }
    }

    fn problems(&self) -> &[Problem] {
        match self {
            Self::BrokenTemplate { problem } => std::slice::from_ref(problem),
            _ => &[],
        }
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        if let Self::TooLarge {
            needed,
            limit,
            largest,
            ..
        } = self
        {
            details.insert("needed_tokens".into(), json!(needed));
            details.insert("limit_tokens".into(), json!(limit));
            let largest: Map<String, Value> = largest
                .iter()
                .map(|(name, tokens)| (name.clone(), json!(tokens)))
                .collect();
            details.insert("largest".into(), Value::Object(largest));
        }
        details
    }
}
