//! The chain of conditions: what a chapter starts from is what the state or an earlier chapter left.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{Document, Problem, files::ChapterContract, message};
use serde_json::{Map, Value};

use super::{Plan, token};
use crate::facts::{agrees, item_name};
use novel_book::validate::Findings;

/// Things somebody carries: what nobody gave them they do not have.
const CARRIED: &str = "inventory";

/// What is known of somebody, by field: the value and the chapter that left it so.
type Known = BTreeMap<String, (Value, Option<u32>)>;

pub(super) fn check(plan: &Plan, findings: &mut Findings) {
    let mut walk = Walk {
        plan,
        known: BTreeMap::new(),
        seen: BTreeSet::new(),
    };
    for (id, record) in &plan.state.characters {
        let name = record.get("display_name").and_then(Value::as_str);
        let name = walk.canonical(name.unwrap_or(id));
        if let Value::Object(record) = record {
            walk.seen.insert(name.clone());
            let fields = record
                .iter()
                .map(|(key, value)| (key.clone(), (value.clone(), None)));
            walk.known.entry(name).or_default().extend(fields);
        }
    }
    for contract in plan.contracts.iter().map(Document::get) {
        if let Some(states) = &contract.preconditions.character_states {
            walk.before(contract, states, findings);
        }
        walk.after(contract);
    }
}

struct Walk<'a> {
    plan: &'a Plan,
    known: BTreeMap<String, Known>,
    seen: BTreeSet<String>,
}

impl Walk<'_> {
    /// One name for somebody, whatever alias a contract uses.
    fn canonical(&self, name: &str) -> String {
        let name = name.trim();
        let mut people = self.plan.names.iter();
        let found = people.find(|names| names.iter().any(|known| known == name));
        found
            .and_then(|names| names.first())
            .map_or_else(|| name.to_owned(), Clone::clone)
    }

    fn before(
        &mut self,
        contract: &ChapterContract,
        states: &Map<String, Value>,
        findings: &mut Findings,
    ) {
        for (name, wanted) in states {
            let (who, Some(wanted)) = (self.canonical(name), wanted.as_object()) else {
                continue;
            };
            let is_new = self.seen.insert(who.clone());
            let mut learnt = Vec::new();
            let known = self.known.entry(who).or_default();
            for (key, value) in wanted {
                let pointer = || {
                    let (name, key) = (token(name), token(key));
                    format!("/preconditions/character_states/{name}/{key}")
                };
                match known.get(key) {
                    Some((found, since)) => {
                        if agrees(key, value, found, |id| place_name(self.plan, id)) == Some(false)
                        {
                            let problem =
                                broken(self.plan, contract, (name, key, value), found, *since);
                            findings.problems.push(problem.at(pointer()));
                        }
                    }
                    None if key == CARRIED && !is_new && has_things(value) => {
                        let problem = from_nowhere(self.plan, contract, name, value);
                        findings.problems.push(problem.at(pointer()));
                    }
                    // Nothing was said of it yet: the chapter says it first.
                    None => learnt.push((key.clone(), (value.clone(), None))),
                }
            }
            known.extend(learnt);
        }
    }

    fn after(&mut self, contract: &ChapterContract) {
        let since = Some(contract.chapter.get());
        for (name, changes) in &contract.postconditions.state_changes {
            let who = self.canonical(name);
            self.seen.insert(who.clone());
            let known = self.known.entry(who).or_default();
            for (key, value) in changes.as_object().into_iter().flatten() {
                let value = match (known.get(key), value) {
                    (Some((Value::Array(old), _)), Value::Array(new)) => carried(old, new),
                    _ => value.clone(),
                };
                known.insert(key.clone(), (value, since));
            }
        }
    }
}

/// A list after a change: `+thing` and `-thing` change it, plain things replace it.
pub(in crate::plan) fn carried(old: &[Value], new: &[Value]) -> Value {
    let is_change =
        |entry: &Value| item_name(entry).is_some_and(|name| name.starts_with(['+', '-']));
    if !new.iter().any(is_change) {
        return Value::Array(new.to_vec());
    }
    let mut list: Vec<String> = old
        .iter()
        .filter_map(item_name)
        .map(str::to_owned)
        .collect();
    for name in new.iter().filter_map(item_name) {
        match name.strip_prefix('-') {
            Some(gone) => list.retain(|thing| thing != gone.trim()),
            None => list.push(name.trim_start_matches('+').trim().to_owned()),
        }
    }
    Value::from(list)
}

fn has_things(value: &Value) -> bool {
    let things = value.as_array().into_iter().flatten().filter_map(item_name);
    things.into_iter().any(|name| !name.starts_with('-'))
}

/// What the state calls a place or a faction, when the text is its id.
fn place_name(plan: &Plan, id: &str) -> String {
    [&plan.state.locations, &plan.state.factions]
        .into_iter()
        .find_map(|part| part.get(id)?.get("display_name")?.as_str())
        .unwrap_or(id)
        .to_owned()
}

fn broken(
    plan: &Plan,
    contract: &ChapterContract,
    (name, key, wanted): (&str, &str, &Value),
    found: &Value,
    since: Option<u32>,
) -> Problem {
    let chapter = contract.chapter.get();
    let what = match since {
        Some(earlier) => message!(
            en: "chapter {chapter} starts with {key} of {name} as {wanted}, but chapter {earlier} leaves it as {found}",
            zh: "第 {chapter} 章开始时要求{name}的 {key} 为 {wanted}，而第 {earlier} 章结束时是 {found}"
        ),
        None => message!(
            en: "chapter {chapter} starts with {key} of {name} as {wanted}, but before it is {found}",
            zh: "第 {chapter} 章开始时要求{name}的 {key} 为 {wanted}，而此前是 {found}"
        ),
    };
    let hint = match since {
        Some(earlier) => message!(
            en: "start chapter {chapter} with {found}, or let chapter {earlier} or one between them end with {wanted}",
            zh: "请让第 {chapter} 章从 {found} 开始，或让第 {earlier} 章（或其间某章）以 {wanted} 结束"
        ),
        None => message!(
            en: "start chapter {chapter} with {found}, or let an earlier chapter end with {wanted}",
            zh: "请让第 {chapter} 章从 {found} 开始，或让更早的某章以 {wanted} 结束"
        ),
    };
    Problem::new("broken_chain", &plan.path(contract), what).hint(hint)
}

fn from_nowhere(plan: &Plan, contract: &ChapterContract, name: &str, wanted: &Value) -> Problem {
    let chapter = contract.chapter.get();
    let what = message!(
        en: "chapter {chapter} starts with {name} carrying {wanted}, but nothing before gave it to them",
        zh: "第 {chapter} 章开始时{name}持有 {wanted}，但此前没有任何一章让其得到"
    );
    let hint = message!(
        en: "let an earlier chapter end with it in their `inventory`",
        zh: "请让更早的某章在结束时把它写入其 `inventory`"
    );
    Problem::new("broken_chain", &plan.path(contract), what).hint(hint)
}
