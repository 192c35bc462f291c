//! The people a chapter's plan names: who they are, how they talk, how they stand to each other.

use novel_model::{
    BookReader, Document, Slug,
    files::{Relationships, StoryState, StyleProfile},
    layout,
};
use serde_json::Value;

use super::{Cast, ContextError};

/// Somebody a chapter needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The id.
    pub id: Slug,
    /// The name in the prose.
    pub name: String,
    /// Other names in the prose.
    pub aliases: Vec<String>,
    /// `characters/active/{id}.md`, where there is one.
    pub profile: Option<String>,
    /// How they talk, where the book says it.
    pub speech: Option<String>,
}

/// How one person stands to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// One of them.
    pub from: Slug,
    /// The other.
    pub to: Slug,
    /// In words; as a number where the state keeps one.
    pub how: String,
}

/// The people with these ids, in this order.
///
/// # Errors
/// When a profile or the style profile cannot be read.
pub fn people(
    reader: &dyn BookReader,
    cast: &Cast,
    ids: &[Slug],
) -> Result<Vec<Person>, ContextError> {
    let style = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
    let patterns = style.and_then(|style| style.get().character_speech_patterns.clone());
    let mut people = Vec::new();
    for id in ids {
        let Some(character) = cast.member(id) else {
            continue;
        };
        let name = character.display_name.trim().to_owned();
        let by_contract = || {
            let rules = character.contracts.iter();
            let mut speech = rules.filter(|rule| rule.kind == "speech");
            speech.next().map(|rule| rule.rule.clone())
        };
        let speech = patterns
            .as_ref()
            .and_then(|patterns| pattern_of(patterns, id, &name))
            .or_else(by_contract);
        people.push(Person {
            id: id.clone(),
            aliases: character.aliases.clone(),
            profile: reader.text(&layout::character_profile(id))?,
            speech,
            name,
        });
    }
    Ok(people)
}

/// How somebody talks: a map by name or id, or a list of entries with `character` and `pattern`.
fn pattern_of(patterns: &Value, id: &Slug, name: &str) -> Option<String> {
    let found = match patterns {
        Value::Object(by_name) => by_name.get(name).or_else(|| by_name.get(id.as_str())),
        Value::Array(list) => list
            .iter()
            .find(|entry| {
                let said = entry.get("character").and_then(Value::as_str);
                said.is_some_and(|said| said.trim() == name || said == id.as_str())
            })
            .and_then(|entry| entry.get("pattern")),
        _ => None,
    }?;
    Some(match found {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

/// How these people stand to each other: what the relationships say, then what the state keeps.
///
/// # Errors
/// When one of the two files is broken.
pub fn relations(reader: &dyn BookReader, ids: &[Slug]) -> Result<Vec<Relation>, ContextError> {
    let mut relations = Vec::new();
    let stored = Document::<Relationships>::load(reader, &layout::relationships())?;
    for entry in stored.iter().flat_map(|file| &file.get().relationships) {
        if ids.contains(&entry.from) && ids.contains(&entry.to) {
            relations.push(Relation {
                from: entry.from.clone(),
                to: entry.to.clone(),
                how: entry.description.trim().to_owned(),
            });
        }
    }
    let state = Document::<StoryState>::load_shared(reader, &layout::state())?;
    for from in state.iter().flat_map(|_| ids) {
        let kept = state
            .as_ref()
            .and_then(|state| state.characters.get(from.as_str()))
            .and_then(|entity| entity.get("relationships"))
            .and_then(Value::as_object);
        for (to, how) in kept.into_iter().flatten() {
            if let Some(to) = ids.iter().find(|id| id.as_str() == to) {
                relations.push(Relation {
                    from: from.clone(),
                    to: to.clone(),
                    how: match how {
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    },
                });
            }
        }
    }
    Ok(relations)
}
