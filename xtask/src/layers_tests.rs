use serde_json::{Value, json};

use super::violations;

fn workspace(name: &str, used: &str, kind: Option<&str>) -> Value {
    json!({"packages": [{"name": name, "dependencies": [
        {"name": "serde", "kind": null},
        {"name": used, "kind": kind, "path": "/somewhere"},
    ]}]})
}

#[test]
fn downward_dependencies_are_allowed() {
    assert!(violations(&workspace("novel-book", "novel-model", None)).is_empty());
    assert!(violations(&workspace("novel-text", "novel-model", None)).is_empty());
    assert!(violations(&workspace("novel-app", "novel-text", Some("build"))).is_empty());
    assert!(violations(&workspace("novel-model", "novel-testkit", Some("dev"))).is_empty());
    assert!(violations(&workspace("novel-testkit", "novel-app", None)).is_empty());
}

#[test]
fn upward_and_sideways_dependencies_are_refused() {
    for (name, used, kind) in [
        ("novel-model", "novel-book", None),
        ("novel-model", "novel-text", None),
        ("novel-book", "novel-store", Some("dev")),
        ("novel-book", "novel-store", Some("build")),
        ("novel-app", "novel-testkit", None),
    ] {
        let found = violations(&workspace(name, used, kind));
        assert_eq!(found.len(), 1, "{name} -> {used}");
        assert!(found[0].contains(used), "{found:?}");
    }
}

#[test]
fn a_front_end_sees_the_application_alone() {
    for used in ["novel-app", "novel-contract", "novel-model"] {
        let found = violations(&workspace("novel-cli", used, None));
        assert!(found.is_empty(), "{found:?}");
    }
    assert!(violations(&workspace("novel-cli", "novel-store", Some("dev"))).is_empty());
    for (name, used, kind) in [
        ("novel-cli", "novel-text", None),
        ("novel-mcp", "novel-store", None),
        ("novel-studio", "novel-book", Some("build")),
    ] {
        let found = violations(&workspace(name, used, kind));
        assert_eq!(found.len(), 1, "{name} -> {used}");
        assert!(found[0].contains("past the application"), "{found:?}");
    }
}

#[test]
fn a_crate_without_a_layer_is_refused() {
    assert_eq!(
        violations(&workspace("novel-new", "novel-model", None)).len(),
        1
    );
    assert_eq!(
        violations(&workspace("novel-app", "novel-new", None)).len(),
        1
    );
}
