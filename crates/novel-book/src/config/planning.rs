//! How volumes are planned and where the style comes from.

use serde::{Deserialize, Serialize};

/// How volumes are planned.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanConfig {
    /// Chapters of a volume.
    pub chapters: Option<u32>,
    /// Chapters planned in one call.
    pub chunk: Option<u32>,
    /// What a plan may be made of.
    pub material: PlanMaterial,
}

/// What a plan may be made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanMaterial {
    /// New people, storylines and foreshadowing too.
    #[default]
    Open,
    /// Only what the book has already.
    Known,
}

impl PlanMaterial {
    /// The word in `novel.toml`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Known => "known",
        }
    }
}

impl PlanConfig {
    /// Chapters of a volume unless the author says otherwise.
    pub const CHAPTERS: u32 = 30;
    /// Chapters planned in one call unless the author says otherwise: an answer for more does not
    /// fit what most endpoints let a model write.
    pub const CHUNK: u32 = 10;

    /// Chapters of a volume; at least one.
    #[must_use]
    pub fn chapters(&self) -> u32 {
        self.chapters.unwrap_or(Self::CHAPTERS).max(1)
    }

    /// Chapters planned in one call; at least one.
    #[must_use]
    pub fn chunk(&self) -> u32 {
        self.chunk.unwrap_or(Self::CHUNK).max(1)
    }
}

/// Where the style comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StyleConfig {
    /// Which way; without it samples decide, then `reference`, then the template.
    pub source: Option<StyleSource>,
    /// A built-in template, by name.
    pub template: Option<String>,
    /// An author whose manner is the model.
    pub reference: Option<String>,
}

/// Where a style comes from; the word is `source_type` in the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StyleSource {
    /// The author's own texts in `samples/`.
    Original,
    /// An author the model knows.
    Reference,
    /// A built-in template.
    Template,
    /// Write first; the profile is measured on the first chapters.
    WriteThenExtract,
}

impl StyleSource {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Reference => "reference",
            Self::Template => "template",
            Self::WriteThenExtract => "write_then_extract",
        }
    }
}
