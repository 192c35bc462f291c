//! `chapters/chapter_NNN.json`: the only truth of a chapter's text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ChapterNo;

/// A chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GeneratedChapter {
    /// Its number.
    pub chapter_number: ChapterNo,
    /// Its title, without number.
    pub chapter_title: String,
    /// Its scenes, in order.
    pub scenes: Vec<GeneratedScene>,
    /// Sum of the scenes' word counts.
    pub total_words: u64,
}

/// A scene of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GeneratedScene {
    /// Its number in the chapter, from one.
    pub scene_number: u32,
    /// Its text.
    pub content: String,
    /// Counted by the program.
    pub word_count: u64,
}
