//! The table of error codes against the sources and the manual.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::ERROR_CODES;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[expect(clippy::disallowed_methods, reason = "reads the sources")]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Sources of the product, tests left out.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("_tests.rs") {
            found.push(path);
        }
    }
}

/// Texts in upper snake case inside the functions `code` and `row` of a source.
fn codes_in(source: &str) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut end: Option<String> = None;
    for line in source.lines() {
        if end.as_deref() == Some(line) {
            end = None;
        }
        if ["fn code(&self)", "fn row(&self)"]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
        {
            let indent = line.len() - line.trim_start().len();
            end = Some(format!("{}}}", " ".repeat(indent)));
        }
        if end.is_some() {
            let quoted = line.split('"').skip(1).step_by(2);
            let is_code = |text: &&str| {
                !text.is_empty()
                    && text
                        .bytes()
                        .all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit())
            };
            codes.extend(quoted.filter(is_code).map(str::to_owned));
        }
    }
    codes
}

#[test]
fn the_table_names_the_codes_of_the_sources_and_no_other() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(workspace().join("crates")).unwrap() {
        let directory = entry.unwrap().path();
        if directory.ends_with("novel-mockllm") {
            continue;
        }
        let mut files = Vec::new();
        sources(&directory.join("src"), &mut files);
        for file in files {
            found.extend(codes_in(&read(&file)));
        }
    }
    let table: BTreeSet<String> = ERROR_CODES
        .iter()
        .map(|known| known.code.to_owned())
        .collect();
    assert_eq!(found, table);
    assert_eq!(table.len(), ERROR_CODES.len(), "a code is there twice");
}

#[test]
fn the_manual_explains_every_code() {
    let manual = read(&workspace().join("docs/errors.md"));
    let missing: Vec<&str> = ERROR_CODES
        .iter()
        .map(|known| known.code)
        .filter(|code| !manual.contains(&format!("`{code}`")))
        .collect();
    assert!(missing.is_empty(), "not in docs/errors.md: {missing:?}");
}

#[test]
fn exit_codes_of_kinds_are_distinct() {
    let mut codes = BTreeMap::new();
    for kind in ERROR_CODES.iter().flat_map(|known| known.kinds) {
        let code = super::exit_code(*kind);
        let before = codes.insert(code, *kind);
        assert!(before.is_none_or(|before| before == *kind), "{code}");
    }
    assert_eq!(codes.len(), 6);
}
