//! What a plan leaves unsaid because the program knows it: the numbers of its chapters, how everybody
//! begins a chapter, and which chapter plants what. What the plan does say is left as it is, and checked.

use std::collections::BTreeMap;

use novel_model::{
    ChapterNo,
    files::{ForeshadowAction, ObjectiveDraft, PersonState, PlanAnswer, SeedUpdate, StoryState},
};
use serde_json::{Map, Value};

use super::{check::carried, one_line, render::values_of};
use crate::facts::item_name;
use novel_book::context::Cast;

/// The answer with chapters numbered by their place where they have no number; `None` when all of
/// them have one, so that a text that says everything is read as it came.
#[must_use]
pub fn numbered(mut answer: Value, first: ChapterNo) -> Option<Value> {
    let mut is_changed = false;
    let chapters = answer.get_mut("chapters").and_then(Value::as_array_mut);
    for (chapter, number) in chapters.into_iter().flatten().zip(first.get()..) {
        if let Value::Object(chapter) = chapter {
            chapter.entry("chapter").or_insert_with(|| {
                is_changed = true;
                number.into()
            });
        }
    }
    is_changed.then_some(answer)
}

/// The plan with what follows from itself and from the state of the story.
#[must_use]
pub fn completed(mut plan: PlanAnswer, cast: &Cast, state: &StoryState) -> PlanAnswer {
    plant(&mut plan);
    let mut walk = Walk::begin(&plan, cast, state);
    for chapter in &mut plan.chapters {
        require_one(&mut chapter.objectives);
        walk.once(&mut chapter.before);
        walk.once(&mut chapter.after);
        for entry in &mut chapter.before {
            walk.fill(entry);
        }
        for entry in &chapter.after {
            walk.note(entry);
        }
    }
    plan
}

/// A chapter that fails without nothing cannot fail: its first objective must happen.
fn require_one(objectives: &mut [ObjectiveDraft]) {
    if !objectives.iter().any(|objective| objective.required)
        && let Some(first) = objectives.first_mut()
    {
        first.required = true;
    }
}

/// An item is planted where its entry says, unless some chapter says it.
fn plant(plan: &mut PlanAnswer) {
    for seed in &plan.foreshadowing {
        let mut updates = plan.chapters.iter().flat_map(|entry| &entry.foreshadowing);
        let is_said = updates
            .any(|update| update.id == seed.id && update.action == ForeshadowAction::Planted);
        let place = plan
            .chapters
            .iter_mut()
            .find(|entry| entry.chapter == seed.planted_chapter);
        if let (false, Some(chapter)) = (is_said, place) {
            let update = SeedUpdate {
                id: seed.id.clone(),
                action: ForeshadowAction::Planted,
            };
            chapter.foreshadowing.insert(0, update);
        }
    }
}

struct Walk {
    /// The display name for every name and alias.
    called: BTreeMap<String, String>,
    /// What was last said of somebody, by display name.
    known: BTreeMap<String, Map<String, Value>>,
}

impl Walk {
    fn begin(plan: &PlanAnswer, cast: &Cast, state: &StoryState) -> Self {
        let mut called = BTreeMap::new();
        let mut add = |display: &str, aliases: &[String]| {
            let display = display.trim();
            for name in aliases.iter().map(|alias| alias.trim()).chain([display]) {
                called.insert(name.to_owned(), display.to_owned());
            }
        };
        let mut known = BTreeMap::new();
        for (slug, member) in cast.members() {
            let person = &member.character;
            add(&person.display_name, &person.aliases);
            if let Some(Value::Object(record)) = state.characters.get(slug.as_str()) {
                let name = person.display_name.trim().to_owned();
                known.insert(name, facts_of(record, state));
            }
        }
        for person in &plan.new_characters {
            add(&person.display_name, &person.aliases);
        }
        Self { called, known }
    }

    fn name(&self, entry: &PersonState) -> String {
        let name = one_line(&entry.character);
        self.called.get(&name).cloned().unwrap_or(name)
    }

    /// One entry for everybody: what is said last of somebody holds, in the outline as in the contract.
    fn once(&self, entries: &mut Vec<PersonState>) {
        let names: Vec<String> = entries.iter().map(|entry| self.name(entry)).collect();
        let mut at = 0;
        entries.retain(|_| {
            at += 1;
            !names[at..].contains(&names[at - 1])
        });
    }

    /// Whoever is only named begins as they were left.
    fn fill(&self, entry: &mut PersonState) {
        let Some(known) = self.known.get(&self.name(entry)) else {
            return;
        };
        if !values_of(entry).is_empty() {
            return;
        }
        let text = |key: &str| known.get(key).and_then(Value::as_str).map(str::to_owned);
        entry.location = text("location");
        entry.emotional_state = text("emotional_state");
        entry.status = text("status");
        let things = known.get("inventory").and_then(Value::as_array);
        entry.inventory = things.map(|things| names(things));
    }

    fn note(&mut self, entry: &PersonState) {
        let known = self.known.entry(self.name(entry)).or_default();
        for (key, value) in values_of(entry) {
            let value = match (known.get(&key), &value) {
                (Some(Value::Array(old)), Value::Array(new)) => carried(old, new),
                _ => value,
            };
            known.insert(key, value);
        }
    }
}

/// What a plan can say of somebody, as the state has it.
fn facts_of(record: &Map<String, Value>, state: &StoryState) -> Map<String, Value> {
    let mut facts = Map::new();
    for key in ["location", "emotional_state", "status"] {
        if let Some(text) = record.get(key).and_then(Value::as_str) {
            let place = state.locations.get(text).filter(|_| key == "location");
            let name = place.and_then(|place| place.get("display_name")?.as_str());
            facts.insert(key.to_owned(), name.unwrap_or(text).into());
        }
    }
    if let Some(things) = record.get("inventory").and_then(Value::as_array) {
        facts.insert("inventory".to_owned(), names(things).into());
    }
    facts
}

fn names(things: &[Value]) -> Vec<String> {
    let names = things.iter().filter_map(item_name);
    names.map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "complete_tests.rs"]
mod tests;
