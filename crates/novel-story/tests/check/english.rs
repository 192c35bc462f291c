//! The same in English.

use novel_story::check::{Finding, FindingCode};
use serde_json::json;

use super::book::{Book, CHAPTERS, Chapter, Check, PER_VOLUME};

pub(crate) fn english() -> Book {
    let character =
        |name: &str, aliases: &[&str]| json!({"display_name": name, "aliases": aliases});
    Book {
        language: "en",
        per_volume: Some(PER_VOLUME),
        chapters: (1..=CHAPTERS).map(chapter).collect(),
        plan: json!({"foreshadowing": []}),
        files: vec![
            (
                "characters/active/mara.json".into(),
                character("Mara Venn", &["Mara"]),
            ),
            (
                "characters/active/old-chen.json".into(),
                character("Old Chen", &[]),
            ),
            (
                "characters/active/isolde.json".into(),
                character("Isolde", &[]),
            ),
            (
                "storylines/storylines.json".into(),
                json!({"storylines": [{"id": "main-arc", "pov_characters": ["Mara"]},
                                      {"id": "harbour", "pov_characters": ["isolde"]}]}),
            ),
        ],
    }
}

fn chapter(number: u32) -> Chapter {
    let mut ops = vec![
        json!({"op": "set", "path": "characters.mara.location", "value": format!("Pier {number}")}),
        json!({"op": "set", "path": "world_state.time_marker", "value": format!("Day {number}")}),
    ];
    match number {
        1 => ops
            .push(json!({"op": "add", "path": "characters.mara.inventory", "value": "brass key"})),
        5 => ops.push(
            json!({"op": "remove", "path": "characters.mara.inventory", "value": "brass key"}),
        ),
        10 => ops.push(json!({"op": "set", "path": "characters.old-chen.status", "value": "dead"})),
        _ => {}
    }
    let before = if number == 1 {
        json!({})
    } else {
        json!({"Mara": {"location": format!("Pier {}", number - 1)}})
    };
    let chen = if number <= 10 {
        "Old Chen looked up from the ledger. \"Sit,\" said Old Chen.".to_owned()
    } else {
        match number % 4 {
            0 => "Mara remembered how Old Chen walked in out of the rain. Old Chen smiled then."
                .to_owned(),
            1 => "Old Chen had walked this pier every morning.".to_owned(),
            2 => "\"Old Chen said it would rain,\" Mara said.".to_owned(),
            _ => {
                "The grave was on the hill. If Old Chen stood here now, he would laugh.".to_owned()
            }
        }
    };
    let key = if number <= 5 {
        "Mara held the brass key to the light."
    } else {
        "Mara missed the brass key. She did not have another."
    };
    Chapter {
        line: "main-arc".to_owned(),
        scenes: vec![
            format!(
                "Rain came in off the bay. Mara waited under the awning at Pier {number}.\n\n{chen}"
            ),
            format!(
                "{key}\n\n\"Who goes there?\" the watchman asked. \"Nobody,\" she said.\n\nThe Captain said nothing."
            ),
        ],
        ops,
        contract: json!({
            "chapter": number, "storyline_id": "main-arc",
            "preconditions": {"character_states": before},
            "objectives": [{"id": "OBJ-1", "required": true, "description": "find the ship"}],
            "postconditions": {"state_changes": {"Mara Venn": {"location": format!("Pier {number}")}}}}),
        ..Chapter::default()
    }
}

fn only(book: &Book, code: FindingCode, chapter: u32, focus: &str) -> Finding {
    let finding = book.finding();
    assert_eq!(
        (finding.code, finding.chapter.get()),
        (code, chapter),
        "{finding:#?}"
    );
    let range = finding
        .place
        .focus
        .clone()
        .unwrap_or(0..finding.place.quotation.len());
    assert_eq!(&finding.place.quotation[range], focus);
    finding
}

#[test]
fn a_clean_english_book_has_no_finding() {
    assert_eq!(english().findings(), []);
}

#[test]
fn the_dead_do_not_speak_in_english() {
    let mut book = english();
    book.chapter(20).scenes[1] += "\n\n\"Mind the step,\" said Old Chen.";
    let finding = only(&book, FindingCode::DeadCharacterActs, 20, "Old Chen");
    assert_eq!(finding.place.quotation, "\"Mind the step,\" said Old Chen.");
    assert!(
        finding
            .fix_instructions
            .unwrap()
            .starts_with("Old Chen is dead")
    );
    let mut book = english();
    book.chapter(21).scenes[1] += "\n\nThe door opened. Old Chen slowly walked in.";
    let finding = only(
        &book,
        FindingCode::DeadCharacterActs,
        21,
        "Old Chen slowly walked in",
    );
    assert_eq!(finding.place.quotation, "Old Chen slowly walked in.");
}

#[test]
fn other_rules_in_english() {
    let mut book = english();
    book.chapter(12).scenes[0] += "\n\nMara took out the brass key and turned it over.";
    only(
        &book,
        FindingCode::ItemUsedAfterGivenAway,
        12,
        "Mara took out the brass key",
    );

    let mut book = english();
    book.chapter(12).scenes[0] += "\n\nThe note was signed Isolde.";
    only(&book, FindingCode::ForeignCastNamed, 12, "Isolde");

    let mut book = english();
    for chapter in [12, 14, 17, 30] {
        book.chapter(chapter).scenes[0] += "\n\n\"Late again,\" said Tobias Reed.";
    }
    only(
        &book,
        FindingCode::UnregisteredNameRecurs,
        17,
        "Tobias Reed",
    );

    let mut book = english();
    book.chapter(12).ops[1]["value"] = json!("Day 9");
    let found = book.findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, FindingCode::TimeRunsBackwards);
}
