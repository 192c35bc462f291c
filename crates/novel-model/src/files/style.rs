//! Style profile, style drift and the blacklist of phrases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ChapterNo;

/// `style-profile.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StyleProfile {
    /// `original`, `reference`, `template` or `write_then_extract`.
    #[serde(default)]
    pub source_type: Option<String>,
    /// Baseline of the drift check.
    #[serde(default)]
    pub avg_sentence_length: Option<f64>,
    /// Shortest and longest usual sentence.
    #[serde(default)]
    pub sentence_length_range: Option<Vec<f64>>,
    /// Baseline of the drift check.
    #[serde(default)]
    pub dialogue_ratio: Option<f64>,
    /// Free text or list.
    #[serde(default)]
    pub rhetoric_preferences: Option<Value>,
    /// Never used.
    #[serde(default)]
    pub forbidden_words: Vec<String>,
    /// The author's own; never put on the blacklist.
    #[serde(default)]
    pub preferred_expressions: Vec<String>,
    /// By character.
    #[serde(default)]
    pub character_speech_patterns: Option<Value>,
    /// Voice.
    #[serde(default)]
    pub narrative_voice: Option<Value>,
    /// Directives for the writer.
    #[serde(default)]
    pub writing_directives: Vec<Value>,
    /// Exceptions to general rules.
    #[serde(default)]
    pub override_constraints: Map<String, Value>,
}

/// `style-drift.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StyleDrift {
    /// Only an active correction is injected.
    pub active: bool,
    /// The chapter that showed it.
    pub detected_chapter: ChapterNo,
    /// First and last chapter measured.
    pub window: (ChapterNo, ChapterNo),
    /// What drifted.
    pub drifts: Vec<Drift>,
    /// The agents it is given to.
    #[serde(default)]
    pub injected_to: Vec<String>,
    /// When it was found.
    #[serde(default)]
    pub created_at: Option<String>,
    /// When it was over.
    #[serde(default)]
    pub cleared_at: Option<String>,
    /// Why it was over.
    #[serde(default)]
    pub cleared_reason: Option<String>,
}

/// One drifting metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drift {
    /// `avg_sentence_length` or `dialogue_ratio`.
    pub metric: String,
    /// From the style profile.
    pub baseline: f64,
    /// Measured.
    pub current: f64,
    /// What to do about it.
    pub directive: String,
}

/// `ai-blacklist.json`. Older forms of the word list are read too, see [`Blacklist::effective_words`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blacklist {
    /// Semantic version of the list.
    #[serde(default)]
    pub version: Option<String>,
    /// `YYYY-MM-DD`.
    #[serde(default)]
    pub last_updated: Option<String>,
    /// Phrases: texts, objects with `word` or `phrase`, or lists by category.
    #[serde(default)]
    pub words: Value,
    /// Lists by category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<Map<String, Value>>,
    /// Never hits, never added.
    #[serde(default)]
    pub whitelist: Vec<String>,
    /// Older form of the whitelist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemptions: Option<Exemptions>,
    /// Append-only record of changes.
    #[serde(default)]
    pub update_log: Vec<Value>,
}

/// Older form of the whitelist.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exemptions {
    /// The phrases.
    #[serde(default)]
    pub words: Vec<String>,
}

impl Blacklist {
    /// All phrases in file order, without duplicates, whitelisted ones included.
    #[must_use]
    pub fn all_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        collect_words(&self.words, &mut words);
        for list in self.categories.iter().flat_map(Map::values) {
            collect_words(list, &mut words);
        }
        let mut seen = std::collections::BTreeSet::new();
        words.retain(|word| !word.is_empty() && seen.insert(word.clone()));
        words
    }

    /// The phrases that count as hits: all but the whitelisted ones.
    #[must_use]
    pub fn effective_words(&self) -> Vec<String> {
        let mut words = self.all_words();
        words.retain(|word| !self.is_exempt(word));
        words
    }

    /// Whether the author has whitelisted `word`.
    #[must_use]
    pub fn is_exempt(&self, word: &str) -> bool {
        let exemptions = self.exemptions.iter().flat_map(|older| &older.words);
        self.whitelist
            .iter()
            .chain(exemptions)
            .any(|exempt| exempt == word)
    }
}

fn collect_words(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(word) => words.push(word.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        Value::Object(object) => match object.get("word").or_else(|| object.get("phrase")) {
            Some(Value::String(word)) => words.push(word.clone()),
            _ => object
                .values()
                .filter(|list| list.is_array())
                .for_each(|list| collect_words(list, words)),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
#[path = "style_tests.rs"]
mod tests;
