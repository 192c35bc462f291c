//! The author's own outline as the plan of a volume.
//!
//! The outline is taken as it stands. Contracts, schedule and foreshadowing are made from its keys;
//! what a key says in words that are no entry becomes a criterion of its chapter, so nothing the
//! author wrote is lost.

use std::collections::BTreeMap;

use novel_book::context::Cast;
use novel_model::{
    ChapterNo, ForeshadowId, Lang, Slug, VolumeNo,
    files::{
        ForeshadowAction, ForeshadowScope, NewCharacter, ObjectiveDraft, PersonState, PlanAnswer,
        PlannedChapter, PlannedLine, PlannedSeed, SeedUpdate, Storylines, VolumeRole,
    },
};
use novel_text::{Outline, OutlineBlock};

use super::one_line;

/// Chapters after the volume within which an item that the outline leaves open is to be resolved.
const LONG: u32 = 30;

/// What an outline is read with.
pub struct OutlineOf<'a> {
    /// The volume it plans.
    pub volume: VolumeNo,
    /// The first chapter that is not written.
    pub first: ChapterNo,
    /// The people there are.
    pub cast: &'a Cast,
    /// The storylines there are.
    pub lines: Option<&'a Storylines>,
    /// The language of the book.
    pub lang: Lang,
}

impl OutlineOf<'_> {
    /// The plan in an outline. Blocks of written chapters and blocks whose storyline cannot be read
    /// are passed over; the checks of a plan report those.
    #[must_use]
    pub fn plan(&self, outline: &Outline) -> PlanAnswer {
        let blocks: Vec<(ChapterNo, Slug, &OutlineBlock)> = outline
            .blocks
            .iter()
            .filter_map(|block| {
                let chapter = ChapterNo::new(block.number)?;
                let line = block.field("Storyline")?.parse().ok()?;
                (chapter >= self.first).then_some((chapter, line, block))
            })
            .collect();
        let people = self.people(&blocks);
        let chapters: Vec<PlannedChapter> = blocks
            .iter()
            .map(|(chapter, line, block)| self.chapter(*chapter, line, block, &people))
            .collect();
        PlanAnswer {
            title: String::new(),
            premise: String::new(),
            storylines: self.storylines(&blocks),
            dormant_storylines: Vec::new(),
            convergences: Vec::new(),
            foreshadowing: seeds(&blocks, &chapters),
            new_characters: people.new,
            chapters,
        }
    }

    /// Everybody of the cast, and points of view nobody knows yet.
    fn people(&self, blocks: &[(ChapterNo, Slug, &OutlineBlock)]) -> People {
        let mut people = People::default();
        for (_, member) in self.cast.members() {
            let person = &member.character;
            let display = person.display_name.trim();
            for name in person
                .aliases
                .iter()
                .map(|alias| alias.trim())
                .chain([display])
            {
                people.names.insert(name.to_owned(), display.to_owned());
            }
        }
        for (_, _, block) in blocks {
            let pov = one_line(block.field("POV").unwrap_or_default());
            let is_known = people.in_text(&pov).next().is_some();
            if pov.is_empty() || is_known {
                continue;
            }
            let taken = |id: &Slug| {
                let mut new = people.new.iter();
                self.cast.members().any(|(slug, _)| slug == id) || new.any(|it| it.id == *id)
            };
            let Some(id) = self.free_id(&pov, taken) else {
                continue;
            };
            let profile = match self.lang {
                Lang::Zh => format!("# {pov}\n\n作者大纲中的视角人物。"),
                Lang::En => format!("# {pov}\n\nA point of view in the author's outline."),
            };
            people.names.insert(pov.clone(), pov.clone());
            people.new.push(NewCharacter {
                id,
                display_name: pov,
                aliases: Vec::new(),
                profile,
                contracts: Vec::new(),
            });
        }
        people
    }

    /// An id made from a name, where it is written in Latin letters, else from the volume.
    fn free_id(&self, name: &str, taken: impl Fn(&Slug) -> bool) -> Option<Slug> {
        let words: Vec<String> = name
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let own = words.join("-").parse::<Slug>().ok();
        let own = own.filter(|id| name.is_ascii() && !taken(id));
        let volume = self.volume;
        own.or_else(|| {
            let mut others = (1..100).filter_map(|at| format!("vol-{volume}-{at}").parse().ok());
            others.find(|id| !taken(id))
        })
    }

    fn storylines(&self, blocks: &[(ChapterNo, Slug, &OutlineBlock)]) -> Vec<PlannedLine> {
        let known = |id: &Slug| {
            let mut lines = self.lines.iter().flat_map(|lines| &lines.storylines);
            lines.find(|line| line.id == *id)
        };
        let mut lines: Vec<(&Slug, usize)> = Vec::new();
        for (_, line, _) in blocks {
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, count)) => *count += 1,
                None => lines.push((line, 1)),
            }
        }
        let main = lines
            .iter()
            .find(|(id, _)| known(id).is_some_and(|line| line.kind == "main_arc"));
        let most = lines.iter().map(|(_, count)| *count).max();
        let most = lines.iter().find(|(_, count)| Some(*count) == most);
        let primary = main.or(most).map(|(id, _)| (*id).clone());
        lines
            .iter()
            .map(|(id, _)| {
                let first = blocks.iter().find(|(_, line, _)| line == *id);
                let about = first.and_then(|(_, _, block)| block.field("Conflict"));
                PlannedLine {
                    id: (*id).clone(),
                    name: known(id).map_or_else(|| id.to_string(), |line| line.name.clone()),
                    volume_role: if primary.as_ref() == Some(*id) {
                        VolumeRole::Primary
                    } else {
                        VolumeRole::Secondary
                    },
                    pov_characters: Vec::new(),
                    description: about.map(one_line).unwrap_or_default(),
                }
            })
            .collect()
    }

    fn chapter(
        &self,
        chapter: ChapterNo,
        line: &Slug,
        block: &OutlineBlock,
        people: &People,
    ) -> PlannedChapter {
        let text = |key: &str| one_line(block.field(key).unwrap_or_default());
        let (pov, conflict, arc) = (text("POV"), text("Conflict"), text("Arc"));
        let mut criteria = Vec::new();
        let foreshadowing = updates(&text("Foreshadowing"));
        if foreshadowing.is_empty() && !is_nothing(&text("Foreshadowing")) {
            criteria.push(text("Foreshadowing"));
        }
        let (after, rest) = states(&text("StateChanges"), people);
        criteria.extend(rest);
        let mut objectives = Vec::new();
        for (kind, description) in [("plot", &conflict), ("character_development", &arc)] {
            if !is_nothing(description) {
                objectives.push(ObjectiveDraft {
                    kind: kind.to_owned(),
                    required: objectives.is_empty(),
                    description: description.clone(),
                });
            }
        }
        if objectives.is_empty() {
            let title = one_line(&block.title);
            objectives.push(ObjectiveDraft {
                kind: "plot".to_owned(),
                required: true,
                description: match (self.lang, title.is_empty()) {
                    (_, false) => title,
                    (Lang::Zh, true) => "按大纲推进".to_owned(),
                    (Lang::En, true) => "What the outline says happens".to_owned(),
                },
            });
        }
        let mut before: Vec<PersonState> = Vec::new();
        let named = people.in_text(&pov).map(str::to_owned);
        for character in named.chain(after.iter().map(|state| state.character.clone())) {
            if !before.iter().any(|known| known.character == character) {
                before.push(PersonState {
                    character,
                    ..PersonState::default()
                });
            }
        }
        PlannedChapter {
            chapter,
            title: one_line(&block.title),
            storyline_id: line.clone(),
            pov,
            time: block.field("Time").map(one_line),
            location: text("Location"),
            conflict,
            arc,
            before,
            objectives,
            after,
            foreshadowing: foreshadowing
                .into_iter()
                .map(|(update, _)| update)
                .collect(),
            required_world_rules: Vec::new(),
            acceptance_criteria: criteria,
            transition: text("TransitionHint"),
            intensity: None,
            scene_goals: Vec::new(),
            payoff: None,
        }
    }
}

/// Who may be named.
#[derive(Default)]
struct People {
    /// The display name for every name and alias.
    names: BTreeMap<String, String>,
    new: Vec<NewCharacter>,
}

impl People {
    /// Display names of those a text names.
    fn in_text<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.names.iter();
        named
            .filter(|(name, _)| !name.is_empty() && text.contains(name.as_str()))
            .map(|(_, display)| display.as_str())
    }
}

/// Whether a value says that there is nothing.
fn is_nothing(value: &str) -> bool {
    let value = value.trim().to_lowercase();
    value.is_empty() || ["无", "none", "-", "—", "…", "n/a"].contains(&value.as_str())
}

/// What an outline does to foreshadowing: `bell (planted)`, `bell（埋设）`, a description after it.
fn updates(value: &str) -> Vec<(SeedUpdate, String)> {
    let mut found = Vec::new();
    for part in value.split([';', '；']) {
        let Some((id, rest)) = part.trim().split_once(['(', '（']) else {
            continue;
        };
        let Some((action, description)) = rest.split_once([')', '）']) else {
            continue;
        };
        let action = match action.trim() {
            "埋设" => Some(ForeshadowAction::Planted),
            "推进" => Some(ForeshadowAction::Advanced),
            "回收" => Some(ForeshadowAction::Resolved),
            word => ForeshadowAction::from_word(word),
        };
        if let (Ok(id), Some(action)) = (id.trim().parse::<ForeshadowId>(), action) {
            let description = description.trim().trim_start_matches([':', '：']).trim();
            found.push((SeedUpdate { id, action }, description.to_owned()));
        }
    }
    found
}

/// How people are after a chapter: `Name: key=value, key=value; …`; the rest is returned as it stands.
fn states(value: &str, people: &People) -> (Vec<PersonState>, Vec<String>) {
    let (mut states, mut rest) = (Vec::new(), Vec::new());
    for part in value.split([';', '；']).map(str::trim) {
        if is_nothing(part) {
            continue;
        }
        match state(part, people) {
            Some(state) => states.push(state),
            None => rest.push(part.to_owned()),
        }
    }
    (states, rest)
}

fn state(part: &str, people: &People) -> Option<PersonState> {
    let (name, values) = part.split_once([':', '：'])?;
    let mut state = PersonState {
        character: people.names.get(name.trim())?.clone(),
        ..PersonState::default()
    };
    for pair in values.split([',', '，']) {
        let (key, value) = pair.split_once('=')?;
        let value = Some(value.trim().to_owned());
        match key.trim() {
            "location" => state.location = value,
            "emotional_state" => state.emotional_state = value,
            "status" => state.status = value,
            _ => return None,
        }
    }
    Some(state)
}

/// The items the outline plants; they are due where it resolves them.
fn seeds(
    blocks: &[(ChapterNo, Slug, &OutlineBlock)],
    chapters: &[PlannedChapter],
) -> Vec<PlannedSeed> {
    let last = chapters.last().map_or(0, |entry| entry.chapter.get());
    let mut seeds: Vec<PlannedSeed> = Vec::new();
    for (chapter, line, block) in blocks {
        for (update, description) in updates(block.field("Foreshadowing").unwrap_or_default()) {
            let is_new = !seeds.iter().any(|seed| seed.id == update.id);
            if update.action != ForeshadowAction::Planted || !is_new {
                continue;
            }
            let resolved = chapters.iter().find(|entry| {
                let mut updates = entry.foreshadowing.iter();
                updates.any(|it| it.id == update.id && it.action == ForeshadowAction::Resolved)
            });
            let (scope, from, to) = match resolved {
                Some(entry) => {
                    let at = entry.chapter.get();
                    (ForeshadowScope::Medium, at, at)
                }
                None => (ForeshadowScope::Long, last + 1, last + LONG),
            };
            seeds.push(PlannedSeed {
                description: if description.is_empty() {
                    update.id.to_string()
                } else {
                    one_line(&description)
                },
                id: update.id,
                scope,
                planted_chapter: *chapter,
                planted_storyline: line.clone(),
                resolve_from: from,
                resolve_to: to,
            });
        }
    }
    seeds
}

#[cfg(test)]
#[path = "author_tests.rs"]
mod tests;
