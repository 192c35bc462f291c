//! The schemas on disk are those of the types.

use std::{collections::BTreeSet, fs, path::Path};

use super::{COMMANDS, schemas};

#[test]
#[expect(clippy::disallowed_methods, reason = "reads the generated files")]
fn schemas_on_disk_are_current() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/answers");
    let mut known = BTreeSet::new();
    for (name, schema) in schemas() {
        let expected = novel_model::to_json_text(&schema);
        let found = fs::read_to_string(directory.join(&name)).unwrap_or_default();
        assert_eq!(
            found, expected,
            "{name}: run `cargo run -p xtask -- schemas`"
        );
        known.insert(name);
    }
    for entry in fs::read_dir(&directory).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(
            known.contains(&name),
            "{name}: run `cargo run -p xtask -- schemas`"
        );
    }
}

#[test]
fn every_schema_is_one() {
    for (name, schema) in schemas() {
        if let Err(error) = jsonschema::meta::validate(&schema) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn commands_are_sorted_and_named_once() {
    assert!(COMMANDS.is_sorted_by(|(before, _), (after, _)| before < after));
}
