//! Facts with the chapters they hold in, from `state/changelog.jsonl`.

use std::collections::{BTreeMap, BTreeSet};

use novel_book::{
    changelog::{self, Entry},
    context::ContextError,
    ops,
};
use novel_model::{BookReader, ChapterNo, Problem, files::Frame, layout, message};
use serde_json::Value;

use super::{Meaning, Slot};

/// Parts of the state whose members are subjects.
const SECTIONS: [&str; 4] = ["characters", "items", "locations", "factions"];
/// Fields that name a subject and say nothing of it.
const NAMES: [&str; 3] = ["display_name", "name", "aliases"];

/// Where a fact was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine(pub usize);

/// One fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// `characters`, `items`, `locations`, `factions` or `world_state`.
    pub section: String,
    /// Id of its subject; the field of `world_state`.
    pub subject: String,
    /// The field of the record.
    pub field: String,
    /// Its slot, where the field is known.
    pub slot: Option<Slot>,
    /// The value as it is recorded.
    pub value: Value,
    /// Its meaning, where the lexicon knows one.
    pub meaning: Option<Meaning>,
    /// The chapter that brought it; `None` for what stood there before the first.
    pub from: Option<ChapterNo>,
    /// The last chapter it holds in; `None` while it holds.
    pub to: Option<ChapterNo>,
    /// The frame it is told in: the record holds what is so.
    pub frame: Frame,
    /// The quotation the op gave for it.
    pub evidence: Option<String>,
    /// The line of the changelog.
    pub line: SourceLine,
}

impl Fact {
    /// Whether it holds right after a chapter.
    #[must_use]
    pub fn holds_after(&self, chapter: ChapterNo) -> bool {
        self.from.is_none_or(|from| from <= chapter) && self.to.is_none_or(|to| to >= chapter)
    }
}

/// Every fact of a book, in the order of the record.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// The facts.
    pub facts: Vec<Fact>,
    /// What the state calls each subject.
    pub names: BTreeMap<String, String>,
}

/// A fact is known by where it stands and, in lists, by its element.
type Key = (String, String, String, String);

impl Ledger {
    /// Reads the changelog.
    ///
    /// # Errors
    /// When it cannot be read or replayed.
    pub fn load(reader: &dyn BookReader) -> Result<Self, ContextError> {
        let path = layout::state_changelog();
        let text = reader.text(&path)?.unwrap_or_default();
        let broken = |line: usize, text| {
            let problem =
                Problem::new("changelog_broken", &layout::state_changelog(), text).at_line(line);
            ContextError::new(vec![problem.hint(message!(
                en: "run `novel doctor` to see which files agree",
                zh: "运行 `novel doctor` 查看哪些文件相符"
            ))])
        };
        let mut ledger = Self::default();
        let mut open: BTreeMap<Key, usize> = BTreeMap::new();
        let mut state = Value::Null;
        for (at, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let number = at + 1;
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                broken(number, message!(en: "not a line of the changelog: {error}", zh: "不是变更日志的一行：{error}"))
            })?;
            match entry {
                Entry::Snapshot { state: whole, .. } => {
                    state = whole;
                    let keys: BTreeSet<(String, String, String)> = fields(&state).collect();
                    for key in open.keys().cloned().collect::<Vec<_>>() {
                        ledger.close(&mut open, &key, None);
                    }
                    for key in keys {
                        ledger.update(&mut open, &state, &key, None, number, None);
                    }
                }
                Entry::Delta {
                    chapter,
                    state_version,
                    ops: applied,
                    ..
                } => {
                    let raw: Vec<Value> =
                        applied.iter().map(|applied| applied.op.clone()).collect();
                    if state.is_null() || !ops::apply(&mut state, &raw).dropped.is_empty() {
                        return Err(broken(
                            number,
                            message!(en: "the changelog cannot be replayed: this line does not follow from the lines before", zh: "变更日志无法重放：此行与前面的行不相符"),
                        ));
                    }
                    changelog::stamp(&mut state, state_version, chapter);
                    for op in &raw {
                        let path = op.get("path").and_then(Value::as_str).unwrap_or_default();
                        let evidence = op.get("evidence").and_then(Value::as_str);
                        if let Some(key) = field_of(path) {
                            ledger.update(&mut open, &state, &key, Some(chapter), number, evidence);
                        }
                    }
                }
            }
        }
        for section in SECTIONS {
            let records = state.get(section).and_then(Value::as_object);
            for (id, record) in records.into_iter().flatten() {
                if let Some(name) = record.get("display_name").and_then(Value::as_str) {
                    ledger.names.insert(id.clone(), name.to_owned());
                }
            }
        }
        Ok(ledger)
    }

    /// The facts that hold right after a chapter.
    pub fn at(&self, chapter: ChapterNo) -> impl Iterator<Item = &Fact> {
        self.facts
            .iter()
            .filter(move |fact| fact.holds_after(chapter))
    }

    fn close(&mut self, open: &mut BTreeMap<Key, usize>, key: &Key, before: Option<ChapterNo>) {
        if let Some(fact) = open.remove(key).and_then(|index| self.facts.get_mut(index)) {
            let last = before.and_then(|chapter| ChapterNo::new(chapter.get().saturating_sub(1)));
            fact.to = last.or(fact.from);
        }
    }

    /// Compares a field with what was open for it.
    fn update(
        &mut self,
        open: &mut BTreeMap<Key, usize>,
        state: &Value,
        (section, subject, field): &(String, String, String),
        chapter: Option<ChapterNo>,
        line: usize,
        evidence: Option<&str>,
    ) {
        let found = value_at(state, section, subject, field);
        let now: BTreeMap<String, Value> = found.map(elements).unwrap_or_default();
        let known: Vec<Key> = open
            .keys()
            .filter(|key| key.0 == *section && key.1 == *subject && key.2 == *field)
            .cloned()
            .collect();
        for key in known {
            let same = open
                .get(&key)
                .and_then(|index| self.facts.get(*index))
                .is_some_and(|fact| now.get(&key.3) == Some(&fact.value));
            if !same {
                self.close(open, &key, chapter);
            }
        }
        for (element, value) in now {
            let key = (section.clone(), subject.clone(), field.clone(), element);
            if open.contains_key(&key) {
                continue;
            }
            // Of a thing, `status` says whether it is whole.
            let slot = match (section.as_str(), field.as_str()) {
                ("items", "status" | "state" | "状态") => Some(Slot::Intact),
                _ => Slot::of_field(field),
            };
            open.insert(key, self.facts.len());
            self.facts.push(Fact {
                section: section.clone(),
                subject: subject.clone(),
                field: field.clone(),
                slot,
                meaning: slot.and_then(|slot| Meaning::of(slot, field, &value)),
                value,
                from: chapter,
                to: None,
                frame: Frame::Now,
                evidence: evidence.map(str::to_owned),
                line: SourceLine(line),
            });
        }
    }
}

fn value_at<'s>(state: &'s Value, section: &str, subject: &str, field: &str) -> Option<&'s Value> {
    if section == "world_state" {
        return state.get(section)?.get(subject);
    }
    state.get(section)?.get(subject)?.get(field)
}

/// `characters.lin-feng.location`, `world_state.time_marker`.
fn field_of(path: &str) -> Option<(String, String, String)> {
    let mut parts = path.split('.');
    let (section, subject, field) = (parts.next()?, parts.next()?, parts.next());
    if section == "world_state" {
        return Some((section.to_owned(), subject.to_owned(), subject.to_owned()));
    }
    let field = field.filter(|field| !NAMES.contains(field))?;
    SECTIONS
        .contains(&section)
        .then(|| (section.to_owned(), subject.to_owned(), field.to_owned()))
}

/// Every field of a state.
fn fields(state: &Value) -> impl Iterator<Item = (String, String, String)> + '_ {
    let records = SECTIONS.into_iter().flat_map(move |section| {
        let subjects = state
            .get(section)
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        subjects.flat_map(move |(id, record)| {
            let members = record.as_object().into_iter().flatten();
            members
                .filter(|(field, _)| !NAMES.contains(&field.as_str()))
                .map(move |(field, _)| (section.to_owned(), id.clone(), field.clone()))
        })
    });
    let world = state
        .get("world_state")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    records.chain(world.map(|(field, _)| ("world_state".to_owned(), field.clone(), field.clone())))
}

/// A list or an object of relations is one fact per element; anything else is one fact.
fn elements(value: &Value) -> BTreeMap<String, Value> {
    match value {
        Value::Array(list) => list
            .iter()
            .map(|entry| (entry.to_string(), entry.clone()))
            .collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, entry)| (key.clone(), serde_json::json!({ key: entry })))
            .collect(),
        Value::Null => BTreeMap::new(),
        one => [(String::new(), one.clone())].into(),
    }
}
