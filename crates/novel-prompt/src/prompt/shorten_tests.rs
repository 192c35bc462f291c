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
        mentions: Mentions::new("林枫 named-7".to_owned(), String::new()),
        has_function: false,
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
        text.contains("- **t-99** [planted]")
            && text.contains("- t-19（")
            && !text.contains("- t-0（"),
        "{text}"
    );
    assert_eq!(note.expect("a note").en, "11 of 21");
    let mut fewer = item("foreshadowing_tasks", &json!(tasks).to_string());
    cap(&mut fewer, &scene()).expect("sound");
    cut(&mut fewer, Cut::Lines(0), &scene()).expect("sound");
    assert_eq!(fewer.content(), "- **t-99** [planted]（应在 1–500 章回收）");
}

#[test]
fn a_thread_is_one_line_with_its_sentence() {
    let open = json!([{"id": "key", "description": "铜\n钥匙", "status": "advanced", "planted_chapter": 3,
        "age": 9, "target_resolve_range": [10, 20], "overdue": false, "planted_by": "他把钥匙塞进门缝。"}]);
    let (text, _) = capped("open_foreshadowing", &open.to_string());
    assert_eq!(
        text,
        "- key：铜 钥匙（第 3 章埋下，已 9 章，advanced，应在 10–20 章回收） 原句：他把钥匙塞进门缝。"
    );
}

#[test]
fn the_advice_of_a_review_comes_before_its_tables() {
    let table = "| 章 | 分 |\n".repeat(800);
    let review = format!(
        "# 第 1 卷回顾\n\n## 需要留意\n- 两章偏弱\n\n## 评分\n{table}\n## 建议\n\n### 必须处理\n1. 收回铜钥匙\n"
    );
    let (text, note) = capped("previous_volume_review", &review);
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(place("收回铜钥匙") < place("两章偏弱") && place("两章偏弱") < place("| 章 |"));
    assert!(note.is_some() && text.ends_with("已省略）"));
}

#[test]
fn a_small_state_is_given_whole() {
    let state = json!({"state_version": 1, "characters": {"stranger": {"display_name": "路人"}},
        "items": {"rope": {}}, "locations": {"pier": {}}});
    let (text, note) = capped("current_state", &state.to_string());
    assert_eq!((text, note), (state.to_string(), None));
}

#[test]
fn relations_and_ways_of_talking_are_lines() {
    let (text, _) = capped(
        "relationships",
        &json!([{"from": "林枫", "to": "陈老", "how": "敬\n而远之"}]).to_string(),
    );
    assert_eq!(text, "- 林枫 → 陈老：敬 而远之");
    let (text, _) = capped("speech_patterns", &json!({"林枫": "短句"}).to_string());
    assert_eq!(text, "- 林枫：短句");
}

#[test]
fn endings_lose_their_beginning() {
    let mut ending = item(
        "previous_endings",
        &format!("【第 1 章结尾】\n{}\n\n门开了。", "雾。".repeat(300)),
    );
    cut(&mut ending, Cut::Endings(200), &scene()).expect("sound");
    assert_eq!(ending.content(), "【第 1 章结尾】\n门开了。");
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
fn no_required_field_is_ever_cut() {
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
        let spec = fields::spec(required);
        assert_eq!((spec.name, spec.priority), (required, fields::ALWAYS));
        assert!(spec.forms.is_empty());
    }
}

#[test]
fn the_manual_lists_every_section_by_its_priority() {
    let manual = include_str!("../../../../docs/agents.md");
    let section = manual
        .split("\n## ")
        .find(|section| section.starts_with("Over budget"))
        .expect("the section on priorities");
    let listed: Vec<(u8, &str)> = section
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let priority = cells.next()?.parse().ok()?;
            Some((priority, cells.next()?.trim_matches('`')))
        })
        .collect();
    let mut fields: Vec<(u8, &str)> = fields::ORDER
        .iter()
        .chain(fields::LAST)
        .filter(|spec| spec.priority != fields::ALWAYS)
        .map(|spec| (spec.priority, spec.name))
        .collect();
    fields.sort_by(|a, b| b.cmp(a));
    assert_eq!(listed, fields);
}
