//! Steps 2.2, 2.5 and 2.7: hard rules, storyline memory, key chapters, style.

use novel_book::context::{
    VolumeBounds, active_drift, blacklist_lint, hard_rules_list, is_key_chapter, memories,
    recent_summaries,
};
use novel_model::{
    Explain,
    files::{Blacklist, ChapterContract, StorylineSchedule},
};
use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

use super::book::{assert_helpful, chapter, contract, sound_book};

#[test]
fn step_2_2_hard_rules_list() {
    assert_eq!(
        hard_rules_list(&sound_book()).unwrap(),
        [
            "- [W-001][magic_system] 突破需要灵气",
            "- [W-002][geography] 幽暗森林禁火 (exceptions: 雨天; 月食)",
        ]
    );
}

#[test]
fn step_2_2_no_rules_file_is_an_empty_list() {
    assert!(hard_rules_list(&MemoryBook::new()).unwrap().is_empty());
}

#[test]
fn step_2_2_ids_count_as_numbers_and_a_rule_is_one_line() {
    let rule = |id: &str, text: &str| json!({"id": id, "rule": text, "constraint_type": "hard"});
    let rules = json!({"rules": [rule("W-10", "c"), rule("W-2", "b\n- [W-9] forged"), rule("W-002", "a"), rule("A-99", "d")]});
    let book = MemoryBook::new().with("world/rules.json", rules.to_string());
    assert_eq!(
        hard_rules_list(&book).unwrap(),
        [
            "- [A-99] d",
            "- [W-002] a",
            "- [W-2] b - [W-9] forged",
            "- [W-10] c"
        ]
    );
}

#[test]
fn step_2_2_broken_rules_are_an_error() {
    let book = MemoryBook::new().with("world/rules.json", r#"{"rules": [{"id": 1}]}"#);
    let error = hard_rules_list(&book).unwrap_err();
    assert_eq!(error.code(), "BROKEN_INPUT");
    assert_helpful(&error);
}

/// The memories of chapter 12 under this schedule, current first.
fn remembered(book: &MemoryBook, contract: &Value, schedule: Value) -> Vec<String> {
    let contract: ChapterContract = serde_json::from_value(contract.clone()).unwrap();
    let schedule: StorylineSchedule = serde_json::from_value(schedule).unwrap();
    let found = memories(book, chapter(12), &contract, Some(&schedule)).unwrap();
    found
        .current
        .into_iter()
        .chain(found.adjacent)
        .map(String::from)
        .collect()
}

fn lines() -> MemoryBook {
    ["main-arc", "jinghai-plan", "north", "south"]
        .iter()
        .fold(MemoryBook::new(), |book, line| {
            book.with(&format!("storylines/{line}/memory.md"), "m")
        })
}

#[test]
fn step_2_5_current_and_next_line() {
    assert_eq!(
        remembered(&lines(), &contract(), json!({})),
        [
            "storylines/main-arc/memory.md",
            "storylines/jinghai-plan/memory.md"
        ]
    );
    assert!(remembered(&MemoryBook::new(), &contract(), json!({})).is_empty());
}

#[test]
fn step_2_5_dormant_lines_are_never_remembered() {
    let asleep = json!({"dormant_storylines": ["jinghai-plan", "north"], "convergence_events": [
        {"chapter_range": [12, 12], "involved_storylines": ["north", "south"]}]});
    assert_eq!(
        remembered(&lines(), &contract(), asleep),
        [
            "storylines/main-arc/memory.md",
            "storylines/south/memory.md"
        ]
    );
}

#[test]
fn step_2_5_convergence_brings_the_other_lines_each_once() {
    let meeting = |range: Value| {
        json!({"convergence_events": [
        {"chapter_range": null, "involved_storylines": ["north"]},
        {"chapter_range": range, "involved_storylines": ["south", "main-arc", "jinghai-plan", "south"]}]})
    };
    let all = [
        "storylines/main-arc/memory.md",
        "storylines/jinghai-plan/memory.md",
        "storylines/south/memory.md",
    ];
    for range in [json!([12, 12]), json!([10, 12]), json!([12, 20])] {
        assert_eq!(remembered(&lines(), &contract(), meeting(range)), all);
    }
    for range in [json!([10, 11]), json!([13, 20]), Value::Null] {
        assert_eq!(remembered(&lines(), &contract(), meeting(range)), all[..2]);
    }
}

#[test]
fn key_chapters_are_first_last_and_convergences() {
    let bounds = VolumeBounds {
        first: chapter(11),
        last: chapter(40),
    };
    let schedule: StorylineSchedule = serde_json::from_value(json!({"convergence_events": [
        {"chapter_range": [25, 28]}, {"chapter_range": null}, {}]}))
    .unwrap();
    let keys: Vec<u32> = (11..=40)
        .filter(|number| is_key_chapter(chapter(*number), bounds, Some(&schedule)))
        .collect();
    assert_eq!(keys, [11, 25, 26, 27, 28, 40]);
    assert!(!is_key_chapter(chapter(25), bounds, None));
}

#[test]
fn step_2_7_only_an_active_drift_counts() {
    let drift = |active: bool| {
        let file = json!({"active": active, "detected_chapter": 10, "window": [6, 10],
            "drifts": [{"metric": "avg_sentence_length", "baseline": 18, "current": 24, "directive": "短句"}]});
        MemoryBook::new().with("style-drift.json", file.to_string())
    };
    assert!(active_drift(&drift(true)).unwrap().is_some());
    assert!(active_drift(&drift(false)).unwrap().is_none());
    assert!(active_drift(&MemoryBook::new()).unwrap().is_none());
}

#[test]
fn step_2_7_lint_honours_the_whitelist() {
    let blacklist: Blacklist = serde_json::from_value(
        json!({"words": ["不禁", "老子", "缓缓"], "exemptions": {"words": ["老子"]}}),
    )
    .unwrap();
    let report = blacklist_lint("他不禁想：老子不禁要走。", &blacklist);
    assert_eq!(report.total_hits, 2);
    assert_eq!(report.hits[0].word, "不禁");
}

#[test]
fn step_2_6_recent_summaries_oldest_first() {
    let book = sound_book();
    let paths = |number| -> Vec<String> {
        recent_summaries(&book, chapter(number))
            .unwrap()
            .into_iter()
            .map(String::from)
            .collect()
    };
    assert_eq!(
        paths(12),
        [
            "summaries/chapter-009-summary.md",
            "summaries/chapter-010-summary.md",
            "summaries/chapter-011-summary.md"
        ]
    );
    assert_eq!(paths(2), ["summaries/chapter-001-summary.md"]);
    assert!(paths(1).is_empty());
    assert_eq!(
        paths(13),
        [
            "summaries/chapter-010-summary.md",
            "summaries/chapter-011-summary.md"
        ]
    );
}
