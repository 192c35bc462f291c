//! Replays `state/changelog.jsonl`, written from the specification and not from the program.

use serde_json::{Map, Value, json};

/// The bytes of `current-state.json` after all lines.
///
/// # Panics
/// When a line cannot be replayed.
#[must_use]
pub fn replay(changelog: &str) -> String {
    let mut state = Value::Null;
    for line in changelog.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        match line["kind"].as_str().unwrap() {
            "snapshot" => state = line["state"].clone(),
            "delta" => {
                assert_eq!(
                    state["state_version"], line["base_state_version"],
                    "{line:#}"
                );
                for applied in line["ops"].as_array().unwrap() {
                    apply(&mut state, &applied["op"]);
                }
                let version = state["state_version"].as_u64().unwrap() + 1;
                assert_eq!(line["state_version"], version, "{line:#}");
                state["state_version"] = json!(version);
                state["last_updated_chapter"] = line["chapter"].clone();
            }
            other => panic!("unknown line {other}"),
        }
    }
    format!("{state:#}\n")
}

fn apply(state: &mut Value, op: &Value) {
    let path = op["path"].as_str().unwrap();
    let value = &op["value"];
    match op["op"].as_str().unwrap() {
        "set" => *slot(state, path) = value.clone(),
        "inc" => {
            let slot = slot(state, path);
            *slot = json!(slot.as_i64().unwrap_or(0) + value.as_i64().unwrap());
        }
        "add" => push(slot(state, path), value),
        "remove" => take(slot(state, path), value),
        "foreshadow" => {
            let active = &mut state["active_foreshadowing"];
            match value.as_str().unwrap() {
                "resolved" => take(active, &json!(path)),
                _ => push(active, &json!(path)),
            }
        }
        other => panic!("{other} was applied"),
    }
}

fn slot<'a>(state: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').fold(state, |at, segment| {
        if at.is_null() {
            *at = Value::Object(Map::new());
        }
        at.as_object_mut()
            .unwrap()
            .entry(segment)
            .or_insert(Value::Null)
    })
}

fn push(list: &mut Value, value: &Value) {
    if list.is_null() {
        *list = json!([]);
    }
    let list = list.as_array_mut().unwrap();
    if !list.contains(value) {
        list.push(value.clone());
    }
}

fn take(list: &mut Value, value: &Value) {
    if let Some(list) = list.as_array_mut() {
        list.retain(|item| item != value);
    }
}
