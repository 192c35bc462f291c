//! What a summarizer's answer that was sent back lacks, and the answer with what came for it: whatever was sound
//! stands and is not asked for again.

use std::collections::BTreeSet;

use novel_model::{ChapterNo, Place, Problem, layout};
use serde_json::{Value, json};

use super::facts::{Known, NOT_LOCATED};

/// Marks a list of facts that was cut before its end.
pub const FACTS_CUT: &str = "facts_cut";
/// Parts of the answer beside the facts, in the order they are asked for.
const PARTS: [&str; 3] = ["summary", "memory", "crossref"];
/// Verbs whose value tells two ops on one path apart.
const LISTING: [&str; 2] = ["add", "remove"];

/// What a record lacks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LackingRecord {
    /// Parts that are missing or have to be written again: `summary`, `memory`, `crossref`.
    pub parts: Vec<&'static str>,
    /// Facts that were sent back.
    pub facts: Vec<Value>,
    /// Places in `facts` of those whose quotation is not in the chapter.
    pub unlocated: BTreeSet<usize>,
    /// Facts that stand, where the list was cut and more may come; `None` where it was not.
    pub stands: Option<Vec<Value>>,
}

impl LackingRecord {
    /// What the answer `said` lacks by the problems it was sent back with; `None` where nothing of it stands, or a
    /// problem is not one of its parts.
    #[must_use]
    pub fn of(said: &Value, problems: &[Problem], chapter: ChapterNo) -> Option<Self> {
        let mut wanted: BTreeSet<&str> =
            PARTS.into_iter().filter(|part| !has(said, part)).collect();
        let ops = said.pointer("/delta/ops").and_then(Value::as_array);
        let mut sent_back = BTreeSet::new();
        let mut unlocated = BTreeSet::new();
        let mut is_cut = ops.is_none();
        for problem in problems {
            match about(problem, chapter) {
                About::Part(part) => {
                    wanted.insert(part);
                }
                About::Fact(at) => {
                    sent_back.insert(at);
                    if problem.code == NOT_LOCATED {
                        unlocated.insert(at);
                    }
                }
                About::Facts => is_cut = true,
                // Missing members are known already.
                About::Whole if !wanted.is_empty() || ops.is_none() => {}
                About::Whole => return None,
            }
        }
        let (facts, stands) = (ops.into_iter().flatten().enumerate())
            .partition::<Vec<_>, _>(|(at, _)| sent_back.contains(at));
        let places = facts.iter().enumerate();
        let unlocated = places
            .filter(|(_, (at, _))| unlocated.contains(at))
            .map(|(place, _)| place)
            .collect();
        let plain = |ops: Vec<(usize, &Value)>| ops.into_iter().map(|(_, op)| op.clone()).collect();
        if wanted.len() == PARTS.len() && stands.is_empty() {
            return None;
        }
        Some(Self {
            parts: PARTS
                .into_iter()
                .filter(|part| wanted.contains(part))
                .collect(),
            facts: plain(facts),
            unlocated,
            stands: is_cut.then(|| plain(stands)),
        })
    }

    /// The answer `said` with what came for it in `more`. Facts that were not sent back stay as they are.
    #[must_use]
    pub fn completed(&self, said: &Value, more: &Value, known: &Known) -> Value {
        let mut whole = said.clone();
        let Some(object) = whole.as_object_mut() else {
            return more.clone();
        };
        for part in &self.parts {
            if let Some(new) = more.get(*part).filter(|_| has(more, part)) {
                object.insert((*part).to_owned(), new.clone());
            }
        }
        if !object.get("delta").is_some_and(Value::is_object) {
            object.insert("delta".to_owned(), json!({}));
        }
        let new = more.pointer("/delta/ops").and_then(Value::as_array);
        if let Some(delta) = object.get_mut("delta").and_then(Value::as_object_mut) {
            let ops = delta.get("ops").and_then(Value::as_array);
            // Where neither answer has a list, there is none: an empty one would say that nothing changed.
            if ops.is_some() || new.is_some() {
                let ops = self.facts_with(ops.cloned().unwrap_or_default(), new, known);
                delta.insert("ops".to_owned(), Value::Array(ops));
            }
        }
        whole
    }

    /// The facts with the new ones in the place of those that were sent back.
    fn facts_with(
        &self,
        mut ops: Vec<Value>,
        new: Option<&Vec<Value>>,
        known: &Known,
    ) -> Vec<Value> {
        for op in new.into_iter().flatten() {
            let key = key(op, known);
            let place = ops.iter().position(|other| self::key(other, known) == key);
            let stranger = || {
                ops.iter().position(|other| {
                    self.facts.contains(other)
                        && known.is_stranger(other)
                        && is_same_change(other, op)
                })
            };
            match place.or_else(stranger) {
                Some(at) if self.facts.contains(&ops[at]) => ops[at] = op.clone(),
                // What was said stands.
                Some(_) => {}
                None if self.stands.is_some() || !self.facts.is_empty() => ops.push(op.clone()),
                None => {}
            }
        }
        ops
    }
}

/// Whether an answer has a part in one of its forms.
fn has(said: &Value, part: &str) -> bool {
    let is_told = |text: &str| !text.trim().is_empty();
    match (part, said.get(part)) {
        ("summary" | "memory", Some(Value::String(text))) => is_told(text),
        ("summary", Some(recap)) => recap
            .get("narrative")
            .and_then(Value::as_str)
            .is_some_and(is_told),
        ("memory", Some(Value::Array(lines))) => !lines.is_empty(),
        ("crossref", Some(Value::Object(_))) => true,
        _ => false,
    }
}

/// What a problem is about.
enum About {
    Part(&'static str),
    Fact(usize),
    Facts,
    Whole,
}

fn about(problem: &Problem, chapter: ChapterNo) -> About {
    if problem.path == layout::staged_summary(chapter) {
        return About::Part("summary");
    }
    if problem.path == layout::staged_crossref(chapter) {
        return About::Part("crossref");
    }
    if problem.path != layout::staged_delta(chapter) {
        // What is left of a record is the memory of its line.
        return About::Part("memory");
    }
    let Place::Pointer(pointer) = &problem.place else {
        return About::Whole;
    };
    let mut steps = pointer.split('/').skip(1);
    match (steps.next(), steps.next(), steps.next()) {
        (Some("delta"), Some("ops"), Some(at)) => at.parse().map_or(About::Facts, About::Fact),
        (Some("delta"), ..) => About::Facts,
        (Some(part), ..) => {
            let part = PARTS.into_iter().find(|known| *known == part);
            part.map_or(About::Whole, About::Part)
        }
        (None, ..) => About::Whole,
    }
}

/// What tells an op from others: two with the same are one change.
fn key(op: &Value, known: &Known) -> (String, String, Option<Value>) {
    let verb = op.get("op").and_then(Value::as_str).unwrap_or_default();
    let value = op.get("value").filter(|_| LISTING.contains(&verb));
    (verb.to_owned(), known.resolved_path(op), value.cloned())
}

/// Whether two ops say the same of different people.
fn is_same_change(one: &Value, other: &Value) -> bool {
    let field = |op: &Value| {
        let path = op.get("path").and_then(Value::as_str).unwrap_or_default();
        path.splitn(3, '.').nth(2).map(str::to_owned)
    };
    one.get("op") == other.get("op")
        && one.get("value") == other.get("value")
        && field(one) == field(other)
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
