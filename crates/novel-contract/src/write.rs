//! Answers of the commands that write chapters: `continue`, `run`, `resume`, the steps of an outside
//! driver, `chapter`, `scene`, `gate` and `volume review`.

use novel_model::{
    ChapterNo, SceneNo, VolumeNo,
    files::{
        Checkpoint, GateDecision, GeneratedChapter, JudgeRole, Packet, PipelineStage, ScoredBy,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Warning, answer::answers, report::ReportFinding};

/// Who runs the agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// The embedded author, which is not a language model.
    Offline,
    /// A language model.
    Llm,
    /// A program.
    Command,
}

/// What a run wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunAnswer {
    /// What was written.
    #[serde(flatten)]
    pub run: RunSummary,
    /// Who ran the agents; null when there was nothing to write.
    pub executor: Option<ExecutorKind>,
}

/// What a run wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// The chapters it committed.
    pub finished: Vec<FinishedChapter>,
    /// The steps of set-up, planning and review it did.
    pub steps: Vec<String>,
    /// Why it ended.
    pub stop: RunStop,
    /// What it cost.
    pub spent: Spent,
    /// Later chapters that may no longer fit a chapter that was written anew in its place; left out
    /// when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_chapters: Vec<u32>,
    /// The drafts the last chapter was chosen from; left out when there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<DraftCandidate>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// One of several drafts of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftCandidate {
    /// Its number, from one.
    pub number: u32,
    /// Its words.
    pub words: u64,
    /// Whether the length is within the author's bounds.
    pub within_bounds: bool,
    /// Required objectives whose words are in the text.
    pub objectives_named: usize,
    /// Required objectives.
    pub objectives_required: usize,
    /// Contradictions the checker proves.
    pub contradictions: usize,
    /// Blacklisted phrases.
    pub blacklist_hits: u64,
    /// Share of the text that stands in the last chapters, 0 to 1.
    pub repetition: f64,
    /// Distance from the style profile, 0 is met.
    pub style_distance: f64,
    /// What it cost; null where that is not known.
    pub cost_usd: Option<f64>,
    /// The judge's score; null without a usable verdict.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
}

/// A chapter that a run committed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FinishedChapter {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its words.
    pub words: u64,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// Last decision of the gate.
    pub gate_decision: Option<GateDecision>,
    /// How many revisions it took.
    pub revisions: u32,
    /// Whether the limit of revisions let it pass.
    pub force_passed: bool,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStop {
    /// What was wanted is written.
    GoalReached,
    /// The volume is complete.
    VolumeEnd,
    /// A gate waits for the author.
    Blocked,
    /// A step failed.
    Failed,
    /// The next call would exceed the budget.
    OverBudget,
    /// The author stopped it.
    Interrupted,
}

/// What calls of agents cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spent {
    /// Calls that were made.
    pub calls: u32,
    /// Answers that were paid for earlier.
    pub reused: u32,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// Tokens sent that the provider had cached.
    pub cached_tokens: u64,
    /// Tokens sent that the provider wrote to its cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Price in US dollars; null when no price is known.
    pub cost_usd: Option<f64>,
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NextAnswer {
    /// Id of the step, such as `chapter:048:draft`.
    pub step: String,
    /// Stable code of the reason.
    pub reason: String,
    /// The reason in words.
    pub explanation: String,
    /// Which time around.
    pub round: Round,
    /// The chapter in flight.
    pub inflight: Option<ChapterNo>,
    /// What the decision looked at.
    pub evidence: Vec<Evidence>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Which time around a chapter is in the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Round {
    /// The first time.
    First,
    /// A revision.
    Revision,
    /// A polish.
    Polish,
}

/// One thing a decision looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// A file, or a field of the checkpoint.
    pub subject: String,
    /// What was found there.
    pub found: Value,
}

/// What an agent is given for a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum InstructionsAnswer {
    /// Without `--explain`.
    Packet(Box<PacketAnswer>),
    /// With `--explain`.
    Explained(ExplainAnswer),
}

/// The packet of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PacketAnswer {
    /// The packet.
    pub packet: Packet,
    /// Where it was saved, relative to the project.
    pub manifest_path: Option<String>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The prompt of a step, section by section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainAnswer {
    /// Who gets it.
    pub agent: String,
    /// What the agent is asked for.
    pub mode: String,
    /// Version of the agent's prompt.
    pub version: u32,
    /// The sections, in order.
    pub sections: Vec<PromptSection>,
    /// What was left out or shortened.
    pub left_out: Vec<LeftOut>,
    /// Tokens of the whole prompt, estimated.
    pub tokens: u64,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The exact prompt of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromptAnswer {
    /// Who gets it.
    pub agent: String,
    /// What the agent is asked for.
    pub mode: String,
    /// Version of the agent's prompt.
    pub version: u32,
    /// The system message: the rules of the agent.
    pub system: String,
    /// The user message: what the agent is given, and its task.
    pub user: String,
    /// The form of the answer: `markdown`, `scene` or `json`.
    pub form: String,
    /// JSON Schema of a `json` answer.
    pub schema: Option<Value>,
    /// Tokens of the whole prompt, estimated.
    pub tokens: u64,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A JSON Schema, or the names of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SchemaAnswer {
    /// The one asked for.
    One {
        /// Its name.
        name: String,
        /// The schema.
        schema: Value,
    },
    /// All that can be asked for by name.
    Names {
        /// The names, sorted.
        schemas: Vec<String>,
    },
}

/// A section of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromptSection {
    /// Its name.
    pub section: String,
    /// How much it is needed.
    pub level: String,
    /// Its tokens, estimated.
    pub tokens: u64,
    /// Why it is there.
    pub why: String,
}

/// A section that was left out or shortened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Its name.
    pub section: String,
    /// Its tokens before, estimated.
    pub tokens_before: u64,
    /// Its tokens now, estimated.
    pub tokens_after: u64,
    /// What was done to it.
    pub how: String,
}

/// An agent's output that was handed in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitAnswer {
    /// Files that were written, relative to the project.
    pub written: Vec<String>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// The judge whose verdict is still missing, for a key chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaiting: Option<JudgeRole>,
}

/// The outputs of a step are valid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ValidateAnswer {
    /// The step.
    pub step: String,
    /// Always true.
    pub valid: bool,
    /// What was measured, by name.
    pub measured: Map<String, Value>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A step that was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdvanceAnswer {
    /// The checkpoint after it.
    #[schemars(with = "Checkpoint")]
    pub checkpoint: Value,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// Decision of the gate, after a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateAnswer>,
}

/// Decision of the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateAnswer {
    /// The decision.
    pub decision: GateDecision,
    /// The score it was made on.
    pub overall: f64,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// Whether the limit of revisions let the chapter pass.
    pub force_passed: bool,
    /// Whether a contract is surely broken.
    pub has_high_confidence_violation: bool,
    /// Whether no revision is left.
    pub revisions_exhausted: bool,
}

/// A chapter or a plan that is in the book now, or would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CommitAnswer {
    /// With `--chapter`.
    Chapter(Box<ChapterCommit>),
    /// With `--volume`.
    Volume(VolumeCommit),
}

/// A chapter that is in the book now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterCommit {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its words.
    pub words: u64,
    /// Version of the story state after it.
    pub state_version: u64,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// Last decision of the gate.
    pub gate_decision: Option<GateDecision>,
    /// Whether the limit of revisions let it pass.
    pub force_passed: bool,
    /// How many revisions it took.
    pub revisions: u32,
    /// Whether it is the last of its volume.
    pub volume_end: bool,
    /// Whether it was in the book before.
    pub already_committed: bool,
    /// Files that changed, or would with `--dry-run`.
    pub changes: Vec<FileChange>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// The last chapters in short, every five chapters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub briefing: Option<Briefing>,
    /// What the consistency check found, when it was due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<ConsistencySummary>,
    /// Later chapters that may no longer fit, of a chapter that was written anew in its place; left out
    /// when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_chapters: Vec<u32>,
}

/// The last chapters in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Briefing {
    /// First and last chapter of it.
    pub window: (ChapterNo, ChapterNo),
    /// Mean score.
    pub mean: Option<f64>,
    /// Chapters with a low score.
    pub weak_chapters: Vec<ChapterNo>,
    /// Risks the judges named.
    pub risks: Vec<Value>,
    /// What became of the correction of the style.
    pub style_drift: DriftOutcome,
}

/// What became of the correction of the style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftOutcome {
    /// It stays as it was.
    Unchanged,
    /// The style drifted; a correction was written.
    Corrected,
    /// The style is back; the correction was removed.
    Cleared,
}

/// What the consistency check found, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsistencySummary {
    /// How many contradictions.
    pub issues: usize,
    /// How many of them have instructions for a repair.
    pub fixable: usize,
    /// Whether the chapter waits for the author now.
    pub pending: bool,
    /// The report, relative to the project.
    pub report_file: String,
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// The file, relative to the project.
    pub path: String,
    /// What is done to it.
    pub action: ChangeAction,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeAction {
    /// It is new.
    Create,
    /// It gets new content.
    Replace,
    /// Something is added to its end.
    Append,
    /// It goes away.
    Remove,
}

/// A plan that is in the book now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeCommit {
    /// The volume.
    pub volume: VolumeNo,
    /// Its first and last chapter.
    pub chapters: (ChapterNo, ChapterNo),
    /// Files that changed, or would with `--dry-run`.
    pub changes: Vec<FileChange>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A decision of the author at the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateDecided {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The checkpoint after it.
    #[schemars(with = "Checkpoint")]
    pub checkpoint: Value,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The draft of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its words.
    pub words: u64,
    /// How many scenes it has.
    pub scenes: usize,
    /// The draft, relative to the project.
    pub path: String,
    /// Whether the draft was there before.
    pub reused: bool,
    /// The next step.
    pub next: String,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A chapter, or one scene of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShownChapter {
    /// The text.
    #[serde(flatten)]
    pub chapter: GeneratedChapter,
    /// Where it comes from.
    pub source: ChapterSource,
    /// Last completed stage, for a staged chapter; null when it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline_stage: Option<Option<PipelineStage>>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Where the text of a chapter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChapterSource {
    /// The book.
    Committed,
    /// The chapter in flight.
    Staged,
    /// One of several drafts that the chapter was chosen from.
    Draft,
    /// Scenes that are not merged yet.
    Scenes,
}

/// A chapter that is written scene by scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SceneAnswer {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// The plan of its scenes, relative to the project.
    pub plan: String,
    /// Its scenes, in order.
    pub scenes: Vec<SceneRow>,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A scene of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SceneRow {
    /// Number of the scene, from one.
    pub scene_number: SceneNo,
    /// Whether it is written.
    pub status: SceneStatus,
    /// How long it was to be.
    pub estimated_words: u64,
    /// How long it is; null when it is not written.
    pub word_count: Option<u64>,
}

/// Whether a scene is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SceneStatus {
    /// Not written yet.
    Missing,
    /// Its plan changed after it was written.
    Stale,
    /// Written for this plan.
    Written,
    /// Written by hand, for an unknown plan.
    Unbound,
}

/// The review of a volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeReviewAnswer {
    /// The volume.
    pub volume: VolumeNo,
    /// The review, relative to the project.
    pub review: String,
    /// Copy of the state at the end of the volume, relative to the project.
    pub snapshot: Option<String>,
    /// The checkpoint after it.
    #[schemars(with = "Checkpoint")]
    pub checkpoint: Value,
    /// What the author may want to act on.
    pub findings: Vec<ReportFinding>,
    /// The model that wrote the advice.
    pub model: Option<String>,
    /// Whether it had been reviewed before.
    pub already_reviewed: bool,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// Who ran the agents.
    pub executor: ExecutorKind,
}

answers!(
    RunAnswer { run.warnings },
    NextAnswer { warnings },
    PacketAnswer { warnings },
    ExplainAnswer { warnings },
    PromptAnswer { warnings },
    SchemaAnswer {},
    SubmitAnswer { warnings },
    ValidateAnswer { warnings },
    AdvanceAnswer { warnings },
    ChapterCommit { warnings },
    VolumeCommit { warnings },
    GateDecided { warnings },
    DraftAnswer { warnings },
    ShownChapter { warnings },
    SceneAnswer { warnings },
    VolumeReviewAnswer { warnings },
);
