//! Answer of `report`: numbers about the written chapters.

use std::collections::BTreeMap;

use novel_model::{
    VolumeNo,
    files::{GateDecision, ScoredBy, VolumeRole},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Warning, answer::answers, care::VerdictJudge, library::ForeshadowRow};

/// Reports on a range of chapters. Only the topics that were asked for are there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportAnswer {
    /// First chapter of the range.
    pub first: u32,
    /// Last chapter of the range; zero when nothing is written.
    pub last: u32,
    /// The volume, when the range is one.
    pub volume: Option<VolumeNo>,
    /// Scores and their trend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<ScoresReport>,
    /// Length of the chapters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<LengthReport>,
    /// Share of dialogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialogue: Option<DialogueReport>,
    /// Rhythm of the storylines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storylines: Option<StorylinesReport>,
    /// Foreshadowing at the end of the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreshadowing: Option<ForeshadowingReport>,
    /// Who appears where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cast: Option<CastReport>,
    /// Sentences and phrases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<StyleReport>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A value of one chapter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The chapter.
    pub chapter: u32,
    /// The value, where there is one.
    pub value: Option<f64>,
}

/// Scores, their trend, and the weak chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoresReport {
    /// Scores by chapter.
    pub chapters: Vec<ScoreRow>,
    /// Mean of all scores.
    pub mean: Option<f64>,
    /// Lowest score.
    pub min: Option<f64>,
    /// Highest score.
    pub max: Option<f64>,
    /// Mean of the last five less the mean of the five before.
    pub trend: Option<f64>,
    /// Mean score of each dimension.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub dimension_means: Map<String, Value>,
    /// Chapters below 3.5.
    pub weak: Vec<WeakChapter>,
    /// Chapters that passed only because the revisions were used up.
    pub force_passed: Vec<u32>,
    /// The judges behind the scores, each model and version of its prompt once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<VerdictJudge>,
}

/// The score of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRow {
    /// The chapter.
    pub chapter: u32,
    /// Its score; null when it was never judged.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// Scores by dimension.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub dimensions: Map<String, Value>,
    /// Last decision of the gate.
    pub gate_decision: Option<GateDecision>,
    /// How many revisions it took.
    pub revisions: u32,
    /// Whether the limit of revisions let it pass.
    pub force_passed: bool,
}

/// A chapter with a low score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeakChapter {
    /// The chapter.
    pub chapter: u32,
    /// Its score.
    pub overall: f64,
    /// Whose score it is; none without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<ScoredBy>,
    /// Its lowest dimensions.
    pub weakest: Vec<String>,
}

/// Length of the chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LengthReport {
    /// Length by chapter.
    pub chapters: Vec<LengthRow>,
    /// Words of all chapters.
    pub total_words: u64,
    /// Mean length of a chapter.
    pub mean: Option<f64>,
    /// The shortest chapter.
    pub shortest: Option<LengthRow>,
    /// The longest chapter.
    pub longest: Option<LengthRow>,
    /// Lower bound from `novel.toml`.
    pub min_words: Option<u64>,
    /// Upper bound from `novel.toml`.
    pub max_words: Option<u64>,
    /// Chapters below the lower bound.
    pub too_short: Vec<u32>,
    /// Chapters above the upper bound.
    pub too_long: Vec<u32>,
}

/// Length of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LengthRow {
    /// The chapter.
    pub chapter: u32,
    /// Its counted words.
    pub words: u64,
}

/// Share of dialogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DialogueReport {
    /// Share by chapter.
    pub chapters: Vec<Point>,
    /// Share over all chapters together, against the style profile.
    pub ratio: Option<Measure>,
}

/// A measure of the text against the style profile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measure {
    /// Over all chapters together.
    pub value: f64,
    /// The value of the style profile.
    pub baseline: Option<f64>,
    /// How far away from the baseline, as a share of it; negative when below.
    pub deviation: Option<f64>,
    /// Whether that is more than the drift check allows.
    pub drifted: bool,
}

/// Rhythm of the storylines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylinesReport {
    /// Every storyline that is on stage or was planned to be.
    pub storylines: Vec<LineRow>,
    /// Where the rhythm is not the planned one.
    pub breaches: Vec<Breach>,
    /// Meetings of storylines in the range.
    pub meetings: Vec<Meeting>,
    /// Bridges between storylines that broke.
    pub broken_bridges: Vec<BrokenBridge>,
}

/// A storyline in a range of chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineRow {
    /// Id of the storyline.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its weight in the newest volume of the range.
    pub role: Option<VolumeRole>,
    /// The chapters it is on stage.
    pub chapters: Vec<u32>,
    /// Words of these chapters.
    pub words: u64,
    /// Its share of the words.
    pub share: f64,
    /// Most chapters in a row.
    pub longest_run: u32,
    /// Most chapters without it, before its first and after its last too.
    pub longest_gap: u32,
    /// Chapters of the range after its last.
    pub since_last: Option<u32>,
}

/// A rhythm the plan did not want.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Breach {
    /// What is not as planned.
    pub kind: BreachKind,
    /// The storyline.
    pub storyline_id: String,
    /// How many chapters.
    pub chapters: u32,
    /// How many the plan allows.
    pub allowed: u32,
}

/// What is not as planned about a rhythm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BreachKind {
    /// A primary storyline holds the stage too long.
    TooManyInARow,
    /// A secondary storyline is away too long.
    TooLongAway,
}

/// A planned meeting of storylines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meeting {
    /// First and last chapter.
    pub chapter_range: (u32, u32),
    /// The storylines that were to meet.
    pub involved: Vec<String>,
    /// Those that are neither on stage there nor have anybody named there.
    pub missing: Vec<String>,
}

/// A bridge between two storylines that broke.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenBridge {
    /// What broke.
    pub kind: BridgeKind,
    /// One storyline.
    pub from: String,
    /// The other storyline.
    pub to: String,
    /// What was to be shared; for a handover the storyline that came instead.
    pub what: String,
    /// The chapter, for a handover.
    pub chapter: Option<u32>,
}

/// What broke about a bridge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BridgeKind {
    /// The announced storyline did not follow.
    Handover,
    /// The shared foreshadowing does not exist.
    UnknownForeshadowing,
    /// Only one of the storylines touches the shared foreshadowing.
    OneSidedForeshadowing,
    /// The shared character is in one of the storylines only.
    LostCharacter,
}

/// Foreshadowing at the end of a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowingReport {
    /// Every item, the most urgent first.
    pub items: Vec<ForeshadowRow>,
    /// Plantings in the range.
    pub planted: usize,
    /// Advances in the range.
    pub advanced: usize,
    /// Resolutions in the range.
    pub resolved: usize,
    /// Items planted and not resolved.
    pub open: usize,
    /// Ids that may be resolved now.
    pub due: Vec<String>,
    /// Ids of short items past their range.
    pub overdue: Vec<String>,
    /// Ids the plan wanted in chapters that are written.
    pub not_planted: Vec<String>,
}

/// Who appears in a range of chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CastReport {
    /// Everybody, the most present first.
    pub characters: Vec<Appearance>,
    /// Ids of active characters nobody names in the range.
    pub absent: Vec<String>,
}

/// How present a character is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Appearance {
    /// Id of the character.
    pub id: String,
    /// The name in the prose.
    pub name: String,
    /// Whether the character has left the story.
    pub retired: bool,
    /// The chapters that name the character.
    pub chapters: Vec<u32>,
    /// How often the character is named.
    pub mentions: usize,
    /// Chapters of the range after the last that names the character.
    pub since_last: Option<u32>,
}

/// Sentences and phrases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StyleReport {
    /// Style by chapter.
    pub chapters: Vec<StyleRow>,
    /// Words per sentence over all chapters together, against the style profile.
    pub avg_sentence_length: Option<Measure>,
    /// Blacklisted phrases in all.
    pub blacklist_hits: usize,
    /// Chapters with the most phrases for their length, worst first.
    pub worst: Vec<u32>,
    /// The hand of the book by its function words; none where there are too few chapters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandReport>,
}

/// A control chart of the function words of the chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandReport {
    /// How far each chapter is from the book's own hand, in spreads of a chapter.
    pub chapters: Vec<Point>,
    /// A chapter above this is outside the book's own spread.
    pub limit: f64,
    /// The chapters above the limit.
    pub outside: Vec<u32>,
    /// Where another hand begins.
    pub change: Option<HandChange>,
}

/// A lasting change of the function words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandChange {
    /// The first chapter of the other hand.
    pub chapter: u32,
    /// Mean square of the difference, in spreads of a chapter.
    pub effect: f64,
    /// The words that changed most, most first.
    pub words: Vec<WordChange>,
}

/// How often a word is used before and after a change, to a thousand words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WordChange {
    /// The word.
    pub word: String,
    /// Before the change.
    pub before: f64,
    /// From the change on.
    pub after: f64,
}

/// Style of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StyleRow {
    /// The chapter.
    pub chapter: u32,
    /// Counted words per sentence.
    pub avg_sentence_length: f64,
    /// Blacklisted phrases.
    pub blacklist_hits: usize,
    /// Blacklisted phrases per thousand words.
    pub hits_per_kchars: f64,
}

/// Something in a report that the author may want to act on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportFinding {
    /// What it is about.
    pub concern: Concern,
    /// The chapters, where it is about some.
    pub chapters: Vec<u32>,
    /// The ids, where it is about some.
    pub ids: Vec<String>,
    /// The finding in words.
    pub text: String,
}

/// What a finding of a report is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// Short foreshadowing past its range.
    OverdueForeshadowing,
    /// Foreshadowing the plan wanted and no chapter planted.
    UnplantedForeshadowing,
    /// Chapters below the bound of the gate.
    WeakChapters,
    /// The score falls.
    FallingScores,
    /// A dimension that is weak over the whole range.
    WeakDimension,
    /// Chapters out of the bounds of length.
    Length,
    /// The share of dialogue left the style profile.
    Dialogue,
    /// The length of sentences left the style profile.
    Sentences,
    /// Another hand writes from some chapter on.
    Hand,
    /// Blacklisted phrases.
    Phrases,
    /// A rhythm the plan did not want.
    Rhythm,
    /// A meeting without one of its storylines.
    Meeting,
    /// A bridge that broke.
    Bridge,
    /// Foreshadowing that may be resolved now.
    DueForeshadowing,
    /// Characters nobody names.
    AbsentCast,
}

answers!(ReportAnswer { warnings },);
