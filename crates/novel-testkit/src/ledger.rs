//! The ledger of calls, as tests read it.

use std::collections::BTreeMap;

use novel_store::compressed;
use serde_json::{Value, json};

/// The answers of a step among the files of a project, in files of their own and among the used ones,
/// in the order of their ids; `rejected` says why one is not usable. `step` is as in the name of its
/// directory, such as `chapter-002-draft`.
#[must_use]
pub fn calls<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>, step: &str) -> Vec<Value> {
    let all = all_calls(files).into_iter();
    all.filter(|call| call["step"].as_str().unwrap().replace(':', "-") == step)
        .collect()
}

/// All answers in the ledger, in the order of their ids.
///
/// # Panics
/// When a file of the ledger is damaged.
#[must_use]
pub fn all_calls<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<Value> {
    let (mut calls, mut marks) = (BTreeMap::new(), Vec::new());
    for (path, bytes) in files {
        if !path.starts_with("logs/calls/") {
            continue;
        }
        if path.ends_with(".zst") {
            for line in compressed::expand(bytes).unwrap().lines() {
                let call: Value = serde_json::from_str(line).unwrap();
                calls.insert(call["id"].to_string(), call);
            }
            continue;
        }
        // A process that was killed may have left a part of a fresh one.
        let Ok(file) = serde_json::from_slice::<Value>(bytes) else {
            assert!(path.ends_with(".new"), "{path}");
            continue;
        };
        if path.ends_with(".rejected.json") {
            marks.push(file);
        } else {
            calls.insert(file["id"].to_string(), file);
        }
    }
    for mark in marks {
        if let Some(call) = calls.get_mut(&mark["id"].to_string()) {
            call["rejected"] = json!(mark["problems"]);
        }
    }
    calls.into_values().collect()
}
