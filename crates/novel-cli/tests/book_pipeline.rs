//! The chapter pipeline, scenario by scenario: seeds 002 and 004, and page 02 of the specification.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod support;

use serde_json::{Value, json};
use support::{Book, Driver, Manner, Node, Plan, assert_same_tree, differences, pretty};

fn ordinary() -> Book {
    // Chapter 2 of 3 is no key chapter, and chapter 1 is written when a test needs it.
    Book::new(Plan::new(3))
}

/// A book whose chapter 2, which has one judge, is the next one.
fn at_chapter_two() -> Book {
    let book = ordinary();
    book.driver().write(1);
    book
}

fn stage_of(book: &Book) -> (Value, Value) {
    let checkpoint = book.checkpoint();
    (
        checkpoint["pipeline_stage"].clone(),
        checkpoint["inflight_chapter"].clone(),
    )
}

fn codes(data: &Value) -> Vec<&str> {
    let warnings = data["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
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
            _ => drop(driver.judge(1, &book.plan.verdict(1, 4.0))),
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
            _ => drop(driver.judge(2, &book.plan.verdict(2, 4.0))),
        }
    }
    // Only staging, what was replaced there, and the checkpoint have changed.
    let allowed = |path: &String| {
        path == ".checkpoint.json"
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
        book.plan.memory(2)
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
    driver.judge(1, &book.plan.verdict(1, 4.0));
    assert!(book.has("staging/evaluations/chapter-001-eval.json"));
}

#[test]
fn resume_after_interruption_at_refined_stage() {
    let book = ordinary();
    book.driver().up_to_refined(1);
    let text = book.text("staging/chapters/chapter-001.md");
    assert_eq!(stage_of(&book), (json!("refined"), json!(1)));
    // A new session knows only the files.
    let data = book.novel(&["next"]).ok();
    assert_eq!(data["step"], "chapter:001:judge");
    assert_eq!(data["inflight"], 1);
    assert!(data["reason"].is_string());
    assert!(!data["evidence"].as_array().unwrap().is_empty());
    book.driver().judge(1, &book.plan.verdict(1, 4.0));
    book.driver().commit(1);
    assert_eq!(
        book.text("chapters/chapter-001.md"),
        text,
        "committed byte for byte"
    );
}

/// Judges chapter 2 and gives what `advance` said.
fn judged_with(book: &Book, verdict: &Value) -> Value {
    book.driver().up_to_refined(2);
    book.driver().judge(2, verdict)
}

/// One more round after a verdict of "revise".
fn revise(book: &Book, round: u32, verdict: &Value) -> Value {
    let driver = book.driver();
    let packet = driver.packet(2, "draft");
    assert_eq!(packet["agent"]["mode"], "revise");
    driver.hand_in(2, "draft", book.plan.revised(2, round));
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["revision_count"], round);
    assert_eq!(checkpoint["orchestrator_state"], "CHAPTER_REWRITE");
    for gone in [
        "staging/summaries/chapter-002-summary.md",
        "staging/state/chapter-002-delta.json",
        "staging/state/chapter-002-crossref.json",
        "staging/storylines/main-arc/memory.md",
        "staging/evaluations/chapter-002-eval.json",
    ] {
        assert!(!book.has(gone), "{gone} describes an older text");
    }
    driver.summarize(2);
    driver.packet(2, "refine");
    driver.hand_in(2, "refine", book.plan.revised(2, round));
    driver.judge(2, verdict)
}

#[test]
fn high_confidence_violation_triggers_forced_revise() {
    let book = at_chapter_two();
    let verdict = book.plan.violation(2, 4.8, "high");
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
    let error = book.novel(&["next"]).fails(3);
    assert_eq!(error["details"]["revision_count"], 2);
    assert_eq!(error["details"]["has_high_confidence_violation"], true);
    assert!(error["details"]["scores"].is_object(), "{error:#}");
    book.novel(&["commit", "--chapter", "2"]).fails(3);
    book.novel(&["advance", "chapter:002:draft"]).fails(3);
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

fn at_48() -> Book {
    Book::new(Plan::continuing(48, 50))
}

#[test]
fn a_chapter_draft_step_id_is_representable() {
    let book = at_48();
    assert_eq!(book.next(), "chapter:048:draft");
    // Both spellings name the same step.
    for spelling in ["chapter:048:draft", "chapter:48:draft"] {
        let data = book.novel(&["instructions", spelling]).ok();
        assert_eq!(data["packet"]["step"], "chapter:048:draft");
    }
}

#[test]
fn a_commit_step_id_is_representable() {
    let book = at_48();
    book.driver().up_to_judged(48);
    assert_eq!(book.next(), "chapter:048:commit");
    let data = book.novel(&["instructions", "chapter:048:commit"]).ok();
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
    let data = driver.judge(48, &book.plan.verdict(48, 4.0));
    assert_eq!(stage_of(&book), (json!("judged"), json!(48)));
    assert_eq!(data["checkpoint"], book.checkpoint());
    driver.commit(48);
    assert_eq!(stage_of(&book), (json!("committed"), Value::Null));
    assert_eq!(book.checkpoint()["orchestrator_state"], "WRITING");
}

#[test]
fn draft_step_packet_targets_chapter_writer_agent_and_staging_output() {
    let book = at_48();
    let data = book.novel(&["instructions", "chapter:048:draft"]).ok();
    let packet = &data["packet"];
    assert_eq!(packet["version"], 1);
    assert_eq!(packet["agent"]["kind"], "subagent");
    assert_eq!(packet["agent"]["name"], "chapter-writer");
    assert_eq!(packet["agent"]["mode"], "draft");
    assert_eq!(
        packet["expected_outputs"],
        json!([{"path": "staging/chapters/chapter-048.md", "required": true, "schema": null}])
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
    let data = book.novel(&["instructions", "chapter:048:summarize"]).ok();
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
    let data = book.novel(&["instructions", "chapter:048:draft"]).ok();
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
    let plain = book.novel(&["instructions", "chapter:048:draft"]).ok();
    assert_eq!(plain["manifest_path"], Value::Null);
    let data = book
        .novel(&["instructions", "chapter:048:draft", "--write-manifest"])
        .ok();
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

// Page 02 ------------------------------------------------------------------------------------

#[test]
fn advance_refuses_a_step_that_is_not_next() {
    let book = ordinary();
    book.driver().draft(1);
    let before = book.tree();
    for wrong in ["draft", "refine", "judge", "commit"] {
        let asked = Driver::step(1, wrong);
        let errors = book.fails_in_both(2, &["advance", &asked], "");
        for error in errors {
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(&asked), "{message}");
            assert!(message.contains("chapter:001:summarize"), "{message}");
        }
    }
    book.novel(&["advance", "chapter:002:summarize"]).fails(2);
    assert_same_tree(&before, &book.tree(), "refused steps change nothing");
}

#[test]
fn advance_refuses_outputs_that_do_not_validate_and_lists_every_problem() {
    let book = ordinary();
    book.driver().draft(1);
    let mut answer = book.plan.summary_answer(1, 0);
    answer["delta"]["chapter"] = json!(2);
    answer["delta"]["storyline_id"] = json!("jinghai-plan");
    for (path, part) in [
        ("staging/state/chapter-001-delta.json", "delta"),
        ("staging/state/chapter-001-crossref.json", "crossref"),
    ] {
        book.write(path, pretty(&answer[part]));
    }
    book.write("staging/summaries/chapter-001-summary.md", "");
    let before = book.tree();
    for command in ["validate", "advance"] {
        let error = book.novel(&[command, "chapter:001:summarize"]).fails(2);
        let problems = error["details"]["problems"].as_array().unwrap();
        let places: Vec<(&str, &Value)> = problems
            .iter()
            .map(|problem| (problem["path"].as_str().unwrap(), &problem["pointer"]))
            .collect();
        for expected in [
            ("staging/summaries/chapter-001-summary.md", &Value::Null),
            ("staging/storylines/main-arc/memory.md", &Value::Null),
            ("staging/state/chapter-001-delta.json", &json!("/chapter")),
            (
                "staging/state/chapter-001-delta.json",
                &json!("/storyline_id"),
            ),
        ] {
            assert!(
                places.contains(&expected),
                "{expected:?} is not in {places:#?}"
            );
        }
        for problem in problems {
            assert!(problem["message"].is_string());
        }
    }
    assert_same_tree(&before, &book.tree(), "refused outputs change nothing");
    // A judge who forgets a dimension and overshoots another.
    book.remove("staging/summaries/chapter-001-summary.md");
    book.driver().summarize(1);
    book.driver().refine(1);
    let mut verdict = book.plan.verdict(1, 4.0);
    verdict["scores"].as_object_mut().unwrap().remove("pacing");
    verdict["scores"]["character"]["score"] = json!(5.5);
    let error = book
        .feed(&["submit", "chapter:001:judge", "-"], pretty(&verdict))
        .fails(2);
    let problems = error["details"]["problems"].to_string();
    assert!(
        problems.contains("pacing") && problems.contains("/scores/character/score"),
        "{problems}"
    );
}

#[test]
fn a_revision_loop_ends_in_a_force_pass() {
    let book = at_chapter_two();
    let mut verdict = book.plan.verdict(2, 3.2);
    verdict["scores"]["pacing"] = json!({"score": 3.0, "reason": "拖沓"});
    verdict["scores"]["immersion"] = json!({"score": 3.1, "reason": "出戏"});
    let data = judged_with(&book, &verdict);
    assert_eq!(data["gate"]["decision"], "revise");
    let packet = book.driver().packet(2, "draft");
    let fixes = packet["manifest"]["inline"]["required_fixes"].to_string();
    assert!(
        fixes.contains("拖沓") && fixes.contains("出戏"),
        "the two weakest: {fixes}"
    );
    assert_eq!(
        packet["manifest"]["paths"]["chapter_content"],
        "staging/chapters/chapter-002.md"
    );
    let data = revise(&book, 1, &verdict);
    assert_eq!(data["gate"]["decision"], "revise");
    let data = revise(&book, 2, &verdict);
    assert_eq!(data["gate"]["decision"], "pass");
    assert_eq!(data["gate"]["force_passed"], true);
    let committed = book.driver().commit(2);
    assert_eq!(committed["force_passed"], true);
    let gate = &book.json("evaluations/chapter-002-eval.json")["metadata"]["gate"];
    assert_eq!(
        *gate,
        json!({"decision": "pass", "revisions": 2, "force_passed": true})
    );
    let log = book.json("logs/chapter-002-log.json");
    assert_eq!(log["force_passed"], true);
    assert_eq!(log["revisions"], 2);
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["revision_count"], 0);
    assert_eq!(checkpoint["orchestrator_state"], "WRITING");
    assert!(book.text("chapters/chapter-002.md").contains("这是第二回"));
}

#[test]
fn required_fixes_of_the_judge_come_first() {
    let book = at_chapter_two();
    let mut verdict = book.plan.violation(2, 3.2, "high");
    verdict["required_fixes"] = json!([{"target": "paragraph_3", "instruction": "改成雨夜"}]);
    judged_with(&book, &verdict);
    let packet = book.driver().packet(2, "draft");
    let fixes = &packet["manifest"]["inline"]["required_fixes"];
    assert_eq!(
        *fixes,
        json!([{"target": "paragraph_3", "instruction": "改成雨夜"}])
    );
    assert_eq!(packet["agent"]["mode"], "revise");
}

#[test]
fn medium_and_low_violations_only_warn() {
    for confidence in ["medium", "low"] {
        let book = at_chapter_two();
        let data = judged_with(&book, &book.plan.violation(2, 4.5, confidence));
        assert_eq!(data["gate"]["decision"], "pass", "{confidence}");
        book.driver().commit(2);
    }
}

#[test]
fn a_quotation_that_is_not_there_cannot_carry_high_confidence() {
    let book = at_chapter_two();
    let mut verdict = book.plan.violation(2, 4.5, "high");
    verdict["contract_verification"]["l1_checks"][0]["evidence"] = json!("正文里没有这句话");
    let data = judged_with(&book, &verdict);
    assert_eq!(data["gate"]["decision"], "pass");
    let eval = book.json("staging/evaluations/chapter-002-eval.json");
    let check = &eval["contract_verification"]["l1_checks"][0];
    assert_eq!(check["evidence_found"], false);
    assert_ne!(check["confidence"], "high");
}

#[test]
fn a_soft_storyline_rule_does_not_force_a_revision() {
    let book = at_chapter_two();
    let mut verdict = book.plan.verdict(2, 4.5);
    verdict["contract_verification"]["ls_checks"] = json!([
        {"rule_id": "LS-002", "status": "violation", "constraint_type": "soft", "confidence": "high"}]);
    assert_eq!(judged_with(&book, &verdict)["gate"]["decision"], "pass");
    let book = at_chapter_two();
    verdict["contract_verification"]["ls_checks"] =
        json!([{"rule_id": "LS-001", "status": "violation", "confidence": "high"}]);
    assert_eq!(
        judged_with(&book, &verdict)["gate"]["decision"],
        "revise",
        "missing means hard"
    );
}

#[test]
fn gate_thresholds_are_exact() {
    let book = at_chapter_two();
    book.driver().up_to_refined(2);
    for (score, decision) in [
        (5.0, "pass"),
        (4.0, "pass"),
        (3.999, "polish"),
        (3.5, "polish"),
        (3.499, "revise"),
        (3.0, "revise"),
        (2.999, "pause_for_user"),
        (2.0, "pause_for_user"),
        (1.999, "pause_for_user_force_rewrite"),
        (1.0, "pause_for_user_force_rewrite"),
    ] {
        let step = "chapter:002:judge";
        let verdict = pretty(&book.plan.verdict(2, score));
        book.feed(&["submit", step, "-"], verdict).ok();
        let data = book.novel(&["advance", step]).ok();
        assert_eq!(data["gate"]["decision"], decision, "{score}");
        assert_eq!(data["gate"]["overall"], score);
        let next = book.novel(&["next"]);
        match decision {
            "pass" => assert_eq!(next.ok()["step"], "chapter:002:commit"),
            "polish" => assert_eq!(next.ok()["step"], "chapter:002:refine"),
            "revise" => assert_eq!(next.ok()["step"], "chapter:002:draft"),
            _ => {
                let error = next.fails(3);
                assert_eq!(error["details"]["decision"], decision);
                assert!(
                    error["hint"]
                        .as_str()
                        .is_some_and(|hint| hint.contains("novel "))
                );
            }
        }
        // Back to the judge.
        book.remove("staging/evaluations/chapter-002-eval.json");
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["pipeline_stage"] = json!("refined");
        });
    }
}

#[test]
fn a_verdict_that_is_gone_is_given_again() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.remove("staging/evaluations/chapter-002-eval.json");
    assert_eq!(book.next(), "chapter:002:judge");
    let data = book.driver().judge(2, &book.plan.verdict(2, 4.0));
    assert_eq!(data["gate"]["decision"], "pass");
    book.driver().commit(2);
}

#[test]
fn the_worst_of_two_judges_decides_about_a_key_chapter() {
    let book = ordinary();
    let driver = book.driver();
    driver.up_to_refined(1);
    driver.packet(1, "judge");
    let (high, low) = (book.plan.verdict(1, 4.5), book.plan.verdict(1, 3.6));
    let data = driver.judge_again(1, &high, &low);
    assert_eq!(data["gate"]["decision"], "polish");
    let judges = &book.json("staging/evaluations/chapter-001-eval.json")["metadata"]["judges"];
    assert_eq!(
        judges["primary"],
        json!({"model": "first-judge", "overall": 4.5})
    );
    assert_eq!(
        judges["secondary"],
        json!({"model": "second-judge", "overall": 3.6})
    );
    assert_eq!(judges["used"], "secondary");
    assert_eq!(judges["overall_final"], 3.6);

    // A violation seen by one judge alone counts, even if the other's score is used.
    let book = ordinary();
    book.driver().up_to_refined(1);
    let data = book.driver().judge_again(
        1,
        &book.plan.violation(1, 4.5, "high"),
        &book.plan.verdict(1, 4.4),
    );
    assert_eq!(data["gate"]["decision"], "revise");
    assert_eq!(book.next(), "chapter:001:draft");
}

#[test]
fn the_second_judge_waits_for_the_first_and_for_a_key_chapter() {
    let book = ordinary();
    book.driver().up_to_refined(1);
    let verdict = pretty(&book.plan.verdict(1, 4.0));
    let args = ["submit", "chapter:001:judge", "-", "--judge", "secondary"];
    book.feed(&args, &verdict).fails(2);
    let data = book
        .feed(&["submit", "chapter:001:judge", "-"], &verdict)
        .ok();
    assert_eq!(data["awaiting"], "secondary");
    book.novel(&["advance", "chapter:001:judge"]).fails(2);
    assert_eq!(book.next(), "chapter:001:judge");

    let book = at_chapter_two();
    book.driver().up_to_refined(2);
    let verdict = pretty(&book.plan.verdict(2, 4.0));
    book.feed(
        &["submit", "chapter:002:judge", "-", "--judge", "secondary"],
        verdict,
    )
    .fails(2);
}

#[test]
fn a_polish_round_commits_without_a_new_judge() {
    let book = at_chapter_two();
    let data = judged_with(&book, &book.plan.verdict(2, 3.7));
    assert_eq!(data["gate"]["decision"], "polish");
    let driver = book.driver();
    let packet = driver.packet(2, "refine");
    assert_eq!(packet["agent"]["mode"], "polish");
    let judged = book.text("staging/chapters/chapter-002.md");
    driver.hand_in(2, "refine", book.plan.polished(2, Manner::Usual));
    let polished = book.text("staging/chapters/chapter-002.md");
    assert_ne!(polished, judged);
    assert!(
        book.has("staging/evaluations/chapter-002-eval.json"),
        "the verdict stays"
    );
    driver.commit(2);
    assert_eq!(book.text("chapters/chapter-002.md"), polished);
    let eval = book.json("evaluations/chapter-002-eval.json");
    assert_eq!(eval["metadata"]["gate"]["decision"], "polish");
    assert_eq!(eval["overall"], 3.7);
    assert_eq!(
        book.json("logs/chapter-002-log.json")["gate_decision"],
        "polish"
    );
}

#[test]
fn a_polished_chapter_changed_afterwards_is_polished_again() {
    let book = at_chapter_two();
    judged_with(&book, &book.plan.verdict(2, 3.7));
    book.driver().packet(2, "refine");
    book.driver()
        .hand_in(2, "refine", book.plan.polished(2, Manner::Usual));
    let text = book.text("staging/chapters/chapter-002.md");
    book.write(
        "staging/chapters/chapter-002.md",
        text.replace("陈老", "老陈"),
    );
    assert_eq!(book.next(), "chapter:002:refine");
    let before = book.tree();
    let error = book.novel(&["commit", "--chapter", "2"]).fails(2);
    assert!(error["details"]["staged_hash"].is_string(), "{error:#}");
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
}

#[test]
fn a_staged_chapter_changed_after_it_was_judged_is_refused_at_commit_naming_both_hashes() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let judged = book.json("staging/evaluations/chapter-002-eval.json")["metadata"]["chapter_hash"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = book.text("staging/chapters/chapter-002.md");
    book.write(
        "staging/chapters/chapter-002.md",
        format!("{text}\n多出来的一句。\n"),
    );
    let before = book.tree();
    let errors = book.fails_in_both(2, &["commit", "--chapter", "2"], "");
    for error in errors {
        let message = error["message"].as_str().unwrap();
        let staged = error["details"]["staged_hash"].as_str().unwrap();
        assert_ne!(staged, judged);
        assert!(message.contains(&judged), "{message}");
        assert!(message.contains(staged), "{message}");
    }
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
    assert_ne!(book.next(), "chapter:002:commit");
    // Put back, it passes.
    book.write("staging/chapters/chapter-002.md", &text);
    book.driver().commit(2);
}

#[test]
fn a_changed_draft_goes_back_to_the_first_step_whose_binding_broke() {
    let book = ordinary();
    let path = "staging/chapters/chapter-001.md";
    let change = |book: &Book| {
        let text = book.text(path);
        book.write(path, text.replace("陈老", "老陈"));
    };
    book.driver().draft(1);
    change(&book);
    assert_eq!(book.next(), "chapter:001:draft");
    book.novel(&["advance", "chapter:001:draft"]).ok();
    book.driver().summarize(1);
    book.driver().refine(1);
    change(&book);
    assert_eq!(book.next(), "chapter:001:refine");
}

#[test]
fn an_evaluation_without_a_hash_is_accepted_with_a_warning() {
    let book = at_chapter_two();
    book.driver().up_to_refined(2);
    // Written into staging by hand, as the older tool did.
    book.write(
        "staging/evaluations/chapter-002-eval.json",
        pretty(&book.plan.verdict(2, 4.0)),
    );
    let data = book.novel(&["advance", "chapter:002:judge"]).ok();
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");

    // The same when the checkpoint says "judged" already.
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.edit("staging/evaluations/chapter-002-eval.json", |eval| {
        eval["metadata"]
            .as_object_mut()
            .unwrap()
            .remove("chapter_hash");
    });
    let data = book.novel(&["next"]).ok();
    assert_eq!(data["step"], "chapter:002:commit");
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");
    let data = book.driver().commit(2);
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");
}

#[test]
fn a_dry_run_prints_the_plan_and_writes_nothing() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let before = book.tree_and_times();
    let data = book.novel(&["commit", "--chapter", "2", "--dry-run"]).ok();
    assert_eq!(book.tree_and_times(), before);
    let planned: Vec<String> = data["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["path"].as_str().unwrap().to_owned())
        .collect();
    let trees = (book.tree(), book.driver().commit(2), book.tree());
    let mut done: Vec<String> = differences(&trees.0, &trees.2);
    done.retain(|path| {
        let dir = trees.2.get(path) == Some(&Node::Dir) || trees.0.get(path) == Some(&Node::Dir);
        !dir && !path.starts_with("archive/") && path != "logs/operations.jsonl"
    });
    for path in &done {
        assert!(
            planned.contains(path),
            "{path} was not in the plan {planned:#?}"
        );
    }
    for path in &planned {
        assert!(
            done.contains(path) || path == "logs/operations.jsonl",
            "{path} was planned only"
        );
    }
}

#[test]
fn committing_twice_is_the_same_as_once() {
    let book = ordinary();
    book.driver().write(1);
    let before = book.tree();
    let data = book.novel(&["commit", "--chapter", "1"]).ok();
    assert_eq!(data["chapter"], 1);
    assert_eq!(data["already_committed"], true);
    assert_same_tree(&before, &book.tree(), "the second commit");
}

#[test]
fn a_delta_for_another_state_version_stops_the_commit() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.edit("staging/state/chapter-002-delta.json", |delta| {
        delta["base_state_version"] = json!(7)
    });
    let before = book.tree();
    for error in book.fails_in_both(2, &["commit", "--chapter", "2"], "") {
        let message = error["message"].as_str().unwrap();
        assert!(message.contains('7') && message.contains('1'), "{message}");
    }
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
}

#[test]
fn a_contradicting_checkpoint_is_an_error_that_names_both_fields() {
    for (stage, inflight) in [(json!("refined"), Value::Null), (Value::Null, json!(1))] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["pipeline_stage"] = stage.clone();
            checkpoint["inflight_chapter"] = inflight.clone();
        });
        let before = book.tree();
        for error in book.fails_in_both(2, &["next"], "") {
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("pipeline_stage"), "{message}");
            assert!(message.contains("inflight_chapter"), "{message}");
            assert!(
                error["hint"]
                    .as_str()
                    .unwrap()
                    .contains("novel doctor --fix")
            );
        }
        assert_same_tree(&before, &book.tree(), "next writes nothing");
        book.novel(&["doctor", "--fix"]).ok();
        assert_eq!(book.next(), "chapter:001:draft");
    }
}

#[test]
fn other_states_of_the_book_have_other_steps() {
    for (state, step) in [
        ("VOL_PLANNING", "volume:01:plan"),
        ("VOL_REVIEW", "volume:01:review"),
    ] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["orchestrator_state"] = json!(state)
        });
        assert_eq!(book.next(), step);
    }
    for state in ["INIT", "QUICK_START"] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["orchestrator_state"] = json!(state)
        });
        assert!(book.next().starts_with("quickstart:"));
    }
}

#[test]
fn a_checkpoint_of_the_older_tool_opens_and_keeps_its_fields() {
    let book = ordinary();
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["hook_fix_count"] = json!(3);
        checkpoint["title_fix_count"] = json!({"a": [1, 2.50]});
    });
    book.driver().write(1);
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["hook_fix_count"], 3);
    assert_eq!(checkpoint["title_fix_count"], json!({"a": [1, 2.50]}));
    let keys: Vec<&String> = checkpoint.as_object().unwrap().keys().collect();
    assert_eq!(keys[0], "last_completed_chapter");
    assert_eq!(keys.last().unwrap().as_str(), "title_fix_count");
}

#[test]
fn reading_commands_leave_the_tree_as_it_is() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let before = book.tree_and_times();
    for args in [
        &["next"][..],
        &["status"],
        &["instructions", "chapter:002:commit"],
        &["instructions", "chapter:002:judge"],
        &["instructions", "chapter:002:judge", "--embed"],
        &["validate", "chapter:002:judge"],
        &["lock", "status"],
        &["doctor"],
        &["lint", "staging/chapters/chapter-002.md"],
    ] {
        book.novel(args).ok();
        assert_eq!(book.tree_and_times(), before, "{args:?}");
    }
}

#[test]
fn drafts_are_brought_to_normal_form_when_they_are_accepted() {
    let book = ordinary();
    let raw = "# 第1章：雾里\n\n\n开头一句。  \n\n---\n\n\n另一幕。\n\n\n";
    book.write("staging/chapters/chapter-001.md", raw);
    book.novel(&["advance", "chapter:001:draft"]).ok();
    let normal = "# 第 1 章 雾里\n\n开头一句。\n\n* * *\n\n另一幕。\n";
    assert_eq!(book.text("staging/chapters/chapter-001.md"), normal);
}

#[test]
fn a_refinement_may_not_change_the_title_and_warns_when_it_changes_much() {
    let book = ordinary();
    book.driver().draft(1);
    book.driver().summarize(1);
    let refined = book.plan.refined(1, Manner::Usual);
    let renamed = refined.replacen("雾之钟楼", "别的名字", 1);
    let error = book
        .feed(&["submit", "chapter:001:refine", "-"], renamed)
        .fails(2);
    assert!(
        error["details"]["problems"].to_string().contains("title"),
        "{error:#}"
    );
    let other = book.plan.draft(3, Manner::Drifted);
    let (_, other_body) = other.split_once('\n').unwrap();
    let (heading, _) = refined.split_once('\n').unwrap();
    let replaced = format!("{heading}\n{other_body}");
    let data = book
        .feed(&["submit", "chapter:001:refine", "-"], replaced)
        .ok();
    assert!(codes(&data).contains(&"refine_changed_much"), "{data:#}");
    book.novel(&["advance", "chapter:001:refine"]).ok();
}
