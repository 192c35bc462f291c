//! Chapters drafted scene by scene, and single chapters: offline, over a socket, past the pending
//! gate, killed in between.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod loop_support;
mod scenes_support;

use std::fs;

use loop_support::{Home, Ran};
use novel_mockllm::Behaviour;
use rustix::process::Signal;
use scenes_support::{Writer, files, plan_of};
use serde_json::{Value, json};

fn ok(home: &Home, arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    home.run(&arguments).ok().json()["data"].clone()
}

fn refused(home: &Home, arguments: &[&str], code: i32) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let ran = home.run(&arguments);
    assert_eq!(ran.code, code, "{arguments:?}: {ran:#?}");
    ran.json()["error"].clone()
}

fn book(lang: &str) -> Home {
    let home = Home::empty();
    let _ = home
        .run(&["demo", "book", "--chapters", "1", "--lang", lang])
        .ok();
    home
}

#[test]
fn planned_written_and_merged_by_hand_the_pipeline_goes_on_at_summarize() {
    for lang in ["zh", "en"] {
        let home = book(lang);
        let twin = book(lang);
        let planned = ok(&home, &["scene", "plan", "2"]);
        assert_eq!(planned["plan"], "staging/scenes/chapter-002/plan.json");
        let count = planned["scenes"].as_array().unwrap().len();
        assert!(count > 1);
        let all = ok(&home, &["scene", "generate", "2"]);
        for scene in all["scenes"].as_array().unwrap() {
            assert_eq!(scene["status"], "written", "{all:#}");
        }
        let evidence = ok(&home, &["next"])["evidence"].clone();
        let scenes = evidence.as_array().unwrap().last().unwrap().clone();
        assert_eq!(scenes["subject"], "staging/scenes/chapter-002");
        let _ = ok(&home, &["scene", "merge", "2"]);
        assert_eq!(home.run(&["next"]).ok().stdout, "chapter:002:summarize\n");

        // Byte for byte what an accepted draft leaves.
        let _ = ok(&twin, &["chapter", "generate", "2"]);
        for path in [".checkpoint.json", "staging/chapters/chapter-002.md"] {
            let bytes = |home: &Home| fs::read(home.file(path)).unwrap();
            assert_eq!(bytes(&home), bytes(&twin), "{path}");
        }
        let draft = |home: &Home| home.read("staging/bindings/chapter-002.json")["draft"].clone();
        assert_eq!(draft(&home), draft(&twin));

        let _ = home.run(&["continue"]).ok();
        let chapter = home.read("chapters/chapter_002.json");
        assert_eq!(chapter["scenes"].as_array().unwrap().len(), count);
        let _ = home.run(&["check", "2"]).ok();
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
        scenes.configure_more("drafting = \"scenes\"");
        let told = scenes.run(&["continue", "2"]).ok();
        assert!(told.stderr.contains("chapter 2 · draft, plan of scenes"));
        assert!(
            told.stderr.contains("chapter 3 · draft, scene 3"),
            "{told:#?}"
        );
        let _ = whole.run(&["continue", "2"]).ok();
        for chapter in ["chapters/chapter_002.json", "chapters/chapter_003.json"] {
            assert_eq!(whole.read(chapter), scenes.read(chapter));
        }
    }
}

#[test]
fn an_unknown_way_of_drafting_is_answered_with_the_known_ones() {
    let home = book("zh");
    home.configure_more("drafting = \"pages\"");
    let error = refused(&home, &["next"], 2);
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
        refused(&home, &["scene", "merge", "2"], 2)["code"],
        "NO_SCENE_PLAN"
    );
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2"]);
    fs::remove_file(home.file("staging/scenes/chapter-002/scene-04.json")).unwrap();
    let before = files(&home);
    let error = refused(&home, &["scene", "merge", "2"], 2);
    assert_eq!(error["code"], "MISSING_SCENE");
    assert_eq!(error["details"]["missing_scenes"], json!([4]));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("scene 4 is missing"), "{message}");
    assert_eq!(files(&home), before);
    // The answer is in the ledger: the scene comes back and costs nothing.
    let again = ok(&home, &["scene", "generate", "2"]);
    assert_eq!(again["spent"]["calls"], 0);
    assert_eq!(again["spent"]["reused"], 1);
    let _ = ok(&home, &["scene", "merge", "2"]);
    assert_eq!(
        refused(&home, &["scene", "generate", "2", "9"], 2)["code"],
        "NOT_NEXT_STEP"
    );
}

#[test]
fn a_scene_whose_plan_changed_is_refused_and_written_again() {
    let home = book("zh");
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2"]);
    let mut plan = plan_of(&home, 2);
    plan["scenes"][1]["location"] = json!("灯塔");
    plan["scenes"][1]["note"] = json!("kept as it is");
    fs::write(
        home.file("staging/scenes/chapter-002/plan.json"),
        plan.to_string(),
    )
    .unwrap();
    let error = refused(&home, &["scene", "merge", "2"], 2);
    assert_eq!(error["code"], "STALE_SCENE");
    assert_eq!(error["details"]["stale_scenes"], json!([2]));
    let first = fs::read(home.file("staging/scenes/chapter-002/scene-01.json")).unwrap();
    let again = ok(&home, &["scene", "generate", "2"]);
    assert_eq!(again["spent"]["calls"], 1, "only the one that changed");
    assert_eq!(
        fs::read(home.file("staging/scenes/chapter-002/scene-01.json")).unwrap(),
        first
    );
    let shown = home.run(&["chapter", "show", "2", "--scene", "2"]).ok();
    assert!(shown.stdout.contains("灯塔"), "{}", shown.stdout);
    let _ = ok(&home, &["scene", "merge", "2"]);
}

#[test]
fn damaged_and_foreign_scenes_are_refused_with_their_place() {
    let home = book("zh");
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2"]);
    let path = home.file("staging/scenes/chapter-002/scene-02.json");
    let sound = fs::read_to_string(&path).unwrap();
    for broken in [
        sound.replace("\"chapter_number\": 2", "\"chapter_number\": 3"),
        sound.replace("\"scene_number\": 2", "\"scene_number\": 1"),
        sound.replace("\"content\"", "\"contents\""),
        sound.chars().take(60).collect(),
    ] {
        fs::write(&path, broken).unwrap();
        for command in ["merge", "generate"] {
            let error = refused(&home, &["scene", command, "2"], 2);
            assert!(error.to_string().contains("scene-02.json"), "{error:#}");
        }
        let found = home.run(&["doctor", "--json"]).stdout;
        assert!(found.contains("scene-02.json"), "{found}");
    }
    fs::write(&path, sound).unwrap();
    let _ = ok(&home, &["scene", "merge", "2"]);
}

#[test]
fn a_draft_that_is_there_is_reused_and_only_force_writes_another() {
    let home = book("zh");
    let error = refused(&home, &["chapter", "generate", "1"], 2);
    assert_eq!(error["code"], "ALREADY_WRITTEN");
    let error = refused(&home, &["chapter", "generate", "3"], 2);
    assert_eq!(error["code"], "NOT_NEXT_STEP");
    assert!(!error["hint"].as_str().unwrap().is_empty());
    let first = ok(&home, &["chapter", "generate", "2"]);
    assert_eq!(
        (&first["reused"], &first["next"]),
        (&json!(false), &json!("chapter:002:summarize"))
    );
    let drafted = files(&home);
    let again = ok(&home, &["chapter", "generate", "2"]);
    assert_eq!(again["reused"], true);
    assert_eq!(again["spent"]["calls"], 0);
    assert_eq!(files(&home), drafted);
    let forced = ok(&home, &["chapter", "generate", "2", "--force"]);
    assert_eq!(forced["spent"]["calls"], 1);
    let _ = home.run(&["undo"]).ok();
    let content = |files: std::collections::BTreeMap<String, Vec<u8>>| {
        let mut files = files;
        files.retain(|path, _| !path.starts_with("archive/") && path != "logs/operations.jsonl");
        files
    };
    assert_eq!(content(files(&home)), content(drafted));
}

#[test]
fn undo_takes_single_scenes_and_the_merge_back() {
    let home = book("zh");
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2"]);
    let written = files(&home);
    let _ = ok(&home, &["scene", "generate", "2", "2", "--force"]);
    let _ = ok(&home, &["scene", "merge", "2"]);
    let _ = home.run(&["undo"]).ok();
    assert_eq!(home.run(&["next"]).ok().stdout, "chapter:002:draft\n");
    let scenes = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        let mut files = files.clone();
        files.retain(|path, _| path.starts_with("staging/") && !path.contains("manifests"));
        files
    };
    assert_eq!(scenes(&files(&home)), scenes(&written));
    // Gone on with, the merge can still be taken back; committed, the commit comes first.
    let _ = ok(&home, &["scene", "merge", "2"]);
    let _ = home.run(&["continue"]).ok();
    let undone = ok(&home, &["undo"]);
    assert_eq!(undone["kind"], "commit");
    let undone = ok(&home, &["undo"]);
    assert_eq!(undone["kind"], "merge");
    assert_eq!(scenes(&files(&home)), scenes(&written));
}

#[test]
fn a_chapter_is_shown_from_its_json_alone_or_from_staging_with_a_label() {
    let home = book("zh");
    fs::write(
        home.file("chapters/chapter-001.md"),
        "# 第 1 章 假\n\n假的。\n",
    )
    .unwrap();
    let shown = home.run(&["chapter", "show", "1"]).ok();
    assert!(!shown.stdout.contains("假的"), "{}", shown.stdout);
    assert!(shown.stderr.contains("in the book"), "{}", shown.stderr);
    let data = ok(&home, &["chapter", "show", "1"]);
    let mut chapter = home.read("chapters/chapter_001.json");
    chapter["source"] = json!("committed");
    assert_eq!(data, chapter);
    let second = ok(&home, &["chapter", "show", "1", "--scene", "2"]);
    assert_eq!(second["scenes"], json!([chapter["scenes"][1]]));
    assert_eq!(
        refused(&home, &["chapter", "show", "1", "--scene", "99"], 2)["code"],
        "NOTHING_TO_SHOW"
    );
    assert_eq!(
        refused(&home, &["chapter", "show", "7"], 2)["code"],
        "NOTHING_TO_SHOW"
    );
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2", "2"]);
    let single = ok(&home, &["chapter", "show", "2"]);
    assert_eq!(single["source"], "scenes");
    assert_eq!(single["scenes"][0]["scene_number"], 2);
    let _ = ok(&home, &["chapter", "generate", "2"]);
    let staged = ok(&home, &["chapter", "show", "2"]);
    assert_eq!(
        (&staged["source"], &staged["pipeline_stage"]),
        (&json!("staged"), &json!("drafting"))
    );
}

#[test]
fn no_chapter_and_no_scene_is_made_past_a_pending_chapter() {
    let home = book("zh");
    let _ = home.run(&["continue"]).ok();
    let _ = ok(&home, &["scene", "plan", "3"]);
    let _ = ok(&home, &["scene", "generate", "3"]);
    let pending = json!({
        "chapter_number": 2, "status": "pending", "triggered_by": "logic_review",
        "revision_notes": "…", "issues": [], "revised_chapter": null,
        "logic_review_report_file": null, "chapter_hash": "blake3:00",
        "created_at": "2026-03-01T00:00:00Z", "decision_at": null,
    });
    for content in [pending.to_string(), "{".to_owned()] {
        fs::write(home.file("chapters/chapter_002_revision.json"), content).unwrap();
        let before = files(&home);
        let expected = refused(&home, &["continue"], 3);
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
    fs::remove_file(home.file("chapters/chapter_002_revision.json")).unwrap();
    let _ = ok(&home, &["scene", "merge", "3"]);
}

#[test]
fn after_kill_9_between_scenes_no_answered_call_is_made_again() {
    // The plan and three or four scenes, then summary, refinement and verdict.
    for silent in 1..=4 {
        let writer = Writer::start(move |number| {
            (number == silent).then(|| Behaviour::silent("雨停了，雾还没有散。".repeat(4), 3))
        });
        let home = book("zh");
        home.configure(&format!("drafting = \"scenes\"\n{}", writer.config()));
        let running = home.start(&["continue"]);
        writer.wait_for(silent);
        running.signal(Signal::KILL);
        let killed: Ran = running.end();
        assert_eq!(killed.code, -1, "{killed:#?}");
        let done = home.run(&["continue"]).ok();
        assert!(done.stdout.starts_with("Chapter 2 written"), "{done:#?}");
        let counts = writer.counts();
        let mut expected = vec![1; counts.len()];
        expected[silent - 1] = 2;
        assert_eq!(counts, expected, "killed at request {silent}");
        let scenes = home.read("chapters/chapter_002.json")["scenes"].clone();
        assert_eq!(scenes.as_array().unwrap().len() + 4, counts.len());
        let stages = home.read("logs/chapter-002-log.json")["stages"].clone();
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
        let writer = Writer::start(move |number| (number == 1).then(|| Behaviour::text(bad)));
        let home = book("zh");
        home.configure(&writer.config());
        let planned = home.run(&["scene", "plan", "2"]).ok();
        assert!(planned.stderr.contains("failed"), "{planned:#?}");
        let requests = writer.prompts();
        assert_eq!(requests.len(), 2);
        assert!(requests[1].contains("重新作答"), "{}", requests[1]);
        assert!(plan_of(&home, 2)["scenes"].as_array().unwrap().len() > 1);
    }
    // Twice: the book waits, the answers are kept, and nothing half is in staging.
    let writer = Writer::start(|_| Some(Behaviour::text("no plan at all")));
    let home = book("zh");
    home.configure(&writer.config());
    let failed = refused(&home, &["scene", "plan", "2"], 5);
    assert_eq!(failed["code"], "VALIDATION_FAILED");
    assert!(!home.file("staging/scenes/chapter-002/plan.json").exists());
    assert_eq!(
        home.read(".checkpoint.json")["orchestrator_state"],
        "ERROR_RETRY"
    );
}

#[test]
fn the_next_scene_is_told_the_end_of_the_last_one_and_the_words_left() {
    let writer = Writer::start(|_| None);
    let home = book("zh");
    home.configure(&writer.config());
    let _ = ok(&home, &["scene", "plan", "2"]);
    let _ = ok(&home, &["scene", "generate", "2"]);
    let prompts = writer.prompts();
    let first = home.read("staging/scenes/chapter-002/scene-01.json");
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
