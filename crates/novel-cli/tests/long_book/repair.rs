//! What a finding says repairs it, done.
//!
//! Only what `novel check --json` gives is used: the places, the quotations and the words of the repair.

use novel_testkit::{TestBook, pretty};
use serde_json::{Value, json};

use super::edits::edit_delta;

/// Applies the repair of a finding.
pub(super) fn apply(book: &TestBook, finding: &Value) {
    let code = finding["code"].as_str().unwrap();
    let repair = finding["repair"].as_str().unwrap();
    assert!(!repair.is_empty(), "{finding:#}");
    let (place, other) = (&finding["place"], &finding["other_side"]);
    match code {
        // Correct the age.
        "AGE_CONTRADICTED" if quoted_number(place).is_some() => {
            let (told, known) = (quoted_number(place).unwrap(), value_in(other).to_string());
            rewrite(book, place, &|sentence| sentence.replace(&told, &known));
        }
        // Register the name.
        "UNREGISTERED_NAME_RECURS" => {
            let name = finding["related_characters"][0].as_str().unwrap();
            let file = json!({"display_name": name, "aliases": []});
            book.write("characters/active/registered.json", pretty(&file));
        }
        // Correct the marker.
        "TIME_RUNS_BACKWARDS" => {
            let marker = value_in(other);
            edit_line(book, place, |op| op["op"]["value"] = marker.clone());
        }
        // Correct the op of the chapter that is wrong; let somebody else be there.
        "FORESHADOW_RESOLVED_BEFORE_PLANTED"
        | "FORESHADOW_ADVANCED_BEFORE_PLANTED"
        | "FORESHADOW_PLANTED_TWICE"
        | "FORESHADOW_AFTER_RESOLVED"
        | "TRAVEL_TOO_FAST" => edit_line(book, place, |op| *op = Value::Null),
        // Give it another range.
        "FORESHADOW_OVERDUE" | "FORESHADOW_RANGE_PASSED" => {
            let pointer = place["pointer"].as_str().unwrap();
            let end = finding["chapter"].as_u64().unwrap() + 20;
            book.edit(place["path"].as_str().unwrap(), |file| {
                file.pointer_mut(pointer).unwrap()[1] = json!(end);
            });
        }
        // Correct the contract; after the chapter, where later ones go on from what is recorded.
        "PRECONDITION_MISMATCH" | "POSTCONDITION_NOT_MET"
            if code == "PRECONDITION_MISMATCH" || finding["fix_instructions"].is_null() =>
        {
            let pointer = place["pointer"].as_str().unwrap();
            book.edit(place["path"].as_str().unwrap(), |file| {
                *file.pointer_mut(pointer).unwrap() = value_in(other);
            });
        }
        // Make the change the contract asks for, in the delta of the chapter.
        "POSTCONDITION_NOT_MET" => {
            let wanted = value_in(place);
            edit_line(book, other, |op| op["op"]["value"] = wanted.clone());
        }
        "FORESHADOW_UPDATE_MISSING" => {
            let pointer = place["pointer"].as_str().unwrap();
            let (_, id) = pointer.rsplit_once('/').unwrap();
            let op =
                json!({"op": "foreshadow", "path": id, "value": value_in(place), "detail": "x"});
            let chapter = finding["chapter"].as_u64().unwrap() as u32;
            edit_delta(book, chapter, |ops| {
                ops.push(json!({"op": op, "undo": {"kind": "nothing"}}));
            });
        }
        // Rewrite the sentence, or take it out.
        _ => rewrite(book, place, &|_| String::new()),
    }
}

/// Another text in the place of a quotation.
fn rewrite(book: &TestBook, place: &Value, new: &dyn Fn(&str) -> String) {
    let quotation = place["quotation"].as_str().unwrap();
    let scene = usize::try_from(place["scene"].as_u64().expect("a place in the text")).unwrap() - 1;
    book.edit(place["path"].as_str().unwrap(), |chapter| {
        let content = &mut chapter["scenes"][scene]["content"];
        *content = json!(
            content
                .as_str()
                .unwrap()
                .replace(quotation, &new(quotation))
        );
    });
}

/// Changes the op a place of the changelog quotes; an op that becomes null goes.
fn edit_line(book: &TestBook, place: &Value, change: impl Fn(&mut Value)) {
    let number = usize::try_from(place["line"].as_u64().expect("a line")).unwrap();
    let chapter = book.lines("state/changelog.jsonl")[number - 1]["chapter"].clone();
    let quoted: Value = serde_json::from_str(place["quotation"].as_str().unwrap()).unwrap();
    edit_delta(book, chapter.as_u64().unwrap() as u32, |ops| {
        let same = |op: &Value| {
            ["op", "path", "value"]
                .iter()
                .all(|key| op["op"][*key] == quoted[*key])
        };
        let at = ops.iter().rposition(same).expect("the quoted op");
        change(&mut ops[at]);
        if ops[at].is_null() {
            ops.remove(at);
        }
    });
}

/// What a quoted op or member says.
fn value_in(side: &Value) -> Value {
    let quotation = side["quotation"].as_str().unwrap();
    if let Ok(op) = serde_json::from_str::<Value>(quotation) {
        return op["value"].clone();
    }
    let member: Value = serde_json::from_str(&format!("{{{quotation}}}")).unwrap();
    let mut members = member.as_object().unwrap().values();
    members.next().unwrap().clone()
}

/// The digits in a quotation.
fn quoted_number(place: &Value) -> Option<String> {
    let quotation = place["quotation"].as_str()?;
    let digits: String = quotation.chars().filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}
