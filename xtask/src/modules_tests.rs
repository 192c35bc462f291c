use std::fs;

use super::{cycles, cycles_in, graph_of};

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
