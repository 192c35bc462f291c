//! Names of another storyline's cast outside a convergence.
//!
//! The cast of a line is who tells it and whom its contracts name. Naming somebody is no fault when
//! the lines share the character, meet in this chapter or met before, when this chapter's plan names
//! them, or when somebody of the chapter's own line has a relationship with them in the state.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use novel_model::{
    BookReader, ChapterNo, Document, VolumeNo,
    files::{ChapterContract, StorylineSchedule, Storylines},
    layout, message,
};
use novel_text::{OutlineBlock, parse_outline};
use serde_json::Value;

use super::{Scope, token};
use crate::check::{
    finding::{Finding, FindingCode, Side},
    people::People,
};
use novel_book::context::{ContextError, load_schedule};

/// What is known of the storylines; volumes are read when they are first needed.
pub(in crate::check) struct Lines {
    storylines: Option<Storylines>,
    volumes: BTreeMap<VolumeNo, VolumeLines>,
    outlines: BTreeMap<VolumeNo, Vec<OutlineBlock>>,
}

/// Whom the contracts of a volume name, and where lines meet in it.
struct VolumeLines {
    named: Vec<Named>,
    schedule: Option<StorylineSchedule>,
}

#[derive(Clone)]
struct Named {
    line: String,
    chapter: ChapterNo,
    id: String,
    side: Side,
}

impl Lines {
    pub(in crate::check) fn load(reader: &dyn BookReader) -> Result<Self, ContextError> {
        let storylines = Document::<Storylines>::load(reader, &layout::storylines())?;
        Ok(Self {
            storylines: storylines.map(Document::into_value),
            volumes: BTreeMap::new(),
            outlines: BTreeMap::new(),
        })
    }

    pub(in crate::check) fn check(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), ContextError> {
        let (Some(contract), Some(storylines)) = (scope.contract, &self.storylines) else {
            return Ok(());
        };
        if storylines.storylines.len() < 2 {
            return Ok(());
        }
        let storylines = storylines.clone();
        let own = contract.get().storyline_id.to_string();
        let mut allowed = self.planned(reader, scope, contract)?;
        allowed.extend(shared(scope.people, &storylines));
        allowed.extend(tellers(scope.people, &storylines, &own));
        let named = named_in(scope, &allowed);
        if named.is_empty() {
            // The contracts of the volume need not be read.
            return Ok(());
        }
        let strangers = self.strangers(reader, scope, &storylines, &own)?;
        for (id, place) in named {
            let Some(stranger) = strangers.get(&id) else {
                continue;
            };
            if self.is_known(reader, scope, &storylines, &own, &id)?
                || self.met(reader, scope, &own, &stranger.line)?
            {
                continue;
            }
            findings.push(report(scope, &own, &id, stranger, place));
        }
        Ok(())
    }

    /// Whom this chapter's contract and outline name. What the contract tells of the other lines
    /// (`concurrent_state`) is for the writer's eyes, not for the text.
    fn planned(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        contract: &Document<ChapterContract>,
    ) -> Result<BTreeSet<String>, ContextError> {
        let mut plan = contract.raw().clone();
        if let Some(context) = plan
            .get_mut("storyline_context")
            .and_then(Value::as_object_mut)
        {
            context.shift_remove("concurrent_state");
        }
        let plan = plan.to_string();
        let blocks = match self.outlines.entry(scope.volume) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let outline = reader.text(&layout::outline(scope.volume))?;
                place.insert(parse_outline(&outline.unwrap_or_default()).blocks)
            }
        };
        let block = blocks
            .iter()
            .filter(|block| block.number == scope.chapter.get());
        let texts = std::iter::once(plan.as_str()).chain(block.map(|block| block.text.as_str()));
        let mentions = texts.flat_map(|text| scope.index.mentions(text));
        Ok(mentions.map(|mention| mention.id.to_owned()).collect())
    }

    /// Who belongs to other lines and not to `own`, as far as this volume tells.
    fn strangers(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        storylines: &Storylines,
        own: &str,
    ) -> Result<BTreeMap<String, Named>, ContextError> {
        let mut strangers: BTreeMap<String, Named> = BTreeMap::new();
        let mut ours: BTreeSet<String> = BTreeSet::new();
        for (at, line) in storylines.storylines.iter().enumerate() {
            for (index, name) in line.pov_characters.iter().enumerate() {
                let Some(id) = scope.people.id_of(name) else {
                    continue;
                };
                if line.id.as_str() == own {
                    ours.insert(id.to_owned());
                    continue;
                }
                let pointer = format!("/storylines/{at}/pov_characters/{index}");
                let quotation = Value::from(name.as_str()).to_string();
                strangers.entry(id.to_owned()).or_insert_with(|| Named {
                    line: line.id.to_string(),
                    chapter: ChapterNo::first(),
                    id: id.to_owned(),
                    side: Side::pointer(layout::storylines(), pointer, quotation),
                });
            }
        }
        let volume = self.volume(reader, scope.people, scope.volume)?;
        for named in &volume.named {
            if named.line == own {
                // Whom a later convergence will bring is not known yet.
                let later = named.chapter > scope.chapter && volume.converges(named.chapter);
                if !later {
                    ours.insert(named.id.clone());
                }
            } else if !volume.converges(named.chapter) {
                strangers
                    .entry(named.id.clone())
                    .or_insert_with(|| named.clone());
            }
        }
        strangers.retain(|id, _| !ours.contains(id));
        Ok(strangers)
    }

    /// Whether the own line knew somebody in an earlier volume, or its people know them in the state.
    fn is_known(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        storylines: &Storylines,
        own: &str,
        id: &str,
    ) -> Result<bool, ContextError> {
        let mut ours: BTreeSet<String> = tellers(scope.people, storylines, own).collect();
        for number in (1..=scope.volume.get()).filter_map(VolumeNo::new) {
            let volume = self.volume(reader, scope.people, number)?;
            let named = volume.named.iter();
            ours.extend(
                named
                    .filter(|named| named.line == own && named.chapter <= scope.chapter)
                    .map(|named| named.id.clone()),
            );
        }
        let display = scope.display(id);
        let knows = |ours: &String| {
            let relationships = scope
                .past
                .character(ours)
                .and_then(|record| record.get("relationships")?.as_object());
            relationships
                .is_some_and(|known| known.contains_key(id) || known.contains_key(&display))
        };
        Ok(ours.contains(id) || ours.iter().any(knows))
    }

    /// Whether the two lines meet in this chapter or met before it.
    fn met(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        own: &str,
        other: &str,
    ) -> Result<bool, ContextError> {
        for number in (1..=scope.volume.get()).filter_map(VolumeNo::new) {
            let volume = self.volume(reader, scope.people, number)?;
            let events = volume
                .schedule
                .iter()
                .flat_map(|schedule| &schedule.convergence_events);
            let mut begun = events.filter(|event| {
                event
                    .chapter_range
                    .is_some_and(|(first, _)| first <= scope.chapter)
            });
            let involves = |lines: &[novel_model::Slug], line: &str| {
                lines.is_empty() || lines.iter().any(|slug| slug.as_str() == line)
            };
            if begun.any(|event| {
                involves(&event.involved_storylines, own)
                    && involves(&event.involved_storylines, other)
            }) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn volume(
        &mut self,
        reader: &dyn BookReader,
        people: &People,
        number: VolumeNo,
    ) -> Result<&VolumeLines, ContextError> {
        Ok(match self.volumes.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(VolumeLines::load(reader, people, number)?),
        })
    }
}

impl VolumeLines {
    fn load(
        reader: &dyn BookReader,
        people: &People,
        number: VolumeNo,
    ) -> Result<Self, ContextError> {
        let schedule = load_schedule(reader, number)?.map(Document::into_value);
        let directory = layout::contracts_dir(number);
        let mut named = Vec::new();
        for name in reader.list(&directory)? {
            let chapter = name
                .strip_prefix("chapter-")
                .and_then(|rest| rest.strip_suffix(".json"))
                .and_then(|digits| digits.parse::<ChapterNo>().ok());
            let Some(chapter) = chapter else {
                continue;
            };
            let path = layout::contract(number, chapter);
            let Some(contract) = Document::<ChapterContract>::load(reader, &path)? else {
                continue;
            };
            let contract = contract.get();
            let before = contract
                .preconditions
                .character_states
                .iter()
                .flat_map(|states| states.keys());
            let before = before.map(|name| ("preconditions/character_states", name));
            let after = contract.postconditions.state_changes.keys();
            let after = after.map(|name| ("postconditions/state_changes", name));
            for (part, name) in before.chain(after) {
                let Some(id) = people.id_of(name) else {
                    continue;
                };
                let pointer = format!("/{part}/{}", token(name));
                named.push(Named {
                    line: contract.storyline_id.to_string(),
                    chapter,
                    id: id.to_owned(),
                    side: Side::pointer(
                        path.clone(),
                        pointer,
                        Value::from(name.as_str()).to_string(),
                    ),
                });
            }
        }
        named.sort_by(|a, b| (a.chapter, &a.id).cmp(&(b.chapter, &b.id)));
        Ok(Self { named, schedule })
    }

    fn converges(&self, chapter: ChapterNo) -> bool {
        let mut events = self
            .schedule
            .iter()
            .flat_map(|schedule| &schedule.convergence_events);
        events.any(|event| event.contains(chapter))
    }
}

/// Who tells a line.
fn tellers<'a>(
    people: &'a People,
    storylines: &'a Storylines,
    line: &'a str,
) -> impl Iterator<Item = String> + 'a {
    storylines
        .storylines
        .iter()
        .filter(move |storyline| storyline.id.as_str() == line)
        .flat_map(|storyline| &storyline.pov_characters)
        .filter_map(|name| people.id_of(name).map(str::to_owned))
}

fn shared(people: &People, storylines: &Storylines) -> BTreeSet<String> {
    storylines
        .relationships
        .iter()
        .flat_map(|relationship| &relationship.bridges.shared_characters)
        .filter_map(|name| people.id_of(name).map(str::to_owned))
        .collect()
}

/// Whom the text names first where, in order, without those who may be named.
fn named_in(scope: &Scope<'_>, allowed: &BTreeSet<String>) -> Vec<(String, Side)> {
    let mut named: Vec<(String, Side)> = Vec::new();
    for scene in &scope.text.scenes {
        for mention in scope.index.mentions(scene.content) {
            let is_new = !named.iter().any(|(id, _)| id == mention.id);
            if is_new
                && !allowed.contains(mention.id)
                && let Some(sentence) = scene.sentence_at(mention.start)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                named.push((mention.id.to_owned(), place));
            }
        }
    }
    named
}

fn report(scope: &Scope<'_>, own: &str, id: &str, stranger: &Named, place: Side) -> Finding {
    let (name, other) = (scope.display(id), &stranger.line);
    let quotation = place.quotation.clone();
    let text = message!(
        en: "{name} belongs to storyline `{other}`, but is named on storyline `{own}` outside a convergence",
        zh: "{name}属于故事线 `{other}`，却在交汇之外出现在故事线 `{own}` 中"
    );
    let fix = message!(
        en: "storyline `{own}` does not know {name} yet: take the name out of “{quotation}”",
        zh: "故事线 `{own}` 此时不应知道{name}：请从「{quotation}」中去掉此人"
    );
    let sides = (place, stranger.side.clone());
    Finding::new(
        FindingCode::ForeignCastNamed,
        scope.chapter,
        id,
        sides,
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}
