//! What really happened, and who knows of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `world/truth.json`: the author's own account, for the planner, the judge and the auditor; the writer
/// is told of it what the point of view may know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Truth {
    /// Format of this file.
    #[serde(default = "one")]
    pub version: u32,
    /// What happened, whoever knows of it.
    #[serde(default)]
    pub events: Vec<TruthEvent>,
    /// What not everybody knows.
    #[serde(default)]
    pub secrets: Vec<Secret>,
    /// Where the reader may see through a secret.
    #[serde(default)]
    pub clues: Vec<Clue>,
}

fn one() -> u32 {
    1
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TruthEvent {
    /// Such as `E-1`.
    pub id: String,
    /// When, in the time of the story.
    #[serde(default)]
    pub when: String,
    /// What.
    pub what: String,
}

/// Something not everybody knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Secret {
    /// Such as `S-1`.
    pub id: String,
    /// What is true.
    pub fact: String,
    /// Who knows it, and from when on.
    #[serde(default)]
    pub known_by: Vec<Knower>,
    /// The chapter in which the reader learns it; never, where there is none.
    #[serde(default)]
    pub reader_from_chapter: Option<u32>,
    /// Who believes something else.
    #[serde(default)]
    pub false_beliefs: Vec<FalseBelief>,
}

/// Somebody who knows a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Knower {
    /// By id, display name or alias.
    pub character: String,
    /// The chapter in which they learn it; from the beginning, where there is none.
    #[serde(default)]
    pub from_chapter: Option<u32>,
}

/// Somebody who is wrong about a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FalseBelief {
    /// By id, display name or alias.
    pub character: String,
    /// What they take for true.
    pub belief: String,
}

/// A hint at a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clue {
    /// The id of the secret.
    pub secret: String,
    /// The chapter that has it.
    #[serde(default)]
    pub chapter: Option<u32>,
    /// How it is given.
    pub how: String,
}
