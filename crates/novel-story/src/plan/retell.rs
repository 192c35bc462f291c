//! The plan of chapters that are written, brought into agreement with their texts.
//!
//! The planner says what each chapter tells, with passages; titles and storylines are facts of the book and
//! are taken from there, and so is what was recorded of foreshadowing. Blocks, contracts and threads of
//! other chapters stay as they are.

mod hear;
mod schedule;
mod threads;

use std::collections::{BTreeMap, BTreeSet};

use novel_book::{
    changelog::{self, Entry},
    context::Cast,
};
use novel_model::{
    BookReader, ChapterNo, Document, FileError, Lang, Slug, VolumeNo,
    files::{
        ChapterContract, ChapterLog, ForeshadowPlan, Foreshadowing, GeneratedChapter,
        ObjectiveDraft, PersonState, PlanAnswer, PlannedChapter, PlannedLine, SeedUpdate,
        StoryState, Storyline, StorylineSchedule, Storylines, ToldChapter, ToldFrom, VolumeRole,
    },
    layout,
};
use novel_text::{OutlineBlock, parse_outline};

use super::{Files, completed, render};

pub use hear::{Heard, Known, hear, joined};
pub use threads::{Shown, on_record};

/// What the book knows of written chapters without asking anybody.
pub struct Written {
    volume: VolumeNo,
    titles: BTreeMap<ChapterNo, String>,
    texts: BTreeMap<ChapterNo, String>,
    lines: BTreeMap<ChapterNo, Slug>,
    storylines: Vec<Storyline>,
    facts: Document<Foreshadowing>,
    plan: Document<ForeshadowPlan>,
    schedule: Document<StorylineSchedule>,
    outline: String,
}

/// What changes, and what it rests on.
pub struct Retold {
    /// The files of the volume, by path.
    pub files: Files,
    /// The passages, by chapter.
    pub quotations: Vec<(ChapterNo, ToldFrom)>,
    /// What the record of the chapters is to say of threads.
    pub shown: Vec<Shown>,
}

impl Written {
    /// Reads what the book knows of the chapters from `first` to `last`.
    ///
    /// # Errors
    /// When a file is broken.
    pub fn load(
        reader: &dyn BookReader,
        volume: VolumeNo,
        (first, last): (ChapterNo, ChapterNo),
    ) -> Result<Self, FileError> {
        let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
        let (mut titles, mut texts) = (BTreeMap::new(), BTreeMap::new());
        let mut lines = lines_of(&outline);
        for chapter in (first.get()..=last.get()).filter_map(ChapterNo::new) {
            let text = Document::<GeneratedChapter>::load(reader, &layout::chapter_json(chapter))?;
            if let Some(text) = text {
                let text = text.into_value();
                let scenes: Vec<&str> = text.scenes.iter().map(|it| it.content.as_str()).collect();
                texts.insert(chapter, scenes.join("\n\n"));
                titles.insert(chapter, text.chapter_title);
            }
            let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
            if let Some(log) = log {
                lines.insert(chapter, log.into_value().storyline_id);
            }
        }
        let storylines = Document::<Storylines>::load_value(reader, &layout::storylines())?;
        let storylines = storylines.map(|lines| lines.storylines).unwrap_or_default();
        Ok(Self {
            volume,
            titles,
            texts,
            lines,
            storylines,
            facts: or_new(reader, &layout::foreshadowing())?,
            plan: or_new(reader, &layout::foreshadowing_plan(volume))?,
            schedule: or_new(reader, &layout::schedule(volume))?,
            outline,
        })
    }

    /// The text of a chapter.
    #[must_use]
    pub fn text(&self, chapter: ChapterNo) -> &str {
        self.texts.get(&chapter).map_or("", String::as_str)
    }

    /// Ids of the storylines.
    #[must_use]
    pub fn line_ids(&self) -> Vec<Slug> {
        self.storylines.iter().map(|line| line.id.clone()).collect()
    }

    /// Ids of foreshadowing, planted or planned.
    #[must_use]
    pub fn thread_ids(&self) -> Vec<String> {
        let facts = self.facts.get().foreshadowing.iter().map(|item| &item.id);
        let planned = self.plan.get().foreshadowing.iter().map(|item| &item.id);
        let ids: BTreeSet<String> = facts.chain(planned).map(ToString::to_string).collect();
        ids.into_iter().collect()
    }

    /// The files of the volume as the texts have it. `told` holds chapters of which at least one event
    /// was found.
    ///
    /// # Errors
    /// When a file of the plan is broken.
    pub fn retold(
        &self,
        reader: &dyn BookReader,
        cast: &Cast,
        told: &[ToldChapter],
        state: &StoryState,
        lang: Lang,
    ) -> Result<Retold, FileError> {
        let mut quotations = Vec::new();
        for chapter in told {
            quotations.extend(quoted(chapter));
        }
        let (mut facts, mut shown) = (self.facts.clone(), Vec::new());
        facts.edit(|facts| {
            for chapter in told {
                let Some(line) = self.line_of(chapter.chapter) else {
                    continue;
                };
                let of = (chapter.chapter, line);
                let threads = chapter.threads.iter();
                shown
                    .extend(threads.filter_map(|it| threads::show(facts, self.plan.get(), of, it)));
            }
        });
        let answer = completed(self.answer(told, facts.get()), cast, state);
        let stage = schedule::Stage {
            lines: &self.lines,
            told,
            texts: &self.texts,
            known: &self.storylines,
        };
        let mut files = Files::new();
        let mut agenda = self.schedule.clone();
        let mut proofs = Vec::new();
        agenda.edit(|agenda| {
            let (agreed, found) = schedule::agreed(agenda.clone(), &stage);
            *agenda = agreed;
            proofs = found;
        });
        quotations.extend(proofs);
        quotations.sort_by_key(|(chapter, _)| *chapter);
        files.insert(layout::schedule(self.volume), agenda.to_text());
        let outline = retold_outline(&self.outline, &answer, lang);
        files.insert(layout::outline(self.volume), outline);
        for (path, contract) in self.contracts(reader, &answer, &quotations)? {
            files.insert(path, novel_model::to_json_text(&contract));
        }
        let mut plan = self.plan.clone();
        plan.edit(|plan| threads::retell(plan, facts.get(), &answer));
        files.insert(layout::foreshadowing_plan(self.volume), plan.to_text());
        if facts != self.facts {
            files.insert(layout::foreshadowing(), facts.to_text());
        }
        Ok(Retold {
            files,
            quotations,
            shown,
        })
    }

    /// The line a chapter was written or planned on; else the first of the book.
    fn line_of(&self, chapter: ChapterNo) -> Option<&Slug> {
        let first = || self.storylines.first().map(|line| &line.id);
        self.lines.get(&chapter).or_else(first)
    }

    fn answer(&self, told: &[ToldChapter], facts: &Foreshadowing) -> PlanAnswer {
        let blocks = parse_outline(&self.outline);
        let chapters: Vec<PlannedChapter> = told
            .iter()
            .filter_map(|told| self.entry(told, blocks.block(told.chapter.get()), facts))
            .collect();
        let on_stage = |id: &Slug| chapters.iter().any(|entry| entry.storyline_id == *id);
        let storylines = self.storylines.iter().filter(|line| on_stage(&line.id));
        PlanAnswer {
            storylines: storylines
                .map(|line| PlannedLine {
                    id: line.id.clone(),
                    name: line.name.clone(),
                    volume_role: VolumeRole::Secondary,
                    pov_characters: line.pov_characters.clone(),
                    description: String::new(),
                })
                .collect(),
            chapters,
            ..PlanAnswer::default()
        }
    }

    fn entry(
        &self,
        told: &ToldChapter,
        block: Option<&OutlineBlock>,
        facts: &Foreshadowing,
    ) -> Option<PlannedChapter> {
        let chapter = told.chapter;
        let planned = |key: &str| block.and_then(|block| block.field(key));
        let line = self.line_of(chapter)?.clone();
        let events = facts.foreshadowing.iter().flat_map(|item| {
            let events = item.history.iter().map(move |event| (item, event));
            events.filter(|(_, event)| event.chapter == chapter)
        });
        let places: Vec<&str> = told
            .places
            .iter()
            .map(|place| place.name.as_str())
            .collect();
        let first = told.events.first();
        let last = told.events.last();
        let or = |said: &str, event: Option<&novel_model::files::Told>| match said.is_empty() {
            true => event.map(|event| event.text.clone()).unwrap_or_default(),
            false => said.to_owned(),
        };
        let people: Vec<PersonState> = told
            .people
            .iter()
            .map(|person| PersonState {
                character: person.character.clone(),
                location: person.location.clone(),
                emotional_state: person.emotional_state.clone(),
                status: person.status.clone(),
                inventory: person.inventory.clone(),
            })
            .collect();
        let named = |person: &PersonState| PersonState {
            character: person.character.clone(),
            ..PersonState::default()
        };
        let pov = match told.pov.is_empty() {
            true => people.first().map(|person| person.character.clone()),
            false => Some(told.pov.clone()),
        };
        let says_something = |state: &PersonState| !render::values_of(state).is_empty();
        Some(PlannedChapter {
            chapter,
            title: self.titles.get(&chapter).cloned().unwrap_or_default(),
            storyline_id: line,
            pov: pov.unwrap_or_default(),
            time: told.time.clone().or(planned("Time").map(str::to_owned)),
            location: places.join(" → "),
            conflict: or(&told.conflict.text, first),
            arc: told.arc.clone(),
            before: people.iter().map(named).collect(),
            objectives: told
                .events
                .iter()
                .map(|event| ObjectiveDraft {
                    kind: "plot".to_owned(),
                    required: true,
                    description: event.text.clone(),
                })
                .collect(),
            after: people
                .iter()
                .filter(|it| says_something(it))
                .cloned()
                .collect(),
            foreshadowing: events
                .map(|(item, event)| SeedUpdate {
                    id: item.id.clone(),
                    action: event.action,
                })
                .collect(),
            required_world_rules: Vec::new(),
            acceptance_criteria: Vec::new(),
            transition: or(&told.ending.text, last),
            intensity: None,
            scene_goals: Vec::new(),
            payoff: None,
        })
    }

    /// The contracts of the told chapters. How far a line has come counts the chapters that are planned
    /// after them too.
    fn contracts(
        &self,
        reader: &dyn BookReader,
        answer: &PlanAnswer,
        quotations: &[(ChapterNo, ToldFrom)],
    ) -> Result<Vec<(novel_model::RelPath, ChapterContract)>, FileError> {
        let first = answer.chapters.first().map(|entry| entry.chapter);
        let first = first.unwrap_or(ChapterNo::first());
        let existing = render::Existing::load(reader, self.volume, first)?;
        let mut contracts = Vec::new();
        for at in 0..answer.chapters.len() {
            let mut contract = render::contract(answer, &existing, at);
            let (chapter, line) = (contract.chapter, &contract.storyline_id);
            let of_line = || self.lines.iter().filter(|(_, other)| *other == line);
            let done = of_line().filter(|(other, _)| **other <= chapter).count();
            if let Some(context) = &mut contract.storyline_context {
                let progress = done * 100 / of_line().count().max(1);
                context.line_arc_progress = Some(format!("{progress}%"));
            }
            let next = ChapterNo::new(chapter.get() + 1);
            let next = next.and_then(|next| self.lines.get(&next));
            if let Some(hint) = &mut contract.transition_hint {
                hint.next_storyline = next.filter(|next| *next != line).cloned();
            }
            let own = quotations.iter().filter(|(of, _)| *of == chapter);
            contract.told_from = own.map(|(_, quotation)| quotation.clone()).collect();
            let path = layout::contract(self.volume, chapter);
            contracts.push((path, contract));
        }
        Ok(contracts)
    }
}

/// The state right before a chapter, replayed; nothing is known of it where it was not recorded.
#[must_use]
pub fn state_before(log: &[Entry], chapter: ChapterNo) -> StoryState {
    let is_later =
        |entry: &Entry| matches!(entry, Entry::Delta { chapter: of, .. } if *of >= chapter);
    let before = log.iter().take_while(|entry| !is_later(entry));
    let state = changelog::replay(before).ok().flatten();
    let state = state.and_then(|state| serde_json::from_value(state).ok());
    state.unwrap_or_else(StoryState::initial)
}

fn or_new<T: novel_model::Format + Default>(
    reader: &dyn BookReader,
    path: &novel_model::RelPath,
) -> Result<Document<T>, FileError> {
    let there = Document::<T>::load(reader, path)?;
    Ok(there.unwrap_or_else(|| Document::new(T::default())))
}

/// The storyline of every chapter of an outline.
fn lines_of(outline: &str) -> BTreeMap<ChapterNo, Slug> {
    let blocks = parse_outline(outline).blocks.into_iter();
    let lines = blocks.filter_map(|block| {
        let line = block.field("Storyline")?.parse().ok()?;
        Some((ChapterNo::new(block.number)?, line))
    });
    lines.collect()
}

/// What the entries of a chapter rest on.
fn quoted(told: &ToldChapter) -> Vec<(ChapterNo, ToldFrom)> {
    let number = told.chapter.get();
    let events = told.events.iter().zip(1..);
    let events = events.map(|(event, at)| (format!("OBJ-{number}-{at}"), &event.evidence));
    let fixed = [("conflict", &told.conflict), ("ending", &told.ending)];
    let fixed = fixed
        .into_iter()
        .filter(|(_, said)| !said.text.is_empty())
        .map(|(of, said)| (of.to_owned(), &said.evidence));
    let places = told.places.iter();
    let places = places.map(|place| (place.name.clone(), &place.evidence));
    let people = told.people.iter();
    let people = people.map(|person| (person.character.clone(), &person.evidence));
    let threads = told.threads.iter();
    let threads = threads.map(|thread| (thread.id.to_string(), &thread.evidence));
    let meetings = told.meetings.iter();
    let meetings = meetings.map(|meeting| (meeting.storyline.to_string(), &meeting.evidence));
    let all = events.chain(fixed).chain(places).chain(people);
    all.chain(threads)
        .chain(meetings)
        .map(|(of, quotation)| {
            let quotation = quotation.clone();
            (told.chapter, ToldFrom { of, quotation })
        })
        .collect()
}

/// The outline with the blocks of the answer in the place of the old ones.
fn retold_outline(outline: &str, answer: &PlanAnswer, lang: Lang) -> String {
    let parsed = parse_outline(outline);
    let lines: Vec<&str> = outline.split_inclusive('\n').collect();
    let first = parsed.blocks.iter().map(|block| block.line).min();
    let head: String = lines[..first.map_or(lines.len(), |line| line - 1)].concat();
    let mut blocks: BTreeMap<u32, String> = parsed
        .blocks
        .iter()
        .map(|block| (block.number, format!("{}\n", block.text.trim_end())))
        .collect();
    for entry in &answer.chapters {
        blocks.insert(entry.chapter.get(), render::block(entry, lang));
    }
    let head = head.trim_end();
    let blocks: Vec<String> = blocks.into_values().collect();
    match head.is_empty() {
        true => blocks.join("\n"),
        false => format!("{head}\n\n{}", blocks.join("\n")),
    }
}
