//! Foreshadowing of a volume: what is planted and resolved in it, and what earlier ones left open.

use std::collections::{BTreeMap, BTreeSet};

use novel_book::config::PlanMaterial;
use novel_model::{
    ChapterNo, ForeshadowId, Slug,
    files::{ForeshadowAction, ForeshadowItem, ForeshadowScope, PlannedSeed},
};

use super::{Task, words::Words};

/// What a chapter does to an item, and what the item looks like.
#[derive(Clone)]
pub(super) struct Touch {
    pub(super) id: ForeshadowId,
    pub(super) description: String,
    pub(super) action: ForeshadowAction,
}

/// The whole of it.
#[derive(Default)]
pub(super) struct Seeds {
    pub(super) planned: Vec<PlannedSeed>,
    pub(super) touches: BTreeMap<u32, Vec<Touch>>,
}

/// Chapters of a volume by line, the main line first.
pub(super) struct Course<'a> {
    pub(super) lines: Vec<(&'a Slug, Vec<u32>)>,
    pub(super) last: u32,
    pub(super) length: u32,
}

/// From this length on a volume plants something for the whole book.
const LONG_VOLUME: u32 = 12;

impl Seeds {
    pub(super) fn of(
        task: Task<'_>,
        words: &Words,
        course: &Course<'_>,
        facts: &[ForeshadowItem],
    ) -> Self {
        let mut ids: BTreeSet<String> = facts.iter().map(|item| item.id.to_string()).collect();
        let mut seeds = Self::default();
        let open: Vec<_> = facts
            .iter()
            .filter(|item| item.status != ForeshadowAction::Resolved)
            .collect();
        seeds.carry(&open, course);
        if task.book.config.plan.material == PlanMaterial::Known {
            return seeds;
        }
        let has_long = open
            .iter()
            .any(|item| item.scope == Some(ForeshadowScope::Long));
        for (number, (line, chapters)) in course.lines.iter().enumerate() {
            for at in (0..chapters.len()).step_by(3) {
                let planted = chapters[at];
                let resolved = chapters
                    .get(at + 2)
                    .or_else(|| chapters.get(at + 1))
                    .copied();
                let (scope, range) = match resolved {
                    Some(chapter) => (ForeshadowScope::Short, (chapter, chapter + 2)),
                    // The end of the main line leaves something for the next volume.
                    None if number == 0 => (
                        ForeshadowScope::Medium,
                        (course.last + 1, course.last + course.length),
                    ),
                    None => continue,
                };
                let planted = seeds.plant(words, &mut ids, (planted, line), scope, range);
                if let (Some(seed), Some(chapter)) = (planted, resolved) {
                    seeds.touch(chapter, seed, ForeshadowAction::Resolved);
                }
            }
        }
        let second = course
            .lines
            .first()
            .and_then(|(line, chapters)| Some((chapters.get(1)?, *line)));
        if let (Some((chapter, line)), false, true) =
            (second, has_long, course.length >= LONG_VOLUME)
        {
            let range = (course.last + course.length, course.last + 4 * course.length);
            seeds.plant(
                words,
                &mut ids,
                (*chapter, line),
                ForeshadowScope::Long,
                range,
            );
        }
        seeds
    }

    /// Open items of earlier chapters: resolved on the main line, what is due first; what is for
    /// the whole book waits two volumes.
    fn carry(&mut self, open: &[&novel_model::files::ForeshadowItem], course: &Course<'_>) {
        let Some((_, main)) = course.lines.first() else {
            return;
        };
        let mut due: Vec<_> = open.to_vec();
        due.sort_by_key(|item| item.target_resolve_range.map_or(u32::MAX, |(_, to)| to));
        let mut free = main.iter().skip(1).step_by(2);
        for item in due {
            let old = item.planted_chapter.map_or(0, ChapterNo::get);
            let ripe = old + 2 * course.length < main.first().copied().unwrap_or_default();
            let is_long = item.scope == Some(ForeshadowScope::Long);
            let action = if is_long && !ripe {
                ForeshadowAction::Advanced
            } else {
                ForeshadowAction::Resolved
            };
            if let Some(chapter) = free.next() {
                self.touches.entry(*chapter).or_default().push(Touch {
                    id: item.id.clone(),
                    description: item.description.clone(),
                    action,
                });
            }
        }
    }

    /// Plans an item and plants it; `None` when there is nothing to plant.
    fn plant(
        &mut self,
        words: &Words,
        ids: &mut BTreeSet<String>,
        (chapter, line): (u32, &Slug),
        scope: ForeshadowScope,
        (resolve_from, resolve_to): (u32, u32),
    ) -> Option<PlannedSeed> {
        let (id, description) = fresh_item(words, ids)?;
        ids.insert(id.to_string());
        let seed = PlannedSeed {
            id,
            description,
            scope,
            planted_chapter: ChapterNo::new(chapter)?,
            planted_storyline: line.clone(),
            resolve_from,
            resolve_to,
        };
        self.planned.push(seed.clone());
        self.touch(chapter, seed.clone(), ForeshadowAction::Planted);
        Some(seed)
    }

    fn touch(&mut self, chapter: u32, seed: PlannedSeed, action: ForeshadowAction) {
        self.touches.entry(chapter).or_default().push(Touch {
            id: seed.id,
            description: seed.description,
            action,
        });
    }
}

/// An item nobody has used: those of the lists first, then each of them in every place, and so on
/// without an end. `None` only when the lists hold no item.
fn fresh_item(words: &Words, ids: &BTreeSet<String>) -> Option<(ForeshadowId, String)> {
    let items: Vec<(&str, &str)> = words
        .all("item")
        .iter()
        .filter_map(|line| line.split_once('|'))
        .collect();
    if items.is_empty() {
        return None;
    }
    (0_usize..).find_map(|at| {
        let (word, text) = items[at % items.len()];
        let round = at / items.len();
        let id = match round {
            0 => word.to_owned(),
            _ => format!("{word}_{}", round + 1),
        };
        let id = Some(id).filter(|id| !ids.contains(id))?;
        Some((id.parse().ok()?, placed(words, text, round)))
    })
}

/// The description of an item in its `round`: as listed, then told of every place in every frame,
/// then told of two places, so that no two rounds give the same text.
fn placed(words: &Words, text: &str, round: usize) -> String {
    let Some(at) = round.checked_sub(1) else {
        return text.to_owned();
    };
    let (places, frames) = (words.places(), words.all("elsewhere").len().max(1));
    let count = places.len().max(1);
    let place = places.get(at % count).copied().unwrap_or_default();
    let frame = words.pick("elsewhere", at / count);
    let inner = placed(words, text, at / count / frames);
    super::words::fill(frame, &[("item", &inner), ("place", place)])
}

#[cfg(test)]
#[path = "seeds_tests.rs"]
mod tests;
