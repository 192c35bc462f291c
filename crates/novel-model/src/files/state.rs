//! State of the story world and the deltas that change it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ChapterNo, ForeshadowId, Slug};

/// `state/current-state.json`. Entities are open objects; the program reads few of their fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryState {
    /// Format of this file.
    #[serde(default = "one")]
    pub schema_version: u32,
    /// Counts committed deltas.
    pub state_version: u64,
    /// The chapter whose delta came last.
    pub last_updated_chapter: u32,
    /// By character id.
    #[serde(default)]
    pub characters: Map<String, Value>,
    /// By item id.
    #[serde(default)]
    pub items: Map<String, Value>,
    /// By location id.
    #[serde(default)]
    pub locations: Map<String, Value>,
    /// By faction id.
    #[serde(default)]
    pub factions: Map<String, Value>,
    /// Facts about the world, such as `time_marker`.
    #[serde(default)]
    pub world_state: Map<String, Value>,
    /// Planted and not yet resolved.
    #[serde(default)]
    pub active_foreshadowing: Vec<String>,
}

fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

impl StoryState {
    /// The state before the first chapter.
    #[must_use]
    pub fn initial() -> Self {
        Self {
            schema_version: 1,
            state_version: 0,
            last_updated_chapter: 0,
            characters: Map::new(),
            items: Map::new(),
            locations: Map::new(),
            factions: Map::new(),
            world_state: Map::new(),
            active_foreshadowing: Vec::new(),
        }
    }
}

/// `staging/state/chapter-NNN-delta.json`. Single ops are judged one by one when they are applied:
/// a bad one is dropped with a warning, so they stay raw here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateDelta {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The state version it was made against.
    pub base_state_version: u64,
    /// The chapter's line.
    pub storyline_id: Slug,
    /// The changes.
    pub ops: Vec<Value>,
}

/// What happened to a foreshadowing item.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ForeshadowAction {
    /// First laid.
    Planted,
    /// Touched again.
    Advanced,
    /// Paid off.
    Resolved,
}

impl ForeshadowAction {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Advanced => "advanced",
            Self::Resolved => "resolved",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Planted, Self::Advanced, Self::Resolved]
            .into_iter()
            .find(|action| action.word() == word)
    }
}

/// How far a foreshadowing item reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeshadowScope {
    /// A few chapters; can be overdue.
    Short,
    /// A volume.
    Medium,
    /// The book; never overdue.
    Long,
}

impl ForeshadowScope {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
        }
    }
}

/// `foreshadowing/global.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Foreshadowing {
    /// The items, in the order they first appeared.
    #[serde(default)]
    pub foreshadowing: Vec<ForeshadowItem>,
}

/// One foreshadowing item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowItem {
    /// Its id.
    pub id: ForeshadowId,
    /// What it is.
    #[serde(default)]
    pub description: String,
    /// How far it reaches.
    #[serde(default)]
    pub scope: Option<ForeshadowScope>,
    /// Where it stands.
    pub status: ForeshadowAction,
    /// When it was planted.
    #[serde(default)]
    pub planted_chapter: Option<ChapterNo>,
    /// On which line.
    #[serde(default)]
    pub planted_storyline: Option<Slug>,
    /// When it should be resolved.
    #[serde(default)]
    pub target_resolve_range: Option<(u32, u32)>,
    /// The chapter that touched it last.
    #[serde(default)]
    pub last_updated_chapter: Option<ChapterNo>,
    /// Everything that happened to it.
    #[serde(default)]
    pub history: Vec<ForeshadowEvent>,
}

/// One event in the life of a foreshadowing item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowEvent {
    /// The chapter.
    pub chapter: ChapterNo,
    /// What happened.
    pub action: ForeshadowAction,
    /// How.
    #[serde(default)]
    pub detail: Option<String>,
    /// A quotation from the chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The quotation was not found in the chapter, or there is none; written by the program.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unproven: bool,
}

/// `volumes/vol-NN/foreshadowing.json`: the plan, not the facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForeshadowPlan {
    /// The planned items.
    #[serde(default)]
    pub foreshadowing: Vec<PlannedForeshadow>,
}

/// One planned item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedForeshadow {
    /// Its id.
    pub id: ForeshadowId,
    /// What it is.
    #[serde(default)]
    pub description: String,
    /// How far it reaches.
    #[serde(default)]
    pub scope: Option<ForeshadowScope>,
    /// When it is to be planted.
    #[serde(default)]
    pub planted_chapter: Option<ChapterNo>,
    /// On which line.
    #[serde(default)]
    pub planted_storyline: Option<Slug>,
    /// When it should be resolved.
    #[serde(default)]
    pub target_resolve_range: Option<(u32, u32)>,
}

/// `state/chapter-NNN-crossref.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CrossReferences {
    /// The chapter's line.
    pub storyline_id: Slug,
    /// What of other lines is mentioned.
    #[serde(default)]
    pub cross_references: Vec<CrossReference>,
    /// Risk that knowledge leaked between lines.
    #[serde(default)]
    pub leak_risk: LeakRisk,
    /// What leaked.
    #[serde(default)]
    pub leak_detail: Option<String>,
    /// Names nobody has registered.
    #[serde(default)]
    pub unknown_entities: Vec<UnknownEntity>,
}

/// Risk of a leak between storylines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeakRisk {
    /// None.
    #[default]
    None,
    /// Some.
    Low,
    /// Plain.
    High,
}

/// One mention of another line's entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CrossReference {
    /// Who or what.
    pub entity: String,
    /// Whose.
    #[serde(default)]
    pub source_storyline: Option<String>,
    /// Where.
    #[serde(default)]
    pub context: Option<String>,
}

/// A name nobody has registered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownEntity {
    /// The name.
    pub mention: String,
    /// Where.
    #[serde(default)]
    pub context: Option<String>,
    /// What it may be.
    #[serde(default)]
    pub suggested_type: Option<String>,
}
