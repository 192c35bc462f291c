//! Steps 2.1, 2.4 and 2.5: the outline block and the contract that must fit it.

use novel_book::context::{ChapterContext, ContextError, load_contract, outline_block};
use novel_model::{Explain, Lang};
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::book::{
    CONTRACT, OUTLINE, assert_helpful, block, chapter, contract, findings, outline, sound_book,
    volume,
};

fn with_outline(text: &str) -> MemoryBook {
    MemoryBook::new().with(OUTLINE, text)
}

fn fails(text: &str, number: u32) -> ContextError {
    let book = with_outline(text);
    let error = outline_block(&book, volume(2), chapter(number), Lang::Zh).unwrap_err();
    assert_helpful(&error);
    error
}

#[test]
fn step_2_1_block_runs_to_the_next_heading() {
    let found = outline_block(&sound_book(), volume(2), chapter(12), Lang::Zh).unwrap();
    assert_eq!(found.block, block(12, "main-arc").trim_end());
    assert_eq!(found.title, "标题12");
    assert_eq!(found.storyline.as_str(), "main-arc");
    assert_eq!(
        (found.bounds.first, found.bounds.last),
        (chapter(11), chapter(14))
    );
}

#[test]
fn step_2_1_chapter_1_does_not_match_chapter_12() {
    let text = format!("{}{}", block(12, "side-line"), block(1, "main-arc"));
    let found = outline_block(&with_outline(&text), volume(2), chapter(1), Lang::Zh).unwrap();
    assert_eq!(found.storyline.as_str(), "main-arc");
    let only_twelve = fails(&block(12, "main-arc"), 1);
    assert_eq!(only_twelve.problems()[0].code, "outline_no_chapter");
}

#[test]
fn step_2_1_colon_and_title_are_optional() {
    for heading in [
        "### 第 12 章",
        "### 第 12 章：夜",
        "### 第 12 章: 夜",
        "### Chapter 12: Night",
    ] {
        let text = block(12, "main-arc").replace("### 第 12 章: 标题12", heading);
        let found = outline_block(&with_outline(&text), volume(2), chapter(12), Lang::Zh);
        assert!(found.is_ok(), "{heading}");
    }
}

#[test]
fn step_2_1_missing_outline_names_file_form_and_command() {
    let error = outline_block(&MemoryBook::new(), volume(2), chapter(12), Lang::Zh).unwrap_err();
    assert_eq!(findings(&error), [("missing_file", OUTLINE.to_owned())]);
    assert_eq!(error.code(), "MISSING_INPUT");
    let hint = error.hint().unwrap();
    for text in [&hint.en, &hint.zh] {
        assert!(
            text.contains("### 第 12 章: 章名") && text.contains("novel start"),
            "{text}"
        );
        assert!(text.contains("- **TransitionHint**: "), "{text}");
    }
    let error = outline_block(&MemoryBook::new(), volume(2), chapter(12), Lang::En).unwrap_err();
    assert!(error.hint().unwrap().en.contains("### Chapter 12: Title"));
}

#[test]
fn step_2_1_outline_without_the_chapter() {
    let error = fails(&outline(), 48);
    assert_eq!(
        findings(&error),
        [("outline_no_chapter", OUTLINE.to_owned())]
    );
    assert!(
        error.message().en.contains("chapters 11 to 14"),
        "{}",
        error.message()
    );
    assert!(
        fails("# 空\n", 12)
            .message()
            .en
            .contains("no chapter heading")
    );
}

#[test]
fn step_2_1_heading_on_another_level_is_pointed_at() {
    let error = fails("# 卷\n\n## 第 12 章: 夜\n", 12);
    assert_eq!(
        findings(&error),
        [("outline_no_chapter", format!("{OUTLINE}:3"))]
    );
}

#[test]
fn step_2_1_doubled_heading() {
    let text = format!("{}{}", block(12, "main-arc"), block(12, "side-line"));
    let error = fails(&text, 12);
    assert_eq!(error.problems()[0].code, "outline_duplicate_chapter");
    assert!(
        error.message().en.contains("lines 1, 12"),
        "{}",
        error.message()
    );
}

#[test]
fn step_2_1_all_missing_keys_are_listed_and_empty_ones_are_fine() {
    let text = block(12, "main-arc")
        .replace("- **POV**: 林枫\n", "")
        .replace("- **Arc**: 弧线\n", "");
    let error = fails(&text, 12);
    assert_eq!(
        findings(&error),
        [("outline_missing_keys", format!("{OUTLINE}:1"))]
    );
    assert!(
        error.message().en.ends_with("lacks: POV, Arc"),
        "{}",
        error.message()
    );
}

#[test]
fn step_2_1_storyline_missing_empty_twice_or_no_slug() {
    let missing = block(12, "x").replace("- **Storyline**: x\n", "");
    assert_eq!(
        fails(&missing, 12).problems()[0].code,
        "outline_missing_keys"
    );
    let cases = [
        ("", "outline_empty_storyline"),
        ("../evil", "outline_bad_storyline"),
        ("Main Arc", "outline_bad_storyline"),
        ("a\n- **Storyline**: b", "outline_two_storylines"),
    ];
    for (storyline, code) in cases {
        let error = fails(&block(12, storyline), 12);
        assert_eq!(error.problems()[0].code, code, "{storyline}");
    }
}

#[test]
fn step_2_1_hostile_headings_hide_nothing() {
    let text = format!(
        "```\n### 第 12 章: 假\n```\n### 第 012 章x\n### 第 -12 章\n### 第 99999999999 章\n####第 12 章\n{}### 附录\n- **Storyline**: evil\n",
        block(12, "main-arc")
    );
    let found = outline_block(&with_outline(&text), volume(2), chapter(12), Lang::Zh).unwrap();
    assert_eq!(found.storyline.as_str(), "main-arc");
    assert!(!found.block.contains("evil"));
}

#[test]
fn step_2_5_contract_fits_the_outline() {
    let book = sound_book();
    let context = ChapterContext::load(&book, volume(2), chapter(12), Lang::Zh).unwrap();
    assert_eq!(context.contract.get().chapter, chapter(12));
    assert!(!context.is_key_chapter());
}

#[test]
fn step_2_5_every_mismatch_is_listed_at_once() {
    let mut wrong = contract();
    wrong["chapter"] = json!(13);
    wrong["storyline_id"] = json!("jinghai-plan");
    wrong["objectives"][0]["required"] = json!(false);
    let book = sound_book().with(CONTRACT, wrong.to_string());
    let outline = outline_block(&book, volume(2), chapter(12), Lang::Zh).unwrap();
    let error = load_contract(&book, volume(2), chapter(12), Some(&outline)).unwrap_err();
    assert_helpful(&error);
    assert_eq!(
        findings(&error),
        [
            ("wrong_chapter", format!("{CONTRACT}#/chapter")),
            ("wrong_storyline", format!("{CONTRACT}#/storyline_id")),
            ("no_required_objective", format!("{CONTRACT}#/objectives")),
        ]
    );
    let shown: String = error
        .problems()
        .iter()
        .map(|problem| problem.message.zh.clone())
        .collect();
    for value in [
        "第 13 章",
        "第 12 章",
        "`jinghai-plan`",
        "`main-arc`",
        "outline.md:",
    ] {
        assert!(shown.contains(value), "{value}: {shown}");
    }
}

#[test]
fn step_2_4_missing_and_broken_contract() {
    let mut book = sound_book();
    book.remove(&CONTRACT.parse().unwrap());
    let error = load_contract(&book, volume(2), chapter(12), None).unwrap_err();
    assert_helpful(&error);
    assert_eq!(findings(&error), [("missing_file", CONTRACT.to_owned())]);
    assert!(error.hint().unwrap().zh.contains("novel start"));
    let truncated = sound_book().with(CONTRACT, "{\"chapter\": 12,");
    let error = load_contract(&truncated, volume(2), chapter(12), None).unwrap_err();
    assert_eq!(error.code(), "BROKEN_INPUT");
    assert_helpful(&error);
}

#[test]
fn step_2_5_outline_and_contract_problems_are_reported_together() {
    let book = MemoryBook::new().with(
        CONTRACT,
        json!({"chapter": 12, "storyline_id": "a", "objectives": []}).to_string(),
    );
    let error = ChapterContext::load(&book, volume(2), chapter(12), Lang::Zh).unwrap_err();
    let codes: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| problem.code)
        .collect();
    assert_eq!(codes, ["missing_file", "no_required_objective"]);
}
