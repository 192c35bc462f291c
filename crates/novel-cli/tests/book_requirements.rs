//! `docs/requirements.md` names tests that exist, and has a row for every scenario.

use std::{fs, path::PathBuf};

/// The scenarios of seeds 000, 001, 002 and 004 and the steps of seed 003, word for word.
const SCENARIOS: [&str; 37] = [
    "Successful chapter generation",
    "No agent writes to final directories",
    "Canonical staging artifacts exist after Summarizer",
    "Resume after interruption at refined stage",
    "High-confidence violation triggers forced revise",
    "After commit, project directories reflect the new chapter",
    "A chapter draft step id is representable",
    "A commit step id is representable",
    "Fresh chapter starts at draft",
    "Interrupted pipeline resumes at the latest recoverable stage",
    "Draft step packet targets ChapterWriter agent and staging output",
    "Summarize step packet targets Summarizer agent and declares expected outputs",
    "Packet references style profile by path",
    "Packet is written under staging manifests",
    "Step 2.0",
    "Step 2.1",
    "Step 2.2",
    "Step 2.3",
    "Step 2.4",
    "Step 2.5",
    "Step 2.6",
    "Step 2.7",
    "Revision chain accepts structured input",
    "Revision chain preserves chapter metadata",
    "Configure revision policy",
    "Treat JSON as single source of truth",
    "Auto-apply revision to chapter JSON",
    "Produce manual-confirm revision candidate",
    "Gate further generation on pending revisions",
    "Apply manual-confirmed revision",
    "Default to non-revision mode",
    "Review after chapter generation",
    "Block on low score or high severity issues",
    "Do not block when policy is off",
    "Block workflow run/resume when pending exists",
    "Block fine-grained chapter/scene generation when pending exists",
    "Treat any pending revision as a hard gate",
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The tests a page names: everything in backticks with `::` in it.
fn named_tests(page: &str) -> Vec<(String, String)> {
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.split_once("::"))
        .map(|(file, function)| (file.to_owned(), function.to_owned()))
        .collect()
}

fn source(file: &str) -> PathBuf {
    let path = match file.split_once('/') {
        Some(_) => format!("crates/{file}.rs"),
        None => format!("crates/novel-cli/tests/{file}.rs"),
    };
    repository().join(path)
}

fn is_test(source: &str, function: &str) -> bool {
    let lines: Vec<&str> = source.lines().collect();
    lines.windows(2).any(|pair| {
        pair[0].trim() == "#[test]" && pair[1].trim().starts_with(&format!("fn {function}("))
    })
}

#[test]
fn every_named_test_exists() {
    let page = fs::read_to_string(repository().join("docs/requirements.md")).unwrap();
    let tests = named_tests(&page);
    assert!(tests.len() > 50, "{}", tests.len());
    let mut missing = Vec::new();
    for (file, function) in tests {
        let path = source(&file);
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if !is_test(&text, &function) {
            missing.push(format!("{file}::{function}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_scenario_has_a_row_with_a_test() {
    let page = fs::read_to_string(repository().join("docs/requirements.md")).unwrap();
    for scenario in SCENARIOS {
        let row = page.lines().find(|line| {
            line.starts_with('|') && line.split('|').any(|cell| cell.trim() == scenario)
        });
        let row = row.unwrap_or_else(|| panic!("no row for: {scenario}"));
        assert!(!named_tests(row).is_empty(), "no test for: {scenario}");
    }
}
