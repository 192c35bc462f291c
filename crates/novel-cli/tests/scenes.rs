//! Chapters drafted scene by scene, and single chapters: offline, over a socket, past the pending
//! gate, killed in between.

use std::fs;

use novel_mockllm::Behaviour;
use novel_testkit::{
    Answers, Asked, Node, Output, ScriptedModel, TestBook, Tree, assert_same_tree, tree::content,
};
use rustix::process::Signal;
use serde_json::{Value, json};

fn refused(home: &TestBook, arguments: &[&str], code: i32) -> Value {
    home.ask(arguments).fails(code)
}

fn book(lang: &str) -> TestBook {
    let home = TestBook::nowhere();
    let _ = home
        .novel(&["demo", "book", "--chapters", "1", "--lang", lang])
        .success();
    home
}

/// The plan of a chapter's scenes.
fn plan_of(home: &TestBook, chapter: u32) -> Value {
    home.json(&format!("staging/scenes/chapter-{chapter:03}/plan.json"))
}

/// Everything in the book but the lock.
fn files(home: &TestBook) -> Tree {
    let mut files = home.tree();
    files.retain(|path, node| *node != Node::Dir && !path.starts_with(".novel.lock"));
    files
}

/// What the offline author answers for chapter 2 of the demo book, scene by scene.
fn answers() -> Answers {
    let twin = TestBook::once("scenes of chapter 2", || {
        let twin = book("zh");
        twin.configure("drafting = \"scenes\"");
        let _ = twin.novel(&["continue"]).success();
        twin
    });
    let mut answers = twin.answers([2]);
    // Calls within one second are ordered by id: the plan goes first, scenes as they stand in the book.
    let chapter = twin.text("chapters/chapter-002.md");
    let drafts = answers.get_mut("chapter-writer").unwrap();
    drafts.sort_by_key(|text| {
        let start: String = text.lines().next().unwrap().chars().take(12).collect();
        let is_plan = text.trim_start().starts_with('{');
        (!is_plan).then(|| chapter.find(&start))
    });
    answers
}

/// A book with one chapter, and a model for chapter 2 that answers as the offline author does unless
/// `reaction` says otherwise.
fn book_and_model(
    reaction: impl Fn(&Asked) -> Option<Behaviour> + Send + Sync + 'static,
) -> (TestBook, ScriptedModel) {
    let home = book("zh");
    let model = ScriptedModel::reacting(answers(), reaction);
    model.write_for(&home);
    (home, model)
}

#[test]
fn planned_written_and_merged_by_hand_the_pipeline_goes_on_at_summarize() {
    for lang in ["zh", "en"] {
        let home = book(lang);
        let twin = book(lang);
        let planned = home.ask(&["scene", "plan", "2"]).data();
        assert_eq!(planned["plan"], "staging/scenes/chapter-002/plan.json");
        let count = planned["scenes"].as_array().unwrap().len();
        assert!(count > 1);
        let all = home.ask(&["scene", "generate", "2"]).data();
        for scene in all["scenes"].as_array().unwrap() {
            assert_eq!(scene["status"], "written", "{all:#}");
        }
        let evidence = home.ask(&["next"]).data()["evidence"].clone();
        let scenes = evidence.as_array().unwrap().last().unwrap().clone();
        assert_eq!(scenes["subject"], "staging/scenes/chapter-002");
        home.ask(&["scene", "merge", "2"]).data();
        assert_eq!(
            home.novel(&["next"]).success().stdout,
            "chapter:002:summarize\n"
        );

        // Byte for byte what an accepted draft leaves.
        twin.ask(&["chapter", "generate", "2"]).data();
        for path in [".checkpoint.json", "staging/chapters/chapter-002.md"] {
            let bytes = |home: &TestBook| fs::read(home.path(path)).unwrap();
            assert_eq!(bytes(&home), bytes(&twin), "{path}");
        }
        let draft =
            |home: &TestBook| home.json("staging/bindings/chapter-002.json")["draft"].clone();
        assert_eq!(draft(&home), draft(&twin));

        let _ = home.novel(&["continue"]).success();
        let chapter = home.json("chapters/chapter_002.json");
        assert_eq!(chapter["scenes"].as_array().unwrap().len(), count);
        let _ = home.novel(&["check", "2"]).success();
        assert_eq!(
            files(&home)
                .keys()
                .find(|path| path.starts_with("staging/scenes/")),
            None
        );
    }
}

#[test]
fn drafting_in_scenes_gives_the_chapter_a_single_draft_would_have_given() {
    for lang in ["zh", "en"] {
        let (whole, scenes) = (book(lang), book(lang));
        scenes.configure("drafting = \"scenes\"");
        let told = scenes.novel(&["continue", "2"]).success();
        assert!(told.stderr.contains("chapter 2 · draft, scene plan"));
        assert!(
            told.stderr.contains("chapter 3 · draft, scene 3"),
            "{told:#?}"
        );
        let _ = whole.novel(&["continue", "2"]).success();
        for chapter in ["chapters/chapter_002.json", "chapters/chapter_003.json"] {
            assert_eq!(whole.json(chapter), scenes.json(chapter));
        }
    }
}

#[test]
fn an_unknown_way_of_drafting_is_answered_with_the_known_ones() {
    let home = book("zh");
    home.configure("drafting = \"pages\"");
    let error = home.ask(&["next"]).fails(2);
    assert_eq!(error["code"], "BROKEN_CONFIG");
    let text = error.to_string();
    for known in ["`chapter`", "`scenes`"] {
        assert!(text.contains(known), "{text}");
    }
}

#[test]
fn a_missing_scene_is_named_and_nothing_is_written() {
    let home = book("zh");
    assert_eq!(
        home.ask(&["scene", "merge", "2"]).fails(2)["code"],
        "NO_SCENE_PLAN"
    );
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2"]).data();
    home.remove("staging/scenes/chapter-002/scene-04.json");
    let before = files(&home);
    let error = home.ask(&["scene", "merge", "2"]).fails(2);
    assert_eq!(error["code"], "MISSING_SCENE");
    assert_eq!(error["details"]["missing_scenes"], json!([4]));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("scene 4 is missing"), "{message}");
    assert_eq!(files(&home), before);
    // The answer is in the ledger: the scene comes back and costs nothing.
    let again = home.ask(&["scene", "generate", "2"]).data();
    assert_eq!(again["spent"]["calls"], 0);
    assert_eq!(again["spent"]["reused"], 1);
    home.ask(&["scene", "merge", "2"]).data();
    assert_eq!(
        home.ask(&["scene", "generate", "2", "9"]).fails(2)["code"],
        "NOT_NEXT_STEP"
    );
}

#[test]
fn a_scene_whose_plan_changed_is_refused_and_written_again() {
    let home = book("zh");
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2"]).data();
    let mut plan = plan_of(&home, 2);
    plan["scenes"][1]["location"] = json!("灯塔");
    plan["scenes"][1]["note"] = json!("kept as it is");
    home.write("staging/scenes/chapter-002/plan.json", plan.to_string());
    let error = home.ask(&["scene", "merge", "2"]).fails(2);
    assert_eq!(error["code"], "STALE_SCENE");
    assert_eq!(error["details"]["stale_scenes"], json!([2]));
    let first = fs::read(home.path("staging/scenes/chapter-002/scene-01.json")).unwrap();
    let again = home.ask(&["scene", "generate", "2"]).data();
    assert_eq!(again["spent"]["calls"], 1, "only the one that changed");
    assert_eq!(
        fs::read(home.path("staging/scenes/chapter-002/scene-01.json")).unwrap(),
        first
    );
    let shown = home
        .novel(&["chapter", "show", "2", "--scene", "2"])
        .success();
    assert!(shown.stdout.contains("灯塔"), "{}", shown.stdout);
    home.ask(&["scene", "merge", "2"]).data();
}

#[test]
fn damaged_and_foreign_scenes_are_refused_with_their_place() {
    let home = book("zh");
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2"]).data();
    let path = home.path("staging/scenes/chapter-002/scene-02.json");
    let sound = fs::read_to_string(&path).unwrap();
    for broken in [
        sound.replace("\"chapter_number\": 2", "\"chapter_number\": 3"),
        sound.replace("\"scene_number\": 2", "\"scene_number\": 1"),
        sound.replace("\"content\"", "\"contents\""),
        sound.chars().take(60).collect(),
    ] {
        fs::write(&path, broken).unwrap();
        for command in ["merge", "generate"] {
            let error = home.ask(&["scene", command, "2"]).fails(2);
            assert!(error.to_string().contains("scene-02.json"), "{error:#}");
        }
        let found = home.novel(&["doctor", "--json"]).stdout;
        assert!(found.contains("scene-02.json"), "{found}");
    }
    fs::write(&path, sound).unwrap();
    home.ask(&["scene", "merge", "2"]).data();
}

#[test]
fn a_draft_that_is_there_is_reused_and_only_force_writes_another() {
    let home = book("zh");
    let error = home.ask(&["chapter", "generate", "1"]).fails(2);
    assert_eq!(error["code"], "ALREADY_WRITTEN");
    let error = home.ask(&["chapter", "generate", "3"]).fails(2);
    assert_eq!(error["code"], "NOT_NEXT_STEP");
    assert!(!error["hint"].as_str().unwrap().is_empty());
    let first = home.ask(&["chapter", "generate", "2"]).data();
    assert_eq!(
        (&first["reused"], &first["next"]),
        (&json!(false), &json!("chapter:002:summarize"))
    );
    let drafted = files(&home);
    let again = home.ask(&["chapter", "generate", "2"]).data();
    assert_eq!(again["reused"], true);
    assert_eq!(again["spent"]["calls"], 0);
    assert_eq!(files(&home), drafted);
    let forced = home.ask(&["chapter", "generate", "2", "--force"]).data();
    assert_eq!(forced["spent"]["calls"], 1);
    let _ = home.novel(&["undo"]).success();
    assert_same_tree(&content(files(&home)), &content(drafted), "undone");
}

#[test]
fn undo_takes_single_scenes_and_the_merge_back() {
    let home = book("zh");
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2"]).data();
    let written = files(&home);
    home.ask(&["scene", "generate", "2", "2", "--force"]).data();
    home.ask(&["scene", "merge", "2"]).data();
    let _ = home.novel(&["undo"]).success();
    assert_eq!(
        home.novel(&["next"]).success().stdout,
        "chapter:002:draft\n"
    );
    let scenes = |files: &Tree| {
        let mut files = files.clone();
        files.retain(|path, _| path.starts_with("staging/") && !path.contains("manifests"));
        files
    };
    assert_eq!(scenes(&files(&home)), scenes(&written));
    // Gone on with, the merge can still be taken back; committed, the commit comes first.
    home.ask(&["scene", "merge", "2"]).data();
    let _ = home.novel(&["continue"]).success();
    let undone = home.ask(&["undo"]).data();
    assert_eq!(undone["kind"], "commit");
    let undone = home.ask(&["undo"]).data();
    assert_eq!(undone["kind"], "merge");
    assert_eq!(scenes(&files(&home)), scenes(&written));
}

#[test]
fn a_chapter_is_shown_from_its_json_alone_or_from_staging_with_a_label() {
    let home = book("zh");
    home.write("chapters/chapter-001.md", "# 第 1 章 假\n\n假的。\n");
    let shown = home.novel(&["chapter", "show", "1"]).success();
    assert!(!shown.stdout.contains("假的"), "{}", shown.stdout);
    assert!(shown.stderr.contains("in the book"), "{}", shown.stderr);
    let data = home.ask(&["chapter", "show", "1"]).data();
    let mut chapter = home.json("chapters/chapter_001.json");
    chapter["source"] = json!("committed");
    assert_eq!(data, chapter);
    let second = home.ask(&["chapter", "show", "1", "--scene", "2"]).data();
    assert_eq!(second["scenes"], json!([chapter["scenes"][1]]));
    assert_eq!(
        home.ask(&["chapter", "show", "1", "--scene", "99"])
            .fails(2)["code"],
        "NOTHING_TO_SHOW"
    );
    assert_eq!(
        home.ask(&["chapter", "show", "7"]).fails(2)["code"],
        "NOTHING_TO_SHOW"
    );
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2", "2"]).data();
    let single = home.ask(&["chapter", "show", "2"]).data();
    assert_eq!(single["source"], "scenes");
    assert_eq!(single["scenes"][0]["scene_number"], 2);
    home.ask(&["chapter", "generate", "2"]).data();
    let staged = home.ask(&["chapter", "show", "2"]).data();
    assert_eq!(
        (&staged["source"], &staged["pipeline_stage"]),
        (&json!("staged"), &json!("drafting"))
    );
}

#[test]
fn no_chapter_and_no_scene_is_made_past_a_pending_chapter() {
    let home = book("zh");
    let _ = home.novel(&["continue"]).success();
    home.ask(&["scene", "plan", "3"]).data();
    home.ask(&["scene", "generate", "3"]).data();
    let pending = json!({
        "chapter_number": 2, "status": "pending", "triggered_by": "logic_review",
        "revision_notes": "…", "issues": [], "revised_chapter": null,
        "logic_review_report_file": null, "chapter_hash": "blake3:00",
        "created_at": "2026-03-01T00:00:00Z", "decision_at": null,
    });
    for content in [pending.to_string(), "{".to_owned()] {
        home.write("chapters/chapter_002_revision.json", content);
        let before = files(&home);
        let expected = home.ask(&["continue"]).fails(3);
        for command in [
            &["chapter", "generate", "3"][..],
            &["chapter", "generate", "3", "--force"],
            &["scene", "plan", "3"],
            &["scene", "plan", "3", "--force"],
            &["scene", "generate", "3"],
            &["scene", "generate", "3", "2", "--force"],
            &["scene", "merge", "3"],
            &["chapter", "generate", "4"],
            &["scene", "generate", "4", "1"],
        ] {
            let mut error = refused(&home, command, 3);
            let mut same = expected.clone();
            // What a run finished and spent is not part of the refusal.
            for key in ["finished", "stop", "spent", "steps"] {
                for error in [&mut error, &mut same] {
                    error["details"].as_object_mut().unwrap().remove(key);
                }
            }
            assert_eq!(error, same, "{command:?}");
        }
        assert_eq!(files(&home), before, "nothing was written");
    }
    home.remove("chapters/chapter_002_revision.json");
    home.ask(&["scene", "merge", "3"]).data();
}

#[test]
fn after_kill_9_between_scenes_no_answered_call_is_made_again() {
    // The plan and three or four scenes, then summary, refinement and verdict.
    for silent in 1..=4 {
        let (home, writer) = book_and_model(move |asked| {
            (asked.number == silent).then(|| Behaviour::silent("雨停了，雾还没有散。".repeat(4), 3))
        });
        home.configure("drafting = \"scenes\"");
        let running = home.start(&["continue"]);
        writer.wait_for(silent);
        running.signal(Signal::KILL);
        let killed: Output = running.end();
        assert_eq!(killed.code, -1, "{killed:#?}");
        let done = home.novel(&["continue"]).success();
        assert!(done.stdout.starts_with("Chapter 2 written"), "{done:#?}");
        let counts = writer.counts();
        let mut expected = vec![1; counts.len()];
        expected[silent - 1] = 2;
        assert_eq!(counts, expected, "killed at request {silent}");
        let scenes = home.json("chapters/chapter_002.json")["scenes"].clone();
        assert_eq!(scenes.as_array().unwrap().len() + 4, counts.len());
        let stages = home.json("logs/chapter-002-log.json")["stages"].clone();
        assert_eq!(stages.as_array().unwrap().len(), counts.len());
    }
}

#[test]
fn a_plan_that_is_no_plan_is_asked_for_again_with_what_was_wrong() {
    for bad in [
        "A plan? Gladly: first a storm, then a letter.",
        r#"{"chapter_title": "", "scenes": []}"#,
        r#"{"chapter_title": "夜", "scenes": [{"scene_number": 2, "purpose": "雨", "estimated_words": 0}]}"#,
    ] {
        let (home, writer) =
            book_and_model(move |asked| (asked.number == 1).then(|| Behaviour::text(bad)));
        let planned = home.novel(&["scene", "plan", "2"]).success();
        assert!(planned.stderr.contains("failed"), "{planned:#?}");
        let requests = writer.prompts();
        assert_eq!(requests.len(), 2);
        assert!(requests[1].contains("重新作答"), "{}", requests[1]);
        assert!(plan_of(&home, 2)["scenes"].as_array().unwrap().len() > 1);
    }
    // Twice: the book waits, the answers are kept, and nothing half is in staging.
    let (home, _writer) = book_and_model(|_| Some(Behaviour::text("no plan at all")));
    let failed = home.ask(&["scene", "plan", "2"]).fails(5);
    assert_eq!(failed["code"], "VALIDATION_FAILED");
    assert!(!home.path("staging/scenes/chapter-002/plan.json").exists());
    assert_eq!(
        home.json(".checkpoint.json")["orchestrator_state"],
        "ERROR_RETRY"
    );
}

#[test]
fn the_next_scene_is_told_the_end_of_the_last_one_and_the_words_left() {
    let (home, writer) = book_and_model(|_| None);
    home.ask(&["scene", "plan", "2"]).data();
    home.ask(&["scene", "generate", "2"]).data();
    let prompts = writer.prompts();
    let first = home.json("staging/scenes/chapter-002/scene-01.json");
    let tail = first["content"]
        .as_str()
        .unwrap()
        .rsplit("\n\n")
        .next()
        .unwrap();
    assert!(
        !prompts[1].contains("previous_scene` 的最后一句"),
        "{}",
        prompts[1]
    );
    assert!(prompts[2].contains(tail), "{}", prompts[2]);
    let second = plan_of(&home, 2)["scenes"][1]["estimated_words"].clone();
    assert!(
        prompts[2].contains(&format!("约 {second} 字")),
        "{}",
        prompts[2]
    );
}
