//! Written chapters told again: sentences of their texts, and what the record proves by such sentences.
//!
//! The old plan is not looked at. An event is a sentence of the text; where somebody is and what they
//! carry is told only where the sentence that was recorded for it says so.

use novel_book::{
    changelog::{self, Entry},
    context::Cast,
};
use novel_model::{
    BookReader, ChapterNo, Document, FileError, Slug,
    files::{
        ChapterLog, Places, RetellAnswer, Storyline, Storylines, Told, ToldChapter, ToldMeeting,
        ToldPerson, ToldPlace,
    },
    layout,
};
use novel_text::{Locator, sentences};
use serde_json::Value;

use super::Task;
use crate::{
    OfflineError,
    prose::{clean, clip},
};

/// Events of a chapter.
const MOST_EVENTS: usize = 4;
/// Places and people of a chapter.
const MOST_PLACES: usize = 4;
const MOST_PEOPLE: usize = 8;
/// Characters of an event.
const LONGEST: usize = 120;

pub(super) fn retell(task: Task<'_>) -> Result<RetellAnswer, OfflineError> {
    let (first, last) = (task.number("first_chapter")?, task.number("last_chapter")?);
    let book = Book::load(task.book.reader)?;
    let mut chapters = Vec::new();
    for chapter in (first..=last).filter_map(ChapterNo::new) {
        let text = task.book.reader.text(&layout::staged_chapter(chapter))?;
        chapters.push(book.chapter(chapter, &text.unwrap_or_default())?);
    }
    Ok(RetellAnswer { chapters })
}

struct Book<'a> {
    reader: &'a dyn BookReader,
    cast: Cast,
    places: Vec<String>,
    lines: Vec<Storyline>,
    log: Vec<Entry>,
}

impl<'a> Book<'a> {
    fn load(reader: &'a dyn BookReader) -> Result<Self, OfflineError> {
        let places = Document::<Places>::load_value(reader, &layout::places())?;
        let lines = Document::<Storylines>::load_value(reader, &layout::storylines())?;
        let path = layout::state_changelog();
        let text = reader.text(&path)?.unwrap_or_default();
        let mut log = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let entry = changelog::parse_entry(&path, index + 1, line);
            log.extend(entry.map_err(FileError::from)?);
        }
        Ok(Self {
            reader,
            cast: Cast::load(reader)?,
            places: places
                .map(|places| places.places.into_iter().map(|place| place.name).collect())
                .unwrap_or_default(),
            lines: lines.map(|lines| lines.storylines).unwrap_or_default(),
            log,
        })
    }

    fn chapter(&self, chapter: ChapterNo, text: &str) -> Result<ToldChapter, OfflineError> {
        let locator = Locator::new(text);
        let told: Vec<&str> = sentences(text)
            .into_iter()
            .map(str::trim)
            .filter(|sentence| locator.contains(sentence))
            .collect();
        let with = |word: &str| {
            let mut told = told.iter();
            told.find(|sentence| sentence.contains(word)).copied()
        };
        let events = self.events(chapter, text, &locator, &told)?;
        let people = self.people(chapter, text, &locator, &told);
        let mut places: Vec<(usize, ToldPlace)> = self
            .places
            .iter()
            .filter_map(|name| {
                let place = ToldPlace {
                    evidence: with(name)?.to_owned(),
                    name: name.clone(),
                };
                Some((text.find(name.as_str())?, place))
            })
            .collect();
        places.sort_by_key(|(at, _)| *at);
        places.truncate(MOST_PLACES);
        let ending = told.last().copied().unwrap_or_default();
        let pov = self.cast.named_in(text).into_iter().next();
        let pov = pov.and_then(|id| Some(self.cast.member(&id)?.display_name.trim().to_owned()));
        Ok(ToldChapter {
            chapter,
            pov: pov.unwrap_or_default(),
            time: None,
            places: places.into_iter().map(|(_, place)| place).collect(),
            conflict: events.first().cloned().unwrap_or_default(),
            arc: String::new(),
            events,
            people,
            threads: Vec::new(),
            meetings: self.meetings(chapter, &told)?,
            ending: event(ending),
        })
    }

    /// The sentences of the text that its summary lists, else one that names somebody out of each
    /// quarter.
    fn events(
        &self,
        chapter: ChapterNo,
        text: &str,
        locator: &Locator<'_>,
        told: &[&str],
    ) -> Result<Vec<Told>, OfflineError> {
        let summary = self.reader.text(&layout::summary(chapter))?;
        let listed = listed(&summary.unwrap_or_default());
        let mut events: Vec<Told> = listed
            .iter()
            .filter_map(|point| {
                let place = locator.locate(point.trim_end_matches('…'))?;
                let evidence = text.get(place.span())?.to_owned();
                let text = point.clone();
                Some(Told { evidence, text })
            })
            .take(MOST_EVENTS)
            .collect();
        if events.is_empty() {
            let quarter = told.len().div_ceil(MOST_EVENTS).max(1);
            let names = |sentence: &&&str| !self.cast.named_in(sentence).is_empty();
            events = told
                .chunks(quarter)
                .filter_map(|part| part.iter().find(names).or(part.first()))
                .map(|sentence| event(sentence))
                .collect();
        }
        Ok(events)
    }

    fn people(
        &self,
        chapter: ChapterNo,
        text: &str,
        locator: &Locator<'_>,
        told: &[&str],
    ) -> Vec<ToldPerson> {
        let mut people = Vec::new();
        for id in self.cast.named_in(text) {
            let Some(member) = self.cast.member(&id) else {
                continue;
            };
            let names = |sentence: &&&str| self.cast.named_in(sentence).contains(&id);
            let Some(evidence) = told.iter().rev().find(names) else {
                continue;
            };
            let mut person = ToldPerson {
                evidence: (*evidence).to_owned(),
                character: member.display_name.trim().to_owned(),
                ..ToldPerson::default()
            };
            self.recorded(chapter, &id, text, locator, &mut person);
            people.push(person);
        }
        people.truncate(MOST_PEOPLE);
        people
    }

    /// What the record has of somebody in the chapter and its sentence says.
    fn recorded(
        &self,
        chapter: ChapterNo,
        id: &Slug,
        text: &str,
        locator: &Locator<'_>,
        person: &mut ToldPerson,
    ) {
        let own = self.log.iter().filter_map(|entry| match entry {
            Entry::Delta {
                chapter: of, ops, ..
            } if *of == chapter => Some(ops),
            _ => None,
        });
        for op in own.flatten() {
            let part = |key: &str| op.op.get(key).and_then(Value::as_str).unwrap_or_default();
            let evidence = part("evidence");
            let path = part("path").strip_prefix(&format!("characters.{id}."));
            let Some(field) = path.filter(|_| locator.contains(evidence)) else {
                continue;
            };
            let said = op.op.get("value").and_then(Value::as_str).map(clean);
            let said = said.filter(|said| !said.is_empty() && evidence.contains(said.as_str()));
            match field {
                "location" => person.location = said.or(person.location.take()),
                "emotional_state" => {
                    person.emotional_state = said.or(person.emotional_state.take())
                }
                "status" => person.status = said.or(person.status.take()),
                "inventory" => {
                    let things = match op.op.get("value") {
                        Some(Value::Array(things)) => things.clone(),
                        Some(thing) if part("op") == "add" => vec![thing.clone()],
                        _ => Vec::new(),
                    };
                    let things = things.iter().filter_map(Value::as_str).map(str::to_owned);
                    let in_text: Vec<String> = things.filter(|it| text.contains(it)).collect();
                    if !in_text.is_empty() {
                        person.inventory.get_or_insert_default().extend(in_text);
                    }
                }
                _ => continue,
            }
        }
    }

    /// Lines whose tellers stand in one sentence with a teller of this one.
    fn meetings(
        &self,
        chapter: ChapterNo,
        told: &[&str],
    ) -> Result<Vec<ToldMeeting>, OfflineError> {
        let log = Document::<ChapterLog>::load_value(self.reader, &layout::chapter_log(chapter))?;
        let Some(log) = log else {
            return Ok(Vec::new());
        };
        let tellers = |line: &Storyline, sentence: &str| {
            let mut names = line.pov_characters.iter();
            names.any(|name| !name.trim().is_empty() && sentence.contains(name.trim()))
        };
        let Some(own) = self.lines.iter().find(|line| line.id == log.storyline_id) else {
            return Ok(Vec::new());
        };
        let others = self.lines.iter().filter(|line| {
            let shared = |name: &String| own.pov_characters.contains(name);
            line.id != own.id && !line.pov_characters.iter().any(shared)
        });
        let meetings = others.filter_map(|line| {
            let both = |sentence: &&&str| tellers(own, sentence) && tellers(line, sentence);
            let sentence = told.iter().find(both)?;
            Some(ToldMeeting {
                evidence: (*sentence).to_owned(),
                storyline: line.id.clone(),
                trigger: clip(&clean(sentence), LONGEST),
            })
        });
        Ok(meetings.collect())
    }
}

/// A sentence as an event.
fn event(sentence: &str) -> Told {
    Told {
        evidence: sentence.to_owned(),
        text: clip(&clean(sentence), LONGEST),
    }
}

/// The list under the first heading of the third level: what happened.
fn listed(summary: &str) -> Vec<String> {
    let mut parts = summary.split("\n### ");
    let list = parts.nth(1).unwrap_or_default();
    let points = list.lines().filter_map(|line| line.strip_prefix("- "));
    let points = points.map(str::trim).filter(|point| !point.is_empty());
    points.map(str::to_owned).collect()
}
