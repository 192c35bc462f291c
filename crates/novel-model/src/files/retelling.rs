//! What the plot-architect hands in for chapters that are written: what each of them really tells, every
//! entry with a passage of the text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChapterNo, ForeshadowId, Slug, files::ForeshadowAction};

/// Written chapters told again, or parts of one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetellAnswer {
    /// The chapters, in order.
    pub chapters: Vec<ToldChapter>,
}

/// What a chapter tells, or a part of it. The program knows its title and its storyline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldChapter {
    /// Its number.
    pub chapter: ChapterNo,
    /// Whose eyes, by name.
    pub pov: String,
    /// When.
    #[serde(default)]
    pub time: Option<String>,
    /// Where it plays, in order.
    pub places: Vec<ToldPlace>,
    /// Who wanted what, and what stood against it.
    pub conflict: Told,
    /// The inner change.
    #[serde(default)]
    pub arc: String,
    /// What happened, in order.
    pub events: Vec<Told>,
    /// How people are at its end.
    pub people: Vec<ToldPerson>,
    /// What it does to foreshadowing.
    #[serde(default)]
    pub threads: Vec<ToldThread>,
    /// Other storylines whose people meet those of this one in it.
    #[serde(default)]
    pub meetings: Vec<ToldMeeting>,
    /// What it stops on.
    pub ending: Told,
}

/// Something a chapter tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Told {
    /// The passage that shows it, word for word.
    pub evidence: String,
    /// What it is, one sentence.
    pub text: String,
}

/// A place of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldPlace {
    /// The passage that shows it, word for word.
    pub evidence: String,
    /// Its name.
    pub name: String,
}

/// How somebody is at the end of a chapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldPerson {
    /// The passage that shows it, word for word.
    pub evidence: String,
    /// The name in the prose.
    pub character: String,
    /// Where they are.
    #[serde(default)]
    pub location: Option<String>,
    /// How they feel.
    #[serde(default)]
    pub emotional_state: Option<String>,
    /// Such as `alive`, `wounded`, `dead`.
    #[serde(default)]
    pub status: Option<String>,
    /// What they carry that matters.
    #[serde(default)]
    pub inventory: Option<Vec<String>>,
}

/// What a chapter does to a foreshadowing item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldThread {
    /// The passage that shows it, word for word.
    pub evidence: String,
    /// The item.
    pub id: ForeshadowId,
    /// What happens to it.
    pub action: ForeshadowAction,
    /// What it is, as the reader sees it; for one nobody has registered.
    #[serde(default)]
    pub description: String,
}

/// Another storyline met in a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldMeeting {
    /// The passage that shows it, word for word.
    pub evidence: String,
    /// The other storyline.
    pub storyline: Slug,
    /// What brings them together, one sentence.
    #[serde(default)]
    pub trigger: String,
}
