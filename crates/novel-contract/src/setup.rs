//! Answers of `init`, `import`, `start`, `quickstart`, `plan`, `demo`, `projects`, `agents`,
//! `config` and `setup`.

use std::collections::BTreeMap;

use novel_model::{
    ChapterNo, VolumeNo,
    files::{Checkpoint, OrchestratorState, StoryEnd},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Problem, Warning,
    answer::answers,
    envelope::ErrorSummary,
    write::{ExecutorKind, RunAnswer, RunSummary, Spent},
};

/// A new project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InitAnswer {
    /// Files that were written, relative to the project.
    pub written: Vec<String>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The demo book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DemoAnswer {
    /// What was written.
    #[serde(flatten)]
    pub run: RunSummary,
    /// Directory of the book as a person here would type it.
    pub directory: String,
    /// Title of the book.
    pub title: String,
    /// Who wrote the chapters; null when none was to be written.
    pub executor: Option<ExecutorKind>,
    /// Files of the plan, relative to the project.
    pub made: Vec<String>,
}

/// A novel that was imported, or could be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ImportAnswer {
    /// The chapters were shown and not written.
    Left(ImportLeft),
    /// The chapters were written.
    Written(ImportWritten),
    /// Chapters imported before were analysed.
    Analysed(ImportAnalysed),
    /// An outline was taken as the plan of the next volume.
    Outline(OutlineTaken),
}

/// Chapters that were shown and not written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportLeft {
    /// What was read from the files.
    #[serde(flatten)]
    pub plan: ImportedBook,
    /// Always false.
    pub written: bool,
    /// The command that writes them, where nobody could be asked.
    pub command: Option<String>,
}

/// Chapters that were written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportWritten {
    /// What was read from the files.
    #[serde(flatten)]
    pub plan: ImportedBook,
    /// Always true.
    pub written: bool,
    /// Whether an earlier import, which may have been killed, wrote these very chapters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub already_imported: bool,
    /// Where the text before the first chapter went, relative to the project.
    pub front: Option<String>,
    /// The analysis, with `--analyse`.
    #[serde(flatten)]
    pub analysed: Option<ImportAnalysis>,
    /// The outline that was taken as the plan of the next volume, with `--outline`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<OutlineTaken>,
}

/// An outline of the author's that was taken as the plan of a volume, or would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineTaken {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter of the plan.
    pub chapters: (ChapterNo, ChapterNo),
    /// Whether the plan is staged; false with `--dry-run`.
    pub written: bool,
    /// The staged files, relative to the project.
    pub files: Vec<String>,
    /// Points of view nobody of the cast has.
    pub new_characters: Vec<String>,
    /// What the author should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The answer of `plan from-text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetoldAnswer {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter that was told again.
    pub chapters: (ChapterNo, ChapterNo),
    /// The files that changed, relative to the project.
    pub written: Vec<String>,
    /// The passages of the texts that everything rests on, by chapter.
    #[serde(default)]
    pub quotations: Vec<RetoldFrom>,
    /// Chapters whose plan stays as it was: nothing that was said of them stands in their text.
    #[serde(default)]
    pub left: Vec<ChapterNo>,
    /// Entries of answers that the texts do not bear out.
    #[serde(default)]
    pub dropped: usize,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A passage that an entry of a plan made from a text rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetoldFrom {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The entry: the id of an objective, `conflict`, `ending`, a place, a name, a foreshadowing id, a storyline.
    pub of: String,
    /// The passage, as the text has it.
    pub quotation: String,
}

/// The analysis of chapters that were imported before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportAnalysed {
    /// The analysis.
    #[serde(flatten)]
    pub analysed: ImportAnalysis,
    /// The outline that was taken as the plan of the next volume, with `--outline`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<OutlineTaken>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What was read from the files of a novel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedBook {
    /// Title of the book.
    pub title: Option<String>,
    /// Name of the author.
    pub author: Option<String>,
    /// Language of the book: `zh-CN` or `en`.
    pub language: String,
    /// Encoding of the files.
    pub encoding: String,
    /// Headings of the volumes.
    pub volumes: Vec<String>,
    /// The chapters.
    pub chapters: Vec<ImportedChapter>,
    /// Words of all chapters.
    pub words: usize,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A chapter as it was read from a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedChapter {
    /// Its number in the book.
    pub chapter: ChapterNo,
    /// Its volume.
    pub volume: VolumeNo,
    /// Its heading in the file.
    pub heading: String,
    /// Its title.
    pub title: String,
    /// Its words.
    pub words: usize,
    /// What is odd about it.
    pub odd: Vec<Oddity>,
}

/// Something odd about an imported chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// It has no text.
    Empty,
    /// It is much shorter than the others.
    VeryShort,
    /// It is much longer than the others.
    VeryLong,
    /// Numbers are missing before it.
    Gap,
    /// Its number was there before.
    Duplicate,
    /// Its number cannot be read.
    UnreadableNumber,
}

/// Having imported chapters read by the summarizer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportAnalysis {
    /// What the analysis would take.
    pub estimate: Estimate,
    /// What was done; null when nothing was analysed.
    pub analysis: Option<AnalysisReport>,
    /// The command that analyses, where nobody could be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What an analysis would take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Chapters to read.
    pub chapters: usize,
    /// Chapters that were read before.
    pub done: usize,
    /// Calls that read people, places, rules and threads; zero when that was done.
    pub readings: u64,
    /// Whether the style is to be analysed.
    pub style: bool,
    /// Who would run the agents.
    pub executor: ExecutorKind,
    /// The model.
    pub model: String,
    /// Tokens to send, estimated.
    pub input_tokens: u64,
    /// Tokens to receive, estimated.
    pub output_tokens: u64,
    /// Price in US dollars; null when no price is known.
    pub cost_usd: Option<f64>,
}

/// What an analysis did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnalysisReport {
    /// Chapters that were read.
    pub analysed: u32,
    /// Chapters that were read before.
    pub skipped: u32,
    /// Chapters for which the summarizer gave no usable answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<ChapterNo>,
    /// What was found of the story; null when it was read before.
    pub found: Option<StoryFound>,
    /// Entries of answers that were left out because the text does not bear them out.
    pub dropped: usize,
    /// Whether the style was analysed.
    pub style: bool,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// What was found of the story of an imported book. `logs/imported-reading.json` has the quotations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoryFound {
    /// People who are in the cast.
    pub people: usize,
    /// People who are in too few chapters for the cast.
    pub left_out: usize,
    /// Places.
    pub places: usize,
    /// Rules of the world.
    pub rules: usize,
    /// Threads that are open at the end.
    pub open_threads: usize,
    /// Threads that are resolved.
    pub resolved_threads: usize,
    /// Whether the story is told to its end.
    pub story: StoryEnd,
}

/// What the author can do now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StartAnswer {
    /// State of the book; null without a book.
    pub orchestrator_state: Option<OrchestratorState>,
    /// Where the book stands, in words.
    pub headline: String,
    /// What to look at before choosing, one line each.
    pub shown: Vec<String>,
    /// Id of the recommended choice.
    pub recommended: Option<String>,
    /// The choices, the recommended one first.
    pub choices: Vec<Choice>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One thing the author can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// Stable name, for `--choose`.
    pub id: String,
    /// What it does, in words.
    pub label: String,
    /// The command that does it.
    pub command: String,
    /// Options of `novel start` that it takes.
    pub asks: Vec<String>,
}

/// A part of the set-up, or a plan, that was done again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RedoneAnswer {
    /// The step that comes next.
    pub next: String,
    /// The checkpoint after it.
    #[schemars(with = "Checkpoint")]
    pub checkpoint: Value,
    /// What was done.
    #[serde(flatten)]
    pub run: RunAnswer,
}

/// A decision about the set-up or the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionAnswer {
    /// The next step.
    pub next: String,
    /// The checkpoint after it.
    #[schemars(with = "Checkpoint")]
    pub checkpoint: Value,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The staged plan of a volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanAnswer {
    /// The volume.
    pub volume: VolumeNo,
    /// Its outline, Markdown.
    pub outline: String,
    /// Files of the plan, relative to the project.
    pub files: Vec<String>,
    /// What stands against its approval.
    pub problems: Vec<Problem>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// The projects of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectsAnswer {
    /// Directory of the projects; null when there is no workspace.
    pub workspace: Option<String>,
    /// The projects, by name.
    pub projects: Vec<ProjectRow>,
}

/// A project of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ProjectRow {
    /// A project that can be read.
    Readable(ProjectSummary),
    /// A project that cannot be read.
    Damaged(DamagedProject),
}

/// A project at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectSummary {
    /// Name of its directory.
    pub name: String,
    /// Title of the book.
    pub title: Option<String>,
    /// High-level state of the book.
    pub state: OrchestratorState,
    /// Chapters written.
    pub chapters: u32,
    /// Words written.
    pub words: u64,
    /// Chapters that wait for the author.
    pub pending_chapters: Vec<u32>,
    /// Code of the gate or failure it waits at.
    pub waits: Option<String>,
    /// When the checkpoint last moved.
    pub last_change: Option<String>,
    /// Always null.
    pub error: Option<ErrorSummary>,
}

/// A project that cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DamagedProject {
    /// Name of its directory.
    pub name: String,
    /// Why it cannot be read.
    pub error: ErrorSummary,
}

/// The agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentsAnswer {
    /// Every agent.
    pub agents: Vec<AgentRow>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// An agent in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentRow {
    /// Its name, such as `chapter-writer`.
    pub name: String,
    /// Version of its prompt.
    pub version: u32,
    /// The project's own prompt; null when the built-in one is used.
    pub path: Option<String>,
    /// What it can be asked for.
    pub modes: Vec<String>,
    /// What it does.
    pub description: String,
}

/// The prompt of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentAnswer {
    /// Name of the agent.
    pub name: String,
    /// Version of the prompt.
    pub version: u32,
    /// The project's own prompt; null when the built-in one is used.
    pub path: Option<String>,
    /// The prompt.
    pub text: String,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The settings in effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigAnswer {
    /// The settings, by key.
    pub settings: Vec<Setting>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// Its dotted key.
    pub key: String,
    /// Its value; null when there is none.
    pub value: Value,
    /// Where the value comes from.
    pub origin: SettingOrigin,
    /// The environment variable that sets it.
    pub variable: Option<String>,
}

/// A setting that was changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingAnswer {
    /// Its dotted key.
    pub key: String,
    /// The value in `novel.toml` before; null when it had none.
    pub before: Value,
    /// The value in `novel.toml` now; null when it has none and the default holds.
    pub after: Value,
    /// Whether the file was changed.
    pub changed: bool,
    /// The environment variable that stands above the file.
    pub variable: Option<String>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A model that was set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetupAnswer {
    /// Protocol of its server: `openai` or `anthropic`.
    pub api: String,
    /// Address of its server.
    pub base_url: String,
    /// Its name.
    pub model: String,
    /// Environment variable that holds the key.
    pub key_env: Option<String>,
    /// File that holds the key.
    pub key_file: Option<String>,
    /// Whether `novel.toml` was changed.
    pub changed: bool,
    /// What a small call showed; null with `--no-test`.
    pub trial: Option<SetupTrial>,
    /// Models of agents that have one of their own, by agent.
    pub own_models: BTreeMap<String, String>,
    /// What the author should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What a small call showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetupTrial {
    /// The model that answered, as the server names it.
    pub model: String,
    /// Seconds from the question to the end of the answer; null when the output must be
    /// reproducible.
    pub seconds: Option<f64>,
    /// Whether the answer came in pieces.
    pub streamed: bool,
    /// How it answers when it is asked for a JSON object.
    pub structured: StructuredAnswers,
    /// Tokens sent; null when the server does not count them.
    pub input_tokens: Option<u64>,
    /// Tokens received; null when the server does not count them.
    pub output_tokens: Option<u64>,
    /// Price in US dollars; null when no price is known.
    pub cost_usd: Option<f64>,
}

/// How a model answers when it is asked for a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StructuredAnswers {
    /// In the form of a JSON Schema that the server takes.
    Schema,
    /// As a JSON object; the server takes no schema.
    Object,
    /// Not as JSON.
    None,
}

/// Where a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingOrigin {
    /// The program.
    Default,
    /// `novel.toml`.
    File,
    /// An environment variable.
    Environment,
}

answers!(
    InitAnswer { warnings },
    DemoAnswer { run.warnings },
    ImportLeft { plan.warnings },
    ImportWritten { plan.warnings },
    ImportAnalysed { warnings },
    OutlineTaken { warnings },
    RetoldAnswer { warnings },
    StartAnswer { warnings },
    DirectionAnswer { warnings },
    RedoneAnswer { run.run.warnings },
    PlanAnswer { warnings },
    AgentsAnswer { warnings },
    AgentAnswer { warnings },
    ConfigAnswer { warnings },
    SettingAnswer { warnings },
    SetupAnswer { warnings },
    ProjectsAnswer {},
);
