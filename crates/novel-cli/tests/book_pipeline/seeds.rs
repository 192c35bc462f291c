//! Seeds 002 and 004, scenario by scenario.

use serde_json::{Value, json};

use novel_testkit::{Driver, Node, Plan, TestBook, assert_same_tree, differences};

use super::{at_chapter_two, judged_with, ordinary, revise};

fn stage_of(book: &TestBook) -> (Value, Value) {
    let checkpoint = book.checkpoint();
    (
        checkpoint["pipeline_stage"].clone(),
        checkpoint["inflight_chapter"].clone(),
    )
}

// Seed 002 -----------------------------------------------------------------------------------

#[test]
fn successful_chapter_generation() {
    let book = ordinary();
    let driver = book.driver();
    let mut order = Vec::new();
    for stage in ["draft", "summarize", "refine", "judge"] {
        order.push(book.next());
        match stage {
            "draft" => driver.draft(1),
            "summarize" => driver.summarize(1),
            "refine" => driver.refine(1),
            _ => drop(driver.judge(1, &book.plan().verdict(1, 4.0))),
        }
        assert!(
            !book.has(".novel.lock"),
            "the lock is given back after every step"
        );
    }
    order.push(book.next());
    assert_eq!(
        order,
        [
            "chapter:001:draft",
            "chapter:001:summarize",
            "chapter:001:refine",
            "chapter:001:judge",
            "chapter:001:commit"
        ]
    );
    driver.commit(1);
    for path in [
        "chapters/chapter-001.md",
        "evaluations/chapter-001-eval.json",
        "summaries/chapter-001-summary.md",
    ] {
        assert!(book.has(path), "{path}");
    }
    assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
    assert_eq!(stage_of(&book), (json!("committed"), Value::Null));
}

#[test]
fn no_agent_writes_to_final_directories() {
    let book = at_chapter_two();
    let before = book.tree();
    let driver = book.driver();
    for stage in ["draft", "summarize", "refine", "judge"] {
        let packet = driver.packet(2, stage);
        let boundary = if stage == "judge" {
            json!([])
        } else {
            json!(["staging/**"])
        };
        assert_eq!(packet["write_boundary"], boundary);
        for output in packet["expected_outputs"].as_array().unwrap() {
            let path = output["path"].as_str().unwrap();
            assert!(path.starts_with("staging/"), "{path}");
        }
        match stage {
            "draft" => driver.draft(2),
            "summarize" => driver.summarize(2),
            "refine" => driver.refine(2),
            _ => drop(driver.judge(2, &book.plan().verdict(2, 4.0))),
        }
    }
    // Only staging, what was replaced there, the checkpoint and the log of it have changed.
    let allowed = |path: &String| {
        path == ".checkpoint.json"
            || path.starts_with("logs/operations")
            || path == "archive"
            || path == "staging"
            || path.starts_with("archive/")
            || path.starts_with("staging/")
    };
    let changed = differences(&before, &book.tree());
    assert!(changed.iter().all(allowed), "{changed:#?}");
    driver.commit(2);
    for path in [
        "chapters/chapter-002.md",
        "summaries/chapter-002-summary.md",
        "evaluations/chapter-002-eval.json",
        "state/chapter-002-crossref.json",
    ] {
        assert!(book.has(path), "{path}");
    }
    assert_eq!(
        book.text("storylines/main-arc/memory.md"),
        book.plan().memory(2)
    );
}

#[test]
fn canonical_staging_artifacts_exist_after_summarizer() {
    let book = ordinary();
    let driver = book.driver();
    driver.draft(1);
    assert!(book.has("staging/chapters/chapter-001.md"));
    driver.summarize(1);
    for path in [
        "staging/summaries/chapter-001-summary.md",
        "staging/state/chapter-001-delta.json",
        "staging/state/chapter-001-crossref.json",
        "staging/storylines/main-arc/memory.md",
    ] {
        assert!(book.has(path), "{path}");
    }
    driver.refine(1);
    driver.judge(1, &book.plan().verdict(1, 4.0));
    assert!(book.has("staging/evaluations/chapter-001-eval.json"));
}

#[test]
fn resume_after_interruption_at_refined_stage() {
    let book = ordinary();
    book.driver().up_to_refined(1);
    let text = book.text("staging/chapters/chapter-001.md");
    assert_eq!(stage_of(&book), (json!("refined"), json!(1)));
    // A new session knows only the files.
    let data = book.ask(&["next"]).data();
    assert_eq!(data["step"], "chapter:001:judge");
    assert_eq!(data["inflight"], 1);
    assert!(data["reason"].is_string());
    assert!(!data["evidence"].as_array().unwrap().is_empty());
    book.driver().judge(1, &book.plan().verdict(1, 4.0));
    book.driver().commit(1);
    assert_eq!(
        book.text("chapters/chapter-001.md"),
        text,
        "committed byte for byte"
    );
}

#[test]
fn high_confidence_violation_triggers_forced_revise() {
    let book = at_chapter_two();
    let verdict = book.plan().violation(2, 4.8, "high");
    let data = judged_with(&book, &verdict);
    assert_eq!(
        data["gate"]["decision"], "revise",
        "4.8, but a world rule is broken"
    );
    let packet = book.driver().packet(2, "draft");
    let inline = &packet["manifest"]["inline"];
    assert_eq!(inline["high_confidence_violations"][0]["rule_id"], "W-001");
    let fixes = inline["required_fixes"].as_array().unwrap();
    assert!(
        !fixes.is_empty(),
        "violations give the instructions when the judge gave none"
    );
    for round in [1, 2] {
        let data = revise(&book, round, &verdict);
        if round == 1 {
            assert_eq!(data["gate"]["decision"], "revise");
        }
    }
    // The limit is reached and the violation is still there: the author decides.
    let before = book.tree();
    let error = book.ask(&["next"]).fails(3);
    assert_eq!(error["details"]["revision_count"], 2);
    assert_eq!(error["details"]["has_high_confidence_violation"], true);
    assert!(error["details"]["scores"].is_object(), "{error:#}");
    book.ask(&["commit", "--chapter", "2"]).fails(3);
    book.ask(&["advance", "chapter:002:draft"]).fails(3);
    assert_same_tree(&before, &book.tree(), "a pause changes nothing");
    assert!(!book.has("chapters/chapter-002.md"));
}

#[test]
fn after_commit_project_directories_reflect_the_new_chapter() {
    let book = ordinary();
    let driver = book.driver();
    driver.up_to_judged(1);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 0);
    driver.commit(1);
    assert!(book.has("chapters/chapter-001.md"));
    assert!(book.has("chapters/chapter_001.json"));
    assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
    assert_eq!(book.json("state/current-state.json")["state_version"], 1);
    assert_eq!(
        book.json("foreshadowing/global.json")["foreshadowing"][0]["id"],
        "ancient_prophecy"
    );
    assert!(!book.text("state/changelog.jsonl").is_empty());
}

// Seed 004 -----------------------------------------------------------------------------------

fn at_48() -> TestBook {
    TestBook::planned(Plan::continuing(48, 50))
}

#[test]
fn a_chapter_draft_step_id_is_representable() {
    let book = at_48();
    assert_eq!(book.next(), "chapter:048:draft");
    // Both spellings name the same step.
    for spelling in ["chapter:048:draft", "chapter:48:draft"] {
        let data = book.ask(&["instructions", spelling]).data();
        assert_eq!(data["packet"]["step"], "chapter:048:draft");
    }
}

#[test]
fn a_commit_step_id_is_representable() {
    let book = at_48();
    book.driver().up_to_judged(48);
    assert_eq!(book.next(), "chapter:048:commit");
    let data = book.ask(&["instructions", "chapter:048:commit"]).data();
    assert_eq!(data["packet"]["step"], "chapter:048:commit");
}

#[test]
fn fresh_chapter_starts_at_draft() {
    let book = at_48();
    assert_eq!(book.next(), "chapter:048:draft");
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["pipeline_stage"] = json!("committed")
    });
    assert_eq!(book.next(), "chapter:048:draft");
}

#[test]
fn interrupted_pipeline_resumes_at_the_latest_recoverable_stage() {
    let book = ordinary();
    book.driver().up_to_judged(1);
    let judged = book.tree();
    let restore = |stage: &str, without: &[&str]| {
        for (path, node) in &judged {
            if let Node::File(bytes) = node {
                book.write(path, bytes);
            }
        }
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["pipeline_stage"] = json!(stage)
        });
        // Written by hand or by the older tool: no bindings tell which text is which.
        book.remove("staging/bindings/chapter-001.json");
        for path in without {
            book.remove(path);
        }
    };
    let text = "staging/chapters/chapter-001.md";
    let summary = "staging/summaries/chapter-001-summary.md";
    let delta = "staging/state/chapter-001-delta.json";
    let crossref = "staging/state/chapter-001-crossref.json";
    let memory = "staging/storylines/main-arc/memory.md";
    let eval = "staging/evaluations/chapter-001-eval.json";
    let rows: &[(&str, &[&str], &str)] = &[
        ("drafting", &[text], "draft"),
        ("drafting", &[summary], "summarize"),
        ("drafting", &[delta], "summarize"),
        ("drafted", &[crossref], "summarize"),
        ("drafted", &[memory], "summarize"),
        ("drafting", &[], "refine"),
        ("drafted", &[], "refine"),
        ("drafted", &[text], "draft"),
        ("refined", &[text], "draft"),
        ("judged", &[text], "draft"),
        ("refined", &[eval], "judge"),
        ("judged", &[eval], "judge"),
        ("judged", &[], "commit"),
        ("revising", &[eval], "draft"),
    ];
    for (stage, without, expected) in rows {
        restore(stage, without);
        assert_eq!(
            book.next(),
            Driver::step(1, expected),
            "{stage} without {without:?}"
        );
    }
    restore("drafted", &[]);
    book.write(delta, "{\"chapter\": 1");
    assert_eq!(book.next(), "chapter:001:summarize", "an invalid delta");
    restore("judged", &[]);
    book.write(eval, "{}");
    assert_eq!(book.next(), "chapter:001:judge", "an invalid evaluation");
}

#[test]
fn step_ids_map_to_checkpoint_fields() {
    let book = at_48();
    let driver = book.driver();
    driver.draft(48);
    assert_eq!(stage_of(&book), (json!("drafting"), json!(48)));
    driver.summarize(48);
    assert_eq!(stage_of(&book), (json!("drafted"), json!(48)));
    driver.refine(48);
    assert_eq!(stage_of(&book), (json!("refined"), json!(48)));
    let data = driver.judge(48, &book.plan().verdict(48, 4.0));
    assert_eq!(stage_of(&book), (json!("judged"), json!(48)));
    assert_eq!(data["checkpoint"], book.checkpoint());
    driver.commit(48);
    assert_eq!(stage_of(&book), (json!("committed"), Value::Null));
    assert_eq!(book.checkpoint()["orchestrator_state"], "WRITING");
}

#[test]
fn draft_step_packet_targets_chapter_writer_agent_and_staging_output() {
    let book = at_48();
    let data = book.ask(&["instructions", "chapter:048:draft"]).data();
    let packet = &data["packet"];
    assert_eq!(packet["version"], 1);
    assert_eq!(packet["agent"]["kind"], "subagent");
    assert_eq!(packet["agent"]["name"], "chapter-writer");
    assert_eq!(packet["agent"]["mode"], "draft");
    assert_eq!(
        packet["expected_outputs"],
        // Seed 003: the chapter, and hints for the summarizer if the writer has any.
        json!([{"path": "staging/chapters/chapter-048.md", "required": true, "schema": null},
               {"path": "staging/chapters/chapter-048-hints.md", "required": false, "schema": null}])
    );
    assert_eq!(
        packet["next_actions"],
        json!([{"kind": "command", "command": "novel validate chapter:048:draft"},
               {"kind": "command", "command": "novel advance chapter:048:draft"}])
    );
}

#[test]
fn summarize_step_packet_targets_summarizer_agent_and_declares_expected_outputs() {
    let book = at_48();
    book.driver().draft(48);
    let data = book.ask(&["instructions", "chapter:048:summarize"]).data();
    let packet = &data["packet"];
    assert_eq!(packet["agent"]["name"], "summarizer");
    let paths: Vec<&str> = packet["expected_outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "staging/summaries/chapter-048-summary.md",
            "staging/state/chapter-048-delta.json",
            "staging/state/chapter-048-crossref.json",
            "staging/storylines/main-arc/memory.md"
        ]
    );
}

#[test]
fn packet_references_style_profile_by_path() {
    let book = at_48();
    let data = book.ask(&["instructions", "chapter:048:draft"]).data();
    let manifest = &data["packet"]["manifest"];
    assert_eq!(manifest["mode"], "paths");
    assert_eq!(manifest["paths"]["style_profile"], "style-profile.json");
    assert!(
        !data.to_string().contains("短句推进"),
        "the content of the profile is not embedded"
    );
    assert_eq!(manifest.get("embedded"), None);
}

#[test]
fn packet_is_written_under_staging_manifests() {
    let book = at_48();
    let plain = book.ask(&["instructions", "chapter:048:draft"]).data();
    assert_eq!(plain["manifest_path"], Value::Null);
    let data = book
        .ask(&["instructions", "chapter:048:draft", "--write-manifest"])
        .data();
    assert_eq!(
        data["manifest_path"],
        "staging/manifests/chapter-048-draft.json"
    );
    assert_eq!(
        book.json("staging/manifests/chapter-048-draft.json"),
        data["packet"]
    );
    assert_eq!(data["packet"], plain["packet"]);
}
