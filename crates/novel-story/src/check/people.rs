//! Everybody with a file: the active and the retired cast, with all their names.

use std::collections::BTreeMap;

use novel_model::{BookReader, ChapterNo, Document, RelPath, Slug, files::Character, layout};
use serde_json::Value;

use super::{prose::NameIndex, short_names::short_names};
use crate::ledger::{Life, Meaning, Slot};
use novel_book::context::{Cast, ContextError};

/// Keys under which a retired character's file may say which chapter was the last.
const LAST_CHAPTER_KEYS: [&str; 3] = [
    "retired_chapter",
    "retired_after_chapter",
    "retired_in_chapter",
];

/// Somebody with a file.
pub(crate) struct Person {
    pub(crate) display: String,
    pub(crate) names: Vec<String>,
    pub(super) path: RelPath,
    pub(crate) standing: Standing,
}

/// Whether somebody is still in the story.
pub(crate) enum Standing {
    Active,
    /// Left; the last chapter is known when the file tells it: the pointer and the number.
    Retired {
        last: Option<(String, u32)>,
    },
}

/// The cast by id.
#[derive(Default)]
pub(crate) struct People {
    by_id: BTreeMap<String, Person>,
    by_name: BTreeMap<String, String>,
}

impl People {
    pub(crate) fn load(reader: &dyn BookReader) -> Result<Self, ContextError> {
        let mut people = Self {
            by_id: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        for (id, member) in Cast::load(reader)?.members() {
            people.add(id, member.path.clone(), &member.character, Standing::Active);
        }
        let directory = layout::retired_dir();
        for name in reader.list(&directory)? {
            let slug = name
                .strip_suffix(".json")
                .and_then(|stem| stem.parse::<Slug>().ok());
            let (Some(slug), Ok(path)) = (slug, directory.join(&name)) else {
                continue;
            };
            if let Some(document) = Document::<Character>::load(reader, &path)? {
                let standing = Standing::Retired {
                    last: last_chapter(&document),
                };
                people.add(&slug, path, document.get(), standing);
            }
        }
        Ok(people)
    }

    /// The active file wins where an id has two.
    fn add(&mut self, id: &Slug, path: RelPath, character: &Character, standing: Standing) {
        if self.by_id.contains_key(id.as_str()) {
            return;
        }
        let names: Vec<String> = std::iter::once(&character.display_name)
            .chain(&character.aliases)
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        for name in &names {
            self.by_name
                .entry(name.clone())
                .or_insert_with(|| id.to_string());
        }
        self.by_id.insert(
            id.to_string(),
            Person {
                display: character.display_name.trim().to_owned(),
                names,
                path,
                standing,
            },
        );
    }

    /// Everybody, by id.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = (&str, &Person)> {
        self.by_id.iter().map(|(id, person)| (id.as_str(), person))
    }

    pub(super) fn get(&self, id: &str) -> Option<&Person> {
        self.by_id.get(id)
    }

    /// The id behind an id, a display name or an alias.
    pub(crate) fn id_of(&self, name: &str) -> Option<&str> {
        let name = name.trim();
        if let Some((id, _)) = self.by_id.get_key_value(name) {
            return Some(id);
        }
        self.by_name.get(name).map(String::as_str)
    }

    /// Every name, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Everybody's names, and those the state alone knows.
    pub(crate) fn index(&self, state: Option<&Value>) -> NameIndex {
        let mut index = NameIndex::default();
        for (id, person) in &self.by_id {
            for name in &person.names {
                index.add(name, id);
            }
        }
        let characters = state.and_then(|state| state.get("characters"));
        for (id, record) in characters.and_then(Value::as_object).into_iter().flatten() {
            let name = record.get("display_name").and_then(Value::as_str);
            if let Some(name) = name
                .filter(|name| !self.by_id.contains_key(id) && !self.by_name.contains_key(*name))
            {
                index.add(name, id);
            }
        }
        let names = self.by_id.iter().flat_map(|(id, person)| {
            let names = person.names.iter();
            names.map(|name| (id.as_str(), name.as_str()))
        });
        for (short, id) in short_names(names) {
            index.add_short(short, id);
        }
        index
    }

    /// The display name of an id; the id itself for somebody unknown.
    pub(super) fn display<'n>(&'n self, id: &'n str, state: Option<&'n Value>) -> &'n str {
        if let Some(person) = self.by_id.get(id) {
            return &person.display;
        }
        state
            .and_then(|state| {
                state
                    .get("characters")?
                    .get(id)?
                    .get("display_name")?
                    .as_str()
            })
            .unwrap_or(id)
    }
}

impl Person {
    /// The display name and the aliases.
    pub(super) fn all_names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The place that proves that the person had left before `chapter`. Without a recorded last
    /// chapter only the newest chapter of the book is surely later than the leaving.
    pub(super) fn left_before(
        &self,
        chapter: ChapterNo,
        is_newest: bool,
    ) -> Option<(String, String)> {
        match &self.standing {
            Standing::Active => None,
            Standing::Retired {
                last: Some((pointer, last)),
            } => {
                let key = pointer.rsplit('/').next().unwrap_or_default();
                (chapter.get() > *last).then(|| (pointer.clone(), format!("\"{key}\": {last}")))
            }
            Standing::Retired { last: None } => is_newest.then(|| {
                let name = Value::from(self.display.as_str());
                (
                    "/display_name".to_owned(),
                    format!("\"display_name\": {name}"),
                )
            }),
        }
    }
}

/// From a field of the file, or from contracts that all have an end.
fn last_chapter(document: &Document<Character>) -> Option<(String, u32)> {
    for key in LAST_CHAPTER_KEYS {
        let number = document.raw().get(key).and_then(Value::as_u64);
        if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
            return Some((format!("/{key}"), number));
        }
    }
    let contracts = &document.get().contracts;
    if contracts
        .iter()
        .any(|contract| contract.valid_until.is_none())
    {
        return None;
    }
    let ends = contracts
        .iter()
        .map(|contract| contract.valid_until)
        .enumerate();
    let (index, end) = ends.max_by_key(|(index, end)| (*end, std::cmp::Reverse(*index)))?;
    Some((format!("/contracts/{index}/valid_until"), end?))
}

/// The field of a character's record that says whether they live and are there.
pub(super) fn life_of(record: &Value) -> Option<(&str, &Value, Life)> {
    let mut found: Vec<(&str, &Value, Life)> = record
        .as_object()?
        .iter()
        .filter(|(key, _)| Slot::of_field(key) == Some(Slot::Alive))
        .filter_map(|(key, value)| match Meaning::of(Slot::Alive, key, value)? {
            Meaning::Life(life) => Some((key.as_str(), value, life)),
            _ => None,
        })
        .collect();
    // One field that says dead is enough; `status: missing` beside `alive: true` is not alive there.
    found.sort_by_key(|(key, _, life)| (*life != Life::Dead, *life != Life::Absent, *key));
    found.into_iter().next()
}
