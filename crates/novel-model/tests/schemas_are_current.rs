//! The files under `schemas/` are what the types say.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads the repository"
)]

use std::{collections::BTreeMap, fs, path::Path};

#[test]
fn schemas_are_current() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let written: BTreeMap<String, String> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .filter(|(name, _)| name.ends_with(".schema.json"))
        .collect();
    let expected: BTreeMap<String, String> = novel_model::schemas()
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), novel_model::to_json_text(schema)))
        .collect();
    assert_eq!(
        expected.len(),
        novel_model::schemas().len(),
        "two formats share a file name"
    );
    let names = written.keys().chain(expected.keys());
    let stale: Vec<&String> = names
        .filter(|name| written.get(*name) != expected.get(*name))
        .collect();
    assert!(
        stale.is_empty(),
        "not current: {stale:?}; run `cargo run -p xtask -- schemas`"
    );
}
