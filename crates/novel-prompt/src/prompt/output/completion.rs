//! The form in which a judge gives what its verdict lacks, and nothing else.

use std::{collections::BTreeSet, sync::Arc};

use novel_book::believe::{
    lacking::{Lacking, LackingScore, LackingViolation},
    verdict::LAYERS,
};
use serde_json::{Map, Value, json};

use super::{Output, halves};

/// The form of an answer to a re-ask: the contracts and dimensions in question alone. A quotation is one of the
/// sentences that are offered for it.
#[must_use]
pub fn verdict_completion(lacking: &Lacking) -> Output {
    let mut parts = Map::new();
    let contracts = contracts(lacking);
    if !contracts.is_empty() {
        parts.insert("contract_verification".to_owned(), object(contracts));
    }
    let scores: Map<String, Value> = lacking
        .scores
        .iter()
        .map(|lacks| (lacks.name.to_owned(), score(lacks)))
        .collect();
    if !scores.is_empty() {
        parts.insert("scores".to_owned(), object(scores));
    }
    Output::Json {
        name: "evaluation_completion",
        schema: Arc::new(object(parts)),
    }
}

fn contracts(lacking: &Lacking) -> Map<String, Value> {
    let mut parts = Map::new();
    let missing: BTreeSet<&str> = lacking.missing.iter().map(|(_, id)| id.as_str()).collect();
    if !missing.is_empty() {
        let id = json!({"type": "string", "enum": missing});
        parts.insert("passed".to_owned(), json!({"type": "array", "items": id}));
    }
    for layer in LAYERS {
        let missing = lacking.missing.iter().filter(|(of, _)| *of == layer);
        let missing: Vec<&str> = missing.map(|(_, id)| id.as_str()).collect();
        let said = lacking.violations.iter().filter(|it| it.layer == layer);
        let mut kinds: Vec<Value> = said.map(violation).collect();
        if !missing.is_empty() {
            kinds.push(new_check(&missing));
        }
        if !kinds.is_empty() {
            let items = json!({"anyOf": kinds});
            parts.insert(layer.to_owned(), json!({"type": "array", "items": items}));
        }
    }
    if lacking.unnamed {
        parts.insert("has_violations".to_owned(), json!({"type": "boolean"}));
    }
    parts
}

/// A contract that was left out and is not kept.
fn new_check(ids: &[&str]) -> Value {
    let mut parts = Map::new();
    parts.insert("rule_id".to_owned(), json!({"type": "string", "enum": ids}));
    parts.insert("evidence".to_owned(), words());
    parts.insert("absent".to_owned(), words());
    parts.insert("detail".to_owned(), json!({"type": "string"}));
    let statuses = ["pass", "violation", "violation_suspected"];
    parts.insert(
        "status".to_owned(),
        json!({"type": "string", "enum": statuses}),
    );
    parts.insert("confidence".to_owned(), confidence());
    object(parts)
}

/// A violation that was named: its ground, or that it is taken back.
fn violation(lacks: &LackingViolation) -> Value {
    let mut parts = Map::new();
    parts.insert(
        "rule_id".to_owned(),
        json!({"type": "string", "enum": [lacks.id]}),
    );
    if !lacks.offered.is_empty() {
        let mut values: Vec<Value> = lacks.offered.iter().map(|it| json!(it)).collect();
        values.push(Value::Null);
        let one_of = json!({"type": ["string", "null"], "enum": values});
        parts.insert("evidence".to_owned(), one_of);
        parts.insert("absent".to_owned(), words());
    }
    parts.insert("withdrawn".to_owned(), words());
    if lacks.lacks_confidence {
        parts.insert("confidence".to_owned(), confidence());
    }
    object(parts)
}

fn score(lacks: &LackingScore) -> Value {
    let mut parts = Map::new();
    if !lacks.offered.is_empty() {
        let one_of = json!({"type": "string", "enum": lacks.offered});
        parts.insert("evidence".to_owned(), one_of);
        parts.insert("absent".to_owned(), words());
    }
    if lacks.off_scale {
        parts.insert("score".to_owned(), halves());
    }
    object(parts)
}

fn confidence() -> Value {
    json!({"type": "string", "enum": ["high", "medium", "low"]})
}

fn words() -> Value {
    json!({"type": ["string", "null"]})
}

fn object(properties: Map<String, Value>) -> Value {
    let names: Vec<&String> = properties.keys().collect();
    let required = json!(names);
    json!({"type": "object", "properties": properties, "required": required})
}

#[cfg(test)]
#[path = "completion_tests.rs"]
mod tests;
