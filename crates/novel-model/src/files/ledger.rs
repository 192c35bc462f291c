//! Places of the world, and what a chapter takes for granted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChapterNo, Slug};

/// `world/places.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Places {
    /// The form of the file.
    #[serde(default)]
    pub version: u32,
    /// The places.
    #[serde(default)]
    pub places: Vec<NamedPlace>,
    /// Ways between them.
    #[serde(default)]
    pub travel: Vec<Travel>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedPlace {
    /// Its id.
    pub id: Slug,
    /// Its name in the prose.
    pub name: String,
    /// Other names in the prose.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The place it is in.
    #[serde(default)]
    pub inside: Option<Slug>,
}

/// A way between two places, both ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Travel {
    /// One end.
    pub from: Slug,
    /// The other.
    pub to: Slug,
    /// Days it takes at the fastest.
    pub days: f64,
    /// How: on foot, by ship.
    #[serde(default)]
    pub how: Option<String>,
}

/// `state/chapter-NNN-claims.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claims {
    /// The chapter.
    pub chapter: ChapterNo,
    /// What it takes for granted, at most [`Claims::MOST`].
    #[serde(default)]
    pub claims: Vec<Claim>,
}

impl Claims {
    /// The most claims a chapter can have.
    pub const MOST: usize = 20;

    /// What can be read of an answer, at most [`Claims::MOST`]: a list, or an object with one. What
    /// is no claim is left out.
    #[must_use]
    pub fn read(chapter: ChapterNo, answer: &Value) -> Self {
        let list = answer
            .as_array()
            .or_else(|| answer.get("claims")?.as_array());
        let claims = list.into_iter().flatten();
        Self {
            chapter,
            claims: claims
                .filter_map(|claim| serde_json::from_value(claim.clone()).ok())
                .take(Self::MOST)
                .collect(),
        }
    }
}

/// One thing a chapter takes for granted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Id or name of whom or what it is about.
    pub subject: String,
    /// The slot of the ledger.
    pub slot: String,
    /// The value.
    pub value: Value,
    /// In which frame it is told.
    #[serde(default)]
    pub frame: Frame,
    /// A quotation of the chapter.
    #[serde(default)]
    pub evidence: String,
}

/// The frame in which something is told.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// Here and now.
    #[default]
    Now,
    /// In the past of the story.
    Past,
    /// Dreamt or imagined.
    Dream,
    /// Somebody says so.
    Reported,
    /// Supposed.
    Hypothetical,
    /// Somebody lies.
    Lie,
}
