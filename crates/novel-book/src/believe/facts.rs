//! Facts of a chapter: names become ids, every op carries a quotation, nobody is invented.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{
    BookReader, FileError, Message, Problem, RelPath, Slug, Warning,
    files::{Character, CrossReferences, ForeshadowPlan, Foreshadowing, UnknownEntity},
    layout, message, proof,
};
use novel_model::{Document, VolumeNo};
use novel_text::{Carried, Locator, sentences};
use serde_json::{Map, Value};

use super::Hearing;
use crate::context::{Cast, ContextError};

/// Marks an op whose quotation is not in the chapter.
pub const NOT_LOCATED: &str = "evidence_not_located";
/// Fields of a person whose kind is known.
const TEXTS: [&str; 5] = [
    "location",
    "emotional_state",
    "display_name",
    "status",
    "condition",
];
const LISTS: [&str; 1] = ["inventory"];

/// The people, things and threads a chapter may speak of.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Ids by id, display name and alias.
    people: BTreeMap<String, String>,
    /// Ids by the name the state has for them, by kind: `items`, `locations`, `factions`.
    things: BTreeMap<&'static str, BTreeMap<String, String>>,
    /// Foreshadowing ids by id and description.
    threads: BTreeMap<String, String>,
}

/// Kinds of things that come into the state by their first op.
const THINGS: [(&str, &str); 3] = [
    ("items", "item"),
    ("locations", "location"),
    ("factions", "faction"),
];

impl Known {
    /// Reads cast, retired people, state and foreshadowing.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn load(reader: &dyn BookReader, volume: VolumeNo) -> Result<Self, ContextError> {
        let mut known = Self::default();
        let cast = Cast::load(reader)?;
        for (id, member) in cast.members() {
            known.person(id.as_str(), &member.character);
        }
        let retired = layout::retired_dir();
        for name in reader.list(&retired)? {
            let Some(id) = name.strip_suffix(".json") else {
                continue;
            };
            let (Ok(id), Ok(path)) = (id.parse::<Slug>(), retired.join(&name)) else {
                continue;
            };
            if let Some(person) = Document::<Character>::load(reader, &path)? {
                known.person(id.as_str(), person.get());
            }
        }
        if let Some(text) = reader.text(&layout::state())? {
            let state: Value = serde_json::from_str(&text).unwrap_or_default();
            known.state(&state);
        }
        known.threads(reader, volume)?;
        Ok(known)
    }

    fn person(&mut self, id: &str, person: &Character) {
        let names = std::iter::once(&person.display_name).chain(&person.aliases);
        for name in names
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
        {
            self.people
                .entry(name.to_owned())
                .or_insert_with(|| id.to_owned());
        }
        self.people.insert(id.to_owned(), id.to_owned());
    }

    /// What the state has is known, whoever wrote it there.
    fn state(&mut self, state: &Value) {
        let entries = |kind: &str| {
            state
                .get(kind)
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default()
        };
        add_named(&entries("characters"), &mut self.people);
        for (kind, _) in THINGS {
            let mut names = BTreeMap::new();
            add_named(&entries(kind), &mut names);
            self.things.insert(kind, names);
        }
    }

    fn threads(&mut self, reader: &dyn BookReader, volume: VolumeNo) -> Result<(), FileError> {
        let mut add = |id: &str, description: &str| {
            self.threads.insert(id.to_owned(), id.to_owned());
            let description = description.trim();
            if !description.is_empty() {
                self.threads
                    .entry(description.to_owned())
                    .or_insert_with(|| id.to_owned());
            }
        };
        let facts = Document::<Foreshadowing>::load_shared(reader, &layout::foreshadowing())?;
        if let Some(facts) = facts {
            for item in &facts.foreshadowing {
                add(item.id.as_str(), &item.description);
            }
        }
        let plan = layout::foreshadowing_plan(volume);
        if let Some(plan) = Document::<ForeshadowPlan>::load(reader, &plan)? {
            for item in &plan.get().foreshadowing {
                add(item.id.as_str(), &item.description);
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn of_people(people: &[(&str, &str)]) -> Self {
        let people = people
            .iter()
            .map(|(name, id)| ((*name).to_owned(), (*id).to_owned()));
        Self {
            people: people.collect(),
            ..Self::default()
        }
    }

    /// Whether an op is about somebody the book does not know.
    pub(super) fn is_stranger(&self, op: &Value) -> bool {
        let path = op.get("path").and_then(Value::as_str).unwrap_or_default();
        let mut steps = path.split('.');
        steps.next() == Some("characters")
            && steps
                .next()
                .is_some_and(|said| self.person_id(said).is_none())
    }

    /// The path of an op with ids for names.
    pub(super) fn resolved_path(&self, op: &Value) -> String {
        let said = op.get("path").and_then(Value::as_str).unwrap_or_default();
        let is_thread = op.get("op").and_then(Value::as_str) == Some("foreshadow");
        if is_thread {
            let known = self.threads.get(said.trim());
            return known.cloned().unwrap_or_else(|| said.trim().to_owned());
        }
        let mut steps: Vec<&str> = said.split('.').map(str::trim).collect();
        let kind = steps[0];
        if let Some(name) = steps.get_mut(1) {
            let id = match kind {
                "characters" => self.people.get(*name),
                _ => self.things.get(kind).and_then(|names| names.get(*name)),
            };
            *name = id.map_or(*name, String::as_str);
        }
        if steps.get(2) == Some(&"relationships")
            && let Some(other) = steps.get_mut(3)
        {
            *other = self.person_id(other).unwrap_or(other);
        }
        steps.join(".")
    }

    /// The id of a person said by id, name or alias.
    #[must_use]
    pub fn person_id(&self, said: &str) -> Option<&str> {
        self.people.get(said.trim()).map(String::as_str)
    }
}

fn add_named(entries: &Map<String, Value>, names: &mut BTreeMap<String, String>) {
    for (id, entry) in entries {
        names.entry(id.clone()).or_insert_with(|| id.clone());
        for key in ["display_name", "name"] {
            if let Some(name) = entry.get(key).and_then(Value::as_str) {
                names
                    .entry(name.trim().to_owned())
                    .or_insert_with(|| id.clone());
            }
        }
    }
}

/// The facts of a chapter, as far as they are believed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settled {
    /// The ops that stay, with ids and marks.
    pub ops: Vec<Value>,
    /// Names nobody has registered, from ops that were left out.
    pub unknown: Vec<UnknownEntity>,
    /// What the agent is asked to mend.
    pub complaints: Vec<Problem>,
    /// What was left out or marked.
    pub warnings: Vec<Warning>,
}

/// Goes through the ops of a chapter whose text is `text`.
#[must_use]
pub fn settle(
    path: &RelPath,
    ops: &[Value],
    known: &Known,
    text: &str,
    hearing: Hearing,
) -> Settled {
    let mut settled = Settled::default();
    let mut seen = known.clone();
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut repeated = 0;
    let locator = Locator::new(text);
    let last_sets = last_sets(ops, known);
    for (at, op) in ops.iter().enumerate() {
        // A change that is told twice by the same sentence has happened once.
        if proof::quotation(op).is_some() && !told.insert(op.to_string()) {
            repeated += 1;
            continue;
        }
        let mut op = op.clone();
        let is_located = proof::quotation(&op).is_some_and(|quoted| locator.contains(quoted));
        // What no sentence tells and a later op replaces is not worth a question.
        let is_asked = matches!(hearing, Hearing::First | Hearing::Last);
        let replaced = last_sets
            .get(&known.resolved_path(&op))
            .is_some_and(|last| *last > at);
        if is_asked && !is_located && op["op"] == "set" && replaced {
            repeated += 1;
            continue;
        }
        let place = format!("/delta/ops/{at}");
        match check(&mut op, &mut seen, is_located, hearing) {
            Checked::Sound => {}
            Checked::LeftOut(fault) => {
                settled.refuse(path, &place, &op, fault, hearing);
                continue;
            }
        }
        if op.is_object() {
            proof::mark(&mut op, !is_located);
            if !is_located {
                settled.unproven(path, &place, &op, hearing);
            }
        }
        settled.ops.push(op);
    }
    if repeated > 0 {
        settled.warnings.push(Warning::new(
            "repeated_ops",
            message!(
                en: "{repeated} ops were left out: others say the same word for word, or set the same path after them",
                zh: "有 {repeated} 条变化已舍去：与别条逐字相同，或随后又被同一路径的 set 改写"
            ),
        ));
    }
    settled
}

/// Where each path is set for the last time.
fn last_sets(ops: &[Value], known: &Known) -> BTreeMap<String, usize> {
    let sets = ops.iter().enumerate().filter(|(_, op)| op["op"] == "set");
    sets.map(|(at, op)| (known.resolved_path(op), at)).collect()
}

enum Checked {
    Sound,
    LeftOut(Fault),
}

/// Why an op is left out.
enum Fault {
    /// A path to nobody the book knows.
    Stranger { said: String, kind: &'static str },
    /// A thing that comes into the book without a sentence that says so.
    Unseen { said: String, kind: &'static str },
    /// A value of another kind than the field has.
    WrongType { expected: &'static str },
}

fn check(op: &mut Value, known: &mut Known, is_located: bool, hearing: Hearing) -> Checked {
    let (Some(verb), Some(said)) = (
        op.get("op").and_then(Value::as_str).map(str::to_owned),
        op.get("path").and_then(Value::as_str).map(str::to_owned),
    ) else {
        return Checked::Sound;
    };
    if verb == "foreshadow" {
        if let Some(id) = known.threads.get(said.trim()) {
            op["path"] = Value::from(id.as_str());
        }
        return Checked::Sound;
    }
    let mut segments: Vec<String> = said.split('.').map(str::to_owned).collect();
    if segments.len() < 2 {
        return Checked::Sound;
    }
    let name = segments[1].trim().to_owned();
    match segments[0].as_str() {
        "characters" => {
            let Some(id) = known.people.get(&name) else {
                return Checked::LeftOut(Fault::Stranger {
                    said: name,
                    kind: "character",
                });
            };
            segments[1].clone_from(id);
            if segments
                .get(2)
                .is_some_and(|field| field == "relationships")
                && let Some(other) = segments.get_mut(3)
                && let Some(id) = known.people.get(other.trim())
            {
                other.clone_from(id);
            }
        }
        kind @ ("items" | "locations" | "factions") => {
            let Some((kind, word)) = THINGS.iter().find(|(name, _)| *name == kind) else {
                return Checked::Sound;
            };
            let names = known.things.entry(kind).or_default();
            match names.get(&name) {
                Some(id) => segments[1].clone_from(id),
                None if is_located => {
                    names.insert(name.clone(), name);
                }
                // A tool that knows no quotations may still bring things in, unproven.
                None if hearing == Hearing::Outside && proof::quotation(op).is_none() => {
                    names.insert(name.clone(), name);
                }
                None => {
                    return Checked::LeftOut(Fault::Unseen {
                        said: name,
                        kind: word,
                    });
                }
            }
        }
        _ => {}
    }
    let resolved = segments.join(".");
    if resolved != said {
        op["path"] = Value::from(resolved);
    }
    match wrong_type(&verb, &segments, op.get("value")) {
        Some(expected) => Checked::LeftOut(Fault::WrongType { expected }),
        None => Checked::Sound,
    }
}

/// What a field of a person should hold, where the op has something else.
fn wrong_type(verb: &str, segments: &[String], value: Option<&Value>) -> Option<&'static str> {
    let value = value?;
    if segments[0] == "world_state" && segments[1] == "time_marker" {
        return (verb != "set" || !value.is_string()).then_some("text");
    }
    if segments[0] != "characters" {
        return None;
    }
    let field = match segments {
        [_, _] => return (!value.is_object()).then_some("object"),
        [_, _, field] => field.as_str(),
        [_, _, group, _] if group == "relationships" => {
            let fits = value.is_number() || value.is_string();
            return (!fits).then_some("number");
        }
        _ => return None,
    };
    if TEXTS.contains(&field) {
        (verb != "set" || !value.is_string()).then_some("text")
    } else if LISTS.contains(&field) {
        let fits = match verb {
            "set" => value
                .as_array()
                .is_some_and(|items| items.iter().all(Value::is_string)),
            "add" | "remove" => value.is_string(),
            _ => false,
        };
        (!fits).then_some("list of texts")
    } else {
        None
    }
}

impl Settled {
    fn refuse(&mut self, path: &RelPath, place: &str, op: &Value, fault: Fault, hearing: Hearing) {
        let told = op.get("path").and_then(Value::as_str).unwrap_or_default();
        let (code, text, hint) = match &fault {
            Fault::Stranger { said, .. } => (
                "unknown_character",
                message!(
                    en: "`{told}`: nobody in the book has the id, name or alias `{said}`",
                    zh: "`{told}`：书中没有 id、名字或别名为 `{said}` 的人物"
                ),
                message!(
                    en: "use an id of entity_id_map; list somebody new in unknown_entities",
                    zh: "请用 entity_id_map 里的 id；新人物记入 unknown_entities"
                ),
            ),
            Fault::Unseen { said, .. } => (
                "unseen_entity",
                message!(
                    en: "`{told}`: `{said}` is new, and no sentence of the chapter is quoted for it",
                    zh: "`{told}`：`{said}` 是新的，却没有引用正文中的句子"
                ),
                message!(
                    en: "quote the sentence that brings it in, word for word, as evidence",
                    zh: "请在 evidence 里逐字引用它出现的那一句"
                ),
            ),
            Fault::WrongType { expected } => (
                "wrong_type",
                message!(
                    en: "`{told}` must be a {expected}: {op}",
                    zh: "`{told}` 的值类型不对（应为 {expected}）：{op}"
                ),
                message!(
                    en: "give a value of the kind the field has",
                    zh: "请给出该字段应有的类型"
                ),
            ),
        };
        let is_asked = hearing == Hearing::First && !matches!(fault, Fault::WrongType { .. });
        if is_asked {
            let problem = Problem::new(code, path, text).at(place).hint(hint);
            self.complaints.push(problem);
            return;
        }
        if let Fault::Stranger { said, kind } | Fault::Unseen { said, kind } = fault {
            let is_listed = self.unknown.iter().any(|entity| entity.mention == said);
            if !is_listed {
                let context = proof::quotation(op).map(str::to_owned);
                self.unknown.push(UnknownEntity {
                    mention: said,
                    context,
                    suggested_type: Some(kind.to_owned()),
                });
            }
        }
        let Message { en, zh } = text;
        self.warnings.push(Warning::new(
            code,
            message!(en: "op dropped: {en}", zh: "已舍去该操作：{zh}"),
        ));
    }

    fn unproven(&mut self, path: &RelPath, place: &str, op: &Value, hearing: Hearing) {
        let told = op.get("path").and_then(Value::as_str).unwrap_or_default();
        let quoted = proof::quotation(op);
        if hearing == Hearing::First {
            let text = match quoted {
                Some(quoted) => message!(
                    en: "`{told}`: the quotation is not in the chapter, or too short: `{quoted}`",
                    zh: "`{told}`：引文在正文中找不到，或者太短：`{quoted}`"
                ),
                None => message!(
                    en: "`{told}`: evidence is missing",
                    zh: "`{told}`：缺少 evidence"
                ),
            };
            let problem = Problem::new(NOT_LOCATED, path, text).at(place);
            self.complaints.push(problem.hint(message!(
                en: "copy one passage of at least 8 Han characters or 5 words word for word, or a whole sentence",
                zh: "逐字抄一段正文，至少八个字，或一整句"
            )));
        } else if quoted.is_some() || hearing == Hearing::Last {
            self.warnings.push(Warning::new(
                "unproven_fact",
                message!(
                    en: "`{told}` is recorded without a quotation that could be found",
                    zh: "`{told}` 已登记，但没有能在正文中找到的引文"
                ),
            ));
        }
    }
}

/// Names of cross-references as ids, and unknown names without those the book knows.
pub fn resolve_crossref(
    crossref: &mut CrossReferences,
    known: &Known,
    unknown: Vec<UnknownEntity>,
) {
    for reference in &mut crossref.cross_references {
        if let Some(id) = known.person_id(&reference.entity) {
            id.clone_into(&mut reference.entity);
        }
    }
    for entity in unknown {
        let is_listed = crossref
            .unknown_entities
            .iter()
            .any(|listed| listed.mention == entity.mention);
        if !is_listed {
            crossref.unknown_entities.push(entity);
        }
    }
}

/// Carries the quotations of ops over from a text to a later version of it.
pub fn carry(ops: &mut [Value], before: &str, after: &str) {
    if before == after || !ops.iter().any(|op| proof::quotation(op).is_some()) {
        return;
    }
    let (old, new) = (Locator::new(before), Locator::new(after));
    let carried = Carried::between(before, after);
    for op in ops {
        let Some(quoted) = proof::quotation(op) else {
            continue;
        };
        if new.contains(quoted) {
            continue;
        }
        let Some(place) = old.locate(quoted) else {
            continue;
        };
        let parts: Vec<&str> = place
            .parts
            .iter()
            .map(|part| after[carried.place(part).0].trim())
            .filter(|part| !part.is_empty())
            .collect();
        let words = parts.join("……");
        let whole = parts
            .first()
            .and_then(|part| sentences(after).into_iter().find(|it| it.contains(part)));
        let found = Some(words.as_str())
            .filter(|words| new.contains(words))
            .or_else(|| whole.filter(|sentence| new.contains(sentence)));
        match found {
            Some(words) => proof::requote(op, words),
            None => proof::mark(op, true),
        }
    }
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
