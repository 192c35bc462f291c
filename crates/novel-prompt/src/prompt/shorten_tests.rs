use novel_text::{DataKind, wrap_data};

use super::*;
use crate::prompt::{fields, state::Mentions};

fn item(field: &str, content: &str) -> Item {
    let wrapped = wrap_data(DataKind::Reference, "x.json", content);
    Item::read(field, &Value::from(wrapped)).expect("wrapped")
}

fn scene() -> Scene {
    Scene {
        chapter: 12,
        lang: Lang::Zh,
        mentions: Mentions {
            binding: "林枫 named-7".to_owned(),
            near: String::new(),
        },
        top_words: vec!["一".to_owned()],
    }
}

fn capped(field: &str, content: &str) -> (String, Option<Message>) {
    let mut item = item(field, content);
    let note = cap(&mut item, &scene()).expect("sound");
    (item.content(), note)
}

#[test]
fn lists_become_lines_and_an_element_can_not_make_two() {
    let (text, note) = capped("hard_rules_list", r#"["- [W-001] a", "- [W-002] b\nc"]"#);
    assert_eq!(text, "- [W-001] a\n- [W-002] b c");
    assert_eq!(note, None);
}

#[test]
fn words_of_the_first_section_are_not_said_twice() {
    let (text, note) = capped("ai_blacklist_effective_words", r#"["一", "二", "三"]"#);
    assert_eq!((text.as_str(), note), ("二\n三", None));
}

#[test]
fn the_blacklist_is_words_and_exemptions() {
    let content = json!({"version": "1.0.0", "words": ["不禁", "老子"], "whitelist": ["老子"],
        "exemptions": {"words": ["海雾"]}, "update_log": [{"chapter": 1}]});
    let (text, note) = capped("ai_blacklist", &content.to_string());
    assert_eq!(text, r#"{"words":["不禁"],"whitelist":["老子","海雾"]}"#);
    assert_eq!(note, None);
}

#[test]
fn soft_rules_lose_what_changes_by_itself() {
    let content = json!({"rules": [
        {"id": "W-001", "rule": "a", "constraint_type": "hard"},
        {"id": "W-002", "rule": "b", "constraint_type": "soft", "introduced_chapter": 1, "last_verified": 9}]});
    let (text, _) = capped("world_rules", &content.to_string());
    assert_eq!(
        text,
        r#"{"rules":[{"id":"W-002","rule":"b","constraint_type":"soft"}]}"#
    );
}

#[test]
fn tasks_keep_what_the_contract_asks_for_and_what_is_due_first() {
    let task = |id: usize, due: usize, action: Option<&str>| json!({"id": format!("t-{id}"), "target_resolve_range": [1, due], "required_action": action});
    let mut tasks: Vec<Value> = (0..20).map(|id| task(id, 100 - id, None)).collect();
    tasks.push(task(99, 500, Some("planted")));
    let (text, note) = capped("foreshadowing_tasks", &json!(tasks).to_string());
    assert!(
        text.contains("t-99") && text.contains("t-19") && !text.contains("\"t-0\""),
        "{text}"
    );
    let kept = MOST_TASKS + 1;
    assert_eq!(note.expect("a note").en, format!("{kept} of 21"));
    let mut none = item(
        "foreshadowing_tasks",
        &json!([task(1, 2, None)]).to_string(),
    );
    cut(&mut none, Cut::Tasks(0), &scene()).expect("sound");
    assert!(none.is_empty());
}

#[test]
fn the_id_map_keeps_who_is_named() {
    let map: Map<String, Value> = (0..MOST_IDS + 50)
        .rev()
        .map(|n| (format!("named-{n}"), json!(format!("客{n}号"))))
        .collect();
    let (text, note) = capped("entity_id_map", &Value::Object(map).to_string());
    assert!(text.contains("\"named-7\"") && !text.contains("\"named-6\""));
    assert!(note.is_some());
}

#[test]
fn a_schedule_is_cut_to_the_meetings_of_the_chapter() {
    let content = json!({"convergence_events": [{"chapter_range": [1, 3], "trigger": "a"}, {"chapter_range": [12, 14], "trigger": "b"},
        {"chapter_range": null, "trigger": "c"}], "dormant_storylines": ["old"]});
    let mut item = item("storyline_schedule", &content.to_string());
    assert!(
        cut(&mut item, Cut::Meetings, &scene())
            .expect("sound")
            .is_some()
    );
    let kept: Value = item.json().expect("JSON");
    assert_eq!(
        kept["convergence_events"],
        json!([{"chapter_range": [12, 14], "trigger": "b"}])
    );
    assert_eq!(kept["dormant_storylines"], json!(["old"]));
}

#[test]
fn a_text_that_is_not_of_its_form_is_an_error() {
    let mut broken = item("current_state", "not json");
    let error = cap(&mut broken, &scene()).expect_err("broken");
    assert!(matches!(error, PromptError::BrokenField { field } if field == "current_state"));
}

#[test]
fn every_cut_is_of_a_known_field_and_no_required_one_is_cut() {
    let known: Vec<&str> = fields::ORDER
        .iter()
        .map(|(field, _)| *field)
        .chain(fields::LAST)
        .collect();
    for (field, _) in CUTS {
        assert!(known.contains(field), "{field}");
    }
    for required in [
        "hard_rules_list",
        "style_profile",
        "ai_blacklist_top10",
        "storyline_spec",
        "chapter_contract",
        "chapter_outline",
        "required_fixes",
        "high_confidence_violations",
        "style_drift_directives",
        "character_contracts",
        "entity_id_map",
        "cross_references",
        "chapter_content",
    ] {
        assert!(known.contains(&required), "{required}");
        assert!(
            CUTS.iter().all(|(field, _)| *field != required),
            "{required}"
        );
    }
}

#[test]
fn the_manual_lists_the_cuts_in_their_order() {
    let manual = include_str!("../../../../docs/agents.md");
    let section = manual
        .split("\n## ")
        .find(|section| section.starts_with("Over budget"))
        .expect("the section on cuts");
    let listed: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with(|char: char| char.is_ascii_digit()))
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    let fields: Vec<&str> = CUTS.iter().map(|(field, _)| *field).collect();
    assert_eq!(listed, fields);
}
