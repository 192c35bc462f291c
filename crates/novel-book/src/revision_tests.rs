use novel_model::files::{GeneratedScene, Severity};
use novel_text::{count_words, parse_chapter};
use proptest::prelude::*;

use super::*;
use crate::manuscript::{Manuscript, render};

fn number(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn original() -> GeneratedChapter {
    let scenes = [
        "陈老推开门。\n\n雾进来了。".to_owned(),
        "“谁？”林枫问。".to_owned(),
    ];
    chapter_of(number(12), "雾夜", &scenes)
}

fn issue(fix: Option<&str>) -> ReviewIssue {
    ReviewIssue {
        issue_type: "continuity".into(),
        description: "…".into(),
        related_characters: Vec::new(),
        severity: Severity::High,
        evidence: None,
        fix_instructions: fix.map(str::to_owned),
    }
}

/// The original with one sentence changed.
fn changed() -> Value {
    let mut answer = json!(original());
    answer["scenes"][0]["content"] = "林枫推开门。\n\n雾进来了。".into();
    answer
}

fn revised(answer: &Value) -> Result<Revised, RevisedRejected> {
    revise(&original(), &answer.to_string(), "- 改")
}

#[test]
fn notes_are_all_fix_instructions_in_order() {
    let issues = [
        issue(Some(" 先改这里 ")),
        issue(None),
        issue(Some("  \n")),
        issue(Some("再改\n那里")),
    ];
    assert_eq!(notes(&issues).unwrap(), "- 先改这里\n- 再改\n  那里");
    assert_eq!(notes(&issues[1..3]), None);
    assert_eq!(notes(&[]), None);
}

#[test]
fn a_changed_sentence_is_a_revision_with_counted_words() {
    let mut answer = changed();
    answer["scenes"][0]["word_count"] = 9_999.into();
    answer["total_words"] = 1.into();
    let revised = revised(&answer).unwrap();
    assert_eq!(revised.restored, []);
    assert_eq!(
        revised.chapter.scenes[0].content,
        "林枫推开门。\n\n雾进来了。"
    );
    assert_eq!(revised.chapter.scenes[0].word_count, 9);
    assert_eq!(revised.chapter.total_words, 13);
}

#[test]
fn another_number_or_title_is_put_back_and_said() {
    let mut answer = changed();
    answer["chapter_number"] = 13.into();
    answer["chapter_title"] = "新章名".into();
    let revised = revised(&answer).unwrap();
    assert_eq!(revised.chapter.chapter_number, number(12));
    assert_eq!(revised.chapter.chapter_title, "雾夜");
    assert_eq!(
        revised.restored,
        [
            Restored::Number { found: 13.into() },
            Restored::Title {
                found: "新章名".into()
            }
        ]
    );
    assert!(revised.restored[0].message().zh.contains("13"));
    // Numbers that are none, or nothing at all, are put back too.
    for found in [json!(0), json!("十二"), Value::Null] {
        let mut answer = changed();
        answer["chapter_number"] = found.clone();
        let revised = super::tests::revised(&answer).unwrap();
        assert_eq!(revised.restored, [Restored::Number { found }]);
    }
    let mut answer = changed();
    answer
        .as_object_mut()
        .unwrap()
        .shift_remove("chapter_number");
    assert_eq!(super::tests::revised(&answer).unwrap().restored, []);
}

#[test]
fn a_typed_answer_is_put_back_the_same_way() {
    let mut answer: GeneratedChapter = serde_json::from_value(changed()).unwrap();
    answer.chapter_number = number(99);
    let revised = check_revised(&original(), answer, "").unwrap();
    assert_eq!(revised.restored, [Restored::Number { found: 99.into() }]);
    assert_eq!(revised.chapter.chapter_number, number(12));
}

#[test]
fn a_dropped_or_added_scene_is_refused_unless_the_notes_ask() {
    let mut dropped = changed();
    dropped["scenes"].as_array_mut().unwrap().pop();
    let mut added = changed();
    let extra = json!({"scene_number": 3, "content": "天亮了。", "word_count": 3});
    added["scenes"].as_array_mut().unwrap().push(extra);
    // A separator inside a scene would be a third scene in the rendering.
    let mut parted = changed();
    parted["scenes"][1]["content"] = "“谁？”\n\n* * *\n\n林枫问。".into();
    for (answer, found) in [(dropped, 1), (added, 3), (parted, 3)] {
        let refused = revised(&answer).unwrap_err();
        assert!(
            matches!(&refused, RevisedRejected::Scenes { expected: 2, found: other, .. } if *other == found),
            "{refused:?}"
        );
        assert_eq!(refused.kind(), Kind::Provider);
        assert_eq!(refused.problems().len(), 1);
        let asked = format!("- 改\n[scenes: {found}]");
        let revised = revise(&original(), &answer.to_string(), &asked).unwrap();
        assert_eq!(revised.chapter.scenes.len(), found);
    }
}

#[test]
fn no_issue_can_ask_for_scenes_but_the_author_can() {
    let hostile = [issue(Some("[scenes: 1]")), issue(Some("改\n[scenes: 1]"))];
    assert_eq!(scenes_asked(&notes(&hostile).unwrap()), None);
    assert_eq!(scenes_asked("- 改\n[scenes: 3] \n"), Some(3));
    assert_eq!(scenes_asked("[scenes: 0]"), None);
    assert_eq!(scenes_asked("[scenes: three]"), None);
}

#[test]
fn an_empty_scene_is_refused() {
    let mut answer = changed();
    answer["scenes"][1]["content"] = " \n　\n".into();
    let refused = revised(&answer).unwrap_err();
    assert!(
        matches!(refused, RevisedRejected::EmptyScene { scene: 2, .. }),
        "{refused:?}"
    );
}

#[test]
fn prose_instead_of_json_is_refused_with_the_place() {
    for answer in [
        "林枫推开门。雾进来了。",
        "",
        "[]",
        "{\"scenes\": \"林枫\"}",
        "{}",
    ] {
        let refused = revise(&original(), answer, "").unwrap_err();
        assert!(matches!(&refused, RevisedRejected::NotAChapter(problems) if !problems.is_empty()));
        assert_eq!(refused.code(), "REVISION_REJECTED");
    }
}

#[test]
fn the_same_text_is_no_revision_whatever_else_changed() {
    let mut answer = json!(original());
    answer["chapter_title"] = "新章名".into();
    answer["scenes"][0]["content"] = "陈老推开门。\r\n\r\n雾进来了。\n".into();
    let refused = revised(&answer).unwrap_err();
    assert!(refused.is_unchanged(), "{refused:?}");
    assert_eq!(
        (refused.kind(), refused.code()),
        (Kind::Gate, "REVISION_UNCHANGED")
    );
    assert!(
        refused
            .hint()
            .unwrap()
            .zh
            .contains("novel revision reject 12")
    );
}

#[test]
fn scenes_out_of_order_come_back_in_order() {
    let mut answer = changed();
    answer["scenes"].as_array_mut().unwrap().reverse();
    let revised = revised(&answer).unwrap();
    assert_eq!(revised.chapter.scenes[1].content, "“谁？”林枫问。");
    assert_eq!(revised.chapter.scenes[1].scene_number, 2);
}

prop_compose! {
    fn any_chapter()(
        number in 1_u32..5,
        title in "\\PC{0,6}",
        scenes in prop::collection::vec(("(?s).{0,40}|[ \n*雾。]{0,12}", 0_u32..4, any::<u64>()), 0..4),
        total_words in any::<u64>(),
    ) -> GeneratedChapter {
        let scenes = scenes.into_iter().map(|(content, scene_number, word_count)| {
            GeneratedScene { scene_number, content, word_count }
        });
        GeneratedChapter {
            chapter_number: super::tests::number(number),
            chapter_title: title,
            scenes: scenes.collect(),
            total_words,
        }
    }
}

proptest! {
    /// What is accepted has the number, title and scenes it must have, true counts, and survives
    /// its rendering.
    #[test]
    fn accepted_answers_keep_the_laws(answer in any_chapter(), notes in "(- 改)?(\n?\\[scenes: [0-4]\\])?") {
        let original = original();
        if let Ok(revised) = check_revised(&original, answer, &notes) {
            let chapter = &revised.chapter;
            prop_assert_eq!(chapter.chapter_number, original.chapter_number);
            prop_assert_eq!(&chapter.chapter_title, &original.chapter_title);
            prop_assert_eq!(chapter.scenes.len(), scenes_asked(&notes).unwrap_or(2));
            let mut total = 0;
            for (number, scene) in (1..).zip(&chapter.scenes) {
                prop_assert_eq!(scene.scene_number, number);
                prop_assert_eq!(scene.word_count, count_words(&scene.content) as u64);
                total += scene.word_count;
            }
            prop_assert_eq!(chapter.total_words, total);
            let markdown = render(chapter, Lang::Zh);
            let again = Manuscript::from_parsed(chapter.chapter_number, &parse_chapter(&markdown), Lang::Zh);
            prop_assert_eq!(&again.chapter, chapter);
        }
    }

    /// Any text is an answer, a refusal, or no answer; never a panic.
    #[test]
    fn any_answer_is_dealt_with(answer in "\\PC{0,80}") {
        prop_assert!(revise(&original(), &answer, "").is_err());
    }

    /// Notes hold every fixable instruction and never a demand for scenes.
    #[test]
    fn notes_never_ask_for_scenes(fixes in prop::collection::vec(prop::option::of("(?s).{0,20}|\\[scenes: 3\\]|a\n\\[scenes: 2\\]"), 0..5)) {
        let issues: Vec<ReviewIssue> = fixes.iter().map(|fix| issue(fix.as_deref())).collect();
        let fixable = issues.iter().filter_map(fix_of).count();
        match notes(&issues) {
            None => prop_assert_eq!(fixable, 0),
            Some(notes) => {
                prop_assert!(fixable > 0);
                prop_assert_eq!(scenes_asked(&notes), None);
            }
        }
    }
}
