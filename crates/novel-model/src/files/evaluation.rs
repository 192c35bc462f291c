//! Evaluations: the judge's verdict on a text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChapterNo, ContentHash, files::ConstraintType};

/// `evaluations/chapter-NNN-eval.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The contract track.
    pub contract_verification: ContractVerification,
    /// The score track.
    pub scores: Scores,
    /// The judge's own arithmetic; recomputed by the program.
    #[serde(default)]
    pub overall: Option<f64>,
    /// The judge's advice.
    #[serde(default)]
    pub recommendation: Option<String>,
    /// Risks.
    #[serde(default)]
    pub risk_flags: Vec<Value>,
    /// Smallest set of repairs.
    #[serde(default)]
    pub required_fixes: Vec<RequiredFix>,
    /// Other findings.
    #[serde(default)]
    pub issues: Vec<Value>,
    /// What is good.
    #[serde(default)]
    pub strengths: Vec<Value>,
    /// Phrases that smell of AI.
    #[serde(default)]
    pub anti_ai: Option<AntiAi>,
    /// Written by the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<EvaluationMetadata>,
}

/// The four contract layers, checked one by one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContractVerification {
    /// World rules.
    #[serde(default)]
    pub l1_checks: Vec<ContractCheck>,
    /// Character contracts.
    #[serde(default)]
    pub l2_checks: Vec<ContractCheck>,
    /// Chapter contract.
    #[serde(default)]
    pub l3_checks: Vec<ContractCheck>,
    /// Storyline rules.
    #[serde(default)]
    pub ls_checks: Vec<ContractCheck>,
    /// The judge's own summary.
    #[serde(default)]
    pub has_violations: Option<bool>,
    /// Ids of contracts that are kept; the program writes a check for each and takes the list off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<String>,
}

/// One contract check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContractCheck {
    /// The rule, objective or criterion.
    #[serde(default, alias = "contract_id", alias = "objective_id")]
    pub rule_id: String,
    /// The verdict.
    pub status: CheckStatus,
    /// How sure.
    #[serde(default)]
    pub confidence: Option<Confidence>,
    /// Hard or soft (LS only; missing means hard).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint_type: Option<ConstraintType>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// A quotation from the chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether the quotation is in the chapter; written by the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_found: Option<bool>,
    /// What was looked for and is not in the chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// A violation with neither a quotation that was found nor something missing; written by the
    /// program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<bool>,
    /// Why the judge takes a violation back; it counts no more and stays on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
}

impl ContractCheck {
    /// A check without grounds.
    #[must_use]
    pub fn new(rule_id: impl Into<String>, status: CheckStatus) -> Self {
        Self {
            rule_id: rule_id.into(),
            status,
            confidence: None,
            constraint_type: None,
            detail: None,
            evidence: None,
            evidence_found: None,
            absent: None,
            unproven: None,
            withdrawn: None,
        }
    }
}

/// Verdict of a contract check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// Kept.
    Pass,
    /// Broken.
    Violation,
    /// Perhaps broken.
    ViolationSuspected,
}

/// How sure a judge is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Hardly.
    Low,
    /// Rather.
    Medium,
    /// Quite.
    High,
}

/// The eight dimensions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Plot and logic.
    pub plot_logic: DimensionScore,
    /// Characters.
    pub character: DimensionScore,
    /// Immersion.
    pub immersion: DimensionScore,
    /// Foreshadowing.
    pub foreshadowing: DimensionScore,
    /// Pacing.
    pub pacing: DimensionScore,
    /// Naturalness of style.
    pub style_naturalness: DimensionScore,
    /// Emotional impact.
    pub emotional_impact: DimensionScore,
    /// Coherence of storylines.
    pub storyline_coherence: DimensionScore,
}

impl Scores {
    /// The dimensions by name, in the order of the specification.
    #[must_use]
    pub fn by_name(&self) -> [(&'static str, &DimensionScore); 8] {
        [
            ("plot_logic", &self.plot_logic),
            ("character", &self.character),
            ("immersion", &self.immersion),
            ("foreshadowing", &self.foreshadowing),
            ("pacing", &self.pacing),
            ("style_naturalness", &self.style_naturalness),
            ("emotional_impact", &self.emotional_impact),
            ("storyline_coherence", &self.storyline_coherence),
        ]
    }

    /// The eight scores by name, mutable.
    pub fn by_name_mut(&mut self) -> [(&'static str, &mut DimensionScore); 8] {
        [
            ("plot_logic", &mut self.plot_logic),
            ("character", &mut self.character),
            ("immersion", &mut self.immersion),
            ("foreshadowing", &mut self.foreshadowing),
            ("pacing", &mut self.pacing),
            ("style_naturalness", &mut self.style_naturalness),
            ("emotional_impact", &mut self.emotional_impact),
            ("storyline_coherence", &mut self.storyline_coherence),
        ]
    }
}

/// One dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionScore {
    /// 1 to 5.
    #[schemars(range(min = 1.0, max = 5.0))]
    pub score: f64,
    /// Share in the overall score; the program's, not the judge's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A quotation from the chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether the quotation is in the chapter; written by the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_found: Option<bool>,
    /// What was looked for and is not in the chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// Neither a quotation that was found nor something missing; written by the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<bool>,
}

impl DimensionScore {
    /// A score without grounds.
    #[must_use]
    pub const fn new(score: f64) -> Self {
        Self {
            score,
            weight: None,
            reason: None,
            evidence: None,
            evidence_found: None,
            absent: None,
            unproven: None,
        }
    }
}

/// One repair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequiredFix {
    /// Where, such as `paragraph_3`.
    #[serde(default)]
    pub target: String,
    /// What to do.
    pub instruction: String,
}

/// The judge on phrases that smell of AI.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AntiAi {
    /// Counts.
    #[serde(default)]
    pub blacklist_hits: Option<Value>,
    /// New phrases.
    #[serde(default)]
    pub blacklist_update_suggestions: Vec<BlacklistSuggestion>,
}

/// A phrase the judge would put on the blacklist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlacklistSuggestion {
    /// The phrase.
    pub phrase: String,
    /// How often it stands in the chapter.
    #[serde(default)]
    pub count_in_chapter: u64,
    /// Quotations.
    #[serde(default)]
    pub examples: Vec<String>,
    /// How sure.
    #[serde(default)]
    pub confidence: Option<Confidence>,
    /// Remark.
    #[serde(default)]
    pub note: Option<String>,
}

/// What the program adds to an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluationMetadata {
    /// Hash of the text that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chapter_hash: Option<ContentHash>,
    /// Who judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judges: Option<Judges>,
    /// What the gate made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateRecord>,
}

/// The name under which the offline author, which is no language model, stands as a judge.
pub const OFFLINE_AUTHOR: &str = "offline";

/// Whose score a chapter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoredBy {
    /// A judge's: a model, a program or an outside driver.
    Judge,
    /// The offline author's, measured by rule: not a verdict.
    OfflineAuthor,
}

impl Evaluation {
    /// Whose score this is; none where there is no score.
    #[must_use]
    pub fn scored_by(&self) -> Option<ScoredBy> {
        self.overall?;
        let judges = self.metadata.as_ref()?.judges.as_ref();
        Some(judges.map_or(ScoredBy::Judge, Judges::scored_by))
    }
}

impl Judges {
    /// Whose score the chapter has.
    #[must_use]
    pub fn scored_by(&self) -> ScoredBy {
        let used = match self.used {
            JudgeRole::Primary => Some(&self.primary),
            JudgeRole::Secondary => self.secondary.as_ref(),
        };
        match used.and_then(|judge| judge.model.as_deref()) {
            Some(OFFLINE_AUTHOR) => ScoredBy::OfflineAuthor,
            _ => ScoredBy::Judge,
        }
    }
}

/// Who judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judges {
    /// The first judge.
    pub primary: JudgeRecord,
    /// The second judge of a key chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secondary: Option<JudgeRecord>,
    /// Whose evaluation this is.
    pub used: JudgeRole,
    /// The lower of both.
    pub overall_final: f64,
    /// Whether either judge saw a violation with high confidence.
    #[serde(default)]
    pub has_high_confidence_violation: bool,
    /// Violations with high confidence of the judge whose evaluation is not this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_violations: Vec<ContractCheck>,
}

/// One of the two judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeRole {
    /// Every chapter has one.
    Primary,
    /// Key chapters have one more.
    Secondary,
}

/// One judge's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeRecord {
    /// Which model, where known.
    #[serde(default)]
    pub model: Option<String>,
    /// Recomputed overall score.
    pub overall: f64,
}

/// What the gate decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateRecord {
    /// The decision.
    pub decision: GateDecision,
    /// Revisions so far.
    #[serde(default)]
    pub revisions: u32,
    /// Whether the limit of revisions let it pass.
    #[serde(default)]
    pub force_passed: bool,
    /// The author's own word, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<AuthorDecision>,
}

/// The author overrules the gate for one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorDecision {
    /// The text it holds for.
    pub chapter_hash: ContentHash,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Decision of the quality gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateDecision {
    /// Commit.
    Pass,
    /// Polish once more, then commit.
    Polish,
    /// Revise.
    Revise,
    /// Ask the author.
    PauseForUser,
    /// Ask the author; only a rewrite will do.
    PauseForUserForceRewrite,
}

impl GateDecision {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Polish => "polish",
            Self::Revise => "revise",
            Self::PauseForUser => "pause_for_user",
            Self::PauseForUserForceRewrite => "pause_for_user_force_rewrite",
        }
    }
}
