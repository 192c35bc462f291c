//! What the program records about its work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ChapterNo, ContentHash, Slug,
    files::{ContractCheck, GateDecision, Judges, ScoredBy},
};

/// `logs/chapter-NNN-log.json`. What nobody reported is null, never invented.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterLog {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline_id: Slug,
    /// When its first draft was accepted.
    #[serde(default)]
    pub started_at: Option<String>,
    /// The steps that led to it, in order.
    #[serde(default)]
    pub stages: Vec<StageLog>,
    /// The gate's last word.
    #[serde(default)]
    pub gate_decision: Option<GateDecision>,
    /// Revisions it took.
    #[serde(default)]
    pub revisions: u32,
    /// Whether the limit of revisions let it pass.
    #[serde(default)]
    pub force_passed: bool,
    /// Who judged.
    #[serde(default)]
    pub judges: Option<Judges>,
    /// Sum of the stages.
    #[serde(default)]
    pub total_duration_ms: Option<u64>,
    /// Sum of the stages.
    #[serde(default)]
    pub total_cost_usd: Option<f64>,
    /// Warnings given at commit, by code.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// What the judge found against contracts, with its grounds: warnings and withdrawn ones too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<ContractCheck>,
    /// The text the summary is of, where it was made after the chapter was in the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summarized: Option<ContentHash>,
}

/// One accepted step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageLog {
    /// Such as `draft`.
    pub name: String,
    /// Which model.
    #[serde(default)]
    pub model: Option<String>,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// Tokens read.
    #[serde(default)]
    pub input_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default)]
    pub output_tokens: Option<u64>,
    /// Tokens read from a cache.
    #[serde(default)]
    pub cached_tokens: Option<u64>,
    /// Tokens written to a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Price.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Calls it took.
    #[serde(default)]
    pub attempts: Option<u32>,
    /// Who ran the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executor: Option<String>,
    /// Version of the agent's prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_version: Option<String>,
    /// What was shortened or left out of its context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The call in the ledger of paid calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Whether the answer was paid for but not used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rejected: bool,
}

/// `staging/bindings/chapter-NNN.json`: which artefact belongs to which text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bindings {
    /// When the first draft was accepted.
    #[serde(default)]
    pub started_at: Option<String>,
    /// The accepted draft.
    #[serde(default)]
    pub draft: Option<ContentHash>,
    /// The draft the summary artefacts describe.
    #[serde(default)]
    pub summarized: Option<ContentHash>,
    /// The accepted refined text.
    #[serde(default)]
    pub refined: Option<ContentHash>,
    /// The accepted text of the polish round.
    #[serde(default)]
    pub polished: Option<ContentHash>,
    /// The evaluation file that was accepted.
    #[serde(default)]
    pub verdict: Option<ContentHash>,
    /// The steps accepted so far.
    #[serde(default)]
    pub stages: Vec<StageLog>,
    /// Codes of warnings given on the way, for the chapter's log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `logs/progress.json`: running totals, derived, rebuilt when stale.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The newest chapter that is counted.
    pub last_completed_chapter: u32,
    /// Chapters counted.
    pub chapters: u32,
    /// Words of all chapters.
    pub total_words: u64,
    /// Chapters that have a score.
    pub scored_chapters: u32,
    /// Sum of their scores.
    pub score_sum: f64,
    /// Known cost of all chapters.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// The newest chapters, oldest first.
    pub recent: Vec<ChapterProgress>,
}

/// One chapter in the running totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterProgress {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline_id: Slug,
    /// Its length.
    pub words: u64,
    /// Its score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// The gate's last word.
    pub gate: Option<GateDecision>,
    /// Revisions it took.
    pub revisions: u32,
    /// Hash of its rendering, to notice hand edits.
    pub markdown_hash: ContentHash,
}
