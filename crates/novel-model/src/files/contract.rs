//! Chapter contracts (L3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ChapterNo, Slug, files::Intensity};

/// `volumes/vol-NN/chapter-contracts/chapter-NNN.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterContract {
    /// The chapter it binds.
    pub chapter: ChapterNo,
    /// The line it belongs to.
    pub storyline_id: Slug,
    /// Where the line stands.
    #[serde(default)]
    pub storyline_context: Option<StorylineContext>,
    /// How the chapter hands over.
    #[serde(default)]
    pub transition_hint: Option<TransitionHint>,
    /// What holds before it.
    #[serde(default)]
    pub preconditions: Preconditions,
    /// What it must do.
    pub objectives: Vec<Objective>,
    /// What holds after it.
    #[serde(default)]
    pub postconditions: Postconditions,
    /// How it is accepted.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<ChapterFunction>,
    /// The passages of the written chapter this was made from, where it was made from one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told_from: Vec<ToldFrom>,
}

/// A passage that an entry of a contract was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToldFrom {
    /// The entry: the id of an objective, `conflict`, `ending`, a place, a name, a foreshadowing id, a storyline.
    pub of: String,
    /// The passage, as the text has it.
    pub quotation: String,
}

/// What a chapter is for in the book.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterFunction {
    /// How much is at stake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<Intensity>,
    /// What each scene is to reach, in order.
    #[serde(default)]
    pub scene_goals: Vec<String>,
    /// What the reader gets for having waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff: Option<String>,
    /// What makes the reader go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
}

/// Where a storyline stands before a chapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineContext {
    /// The line's last chapter, in short.
    #[serde(default)]
    pub last_chapter_summary: Option<String>,
    /// Chapters since the line was last on stage.
    #[serde(default)]
    pub chapters_since_last: Option<u32>,
    /// Such as `40%`.
    #[serde(default)]
    pub line_arc_progress: Option<String>,
    /// One sentence per other line, or one text.
    #[serde(default)]
    pub concurrent_state: Option<Value>,
}

/// How a chapter hands over to the next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TransitionHint {
    /// The line that comes next.
    #[serde(default)]
    pub next_storyline: Option<Slug>,
    /// The bridge.
    #[serde(default)]
    pub bridge: Option<String>,
}

/// What must hold before a chapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Preconditions {
    /// By display name.
    #[serde(default)]
    pub character_states: Option<Map<String, Value>>,
    /// L1 rules that matter.
    #[serde(default)]
    pub required_world_rules: Vec<String>,
}

/// One objective.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Objective {
    /// Such as `OBJ-48-1`.
    pub id: String,
    /// Such as `plot`, `foreshadowing`, `character_development`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// Whether the chapter fails without it.
    #[serde(default)]
    pub required: bool,
    /// What to reach.
    pub description: String,
}

/// What must hold after a chapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Postconditions {
    /// By display name.
    #[serde(default)]
    pub state_changes: Map<String, Value>,
    /// Foreshadowing id to `planted`, `advanced` or `resolved`.
    #[serde(default)]
    pub foreshadowing_updates: Map<String, Value>,
}
