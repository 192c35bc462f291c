//! The built-in model client runs the agents.

mod error;
mod memory;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use novel_book::config::{Api, Config, ExecutorKind, LlmConfig};
use novel_llm::{
    Adaptation, Block, CancelToken, Client, Endpoint, Finish, Model, ModelAnswer, ModelRequest,
    RetryPolicy, SchemaRequest, Secret, SecretError, StreamEvent, Timeouts, Wire,
};
use novel_model::{Explain, Message, message};
use novel_prompt::prompt::{Agent, Output, Prompt, Role};

pub use self::error::LlmError;
pub(crate) use self::memory::notes;
use self::memory::{EndpointMemory, EndpointNote};
use super::{
    ANSWER_CUT, AgentAnswer, AgentCall, AgentError, DEFAULT_OUTPUT_TOKENS, Executor, Note, Reads,
    Sign, UnusableAnswer, with_home,
};

/// The built-in model client.
pub struct Llm {
    client: Client,
    config: Config,
    memory: EndpointMemory,
}

impl Llm {
    /// A client as a project's configuration says. `root` is the project directory: no key file
    /// may lie there.
    ///
    /// # Errors
    /// When an agent has no model, or there is no key and the endpoint is not on this machine.
    pub fn new(config: Config, root: Option<&Path>) -> Result<Self, AgentError> {
        let client = Client::new(endpoint(&config.llm, root)?);
        Self::with_client(config, client)
    }

    /// The same with a client that is there already.
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
        })
    }

    /// This client with what is known of its server.
    #[must_use]
    pub(crate) fn knowing(mut self, notes: Vec<EndpointNote>) -> Self {
        self.memory = EndpointMemory::new(self.client.url().to_owned(), notes);
        self.client = self.client.remembering(Box::new(self.memory.clone()));
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
            temperature: llm.temperature,
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
        self.memory.take()
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let request = self.request(call.prompt, call.model);
        let mut failed = 0;
        let answer = self.client.ask(
            &request,
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
        )?;
        let why = self.fault(&answer, call.prompt, request.max_output_tokens);
        let answer = AgentAnswer {
            text: answer.text,
            raw: answer.raw,
            hints: None,
            model: answer.model,
            usage: answer.usage,
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

impl Llm {
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
            Finish::Length | Finish::Stop | Finish::Other(_) => None,
        }
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
            en: "the endpoint takes no format for its answer; it is asked through a tool",
            zh: "该接口不接受输出格式，改用工具调用请求结构化答案"
        ),
        Adaptation::NoCacheHour => message!(
            en: "the endpoint keeps its cache for the usual time only",
            zh: "该接口的缓存只保留默认时长"
        ),
        Adaptation::JsonObject => message!(
            en: "the endpoint takes no JSON Schema; it is asked for any JSON object",
            zh: "该接口不接受 JSON Schema，改为请求普通 JSON 对象"
        ),
        Adaptation::PromptOnly => message!(
            en: "the endpoint has no structured answers; the form stands in the prompt alone",
            zh: "该接口不支持结构化输出，改为仅在提示词中说明格式"
        ),
        Adaptation::NoStreamUsage => message!(
            en: "the endpoint does not count tokens in a stream",
            zh: "该接口不在流式输出中统计 token"
        ),
        Adaptation::MaxCompletionTokens => message!(
            en: "the endpoint wants its limit as `max_completion_tokens`",
            zh: "该接口要求用 `max_completion_tokens` 表示上限"
        ),
        Adaptation::NoTemperature => message!(
            en: "the endpoint takes no temperature", zh: "该接口不接受 temperature"
        ),
        Adaptation::NoSeed => message!(
            en: "the endpoint takes no seed", zh: "该接口不接受 seed"
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
