//! The book as the chapters that are planned and not yet written will leave it: what a plan that begins
//! after them starts from.

use std::collections::BTreeMap;

use novel_book::context::{Cast, ContextError};
use novel_model::{
    BookReader, ChapterNo, Document, ForeshadowId, VolumeNo,
    files::{
        ChapterContract, Checkpoint, ForeshadowAction, ForeshadowItem, ForeshadowPlan,
        Foreshadowing, PlannedForeshadow, StoryState,
    },
    layout,
};
use serde_json::{Map, Value, json};

use super::check::carried;

/// State and foreshadowing where a plan begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The state of the story.
    pub state: StoryState,
    /// What is planted, and what became of it.
    pub foreshadowing: Foreshadowing,
}

impl Outlook {
    /// Reads the book, and what the contracts of `volume` promise for the unwritten chapters before
    /// `first`.
    ///
    /// # Errors
    /// When one of the files is damaged.
    pub fn load(
        reader: &dyn BookReader,
        volume: VolumeNo,
        first: ChapterNo,
    ) -> Result<Self, ContextError> {
        let state = Document::<StoryState>::load_value(reader, &layout::state())?;
        let foreshadowing =
            Document::<Foreshadowing>::load_value(reader, &layout::foreshadowing())?;
        let mut outlook = Self {
            state: state.unwrap_or_else(StoryState::initial),
            foreshadowing: foreshadowing.unwrap_or_default(),
        };
        let checkpoint = Document::<Checkpoint>::load_value(reader, &layout::checkpoint())?;
        let next = checkpoint.map_or(first, |checkpoint| checkpoint.next_chapter());
        if next >= first {
            return Ok(outlook);
        }
        let cast = Cast::load(reader)?;
        let seeds =
            Document::<ForeshadowPlan>::load_value(reader, &layout::foreshadowing_plan(volume))?;
        let seeds = seeds.unwrap_or_default().foreshadowing;
        let seeds: BTreeMap<&str, &PlannedForeshadow> =
            seeds.iter().map(|seed| (seed.id.as_str(), seed)).collect();
        for chapter in (next.get()..first.get()).filter_map(ChapterNo::new) {
            let path = layout::contract(volume, chapter);
            if let Some(contract) = Document::<ChapterContract>::load_value(reader, &path)? {
                outlook.people(&contract, &cast);
                outlook.promises(&contract, &seeds);
            }
        }
        Ok(outlook)
    }

    /// Everybody as a chapter is to leave them.
    fn people(&mut self, contract: &ChapterContract, cast: &Cast) {
        for (name, changes) in &contract.postconditions.state_changes {
            let Some(changes) = changes.as_object() else {
                continue;
            };
            let name = name.trim();
            let id = cast
                .resolve(name)
                .map_or_else(|| name.to_owned(), ToString::to_string);
            let record = self.state.characters.entry(id).or_insert_with(|| {
                let mut fresh = Map::new();
                fresh.insert("display_name".to_owned(), json!(name));
                Value::Object(fresh)
            });
            let Value::Object(record) = record else {
                continue;
            };
            for (key, value) in changes {
                let value = match (record.get(key), value) {
                    (Some(Value::Array(old)), Value::Array(new)) => carried(old, new),
                    _ => value.clone(),
                };
                record.insert(key.clone(), value);
            }
        }
    }

    /// Foreshadowing as a chapter is to leave it.
    fn promises(&mut self, contract: &ChapterContract, seeds: &BTreeMap<&str, &PlannedForeshadow>) {
        for (id, action) in &contract.postconditions.foreshadowing_updates {
            let Some(action) = action.as_str().and_then(ForeshadowAction::from_word) else {
                continue;
            };
            let items = &mut self.foreshadowing.foreshadowing;
            match items.iter_mut().find(|item| item.id.as_str() == id) {
                Some(item) => item.status = action,
                None => items.extend(planted(
                    id,
                    action,
                    contract,
                    seeds.get(id.as_str()).copied(),
                )),
            }
        }
    }
}

/// An item that a chapter is to plant.
fn planted(
    id: &str,
    status: ForeshadowAction,
    contract: &ChapterContract,
    seed: Option<&PlannedForeshadow>,
) -> Option<ForeshadowItem> {
    Some(ForeshadowItem {
        id: id.parse::<ForeshadowId>().ok()?,
        description: seed
            .map(|seed| seed.description.clone())
            .unwrap_or_default(),
        scope: seed.and_then(|seed| seed.scope),
        status,
        planted_chapter: Some(contract.chapter),
        planted_storyline: Some(contract.storyline_id.clone()),
        target_resolve_range: seed.and_then(|seed| seed.target_resolve_range),
        last_updated_chapter: Some(contract.chapter),
        history: Vec::new(),
    })
}
