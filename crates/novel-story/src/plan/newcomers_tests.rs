use novel_model::files::{ContractDraft, PlanAnswer};
use novel_model::to_json_text;
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

const VOLUME: &str = "staging/volumes/vol-01";

/// A staged plan of two chapters that brings one person.
fn book(woven: bool, last: u32) -> MemoryBook {
    let draft = PlanDraft {
        first_chapter: ChapterNo::first(),
        last_chapter: ChapterNo::new(last).unwrap(),
        plan: PlanAnswer {
            chapters: serde_json::from_value(json!([chapter(1), chapter(2)])).unwrap(),
            ..PlanAnswer::default()
        },
        woven,
    };
    MemoryBook::new()
        .with("characters/active/lin-feng.json", r#"{"display_name": "林枫", "contracts": []}"#)
        .with("characters/relationships.json", r#"{"relationships": [], "note": "kept"}"#)
        .with(&format!("{VOLUME}/plan.json"), to_json_text(&draft))
        .with(&format!("{VOLUME}/outline.md"), "# 卷\n\n### 第 1 章：雾\n- **POV**: 林枫\n\n### 第 2 章：桥\n- **POV**: 白霜\n")
        .with(&format!("{VOLUME}/new-characters.json"), r#"{"characters": [{"id": "bai-shuang", "display_name": "白霜", "aliases": ["阿霜"], "hand": "kept"}]}"#)
}

fn chapter(number: u32) -> serde_json::Value {
    json!({"chapter": number, "title": "雾", "storyline_id": "a", "pov": "林枫", "location": "桥",
        "conflict": "", "arc": "", "before": [], "objectives": [], "after": [], "transition": ""})
}

fn volume() -> VolumeNo {
    VolumeNo::first()
}

fn person(id: &str, name: &str) -> NewCharacter {
    NewCharacter {
        id: id.parse().unwrap(),
        display_name: name.to_owned(),
        aliases: vec!["霜姐".to_owned()],
        profile: "巡夜人。".to_owned(),
        contracts: vec![ContractDraft {
            kind: "speech".to_owned(),
            rule: "从不先开口".to_owned(),
            exceptions: Vec::new(),
            update_requires: None,
        }],
    }
}

fn relation(from: &str, to: &str) -> Relationship {
    Relationship {
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
        description: "旧识".to_owned(),
    }
}

fn answer(characters: Vec<NewCharacter>, relationships: Vec<Relationship>) -> CastAnswer {
    CastAnswer {
        characters,
        relationships,
    }
}

fn faults(answer: &CastAnswer) -> Vec<(&'static str, String)> {
    let newcomers = Newcomers::load(&book(false, 2), volume()).unwrap().unwrap();
    let problems = newcomers.check(answer);
    let place = |problem: &Problem| {
        let location = problem.location();
        location.split_once('#').unwrap().1.to_owned()
    };
    problems.iter().map(|it| (it.code, place(it))).collect()
}

#[test]
fn a_whole_plan_is_unwoven_until_the_answer_is_staged() {
    assert!(is_unwoven(&book(false, 2), volume()).unwrap());
    assert!(!is_unwoven(&book(true, 2), volume()).unwrap());
    assert!(
        !is_unwoven(&book(false, 3), volume()).unwrap(),
        "a chunk follows"
    );
    let mut by_hand = book(false, 2);
    by_hand.remove(&layout::plan_draft(volume()));
    assert!(
        !is_unwoven(&by_hand, volume()).unwrap(),
        "the author's own plan"
    );
    let nobody = book(false, 2).with(&format!("{VOLUME}/new-characters.json"), "{}");
    assert!(!is_unwoven(&nobody, volume()).unwrap());
}

#[test]
fn a_sound_answer_keeps_ids_and_names_and_whatever_else_stands_in_the_files() {
    let book = book(false, 2);
    let newcomers = Newcomers::load(&book, volume()).unwrap().unwrap();
    let sound = answer(
        vec![person("bai-shuang", "白霜")],
        vec![relation("bai-shuang", "lin-feng")],
    );
    assert_eq!(newcomers.check(&sound), []);
    let files = newcomers.files(&sound);
    let read = |path: &str| -> serde_json::Value {
        serde_json::from_str(&files[&path.parse().unwrap()]).unwrap()
    };
    let people = read(&format!("{VOLUME}/new-characters.json"));
    let woven = &people["characters"][0];
    assert_eq!(woven["aliases"], json!(["阿霜", "霜姐"]));
    assert_eq!(woven["profile"], "巡夜人。");
    assert_eq!(woven["contracts"][0]["rule"], "从不先开口");
    assert_eq!(woven["hand"], "kept");
    assert_eq!(read(&format!("{VOLUME}/plan.json"))["woven"], true);
    let relations = read("staging/characters/relationships.json");
    assert_eq!(relations["note"], "kept");
    assert_eq!(relations["relationships"][0]["to"], "lin-feng");
}

#[test]
fn everybody_who_was_asked_for_and_nobody_else() {
    let pointer = |code, place: &str| (code, place.to_owned());
    let someone = answer(vec![person("bai-wu", "白雾")], vec![]);
    assert_eq!(
        faults(&someone),
        [
            pointer("unknown_character", "/characters/0/id"),
            pointer("missing_character", "/characters"),
        ]
    );
    let known = vec![person("bai-shuang", "白霜"), person("lin-feng", "林枫")];
    assert_eq!(
        faults(&answer(known, vec![])),
        [pointer("character_exists", "/characters/1/id")]
    );
    let mut bare = person("bai-shuang", "霜");
    bare.profile.clear();
    bare.contracts.clear();
    assert_eq!(
        faults(&answer(vec![bare], vec![])),
        [
            pointer("renamed", "/characters/0/display_name"),
            pointer("no_profile", "/characters/0/profile"),
            pointer("no_contract", "/characters/0/contracts"),
        ]
    );
    let stray = vec![
        relation("bai-shuang", "nobody"),
        relation("lin-feng", "lin-feng"),
    ];
    assert_eq!(
        faults(&answer(vec![person("bai-shuang", "白霜")], stray)),
        [
            pointer("unknown_character", "/relationships/0/to"),
            pointer("old_relationship", "/relationships/1"),
        ]
    );
}

#[test]
fn only_chapters_with_somebody_new_are_shown() {
    let contract = r#"{"chapter": 1, "storyline_id": "a", "preconditions": {"character_states": {"阿霜": {}}}, "objectives": []}"#;
    let new = staged_people(&book(false, 2), volume()).unwrap().unwrap();
    let shown = |book: &MemoryBook| chapters_with(book, volume(), new.get()).unwrap();
    let text = shown(&book(false, 2));
    assert!(
        !text.contains("第 1 章") && text.contains("第 2 章"),
        "{text}"
    );
    let named = book(false, 2).with(
        &format!("{VOLUME}/chapter-contracts/chapter-001.json"),
        contract,
    );
    assert!(shown(&named).contains("第 1 章"));
}
