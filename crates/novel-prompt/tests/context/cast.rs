//! Steps 2.3 and 2.4: the cast and whose contracts a chapter needs.

use novel_book::context::{Cast, MAX_CAST};
use novel_model::{Explain, files::ChapterContract};
use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

use super::book::{assert_helpful, chapter, character, contract, findings, volume};

fn names(book: &MemoryBook, contract: Value, number: u32) -> Vec<String> {
    let contract: ChapterContract = serde_json::from_value(contract).unwrap();
    let cast = Cast::load(book).unwrap();
    let selected = cast
        .select(book, volume(2), chapter(number), &contract)
        .unwrap();
    selected.iter().map(ToString::to_string).collect()
}

fn without_states() -> Value {
    let mut contract = contract();
    contract["preconditions"] = json!({});
    contract
}

fn crowd(count: u32) -> MemoryBook {
    (1..=count).fold(MemoryBook::new(), |book, number| {
        let path = format!("characters/active/p-{number:02}.json");
        book.with(&path, character(&format!("人物{number:02}号"), &[]))
    })
}

#[test]
fn step_2_3_entity_id_map_is_by_file_name() {
    let book = MemoryBook::new()
        .with(
            "characters/active/lin-feng.json",
            character("林枫", &["小枫"]),
        )
        .with("characters/active/chen-lao.json", character("陈老", &[]))
        .with("characters/active/lin-feng.md", "x")
        .with("characters/active/notes.txt", "x");
    let cast = Cast::load(&book).unwrap();
    let map = Value::Object(cast.entity_id_map());
    assert_eq!(map.to_string(), r#"{"chen-lao":"陈老","lin-feng":"林枫"}"#);
    assert_eq!(cast.named("小枫").unwrap().as_str(), "lin-feng");
    assert_eq!(cast.named("林枫").unwrap().as_str(), "lin-feng");
    assert!(cast.named("林").is_none());
}

#[test]
fn step_2_3_two_characters_with_one_name() {
    for (first, second) in [
        (character("林枫", &[]), character("林枫", &[])),
        (character("林枫", &[]), character("陈老", &["林枫"])),
        (character("陈老", &["林枫"]), character("林枫", &[])),
    ] {
        let book = MemoryBook::new()
            .with("characters/active/a.json", first)
            .with("characters/active/b.json", second);
        let error = Cast::load(&book).unwrap_err();
        assert_helpful(&error);
        assert_eq!(error.problems()[0].code, "shared_name");
        let text = error.message().zh + &error.hint().unwrap().zh;
        assert!(
            text.contains("active/a.json") && text.contains("active/b.json"),
            "{text}"
        );
    }
}

#[test]
fn step_2_3_bad_files_are_all_listed() {
    let book = MemoryBook::new()
        .with("characters/active/Lin Feng.json", character("林枫", &[]))
        .with("characters/active/broken.json", "{")
        .with(
            "characters/active/liar.json",
            json!({"id": "other", "display_name": "甲"}).to_string(),
        )
        .with("characters/active/mute.json", character("  ", &[]));
    let error = Cast::load(&book).unwrap_err();
    assert_helpful(&error);
    let codes: Vec<&str> = findings(&error).iter().map(|(code, _)| *code).collect();
    assert_eq!(
        codes,
        ["bad_file_name", "json_syntax", "wrong_id", "empty_name"]
    );
}

#[test]
fn step_2_4_preconditions_name_exactly_the_cast_without_bound() {
    let mut wanted = contract();
    let states: Value = (1..=17)
        .map(|n| (format!("人物{n:02}号"), json!({})))
        .collect::<serde_json::Map<_, _>>()
        .into();
    wanted["preconditions"]["character_states"] = states;
    let selected = names(&crowd(20), wanted, 12);
    assert_eq!(selected.len(), 17);
    assert_eq!(selected[0], "p-01");
    assert_eq!(selected[16], "p-17");
}

#[test]
fn step_2_4_aliases_count_and_nobody_is_named_twice() {
    let book = MemoryBook::new()
        .with(
            "characters/active/lin-feng.json",
            character("林枫", &["小枫"]),
        )
        .with("characters/active/chen-lao.json", character("陈老", &[]));
    let mut wanted = contract();
    wanted["preconditions"]["character_states"] = json!({"小枫": {}, "林枫": {}});
    assert_eq!(names(&book, wanted, 12), ["lin-feng"]);
}

#[test]
fn step_2_4_unknown_name_lists_known_ones_and_the_nearest() {
    let book = MemoryBook::new().with(
        "characters/active/lin-feng.json",
        character("林枫少侠", &["小枫"]),
    );
    let cast = Cast::load(&book).unwrap();
    for (name, similar) in [
        ("林枫大侠", Some("林枫少侠")),
        ("lin-feng", Some("林枫少侠")),
        ("路人/甲", None),
    ] {
        let mut wanted = contract();
        wanted["preconditions"]["character_states"] = json!({name: {}});
        let wanted: ChapterContract = serde_json::from_value(wanted).unwrap();
        let error = cast
            .select(&book, volume(2), chapter(12), &wanted)
            .unwrap_err();
        assert_helpful(&error);
        assert_eq!(error.problems()[0].code, "unknown_character");
        assert!(
            error.problems()[0]
                .location()
                .contains("#/preconditions/character_states/")
        );
        let hint = error.hint().unwrap().zh;
        assert!(hint.contains("小枫, 林枫少侠"), "{hint}");
        if let Some(similar) = similar {
            assert!(hint.contains(&format!("`{similar}`")), "{hint}");
        }
    }
}

#[test]
fn step_2_4_else_fifteen_by_last_appearance_then_slug() {
    let book = crowd(18)
        .with("summaries/chapter-011-summary.md", "人物18号来了\n")
        .with(
            "summaries/chapter-010-summary.md",
            "人物17号与人物02号，人物18号\n",
        )
        .with("summaries/chapter-002-summary.md", "人物16号\n")
        // Eleven chapters back: too old to count.
        .with("summaries/chapter-001-summary.md", "人物15号\n")
        // Not before the chapter.
        .with("summaries/chapter-012-summary.md", "人物14号\n");
    let selected = names(&book, without_states(), 12);
    assert_eq!(selected.len(), MAX_CAST);
    assert_eq!(selected[..5], ["p-18", "p-02", "p-17", "p-16", "p-01"]);
    assert_eq!(selected[14], "p-12");
}

#[test]
fn step_2_4_an_empty_list_of_states_names_nobody() {
    let book = crowd(18).with("summaries/chapter-011-summary.md", "人物18号来了\n");
    let mut empty = contract();
    empty["preconditions"]["character_states"] = json!({});
    assert!(names(&book, empty, 12).is_empty());
}

#[test]
fn step_2_4_appearance_counts_aliases_but_not_parts_of_words() {
    let book = MemoryBook::new()
        .with("characters/active/al.json", character("Al", &[]))
        .with("characters/active/bo.json", character("Robert", &["Bo"]))
        .with("summaries/chapter-011-summary.md", "Also Bo came.\n");
    assert_eq!(names(&book, without_states(), 12), ["bo", "al"]);
}

#[test]
fn step_2_4_contracts_out_of_their_time_are_left_out() {
    let rule = |id: &str, from: Value, until: Value| json!({"id": id, "rule": "r", "valid_from_chapter": from, "valid_until": until, "note": id});
    let person = json!({"display_name": "甲", "contracts": [
        rule("open", Value::Null, Value::Null), rule("early", json!(1), json!(11)), rule("last-day", json!(1), json!(12)),
        rule("first-day", json!(12), Value::Null), rule("late", json!(13), Value::Null)]});
    let book = MemoryBook::new().with("characters/active/jia.json", person.to_string());
    let cast = Cast::load(&book).unwrap();
    let selected = ["jia".parse().unwrap()];
    let contracts = cast.contracts(&selected, chapter(12));
    let notes: Vec<&str> = contracts["jia"]["contracts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["note"].as_str().unwrap())
        .collect();
    assert_eq!(notes, ["open", "last-day", "first-day"]);
    assert_eq!(contracts["jia"]["display_name"], "甲");
}
