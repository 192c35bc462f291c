//! What is read out of an imported book: people, places, rules and threads, with quotations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ChapterNo, ForeshadowId, Slug,
    files::{ConstraintType, ForeshadowAction, ForeshadowScope},
};

/// What the book-reader hands in for a chapter or a part of one. It carries no ids: the program gives
/// them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadingAnswer {
    /// People who matter.
    #[serde(default)]
    pub people: Vec<PersonRead>,
    /// Places the story is set in.
    #[serde(default)]
    pub places: Vec<PlaceRead>,
    /// What holds in this world and not in ours.
    #[serde(default)]
    pub rules: Vec<RuleRead>,
    /// Questions the text opens, takes up again or answers.
    #[serde(default)]
    pub threads: Vec<ThreadRead>,
    /// How the story stands at the end of this text.
    #[serde(default)]
    pub ending: Option<EndingRead>,
}

/// Somebody in a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonRead {
    /// A passage that shows them, word for word.
    pub evidence: String,
    /// Their name in the prose.
    pub name: String,
    /// Other names in the prose.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Who they are, one or two sentences.
    #[serde(default)]
    pub description: String,
    /// What the prose can be held to later.
    #[serde(default)]
    pub traits: Vec<TraitRead>,
    /// How they stand to others.
    #[serde(default)]
    pub relations: Vec<RelationRead>,
}

/// What somebody can or cannot do, is or never does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraitRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// Such as `capability` or `personality`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rule, one sentence.
    pub rule: String,
}

/// How one person stands to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelationRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// The name of the other.
    pub to: String,
    /// In one sentence.
    pub description: String,
}

/// A place in a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// Its name in the prose.
    pub name: String,
    /// Other names in the prose.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The name of the place it is in.
    #[serde(default)]
    pub inside: Option<String>,
    /// What it is, one sentence.
    #[serde(default)]
    pub description: String,
}

/// A rule of the world, as a chapter shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// Such as `magic_system` or `society`.
    #[serde(default)]
    pub category: String,
    /// The rule, one sentence.
    pub rule: String,
    /// Hard or soft.
    pub constraint_type: ConstraintType,
}

/// What a chapter does to a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// The number of a thread that was found before; null for a new one.
    #[serde(default)]
    pub number: Option<u32>,
    /// What is open, as the reader sees it, one sentence.
    #[serde(default)]
    pub description: String,
    /// What happens to it.
    pub action: ForeshadowAction,
    /// How far it reaches.
    #[serde(default)]
    pub scope: Option<ForeshadowScope>,
}

/// How the story stands where the text ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndingRead {
    /// A passage that shows it, word for word.
    pub evidence: String,
    /// Whether it is told to its end.
    pub story: StoryEnd,
}

/// Whether a story is told to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoryEnd {
    /// It breaks off, or goes on.
    #[default]
    Open,
    /// It is told to its end.
    Finished,
}

/// `logs/imported-reading.json`: what was read out of the imported chapters, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedReading {
    /// The last chapter that was read.
    pub through: ChapterNo,
    /// Whether the story is told to its end.
    #[serde(default)]
    pub story: StoryEnd,
    /// People, those of the cast and those who are in too few chapters for it.
    #[serde(default)]
    pub people: Vec<FoundPerson>,
    /// Places.
    #[serde(default)]
    pub places: Vec<FoundThing>,
    /// Rules of the world.
    #[serde(default)]
    pub rules: Vec<FoundThing>,
    /// Threads.
    #[serde(default)]
    pub threads: Vec<FoundThread>,
    /// Chapters, or parts of them, no usable answer was given for.
    #[serde(default)]
    pub unread: Vec<ChapterNo>,
}

/// Somebody who was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundPerson {
    /// The id in the cast; null for somebody who is not in it.
    pub id: Option<Slug>,
    /// The name in the prose.
    pub name: String,
    /// In how many chapters the name stands.
    pub chapters: u32,
    /// Where it shows.
    pub quotations: Vec<Quotation>,
}

/// A place or a rule that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundThing {
    /// Its id in the book.
    pub id: String,
    /// Its name, or the rule.
    pub name: String,
    /// Where it shows.
    pub quotations: Vec<Quotation>,
}

/// A thread that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundThread {
    /// Its id.
    pub id: ForeshadowId,
    /// What it is.
    pub description: String,
    /// What happened to it, in order.
    pub events: Vec<FoundEvent>,
}

/// What a chapter did to a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundEvent {
    /// The chapter.
    pub chapter: ChapterNo,
    /// What happened.
    pub action: ForeshadowAction,
    /// A quotation of the chapter.
    pub evidence: String,
}

/// A passage of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quotation {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The passage, as it stands there.
    pub text: String,
}
