//! Somebody dead, absent or retired acts or speaks.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::message;

use super::{Scope, member};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        people::life_of,
    },
    ledger::Life,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let mut gone_cache: BTreeMap<&str, Option<(FindingCode, Side)>> = BTreeMap::new();
    let mut reported: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for mention in scope.mentions(at) {
            let gone = gone_cache
                .entry(mention.id)
                .or_insert_with(|| gone(scope, mention.id));
            let Some((code, other_side)) = gone else {
                continue;
            };
            let Some(focus) = scope.read(at, *mention).act() else {
                continue;
            };
            let Some(sentence) = scene.sentence_at(mention.start) else {
                continue;
            };
            if *code == FindingCode::AbsentCharacterActs && !has_company(scope, at, mention) {
                continue;
            }
            let seen = reported.entry(mention.id).or_default();
            if !seen.insert(at << 32 | sentence.start) {
                continue;
            }
            let is_first = seen.len() == 1;
            let place = scope.text.side(scene, sentence, focus);
            findings.push(report(
                scope,
                *code,
                mention.id,
                is_first,
                (place, other_side.clone()),
            ));
        }
    }
}

/// Whether the same paragraph shows somebody else who is there: who is away may act elsewhere.
fn has_company(
    scope: &Scope<'_>,
    scene: usize,
    mention: &crate::check::prose::Mention<'_>,
) -> bool {
    let paragraphs = &scope.text.scenes[scene].paragraphs;
    let at = paragraphs.partition_point(|range| range.end <= mention.start);
    let Some(range) = paragraphs.get(at) else {
        return false;
    };
    scope
        .mentions(scene)
        .iter()
        .filter(|other| range.contains(&other.start) && other.id != mention.id)
        .any(|other| gone(scope, other.id).is_none() && scope.read(scene, *other).act().is_some())
}

fn report(
    scope: &Scope<'_>,
    code: FindingCode,
    id: &str,
    is_first: bool,
    sides: (Side, Side),
) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let (text, fix) = match code {
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
    // The first keeps the fingerprint that stood for all of them.
    let subject = if is_first {
        id.to_owned()
    } else {
        format!("{id}\n{quotation}")
    };
    Finding::new(code, scope.chapter, &subject, sides, text)
        .about([name])
        .fix(scope.lang, &fix)
}

/// Why somebody cannot act in this chapter.
pub(in crate::check) fn gone(scope: &Scope<'_>, id: &str) -> Option<(FindingCode, Side)> {
    let before = scope.past.character(id);
    let after = scope.after.as_ref();
    if let Some((key, value, life @ (Life::Dead | Life::Absent))) = before.and_then(life_of) {
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
            Life::Absent => FindingCode::AbsentCharacterActs,
            _ => FindingCode::DeadCharacterActs,
        };
        return Some((code, side));
    }
    let person = scope.people.get(id)?;
    let (pointer, quotation) = person.left_before(scope.chapter, scope.is_newest)?;
    let side = Side::pointer(person.path.clone(), pointer, quotation);
    Some((FindingCode::RetiredCharacterActs, side))
}
