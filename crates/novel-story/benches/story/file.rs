//! Somebody's own cases, from files of JSON lines: figures by kind and language.

use std::{collections::BTreeMap, fs};

use novel_testkit::story::{Case, cases_of};

use super::{
    cases::{Tally, findings},
    share,
    together::{self, candidates_of, doubts},
};

/// The chapter a case is about.
const CHAPTER: u32 = 2;

/// How the findings of a kind begin; those of another kind are found by any finding.
fn codes(kind: &str) -> &'static [&'static str] {
    match kind {
        "dead" => &["DEAD_"],
        "absent" => &["ABSENT_"],
        "retired" => &["RETIRED_"],
        "thing" | "item" | "count" => &["ITEM_"],
        "body" | "looks" => &["BODY_"],
        "age" => &["AGE_"],
        "family" | "kin" | "kinship" => &["KINSHIP_"],
        "place" => &["PLACE_", "TRAVEL_"],
        "day" => &["DAY_", "TIME_"],
        "rank" => &["RANK_"],
        "tie" | "relation" => &["RELATION_"],
        "knows" | "knowledge" | "secret" => &["KNOWN_"],
        "law" | "rule" | "world" | "world_rule" => &["WORLD_"],
        _ => &[""],
    }
}

/// The cases of one kind and language.
#[derive(Default)]
struct Kind {
    found: Tally,
    /// Contradictions with a finding or a candidate.
    selected: usize,
    /// Those with one that can become a finding of the kind.
    fitting: usize,
    candidates: usize,
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads its material")]
pub(crate) fn run(paths: &[String], tune: bool) {
    for path in paths {
        println!("{path}");
        let mut kinds: BTreeMap<(String, &str), Kind> = BTreeMap::new();
        let cases = cases_of(&fs::read_to_string(path).unwrap());
        for case in &cases {
            let (found, candidates) = (found(case), candidates_of(&case.book(), CHAPTER));
            let fits = candidates.iter().any(|candidate| {
                !candidate.excused && doubts(&case.kind).contains(&candidate.doubt.as_str())
            });
            let candidates = candidates.len();
            let hit = if case.contradicts {
                let codes = codes(&case.kind);
                found
                    .iter()
                    .any(|code| codes.iter().any(|begin| code.starts_with(begin)))
            } else {
                !found.is_empty()
            };
            if tune && hit != case.contradicts {
                let what = if case.contradicts { "missed" } else { "FALSE " };
                println!(
                    "{what} {} {}\n         {found:?} {candidates} {:?} {:?}",
                    case.kind,
                    case.text,
                    case.record.iter().map(brief).collect::<Vec<_>>(),
                    case.rules
                );
            }
            let kind = kinds.entry((case.kind.clone(), case.language)).or_default();
            kind.found.add(case.contradicts, hit);
            kind.candidates += candidates;
            if case.contradicts && (!found.is_empty() || candidates > 0) {
                kind.selected += 1;
            }
            if case.contradicts && (!found.is_empty() || fits) {
                kind.fitting += 1;
            } else if tune && case.contradicts {
                println!("unasked {} {}", case.kind, case.text);
            }
        }
        print(&kinds);
        together::run(&cases, tune);
    }
}

fn print(kinds: &BTreeMap<(String, &str), Kind>) {
    for language in ["zh", "en"] {
        let mut all = Kind::default();
        for ((name, _), kind) in kinds.iter().filter(|((_, of), _)| *of == language) {
            kind.found.print(&format!("{language} {name}"));
            all.found.join(&kind.found);
            all.selected += kind.selected;
            all.fitting += kind.fitting;
            all.candidates += kind.candidates;
        }
        let planted = all.found.planted();
        if planted > 0 {
            all.found.print(&format!("{language}, all kinds"));
            println!(
                "{:28} {}, {:.1} candidates a chapter",
                "  a finding or a candidate",
                share(all.selected, planted),
                all.candidates as f64 / all.found.all() as f64
            );
            println!(
                "{:28} {}",
                "  about the kind, answerable",
                share(all.fitting, planted)
            );
        }
    }
}

/// `characters.a.status=战死`.
fn brief(op: &serde_json::Value) -> String {
    format!("{}={}", op["path"].as_str().unwrap_or("?"), op["value"])
}

fn found(case: &Case) -> Vec<&'static str> {
    let found = findings(&case.book());
    found.iter().map(|finding| finding.code.as_str()).collect()
}
