//! Open foreshadowing as agents are told of it: the most urgent items, their age, and the sentence
//! that planted each.

use novel_model::{
    BookReader, ChapterNo, Document, FileError,
    files::{ForeshadowAction, ForeshadowItem, Foreshadowing, GeneratedChapter},
    layout,
};
use novel_text::{coverage, sentences, term_set};
use serde_json::{Value, json};

use crate::foreshadow::is_overdue;

/// Open items an agent is told of beside those its contract names.
pub const MOST_OPEN: usize = 30;

/// A sentence that shares less with the description of an item did not plant it.
const PLANTS: f64 = 0.3;
/// Characters of a planting sentence.
const LONGEST: usize = 120;

/// The open items, most urgent first: overdue, then past their range, then due next, then oldest.
#[must_use]
pub fn most_urgent(global: &Foreshadowing, chapter: ChapterNo) -> Vec<&ForeshadowItem> {
    let mut open: Vec<&ForeshadowItem> = global
        .foreshadowing
        .iter()
        .filter(|item| item.status != ForeshadowAction::Resolved)
        .collect();
    open.sort_by_key(|item| {
        let last = item.target_resolve_range.map_or(u32::MAX, |(_, last)| last);
        let planted = item.planted_chapter.map_or(u32::MAX, ChapterNo::get);
        (!is_overdue(item, chapter), last, planted, item.id.clone())
    });
    open
}

/// An open item as an agent is told of it.
#[must_use]
pub fn told(item: &ForeshadowItem, chapter: ChapterNo, planted_by: Option<String>) -> Value {
    let planted = item.planted_chapter.map(ChapterNo::get);
    json!({
        "id": item.id,
        "description": item.description,
        "scope": item.scope,
        "status": item.status,
        "planted_chapter": planted,
        "planted_storyline": item.planted_storyline,
        "age": planted.map(|planted| chapter.get().saturating_sub(planted)),
        "target_resolve_range": item.target_resolve_range,
        "overdue": is_overdue(item, chapter),
        "planted_by": planted_by,
    })
}

/// The sentence of the book that planted an item: the one its record quotes, else the one that says
/// most of its description. `None` when no sentence does.
///
/// # Errors
/// When the chapter is there but broken.
pub fn planting_sentence(
    reader: &dyn BookReader,
    item: &ForeshadowItem,
) -> Result<Option<String>, FileError> {
    let Some(planted) = item.planted_chapter else {
        return Ok(None);
    };
    let path = layout::chapter_json(planted);
    let Some(chapter) = Document::<GeneratedChapter>::load(reader, &path)? else {
        return Ok(None);
    };
    let event = item
        .history
        .iter()
        .find(|event| event.chapter == planted && event.action == ForeshadowAction::Planted);
    let detail = event.and_then(|event| event.detail.as_deref());
    let scenes: Vec<&str> = chapter
        .get()
        .scenes
        .iter()
        .map(|scene| scene.content.as_str())
        .collect();
    Ok(planted_in(&scenes, &item.description, detail))
}

fn planted_in(scenes: &[&str], description: &str, detail: Option<&str>) -> Option<String> {
    let told: Vec<&str> = scenes.iter().flat_map(|scene| sentences(scene)).collect();
    let quoted = detail.and_then(|detail| {
        let parts = quotations(detail);
        let has = |sentence: &&str| parts.iter().any(|part| sentence.contains(part));
        told.iter().copied().find(has)
    });
    let best = || {
        let wanted = term_set(&format!("{description} {}", detail.unwrap_or_default()));
        let described = term_set(description);
        let share = |sentence: &str| {
            let said = term_set(sentence);
            coverage(&described, &said).max(coverage(&wanted, &said))
        };
        let mut best: Option<(&str, f64)> = None;
        for sentence in told.iter().copied() {
            let share = share(sentence);
            if share >= PLANTS && best.is_none_or(|(_, least)| share > least) {
                best = Some((sentence, share));
            }
        }
        best.map(|(sentence, _)| sentence)
    };
    let sentence = quoted.or_else(best)?;
    Some(sentence.chars().take(LONGEST).collect())
}

/// What stands in quotation marks, and the text itself; too short a quotation proves nothing.
fn quotations(text: &str) -> Vec<&str> {
    const LEAST: usize = 4;
    const MARKS: [(char, char); 4] = [('“', '”'), ('「', '」'), ('『', '』'), ('"', '"')];
    let mut found = Vec::new();
    for (open, close) in MARKS {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inner, later)) = after.split_once(close) else {
                break;
            };
            found.push(inner.trim());
            rest = later;
        }
    }
    found.push(text.trim());
    found.retain(|part| part.chars().count() >= LEAST);
    found
}

#[cfg(test)]
#[path = "threads_tests.rs"]
mod tests;
