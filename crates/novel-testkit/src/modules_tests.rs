use std::fs;

use super::*;

#[test]
#[should_panic(expected = "stray.rs")]
fn a_file_without_a_declaration_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    fs::create_dir(dir.path().join("inner")).unwrap();
    put("runner.rs", "mod inner;\nmod other;\n");
    put("inner/mod.rs", "mod stray;\n");
    put("inner/stray.rs", "");
    put("other.rs", "");
    let root = dir.path().to_str().unwrap();
    assert_all_declared(root, "runner.rs");
    put("inner/mod.rs", "");
    assert_all_declared(root, "runner.rs");
}
