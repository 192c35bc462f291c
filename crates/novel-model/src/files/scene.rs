//! `staging/scenes/chapter-NNN/`: a chapter that is drafted scene by scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChapterNo, ContentHash, SceneNo};

/// What the scenes of a chapter are to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScenePlan {
    /// The chapter.
    pub chapter_number: ChapterNo,
    /// Its title, without number.
    pub chapter_title: String,
    /// Its scenes, in order.
    pub scenes: Vec<PlannedScene>,
}

/// What one scene is to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedScene {
    /// Its number in the chapter, from one.
    pub scene_number: SceneNo,
    /// Where it plays.
    #[serde(default)]
    pub location: String,
    /// Who is on stage.
    #[serde(default)]
    pub characters: Vec<String>,
    /// What it is for: how things are different afterwards.
    pub purpose: String,
    /// What happens, in order.
    #[serde(default)]
    pub key_actions: Vec<String>,
    /// Its length.
    pub estimated_words: u64,
    /// Such as `action`, `dialogue`, `discovery`.
    #[serde(default)]
    pub scene_type: String,
    /// How much is at stake.
    #[serde(default)]
    pub intensity: Intensity,
}

/// How much is at stake in a scene.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intensity {
    /// Little.
    Low,
    /// Something.
    #[default]
    Medium,
    /// Everything.
    High,
}

/// A scene that waits for the others: a `GeneratedScene` with what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StagedScene {
    /// The chapter; a scene made by hand may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chapter_number: Option<ChapterNo>,
    /// Its number in the chapter, from one.
    pub scene_number: SceneNo,
    /// Its text.
    pub content: String,
    /// Counted by the program.
    pub word_count: u64,
    /// Hash of the planned scene it was written for; a scene made by hand may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_hash: Option<ContentHash>,
}
