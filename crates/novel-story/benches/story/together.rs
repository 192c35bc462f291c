//! Many cases in one chapter: whether candidates find their sentence where others compete for the ten.

use novel_story::check::{Candidate, CheckInput, candidates};
use novel_testkit::story::{Book, Case, no};
use serde_json::{Map, Value};

use super::{cases::findings, share};

/// Cases of a chapter.
const TOGETHER: usize = 10;

/// Why a candidate of a kind is asked about.
pub(crate) fn doubts(kind: &str) -> &'static [&'static str] {
    match kind {
        "dead" | "absent" | "retired" => &["gone", "place"],
        "thing" | "item" | "count" => &["thing"],
        "body" | "looks" => &["body", "told"],
        "age" | "rank" | "family" | "kin" | "kinship" => &["told"],
        "place" => &["place"],
        "day" => &["day"],
        "tie" | "relation" => &["tie", "told"],
        "knows" | "knowledge" | "secret" => &["secret"],
        "law" | "rule" | "world" | "world_rule" => &["rule"],
        _ => &[
            "gone", "thing", "body", "secret", "rule", "told", "tie", "day", "place",
        ],
    }
}

/// The candidates of a chapter of a book.
pub(crate) fn candidates_of(book: &Book, chapter: u32) -> Vec<Candidate> {
    candidates(CheckInput {
        reader: &book.write(),
        config: &book.config(),
        chapter: no(chapter),
        volume: book.volume(no(chapter)),
    })
    .unwrap()
}

/// Puts cases of a file into chapters together and counts the planted sentences that are selected.
pub(crate) fn run(cases: &[Case], tune: bool) {
    for language in ["zh", "en"] {
        let own: Vec<&Case> = cases
            .iter()
            .filter(|case| case.language == language)
            .collect();
        let step = own.len().div_ceil(TOGETHER);
        let (mut planted, mut selected, mut characters, mut asked, mut chapters) = (0, 0, 0, 0, 0);
        for first in 0..step {
            let group: Vec<&Case> = own[first..].iter().step_by(step).copied().collect();
            let (book, kept) = chapter_of(&group);
            let found = findings(&book);
            let candidates = candidates_of(&book, 2);
            asked += candidates.len();
            chapters += 1;
            for case in kept {
                characters += case.text.chars().count();
                if !case.contradicts {
                    continue;
                }
                planted += 1;
                let told = found
                    .iter()
                    .any(|finding| case.text.contains(&finding.place.quotation));
                let is_asked = candidates.iter().any(|candidate| {
                    !candidate.excused
                        && case.text.contains(&candidate.place.quotation)
                        && doubts(&case.kind).contains(&candidate.doubt.as_str())
                });
                selected += usize::from(told || is_asked);
                if tune && !told && !is_asked {
                    println!("left out {} {}", case.kind, case.text);
                }
            }
        }
        if planted > 0 {
            println!(
                "{language}, {TOGETHER} cases a chapter    {}, {:.1} candidates a chapter of {} characters",
                share(selected, planted),
                f64::from(asked as u32) / f64::from(chapters),
                characters / chapters as usize
            );
        }
    }
}

/// A book whose second chapter has the texts of all cases, each with people and things of its own, and
/// the cases it has room for: one day a chapter.
fn chapter_of<'c>(group: &[&'c Case]) -> (Book, Vec<&'c Case>) {
    let mut all: Option<Case> = None;
    let mut kept = Vec::new();
    for (number, case) in group.iter().enumerate() {
        let is_of_day = |case: &Case| {
            case.record
                .iter()
                .any(|op| op["path"] == "world_state.time_marker")
        };
        if is_of_day(case) && all.as_ref().is_some_and(is_of_day) {
            continue;
        }
        kept.push(*case);
        let case = renamed(case, number);
        let Some(all) = &mut all else {
            all = Some(case);
            continue;
        };
        all.record.extend(case.record);
        all.own.extend(case.own);
        all.claims.extend(case.claims);
        all.rules.extend(case.rules);
        all.cast.extend(case.cast);
        all.secrets.extend(case.secrets);
        match (all.places["places"].as_array_mut(), &case.places) {
            (Some(known), more) => {
                known.extend(more["places"].as_array().cloned().unwrap_or_default());
            }
            (None, more) => all.places = more.clone(),
        }
    }
    let mut book = all.unwrap().book();
    // A scene each: what one tells as a memory covers no other.
    book.chapter(2).scenes = kept.iter().map(|case| case.text.clone()).collect();
    (book, kept)
}

/// A case whose ids begin with its number.
fn renamed(case: &Case, number: usize) -> Case {
    let mut ids: Vec<String> = case.cast.iter().map(|(id, _)| id.clone()).collect();
    for op in &case.record {
        let mut path = op["path"].as_str().unwrap_or_default().split('.');
        if path.next() == Some("items") {
            ids.extend(path.next().map(str::to_owned));
        }
    }
    let places = case.places["places"].as_array().into_iter().flatten();
    ids.extend(places.filter_map(|place| place["id"].as_str().map(str::to_owned)));
    let id = |text: &str| {
        if ids.iter().any(|id| id == text) {
            format!("n{number}-{text}")
        } else {
            text.to_owned()
        }
    };
    let value = |value: &Value| renamed_in(value, &id);
    let list = |list: &[Value]| list.iter().map(value).collect();
    let mut secrets: Vec<Value> = list(&case.secrets);
    for secret in &mut secrets {
        secret["id"] = Value::from(format!("s{number}"));
    }
    Case {
        record: list(&case.record),
        own: list(&case.own),
        claims: list(&case.claims),
        secrets,
        places: value(&case.places),
        cast: case
            .cast
            .iter()
            .map(|(known, name)| (id(known), name.clone()))
            .collect(),
        ..case.clone()
    }
}

fn renamed_in(value: &Value, id: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => {
            let parts: Vec<String> = text.split('.').map(id).collect();
            Value::from(parts.join("."))
        }
        Value::Array(list) => list.iter().map(|value| renamed_in(value, id)).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| (id(key), renamed_in(value, id)));
            Value::Object(members.collect::<Map<String, Value>>())
        }
        other => other.clone(),
    }
}
