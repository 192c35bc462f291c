//! The contract against the state before the chapter and the delta of the chapter.

use novel_model::{files::ForeshadowAction, layout, message};
use serde_json::{Map, Value};

use super::{Scope, against::differ, member, token};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        timeline::Own,
    },
    facts,
    ledger::{Meaning, Slot, same_text},
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let Some(contract) = scope.contract.map(novel_model::Document::get) else {
        return;
    };
    if let (Some(states), Some(_)) = (&contract.preconditions.character_states, &scope.past.state) {
        preconditions(scope, states, findings);
    }
    if let (Some(own), Some(before)) = (scope.own, &scope.past.state) {
        let after = own.applied_to(before);
        postconditions(
            scope,
            own,
            &after,
            &contract.postconditions.state_changes,
            findings,
        );
        updates(
            scope,
            own,
            &contract.postconditions.foreshadowing_updates,
            findings,
        );
    }
}

fn contract_side(scope: &Scope<'_>, pointer: String, quotation: String) -> Side {
    Side::pointer(
        layout::contract(scope.volume, scope.chapter),
        pointer,
        quotation,
    )
}

fn preconditions(scope: &Scope<'_>, states: &Map<String, Value>, findings: &mut Vec<Finding>) {
    for (name, wanted) in states {
        let (Some(id), Some(wanted)) = (scope.people.id_of(name), wanted.as_object()) else {
            continue;
        };
        let Some(record) = scope.past.character(id) else {
            continue;
        };
        for (key, value) in wanted {
            // What the state does not say, it does not contradict.
            let Some(found) = record.get(key) else {
                continue;
            };
            if agrees(scope, key, value, found) != Some(false) {
                continue;
            }
            let path = format!("characters.{id}.{key}");
            let pointer = format!(
                "/preconditions/character_states/{}/{}",
                token(name),
                token(key)
            );
            let sides = (
                contract_side(scope, pointer, member(key, value)),
                scope.past.source(&path, member(key, found)),
            );
            let text = message!(
                en: "the contract starts with {key} of {name} as {value}, but the state before the chapter has {found}",
                zh: "契约要求开章时{name}的 {key} 为 {value}，而本章之前的状态为 {found}"
            );
            let subject = format!("{id}.{key}");
            findings.push(
                Finding::new(
                    FindingCode::PreconditionMismatch,
                    scope.chapter,
                    &subject,
                    sides,
                    text,
                )
                .about([scope.display(id)]),
            );
        }
    }
}

fn postconditions(
    scope: &Scope<'_>,
    own: &Own,
    after: &Value,
    changes: &Map<String, Value>,
    findings: &mut Vec<Finding>,
) {
    for (name, wanted) in changes {
        let (Some(id), Some(wanted)) = (scope.people.id_of(name), wanted.as_object()) else {
            continue;
        };
        let record = after.get("characters").and_then(|all| all.get(id));
        for (key, value) in wanted {
            let path = format!("characters.{id}.{key}");
            let op = own.ops.iter().rev().find(|record| {
                record.path() == path || record.path().starts_with(&format!("{path}."))
            });
            let found = record.and_then(|record| record.get(key));
            let met = match found {
                None => op.is_some(),
                // A wording that cannot be compared is met when the chapter touched it.
                Some(found) => agrees(scope, key, value, found)
                    .unwrap_or_else(|| op.is_some() || value == found),
            };
            if met {
                continue;
            }
            let pointer = format!(
                "/postconditions/state_changes/{}/{}",
                token(name),
                token(key)
            );
            let recorded = match (op, found) {
                (Some(op), _) => op.side(),
                (None, Some(found)) => scope.past.source(&path, member(key, found)),
                (None, None) => nothing_recorded(scope, own),
            };
            let shown = found.map_or_else(|| Value::Null.to_string(), Value::to_string);
            let text = message!(
                en: "the contract ends with {key} of {name} as {value}, but the state after the chapter has {shown}",
                zh: "契约要求本章结束时{name}的 {key} 为 {value}，而本章之后的状态为 {shown}"
            );
            let fix = message!(
                en: "by the end of the chapter the text must show that {key} of {name} is {value}",
                zh: "请在本章结束前写明：{name}的 {key} 变为 {value}"
            );
            let sides = (contract_side(scope, pointer, member(key, value)), recorded);
            let subject = format!("{id}.{key}");
            let finding = Finding::new(
                FindingCode::PostconditionNotMet,
                scope.chapter,
                &subject,
                sides,
                text,
            )
            .about([scope.display(id)]);
            // Later chapters go on from what is recorded: then the contract is what is wrong.
            findings.push(if scope.is_newest {
                finding.fix(scope.lang, &fix)
            } else {
                finding
            });
        }
    }
}

fn updates(scope: &Scope<'_>, own: &Own, wanted: &Map<String, Value>, findings: &mut Vec<Finding>) {
    for (id, action) in wanted {
        let Some(action) = action.as_str().and_then(ForeshadowAction::from_word) else {
            continue;
        };
        let done: Vec<_> = own
            .ops
            .iter()
            .filter(|record| record.path() == id)
            .filter_map(|record| Some((record.action()?, record)))
            .collect();
        if done.iter().any(|(found, _)| *found == action) {
            continue;
        }
        let recorded = match done.last() {
            Some((_, record)) => record.side(),
            None => nothing_recorded(scope, own),
        };
        let word = action.word();
        let pointer = format!("/postconditions/foreshadowing_updates/{}", token(id));
        let sides = (
            contract_side(scope, pointer, member(id, &Value::from(word))),
            recorded,
        );
        let text = message!(
            en: "the contract wants foreshadowing `{id}` {word} in this chapter; its delta does not say so",
            zh: "契约要求本章将伏笔 `{id}` 标记为 {word}，但本章的变更中没有"
        );
        let known = scope
            .foreshadowing
            .into_iter()
            .flat_map(|global| &global.foreshadowing);
        let description = known
            .filter(|item| item.id.as_str() == id)
            .map(|item| item.description.trim())
            .find(|description| !description.is_empty());
        let what = description.unwrap_or(id);
        let fix = match action {
            ForeshadowAction::Planted => {
                message!(en: "plant this foreshadowing in the chapter: {what}", zh: "请在本章中埋设伏笔：{what}")
            }
            ForeshadowAction::Advanced => {
                message!(en: "advance this foreshadowing in the chapter: {what}", zh: "请在本章中推进伏笔：{what}")
            }
            ForeshadowAction::Resolved => {
                message!(en: "resolve this foreshadowing in the chapter: {what}", zh: "请在本章中回收伏笔：{what}")
            }
        };
        findings.push(
            Finding::new(
                FindingCode::ForeshadowUpdateMissing,
                scope.chapter,
                id,
                sides,
                text,
            )
            .fix(scope.lang, &fix),
        );
    }
}

/// The chapter's line, with the paths it touched.
fn nothing_recorded(scope: &Scope<'_>, own: &Own) -> Side {
    let mut paths: Vec<&str> = own.ops.iter().map(|record| record.path()).collect();
    paths.dedup();
    let chapter = scope.chapter.get();
    Side::line(
        layout::state_changelog(),
        own.line,
        format!("\"chapter\": {chapter}, \"ops\": [{}]", paths.join(", ")),
    )
}

/// Whether the state holds what the contract says; `None` when that cannot be told. Known slots are
/// compared by meaning and places by id, so that another wording is not a contradiction.
fn agrees(scope: &Scope<'_>, key: &str, wanted: &Value, found: &Value) -> Option<bool> {
    let Some(slot) = Slot::of_field(key) else {
        return facts::agrees(key, wanted, found, |id| called(scope, id));
    };
    match (
        slot,
        Meaning::of(slot, key, wanted),
        Meaning::of(slot, key, found),
    ) {
        (_, Some(Meaning::Life(wanted)), Some(Meaning::Life(found))) => Some(wanted == found),
        (_, Some(Meaning::Number(wanted)), Some(Meaning::Number(found))) => Some(wanted == found),
        (_, Some(Meaning::Intact(wanted)), Some(Meaning::Intact(found))) => Some(wanted == found),
        (_, Some(Meaning::Body(wanted)), Some(Meaning::Body(found))) => Some(wanted == found),
        (Slot::Place, Some(Meaning::Name(wanted)), Some(Meaning::Name(found))) => {
            let (wanted, found) = (called(scope, &wanted), called(scope, &found));
            if differ(scope, &wanted, &found) {
                Some(false)
            } else {
                (scope.places.same(&wanted, &found) == Some(true)).then_some(true)
            }
        }
        (Slot::Rank, Some(Meaning::Name(wanted)), Some(Meaning::Name(found))) => {
            let shared = wanted
                .chars()
                .zip(found.chars())
                .take_while(|(a, b)| a == b)
                .count();
            let similar = same_text(&wanted, &found) || !wanted.is_ascii() && shared >= 2;
            if similar {
                Some(true)
            } else {
                facts::agrees(
                    key,
                    &Value::from(wanted),
                    &Value::from(found),
                    str::to_owned,
                )
            }
        }
        (Slot::Holds, ..) => facts::agrees(key, wanted, found, |id| called(scope, id)),
        // A wording the lexicon does not know decides nothing.
        (Slot::Alive | Slot::Body | Slot::Intact, ..) => None,
        _ => facts::agrees(key, wanted, found, |id| called(scope, id)),
    }
}

/// What the state calls a place or a faction, when the text is its id.
fn called(scope: &Scope<'_>, id: &str) -> String {
    let state = scope.past.state.as_ref();
    ["locations", "factions"]
        .into_iter()
        .find_map(|part| state?.get(part)?.get(id)?.get("display_name")?.as_str())
        .unwrap_or(id)
        .to_owned()
}
