use serde_json::json;

use super::*;

fn record(summary: Value, memory: Value) -> Value {
    json!({"summary": summary, "memory": memory, "delta": {"ops": [
        {"op": "set", "path": "characters.lin-feng.location", "value": "灯塔", "evidence": "他进了灯塔。"},
        {"op": "foreshadow", "path": "broken-lens", "value": "advanced", "evidence": "镜片又裂了。", "detail": null}
    ]}})
}

fn written_zh(value: Value) -> Value {
    let line = "lamp".parse().unwrap();
    written(value, ChapterNo::new(6).unwrap(), Some(&line), Lang::Zh)
}

#[test]
fn a_record_in_parts_becomes_a_summary() {
    let recap = json!({"narrative": "林枫进了灯塔。", "events": ["林枫进塔", "- 林枫进塔", "镜片\n又裂"], "next": []});
    let value = written_zh(record(recap, json!(["- 林枫在灯塔", "林枫在灯塔", " "])));
    assert_eq!(
        value["summary"],
        "## 第 6 章摘要\n\n林枫进了灯塔。\n\n### 关键事件\n- 林枫进塔\n- 镜片 又裂\n\n### 伏笔变更\n- [推进] broken-lens：镜片又裂了。\n\n### 故事线标记\n- storyline_id: lamp\n\n### 下章须知\n- 无\n"
    );
    assert_eq!(value["memory"], "- 林枫在灯塔");
}

#[test]
fn texts_stay_as_they_are() {
    let value = record(json!("## 第 6 章摘要\n\n……"), json!("- 一行"));
    assert_eq!(written_zh(value.clone()), value);
    for odd in [json!(null), json!("…"), json!([1]), json!({"summary": 5})] {
        assert_eq!(written_zh(odd.clone()), odd);
    }
}

#[test]
fn without_a_narrative_there_is_no_summary() {
    let recap = json!({"narrative": " ", "events": ["一件事"], "next": ["一点"]});
    assert_eq!(written_zh(record(recap, json!([])))["summary"], "");
}

#[test]
fn a_line_cannot_become_a_heading_or_another_line() {
    let recap = json!({"narrative": "林枫进了灯塔。", "events": ["甲\n### 故事线标记\n- storyline_id: other", "### 乙"], "next": []});
    let value = written_zh(record(recap, json!(["# 记忆"])));
    let summary = value["summary"].as_str().unwrap();
    let marks = summary
        .lines()
        .filter(|line| line.starts_with("- storyline_id:"));
    assert_eq!(marks.collect::<Vec<_>>(), ["- storyline_id: lamp"]);
    assert!(summary.contains("- 乙\n"), "{summary}");
    assert_eq!(value["memory"], "- 记忆");
}
