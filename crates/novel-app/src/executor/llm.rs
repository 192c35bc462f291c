//! The built-in model client runs the agents.

mod error;
mod memory;
mod outage;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use novel_book::config::{Api, Config, ExecutorKind, FallbackConfig, LlmConfig};
use novel_llm::{
    Adaptation, Block, CancelToken, Client, Endpoint, Finish, Model, ModelAnswer, ModelError,
    ModelRequest, RetryPolicy, SchemaRequest, Secret, SecretError, StreamEvent, Timeouts, Usage,
    Wire,
};
use novel_model::{Explain, Message, Warning, message};
use novel_prompt::prompt::{Agent, Output, Prompt, Role};
use novel_text::estimate_tokens;

pub use self::error::LlmError;
pub(crate) use self::memory::notes;
use self::memory::{EndpointMemory, EndpointNote};
use self::outage::Outages;
use super::{
    ANSWER_CUT, AgentAnswer, AgentCall, AgentError, DEFAULT_OUTPUT_TOKENS, Executor, Note, Reads,
    Sign, UnusableAnswer, with_home,
};

/// The fallback of agents that have none of their own.
const ANY_AGENT: &str = "default";
/// The highest temperature of a judge: above it a weak model rewords what it should quote.
const JUDGING_TEMPERATURE: f64 = 0.3;

/// The built-in model client.
pub struct Llm {
    client: Client,
    config: Config,
    memory: EndpointMemory,
    /// By agent: who answers while the provider is down.
    fallbacks: BTreeMap<String, Fallback>,
    /// Models that did not answer a little while ago.
    outages: Outages,
    /// Calls a fallback answered that nobody was told of yet.
    fell_back: Mutex<Vec<Warning>>,
}

/// Who answers while the provider of a model is down.
struct Fallback {
    client: Client,
    model: String,
    memory: EndpointMemory,
}

impl Fallback {
    fn new(endpoint: Endpoint, model: String) -> Self {
        let client = Client::new(endpoint);
        let memory = EndpointMemory::new(client.url().to_owned(), Vec::new());
        Self {
            client: client.remembering(Box::new(memory.clone())),
            model,
            memory,
        }
    }

    fn knowing(mut self, notes: Vec<EndpointNote>) -> Self {
        self.memory = EndpointMemory::new(self.client.url().to_owned(), notes);
        self.client = self.client.remembering(Box::new(self.memory.clone()));
        self
    }
}

impl Llm {
    /// A client as a project's configuration says. `root` is the project directory: no key file
    /// may lie there.
    ///
    /// # Errors
    /// When an agent has no model, or there is no key and the endpoint is not on this machine.
    pub fn new(config: Config, root: Option<&Path>) -> Result<Self, AgentError> {
        let client = Client::new(endpoint(&config.llm, root)?);
        let mut fallbacks = BTreeMap::new();
        for (agent, other) in &config.fallback {
            let mut known = Agent::ALL.iter().map(|agent| agent.name());
            if agent != ANY_AGENT && !known.any(|known| known == agent) {
                let agent = agent.clone();
                return Err(LlmError::UnknownFallbackAgent { agent }.into());
            }
            if other.model.is_empty() {
                let agent = agent.clone();
                return Err(LlmError::NoFallbackModel { agent }.into());
            }
            let endpoint = fallback_endpoint(&config.llm, agent, other, root)?;
            let fallback = Fallback::new(endpoint, other.model.clone());
            fallbacks.insert(agent.clone(), fallback);
        }
        let llm = Self::with_client(config, client)?;
        Ok(Self { fallbacks, ..llm })
    }

    /// Builds the executor on an existing client; fallbacks are left empty.
    ///
    /// # Errors
    /// When an agent has no model.
    pub fn with_client(config: Config, client: Client) -> Result<Self, AgentError> {
        for agent in Agent::PIPELINE {
            let agent = agent.name();
            if config.model_for(&[agent]).is_none_or(str::is_empty) {
                return Err(LlmError::NoModel { agent }.into());
            }
        }
        let memory = EndpointMemory::new(client.url().to_owned(), Vec::new());
        Ok(Self {
            client: client.remembering(Box::new(memory.clone())),
            config,
            memory,
            fallbacks: BTreeMap::new(),
            outages: Outages::default(),
            fell_back: Mutex::default(),
        })
    }

    /// This client with what is known of its server.
    #[must_use]
    pub(crate) fn knowing(mut self, notes: Vec<EndpointNote>) -> Self {
        self.memory = EndpointMemory::new(self.client.url().to_owned(), notes.clone());
        self.client = self.client.remembering(Box::new(self.memory.clone()));
        let fallbacks = std::mem::take(&mut self.fallbacks).into_iter();
        self.fallbacks = fallbacks
            .map(|(agent, fallback)| (agent, fallback.knowing(notes.clone())))
            .collect();
        self
    }

    fn request(&self, prompt: &Prompt, model: &str) -> ModelRequest {
        let blocks = |role: Role| {
            prompt
                .sections
                .iter()
                .filter(|section| section.role == role)
                .map(|section| Block {
                    text: section.text.clone(),
                    cache: section.stable,
                })
                .collect()
        };
        let schema = match &prompt.output {
            Output::Markdown | Output::Scene => None,
            Output::Json { name, schema } => Some(SchemaRequest {
                name: (*name).to_owned(),
                schema: Arc::clone(schema),
            }),
        };
        let llm = &self.config.llm;
        let limit = llm.max_output_tokens.unwrap_or(DEFAULT_OUTPUT_TOKENS);
        let was_cut = prompt
            .sections
            .iter()
            .any(|section| section.name == ANSWER_CUT);
        ModelRequest {
            model: model.to_owned(),
            system: blocks(Role::System),
            user: blocks(Role::User),
            schema,
            max_output_tokens: if was_cut {
                limit.saturating_mul(2)
            } else {
                limit
            },
            thinking_tokens: llm.thinking_tokens.unwrap_or_default(),
            temperature: llm.temperature.map(|set| {
                if prompt.agent.judges() {
                    set.min(JUDGING_TEMPERATURE)
                } else {
                    set
                }
            }),
            seed: None,
        }
    }
}

impl Executor for Llm {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Llm
    }

    fn model_for(&self, roles: &[&str]) -> String {
        // Agents outside the pipeline of a chapter need no model of their own.
        self.config
            .model_for(roles)
            .or_else(|| self.config.model_for(&["chapter-writer"]))
            .map_or_else(String::new, str::to_owned)
    }

    fn reads(&self) -> Reads {
        Reads::Prompt
    }

    fn take_learnt(&self) -> Vec<Note> {
        let fallbacks = self.fallbacks.values();
        let learnt = fallbacks.flat_map(|fallback| fallback.memory.take());
        self.memory.take().into_iter().chain(learnt).collect()
    }

    fn take_fallbacks(&self) -> Vec<Warning> {
        let mut fell_back = std::mem::take(&mut *self.fell_back());
        // Two judges may be asked at once.
        fell_back.sort_by(|one, other| one.message.en.cmp(&other.message.en));
        fell_back
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let request = self.request(call.prompt, call.model);
        let agent = call.prompt.agent.name();
        let other = self.fallbacks.get(agent);
        let other = other.or_else(|| self.fallbacks.get(ANY_AGENT));
        let instead = |why: Message, other: &Fallback, on_sign: &mut dyn FnMut(Sign)| {
            let why = fallen_back(agent, &request.model, &why, other);
            self.fell_back()
                .push(Warning::new("fell_back", why.clone()));
            on_sign(Sign::Again { attempt: 1, why });
            let request = self.request(call.prompt, &other.model);
            ask(&other.client, &request, on_sign, cancel)
        };
        let known = other.and_then(|_| self.outages.of(&request.model));
        let answer = match (known, other) {
            // All attempts of every call of an outage would cost minutes a chapter.
            (Some(since), Some(other)) => instead(since, other, on_sign)?,
            _ => match (ask(&self.client, &request, on_sign, cancel), other) {
                (Err(error), Some(other)) if is_down(&error) => {
                    self.outages.begin(&request.model, error.message());
                    instead(error.message(), other, on_sign)?
                }
                (asked, _) => asked?,
            },
        };
        let why = self.fault(&answer, call.prompt, request.max_output_tokens);
        let usage = counted(&answer, call.prompt);
        let answer = AgentAnswer {
            text: answer.text,
            raw: answer.raw,
            hints: None,
            model: answer.model,
            usage,
            attempts: answer.attempts,
        };
        match why {
            None => Ok(answer),
            Some(why) => {
                let answer = Box::new(answer);
                Err(UnusableAnswer { answer, why }.into())
            }
        }
    }
}

/// Asks a model and passes on what arrives.
fn ask(
    client: &Client,
    request: &ModelRequest,
    on_sign: &mut dyn FnMut(Sign),
    cancel: &CancelToken,
) -> Result<ModelAnswer, ModelError> {
    let mut failed = 0;
    client.ask(
        request,
        &mut |event| {
            let (attempt, why) = match event {
                StreamEvent::Text(text) => return on_sign(Sign::Text(text.to_owned())),
                StreamEvent::Retry { attempt, why, .. } => (attempt, why.message()),
                StreamEvent::Adapted(adaptation) => (failed + 1, adapted(adaptation)),
                StreamEvent::Started { .. }
                | StreamEvent::Reasoning(_)
                | StreamEvent::Usage(_)
                | StreamEvent::Learnt(_) => return,
            };
            failed = attempt;
            on_sign(Sign::Again { attempt, why });
        },
        cancel,
    )
}

/// Whether a provider does not answer, whatever it is asked. A key, an account or a request that it
/// refuses is for the author to set right, not for another provider to answer.
fn is_down(error: &ModelError) -> bool {
    match error {
        ModelError::RetriesExhausted { last, .. } => is_down(last),
        ModelError::RateLimited { .. }
        | ModelError::RetryAfterTooLong { .. }
        | ModelError::Server { .. }
        | ModelError::Connect { .. }
        | ModelError::Timeout { .. }
        | ModelError::CutStream { .. }
        | ModelError::Malformed { .. } => true,
        ModelError::Auth { .. }
        | ModelError::NotFound { .. }
        | ModelError::BadRequest { .. }
        | ModelError::ContextLength { .. }
        | ModelError::Quota { .. }
        | ModelError::Tls { .. }
        | ModelError::Authorities { .. }
        | ModelError::NotAnAnswer { .. }
        | ModelError::TooLarge { .. }
        | ModelError::BadEndpoint { .. }
        | ModelError::Cancelled => false,
    }
}

fn fallen_back(agent: &str, model: &str, why: &Message, other: &Fallback) -> Message {
    let (instead, url) = (&other.model, other.client.url());
    Message {
        en: format!(
            "`{model}` is not available for {agent}; `{instead}` at {url} answers instead: {}",
            why.en
        ),
        zh: format!(
            "{agent} 的模型 `{model}` 暂不可用，本次改由 {url} 的 `{instead}` 作答：{}",
            why.zh
        ),
    }
}

/// The server of a fallback: its own, or that of `[llm]` where it names none.
fn fallback_endpoint(
    llm: &LlmConfig,
    agent: &str,
    other: &FallbackConfig,
    root: Option<&Path>,
) -> Result<Endpoint, AgentError> {
    let api = other.api.unwrap_or(llm.api);
    let has_key = other.key_env.is_some() || other.key_file.is_some();
    let mut server = LlmConfig {
        api,
        base_url: other.base_url.clone(),
        key_env: other.key_env.clone(),
        key_file: other.key_file.clone(),
        ..llm.clone()
    };
    match &other.base_url {
        None if api == llm.api => {
            server.base_url.clone_from(&llm.base_url);
            if !has_key {
                server.key_env.clone_from(&llm.key_env);
                server.key_file.clone_from(&llm.key_file);
            }
            endpoint(&server, root)
        }
        // The usual key of a protocol belongs to its usual server and is sent to no other one.
        Some(url) if !has_key && is_this_machine(url) => Ok(self::server(&server).0),
        Some(url) if !has_key => Err(LlmError::NoFallbackKey {
            agent: agent.to_owned(),
            host: host(url).to_owned(),
        }
        .into()),
        _ => endpoint(&server, root),
    }
}

impl Llm {
    fn fell_back(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.fell_back
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Why an answer cannot be used. A structured answer that was cut may still be repaired.
    fn fault(&self, answer: &ModelAnswer, prompt: &Prompt, limit: u32) -> Option<LlmError> {
        let model = answer.model.clone();
        match &answer.finish {
            Finish::Refusal => {
                let words = shortened(&answer.text);
                Some(LlmError::Refused { model, words })
            }
            Finish::ContentFilter => Some(LlmError::Filtered { model }),
            _ if answer.text.trim().is_empty() => Some(LlmError::Empty { model }),
            Finish::Length if matches!(prompt.output, Output::Markdown | Output::Scene) => {
                Some(LlmError::Cut { model, limit })
            }
            Finish::Looped if matches!(prompt.output, Output::Markdown | Output::Scene) => {
                Some(LlmError::Looped { model })
            }
            Finish::Length | Finish::Looped | Finish::Stop | Finish::Other(_) => None,
        }
    }
}

/// What an answer cost. One that was ended early has no count of its server's, and is paid for all the same:
/// its tokens are estimated.
fn counted(answer: &ModelAnswer, prompt: &Prompt) -> Usage {
    if answer.finish != Finish::Looped {
        return answer.usage;
    }
    let written = estimate_tokens(&answer.text) + estimate_tokens(&answer.reasoning);
    let counts = answer.usage;
    Usage {
        input: counts.input.or(Some(prompt.tokens())),
        // What is counted before the end is a beginning.
        output: Some(counts.output.unwrap_or_default().max(written)),
        ..counts
    }
}

/// The beginning of a refusal, on one line.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(LONGEST)
        .collect();
    line.trim().to_owned()
}

fn adapted(adaptation: Adaptation) -> Message {
    match adaptation {
        Adaptation::ForcedTool => message!(
            en: "the endpoint does not accept a response format; using a tool call instead",
            zh: "该接口不接受输出格式，改用工具调用请求结构化答案"
        ),
        Adaptation::NoCacheHour => message!(
            en: "the endpoint keeps its cache for the default time only",
            zh: "该接口的缓存只保留默认时长"
        ),
        Adaptation::JsonObject => message!(
            en: "the endpoint does not accept a JSON Schema; asking for a plain JSON object instead",
            zh: "该接口不接受 JSON Schema，改为请求普通 JSON 对象"
        ),
        Adaptation::PromptOnly => message!(
            en: "the endpoint has no structured output; the format is described in the prompt only",
            zh: "该接口不支持结构化输出，改为仅在提示词中说明格式"
        ),
        Adaptation::NoBounds => message!(
            en: "the endpoint accepts no lengths in a JSON Schema; it is sent without them",
            zh: "该接口不接受 JSON Schema 中的长度限制，改为不带长度限制发送"
        ),
        Adaptation::NoStreamUsage => message!(
            en: "the endpoint does not report token counts when streaming",
            zh: "该接口不在流式输出中统计 token"
        ),
        Adaptation::MaxCompletionTokens => message!(
            en: "the endpoint expects the limit as `max_completion_tokens`",
            zh: "该接口要求用 `max_completion_tokens` 表示上限"
        ),
        Adaptation::NoTemperature => message!(
            en: "the endpoint does not accept a temperature", zh: "该接口不接受 temperature"
        ),
        Adaptation::NoSeed => message!(
            en: "the endpoint does not accept a seed", zh: "该接口不接受 seed"
        ),
    }
}

/// The server a configuration names, with its key.
///
/// # Errors
/// When there is no key and the server is not on this machine.
pub(crate) fn endpoint(config: &LlmConfig, root: Option<&Path>) -> Result<Endpoint, AgentError> {
    let (server, usual_key) = server(config);
    let key = key(config, usual_key, &server.base_url, root)?;
    Ok(Endpoint { key, ..server })
}

/// The server a configuration names, without its key, and the usual variable of the key.
pub(crate) fn server(config: &LlmConfig) -> (Endpoint, &'static str) {
    let (wire, usual_url, usual_key) = match config.api {
        Api::Openai => (Wire::OpenAi, "https://api.openai.com/v1", "OPENAI_API_KEY"),
        Api::Anthropic => (
            Wire::Anthropic,
            "https://api.anthropic.com",
            "ANTHROPIC_API_KEY",
        ),
    };
    let base_url = config.base_url.as_deref().unwrap_or(usual_url);
    let mut endpoint = Endpoint::new(wire, base_url);
    let (usual_timeouts, usual_retry) = (Timeouts::default(), RetryPolicy::default());
    let seconds = |set: Option<u64>, usual| set.map_or(usual, Duration::from_secs);
    endpoint.timeouts = Timeouts {
        connect: seconds(config.connect_seconds, usual_timeouts.connect),
        first_byte: seconds(config.first_byte_seconds, usual_timeouts.first_byte),
        silent: seconds(config.silent_seconds, usual_timeouts.silent),
        total: seconds(config.total_seconds, usual_timeouts.total),
    };
    endpoint.retry.max_attempts = config
        .max_attempts
        .unwrap_or(usual_retry.max_attempts)
        .max(1);
    (endpoint, usual_key)
}

/// The path of a key file.
///
/// # Errors
/// When it lies in the project.
pub(crate) fn key_path(file: &str, root: Option<&Path>) -> Result<PathBuf, LlmError> {
    let file = with_home(file);
    // A file that is to be made has a directory at most.
    let real = file.canonicalize().ok().or_else(|| {
        let directory = file
            .ancestors()
            .skip(1)
            .find_map(|it| it.canonicalize().ok())?;
        Some(directory.join(file.file_name()?))
    });
    let real = real.unwrap_or_else(|| file.clone());
    let project = root.and_then(|root| root.canonicalize().ok());
    if project.is_some_and(|project| real.starts_with(project)) {
        return Err(LlmError::KeyInProject { file });
    }
    Ok(file)
}

fn key(
    config: &LlmConfig,
    usual: &str,
    base_url: &str,
    root: Option<&Path>,
) -> Result<Option<Secret>, AgentError> {
    if let Some(file) = &config.key_file {
        return Ok(Some(Secret::from_file(&key_path(file, root)?)?));
    }
    let variable = config.key_env.as_deref().unwrap_or(usual);
    match Secret::from_env(variable) {
        Ok(key) => Ok(Some(key)),
        Err(SecretError::VariableMissing { .. }) if is_this_machine(base_url) => Ok(None),
        Err(SecretError::VariableMissing { name }) => Err(LlmError::NoKey {
            variable: name,
            host: host(base_url).to_owned(),
        }
        .into()),
        Err(error) => Err(error.into()),
    }
}

/// The host of an address, without credentials and port.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default();
    match place
        .strip_prefix('[')
        .and_then(|place| place.split_once(']'))
    {
        Some((address, _)) => address,
        None => place.split(':').next().unwrap_or_default(),
    }
}

/// Whether an address leads to this machine.
pub(crate) fn is_this_machine(url: &str) -> bool {
    let host = host(url);
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "llm_tests.rs"]
mod tests;
