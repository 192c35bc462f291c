//! `novel.toml`: every key optional, an empty file valid, an unknown key a warning.

mod belief;
mod change;
mod key;
mod planning;
mod policy;
mod setting;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use novel_model::{
    Explain, Kind, Lang, Message, Place, Problem, Warning, layout, message, nearest,
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IntoDeserializer, MapAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeMap,
};

use crate::gate::Weights;
pub use belief::{GateConfig, LimitsConfig, MaxChange, RefineConfig};
pub use change::{ChangedSetting, SettingChange, SettingError, change_setting};
pub use key::{is_setting_word, setting_keys};
pub use planning::{PlanConfig, PlanMaterial, StyleConfig, StyleSource};
pub use policy::{
    BadEnvironment, ConsistencyCheck, LogicReviewPolicy, MinScore, Override, RevisionPolicy,
};
pub use setting::{Origin, Setting, settings};

/// The configuration of a book.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Title of the book.
    pub title: Option<String>,
    /// Name of the author.
    pub author: Option<String>,
    /// Language of the book, such as `zh-CN` or `en`.
    pub language: Option<String>,
    /// Who runs the agents.
    pub executor: ExecutorKind,
    /// Who approves a trial and a plan.
    pub approval: ApprovalPolicy,
    /// How a chapter is drafted, and how often.
    pub drafting: DraftingConfig,
    /// Length of a chapter.
    pub chapter: ChapterConfig,
    /// Which model for which agent.
    pub models: BTreeMap<String, String>,
    /// The built-in model client.
    pub llm: LlmConfig,
    /// A program that runs the agents.
    pub command: CommandConfig,
    /// What a run may cost.
    pub budget: BudgetConfig,
    /// US dollars per million tokens, by model.
    pub prices: BTreeMap<String, PriceConfig>,
    /// How much context an agent is given.
    pub context: ContextConfig,
    /// What is done with issues the consistency check can have fixed.
    pub revision_policy: RevisionPolicy,
    /// Whether a chapter is reviewed for its logic after it is committed.
    pub logic_review_policy: LogicReviewPolicy,
    /// Scores below this stop the book, where the logic review is blocking.
    pub logic_review_min_score: MinScore,
    /// How a committed chapter is checked for contradictions.
    pub consistency_check: ConsistencyCheck,
    /// What a contract that does not fit the book does.
    pub contract: ContractConfig,
    /// How volumes are planned.
    pub plan: PlanConfig,
    /// Where the style comes from.
    pub style: StyleConfig,
    /// How much a refinement may change.
    pub refine: RefineConfig,
    /// How often agents are asked.
    pub limits: LimitsConfig,
    /// How the judge is watched.
    pub gate: GateConfig,
    /// Who is told when a run is over.
    pub notify: NotifyConfig,
    /// Which model answers for an agent while its provider is down; `default` for any agent.
    pub fallback: BTreeMap<String, FallbackConfig>,
}

/// Who is told when a run is over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotifyConfig {
    /// Program and arguments; it reads the notice as JSON. Never run through a shell.
    pub command: Vec<String>,
    /// Address the notice is posted to as JSON, or `$NAME`: the variable that holds the address.
    pub webhook: Option<String>,
}

/// A model that answers while the provider of another one is down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FallbackConfig {
    /// The model.
    pub model: String,
    /// Protocol of its server; that of `[llm]` by default.
    pub api: Option<Api>,
    /// Address of its server; that of `[llm]` by default.
    pub base_url: Option<String>,
    /// Environment variable that holds its key.
    pub key_env: Option<String>,
    /// File outside the project that holds its key.
    pub key_file: Option<String>,
}

/// Who runs the agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// The embedded author; no key, no network, no language model.
    #[default]
    Offline,
    /// The built-in model client.
    Llm,
    /// A program.
    Command,
}

impl ExecutorKind {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Llm => "llm",
            Self::Command => "command",
        }
    }

    /// Who runs the agents, as answers tell it.
    #[must_use]
    pub const fn answer(self) -> novel_contract::write::ExecutorKind {
        match self {
            Self::Offline => novel_contract::write::ExecutorKind::Offline,
            Self::Llm => novel_contract::write::ExecutorKind::Llm,
            Self::Command => novel_contract::write::ExecutorKind::Command,
        }
    }
}

/// Who approves a trial and a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalPolicy {
    /// The author is asked; a run stops there.
    #[default]
    Ask,
    /// Nobody is asked.
    Unattended,
}

/// Who approves a trial and a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The author; the run stops there.
    Author,
    /// Nobody is asked.
    Unattended,
}

impl From<ApprovalPolicy> for Approval {
    fn from(policy: ApprovalPolicy) -> Self {
        match policy {
            ApprovalPolicy::Ask => Self::Author,
            ApprovalPolicy::Unattended => Self::Unattended,
        }
    }
}

/// How a chapter is drafted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drafting {
    /// In one call.
    #[default]
    Chapter,
    /// Planned in scenes, which are written one by one and merged.
    Scenes,
}

/// How a chapter is drafted, and how often: `drafting = "scenes"`, or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftingConfig {
    /// In one call or in scenes.
    pub mode: Drafting,
    /// Drafts to choose from; at least one.
    pub candidates: u32,
}

/// Most drafts of one chapter.
pub const MOST_CANDIDATES: u32 = 9;

impl Default for DraftingConfig {
    fn default() -> Self {
        Self {
            mode: Drafting::default(),
            candidates: 1,
        }
    }
}

impl Serialize for DraftingConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.candidates == 1 {
            return self.mode.serialize(serializer);
        }
        let mut table = serializer.serialize_map(Some(2))?;
        table.serialize_entry("mode", &self.mode)?;
        table.serialize_entry("candidates", &self.candidates)?;
        table.end()
    }
}

impl<'de> Deserialize<'de> for DraftingConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DraftingVisitor)
    }
}

struct DraftingVisitor;

impl<'de> Visitor<'de> for DraftingVisitor {
    type Value = DraftingConfig;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`chapter`, `scenes`, or a table with `mode` and `candidates`")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<DraftingConfig, E> {
        let mode = Drafting::deserialize(word.into_deserializer())?;
        Ok(DraftingConfig {
            mode,
            ..DraftingConfig::default()
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<DraftingConfig, A::Error> {
        #[derive(Deserialize)]
        #[serde(default)]
        struct Table {
            mode: Drafting,
            candidates: u32,
        }
        impl Default for Table {
            fn default() -> Self {
                Self {
                    mode: Drafting::default(),
                    candidates: 1,
                }
            }
        }
        let table = Table::deserialize(MapAccessDeserializer::new(table))?;
        if !(1..=MOST_CANDIDATES).contains(&table.candidates) {
            let said = u64::from(table.candidates);
            return Err(de::Error::invalid_value(
                de::Unexpected::Unsigned(said),
                &"a number of drafts from 1 to 9",
            ));
        }
        Ok(DraftingConfig {
            mode: table.mode,
            candidates: table.candidates,
        })
    }
}

/// Which protocol an endpoint speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// Chat completions.
    #[default]
    Openai,
    /// Messages.
    Anthropic,
}

/// The built-in model client. Keys never stand here, only where to find them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LlmConfig {
    /// Which protocol.
    pub api: Api,
    /// Where, without the last part of the path.
    pub base_url: Option<String>,
    /// Environment variable that holds the key.
    pub key_env: Option<String>,
    /// File outside the project that holds the key.
    pub key_file: Option<String>,
    /// Randomness.
    pub temperature: Option<f64>,
    /// Longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
    /// Tokens beside them for a model that thinks before it answers.
    pub thinking_tokens: Option<u32>,
    /// Attempts per call, the first included.
    pub max_attempts: Option<u32>,
    /// Longest wait for the connection.
    pub connect_seconds: Option<u64>,
    /// Longest wait for the first byte.
    pub first_byte_seconds: Option<u64>,
    /// Longest silence in a stream.
    pub silent_seconds: Option<u64>,
    /// Longest call.
    pub total_seconds: Option<u64>,
}

/// A program that runs the agents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommandConfig {
    /// Program and arguments, such as `["claude", "-p"]`. Never run through a shell.
    pub program: Vec<String>,
    /// Where its answer is taken from.
    pub output: CommandOutput,
    /// Longest run.
    pub timeout_seconds: Option<u64>,
    /// What keeps it from writing into the book.
    pub sandbox: Sandboxing,
    /// Variables of the environment it is given beside the usual ones: where it needs a key, the key's.
    pub env: Vec<String>,
    /// Whether it may use the network.
    pub network: NetworkAccess,
}

/// Whether a program may use the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkAccess {
    /// As it likes.
    #[default]
    Open,
    /// No connection; for programs that need none. The kernel sees to it, or the program is not
    /// started.
    Closed,
}

/// What keeps a program from writing into the book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandboxing {
    /// The best there is: a view of the project of its own, else rules of the kernel, else comparing
    /// the project before and after.
    #[default]
    Auto,
    /// Rules of the kernel and comparing, no view: for a program that does not run in namespaces.
    Landlock,
    /// Comparing alone.
    Compare,
}

/// Where a program's answer is taken from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutput {
    /// Its standard output.
    #[default]
    Stdout,
    /// The files it wrote into staging.
    Staged,
}

/// How a chapter's contract is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContractConfig {
    /// What is done where its preconditions are not what the book says.
    pub differs: ContractDiffers,
}

/// What is done where a contract's preconditions are not what the book says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractDiffers {
    /// The writer gets both and bridges them.
    #[default]
    Tell,
    /// What the book says holds.
    Book,
    /// The chapter is not begun.
    Stop,
}

impl ContractDiffers {
    /// The word in `novel.toml`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tell => "tell",
            Self::Book => "book",
            Self::Stop => "stop",
        }
    }
}

/// What a run may cost; it stops before the call that would exceed it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BudgetConfig {
    /// In US dollars.
    pub max_cost_usd: Option<f64>,
    /// In tokens, read and written.
    pub max_tokens: Option<u64>,
}

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PriceConfig {
    /// Read.
    pub input: f64,
    /// Read from the provider's cache.
    pub cached_input: Option<f64>,
    /// Written to the provider's cache.
    pub cache_write: Option<f64>,
    /// Written.
    pub output: f64,
}

/// How much context an agent is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextConfig {
    /// Longest prompt, in estimated tokens.
    pub input_tokens: Option<u64>,
}

/// Length of a chapter, in counted words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterConfig {
    /// Shorter chapters are reported.
    pub min_words: Option<u64>,
    /// Longer chapters are reported.
    pub max_words: Option<u64>,
    /// Whether a length out of bounds refuses the chapter or only warns.
    pub length_policy: LengthPolicy,
}

/// What a length out of bounds does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthPolicy {
    /// Warn.
    #[default]
    Warn,
    /// Refuse the chapter.
    Refuse,
}

const KNOWN_KEYS: &[&str] = &[
    "title",
    "author",
    "language",
    "executor",
    "approval",
    "drafting",
    "mode",
    "candidates",
    "chapter",
    "min_words",
    "max_words",
    "length_policy",
    "models",
    "llm",
    "api",
    "base_url",
    "key_env",
    "key_file",
    "temperature",
    "max_output_tokens",
    "thinking_tokens",
    "max_attempts",
    "connect_seconds",
    "first_byte_seconds",
    "silent_seconds",
    "total_seconds",
    "command",
    "program",
    "output",
    "timeout_seconds",
    "sandbox",
    "env",
    "network",
    "budget",
    "max_cost_usd",
    "max_tokens",
    "prices",
    "input",
    "cached_input",
    "cache_write",
    "context",
    "input_tokens",
    "revision_policy",
    "logic_review_policy",
    "logic_review_min_score",
    "consistency_check",
    "contract",
    "differs",
    "plan",
    "chapters",
    "chunk",
    "material",
    "style",
    "source",
    "template",
    "reference",
    "refine",
    "max_change",
    "limits",
    "calls_per_chapter",
    "gate",
    "probe_every",
    "notify",
    "webhook",
    "fallback",
    "model",
];

/// A `novel.toml` that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("novel.toml cannot be used")]
pub struct ConfigError {
    problems: Vec<Problem>,
}

impl Config {
    /// Reads the text of `novel.toml`.
    ///
    /// # Errors
    /// When it is not TOML, or a value has the wrong type.
    pub fn parse(text: &str) -> Result<(Self, Vec<Warning>), ConfigError> {
        let mut unknown = BTreeSet::new();
        let deserializer = toml::Deserializer::parse(text).map_err(|error| broken(text, &error))?;
        let config: Self = serde_ignored::deserialize(deserializer, |path| {
            unknown.insert(path.to_string());
        })
        .map_err(|error| broken(text, &error))?;
        let misplaced = misplaced(text, &unknown);
        if !misplaced.is_empty() {
            return Err(ConfigError {
                problems: misplaced,
            });
        }
        let warnings = unknown.iter().map(|key| unknown_key(key)).collect();
        Ok((config, warnings))
    }

    /// The language of the book's fixed headings.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.language
            .as_deref()
            .and_then(Lang::from_tag)
            .unwrap_or(Lang::Zh)
    }

    /// The model for an agent; `revision` and `judge-secondary` are asked for first where they apply.
    #[must_use]
    pub fn model_for(&self, roles: &[&str]) -> Option<&str> {
        roles
            .iter()
            .chain(&["default"])
            .find_map(|role| self.models.get(*role))
            .map(String::as_str)
    }

    /// The weights of the eight dimensions.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights::default()
    }
}

/// Keys that stand before the first table.
const TOP_KEYS: &[&str] = &[
    "title",
    "author",
    "language",
    "executor",
    "approval",
    "drafting",
    "revision_policy",
    "logic_review_policy",
    "logic_review_min_score",
    "consistency_check",
];

/// Keys of the whole file under the header of a table, where TOML takes them for keys of the table: what
/// they say would be ignored.
fn misplaced(text: &str, unknown: &BTreeSet<String>) -> Vec<Problem> {
    let Ok(file) = toml::de::DeTable::parse(text) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    for (table, value) in file.get_ref() {
        let Some(keys) = value.get_ref().as_table() else {
            continue;
        };
        for key in keys.keys() {
            let (table, name) = (table.get_ref(), key.get_ref());
            // Any word is a key of `[models]`, but none of these is an agent.
            let is_ignored = unknown.contains(&format!("{table}.{name}")) || table == "models";
            if !is_ignored || !TOP_KEYS.contains(&name.as_ref()) {
                continue;
            }
            let problem = Problem {
                code: "misplaced_key",
                path: layout::config(),
                place: place_of(text, key.span().start),
                message: message!(
                    en: "`{name}` is under `[{table}]`, where it is not read",
                    zh: "`{name}` 写在了 `[{table}]` 之下，不会生效"
                ),
                hint: Some(message!(
                    en: "move the line `{name} = …` to the top of novel.toml, above the first `[table]`",
                    zh: "请把 `{name} = …` 这一行移到 novel.toml 开头，放在第一个 `[表]` 之前"
                )),
            };
            problems.push((key.span().start, problem));
        }
    }
    problems.sort_by_key(|(start, _)| *start);
    problems.into_iter().map(|(_, problem)| problem).collect()
}

fn unknown_key(key: &str) -> Warning {
    let last = key.rsplit('.').next().unwrap_or(key);
    let text = match nearest(last, KNOWN_KEYS.iter().copied()) {
        Some(known) => message!(
            en: "novel.toml: unknown key `{key}`; did you mean `{known}`?",
            zh: "novel.toml：未知的键 `{key}`，是否想写 `{known}`？"
        ),
        None => message!(en: "novel.toml: unknown key `{key}`", zh: "novel.toml：未知的键 `{key}`"),
    };
    Warning::new("unknown_config_key", text)
}

fn broken(text: &str, error: &toml::de::Error) -> ConfigError {
    let reason = error.message();
    let place = error
        .span()
        .map_or(Place::File, |span| place_of(text, span.start));
    ConfigError {
        problems: vec![Problem {
            code: "bad_config",
            path: layout::config(),
            place,
            message: message!(en: "{reason}", zh: "{reason}"),
            hint: Some(message!(
                en: "see docs/files.md for all keys; every key may be left out",
                zh: "全部键见 docs/files.md；任何键都可以省略"
            )),
        }],
    }
}

/// Line and column of a byte.
fn place_of(text: &str, at: usize) -> Place {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Place::Line {
        line: before.matches('\n').count() + 1,
        column: Some(before[line_start..].chars().count() + 1),
    }
}

impl Explain for ConfigError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BROKEN_CONFIG"
    }

    fn message(&self) -> Message {
        message!(en: "novel.toml cannot be used", zh: "novel.toml 无法使用")
    }

    fn hint(&self) -> Option<Message> {
        self.problems.first().and_then(|first| first.hint.clone())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}
