//! Storylines, their rules (LS) and their schedule in a volume.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ChapterNo, Slug, files::ConstraintType};

/// `storylines/storylines.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Storylines {
    /// The lines.
    pub storylines: Vec<Storyline>,
    /// How they touch.
    #[serde(default)]
    pub relationships: Vec<StorylineRelationship>,
}

/// One storyline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Storyline {
    /// Its id.
    pub id: Slug,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Such as `main_arc`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// Its reach.
    #[serde(default)]
    pub scope: Option<String>,
    /// Who tells it.
    #[serde(default)]
    pub pov_characters: Vec<String>,
    /// Its factions.
    #[serde(default)]
    pub affiliated_factions: Vec<String>,
    /// When it plays.
    #[serde(default)]
    pub timeline: Option<String>,
    /// Such as `active` or `dormant`.
    #[serde(default)]
    pub status: Option<String>,
    /// What it is about.
    #[serde(default)]
    pub description: Option<String>,
}

/// How two storylines touch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineRelationship {
    /// One line.
    pub from: Slug,
    /// The other line.
    pub to: Slug,
    /// Kind of relationship.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// What they share.
    #[serde(default)]
    pub bridges: Bridges,
}

/// What two storylines share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bridges {
    /// Characters.
    #[serde(default)]
    pub shared_characters: Vec<String>,
    /// Foreshadowing ids.
    #[serde(default)]
    pub shared_foreshadowing: Vec<String>,
    /// Events.
    #[serde(default)]
    pub shared_events: Vec<String>,
}

/// `storylines/storyline-spec.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineSpec {
    /// The LS rules.
    #[serde(default)]
    pub rules: Vec<StorylineRule>,
}

/// One LS rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineRule {
    /// Such as `LS-001`.
    pub id: String,
    /// The rule.
    pub rule: String,
    /// Hard or soft.
    #[serde(default)]
    pub constraint_type: Option<ConstraintType>,
}

/// `volumes/vol-NN/storyline-schedule.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StorylineSchedule {
    /// The lines on stage in this volume.
    #[serde(default)]
    pub active_storylines: Vec<ActiveStoryline>,
    /// How they alternate.
    #[serde(default)]
    pub interleaving_pattern: Map<String, Value>,
    /// Where they meet.
    #[serde(default)]
    pub convergence_events: Vec<ConvergenceEvent>,
    /// The lines that rest.
    #[serde(default)]
    pub dormant_storylines: Vec<Slug>,
}

/// A line on stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActiveStoryline {
    /// The line.
    pub storyline_id: Slug,
    /// Its weight in the volume.
    #[serde(default)]
    pub volume_role: Option<VolumeRole>,
}

/// Weight of a line in a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VolumeRole {
    /// The main line.
    Primary,
    /// A second line.
    Secondary,
    /// Now and then.
    Seasoning,
}

/// Where storylines meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConvergenceEvent {
    /// First and last chapter, both included.
    #[serde(default)]
    pub chapter_range: Option<(ChapterNo, ChapterNo)>,
    /// The lines that meet.
    #[serde(default)]
    pub involved_storylines: Vec<Slug>,
    /// What brings them together.
    #[serde(default)]
    pub trigger: Option<String>,
    /// What is left after it.
    #[serde(default)]
    pub aftermath: Option<String>,
}

impl ConvergenceEvent {
    /// Whether `chapter` lies in the event's range, bounds included.
    #[must_use]
    pub fn contains(&self, chapter: ChapterNo) -> bool {
        self.chapter_range
            .is_some_and(|(first, last)| (first..=last).contains(&chapter))
    }
}
