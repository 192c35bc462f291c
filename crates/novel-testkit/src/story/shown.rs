//! Rank, ties, knowledge, looks, place and day as the prose says them, and hard rules of the world.

use serde_json::{Value, json};

use super::cases::{Case, held_out, set};

pub(super) fn cases(all: &mut Vec<Case>) {
    let lines = include_str!("shown.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, text) = line.split_once(" | ").unwrap();
        let mut head = head.splitn(4, ' ');
        let mut part = || head.next().unwrap();
        let (language, kind, sign, record) = (part(), part(), part(), part());
        let mut rules = Vec::new();
        let mut ops = Vec::new();
        for fact in record.split("; ") {
            match fact.split_once('=') {
                Some((path, value)) => ops.push(op(path, value)),
                None => rules.push(fact.strip_prefix("rule:").unwrap().to_owned()),
            }
        }
        all.push(Case {
            held_out: held_out(text),
            rules,
            ..Case::prose(kind, language, ops, text, sign == "+")
        });
    }
}

fn op(path: &str, value: &str) -> Value {
    match path.strip_prefix("world.") {
        Some(field) => set(&format!("world_state.{field}"), json!(value)),
        None => set(&format!("characters.{path}"), json!(value)),
    }
}
