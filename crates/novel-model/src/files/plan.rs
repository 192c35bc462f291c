//! What the agents of the quick start and of planning hand in, and the cast a plan introduces.
//!
//! One answer becomes several files. Ids that only have to be unique (rules, contracts, objectives)
//! are given by the program, so an answer does not carry them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ChapterNo, ForeshadowId, Slug,
    files::{ConstraintType, ForeshadowAction, ForeshadowScope, Intensity, VolumeRole},
};

/// What the world-builder hands in with `novel submit quickstart:world`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorldAnswer {
    /// `world/geography.md`, Markdown; an addition to it when a world is extended.
    #[serde(default)]
    pub geography: String,
    /// `world/history.md`, in the same way.
    #[serde(default)]
    pub history: String,
    /// `world/rules.md`, in the same way.
    #[serde(default)]
    pub rules_text: String,
    /// The L1 rules, only the new ones when a world is extended.
    pub rules: Vec<RuleDraft>,
    /// The main line; null when a world is extended.
    #[serde(default)]
    pub main_arc: Option<MainArc>,
}

/// An L1 rule without its id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleDraft {
    /// Such as `magic_system`.
    pub category: String,
    /// The rule.
    pub rule: String,
    /// Hard or soft.
    pub constraint_type: ConstraintType,
    /// Where it does not hold.
    #[serde(default)]
    pub exceptions: Vec<String>,
}

/// The line the book is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MainArc {
    /// Its name.
    pub name: String,
    /// What it is about, one or two sentences.
    pub description: String,
    /// When it plays.
    #[serde(default)]
    pub timeline: Option<String>,
    /// The powers in it.
    #[serde(default)]
    pub factions: Vec<String>,
}

/// What the character-weaver hands in with `novel submit quickstart:characters`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CastAnswer {
    /// The people, the protagonist first.
    pub characters: Vec<NewCharacter>,
    /// How they stand to each other.
    #[serde(default)]
    pub relationships: Vec<Relationship>,
}

/// `characters/relationships.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Relationships {
    /// How people stand to each other.
    #[serde(default)]
    pub relationships: Vec<Relationship>,
}

/// How one person stands to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Relationship {
    /// One of them.
    pub from: Slug,
    /// The other.
    pub to: Slug,
    /// In one sentence.
    pub description: String,
}

/// `volumes/vol-NN/new-characters.json`: the cast a plan introduces. The commit of the plan makes
/// their files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewCharacters {
    /// The people.
    #[serde(default)]
    pub characters: Vec<NewCharacter>,
}

/// Somebody new.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewCharacter {
    /// Their id, the name of their file.
    pub id: Slug,
    /// The name in the prose.
    pub display_name: String,
    /// Other names in the prose.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Who they are, Markdown.
    #[serde(default)]
    pub profile: String,
    /// L2 contracts.
    #[serde(default)]
    pub contracts: Vec<ContractDraft>,
}

/// An L2 contract without its id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContractDraft {
    /// Such as `capability` or `personality`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rule.
    pub rule: String,
    /// Where it does not hold.
    #[serde(default)]
    pub exceptions: Vec<String>,
    /// What must happen before it may change.
    #[serde(default)]
    pub update_requires: Option<String>,
}

/// What the style-analyzer hands in with `novel submit quickstart:style`. Measures are not in it:
/// the program takes them from the samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StyleAnswer {
    /// Voice.
    pub narrative_voice: String,
    /// Devices the style lives on.
    #[serde(default)]
    pub rhetoric_preferences: Vec<String>,
    /// What the author likes to say.
    #[serde(default)]
    pub preferred_expressions: Vec<String>,
    /// Never used.
    #[serde(default)]
    pub forbidden_words: Vec<String>,
    /// How people talk.
    #[serde(default)]
    pub speech_patterns: Vec<SpeechPattern>,
    /// Directives for the writer.
    pub writing_directives: Vec<String>,
}

/// How somebody talks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpeechPattern {
    /// The name in the prose.
    pub character: String,
    /// How.
    pub pattern: String,
}

/// What the plot-architect hands in with `novel submit volume:VV:plan`: a volume, or the next chunk
/// of one. Outline, schedule, foreshadowing plan and contracts are written from it by the program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanAnswer {
    /// Title of the volume.
    pub title: String,
    /// What the volume is about.
    #[serde(default)]
    pub premise: String,
    /// The lines on stage.
    pub storylines: Vec<PlannedLine>,
    /// Lines that rest in this volume.
    #[serde(default)]
    pub dormant_storylines: Vec<Slug>,
    /// Where lines meet.
    #[serde(default)]
    pub convergences: Vec<PlannedConvergence>,
    /// What is planted, and when it is to be resolved.
    #[serde(default)]
    pub foreshadowing: Vec<PlannedSeed>,
    /// People nobody knows yet.
    #[serde(default)]
    pub new_characters: Vec<NewCharacter>,
    /// The chapters, in order.
    pub chapters: Vec<PlannedChapter>,
}

/// A line on stage in the volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedLine {
    /// Its id; a known one keeps what `storylines.json` says of it.
    pub id: Slug,
    /// Its name.
    pub name: String,
    /// Its weight.
    pub volume_role: VolumeRole,
    /// Who tells it, by name.
    #[serde(default)]
    pub pov_characters: Vec<String>,
    /// What it is about.
    pub description: String,
}

/// Where lines meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedConvergence {
    /// First chapter.
    pub first_chapter: ChapterNo,
    /// Last chapter.
    pub last_chapter: ChapterNo,
    /// The lines that meet.
    pub storylines: Vec<Slug>,
    /// What brings them together.
    pub trigger: String,
    /// What is left after it.
    pub aftermath: String,
}

/// Something to be planted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedSeed {
    /// Its id.
    pub id: ForeshadowId,
    /// What it is, as the reader sees it.
    pub description: String,
    /// How far it reaches.
    pub scope: ForeshadowScope,
    /// When it is planted.
    pub planted_chapter: ChapterNo,
    /// On which line.
    pub planted_storyline: Slug,
    /// First chapter in which it may be resolved.
    pub resolve_from: u32,
    /// Last chapter in which it may be resolved.
    pub resolve_to: u32,
}

/// A chapter of the plan: its outline block and its contract come from this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedChapter {
    /// Its number.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its line.
    pub storyline_id: Slug,
    /// Whose eyes, by name.
    pub pov: String,
    /// When.
    #[serde(default)]
    pub time: Option<String>,
    /// Where; several places in order are separated by ` → `.
    pub location: String,
    /// Who wants what, and what stands against it.
    pub conflict: String,
    /// The inner change.
    pub arc: String,
    /// What holds before it, one entry for everybody who takes part.
    pub before: Vec<PersonState>,
    /// What must happen.
    pub objectives: Vec<ObjectiveDraft>,
    /// What holds after it.
    pub after: Vec<PersonState>,
    /// What it does to foreshadowing.
    #[serde(default)]
    pub foreshadowing: Vec<SeedUpdate>,
    /// L1 rules that matter in it.
    #[serde(default)]
    pub required_world_rules: Vec<String>,
    /// How it is accepted.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// The bridge to the next chapter.
    pub transition: String,
    /// How much is at stake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<Intensity>,
    /// What each scene is to reach, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scene_goals: Vec<String>,
    /// What the reader gets for having waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff: Option<String>,
}

/// How somebody is before or after a chapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonState {
    /// The name in the prose.
    pub character: String,
    /// Where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// How they feel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotional_state: Option<String>,
    /// Such as `alive`, `wounded`, `dead`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What they carry that matters, all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Vec<String>>,
}

/// An objective without its id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectiveDraft {
    /// Such as `plot`, `foreshadowing`, `character_development`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the chapter fails without it.
    pub required: bool,
    /// What happens, as an event.
    pub description: String,
}

/// What a chapter does to a foreshadowing item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeedUpdate {
    /// The item.
    pub id: ForeshadowId,
    /// What happens to it.
    pub action: ForeshadowAction,
}

/// `staging/volumes/vol-NN/plan.json`: a volume that is being planned in chunks, as far as it is
/// planned. It goes with the commit of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDraft {
    /// The first chapter this plan is about; earlier ones of the volume are written already.
    pub first_chapter: ChapterNo,
    /// The last chapter of the volume.
    pub last_chapter: ChapterNo,
    /// Everything handed in so far.
    pub plan: PlanAnswer,
    /// Whether the character-weaver has written out the people the plan brings.
    #[serde(default)]
    pub woven: bool,
}
