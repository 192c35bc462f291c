//! Which crate may use which: arrows point down only.

use serde_json::Value;

/// Crates of the product, lowest layer first.
const LAYERS: &[&[&str]] = &[
    &["novel-model", "novel-text", "novel-contract"],
    &["novel-book"],
    &["novel-story"],
    &["novel-prompt", "novel-steps"],
    &[
        "novel-store",
        "novel-llm",
        "novel-exec",
        "novel-offline",
        "novel-export",
        "novel-import",
    ],
    &["novel-app"],
    &["novel-cli", "novel-studio", "novel-mcp"],
];

/// Arrows inside a layer: text is parsed into types, and its faults are problems; answers hold types
/// of the files; a command starts the Studio.
const WITHIN: &[(&str, &str)] = &[
    ("novel-text", "novel-model"),
    ("novel-contract", "novel-model"),
    ("novel-cli", "novel-studio"),
];

/// What a front end uses: the application, its answers, and plain types. In tests it may use more.
const SEEN_BY_FRONT_ENDS: &[&str] = &["novel-app", "novel-contract", "novel-model"];

/// Crates for tests and chores: they may use everything, the product may use them in tests only.
const DEVELOPMENT: &[&str] = &["novel-testkit", "novel-mockllm", "mockllm", "xtask"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Layer(usize),
    Development,
}

fn rank(name: &str) -> Option<Rank> {
    if DEVELOPMENT.contains(&name) {
        return Some(Rank::Development);
    }
    LAYERS
        .iter()
        .position(|layer| layer.contains(&name))
        .map(Rank::Layer)
}

/// Every dependency that does not point down, one line each, from `cargo metadata`.
pub(crate) fn violations(metadata: &Value) -> Vec<String> {
    let mut violations = Vec::new();
    for package in list(metadata, "packages") {
        let name = text(package, "name");
        let Some(from) = rank(name) else {
            violations.push(format!(
                "`{name}` has no layer: add it to xtask/src/layers.rs"
            ));
            continue;
        };
        // Only dependencies by path are crates of this workspace.
        let own = list(package, "dependencies").filter(|dependency| dependency["path"].is_string());
        for dependency in own {
            let used = text(dependency, "name");
            let in_tests = text(dependency, "kind") == "dev";
            match (from, rank(used)) {
                (_, None) => violations.push(format!(
                    "`{name}` uses `{used}`, which has no layer: add it to xtask/src/layers.rs"
                )),
                (Rank::Development, Some(_)) => {}
                (Rank::Layer(_), Some(Rank::Development)) if in_tests => {}
                (Rank::Layer(_), Some(Rank::Development)) => violations.push(format!(
                    "`{name}` uses `{used}` outside of tests: make it a dev-dependency"
                )),
                (Rank::Layer(from), Some(Rank::Layer(_)))
                    if from + 1 == LAYERS.len()
                        && !in_tests
                        && !SEEN_BY_FRONT_ENDS.contains(&used)
                        && !WITHIN.contains(&(name, used)) =>
                {
                    violations.push(format!(
                        "`{name}` uses `{used}` past the application: let `novel-app` offer a use case or export the type"
                    ));
                }
                (Rank::Layer(from), Some(Rank::Layer(to))) if to < from => {}
                (Rank::Layer(_), Some(Rank::Layer(_))) if WITHIN.contains(&(name, used)) => {}
                (Rank::Layer(from), Some(Rank::Layer(to))) => violations.push(format!(
                    "`{name}` (L{from}) uses `{used}` (L{to}): dependencies must point to a lower layer"
                )),
            }
        }
    }
    violations.sort();
    violations
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
