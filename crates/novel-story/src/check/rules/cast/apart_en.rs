//! Somebody beside others whom the record has far away on the same day.
//!
//! Two places of the record are far from each other when each has a name of its own and they share no
//! word. The chapter must say that the scene is where the other one is, or that no time has passed.

use novel_model::Lang;

use super::{
    super::{Scope, against, member},
    away_en, gone, report,
};
use crate::check::{
    finding::{Finding, FindingCode},
    prose::{Mention, Scene},
    reading::{Excuse, Reading},
    timeline::TIME_MARKER,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    if scope.lang != Lang::En || !is_same_day(scope) {
        return;
    }
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        let mut reported: Vec<&str> = Vec::new();
        for mention in scope.mentions(at) {
            if reported.contains(&mention.id) || gone(scope, mention.id).is_some() {
                continue;
            }
            let Some(place) = settled(scope, mention.id) else {
                continue;
            };
            let Some(focus) = scope.read(at, *mention).act() else {
                continue;
            };
            let Some(sentence) = scene.sentence_at(focus.start) else {
                continue;
            };
            if !meets(scope, at, scene, mention, place) {
                continue;
            }
            let Some((field, value, _)) = against::recorded_place(scope, mention.id) else {
                continue;
            };
            reported.push(mention.id);
            let path = format!("characters.{}.{field}", mention.id);
            let other_side = scope.past.source(&path, member(field, value));
            let side = scope.text.side(scene, sentence, focus);
            findings.push(report(
                scope,
                FindingCode::AbsentCharacterActs,
                mention.id,
                false,
                (side, other_side),
            ));
        }
    }
}

/// Whether the chapter plays on the day of the record, in a book that records its days.
fn is_same_day(scope: &Scope<'_>) -> bool {
    let recorded = || {
        let state = scope.past.state.as_ref()?;
        state.get("world_state")?.get("time_marker")?.as_str()
    };
    let Some(before) = recorded() else {
        return false;
    };
    let own = scope
        .own
        .and_then(|own| own.ops.iter().rev().find(|op| op.path() == TIME_MARKER))
        .and_then(|op| op.value()?.as_str());
    let Some(now) = own else {
        return scope.own.is_some();
    };
    let day = |marker: &str| {
        let (day, _) = marker.split_once(',').unwrap_or((marker, ""));
        day.trim().to_lowercase()
    };
    scope.days_in_chapter().is_some_and(|days| days < 1.0) || day(before) == day(now)
}

/// The recorded place of somebody whom the chapter does not move, where it has a name of its own.
fn settled<'s>(scope: &'s Scope<'_>, id: &str) -> Option<&'s str> {
    let (field, _, place) = against::recorded_place(scope, id)?;
    let path = format!("characters.{id}.{field}");
    (!against::touched(scope, &path) && proper(place).next().is_some()).then_some(place)
}

/// Whether somebody who is elsewhere by the record meets one who is where the scene is.
fn meets(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    mention: &Mention<'_>,
    place: &str,
) -> bool {
    let index = scene
        .paragraphs
        .partition_point(|range| range.end <= mention.start);
    let Some(paragraph) = scene.paragraphs.get(index) else {
        return false;
    };
    let Some(sentence) = scene.sentence_at(mention.start) else {
        return false;
    };
    let near = away_en::spaced(&scene.content[paragraph.clone()]);
    let own = away_en::spaced(scene.text(sentence));
    let whole = away_en::spaced(scene.content);
    if away_en::is_over_a_distance(&near) || JOURNEYS.iter().any(|word| whole.contains(word)) {
        return false;
    }
    let no_time_passes = NO_TIME.iter().any(|phrase| near.contains(phrase));
    let mut others = scope.mentions(at).iter().filter(|other| {
        paragraph.contains(&other.start) && other.id != mention.id && !scene.is_quoted(other.start)
    });
    others.any(|other| {
        let Some(there) = settled(scope, other.id).filter(|_| gone(scope, other.id).is_none())
        else {
            return false;
        };
        let is_far = scope.places.same(place, there) != Some(true)
            && !proper(place).any(|word| proper(there).any(|other| other == word));
        let is_there = match scope.read(at, *other) {
            Reading::Acts(_) => true,
            Reading::Doubtful
            | Reading::Excused(Excuse::Mention | Excuse::State | Excuse::Past) => {
                !away_en::is_in_mind(&near)
            }
            Reading::Excused(_) => false,
        };
        let here = named(there).any(|word| away_en::is_in(&own, &word));
        let set = named(there).any(|word| away_en::is_in(&near, &word));
        let away = named(place).any(|word| away_en::is_in(&whole, &word));
        is_far && is_there && (here || (set || no_time_passes) && !away)
    })
}

/// The words of a place that are a name, and not that of a house or a street.
fn proper(place: &str) -> impl Iterator<Item = &str> {
    let words: Vec<&str> = place
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) && word.len() > 2;
    let local = |word: &str| LOCAL.contains(&word.to_lowercase().as_str());
    let chosen: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            let is_street = is_capital(next) && local(next);
            let is_article = matches!(**word, "The" | "Her" | "His");
            let is_plain = local(word) || is_street || is_article;
            is_capital(word) && !is_plain
        })
        .map(|(_, word)| *word)
        .collect();
    chosen.into_iter()
}

/// The words by which a text may name a place, in small letters.
fn named(place: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> = place
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(str::to_lowercase)
        .filter(|word| !away_en::is_no_place(word))
        .collect();
    words.into_iter()
}

/// No time has passed since the record.
const NO_TIME: &[&str] = &[
    " same evening ",
    " same day ",
    " same night ",
    " same morning ",
    " same afternoon ",
    " same hour ",
    " that evening ",
    " that night ",
    " that morning ",
    " that afternoon ",
    " that day ",
    " not an hour ",
    " an hour before ",
    " an hour later ",
    " minutes later ",
    " minutes before ",
    " moments later ",
    " moments before ",
];

/// Somebody may have come a long way.
const JOURNEYS: &[&str] = &[
    " journey ",
    " journeyed ",
    " travelled ",
    " traveled ",
    " arrived ",
    " landed ",
    " sailed ",
    " flew ",
    " train ",
    " coach ",
    " returned ",
    " portal ",
    " teleported ",
    " days later ",
    " weeks later ",
    " set out ",
];

/// Parts of a town: between them one walks.
const LOCAL: &[&str] = &[
    "cottage", "house", "inn", "street", "hall", "lane", "road", "square", "tavern", "arms",
    "room", "rooms", "gate", "bridge", "wharf", "dock", "market", "church", "chapel", "school",
    "shop", "place", "row", "yard", "lodge", "manor", "park", "garden", "gardens", "club", "hotel",
    "tower", "temple", "quarter", "ward", "hospital", "avenue", "court", "farm", "mill",
];
