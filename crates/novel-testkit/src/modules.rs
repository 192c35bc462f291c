//! The list of test modules of a crate is complete.

use std::{fs, path::Path};

/// Fails when a Rust file below the directory of `runner` belongs to no `mod` declaration.
///
/// A crate has one test binary, `tests/runner.rs`; a file that nobody declares would never run.
///
/// # Panics
/// With the paths of the files that are not declared.
#[track_caller]
pub fn assert_all_declared(manifest_dir: &str, runner: &str) {
    let runner = Path::new(manifest_dir).join(runner);
    let mut forgotten = Vec::new();
    check(&runner, runner.parent().unwrap(), &mut forgotten);
    assert!(
        forgotten.is_empty(),
        "not declared by a `mod`: {forgotten:#?}"
    );
}

/// Compares the declarations in `source` with the entries of `dir`.
fn check(source: &Path, dir: &Path, forgotten: &mut Vec<String>) {
    let text = fs::read_to_string(source).unwrap();
    let declared: Vec<&str> = text.lines().filter_map(declaration).collect();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_known = declared.contains(&name);
        if path.is_dir() {
            // `name/` belongs to `name.rs`, or has a `mod.rs`; other directories hold data.
            let inner = path.join("mod.rs");
            if inner.is_file() {
                if is_known {
                    check(&inner, &path, forgotten);
                } else {
                    forgotten.push(inner.display().to_string());
                }
            }
        } else if path.extension().is_some_and(|end| end == "rs") && path != source {
            if !is_known {
                forgotten.push(path.display().to_string());
            }
            let inner = path.with_extension("");
            if inner.is_dir() {
                check(&path, &inner, forgotten);
            }
        }
    }
}

/// The name in a line like `mod name;`.
fn declaration(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

#[cfg(test)]
#[path = "modules_tests.rs"]
mod tests;
