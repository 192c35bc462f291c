use super::*;

const STAMP: Stamp<'static> = Stamp {
    timestamp: "2026-02-24T05:00:00Z",
    date: "2026-02-24",
};

fn suggestion(phrase: &str, count: u64, confidence: Confidence) -> BlacklistSuggestion {
    BlacklistSuggestion {
        phrase: phrase.into(),
        count_in_chapter: count,
        examples: vec![format!("他{phrase}笑了")],
        confidence: Some(confidence),
        note: None,
    }
}

/// A chapter in which every phrase but one stands three times.
fn text() -> String {
    let phrases = [
        "值得一提的是",
        "不太确定",
        "不禁",
        "老子",
        "说时迟那时快",
        "顿时",
    ];
    let often: String = phrases
        .iter()
        .map(|phrase| format!("他{phrase}笑了。").repeat(3))
        .collect();
    format!("{often}{}", "他只有两次笑了。".repeat(2))
}

fn told(text: &str) -> Told<'_> {
    Told {
        chapter: 47,
        text,
        lang: Lang::Zh,
    }
}

#[test]
fn the_program_counts_and_wants_examples_from_the_chapter() {
    let text = text();
    let sure = |phrase: &str| suggestion(phrase, 9, Confidence::High);
    let mut without = sure("顿时");
    without.examples.clear();
    let mut invented = sure("顿时");
    invented.examples = vec!["他顿时大哭起来，谁也没有想到。".into()];
    let suggestions = [without, invented, sure("没有出现过的话"), sure("只有两次")];
    let mut blacklist = list();
    assert!(!maintain(
        &mut blacklist,
        &suggestions,
        &[],
        told(&text),
        STAMP
    ));
    assert_eq!(blacklist.words, json!(["不禁"]));
}

#[test]
fn the_note_is_in_the_language_of_the_book() {
    let text = text();
    let mut blacklist = list();
    let suggestions = [suggestion("顿时", 1, Confidence::High)];
    assert!(maintain(
        &mut blacklist,
        &suggestions,
        &[],
        told(&text),
        STAMP
    ));
    assert_eq!(blacklist.update_log[0]["note"], "新增 1 条，豁免 0 条");
    assert_eq!(blacklist.update_log[0]["added"][0]["count_in_chapter"], 3);
}

fn list() -> Blacklist {
    serde_json::from_value(json!({"version": "1.0.9", "words": ["不禁"], "whitelist": ["老子"]}))
        .unwrap()
}

#[test]
fn lists_that_are_missing_are_made() {
    let text = text();
    let mut blacklist: Blacklist = serde_json::from_value(json!({"words": ["不禁"]})).unwrap();
    let suggestions = [suggestion("顿时", 3, Confidence::High)];
    assert!(maintain(
        &mut blacklist,
        &suggestions,
        &[],
        told(&text),
        STAMP
    ));
    let file = serde_json::to_value(&blacklist).unwrap();
    assert_eq!(file["whitelist"], json!([]));
    assert_eq!(file["update_log"].as_array().unwrap().len(), 1);
    assert_eq!(file["words"], json!(["不禁", "顿时"]));
}

#[test]
fn frequent_confident_phrases_are_added_with_evidence() {
    let mut blacklist = list();
    let suggestions = [
        suggestion("值得一提的是", 3, Confidence::Medium),
        suggestion("只有两次", 2, Confidence::High),
        suggestion("不太确定", 9, Confidence::Low),
        suggestion("不禁", 5, Confidence::High),
        suggestion("老子", 5, Confidence::High),
    ];
    assert!(maintain(
        &mut blacklist,
        &suggestions,
        &[],
        told(&text()),
        STAMP
    ));
    assert_eq!(blacklist.words, json!(["不禁", "值得一提的是"]));
    assert_eq!(blacklist.whitelist, ["老子"]);
    assert_eq!(blacklist.version.as_deref(), Some("1.0.10"));
    assert_eq!(blacklist.last_updated.as_deref(), Some("2026-02-24"));
    assert_eq!(blacklist.update_log.len(), 1);
    assert_eq!(blacklist.update_log[0]["added"][0]["count_in_chapter"], 3);
    assert!(
        !maintain(&mut blacklist, &suggestions, &[], told(&text()), STAMP),
        "idempotent"
    );
}

#[test]
fn the_authors_own_expressions_are_exempted_not_added() {
    let mut blacklist = list();
    let preferred = ["说时迟那时快".to_owned()];
    let suggestions = [suggestion("说时迟那时快", 4, Confidence::High)];
    assert!(maintain(
        &mut blacklist,
        &suggestions,
        &preferred,
        told(&text()),
        STAMP
    ));
    assert_eq!(blacklist.words, json!(["不禁"]));
    assert_eq!(blacklist.whitelist, ["老子", "说时迟那时快"]);
    assert_eq!(
        blacklist.update_log[0]["exempted"][0]["phrase"],
        "说时迟那时快"
    );
}

#[test]
fn an_odd_version_is_left_alone() {
    let mut blacklist = list();
    blacklist.version = Some("spring".into());
    assert!(maintain(
        &mut blacklist,
        &[suggestion("顿时", 3, Confidence::High)],
        &[],
        told(&text()),
        STAMP
    ));
    assert_eq!(blacklist.version.as_deref(), Some("spring"));
}

#[test]
fn categorised_lists_stay_categorised() {
    let mut blacklist: Blacklist =
        serde_json::from_value(json!({"words": {"cliche": ["嘴角勾起"]}})).unwrap();
    assert!(maintain(
        &mut blacklist,
        &[suggestion("顿时", 3, Confidence::High)],
        &[],
        told(&text()),
        STAMP
    ));
    assert_eq!(
        blacklist.words,
        json!({"cliche": ["嘴角勾起"], "auto": ["顿时"]})
    );
}
