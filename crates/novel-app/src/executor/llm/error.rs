//! What can be wrong with the model client's configuration or a model's answer.

use std::path::PathBuf;

use novel_model::{ErrorTable, Kind, Row, message};

/// Why the built-in client cannot be used, or its answer cannot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// No model is configured for an agent.
    #[error("no model for {agent}")]
    NoModel {
        /// Agent without a model under `[models]`.
        agent: &'static str,
    },
    /// A fallback is for an agent that does not exist.
    #[error("`[fallback.{agent}]`: no such agent")]
    UnknownFallbackAgent {
        /// Name in `[fallback.NAME]` that no agent has.
        agent: String,
    },
    /// A fallback names no model.
    #[error("the fallback of {agent} has no model")]
    NoFallbackModel {
        /// Agent whose fallback table has no `model`.
        agent: String,
    },
    /// A fallback names a server of its own and no key for it.
    #[error("the fallback of {agent} names no key for {host}")]
    NoFallbackKey {
        /// Agent whose fallback names another server.
        agent: String,
        /// Host of that server.
        host: String,
    },
    /// There is no key, and the endpoint is not on this machine.
    #[error("no key in `{variable}`")]
    NoKey {
        /// Where it was looked for.
        variable: String,
        /// Host that requires the key.
        host: String,
    },
    /// The key would be part of the book.
    #[error("the key file `{}` lies in the project", file.display())]
    KeyInProject {
        /// Key file inside the project directory.
        file: PathBuf,
    },
    /// The answer ends in the middle.
    #[error("the answer of `{model}` was cut at {limit} tokens")]
    Cut {
        /// Model whose answer was cut off.
        model: String,
        /// Limit of output tokens of the call.
        limit: u32,
    },
    /// The answer went round in circles and was ended.
    #[error("the answer of `{model}` went round in circles")]
    Looped {
        /// Model whose answer went round in circles.
        model: String,
    },
    /// The model declined to answer.
    #[error("`{model}` refused")]
    Refused {
        /// Model that declined.
        model: String,
        /// The beginning of its words.
        words: String,
    },
    /// The provider's filter stopped it.
    #[error("the answer of `{model}` was filtered")]
    Filtered {
        /// Model whose answer the provider stopped.
        model: String,
    },
    /// The answer has neither text nor a tool call.
    #[error("`{model}` gave an empty answer")]
    Empty {
        /// Model that gave the empty answer.
        model: String,
    },
}

impl ErrorTable for LlmError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::NoModel { agent } => Row::new(Kind::Input, "NO_MODEL", message!(
                en: "the executor is `llm`, but {agent} has no model",
                zh: "执行器为 `llm`，但没有为 {agent} 配置模型"
            )).hint(message!(
                en: "name one in novel.toml: `[models]`, `default = \"MODEL\"`",
                zh: "请在 novel.toml 中指定：`[models]`，`default = \"MODEL\"`"
            )),
            Self::UnknownFallbackAgent { agent } => Row::new(Kind::Input, "UNKNOWN_AGENT", message!(
                en: "`[fallback.{agent}]` in novel.toml: there is no agent `{agent}`",
                zh: "novel.toml 中的 `[fallback.{agent}]`：没有名为 `{agent}` 的智能体"
            )).hint(message!(
                en: "`novel agents` lists the agents; `[fallback.default]` applies to all of them",
                zh: "`novel agents` 列出全部智能体；`[fallback.default]` 对所有智能体生效"
            )),
            Self::NoFallbackModel { agent } => Row::new(Kind::Input, "NO_MODEL", message!(
                en: "`[fallback.{agent}]` does not name a model", zh: "`[fallback.{agent}]` 没有指定模型"
            )).hint(message!(
                en: "`novel config set fallback.{agent}.model MODEL`",
                zh: "`novel config set fallback.{agent}.model MODEL`"
            )),
            Self::NoFallbackKey { agent, host } => Row::new(Kind::Provider, "NO_KEY", message!(
                en: "`[fallback.{agent}]` names the server {host} but no key for it; the key of another server is never sent there",
                zh: "`[fallback.{agent}]` 指定了服务器 {host}，却没有指定它的密钥；不会把别处的密钥发给它"
            )).hint(message!(
                en: "`novel config set fallback.{agent}.key_env VARIABLE`",
                zh: "`novel config set fallback.{agent}.key_env VARIABLE`"
            )),
            Self::NoKey { variable, host } => Row::new(Kind::Provider, "NO_KEY", message!(
                en: "{host} needs an API key, and the environment variable `{variable}` is not set",
                zh: "{host} 需要 API 密钥，而环境变量 `{variable}` 未设置"
            )).hint(message!(
                en: "set it in this shell with `export {variable}=…`, or name another place with `key_env` or `key_file` under `[llm]`; keys never belong in novel.toml",
                zh: "请在当前终端执行 `export {variable}=…`，或在 `[llm]` 中用 `key_env` 或 `key_file` 指定别处；密钥不要写进 novel.toml"
            )),
            Self::KeyInProject { file } => Row::new(Kind::Input, "KEY_IN_PROJECT", message!(
                en: "the key file `{}` is inside the project, so it would be copied and shared with the book",
                zh: "密钥文件 `{}` 位于项目之内，会随书稿一起被复制和分享", file.display()
            )).hint(message!(
                en: "move it out of the project, for example to `~/.config/novel/key`, and change `key_file`",
                zh: "请移出项目，例如放到 `~/.config/novel/key`，并修改 `key_file`"
            )),
            Self::Cut { model, limit } => Row::new(Kind::Provider, "ANSWER_CUT", message!(
                en: "the answer from `{model}` was cut off at the limit of {limit} tokens",
                zh: "`{model}` 的回答在 {limit} 个 token 的上限处被截断"
            )).hint(message!(
                en: "raise `max_output_tokens` under `[llm]` in novel.toml, or ask for shorter chapters",
                zh: "请提高 novel.toml 中 `[llm]` 的 `max_output_tokens`，或缩短章节"
            )),
            Self::Looped { model } => Row::new(Kind::Provider, "ANSWER_LOOPED", message!(
                en: "the answer of `{model}` went round in circles and was ended",
                zh: "`{model}` 的回答陷入循环，已提前结束"
            )).hint(message!(
                en: "try again with `novel continue --retry`; if it happens again, change `temperature` under `[llm]` in novel.toml, give the server a penalty for repetition, or choose another model under `[models]`",
                zh: "用 `novel continue --retry` 重试；若再次出现，请调整 novel.toml 中 `[llm]` 的 `temperature`、在服务端设置重复惩罚，或在 `[models]` 中换一个模型"
            )),
            Self::Refused { model, words } => Row::new(Kind::Provider, "MODEL_REFUSED", message!(
                en: "`{model}` declined to answer: {words}", zh: "`{model}` 拒绝回答：{words}"
            )).hint(message!(
                en: "soften the passage the outline asks for, or choose another model under `[models]`",
                zh: "请缓和大纲要求的段落，或在 `[models]` 中换一个模型"
            )),
            Self::Filtered { model } => Row::new(Kind::Provider, "ANSWER_FILTERED", message!(
                en: "the provider's content filter stopped the answer from `{model}`",
                zh: "`{model}` 的回答被服务商的内容过滤器拦截"
            )).hint(message!(
                en: "soften the passage the outline asks for, or choose another model under `[models]`",
                zh: "请缓和大纲要求的段落，或在 `[models]` 中换一个模型"
            )),
            Self::Empty { model } => Row::new(Kind::Provider, "EMPTY_ANSWER", message!(
                en: "`{model}` gave an empty answer", zh: "`{model}` 没有给出任何回答"
            )).hint(message!(
                en: "choose another model under `[models]`, or raise `max_output_tokens`: a reasoning model may have used it up",
                zh: "请在 `[models]` 中换一个模型，或提高 `max_output_tokens`：推理模型可能已将其用尽"
            )),
        }
    }
}
