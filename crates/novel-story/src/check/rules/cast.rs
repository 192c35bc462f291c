//! Somebody dead or retired acts or speaks.

use std::collections::BTreeSet;

use novel_model::message;
use serde_json::Value;

use super::{Scope, member};
use crate::check::{
    acts::act,
    finding::{Finding, FindingCode, Side},
};

const DEAD_WORDS: [&str; 14] = [
    "dead",
    "deceased",
    "died",
    "killed",
    "死亡",
    "已死",
    "已死亡",
    "身亡",
    "已身亡",
    "已故",
    "去世",
    "已去世",
    "阵亡",
    "殒命",
];
const STATUS_KEYS: [&str; 3] = ["status", "life_status", "vital_status"];
const ALIVE_KEYS: [&str; 2] = ["alive", "is_alive"];
const DEAD_KEYS: [&str; 2] = ["dead", "is_dead"];

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let after = scope
        .own
        .zip(scope.past.state.as_ref())
        .map(|(own, before)| own.applied_to(before));
    let mut reported = BTreeSet::new();
    for scene in &scope.text.scenes {
        for mention in scope.index.mentions(scene.content) {
            if reported.contains(mention.id) {
                continue;
            }
            let Some((code, other_side)) = gone(scope, mention.id, after.as_ref()) else {
                continue;
            };
            let Some(focus) = act(scene, mention, scope.lang) else {
                continue;
            };
            let Some(sentence) = scene.sentence_at(mention.start) else {
                continue;
            };
            reported.insert(mention.id);
            let place = scope.text.side(scene, sentence, focus);
            findings.push(report(scope, code, mention.id, (place, other_side)));
        }
    }
}

fn report(scope: &Scope<'_>, code: FindingCode, id: &str, sides: (Side, Side)) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let (text, fix) = if code == FindingCode::DeadCharacterActs {
        (
            message!(
                en: "{name} is dead before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已经死亡，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is dead: in “{quotation}”, give the action or speech to somebody else, take it out, or make plain that it is a memory",
                zh: "{name}已经死亡：请把「{quotation}」中的言行改由他人完成、删去，或写明这是回忆"
            ),
        )
    } else {
        (
            message!(
                en: "{name} has left the story, but acts or speaks in this chapter",
                zh: "{name}已经退场，却在本章中行动或说话"
            ),
            message!(
                en: "{name} has left the story: in “{quotation}”, give the action or speech to somebody else, or take it out",
                zh: "{name}已经退场：请把「{quotation}」中的言行改由他人完成或删去"
            ),
        )
    };
    Finding::new(code, scope.chapter, id, sides, text)
        .about([name])
        .fix(scope.lang, &fix)
}

/// Why somebody can not act in this chapter.
fn gone(scope: &Scope<'_>, id: &str, after: Option<&Value>) -> Option<(FindingCode, Side)> {
    let before = scope.past.character(id);
    if let Some((key, value)) = before.and_then(death) {
        // Who is alive after the chapter came back in it; that is a story, not a fault.
        let returns = after
            .and_then(|after| after.get("characters")?.get(id))
            .is_some_and(|record| death(record).is_none());
        if returns {
            return None;
        }
        let path = format!("characters.{id}.{key}");
        let side = scope.past.source(&path, member(key, value));
        return Some((FindingCode::DeadCharacterActs, side));
    }
    let person = scope.people.get(id)?;
    let (pointer, quotation) = person.left_before(scope.chapter, scope.is_newest)?;
    let side = Side::pointer(person.path.clone(), pointer, quotation);
    Some((FindingCode::RetiredCharacterActs, side))
}

/// The field that says that somebody is dead.
fn death(record: &Value) -> Option<(&'static str, &Value)> {
    let field = |key: &'static str| record.get(key).map(|value| (key, value));
    let says_dead = |value: &Value| {
        let word = value.as_str().unwrap_or_default().trim().to_lowercase();
        DEAD_WORDS.contains(&word.as_str())
    };
    STATUS_KEYS
        .into_iter()
        .filter_map(field)
        .find(|(_, value)| says_dead(value))
        .or_else(|| {
            let mut alive = ALIVE_KEYS.into_iter().filter_map(field);
            alive.find(|(_, value)| **value == Value::Bool(false))
        })
        .or_else(|| {
            let mut dead = DEAD_KEYS.into_iter().filter_map(field);
            dead.find(|(_, value)| **value == Value::Bool(true))
        })
}
