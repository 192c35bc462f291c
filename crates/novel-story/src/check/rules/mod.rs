//! The rules, one file each. Each appends what it can prove from the files, and nothing else.

mod against;
mod age;
mod agent;
mod body;
mod cast;
mod claims;
mod contract;
mod foreshadowing;
mod items;
mod kin;
mod kinship;
mod later;
mod lines;
mod names;
mod shown;
mod subject;
mod time;
mod told;
mod travel;
mod world;

use std::{cell::RefCell, collections::BTreeMap};

use novel_model::{
    ChapterNo, Document, Lang, VolumeNo,
    files::{ChapterContract, Foreshadowing},
};
use serde_json::Value;

pub use self::names::speakers_in;
pub(super) use self::{
    body::{shows as shows_use, troubles},
    cast::gone,
    claims::{check as check_claims, load as load_claims},
    kin::{Kin, recorded as recorded_kin},
    lines::Lines,
    names::Names,
    shown::{SAME_EN, colour_words, is_feature, rank_word, rank_words},
    world::{WorldLaw, wordings_in},
};
use super::{
    finding::Finding,
    people::People,
    prose::{Mention, NameIndex, Text},
    reading::{self, Flashbacks, Reading},
    secrets::Secret,
    time::Moment,
    timeline::{Own, Past, TIME_MARKER},
};
use crate::ledger::Places;

/// What every rule sees of a chapter.
pub(super) struct Scope<'a> {
    pub(super) chapter: ChapterNo,
    pub(super) volume: VolumeNo,
    pub(super) lang: Lang,
    /// Whether no later chapter is committed.
    pub(super) is_newest: bool,
    pub(super) text: &'a Text<'a>,
    pub(super) contract: Option<&'a Document<ChapterContract>>,
    pub(super) foreshadowing: Option<&'a Foreshadowing>,
    pub(super) past: &'a Past,
    pub(super) own: Option<&'a Own>,
    pub(super) people: &'a People,
    pub(super) index: &'a NameIndex,
    /// The places of the book.
    pub(super) places: &'a Places,
    /// What not everybody knows.
    pub(super) secrets: &'a [Secret],
    /// Hard rules of the world.
    pub(super) world_rules: &'a [WorldLaw],
    /// The state after the chapter.
    pub(super) after: Option<Value>,
    /// Names of people in each scene.
    pub(super) mentions: Vec<Vec<Mention<'a>>>,
    /// What each scene does not tell as now.
    pub(super) flashbacks: Vec<Flashbacks>,
    /// How mentions were read, by scene, first and last byte: several rules ask for each.
    pub(super) readings: RefCell<BTreeMap<(usize, usize, usize), Reading>>,
}

impl<'a> Scope<'a> {
    /// The id of a person by id, name or alias, with those only the state knows.
    pub(super) fn person(&self, name: &str) -> Option<&str> {
        let name = name.trim();
        if let Some(id) = self.people.id_of(name) {
            return Some(id);
        }
        let records = self.past.state.as_ref()?.get("characters")?.as_object()?;
        let found = records.iter().find(|(id, record)| {
            id.as_str() == name || record.get("display_name").and_then(Value::as_str) == Some(name)
        });
        found.map(|(id, _)| id.as_str())
    }

    /// The time marker of the chapter: its own, or the last one.
    fn marker(&self) -> Option<&str> {
        let own = self
            .own
            .and_then(|own| own.ops.iter().rev().find(|op| op.path() == TIME_MARKER));
        let own = own.and_then(|op| op.value()?.as_str());
        own.or_else(|| {
            self.past
                .state
                .as_ref()?
                .get("world_state")?
                .get("time_marker")?
                .as_str()
        })
    }

    /// The year the chapter plays in.
    pub(super) fn year(&self) -> Option<u32> {
        Moment::parse(self.marker()?)?.year()
    }

    /// Years since a path was written, where both times are known.
    pub(super) fn years_since(&self, path: &str) -> Option<u32> {
        self.year()?.checked_sub(self.past.year_at(path)?)
    }

    /// Days between the last marker of the line and the chapter's own, where both are known. A chapter
    /// without a marker of its own plays on the same day.
    pub(super) fn days_in_chapter(&self) -> Option<f64> {
        let own = self.own?;
        let before = self
            .past
            .markers
            .get(&own.storyline)
            .and_then(|record| record.value()?.as_str().map(str::to_owned));
        let before = before.or_else(|| {
            Some(
                self.past
                    .state
                    .as_ref()?
                    .get("world_state")?
                    .get("time_marker")?
                    .as_str()?
                    .to_owned(),
            )
        })?;
        let before = Moment::parse(&before)?;
        let now = own.ops.iter().rev().find(|op| op.path() == TIME_MARKER);
        match now {
            Some(op) => Moment::parse(op.value()?.as_str()?)?.days_after(&before),
            None => Some(0.0),
        }
    }

    /// The people a scene names, in order.
    pub(super) fn mentions(&self, scene: usize) -> &[Mention<'a>] {
        self.mentions.get(scene).map_or(&[], Vec::as_slice)
    }

    /// How a scene speaks of somebody it names.
    pub(super) fn read(&self, scene: usize, mention: Mention<'_>) -> Reading {
        let (Some(text), Some(flashbacks)) =
            (self.text.scenes.get(scene), self.flashbacks.get(scene))
        else {
            return Reading::Doubtful;
        };
        let key = (scene, mention.start, mention.end);
        if let Some(known) = self.readings.borrow().get(&key) {
            return known.clone();
        }
        let reading = reading::read(text, flashbacks, mention, self.lang);
        self.readings.borrow_mut().insert(key, reading.clone());
        reading
    }

    pub(super) fn display(&self, id: &str) -> String {
        self.people.display(id, self.past.state.as_ref()).to_owned()
    }
}

/// The rules that need no more than the scope.
pub(super) fn plain(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    cast::check(scope, findings);
    body::check(scope, findings);
    told::check(scope, findings);
    shown::check(scope, findings);
    travel::check(scope, findings);
    world::check(scope, findings);
    contract::check(scope, findings);
    foreshadowing::check(scope, findings);
    items::check(scope, findings);
    time::check(scope, findings);
}

/// `"key": value`, as a file shows it.
pub(super) fn member(key: &str, value: &Value) -> String {
    format!("{}: {value}", Value::from(key))
}

/// One segment of a JSON pointer.
fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
