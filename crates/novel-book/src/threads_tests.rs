use serde_json::json;

use super::*;

fn items(list: serde_json::Value) -> Foreshadowing {
    serde_json::from_value(json!({"foreshadowing": list})).unwrap()
}

#[test]
fn the_overdue_come_first_then_what_is_due_next_then_the_oldest() {
    let global = items(json!([
        {"id": "old", "status": "planted", "planted_chapter": 3},
        {"id": "done", "status": "resolved", "planted_chapter": 1},
        {"id": "later", "status": "planted", "planted_chapter": 1, "target_resolve_range": [40, 60]},
        {"id": "due", "status": "advanced", "planted_chapter": 9, "target_resolve_range": [10, 14]},
        {"id": "late", "status": "planted", "scope": "short", "planted_chapter": 5, "target_resolve_range": [6, 8]},
        {"id": "older", "status": "planted", "planted_chapter": 2},
    ]));
    let ids: Vec<String> = most_urgent(&global, ChapterNo::new(12).unwrap())
        .iter()
        .map(|item| item.id.to_string())
        .collect();
    assert_eq!(ids, ["late", "due", "later", "older", "old"]);
}

#[test]
fn the_quoted_sentence_planted_it_else_the_one_that_says_most() {
    let scenes = [
        "雨下了一夜。老仆把铜钥匙塞进门缝。灯灭了。",
        "第二天，钥匙不见了。",
    ];
    assert_eq!(
        planted_in(&scenes, "一件旧物", Some("见“塞进门缝”一句")).as_deref(),
        Some("老仆把铜钥匙塞进门缝。")
    );
    assert_eq!(
        planted_in(&scenes, "老仆藏起的铜钥匙", None).as_deref(),
        Some("老仆把铜钥匙塞进门缝。")
    );
    assert_eq!(planted_in(&scenes, "远方的王座", None), None);
    let english = ["Rain fell. The old servant pushed a brass key under the door. It was late."];
    assert_eq!(
        planted_in(&english, "a brass key left under a door", None).as_deref(),
        Some("The old servant pushed a brass key under the door.")
    );
}
