//! Written chapters told again: what their summaries say, in the form of a plan.

use novel_book::context::Cast;
use novel_model::{
    ChapterNo, Document, Slug,
    files::{
        ChapterContract, ObjectiveDraft, PersonState, PlanAnswer, PlannedChapter, PlannedLine,
        Storylines, VolumeRole,
    },
    layout,
};
use novel_text::{OutlineBlock, parse_outline};

use serde_json::{Map, Value};

use super::Task;
use crate::OfflineError;

/// Events of a chapter that become objectives.
const MOST_EVENTS: usize = 4;

pub(super) fn retell(task: Task<'_>) -> Result<PlanAnswer, OfflineError> {
    let (first, last) = (task.number("first_chapter")?, task.number("last_chapter")?);
    let volume = task.number("volume")?;
    let reader = task.book.reader;
    let cast = Cast::load(reader)?;
    let names: Vec<String> = cast
        .members()
        .map(|(_, member)| member.character.display_name.trim().to_owned())
        .collect();
    let volume =
        novel_model::VolumeNo::new(volume).ok_or(OfflineError::PacketField { field: "volume" })?;
    let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
    let outline = parse_outline(&outline);
    let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
    let lines = lines
        .map(|lines| lines.into_value().storylines)
        .unwrap_or_default();
    let main = lines.first().map(|line| line.id.clone());
    let mut chapters = Vec::new();
    for chapter in (first..=last).filter_map(ChapterNo::new) {
        let summary = reader.text(&layout::summary(chapter))?.unwrap_or_default();
        let block = outline.block(chapter.get());
        let line = block.and_then(|block| block.field("Storyline")?.parse::<Slug>().ok());
        let Some(line) = line.or_else(|| main.clone()) else {
            return Err(OfflineError::PacketField {
                field: "storylines",
            });
        };
        let contract = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load(reader, &contract)?;
        let after = contract.map(Document::into_value);
        let after = after.map(|contract| contract.postconditions.state_changes);
        let mut chapter = told(chapter, line, block, &summary, &names);
        chapter.after = states(after.unwrap_or_default(), &chapter.before);
        chapters.push(chapter);
    }
    Ok(PlanAnswer {
        title: String::new(),
        premise: String::new(),
        storylines: lines
            .into_iter()
            .filter(|line| {
                chapters
                    .iter()
                    .any(|chapter| chapter.storyline_id == line.id)
            })
            .map(|line| PlannedLine {
                volume_role: match line.kind.as_str() {
                    "main_arc" => VolumeRole::Primary,
                    _ => VolumeRole::Secondary,
                },
                id: line.id,
                name: line.name,
                pov_characters: line.pov_characters,
                description: line.description.unwrap_or_default(),
            })
            .collect(),
        dormant_storylines: Vec::new(),
        convergences: Vec::new(),
        foreshadowing: Vec::new(),
        new_characters: Vec::new(),
        chapters,
    })
}

fn told(
    chapter: ChapterNo,
    line: Slug,
    block: Option<&OutlineBlock>,
    summary: &str,
    names: &[String],
) -> PlannedChapter {
    let planned = |key: &str| {
        block
            .and_then(|block| block.field(key))
            .unwrap_or_default()
            .to_owned()
    };
    let events = events(summary);
    let prose = prose(summary);
    let people: Vec<&String> = names
        .iter()
        .filter(|name| summary.contains(name.as_str()))
        .collect();
    let pov = planned("POV");
    let pov = match names.iter().find(|name| pov.contains(name.as_str())) {
        Some(_) => pov,
        None => people
            .first()
            .map(|name| (*name).clone())
            .unwrap_or_default(),
    };
    let state = |name: &&String| PersonState {
        character: (*name).clone(),
        ..PersonState::default()
    };
    let first = events.first().cloned().unwrap_or_else(|| prose.clone());
    PlannedChapter {
        chapter,
        title: block.map(|block| block.title.clone()).unwrap_or_default(),
        storyline_id: line,
        pov,
        time: block
            .and_then(|block| block.field("Time"))
            .map(str::to_owned),
        location: planned("Location"),
        conflict: first.clone(),
        arc: planned("Arc"),
        before: people.iter().map(state).collect(),
        objectives: if events.is_empty() {
            vec![first]
        } else {
            events.clone()
        }
        .into_iter()
        .take(MOST_EVENTS)
        .map(|description| ObjectiveDraft {
            kind: "plot".to_owned(),
            required: true,
            description,
        })
        .collect(),
        after: Vec::new(),
        foreshadowing: Vec::new(),
        required_world_rules: Vec::new(),
        acceptance_criteria: Vec::new(),
        transition: events.last().cloned().unwrap_or_default(),
        intensity: None,
        scene_goals: Vec::new(),
        payoff: None,
    }
}

/// What a contract says of people who took part, as entries of a plan.
fn states(after: Map<String, Value>, present: &[PersonState]) -> Vec<PersonState> {
    let is_present = |name: &str| present.iter().any(|state| state.character == name);
    let known = after.into_iter().filter(|(name, _)| is_present(name));
    known
        .filter_map(|(name, mut values)| {
            values
                .as_object_mut()?
                .insert("character".to_owned(), name.into());
            serde_json::from_value(values).ok()
        })
        .collect()
}

/// The list under the first heading of the third level: what happened.
fn events(summary: &str) -> Vec<String> {
    let mut parts = summary.split("\n### ");
    let list = parts.nth(1).unwrap_or_default();
    let points = list.lines().filter_map(|line| line.strip_prefix("- "));
    points
        .map(str::trim)
        .filter(|point| !point.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What stands before the lists, on one line.
fn prose(summary: &str) -> String {
    let head = summary.split("\n### ").next().unwrap_or_default();
    let lines = head.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}
