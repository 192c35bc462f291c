//! Reports and revision status of committed chapters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ChapterNo, ContentHash,
    files::{Frame, GeneratedChapter},
};

/// How bad an issue is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Hardly.
    Low,
    /// Rather.
    Medium,
    /// Blocks.
    High,
}

/// One issue in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewIssue {
    /// Its kind.
    pub issue_type: String,
    /// What is wrong.
    pub description: String,
    /// Whom it concerns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related_characters: Vec<String>,
    /// How bad.
    pub severity: Severity,
    /// A quotation.
    #[serde(default)]
    pub evidence: Option<String>,
    /// How to repair it; an issue is fixable exactly when this is not empty.
    #[serde(default)]
    pub fix_instructions: Option<String>,
}

/// Where a revision stands. `pending` is the only gate signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevisionState {
    /// The author has to decide.
    Pending,
    /// The candidate is the text now.
    Accepted,
    /// The old text stands.
    Rejected,
}

/// What asked for a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevisionTrigger {
    /// The consistency check.
    Consistency,
    /// The logic review.
    LogicReview,
}

/// `chapters/chapter_NNN_revision.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionStatus {
    /// The chapter.
    pub chapter_number: ChapterNo,
    /// Where it stands.
    pub status: RevisionState,
    /// What asked for it.
    #[serde(default)]
    pub triggered_by: Option<RevisionTrigger>,
    /// All fix instructions, in order.
    #[serde(default)]
    pub revision_notes: Option<String>,
    /// The issues behind them.
    #[serde(default)]
    pub issues: Vec<ReviewIssue>,
    /// The candidate.
    #[serde(default)]
    pub revised_chapter: Option<GeneratedChapter>,
    /// The logic review behind it.
    #[serde(default)]
    pub logic_review_report_file: Option<String>,
    /// Hash of the text it was made for.
    #[serde(default)]
    pub chapter_hash: Option<ContentHash>,
    /// Whether the candidate becomes the text without asking; set when the policy was `auto_apply`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub auto_apply: bool,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<String>,
    /// When the author decided.
    #[serde(default)]
    pub decision_at: Option<String>,
}

/// `reviews/chapter_NNN_logic_review.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogicReview {
    /// The chapter.
    pub chapter_number: ChapterNo,
    /// 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub overall_score: u32,
    /// What is wrong.
    #[serde(default)]
    pub issues: Vec<ReviewIssue>,
    /// In short.
    #[serde(default)]
    pub summary: String,
    /// Hash of the text it is about.
    #[serde(default)]
    pub chapter_hash: Option<ContentHash>,
}

/// `reviews/chapter_NNN_consistency.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsistencyReport {
    /// The chapter.
    pub chapter_number: ChapterNo,
    /// What is wrong.
    #[serde(default)]
    pub issues: Vec<ReviewIssue>,
    /// In short.
    #[serde(default)]
    pub summary: String,
    /// What the auditor answered to each candidate; the program keeps those it could verify.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<CandidateVerdict>,
    /// What the check saw.
    #[serde(default)]
    pub context_snapshot: Value,
}

/// The auditor's answer to one candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateVerdict {
    /// The number of the candidate.
    pub number: u32,
    /// Whether the sentence contradicts the record.
    pub contradicts: bool,
    /// In which frame the sentence tells it.
    #[serde(default)]
    pub frame: Frame,
    /// A quotation of the sentence.
    #[serde(default)]
    pub evidence: String,
    /// A quotation of the record.
    #[serde(default)]
    pub record: String,
}
