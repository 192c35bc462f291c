//! Why there is no answer.

use std::path::PathBuf;
use std::time::Duration;

use novel_model::{Explain, Kind, Lang, Message, message};
use serde_json::{Map, Value, json};

use crate::Wire;

/// Why there is no answer. Texts from servers are shortened, free of control
/// characters and free of the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The key is missing, wrong, or not allowed to do this (401, 403).
    #[error("{url} refused the key (HTTP {status})")]
    Auth {
        /// The endpoint.
        url: String,
        /// Its protocol.
        wire: Wire,
        /// 401 or 403.
        status: u16,
        /// Where the key came from; `None` when none was sent.
        key_origin: Option<String>,
        /// The server's words.
        detail: String,
    },
    /// No such address or model (404).
    #[error("{url} does not know the address or the model `{model}` (HTTP 404)")]
    NotFound {
        /// The endpoint.
        url: String,
        /// The model asked for.
        model: String,
        /// The server's words.
        detail: String,
    },
    /// The server calls the request wrong (400 and other 4xx).
    #[error("{url} rejected the request (HTTP {status})")]
    BadRequest {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// The server's words.
        detail: String,
    },
    /// The prompt and the answer's limit do not fit into the model's context.
    #[error("the prompt is too long for model `{model}`")]
    ContextLength {
        /// The model asked for.
        model: String,
        /// The server's words.
        detail: String,
    },
    /// The account has no money or quota left (402, or 429 that says so).
    #[error("the account at {url} has no quota left (HTTP {status})")]
    Quota {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// The server's words.
        detail: String,
    },
    /// Too many requests (429).
    #[error("{url} limits the rate (HTTP 429)")]
    RateLimited {
        /// The endpoint.
        url: String,
        /// How long the server wants to be left alone.
        retry_after: Option<Duration>,
        /// The server's words.
        detail: String,
    },
    /// The server failed or is overloaded (408, 409, 425, 5xx).
    #[error("{url} failed (HTTP {status})")]
    Server {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// How long the server wants to be left alone.
        retry_after: Option<Duration>,
        /// The server's words.
        detail: String,
    },
    /// The server asked for a pause longer than the policy allows.
    #[error("{url} asks to wait {asked:?}, the limit is {limit:?}")]
    RetryAfterTooLong {
        /// The endpoint.
        url: String,
        /// The pause asked for.
        asked: Duration,
        /// The longest pause allowed.
        limit: Duration,
    },
    /// There is no connection, or it broke before an answer began.
    #[error("no connection to {url}: {detail}")]
    Connect {
        /// The endpoint.
        url: String,
        /// Why.
        detail: String,
    },
    /// The connection cannot be made secure.
    #[error("no secure connection to {url}: {detail}")]
    Tls {
        /// The endpoint.
        url: String,
        /// Why.
        detail: String,
    },
    /// The file of certificate authorities is of no use.
    #[error("no certificates in {path}: {detail}", path = path.display())]
    Authorities {
        /// The file `SSL_CERT_FILE` names.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// A limit of time is over.
    #[error("no answer from {url} in time: {phase:?}, {limit:?}")]
    Timeout {
        /// The endpoint.
        url: String,
        /// Which limit.
        phase: TimeoutPhase,
        /// Its length.
        limit: Duration,
    },
    /// The answer ended before its end marker.
    #[error("the answer from {url} broke off after {bytes} bytes")]
    CutStream {
        /// The endpoint.
        url: String,
        /// Bytes of the body that had arrived.
        bytes: u64,
    },
    /// A stream holds something that is not of its protocol.
    #[error("the stream from {url} is damaged: {excerpt}")]
    Malformed {
        /// The endpoint.
        url: String,
        /// What was found.
        excerpt: String,
    },
    /// A success whose body is not an answer: probably not a model server.
    #[error("{url} answered with something that is no answer of a model: {excerpt}")]
    NotAnAnswer {
        /// The endpoint.
        url: String,
        /// What was found.
        excerpt: String,
    },
    /// The answer is longer than the endpoint's limit.
    #[error("the answer from {url} is longer than {limit} bytes")]
    TooLarge {
        /// The endpoint.
        url: String,
        /// The limit.
        limit: u64,
    },
    /// The address cannot be used.
    #[error("`{url}` cannot be used as the address of a model server: {detail}")]
    BadEndpoint {
        /// The address.
        url: String,
        /// Why.
        detail: String,
    },
    /// The call was cancelled.
    #[error("the call was cancelled")]
    Cancelled,
    /// Every attempt failed.
    #[error("gave up after {attempts} attempts")]
    RetriesExhausted {
        /// Attempts made.
        attempts: u32,
        /// The last failure.
        #[source]
        last: Box<ModelError>,
    },
}

/// Which limit of time was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutPhase {
    /// Name lookup, connection, TLS.
    Connect,
    /// No first byte of an answer.
    FirstByte,
    /// The stream fell silent.
    Silent,
    /// The whole attempt.
    Total,
}

impl ModelError {
    /// Whether the same request may well succeed a little later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Server { .. }
            | Self::Connect { .. }
            | Self::CutStream { .. }
            | Self::Malformed { .. } => true,
            Self::Timeout { phase, .. } => match phase {
                TimeoutPhase::Connect | TimeoutPhase::FirstByte | TimeoutPhase::Silent => true,
                TimeoutPhase::Total => false,
            },
            Self::Auth { .. }
            | Self::NotFound { .. }
            | Self::BadRequest { .. }
            | Self::ContextLength { .. }
            | Self::Quota { .. }
            | Self::RetryAfterTooLong { .. }
            | Self::Tls { .. }
            | Self::Authorities { .. }
            | Self::NotAnAnswer { .. }
            | Self::TooLarge { .. }
            | Self::BadEndpoint { .. }
            | Self::Cancelled
            | Self::RetriesExhausted { .. } => false,
        }
    }

    /// Whether the same request is refused again whenever it is made, until somebody changes the
    /// configuration, the account or the request.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Auth { .. }
            | Self::NotFound { .. }
            | Self::BadRequest { .. }
            | Self::ContextLength { .. }
            | Self::Quota { .. }
            | Self::Tls { .. }
            | Self::Authorities { .. }
            | Self::BadEndpoint { .. } => true,
            Self::RateLimited { .. }
            | Self::Server { .. }
            | Self::RetryAfterTooLong { .. }
            | Self::Connect { .. }
            | Self::Timeout { .. }
            | Self::CutStream { .. }
            | Self::Malformed { .. }
            | Self::NotAnAnswer { .. }
            | Self::TooLarge { .. }
            | Self::Cancelled
            | Self::RetriesExhausted { .. } => false,
        }
    }

    /// How long the server wants to be left alone.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }
}

impl Explain for ModelError {
    fn kind(&self) -> Kind {
        Kind::Provider
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Auth { .. } => "PROVIDER_AUTH",
            Self::NotFound { .. } => "PROVIDER_NOT_FOUND",
            Self::BadRequest { .. } => "PROVIDER_BAD_REQUEST",
            Self::ContextLength { .. } => "PROVIDER_CONTEXT_LENGTH",
            Self::Quota { .. } => "PROVIDER_QUOTA",
            Self::RateLimited { .. } => "PROVIDER_RATE_LIMITED",
            Self::Server { .. } => "PROVIDER_FAILED",
            Self::RetryAfterTooLong { .. } => "PROVIDER_RETRY_AFTER_TOO_LONG",
            Self::Connect { .. } => "PROVIDER_UNREACHABLE",
            Self::Tls { .. } | Self::Authorities { .. } => "PROVIDER_TLS",
            Self::Timeout { phase, .. } => match phase {
                TimeoutPhase::Connect => "PROVIDER_CONNECT_TIMEOUT",
                TimeoutPhase::FirstByte => "PROVIDER_FIRST_BYTE_TIMEOUT",
                TimeoutPhase::Silent => "PROVIDER_SILENT_STREAM",
                TimeoutPhase::Total => "PROVIDER_TOTAL_TIMEOUT",
            },
            Self::CutStream { .. } => "PROVIDER_CUT_STREAM",
            Self::Malformed { .. } => "PROVIDER_MALFORMED_STREAM",
            Self::NotAnAnswer { .. } => "PROVIDER_NOT_AN_ANSWER",
            Self::TooLarge { .. } => "PROVIDER_ANSWER_TOO_LARGE",
            Self::BadEndpoint { .. } => "PROVIDER_BAD_ENDPOINT",
            Self::Cancelled => "CANCELLED",
            Self::RetriesExhausted { .. } => "PROVIDER_RETRIES_EXHAUSTED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Auth {
                url,
                status,
                key_origin: None,
                detail,
                ..
            } => message!(
                en: "{url} requires an API key, but none was given (HTTP {status}): {detail}",
                zh: "{url} 需要 API 密钥，但没有提供（HTTP {status}）：{detail}"
            ),
            Self::Auth {
                url,
                status,
                key_origin: Some(origin),
                detail,
                ..
            } => message!(
                en: "{url} refused the API key from {origin} (HTTP {status}): {detail}",
                zh: "{url} 拒绝了来自 {origin} 的 API 密钥（HTTP {status}）：{detail}"
            ),
            Self::NotFound { url, model, detail } => message!(
                en: "{url} does not know this address or the model `{model}` (HTTP 404): {detail}",
                zh: "{url} 没有这个地址，或没有模型 `{model}`（HTTP 404）：{detail}"
            ),
            Self::BadRequest {
                url,
                status,
                detail,
            } => message!(
                en: "{url} rejected the request (HTTP {status}): {detail}",
                zh: "{url} 拒绝了请求（HTTP {status}）：{detail}"
            ),
            Self::ContextLength { model, detail } => message!(
                en: "the prompt does not fit into the context of model `{model}`: {detail}",
                zh: "提示词超出模型 `{model}` 的上下文长度：{detail}"
            ),
            Self::Quota {
                url,
                status,
                detail,
            } => message!(
                en: "the account at {url} has no balance or quota left (HTTP {status}): {detail}",
                zh: "{url} 的账户余额或配额不足（HTTP {status}）：{detail}"
            ),
            Self::RateLimited { url, detail, .. } => message!(
                en: "{url} limits the number of requests (HTTP 429): {detail}",
                zh: "{url} 限制了请求频率（HTTP 429）：{detail}"
            ),
            Self::Server {
                url,
                status,
                detail,
                ..
            } => message!(
                en: "{url} failed or is overloaded (HTTP {status}): {detail}",
                zh: "{url} 出错或过载（HTTP {status}）：{detail}"
            ),
            Self::RetryAfterTooLong { url, asked, limit } => message!(
                en: "{url} asks to wait {} s before the next request; at most {} s are allowed",
                zh: "{url} 要求等待 {} 秒后再请求；本程序最多等待 {} 秒",
                asked.as_secs(),
                limit.as_secs()
            ),
            Self::Connect { url, detail } => message!(
                en: "no connection to {url}: {detail}",
                zh: "无法连接 {url}：{detail}"
            ),
            Self::Tls { url, detail } => message!(
                en: "no secure connection to {url}: {detail}",
                zh: "无法与 {url} 建立安全连接：{detail}"
            ),
            Self::Authorities { path, detail } => message!(
                en: "the certificates in {} (SSL_CERT_FILE) cannot be used: {detail}",
                zh: "无法使用 {}（SSL_CERT_FILE）中的证书：{detail}",
                path.display()
            ),
            Self::Timeout { url, phase, limit } => timeout_message(url, *phase, *limit),
            Self::CutStream { url, bytes } => message!(
                en: "the answer from {url} broke off after {bytes} bytes",
                zh: "{url} 的回答在 {bytes} 字节后中断"
            ),
            Self::Malformed { url, excerpt } => message!(
                en: "the stream from {url} is damaged: `{excerpt}`",
                zh: "{url} 的数据流已损坏：`{excerpt}`"
            ),
            Self::NotAnAnswer { url, excerpt } => message!(
                en: "{url} answered with something that is not a model's answer: `{excerpt}`",
                zh: "{url} 的回应不是模型的回答：`{excerpt}`"
            ),
            Self::TooLarge { url, limit } => message!(
                en: "the answer from {url} is longer than {limit} bytes; the rest was not read",
                zh: "{url} 的回答超过 {limit} 字节，其余部分未读取"
            ),
            Self::BadEndpoint { url, detail } => message!(
                en: "`{url}` cannot be used as the address of a model server: {detail}",
                zh: "`{url}` 不能用作模型服务器地址：{detail}"
            ),
            Self::Cancelled => message!(en: "the call was cancelled", zh: "调用已取消"),
            Self::RetriesExhausted { attempts, last } => {
                let last = last.message();
                Message {
                    en: format!(
                        "gave up after {attempts} attempts; the last one: {}",
                        last.en
                    ),
                    zh: format!("尝试 {attempts} 次后放弃；最后一次：{}", last.zh),
                }
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Auth {
                key_origin: Some(origin),
                ..
            } => message!(
                en: "put a valid key for this endpoint into {origin}",
                zh: "请在 {origin} 中放入该服务的有效密钥"
            ),
            Self::Auth { wire, .. } => {
                let name = match wire {
                    Wire::OpenAi => "OPENAI_API_KEY",
                    Wire::Anthropic => "ANTHROPIC_API_KEY",
                };
                message!(
                    en: "set the key's variable, for example `export {name}=…`, and name the variable in the model's settings",
                    zh: "请设置密钥变量，例如 `export {name}=…`，并在模型设置中写明变量名"
                )
            }
            Self::NotFound { .. } | Self::NotAnAnswer { .. } | Self::BadEndpoint { .. } => {
                message!(
                    en: "check the base URL (OpenAI-compatible ones mostly end in /v1), the protocol and the model's name",
                    zh: "请检查服务地址（兼容 OpenAI 的多以 /v1 结尾）、协议与模型名称"
                )
            }
            Self::BadRequest { .. } => message!(
                en: "check the model's settings (limit of tokens, temperature); the same request is not sent again",
                zh: "请检查模型设置（token 上限、温度）；相同请求不会重复发送"
            ),
            Self::ContextLength { .. } => message!(
                en: "lower the context budget of the agent, or choose a model with a longer context",
                zh: "请调低该智能体的上下文预算，或换用上下文更长的模型"
            ),
            Self::Quota { .. } => message!(
                en: "top up the account or choose another model, then go on",
                zh: "请充值或换用其他模型，然后继续"
            ),
            Self::RateLimited { .. } | Self::Server { .. } | Self::RetryAfterTooLong { .. } => {
                message!(
                    en: "wait a while and go on; everything written so far is safe",
                    zh: "请稍候再继续；已写内容均已保存"
                )
            }
            Self::Connect { .. } => message!(
                en: "check the network, the proxy variables (HTTPS_PROXY, NO_PROXY) and whether the server runs",
                zh: "请检查网络、代理变量（HTTPS_PROXY、NO_PROXY），以及服务器是否在运行"
            ),
            Self::Tls { .. } => message!(
                en: "check the address and the proxy (HTTPS_PROXY); for a server with a certificate of its own, set SSL_CERT_FILE to the PEM file of its authority",
                zh: "请检查地址和代理（HTTPS_PROXY）；服务器若使用自签证书，请将 SSL_CERT_FILE 设为其签发机构的 PEM 文件"
            ),
            Self::Authorities { .. } => message!(
                en: "set SSL_CERT_FILE to a PEM file with the certificates of the authorities, or unset it",
                zh: "请将 SSL_CERT_FILE 设为包含签发机构证书的 PEM 文件，或取消该变量"
            ),
            Self::Timeout { .. } => message!(
                en: "try again; raise the timeout if this model is slow",
                zh: "请重试；若模型较慢，请调高超时"
            ),
            Self::CutStream { .. } | Self::Malformed { .. } => message!(
                en: "try again; if it keeps happening, check the log of the server or the proxy",
                zh: "请重试；若持续出现，请查看服务器或代理的日志"
            ),
            Self::TooLarge { .. } => message!(
                en: "lower the limit of output tokens; a model that never stops is often the wrong model or template",
                zh: "请调低输出 token 上限；停不下来的模型往往选错了模型或模板"
            ),
            Self::Cancelled => return None,
            Self::RetriesExhausted { last, .. } => return last.hint(),
        })
    }

    fn details(&self, lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        details.insert("retryable".into(), json!(self.is_retryable()));
        if let Self::RetriesExhausted { attempts, last } = self {
            details.insert("attempts".into(), json!(attempts));
            details.insert("last_code".into(), json!(last.code()));
            details.insert("last".into(), json!(last.message().get(lang)));
        }
        if let Some(wait) = self.retry_after() {
            details.insert("retry_after_seconds".into(), json!(wait.as_secs()));
        }
        details
    }
}

fn timeout_message(url: &str, phase: TimeoutPhase, limit: Duration) -> Message {
    let seconds = limit.as_secs_f64();
    match phase {
        TimeoutPhase::Connect => message!(
            en: "no connection to {url} within {seconds} s",
            zh: "{seconds} 秒内未能连接 {url}"
        ),
        TimeoutPhase::FirstByte => message!(
            en: "{url} accepted the request but sent nothing for {seconds} s",
            zh: "{url} 接受了请求，但 {seconds} 秒内没有任何回应"
        ),
        TimeoutPhase::Silent => message!(
            en: "{url} stopped sending for {seconds} s in the middle of its answer",
            zh: "{url} 在回答途中沉默了 {seconds} 秒"
        ),
        TimeoutPhase::Total => message!(
            en: "the answer from {url} was not complete after {seconds} s",
            zh: "{url} 的回答在 {seconds} 秒后仍未完成"
        ),
    }
}
