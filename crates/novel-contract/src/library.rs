//! Answers of `status`, `search`, `cost`, `export`, `character`, `storyline`, `foreshadow` and
//! `world add`.

use std::collections::BTreeMap;

use novel_model::{
    ChapterNo, RunId, Slug, VolumeNo,
    files::{
        ChapterProgress, CharacterContract, ForeshadowAction, ForeshadowScope, OrchestratorState,
        PipelineStage, VolumeRole, WorldRule,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Problem, Warning,
    answer::answers,
    care::{Lock, VerdictJudge},
    envelope::ErrorSummary,
};

/// Where the book stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatusAnswer {
    /// How far the book is.
    pub progress: BookProgress,
    /// Foreshadowing that is not resolved yet.
    pub foreshadowing: ForeshadowingCount,
    /// When each active storyline was last on stage.
    pub storylines: Vec<StorylineRhythm>,
    /// Recent chapters whose Markdown was changed after the commit.
    pub edited_chapters: Vec<ChapterNo>,
    /// Chapters that wait for the author's decision.
    pub pending_chapters: Vec<ChapterNo>,
    /// The judge of the newest chapter; left out where no model judged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<VerdictJudge>,
    /// What comes next.
    pub next: NextSummary,
    /// What waits for the author; left out when nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingSummary>,
    /// Who writes to the book.
    pub lock: Lock,
    /// The run under way; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The last chapter readers have; zero when there is none.
    #[serde(default)]
    pub published_to: u32,
    /// Chapters the author locked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locked_chapters: Vec<ChapterNo>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What waits for the author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingSummary {
    /// Stable code, such as `PLAN_WAITS`.
    pub code: String,
    /// For people.
    pub message: String,
    /// One command to run next.
    pub command: String,
}

/// What a change of one thing touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactAnswer {
    /// The thing, as the book knows it.
    pub subject: String,
    /// Chapters of the book that rest on it, those that do most first.
    pub chapters: Vec<TouchedChapter>,
    /// Chapters that are planned and not written, whose contracts speak of it.
    pub contracts: Vec<UnwrittenContract>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A chapter of the book that a thing is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TouchedChapter {
    /// The chapter.
    pub chapter: ChapterNo,
    /// How: `shown` to its writer, in its `text`, in its `facts`, in the judge's `verdict`.
    pub ways: Vec<String>,
    /// Passages of its text, or what its judge quoted.
    pub quotations: Vec<String>,
    /// Why, the strongest first.
    #[serde(default)]
    pub grounds: Vec<Ground>,
    /// How much it rests on the thing.
    #[serde(default)]
    pub weight: u32,
}

/// One reason why a chapter is touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ground {
    /// `text`, `facts`, `verdict`, or what its writer was shown: `tail`, `summary`, `recalled`, `state`.
    pub way: String,
    /// What it is about: a path in the state, a name, an id.
    pub of: String,
    /// The chapter the passage stands in.
    pub stands_in: ChapterNo,
    /// The passage; empty where there is none to show.
    pub quotation: String,
    /// Whether it is of something that passes by itself, a mood or the time; it weighs nothing.
    #[serde(default)]
    pub passing: bool,
}

/// The contract of a chapter that is not written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnwrittenContract {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its file, relative to the project.
    pub path: String,
    /// What of the thing it rests on: paths in the state, ids.
    #[serde(default)]
    pub because: Vec<String>,
}

/// How far a book is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookProgress {
    /// Title of the book.
    pub title: Option<String>,
    /// High-level state of the book.
    pub orchestrator_state: OrchestratorState,
    /// Last completed stage of the chapter in flight.
    pub pipeline_stage: Option<PipelineStage>,
    /// The chapter in flight.
    pub inflight_chapter: Option<ChapterNo>,
    /// Revisions of the chapter in flight.
    pub revision_count: u32,
    /// The volume being written.
    pub current_volume: VolumeNo,
    /// First and last chapter of the current volume, if it is planned.
    pub volume_chapters: Option<(ChapterNo, ChapterNo)>,
    /// The newest chapter of the book; zero before the first.
    pub last_completed_chapter: u32,
    /// Words of all chapters.
    pub total_words: u64,
    /// Mean score of the chapters that have one.
    pub mean_score: Option<f64>,
    /// Newest chapters whose score is the offline author's, which is no verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offline_scores: Vec<ChapterNo>,
    /// Mean of the last five scores less the mean of the five before.
    pub score_trend: Option<f64>,
    /// Known cost of all chapters.
    pub cost_usd: Option<f64>,
    /// The newest chapters, oldest first.
    pub recent: Vec<ChapterProgress>,
}

/// Foreshadowing in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowingCount {
    /// How many items are not resolved.
    pub open: usize,
    /// Ids of short items past their range.
    pub overdue: Vec<String>,
}

/// When a storyline was last on stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineRhythm {
    /// The storyline.
    pub storyline_id: Slug,
    /// Chapters since then; null when longer than ten.
    pub chapters_since_last: Option<u32>,
}

/// What comes next, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NextSummary {
    /// The next step; null when there is none.
    pub step: Option<String>,
    /// The command that goes on.
    pub command: String,
    /// Why there is no next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorSummary>,
}

/// What was found in the book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchAnswer {
    /// How the words were read.
    pub terms: Vec<SearchTerm>,
    /// How many places fit, shown or not.
    pub total: usize,
    /// The places, best first.
    pub results: Vec<SearchHit>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One word or phrase that was searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchTerm {
    /// The word or phrase.
    pub text: String,
    /// Other names of the same character that were searched too.
    pub names: Vec<String>,
}

/// One place that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHit {
    /// Which part of the book it is in.
    pub r#in: Shelf,
    /// The file, relative to the project.
    pub path: String,
    /// The chapter, where it is about one.
    pub chapter: Option<ChapterNo>,
    /// Title of the chapter.
    pub title: Option<String>,
    /// Scene of the chapter, from one.
    pub scene: Option<u32>,
    /// How well it fits; larger is better.
    pub score: f64,
    /// How often the words occur there.
    pub count: usize,
    /// Some text around the first hits.
    pub snippet: String,
    /// First byte of each hit in the snippet, and the byte after it.
    pub marks: Vec<(usize, usize)>,
}

/// A part of the book that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// Text of the chapters.
    Chapters,
    /// Summaries of the chapters.
    Summaries,
    /// World, characters, storylines, brief.
    Notes,
}

/// What the book cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostAnswer {
    /// All calls together.
    pub total: Cost,
    /// Calls for chapters that are in the book.
    pub committed: Cost,
    /// Calls for set-up, planning and reviews.
    pub other: Cost,
    /// Calls whose text did not get into the book.
    pub discarded: Cost,
    /// Mean cost of a chapter that is in the book.
    pub per_chapter_usd: Option<f64>,
    /// Cost by chapter.
    pub chapters: Vec<ChapterCost>,
    /// Cost by kind of step.
    pub steps: BTreeMap<String, Cost>,
    /// Cost by model.
    pub models: BTreeMap<String, Cost>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What some calls cost. Numbers that no provider reported are null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// How many calls.
    pub calls: u64,
    /// Tokens sent.
    pub input_tokens: Option<u64>,
    /// Tokens received.
    pub output_tokens: Option<u64>,
    /// Tokens sent that the provider had cached.
    pub cached_tokens: Option<u64>,
    /// Tokens sent that the provider wrote to its cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Price in US dollars.
    pub cost_usd: Option<f64>,
}

/// What a chapter cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterCost {
    /// Cost of its calls.
    #[serde(flatten)]
    pub cost: Cost,
    /// The chapter.
    pub chapter: ChapterNo,
}

/// A book that was exported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportAnswer {
    /// The file as it was named.
    pub file: Option<String>,
    /// `txt`, `md` or `epub`.
    pub format: String,
    /// How many chapters it holds.
    pub chapters: u32,
    /// Sum of their words.
    pub words: u64,
    /// Size of the file.
    pub bytes: u64,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The cast.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CharactersAnswer {
    /// Everybody, active and retired.
    pub characters: Vec<CharacterRow>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A character in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterRow {
    /// Id of the character.
    pub id: Slug,
    /// The name in the prose.
    pub display_name: String,
    /// Other names in the prose.
    pub aliases: Vec<String>,
    /// Whether the character is still in the story.
    pub standing: Standing,
    /// Last chapter of a retired character.
    pub retired_chapter: Option<u64>,
    /// Where the state has the character.
    pub location: Option<String>,
    /// How many contracts bind the character.
    pub contracts: usize,
    /// The file, relative to the project.
    pub path: String,
}

/// Whether a character is still in the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// In the story.
    Active,
    /// Has left the story.
    Retired,
}

/// Everything about a character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterAnswer {
    /// Id of the character.
    pub id: Slug,
    /// The name in the prose.
    pub display_name: String,
    /// Other names in the prose.
    pub aliases: Vec<String>,
    /// Whether the character is still in the story.
    pub standing: Standing,
    /// Last chapter of a retired character.
    pub retired_chapter: Option<u64>,
    /// Where the state has the character.
    pub location: Option<String>,
    /// The contracts that bind the character.
    pub contracts: Vec<CharacterContract>,
    /// The file, relative to the project.
    pub path: String,
    /// What the story state holds about the character.
    pub state: Option<Value>,
    /// Chapters that name the character.
    pub chapters: Vec<u32>,
    /// What still needs the character; empty when it can retire.
    pub needed_by: Vec<Problem>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A character that left the story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetireAnswer {
    /// Id of the character.
    pub id: Slug,
    /// Its last chapter.
    pub retired_chapter: u32,
    /// The file, relative to the project.
    pub path: String,
    /// Whether it had left before.
    pub already_retired: bool,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What a character knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnowsAnswer {
    /// Id of the character.
    pub character: Slug,
    /// The name in the prose.
    pub display_name: String,
    /// When this chapter is told.
    pub at: ChapterNo,
    /// Secrets the character knows by then.
    pub knows: Vec<KnownSecret>,
    /// What the character takes for true instead.
    pub believes: Vec<WrongBelief>,
    /// Secrets the character does not know.
    pub does_not_know: Vec<KnownSecret>,
    /// What the profile says the character hides.
    pub hides: Vec<String>,
    /// Whether the book has `world/truth.json`.
    pub has_truth: bool,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A secret of the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownSecret {
    /// Its id.
    pub id: String,
    /// What is true.
    pub fact: String,
    /// The chapter in which it is learnt, zero for before the first; null where it is not known.
    pub from_chapter: Option<u32>,
}

/// Something a character is wrong about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrongBelief {
    /// Id of the secret.
    pub secret: String,
    /// What is believed instead.
    pub belief: String,
}

/// The storylines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylinesAnswer {
    /// Every storyline.
    pub storylines: Vec<StorylineRow>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A storyline in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineRow {
    /// Id of the storyline.
    pub id: Slug,
    /// Its name.
    pub name: String,
    /// Its type, such as `main_arc`.
    pub r#type: String,
    /// Its status, such as `active`.
    pub status: Option<String>,
    /// Ids of the characters it is told through.
    pub pov_characters: Vec<String>,
    /// Its weight in the current volume.
    pub role: Option<VolumeRole>,
    /// The chapters it is on stage.
    pub chapters: Vec<u32>,
    /// Words of these chapters.
    pub words: u64,
    /// Chapters since it was last on stage.
    pub chapters_since_last: Option<u32>,
}

/// Everything about a storyline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineAnswer {
    /// The storyline as in the list.
    #[serde(flatten)]
    pub row: StorylineRow,
    /// What it is about.
    pub description: Option<String>,
    /// When it plays.
    pub timeline: Option<String>,
    /// What its memory holds, Markdown.
    pub memory: Option<String>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Facts of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactsAnswer {
    /// In the order of the record.
    pub facts: Vec<FactRow>,
    /// The chapter the facts hold after, with `fact at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<ChapterNo>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactRow {
    /// `characters`, `items`, `locations`, `factions` or `world_state`.
    pub section: String,
    /// Id of whom or what it is about.
    pub subject: String,
    /// What the state calls it.
    pub name: Option<String>,
    /// The field of the record.
    pub field: String,
    /// The slot, where the field is known: `alive`, `place`, `holds`, …
    pub slot: Option<String>,
    /// The value as it is recorded.
    pub value: serde_json::Value,
    /// What the value means, where the lexicon knows it; null decides nothing.
    pub meaning: Option<String>,
    /// The chapter that brought it; null for what stood there before the first.
    pub from: Option<ChapterNo>,
    /// The last chapter it holds in; null while it holds.
    pub to: Option<ChapterNo>,
    /// `now`: the record holds what is so.
    pub frame: novel_model::files::Frame,
    /// The quotation the op gave for it.
    pub evidence: Option<String>,
    /// The line of `state/changelog.jsonl`.
    pub line: usize,
}

/// The foreshadowing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowAnswer {
    /// The items, the most urgent first.
    pub foreshadowing: Vec<ForeshadowRow>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// An item of foreshadowing, planted or planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowRow {
    /// Id of the item.
    pub id: String,
    /// What it is.
    pub description: String,
    /// How far it reaches.
    pub scope: Option<ForeshadowScope>,
    /// What the chapters did with it last; null before it is planted.
    pub status: Option<ForeshadowAction>,
    /// The chapter it was planted in, or is to be.
    pub planted_chapter: Option<ChapterNo>,
    /// The storyline it belongs to.
    pub planted_storyline: Option<Slug>,
    /// First and last chapter it should be resolved in.
    pub target_resolve_range: Option<(u32, u32)>,
    /// The chapter that touched it last.
    pub last_updated_chapter: Option<ChapterNo>,
    /// How urgent it is.
    pub due: Due,
}

/// How urgent an item of foreshadowing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// Planned, and its chapter is still to come.
    Planned,
    /// Planned for a chapter that is written, and not planted there.
    NotPlanted,
    /// Planted; its range is still to come, or it has none.
    Open,
    /// May be resolved now.
    Due,
    /// A short item past its range.
    Overdue,
    /// Resolved.
    Resolved,
}

/// What was added to the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorldAnswer {
    /// The new rules.
    pub rules: Vec<WorldRule>,
    /// Files that were written, relative to the project.
    pub written: Vec<String>,
    /// Contracts that speak of the same.
    pub touched: Vec<TouchedContract>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A contract that speaks of something new in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TouchedContract {
    /// The file, relative to the project.
    pub path: String,
    /// Id of the contract.
    pub id: String,
    /// The chapter, for the contract of a chapter.
    pub chapter: Option<ChapterNo>,
    /// The words both have.
    pub terms: Vec<String>,
}

answers!(
    ImpactAnswer { warnings },
    StatusAnswer { warnings },
    SearchAnswer { warnings },
    CostAnswer { warnings },
    ExportAnswer { warnings },
    CharactersAnswer { warnings },
    CharacterAnswer { warnings },
    RetireAnswer { warnings },
    KnowsAnswer { warnings },
    StorylinesAnswer { warnings },
    StorylineAnswer { warnings },
    ForeshadowAnswer { warnings },
    FactsAnswer { warnings },
    WorldAnswer { warnings },
);
