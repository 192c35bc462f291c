use novel_model::ChapterNo;

use super::*;
use crate::manuscript::chapter_of;

fn chapter() -> GeneratedChapter {
    let scenes = [
        "陈老推开门。\n\n雾进来了。".to_owned(),
        "“谁？”林枫问。".to_owned(),
    ];
    chapter_of(ChapterNo::new(12).unwrap(), "雾夜", &scenes)
}

fn hash() -> ContentHash {
    ContentHash::of("text")
}

fn issue(severity: &str, evidence: Value) -> Value {
    json!({"issue_type": "continuity", "description": "相抵", "evidence": evidence,
        "severity": severity, "fix_instructions": "改"})
}

fn review(score: u32, issues: Vec<Value>) -> String {
    json!({"issues": issues, "summary": "……", "overall_score": score}).to_string()
}

fn accepted(answer: &str) -> Accepted<LogicReview> {
    accept_logic_review(answer, &chapter(), &hash(), Lang::Zh).unwrap()
}

#[test]
fn the_program_stamps_number_and_hash_whatever_the_answer_says() {
    let mut answer: Value = serde_json::from_str(&review(90, vec![])).unwrap();
    answer["chapter_number"] = 3.into();
    answer["chapter_hash"] = "blake3:00".into();
    let report = accepted(&answer.to_string()).report;
    assert_eq!(report.chapter_number.get(), 12);
    assert_eq!(report.chapter_hash, Some(hash()));
}

#[test]
fn an_unfound_quotation_is_reported_and_its_issue_still_blocks() {
    let quoted = issue("low", "“陈老推开门。雾进来了。”".into());
    let invented = issue("high", "陈老拔出了剑".into());
    let found = accepted(&review(
        95,
        vec![quoted, invented, issue("low", Value::Null)],
    ));
    assert_eq!(found.unfound, [1]);
    assert_eq!(found.report.issues.len(), 3);
    assert!(
        found.report.issues[1]
            .description
            .contains("引文未在正文中找到")
    );
    assert_eq!(found.warnings().len(), 1);
    assert_eq!(
        logic_blocks(&found.report, 75),
        Some(BlockReason::HighSeverity { issues: 1 })
    );
}

#[test]
fn a_review_blocks_below_the_minimum_and_at_a_high_issue_only() {
    let low = || issue("low", Value::Null);
    let medium = || issue("medium", Value::Null);
    let blocks = |score, issues| logic_blocks(&accepted(&review(score, issues)).report, 75);
    assert_eq!(blocks(75, vec![medium(), low()]), None);
    assert_eq!(
        blocks(74, vec![]),
        Some(BlockReason::LowScore {
            score: 74,
            min_score: 75
        })
    );
    assert_eq!(
        blocks(100, vec![issue("high", Value::Null)]),
        Some(BlockReason::HighSeverity { issues: 1 })
    );
    assert_eq!(logic_blocks(&accepted(&review(0, vec![])).report, 0), None);
}

#[test]
fn an_answer_that_is_no_review_has_problems_to_tell() {
    for answer in [
        "这一章没有问题。".to_owned(),
        "[]".to_owned(),
        json!({"issues": [], "summary": ""}).to_string(),
        review(101, vec![]),
        review(50, vec![issue("fatal", Value::Null)]),
    ] {
        let error = accept_logic_review(&answer, &chapter(), &hash(), Lang::Zh).unwrap_err();
        assert!(
            !novel_model::Explain::problems(&error).is_empty(),
            "{answer}"
        );
    }
}

#[test]
fn an_audit_is_added_to_what_was_proved() {
    let proved = ConsistencyReport {
        chapter_number: ChapterNo::new(12).unwrap(),
        issues: vec![ReviewIssue {
            issue_type: "DEAD_CHARACTER_ACTS".into(),
            description: "…".into(),
            related_characters: vec!["陈老".into()],
            severity: Severity::High,
            evidence: None,
            fix_instructions: None,
        }],
        summary: "发现 1 处矛盾".into(),
        verdicts: Vec::new(),
        context_snapshot: json!({"checker": "deterministic"}),
    };
    let mut found = issue("medium", "没有这一句".into());
    found["related_characters"] = json!(["林枫"]);
    let answer = json!({"issues": [found], "summary": "林枫的伤不见了。"}).to_string();
    let audit = accept_audit(&answer, &chapter(), proved, Lang::Zh).unwrap();
    let types: Vec<&str> = audit
        .report
        .issues
        .iter()
        .map(|issue| issue.issue_type.as_str())
        .collect();
    assert_eq!(types, ["DEAD_CHARACTER_ACTS", "continuity"]);
    assert_eq!(audit.unfound, [1]);
    assert_eq!(audit.report.summary, "发现 1 处矛盾；林枫的伤不见了。");
    assert_eq!(audit.report.context_snapshot["auditor"]["issues"], 1);
    assert_eq!(audit.report.issues[1].related_characters, ["林枫"]);
}
