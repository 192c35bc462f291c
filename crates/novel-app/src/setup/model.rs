//! `novel setup`: which model writes, tried with one small call before anything is written.

use std::{path::Path, sync::Arc};

use novel_book::config::{Api, Config, ConfigError, ExecutorKind, SettingError};
use novel_contract::setup as contract;
use novel_llm::{
    Adaptation, Block, CancelToken, Client, Finish, Model, ModelAnswer, ModelRequest, PriceTable,
    SchemaRequest, SecretError, StreamEvent, Usage,
};
use novel_model::{BookReader, Lang, Warning, layout, message};
use serde_json::{Value, json};

pub use novel_llm::Secret;

use super::settings::{self, SettingChange, SettingsError};
use crate::{
    BookError, Project,
    error::use_case_error,
    executor::{AgentError, LlmError, endpoint, host, is_this_machine, key_path, server},
    runner::Budget,
};

use_case_error! {
    /// Why no model was set up.
    pub enum SetupError {
        /// `novel.toml` cannot be read or written.
        Book(BookError),
        /// A value is refused.
        Setting(SettingError),
        /// `novel.toml` cannot be used.
        Config(ConfigError),
        /// The call failed, or there is no key for it.
        Agent(AgentError),
        /// A key that was given cannot be one, or cannot be written to its file.
        Secret(SecretError),
    }
}

impl From<SettingsError> for SetupError {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Book(error) => Self::Book(error),
            SettingsError::Setting(error) => Self::Setting(error),
        }
    }
}

/// A provider whose address is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The word for it on the command line.
    pub name: &'static str,
    /// Its name.
    pub title: &'static str,
    /// Its protocol: `openai` or `anthropic`.
    pub api: &'static str,
    /// Its address.
    pub base_url: &'static str,
    /// The usual variable of its key; none for a server on this machine.
    pub key_env: Option<&'static str>,
}

const fn preset(
    name: &'static str,
    title: &'static str,
    base_url: &'static str,
    key_env: Option<&'static str>,
) -> Preset {
    Preset {
        name,
        title,
        api: "openai",
        base_url,
        key_env,
    }
}

/// The providers whose address is known.
pub const PRESETS: &[Preset] = &[
    preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        Some("OPENAI_API_KEY"),
    ),
    Preset {
        api: "anthropic",
        ..preset(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            Some("ANTHROPIC_API_KEY"),
        )
    },
    preset(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        Some("DEEPSEEK_API_KEY"),
    ),
    preset(
        "qwen",
        "Qwen (DashScope)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        Some("DASHSCOPE_API_KEY"),
    ),
    preset(
        "kimi",
        "Kimi (Moonshot)",
        "https://api.moonshot.cn/v1",
        Some("MOONSHOT_API_KEY"),
    ),
    preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        Some("OPENROUTER_API_KEY"),
    ),
    preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", None),
    preset("llama-cpp", "llama.cpp", "http://127.0.0.1:8080/v1", None),
    preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", None),
    preset("vllm", "vLLM", "http://127.0.0.1:8000/v1", None),
];

/// Where the key of a model server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlace {
    /// In this environment variable.
    Variable(String),
    /// In this file, which lies outside the project.
    File(String),
    /// Nowhere: a server on this machine.
    Nowhere,
}

impl KeyPlace {
    /// The place of the key of a server nothing is known of but its address.
    #[must_use]
    pub fn usual(api: &str, base_url: &str) -> Self {
        if is_this_machine(base_url) {
            return Self::Nowhere;
        }
        let of_this_api = PRESETS.iter().find(|preset| preset.api == api);
        let variable = of_this_api.and_then(|preset| preset.key_env);
        variable.map_or(Self::Nowhere, |name| Self::Variable(name.to_owned()))
    }
}

/// The file for a key that is given without one: outside every project, named after provider or server.
#[must_use]
pub fn usual_key_file(provider: Option<&str>, base_url: &str) -> String {
    let name = provider.unwrap_or_else(|| host(base_url));
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    format!("~/.config/novel/keys/{plain}")
}

/// The model that is to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    /// Protocol of its server: `openai` or `anthropic`.
    pub api: String,
    /// Address of its server.
    pub base_url: String,
    /// Its name.
    pub model: String,
    /// Where the key is.
    pub key: KeyPlace,
}

impl ModelChoice {
    fn settings(&self) -> Vec<(&'static str, SettingChange<'_>)> {
        let (variable, file) = match &self.key {
            KeyPlace::Variable(name) => (SettingChange::Set(name), SettingChange::Unset),
            KeyPlace::File(path) => (SettingChange::Unset, SettingChange::Set(path)),
            KeyPlace::Nowhere => (SettingChange::Unset, SettingChange::Unset),
        };
        vec![
            ("executor", SettingChange::Set("llm")),
            ("llm.api", SettingChange::Set(&self.api)),
            ("llm.base_url", SettingChange::Set(&self.base_url)),
            ("llm.key_env", variable),
            ("llm.key_file", file),
            ("models.default", SettingChange::Set(&self.model)),
        ]
    }
}

/// The model `novel.toml` names; none where no language model writes.
#[must_use]
pub fn current(project: &Project) -> Option<ModelChoice> {
    let config = project.config();
    if config.executor != ExecutorKind::Llm {
        return None;
    }
    let (server, _) = server(&config.llm);
    let api = match config.llm.api {
        Api::Openai => "openai",
        Api::Anthropic => "anthropic",
    };
    let key = match (&config.llm.key_file, &config.llm.key_env) {
        (Some(file), _) => KeyPlace::File(file.clone()),
        (None, Some(name)) => KeyPlace::Variable(name.clone()),
        (None, None) => KeyPlace::usual(api, &server.base_url),
    };
    Some(ModelChoice {
        api: api.to_owned(),
        model: config.models.get("default").cloned().unwrap_or_default(),
        base_url: server.base_url,
        key,
    })
}

/// How a model answers when it is asked for a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    /// In the form of the schema, which the server holds it to.
    Schema,
    /// As a JSON object, which the program checks.
    Object,
    /// Not as JSON.
    Not,
}

/// What one small call showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The model that answered, as the server names it.
    pub model: String,
    /// How long it took; nothing where the output must be the same every time.
    pub seconds: Option<f64>,
    /// Whether the answer came in pieces.
    pub streamed: bool,
    /// How it answers when it is asked for a JSON object.
    pub structured: Structured,
    /// Tokens, where they were reported.
    pub usage: Usage,
    /// Price in US dollars, where it is known.
    pub cost_usd: Option<f64>,
}

/// A model that was set up.
#[derive(Debug)]
pub struct SetupReport {
    /// The model.
    pub choice: ModelChoice,
    /// What the call showed; nothing where none was made.
    pub trial: Option<Trial>,
    /// Agents that keep a model of their own, by name.
    pub own_models: Vec<(String, String)>,
    /// Whether `novel.toml` was changed.
    pub changed: bool,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Whether the model is tried before it is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Try {
    /// With one small call.
    Call,
    /// Not at all.
    Nothing,
}

/// Sets up a model: tries it, and writes it to `novel.toml` as one operation. A key that is given is
/// tried as it is and then written to the choice's key file.
///
/// # Errors
/// When a value is refused, there is no key, or the call fails; nothing is written then.
pub fn setup(
    project: &Project,
    choice: ModelChoice,
    given: Option<&Secret>,
    tried: Try,
) -> Result<SetupReport, SetupError> {
    let store = project.store();
    let text = store.look(|reader| {
        let text = reader.text(&layout::config())?;
        Ok::<_, SetupError>(text.unwrap_or_default())
    })?;
    let (planned, _) = settings::changed(&text, &choice.settings())?;
    let (config, _) = Config::parse(&planned)?;
    let trial = match tried {
        Try::Call => Some(try_model(project, &config, given, store.root())?),
        Try::Nothing => None,
    };
    if let (Some(key), KeyPlace::File(file)) = (given, &choice.key) {
        let file = key_path(file, store.root()).map_err(AgentError::from)?;
        key.write_file(&file)?;
    }
    let lang = config.lang();
    let reports = settings::change_all(project, &choice.settings(), "model", |text| {
        commented(text, lang)
    })?;
    let own_models: Vec<_> = (config.models.iter())
        .filter(|(role, model)| *role != "default" && **model != choice.model)
        .map(|(role, model)| (role.clone(), model.clone()))
        .collect();
    Ok(SetupReport {
        warnings: warnings(&config, &choice, trial.as_ref()),
        changed: reports.iter().any(settings::SettingReport::is_changed),
        choice,
        trial,
        own_models,
    })
}

/// The text with a comment above the tables that were made.
fn commented(text: String, lang: Lang) -> String {
    let (llm, models) = match lang {
        Lang::Zh => (
            "# 模型服务器。密钥不写在这里，只写它所在的环境变量或文件。",
            "# 各智能体使用的模型；`default` 用于没有单独指定的智能体。",
        ),
        Lang::En => (
            "# The model server. The key is not here, only the variable or file that holds it.",
            "# The model of each agent; `default` is for those without their own.",
        ),
    };
    [("\n[llm]\n", llm), ("\n[models]\n", models)]
        .into_iter()
        .fold(text, |text, (header, comment)| {
            // Only a new table has an empty line above it and none of its own comments.
            if text.contains(comment) {
                text
            } else {
                text.replacen(&format!("\n{header}"), &format!("\n\n{comment}{header}"), 1)
            }
        })
}

fn warnings(config: &Config, choice: &ModelChoice, trial: Option<&Trial>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let model = &choice.model;
    let priced = Budget::of(config).prices.price(model).is_some();
    if !priced {
        warnings.push(Warning::new(
            "price_unknown",
            message!(
                en: "the price of `{model}` is not known; `novel config set 'prices.\"{model}\".input' 1.0` (US dollars per million tokens, and the same for `output`) lets `novel` tell what a run costs",
                zh: "不知道 `{model}` 的价格；用 `novel config set 'prices.\"{model}\".input' 1.0`（每百万 token 的美元价，`output` 同理）写明后才能计算费用"
            ),
        ));
    }
    if trial.is_some_and(|trial| trial.structured == Structured::Not) {
        warnings.push(Warning::new(
            "no_structured_answers",
            message!(
                en: "`{model}` did not answer with the JSON object it was asked for; summaries and verdicts may need a second call",
                zh: "`{model}` 没有按要求以 JSON 对象作答；摘要和评审可能要多调用一次"
            ),
        ));
    }
    warnings
}

/// Asks the model for one small JSON object.
fn try_model(
    project: &Project,
    config: &Config,
    given: Option<&Secret>,
    root: Option<&Path>,
) -> Result<Trial, SetupError> {
    let mut config = config.clone();
    let model = config.models.get("default").cloned().unwrap_or_default();
    // Somebody waits at the terminal.
    config.llm.max_attempts = Some(config.llm.max_attempts.unwrap_or(2).min(2));
    let endpoint = match (given, &config.llm.key_file) {
        (Some(key), Some(file)) => {
            key_path(file, root).map_err(AgentError::from)?;
            let mut endpoint = server(&config.llm).0;
            endpoint.key = Some(key.clone());
            endpoint
        }
        _ => endpoint(&config.llm, root)?,
    };
    let client = Client::new(endpoint);
    let request = ModelRequest {
        model: model.clone(),
        system: vec![Block::text(
            "You answer with one JSON object and nothing else.",
        )],
        user: vec![Block::text(
            "Answer {\"ready\": true, \"word\": \"...\"} with a word of your choice.",
        )],
        schema: Some(SchemaRequest {
            name: "ready".to_owned(),
            schema: Arc::new(schema()),
        }),
        max_output_tokens: 256,
        thinking_tokens: config.llm.thinking_tokens.unwrap_or(1024),
        temperature: config.llm.temperature,
        seed: None,
    };
    let (mut pieces, mut adapted) = (0_u32, false);
    let answer = client
        .ask(
            &request,
            &mut |event| match event {
                StreamEvent::Text(_) | StreamEvent::Reasoning(_) => pieces += 1,
                StreamEvent::Adapted(adaptation) | StreamEvent::Learnt(adaptation) => {
                    adapted |=
                        matches!(adaptation, Adaptation::JsonObject | Adaptation::PromptOnly);
                }
                StreamEvent::Retry { .. } => pieces = 0,
                StreamEvent::Started { .. } | StreamEvent::Usage(_) => {}
            },
            &CancelToken::default(),
        )
        .map_err(AgentError::from)?;
    check(&answer)?;
    let prices: PriceTable = Budget::of(&config).prices;
    let is_object =
        serde_json::from_str::<Value>(answer.text.trim()).is_ok_and(|it| it.is_object());
    Ok(Trial {
        seconds: (!project.is_reproducible()).then_some(answer.duration.as_secs_f64()),
        streamed: pieces > 1,
        structured: match (is_object, adapted) {
            (true, false) => Structured::Schema,
            (true, true) => Structured::Object,
            (false, _) => Structured::Not,
        },
        usage: answer.usage,
        // A server may name a dated model whose price is not in the list.
        cost_usd: (prices.cost(&answer.model, &answer.usage))
            .or_else(|| prices.cost(&model, &answer.usage)),
        model: answer.model,
    })
}

/// An answer that was refused or filtered, or an empty one, does not show that the model can write.
fn check(answer: &ModelAnswer) -> Result<(), AgentError> {
    let model = answer.model.clone();
    match &answer.finish {
        Finish::Refusal => {
            let words = answer.text.chars().take(200).collect();
            Err(LlmError::Refused { model, words }.into())
        }
        Finish::ContentFilter => Err(LlmError::Filtered { model }.into()),
        Finish::Length | Finish::Looped | Finish::Stop | Finish::Other(_)
            if answer.text.trim().is_empty() =>
        {
            Err(LlmError::Empty { model }.into())
        }
        Finish::Length | Finish::Looped | Finish::Stop | Finish::Other(_) => Ok(()),
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"ready": {"type": "boolean"}, "word": {"type": "string"}},
        "required": ["ready", "word"],
        "additionalProperties": false,
    })
}

impl SetupReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::SetupAnswer {
        let (key_env, key_file) = match &self.choice.key {
            KeyPlace::Variable(name) => (Some(name.clone()), None),
            KeyPlace::File(path) => (None, Some(path.clone())),
            KeyPlace::Nowhere => (None, None),
        };
        contract::SetupAnswer {
            api: self.choice.api.clone(),
            base_url: self.choice.base_url.clone(),
            model: self.choice.model.clone(),
            key_env,
            key_file,
            changed: self.changed,
            trial: self.trial.as_ref().map(Trial::answer),
            own_models: self.own_models.iter().cloned().collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

impl Trial {
    fn answer(&self) -> contract::SetupTrial {
        contract::SetupTrial {
            model: self.model.clone(),
            seconds: self.seconds,
            streamed: self.streamed,
            structured: match self.structured {
                Structured::Schema => contract::StructuredAnswers::Schema,
                Structured::Object => contract::StructuredAnswers::Object,
                Structured::Not => contract::StructuredAnswers::None,
            },
            input_tokens: self.usage.input,
            output_tokens: self.usage.output,
            cost_usd: self.cost_usd,
        }
    }
}
