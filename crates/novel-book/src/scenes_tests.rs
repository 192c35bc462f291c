use novel_model::ChapterStage;
use novel_testkit::memory::MemoryBook;
use proptest::prelude::*;

use super::*;

fn chapter() -> ChapterNo {
    ChapterNo::new(48).unwrap()
}

fn step() -> StepId {
    StepId::Chapter(chapter(), ChapterStage::Draft)
}

fn number(number: u32) -> SceneNo {
    SceneNo::new(number).unwrap()
}

fn planned(scene: u32, words: u64) -> PlannedScene {
    PlannedScene {
        scene_number: number(scene),
        location: "码头".to_owned(),
        characters: vec!["林枫".to_owned()],
        purpose: format!("第 {scene} 场的目的"),
        key_actions: vec!["推门".to_owned()],
        estimated_words: words,
        scene_type: "动作".to_owned(),
        intensity: novel_model::files::Intensity::High,
    }
}

fn plan(words: &[u64]) -> ScenePlan {
    ScenePlan {
        chapter_number: chapter(),
        chapter_title: "夜探废墟".to_owned(),
        scenes: (1..)
            .zip(words)
            .map(|(scene, words)| planned(scene, *words))
            .collect(),
    }
}

fn scene(planned: &PlannedScene, words: usize) -> StagedScene {
    StagedScene {
        chapter_number: Some(chapter()),
        scene_number: planned.scene_number,
        content: "雨".repeat(words),
        word_count: words as u64,
        plan_hash: Some(plan_hash(planned)),
    }
}

fn draft(plan: &ScenePlan, scenes: &[StagedScene]) -> SceneDraft {
    let mut book = MemoryBook::default();
    let path = layout::staged_scene_plan(chapter());
    book.write(path, to_json_text(plan));
    for scene in scenes {
        let path = layout::staged_scene(chapter(), scene.scene_number);
        book.write(path, to_json_text(scene));
    }
    SceneDraft::read(&book, chapter()).unwrap().unwrap()
}

#[test]
fn a_change_to_one_scene_of_a_plan_leaves_the_others_as_they_are() {
    let old = plan(&[300, 400, 500]);
    let scenes: Vec<StagedScene> = old.scenes.iter().map(|planned| scene(planned, 3)).collect();
    let mut new = old.clone();
    new.scenes[1].purpose = "另一个目的".to_owned();
    let draft = draft(&new, &scenes);
    let standings: Vec<Standing> = new
        .scenes
        .iter()
        .map(|scene| draft.standing(scene))
        .collect();
    assert_eq!(
        standings,
        [Standing::Written, Standing::Stale, Standing::Written]
    );
    assert_eq!(draft.first_open(), Some(number(2)));
    let refused = draft.merge(Lang::Zh).unwrap_err();
    assert_eq!(refused.code(), "STALE_SCENE");
    assert!(refused.message().zh.contains("第 2 场"), "{refused:?}");
}

#[test]
fn every_missing_and_stale_scene_is_named() {
    let mut old = plan(&[300, 400, 500, 600]);
    let scenes = [scene(&old.scenes[0], 3), scene(&old.scenes[3], 3)];
    old.scenes[3].estimated_words = 1;
    let refused = draft(&old, &scenes).merge(Lang::En).unwrap_err();
    assert_eq!(refused.code(), "MISSING_SCENE");
    assert_eq!(
        refused.message().en,
        "chapter 48 cannot be merged: scene 2, 3 is missing; the plan of scene 4 was changed after it was written"
    );
    assert_eq!(
        refused.message().zh,
        "第 48 章无法合并：缺少第 2、3 场；第 4 场写成之后，它的规划又被改动"
    );
    let details = Value::Object(refused.details(Lang::En));
    assert_eq!(
        details,
        json!({"chapter": 48, "missing_scenes": [2, 3], "stale_scenes": [4]})
    );
}

#[test]
fn scenes_made_by_hand_and_spare_ones_are_told() {
    let plan = plan(&[300]);
    let by_hand = StagedScene {
        chapter_number: None,
        plan_hash: None,
        ..scene(&plan.scenes[0], 3)
    };
    let spare = scene(&planned(2, 300), 3);
    let (text, warnings) = draft(&plan, &[by_hand, spare]).merge(Lang::Zh).unwrap();
    assert_eq!(text, "# 第 48 章 夜探废墟\n\n雨雨雨\n");
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["unbound_scene", "scene_not_planned"]);
}

#[test]
fn a_scene_of_another_chapter_is_refused() {
    let plan = plan(&[300]);
    let foreign = StagedScene {
        chapter_number: ChapterNo::new(47),
        ..scene(&plan.scenes[0], 3)
    };
    let mut book = MemoryBook::default();
    let path = layout::staged_scene_plan(chapter());
    book.write(path, to_json_text(&plan));
    let path = layout::staged_scene(chapter(), number(1));
    book.write(path, to_json_text(&foreign));
    let refused = SceneDraft::read(&book, chapter()).unwrap_err();
    assert_eq!(refused.problems()[0].code, "wrong_chapter");
}

#[test]
fn headings_and_separators_around_a_scene_are_taken_off() {
    let plan = plan(&[300]);
    let draft = draft(&plan, &[]);
    let path = layout::staged_scene(chapter(), number(1));
    let read = |answer: &str| scene_from(step(), &path, answer, &draft, &plan.scenes[0]);
    let framed =
        read("# 第 48 章 夜探废墟\r\n\r\n## 第一场\n\n　　夜雨初歇。\n\n他走了。\n\n* * *\n");
    assert_eq!(framed.unwrap().content, "　　夜雨初歇。\n\n他走了。");
    let two = read("夜雨初歇。\n\n* * *\n\n他走了。").unwrap_err();
    assert_eq!(two.problems()[0].code, "several_scenes");
    for empty in ["", "# 标题\n\n***\n", "……"] {
        assert_eq!(read(empty).unwrap_err().problems()[0].code, "empty");
    }
}

#[test]
fn the_tail_is_the_end_of_the_scene_before() {
    let plan = plan(&[300, 300]);
    let long = StagedScene {
        content: format!("{}\n\n{}\n\n他走了。", "远".repeat(200), "近".repeat(200)),
        ..scene(&plan.scenes[0], 1)
    };
    let draft = draft(&plan, &[long]);
    let tail = draft.tail_before(number(2)).unwrap();
    assert_eq!(tail, format!("{}\n\n他走了。", "近".repeat(200)));
    assert_eq!(draft.tail_before(number(1)), None);
}

#[test]
fn what_the_first_scenes_took_the_later_ones_have_not() {
    let plan = plan(&[400, 400, 400]);
    let bounds = ChapterConfig::default();
    let budget = |scenes: &[StagedScene], at| draft(&plan, scenes).budget(number(at), &bounds);
    let fresh = budget(&[], 1);
    assert_eq!((fresh.scene, fresh.left), (400, 1200));
    let after_long = budget(&[scene(&plan.scenes[0], 600)], 2);
    assert_eq!((after_long.scene, after_long.left), (300, 600));
    let after_huge = budget(&[scene(&plan.scenes[0], 5000)], 2);
    assert_eq!(after_huge.scene, 200, "long enough to happen");
    let tight = ChapterConfig {
        max_words: Some(600),
        ..ChapterConfig::default()
    };
    assert_eq!(draft(&plan, &[]).budget(number(1), &tight).scene, 200);
    // A scene that is written again does not count against itself.
    let again = budget(&[scene(&plan.scenes[0], 600)], 1);
    assert_eq!((again.scene, again.left), (400, 1200));
}

proptest! {
    #[test]
    fn scenes_as_long_as_told_give_a_chapter_within_its_bounds(
        words in prop::collection::vec(100_u64..2_000, 1..7),
        least in 500_u64..3_000,
        room in 200_u64..3_000,
    ) {
        let plan = plan(&words);
        let bounds = ChapterConfig {
            min_words: Some(least),
            max_words: Some(least + room),
            ..ChapterConfig::default()
        };
        let mut scenes: Vec<StagedScene> = Vec::new();
        for planned in &plan.scenes {
            let budget = draft(&plan, &scenes).budget(planned.scene_number, &bounds);
            scenes.push(scene(planned, usize::try_from(budget.scene).unwrap()));
        }
        let total: u64 = scenes.iter().map(|scene| scene.word_count).sum();
        // Less than half of its plan no scene gets, whatever the bounds say.
        let wanted: u64 = words.iter().sum();
        let target = wanted.clamp(least, least + room);
        prop_assume!(2 * target >= wanted);
        prop_assert!(total <= target && total + words.len() as u64 >= target);
    }

    #[test]
    fn what_is_merged_has_the_scenes_that_were_planned(words in prop::collection::vec(1_u64..50, 1..7)) {
        let plan = plan(&words);
        let scenes: Vec<StagedScene> = plan.scenes.iter().zip(1..).map(|(planned, n)| scene(planned, n)).collect();
        let (text, warnings) = draft(&plan, &scenes).merge(Lang::Zh).unwrap();
        prop_assert!(warnings.is_empty());
        let parsed = novel_text::parse_chapter(&text);
        let contents: Vec<String> = scenes.into_iter().map(|scene| scene.content).collect();
        prop_assert_eq!(parsed.scenes, contents);
    }
}
