//! Page 02: acceptance, rounds, judges and the gate.

use serde_json::{Value, json};

use novel_testkit::{Driver, Manner, assert_same_tree, pretty};

use super::{at_chapter_two, judged_with, ordinary, revise};

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
    book.ask(&["advance", "chapter:002:summarize"]).fails(2);
    assert_same_tree(&before, &book.tree(), "refused steps change nothing");
}

#[test]
fn advance_refuses_outputs_that_do_not_validate_and_lists_every_problem() {
    let book = ordinary();
    book.driver().draft(1);
    let mut answer = book.plan().summary_answer(1, 0);
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
        let error = book.ask(&[command, "chapter:001:summarize"]).fails(2);
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
    let mut verdict = book.plan().verdict(1, 4.0);
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
    let mut verdict = book.plan().verdict(2, 3.2);
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
    let mut verdict = book.plan().violation(2, 3.2, "high");
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
        let data = judged_with(&book, &book.plan().violation(2, 4.5, confidence));
        assert_eq!(data["gate"]["decision"], "pass", "{confidence}");
        book.driver().commit(2);
    }
}

#[test]
fn a_quotation_that_is_not_there_is_marked_and_still_forces_a_revision() {
    let book = at_chapter_two();
    let mut verdict = book.plan().violation(2, 4.5, "high");
    verdict["contract_verification"]["l1_checks"][0]["evidence"] = json!("正文里没有这句话");
    let data = judged_with(&book, &verdict);
    assert_eq!(data["gate"]["decision"], "revise");
    let eval = book.json("staging/evaluations/chapter-002-eval.json");
    let check = &eval["contract_verification"]["l1_checks"][0];
    assert_eq!(check["evidence_found"], false);
    assert_eq!(check["unproven"], true);
    assert_eq!(check["confidence"], "high");
}

#[test]
fn a_soft_storyline_rule_does_not_force_a_revision() {
    let book = at_chapter_two();
    let plan = book.plan();
    // One rule is broken, with its proof; all the others hold.
    let breaking = |broken: &str| {
        let mut verdict = plan.verdict(2, 4.5);
        let verification = &mut verdict["contract_verification"];
        let passed = verification["passed"].as_array_mut().unwrap();
        passed.push(json!("LS-001"));
        passed.retain(|id| id != broken);
        verification["ls_checks"] = json!([{"rule_id": broken, "status": "violation",
            "confidence": "high", "evidence": plan.quotation(2)}]);
        verdict
    };
    let mut verdict = breaking("LS-002");
    verdict["contract_verification"]["ls_checks"][0]["constraint_type"] = json!("soft");
    assert_eq!(judged_with(&book, &verdict)["gate"]["decision"], "pass");
    let verdict = breaking("LS-001");
    let book = at_chapter_two();
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
        let verdict = pretty(&book.plan().verdict(2, score));
        book.feed(&["submit", step, "-"], verdict).data();
        let data = book.ask(&["advance", step]).data();
        assert_eq!(data["gate"]["decision"], decision, "{score}");
        assert_eq!(data["gate"]["overall"], score);
        let next = book.ask(&["next"]);
        match decision {
            "pass" => assert_eq!(next.data()["step"], "chapter:002:commit"),
            "polish" => assert_eq!(next.data()["step"], "chapter:002:refine"),
            "revise" => assert_eq!(next.data()["step"], "chapter:002:draft"),
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
    let data = book.driver().judge(2, &book.plan().verdict(2, 4.0));
    assert_eq!(data["gate"]["decision"], "pass");
    book.driver().commit(2);
}

#[test]
fn the_worst_of_two_judges_decides_about_a_key_chapter() {
    let book = ordinary();
    let driver = book.driver();
    driver.up_to_refined(1);
    driver.packet(1, "judge");
    let (high, low) = (book.plan().verdict(1, 4.5), book.plan().verdict(1, 3.6));
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
        &book.plan().violation(1, 4.5, "high"),
        &book.plan().verdict(1, 4.4),
    );
    assert_eq!(data["gate"]["decision"], "revise");
    assert_eq!(book.next(), "chapter:001:draft");
}

#[test]
fn the_second_judge_waits_for_the_first_and_for_a_key_chapter() {
    let book = ordinary();
    book.driver().up_to_refined(1);
    let verdict = pretty(&book.plan().verdict(1, 4.0));
    let args = ["submit", "chapter:001:judge", "-", "--judge", "secondary"];
    book.feed(&args, &verdict).fails(2);
    let data = book
        .feed(&["submit", "chapter:001:judge", "-"], &verdict)
        .data();
    assert_eq!(data["awaiting"], "secondary");
    book.ask(&["advance", "chapter:001:judge"]).fails(2);
    assert_eq!(book.next(), "chapter:001:judge");

    let book = at_chapter_two();
    book.driver().up_to_refined(2);
    let verdict = pretty(&book.plan().verdict(2, 4.0));
    book.feed(
        &["submit", "chapter:002:judge", "-", "--judge", "secondary"],
        verdict,
    )
    .fails(2);
}

#[test]
fn a_polish_round_commits_without_a_new_judge() {
    let book = at_chapter_two();
    let data = judged_with(&book, &book.plan().verdict(2, 3.7));
    assert_eq!(data["gate"]["decision"], "polish");
    let driver = book.driver();
    let packet = driver.packet(2, "refine");
    assert_eq!(packet["agent"]["mode"], "polish");
    let judged = book.text("staging/chapters/chapter-002.md");
    driver.hand_in(2, "refine", book.plan().polished(2, Manner::Usual));
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
    judged_with(&book, &book.plan().verdict(2, 3.7));
    book.driver().packet(2, "refine");
    book.driver()
        .hand_in(2, "refine", book.plan().polished(2, Manner::Usual));
    let text = book.text("staging/chapters/chapter-002.md");
    book.write(
        "staging/chapters/chapter-002.md",
        text.replace("陈老", "老陈"),
    );
    assert_eq!(book.next(), "chapter:002:refine");
    let before = book.tree();
    let error = book.ask(&["commit", "--chapter", "2"]).fails(2);
    assert!(error["details"]["staged_hash"].is_string(), "{error:#}");
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
}
