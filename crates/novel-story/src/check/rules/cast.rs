//! Somebody dead, absent or retired acts or speaks.

mod apart_en;
mod apart_zh;
mod away_en;
mod away_zh;

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{Lang, message};

use super::{Scope, later, member};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        people::life_of,
        prose::{Mention, Sentence, holds},
        reading::{ALIVE_AFTER_ALL, is_elsewhere},
    },
    ledger::Life,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let mut gone_cache: BTreeMap<&str, Option<(FindingCode, Side)>> = BTreeMap::new();
    let mut reported: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    // Paragraphs with a meeting that is told already, of whichever of the two.
    let mut met: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for mention in scope.mentions(at) {
            let gone = gone_cache
                .entry(mention.id)
                .or_insert_with(|| gone(scope, mention.id).or_else(|| placed(scope, mention.id)));
            let Some((code, other_side)) = gone else {
                continue;
            };
            let absence = match code {
                FindingCode::AbsentCharacterActs => Some(absence(scope, mention.id)),
                _ => None,
            };
            if absence == Some(Absence::Placed) && !apart_zh::is_met_elsewhere(scope, at, mention) {
                continue;
            }
            let act = scope.read(at, *mention).act();
            let act = act
                .or_else(|| later::follow_up(scope, at, *mention))
                .or_else(|| later::introduced(scope, at, *mention))
                .or_else(|| later::touched(scope, at, *mention))
                .or_else(|| later::goes_on(scope, at, *mention))
                .or_else(|| later::pronoun_goes_on(scope, at, *mention));
            let Some(focus) = act else {
                continue;
            };
            let Some(sentence) = scene.sentence_at(focus.start) else {
                continue;
            };
            if is_elsewhere(scene, &apart_zh::names_in(scope, at), *mention, scope.lang) {
                continue;
            }
            if *code == FindingCode::DeadCharacterActs && is_alive_after_all(scope, at, sentence) {
                continue;
            }
            let excused = match absence {
                Some(Absence::Away) => {
                    let recorded = &other_side.quotation;
                    is_elsewhere_or_back(scope, at, sentence, recorded)
                        || !has_company(scope, (at, sentence), mention, recorded)
                }
                Some(Absence::Senseless) if scope.lang == Lang::Zh => {
                    away_zh::may_wake(scope, scene, mention, &focus)
                }
                Some(Absence::Senseless) => may_wake(scope, mention.id, scene.text(sentence)),
                Some(Absence::Placed) => !met.insert((at, sentence.paragraph)),
                None => false,
            };
            if excused {
                continue;
            }
            let seen = reported.entry(mention.id).or_default();
            if !seen.insert(at << 32 | sentence.start) {
                continue;
            }
            let place = scope.text.side(scene, sentence, focus);
            findings.push(report(
                scope,
                *code,
                mention.id,
                absence == Some(Absence::Senseless),
                (place, other_side.clone()),
            ));
        }
    }
    apart_en::check(scope, findings);
}

/// Whether the paragraph says that whoever was taken for dead is not.
fn is_alive_after_all(scope: &Scope<'_>, scene: usize, sentence: Sentence) -> bool {
    const ALIVE_EN: &[&str] = &[
        "not dead",
        "alive after all",
        "back from the dead",
        "risen from",
        "resurrect",
        "thought you were dead",
        "thought he was dead",
        "thought she was dead",
        "supposed to be dead",
        "should be dead",
        "faked",
        "never died",
        "hadn't died",
        "had not died",
        "survived",
        "not drowned",
        "wasn't dead",
        "was alive",
    ];
    let scene = &scope.text.scenes[scene];
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return false;
    };
    let text = &scene.content[paragraph.clone()];
    match scope.lang {
        Lang::Zh => holds(text, ALIVE_AFTER_ALL),
        Lang::En => holds(&text.to_lowercase().replace('’', "'"), ALIVE_EN),
    }
}

/// How the record keeps somebody from being here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Absence {
    /// Left, was taken away, is locked up.
    Away,
    /// Lives and cannot act.
    Senseless,
    /// Is in a place, and nothing else is said.
    Placed,
}

fn absence(scope: &Scope<'_>, id: &str) -> Absence {
    let life = scope.past.character(id).and_then(life_of);
    match life.map(|(_, _, life)| life) {
        Some(Life::Absent) => Absence::Away,
        Some(Life::Senseless) => Absence::Senseless,
        _ if apart_zh::is_senseless_there(scope, id) => Absence::Senseless,
        _ => Absence::Placed,
    }
}

/// Where the record has somebody, for a Chinese text.
fn placed(scope: &Scope<'_>, id: &str) -> Option<(FindingCode, Side)> {
    if scope.lang != Lang::Zh {
        return None;
    }
    let (field, value, _) = apart_zh::bound_place(scope, id)?;
    let path = format!("characters.{id}.{field}");
    let side = scope.past.source(&path, member(field, value));
    Some((FindingCode::AbsentCharacterActs, side))
}

/// Whether the chapter lets somebody wake, or the sentence tells what a senseless body does.
fn may_wake(scope: &Scope<'_>, id: &str, sentence: &str) -> bool {
    const WAKES_EN: &[&str] = &[
        "woke",
        "wake",
        "waking",
        "awoke",
        "awake",
        "came to",
        "come to",
        "opened his eyes",
        "opened her eyes",
        "thaw",
        "unsealed",
        "conscious",
    ];
    const STIRS_EN: &[&str] = &[
        "slept", "sleep", "lay", "lying", "breath", "moan", "groan", "stir", "mutter", "murmur",
        "dream", "twitch", "sigh", "pale",
    ];
    // `when Bastien opened his eyes`: somebody else named before wakes.
    let of_another = |at: usize, sentence: &Sentence, wakes: usize| {
        let mut named = scope
            .mentions(at)
            .iter()
            .filter(|mention| (sentence.start..sentence.start + wakes).contains(&mention.start))
            .peekable();
        named.peek().is_some() && named.all(|mention| mention.id != id)
    };
    let scenes = scope.text.scenes.iter().enumerate();
    holds(&sentence.to_lowercase(), STIRS_EN)
        || scenes.into_iter().any(|(at, scene)| {
            scene.sentences.iter().any(|sentence| {
                let told = scene.text(*sentence).to_lowercase();
                WAKES_EN
                    .iter()
                    .filter_map(|word| told.find(word))
                    .any(|wakes| !of_another(at, sentence, wakes))
            })
        })
}

/// Whether the paragraph tells of a return, or shows whoever is away where they are.
fn is_elsewhere_or_back(
    scope: &Scope<'_>,
    scene: usize,
    sentence: Sentence,
    recorded: &str,
) -> bool {
    let scene = &scope.text.scenes[scene];
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return false;
    };
    let text = &scene.content[paragraph.clone()];
    match scope.lang {
        Lang::Zh => away_zh::may_be_there(scene.content, text, recorded),
        Lang::En => away_en::may_be_there(scene.content, text, recorded),
    }
}

/// Whether the same paragraph shows somebody else who is there: who is away may act elsewhere.
fn has_company(
    scope: &Scope<'_>,
    (scene, sentence): (usize, Sentence),
    mention: &Mention<'_>,
    recorded: &str,
) -> bool {
    let paragraphs = &scope.text.scenes[scene].paragraphs;
    let at = paragraphs.partition_point(|range| range.end <= mention.start);
    let Some(range) = paragraphs.get(at) else {
        return false;
    };
    match scope.lang {
        Lang::Zh => away_zh::has_company(scope, scene, (range, sentence), mention, recorded),
        Lang::En => away_en::has_company(scope, scene, range, mention),
    }
}

fn report(
    scope: &Scope<'_>,
    code: FindingCode,
    id: &str,
    senseless: bool,
    sides: (Side, Side),
) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let (text, fix) = match code {
        FindingCode::AbsentCharacterActs if senseless => (
            message!(
                en: "{name} is senseless before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已不省人事，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is senseless: in “{quotation}”, give the action or speech to somebody else, or show how {name} woke",
                zh: "{name}不省人事：请把「{quotation}」中的言行改由他人完成，或写明{name}如何醒来"
            ),
        ),
        FindingCode::DeadCharacterActs => (
            message!(
                en: "{name} is dead before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已经死亡，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is dead: in “{quotation}”, give the action or speech to somebody else, take it out, or make plain that it is a memory",
                zh: "{name}已经死亡：请把「{quotation}」中的言行改由他人完成、删去，或写明这是回忆"
            ),
        ),
        FindingCode::AbsentCharacterActs => (
            message!(
                en: "{name} is away before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已经不在场，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is away: in “{quotation}”, give the action or speech to somebody else, or show how {name} came back",
                zh: "{name}不在场：请把「{quotation}」中的言行改由他人完成，或写明{name}如何归来"
            ),
        ),
        _ => (
            message!(
                en: "{name} has left the story, but acts or speaks in this chapter",
                zh: "{name}已经退场，却在本章中行动或说话"
            ),
            message!(
                en: "{name} has left the story: in “{quotation}”, give the action or speech to somebody else, or take it out",
                zh: "{name}已经退场：请把「{quotation}」中的言行改由他人完成或删去"
            ),
        ),
    };
    let subject = sides.0.bound(id);
    Finding::new(code, scope.chapter, &subject, sides, text)
        .about([name])
        .fix(scope.lang, &fix)
}

/// Why somebody cannot act in this chapter.
pub(in crate::check) fn gone(scope: &Scope<'_>, id: &str) -> Option<(FindingCode, Side)> {
    let before = scope.past.character(id);
    let after = scope.after.as_ref();
    if let Some((key, value, life @ (Life::Dead | Life::Absent | Life::Senseless))) =
        before.and_then(life_of)
    {
        // Who is alive after the chapter came back in it; that is a story, not a fault.
        let returns = after
            .and_then(|after| after.get("characters")?.get(id))
            .is_some_and(|record| life_of(record).is_none_or(|(_, _, now)| now != life));
        if returns {
            return None;
        }
        let path = format!("characters.{id}.{key}");
        let side = scope.past.source(&path, member(key, value));
        let code = match life {
            Life::Absent | Life::Senseless => FindingCode::AbsentCharacterActs,
            _ => FindingCode::DeadCharacterActs,
        };
        return Some((code, side));
    }
    let person = scope.people.get(id)?;
    let (pointer, quotation) = person.left_before(scope.chapter, scope.is_newest)?;
    let side = Side::pointer(person.path.clone(), pointer, quotation);
    Some((FindingCode::RetiredCharacterActs, side))
}
