//! The part of the story state that a chapter needs.
//!
//! The state grows with the book; what an agent is given of it does not. Kept are the entities
//! that the chapter's own files name (by id, name or alias), then those that recent summaries and
//! memories name, then those that kept characters refer to, up to a limit for each kind.

use std::collections::BTreeSet;

use novel_text::{TermHash, term_set};
use serde_json::{Map, Value};

/// The kinds of entities, characters first: what they refer to is kept too.
const KINDS: [&str; 4] = ["characters", "items", "locations", "factions"];
/// Entities of one kind, unless the chapter's own files name more.
const MOST_ENTITIES: usize = 12;
/// Elements kept of a list or a map inside one entity.
const MOST_INSIDE: usize = 8;
/// Facts about the world, and open foreshadowing ids.
const MOST_FACTS: usize = 12;

/// Texts in which entities are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    /// Contract, outline block, text of the chapter.
    pub(super) binding: String,
    /// Summaries, memories, tasks, hints.
    pub(super) near: String,
}

impl Mentions {
    pub(super) fn new(binding: String, near: String) -> Self {
        Self { binding, near }
    }

    /// What the chapter's own files speak of; what lies near it, where it has none yet.
    pub(super) fn terms(&self) -> BTreeSet<TermHash> {
        let own = term_set(&self.binding);
        if own.is_empty() {
            term_set(&self.near)
        } else {
            own
        }
    }
}

/// How much of the state is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Entities named in or near the chapter.
    Near,
    /// Entities named by the chapter's own files only.
    Binding,
}

/// Reduces the state in place; returns how many entries were taken out.
pub(super) fn reduce(state: &mut Map<String, Value>, mentions: &Mentions, reach: Reach) -> usize {
    let mut removed = 0;
    let mut near = match reach {
        Reach::Near => mentions.near.clone(),
        Reach::Binding => String::new(),
    };
    for kind in KINDS {
        let Some(Value::Object(entities)) = state.get_mut(kind) else {
            continue;
        };
        removed += keep_entities(entities, &mentions.binding, &near);
        if kind == "characters" && reach == Reach::Near {
            for entity in entities.values() {
                near.push('\n');
                near.push_str(&entity.to_string());
            }
        }
    }
    if let Some(Value::Object(facts)) = state.get_mut("world_state") {
        let known = format!("{}\n{near}", mentions.binding);
        removed += keep_newest(facts, MOST_FACTS, |key, _| is_named(&known, key));
    }
    if let Some(Value::Array(open)) = state.get_mut("active_foreshadowing") {
        let known = format!("{}\n{}", mentions.binding, mentions.near);
        let wanted = |id: &Value| id.as_str().is_some_and(|id| is_named(&known, id));
        removed += keep_newest_of_list(open, MOST_FACTS, wanted);
    }
    removed
}

fn keep_entities(entities: &mut Map<String, Value>, binding: &str, near: &str) -> usize {
    let before = entities.len();
    let named_in = |text: &str| -> Vec<String> {
        let named = entities
            .iter()
            .filter(|(id, entity)| names(id, entity).any(|name| is_named(text, name)));
        named.map(|(id, _)| id.clone()).collect()
    };
    let mut kept = named_in(binding);
    for id in named_in(near) {
        if kept.len() >= MOST_ENTITIES {
            break;
        }
        if !kept.contains(&id) {
            kept.push(id);
        }
    }
    entities.retain(|id, _| kept.contains(id));
    let mut removed = before - entities.len();
    for entity in entities.values_mut() {
        removed += shorten_inside(entity, &kept);
    }
    removed
}

/// An entity's own lists grow too: the newest elements are kept, and relations to kept entities.
fn shorten_inside(entity: &mut Value, kept: &[String]) -> usize {
    let Value::Object(parts) = entity else {
        return 0;
    };
    let mut removed = 0;
    for part in parts.values_mut() {
        removed += match part {
            Value::Array(list) => keep_newest_of_list(list, MOST_INSIDE, |_| false),
            Value::Object(map) => keep_newest(map, MOST_INSIDE, |key, _| kept.contains(key)),
            _ => 0,
        };
    }
    removed
}

/// Keeps at most `most` entries: the wanted ones first, then the newest, in their order.
fn keep_newest(
    map: &mut Map<String, Value>,
    most: usize,
    wanted: impl Fn(&String, &Value) -> bool,
) -> usize {
    let flags: Vec<bool> = map.iter().map(|(key, value)| wanted(key, value)).collect();
    let keep = chosen(&flags, most);
    let before = map.len();
    let mut at = 0;
    map.retain(|_, _| {
        at += 1;
        keep[at - 1]
    });
    before - map.len()
}

fn keep_newest_of_list(
    list: &mut Vec<Value>,
    most: usize,
    wanted: impl Fn(&Value) -> bool,
) -> usize {
    let flags: Vec<bool> = list.iter().map(wanted).collect();
    let keep = chosen(&flags, most);
    let before = list.len();
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        keep[at - 1]
    });
    before - list.len()
}

fn chosen(wanted: &[bool], most: usize) -> Vec<bool> {
    let mut keep = vec![false; wanted.len()];
    let mut left = most;
    for pass in [true, false] {
        for at in (0..wanted.len()).rev() {
            if wanted[at] == pass && left > 0 {
                keep[at] = true;
                left -= 1;
            }
        }
    }
    keep
}

/// What an entity may be called.
fn names<'a>(id: &'a str, entity: &'a Value) -> impl Iterator<Item = &'a str> {
    let single = ["display_name", "name"]
        .into_iter()
        .filter_map(|key| entity.get(key)?.as_str());
    let aliases = entity.get("aliases").and_then(Value::as_array);
    let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
    std::iter::once(id).chain(single).chain(aliases)
}

/// Whether `name` occurs in `text`; a Latin name not inside a longer word or id.
pub(super) fn is_named(text: &str, name: &str) -> bool {
    let name = name.trim();
    if name.is_empty() {
        return false;
    }
    let joins = |char: Option<char>| {
        char.is_some_and(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
    };
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
    })
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
