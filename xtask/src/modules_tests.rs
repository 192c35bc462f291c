use std::fs;

use serde_json::json;

use super::{cycles, cycles_in, graph_of, unseen_tests};

fn source(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join("made/src").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

#[test]
fn modules_that_use_each_other_are_found() {
    let made = source(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::thing;"),
        ("b/mod.rs", "mod inner;"),
        ("b/inner.rs", "fn f() { crate::c::g(); }"),
        ("c.rs", "use crate::{a, b::{x, y}};"),
    ]);
    let found = cycles(made.path()).unwrap();
    assert_eq!(found, ["`made`: the modules a, b, c use each other"]);
}

#[test]
fn an_item_of_the_root_counts_as_its_modules() {
    let made = source(&[
        ("lib.rs", "mod a; mod b; pub use b::Thing;"),
        ("a.rs", "use crate::Thing;"),
        ("b.rs", "use crate::a::f;"),
    ]);
    assert_eq!(cycles(made.path()).unwrap().len(), 1);
}

#[test]
fn a_chain_and_test_files_are_no_cycle() {
    let made = source(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b;"),
        ("b.rs", "fn f() {}"),
        ("b_tests.rs", "use crate::a;"),
    ]);
    let graph = graph_of(&made.path().join("made/src")).unwrap();
    assert!(graph["a"].contains("b"));
    assert!(cycles_in(&graph).is_empty());
}

#[test]
fn source_that_does_not_parse_is_an_error() {
    let made = source(&[("lib.rs", "mod")]);
    assert!(cycles(made.path()).unwrap_err().contains("lib.rs"));
}

#[test]
fn a_test_of_a_library_without_tests_is_found() {
    let made = source(&[
        ("lib.rs", "mod a;"),
        ("a.rs", "fn f() {}"),
        ("a_tests.rs", "#[test]\nfn t() {}"),
    ]);
    let root = made.path().join("made/src/lib.rs");
    let library = |test: bool| {
        let target = json!({"kind": ["lib"], "src_path": root, "test": test});
        json!({"packages": [{"targets": [target]}]})
    };
    assert!(unseen_tests(&library(true)).unwrap().is_empty());
    let found = unseen_tests(&library(false)).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("a_tests.rs"), "{found:?}");
}
