//! Places with names, containment and travel: `world/places.json`, and `locations` of the state.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{BookReader, Document, FileError, files, layout};
use serde_json::Value;

use super::plain;

/// A place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Further names.
    pub aliases: Vec<String>,
    /// The place it is in.
    pub inside: Option<String>,
}

/// Every place of a book.
#[derive(Debug, Clone, Default)]
pub struct Places {
    by_id: BTreeMap<String, Place>,
    by_name: BTreeMap<String, String>,
    /// Days between two places, both ways.
    travel: BTreeMap<(String, String), f64>,
}

impl Places {
    /// Reads the file; a book without one has none.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn load(reader: &dyn BookReader) -> Result<Self, FileError> {
        let mut places = Self::default();
        if let Some(document) = Document::<files::Places>::load(reader, &layout::places())? {
            let file = document.into_value();
            for place in file.places {
                places.add(Place {
                    id: place.id.to_string(),
                    name: place.name,
                    aliases: place.aliases,
                    inside: place.inside.map(|inside| inside.to_string()),
                });
            }
            for way in file.travel {
                let key = (way.from.to_string(), way.to.to_string());
                places
                    .travel
                    .insert((key.1.clone(), key.0.clone()), way.days);
                places.travel.insert(key, way.days);
            }
        }
        Ok(places)
    }

    /// With the places the state knows.
    #[must_use]
    pub fn with_state(mut self, state: Option<&Value>) -> Self {
        let known = state.and_then(|state| state.get("locations")?.as_object());
        for (id, record) in known.into_iter().flatten() {
            if self.by_id.contains_key(id) {
                continue;
            }
            let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
            self.add(Place {
                id: id.clone(),
                name: text("display_name")
                    .or_else(|| text("name"))
                    .unwrap_or_else(|| id.clone()),
                aliases: Vec::new(),
                inside: text("inside")
                    .or_else(|| text("parent"))
                    .or_else(|| text("part_of")),
            });
        }
        self
    }

    fn add(&mut self, place: Place) {
        for name in place.aliases.iter().chain([&place.name, &place.id]) {
            self.by_name
                .entry(plain(name))
                .or_insert_with(|| place.id.clone());
        }
        self.by_id.insert(place.id.clone(), place);
    }

    /// Whether the book says anything of its places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Every place, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.by_id.values()
    }

    /// The id behind an id, a name or an alias.
    #[must_use]
    pub fn id_of(&self, name: &str) -> Option<&str> {
        self.by_name.get(&plain(name)).map(String::as_str)
    }

    /// The place and every place around it.
    fn around<'p>(&'p self, id: &'p str) -> BTreeSet<&'p str> {
        let mut found = BTreeSet::new();
        let mut next = Some(id);
        while let Some(id) = next.filter(|id| found.insert(*id)) {
            next = self
                .by_id
                .get(id)
                .and_then(|place| place.inside.as_deref())
                .map(|inside| self.id_of(inside).unwrap_or(inside));
        }
        found
    }

    /// Whether two names can be the same place: equal, one inside the other, or one wording in the
    /// other. `None` when one of them is no known place and the wordings differ.
    #[must_use]
    pub fn same(&self, a: &str, b: &str) -> Option<bool> {
        if super::same_text(a, b) {
            return Some(true);
        }
        let (a, b) = (self.id_of(a)?, self.id_of(b)?);
        Some(self.around(a).contains(b) || self.around(b).contains(a))
    }

    /// Days between two places, by the shortest known way; a place inside another is there.
    #[must_use]
    pub fn days(&self, a: &str, b: &str) -> Option<f64> {
        let (a, b) = (self.id_of(a)?, self.id_of(b)?);
        let (from, to) = (self.around(a), self.around(b));
        if from.contains(b) || to.contains(a) {
            return Some(0.0);
        }
        let mut best: BTreeMap<&str, f64> = from.iter().map(|id| (*id, 0.0)).collect();
        for _ in 0..=self.by_id.len() {
            let mut changed = false;
            for ((x, y), days) in &self.travel {
                if let Some(sum) = best.get(x.as_str()).map(|sum| sum + days)
                    && best.get(y.as_str()).is_none_or(|known| sum < *known)
                {
                    best.insert(y, sum);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        to.iter()
            .filter_map(|id| best.get(id))
            .copied()
            .min_by(f64::total_cmp)
    }
}
