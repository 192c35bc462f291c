//! Verdicts: coverage, grounds, violations; and a judge that is measured.

use novel_testkit::{Plan, TestBook};
use serde_json::{Value, json};

use super::stub::{Stub, at_chapter_two};

fn judged(change: impl Fn(&mut Value, bool) + Send + Sync + 'static) -> (TestBook, Stub) {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, move |call, sound| {
        (call.work == "judge").then(|| {
            let mut verdict: Value = serde_json::from_str(sound).unwrap();
            change(&mut verdict, call.again);
            verdict.to_string()
        })
    });
    (book, stub)
}

fn violation(evidence: Value, confidence: &str) -> Value {
    json!([{"rule_id": "W-001", "status": "violation", "confidence": confidence,
            "detail": "晴天收信", "evidence": evidence}])
}

#[test]
fn a_high_violation_stands_whatever_it_quotes() {
    for evidence in [
        json!(""),
        json!("信件在大白天送到了柜台"),
        json!("信"),
        Value::Null,
    ] {
        let shown = evidence.clone();
        let (book, stub) = judged(move |verdict, _| {
            verdict["contract_verification"]["l1_checks"] = violation(evidence.clone(), "high");
        });
        let error = book.ask(&["continue"]).fails(3);
        assert_eq!(error["code"], "GATE_PAUSED", "{shown}: {error:#}");
        assert_eq!(stub.count("revise"), 2, "{shown}");
        assert_eq!(stub.count("judge"), 6, "one re-ask a round: {shown}");
        let check = &error["details"]["violations"][0];
        assert_eq!(
            (&check["rule_id"], &check["unproven"]),
            (&json!("W-001"), &json!(true))
        );
        assert!(
            error["message"].as_str().unwrap().contains("晴天收信"),
            "{error:#}"
        );
        assert!(
            error["hint"].as_str().unwrap().contains("novel start"),
            "{error:#}"
        );
        book.ask(&["gate", "accept", "2"]).data();
        book.ask(&["continue"]).data();
        assert!(book.has("chapters/chapter-002.md"));
    }
}

#[test]
fn a_violation_ends_by_withdrawal_and_stays_on_record() {
    let (book, stub) = judged(|verdict, again| {
        if again {
            *verdict = json!({"contract_verification": {"l1_checks": [
                {"rule_id": "W-001", "withdrawn": "例外适用"}]}});
        } else {
            verdict["contract_verification"]["l1_checks"] =
                violation(json!("没有这句话的引文"), "high");
        }
    });
    book.ask(&["continue"]).data();
    assert_eq!((stub.count("judge"), stub.count("revise")), (2, 0));
    let evaluation = book.json("evaluations/chapter-002-eval.json");
    let check = &evaluation["contract_verification"]["l1_checks"][0];
    assert_eq!(
        (&check["status"], &check["withdrawn"]),
        (&json!("violation"), &json!("例外适用"))
    );
    let log = book.json("logs/chapter-002-log.json");
    assert!(
        log["warnings"].to_string().contains("violation_withdrawn"),
        "{log:#}"
    );
    assert_eq!(log["violations"][0]["withdrawn"], "例外适用");
}

#[test]
fn a_judge_is_asked_for_what_is_missing_alone_and_what_it_said_stands() {
    let (book, stub) = judged(|verdict, again| {
        if again {
            *verdict = json!({
                "contract_verification": {"passed": ["W-002", "C-LINFENG-001", "LS-002", "LS-005"]},
                "scores": {"plot_logic": {"score": 1, "evidence": "换了说法"}}});
        } else {
            verdict["contract_verification"]["passed"] = json!([]);
        }
    });
    book.ask(&["continue"]).data();
    let again = stub.last("judge").prompt;
    assert!(
        again.contains("W-002") && again.contains("都算数"),
        "{again}"
    );
    let evaluation = book.json("evaluations/chapter-002-eval.json");
    assert_eq!(evaluation["scores"]["plot_logic"]["score"], 4.5);
    assert_eq!(
        evaluation["contract_verification"]["l2_checks"][0]["status"],
        "pass"
    );
    assert_eq!(evaluation["contract_verification"].get("passed"), None);
}

/// A judge that quotes its material and not the chapter is given sentences to choose from, and gets through by
/// choosing; one that goes on quoting what is not there does not.
#[test]
fn a_judge_that_cannot_quote_chooses_from_the_sentences_it_is_offered() {
    for chooses in [true, false] {
        let book = at_chapter_two();
        let stub = Stub::writing(&book, move |call, sound| {
            (call.work == "judge").then(|| {
                let mut verdict: Value = serde_json::from_str(sound).unwrap();
                let offered = offered_for(&call.prompt, "pacing");
                for score in verdict["scores"].as_object_mut().unwrap().values_mut() {
                    score["evidence"] = match offered.first().filter(|_| call.again && chooses) {
                        Some(sentence) => json!(sentence),
                        None => json!("林枫又收到一封没有署名的信件"),
                    };
                }
                verdict.to_string()
            })
        });
        let output = book.ask(&["continue"]);
        assert_eq!(stub.count("judge"), 2);
        let offered = offered_for(&stub.last("judge").prompt, "pacing");
        let text = if chooses {
            book.text("chapters/chapter-002.md")
        } else {
            book.text("staging/chapters/chapter-002.md")
        };
        assert!(!offered.is_empty());
        for sentence in &offered {
            assert!(text.contains(sentence), "{sentence}: {text}");
        }
        if chooses {
            output.data();
            let evaluation = book.json("evaluations/chapter-002-eval.json");
            let pacing = &evaluation["scores"]["pacing"];
            assert_eq!(
                (&pacing["evidence_found"], pacing.get("unproven")),
                (&json!(true), None)
            );
        } else {
            let error = output.fails(5);
            let problems = error["details"]["problems"].to_string();
            assert!(problems.contains("no_quotation_located"), "{error:#}");
            assert!(!book.has("chapters/chapter-002.md"));
        }
    }
}

/// The sentences a re-ask offers for a score.
fn offered_for(prompt: &str, name: &str) -> Vec<String> {
    let asked = prompt.rsplit("## 重新作答").next().unwrap();
    asked
        .lines()
        .skip_while(|line| *line != format!("{name} 可选的原句："))
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .map(str::to_owned)
        .collect()
}

/// A code, and how a verdict is spoilt to get it.
type Spoilt = (&'static str, fn(&mut Value));

#[test]
fn what_is_no_verdict_is_refused() {
    let cases: [Spoilt; 5] = [
        ("check_missing", |verdict| {
            verdict["contract_verification"]["passed"] = json!([])
        }),
        ("no_quotation_located", |verdict| {
            for score in verdict["scores"].as_object_mut().unwrap().values_mut() {
                score["evidence"] = json!("");
            }
        }),
        ("violations_not_named", |verdict| {
            verdict["contract_verification"]["has_violations"] = json!(true);
        }),
        ("violation_without_confidence", |verdict| {
            verdict["contract_verification"]["l1_checks"][0]["status"] = json!("violation");
            verdict["contract_verification"]["l1_checks"][0]["confidence"] = Value::Null;
        }),
        ("/scores/pacing/score", |verdict| {
            verdict["scores"]["pacing"]["score"] = json!(9)
        }),
    ];
    for (code, change) in cases {
        let (book, stub) = judged(move |verdict, _| change(verdict));
        let error = book.ask(&["continue"]).fails(5);
        assert!(
            error["details"]["problems"].to_string().contains(code),
            "{code}: {error:#}"
        );
        assert_eq!(stub.count("judge"), 2, "{code}");
        // The same model asked the same question again is not the only way on.
        let hint = error["hint"].as_str().unwrap();
        for way in [
            "`novel continue --retry`",
            "`novel config set models.quality-judge MODEL`",
            "`novel start`",
        ] {
            assert!(hint.contains(way), "{hint}");
        }
        let book = at_chapter_two();
        book.driver().up_to_refined(2);
        let mut verdict = book.plan().verdict(2, 4.5);
        change(&mut verdict);
        let error = book
            .feed(&["submit", "chapter:002:judge", "-"], verdict.to_string())
            .fails(2);
        assert!(
            error["details"]["problems"].to_string().contains(code),
            "{code}: {error:#}"
        );
    }
}

#[test]
fn medium_and_low_violations_are_shown_and_logged() {
    for confidence in ["medium", "low"] {
        let (book, _stub) = judged(move |verdict, _| {
            let quoted = verdict["scores"]["pacing"]["evidence"].clone();
            verdict["contract_verification"]["l1_checks"] = violation(quoted, confidence);
        });
        let output = book.novel(&["continue"]).success();
        assert!(output.both().contains("晴天收信"), "{}", output.both());
        let log = book.json("logs/chapter-002-log.json");
        assert!(
            log["warnings"].to_string().contains("violation_warning"),
            "{log:#}"
        );
        assert_eq!(log["violations"][0]["confidence"], confidence);
    }
}

#[test]
fn a_fair_score_without_fixes_gives_three_instructions_with_grounds() {
    let (book, stub) = judged(|verdict, _| {
        for score in verdict["scores"].as_object_mut().unwrap().values_mut() {
            score["score"] = json!(3.2);
        }
    });
    book.ask(&["continue"]).data();
    let prompt = stub.last("revise").prompt;
    let quoted = book.plan().quotation(2);
    assert!(prompt.matches("提升 ").count() >= 3, "{prompt}");
    assert!(prompt.contains(&format!("见“{quoted}”")), "{prompt}");
}

#[test]
fn the_blacklist_takes_no_judges_word() {
    let (book, _stub) = judged(|verdict, _| {
        verdict["anti_ai"]["blacklist_update_suggestions"] = json!([
            {"phrase": "从未出现的话", "count_in_chapter": 5, "confidence": "high", "examples": ["他说从未出现的话。"]},
            {"phrase": "林枫", "count_in_chapter": 5, "confidence": "high", "examples": []},
        ]);
    });
    book.edit("ai-blacklist.json", |list| {
        list.as_object_mut().unwrap().remove("update_log");
    });
    book.ask(&["continue"]).data();
    let list = book.json("ai-blacklist.json");
    assert!(!list["words"].to_string().contains("从未出现的话"));
    assert!(!list["words"].to_string().contains("林枫"));
    assert_eq!(
        list["update_log"],
        json!([]),
        "created where it was missing"
    );
}

#[test]
fn a_key_chapter_needs_two_verdicts_from_outside_too() {
    let book = TestBook::planned(Plan::new(3));
    book.driver().up_to_refined(1);
    let verdict = book.plan().verdict(1, 4.5);
    book.write(
        "staging/evaluations/chapter-001-eval.json",
        verdict.to_string(),
    );
    let error = book.ask(&["advance", "chapter:001:judge"]).fails(3);
    assert_eq!(error["code"], "ONE_VERDICT", "{error:#}");
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["pipeline_stage"] = json!("judged")
    });
    let error = book.ask(&["commit", "--chapter", "1"]).fails(3);
    assert_eq!(error["code"], "ONE_VERDICT", "{error:#}");
    assert_eq!(book.next(), "chapter:001:judge");
    let mut two = book.plan().verdict(1, 4.5);
    two["metadata"] = json!({"judges": {"primary": {"model": "a", "overall": 4.5},
        "secondary": {"model": "b", "overall": 4.5}, "used": "secondary", "overall_final": 4.5}});
    book.write("staging/evaluations/chapter-001-eval.json", two.to_string());
    book.ask(&["commit", "--chapter", "1"]).data();
}

/// What `judge calibrate` says of a judge: recall, false alarms, located.
fn measured(answer: impl Fn(&str, &mut Value) + Send + Sync + 'static) -> (TestBook, Value) {
    let book = at_chapter_two();
    let _stub = Stub::writing(&book, move |call, sound| {
        (call.work == "judge").then(|| {
            let mut verdict: Value = serde_json::from_str(sound).unwrap();
            answer(&call.prompt, &mut verdict);
            verdict.to_string()
        })
    });
    let before = book.tree();
    let data = book.ask(&["judge", "calibrate"]).data();
    for (path, node) in &before {
        if !path.starts_with("logs/") {
            assert_eq!(
                book.tree().get(path),
                Some(node),
                "{path} is part of the book"
            );
        }
    }
    let kept = book.ask(&["judge", "show"]).data();
    assert_eq!(kept["judges"], data["judges"]);
    (book, data["judges"][0].clone())
}

fn share(judge: &Value, of: &str) -> f64 {
    judge[of]["hits"].as_f64().unwrap() / judge[of]["of"].as_f64().unwrap()
}

#[test]
fn calibration_tells_an_honest_a_blind_and_a_hallucinating_judge_apart() {
    let (_, honest) = measured(|prompt, verdict| {
        let text = prompt.rsplit("type=\"chapter_content\"").next().unwrap();
        for (sign, rule, quoted) in [
            ("被当场打破", "W-001", "众人亲眼看着这一条被当场打破"),
            ("推门走了进来", "OBJ-1-1", "推门走了进来，坐下喝了一碗茶"),
        ] {
            if text.contains(sign) {
                for id in [rule, "W-002"] {
                    verdict["contract_verification"]["l1_checks"].as_array_mut().unwrap().push(json!(
                        {"rule_id": id, "status": "violation", "confidence": "high", "evidence": quoted}));
                }
            }
        }
        if text.contains("大家都很满意") {
            verdict["scores"]["pacing"] =
                json!({"score": 2, "evidence": "什么也没有发生，什么也没有改变"});
        }
        if text.contains("一切都像从前那样") {
            verdict["scores"]["style_naturalness"] =
                json!({"score": 2, "evidence": "一切都像从前那样"});
        }
    });
    let (_, blind) = measured(|_, _| {});
    let (_, dreaming) = measured(|_, verdict| {
        verdict["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001",
            "status": "violation", "confidence": "high", "evidence": "一句谁也没有写过的话"}]);
        for score in verdict["scores"].as_object_mut().unwrap().values_mut() {
            score["evidence"] = json!("另一句谁也没有写过的话");
        }
    });
    assert!(share(&honest, "recall") >= 0.75, "{honest:#}");
    assert!(
        share(&honest, "false_alarms") < 0.01 && share(&honest, "located") > 0.99,
        "{honest:#}"
    );
    assert!(
        share(&blind, "recall") < 0.01 && share(&blind, "false_alarms") < 0.01,
        "{blind:#}"
    );
    assert!(share(&dreaming, "recall") < 0.01, "{dreaming:#}");
    assert!(
        share(&dreaming, "false_alarms") > 0.99 && share(&dreaming, "located") < 0.01,
        "{dreaming:#}"
    );
}

#[test]
fn every_nth_chapter_carries_a_probe() {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |_, _| None);
    book.configure_tables("[gate]\nprobe_every = 2");
    book.ask(&["continue", "2"]).data();
    assert_eq!(book.lines("logs/judge-probes.jsonl").len(), 1);
    assert_eq!(stub.count("judge"), 3);
    assert!(book.has("chapters/chapter-003.md"));
}

#[test]
fn what_was_measured_of_a_judge_is_shown_beside_its_verdicts() {
    let (book, stub) = judged(|verdict, _| {
        verdict["contract_verification"]["l1_checks"] =
            violation(json!("没有这句话的引文"), "high");
    });
    // Never measured: said at the pause.
    let error = book.ask(&["continue"]).fails(3);
    assert_eq!(error["code"], "GATE_PAUSED");
    let judge = &error["details"]["judge"];
    assert_eq!(judge["measured"], Value::Null, "{error:#}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("novel judge calibrate"), "{message}");
    assert_eq!(error["details"]["scored_by"], "judge");
    // Measured by this model and this version of the prompt.
    let (model, version) = (judge["model"].clone(), judge["prompt_version"].clone());
    assert!(version.is_u64(), "{judge:#}");
    let probe = |version: &Value, caught: bool| {
        json!({"at": "2026-01-01T00:00:00Z", "model": model, "prompt_version": version,
               "chapter": 1, "fault": "dead_acts", "caught": caught, "quoted": 4, "located": 3})
    };
    let other = json!(version.as_u64().unwrap() + 1);
    let lines = [
        probe(&version, true),
        probe(&version, false),
        probe(&other, true),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    book.write("logs/judge-probes.jsonl", text);
    let error = book.ask(&["next"]).fails(3);
    let measured = &error["details"]["judge"]["measured"];
    assert_eq!(
        (&measured["recall"]["hits"], &measured["recall"]["of"]),
        (&json!(1), &json!(2)),
        "the other version is another judge: {error:#}"
    );
    assert!(error["message"].as_str().unwrap().contains("1/2"));
    book.ask(&["gate", "accept", "2"]).data();
    book.ask(&["continue"]).data();
    let status = book.ask(&["status"]).data();
    assert_eq!(status["judge"]["measured"]["recall"]["of"], 2, "{status:#}");
    let report = book.ask(&["report", "scores"]).data();
    let judges = report["scores"]["judges"].as_array().unwrap();
    assert!(
        judges
            .iter()
            .any(|judge| judge["measured"]["recall"]["of"] == 2),
        "{judges:#?}"
    );
    let shown = book.novel(&["status"]);
    assert!(shown.stdout.contains("1/2"), "{shown:?}");
    assert!(stub.count("judge") > 0);
}
