//! Seed 003, step 3.4: the judge and, for key chapters, the two judges.

use std::{
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

use novel_model::files::JudgeRole;
use serde_json::{Value, json};

use novel_book::run::Goal;

use super::{
    book::{Book, code},
    script::{Call, Reply, Script, verdict, violated},
};

/// The second judge of each chapter gives another score than the first.
fn two_scores(book: &Book, primary: f64, secondary: f64) -> Script {
    Script::new(book, move |call, _| {
        (call.work == "judge").then(|| {
            let score = match call.judge {
                JudgeRole::Primary => primary,
                JudgeRole::Secondary => secondary,
            };
            Reply::Text(verdict(score).to_string())
        })
    })
}

fn judges(script: &Script, chapter: u32) -> Vec<Call> {
    let calls = script.calls().into_iter();
    calls
        .filter(|call| call.work == "judge" && call.chapter == chapter)
        .collect()
}

fn section(call: &Call, name: &str) -> String {
    let found = call.sections.iter().find(|(_, field, _)| field == name);
    found.unwrap_or_else(|| panic!("no {name}")).2.clone()
}

#[test]
fn step_3_4_the_blacklist_lint_is_in_the_judges_prompt() {
    let book = Book::with_chapters(1);
    book.edit("ai-blacklist.json", |list| {
        list["words"] = json!(["不禁莞尔", "从未出现的词"]);
    });
    let script = Script::new(&book, |call, sound| {
        (call.work == "refine").then(|| {
            Reply::Text(format!(
                "{}\n\n他不禁莞尔，又不禁莞尔。\n",
                sound.trim_end()
            ))
        })
    });
    book.write(&script, 1);
    let lint = section(&script.last("judge"), "blacklist_lint");
    assert!(lint.contains("total_hits"), "{lint}");
    assert!(lint.contains("hits_per_kchars"), "{lint}");
    assert!(lint.contains("不禁莞尔"), "{lint}");
    assert!(!lint.contains("从未出现的词"), "{lint}");
    let count: String = lint.chars().filter(|c| !c.is_whitespace()).collect();
    assert!(count.contains("\"total_hits\":2"), "{lint}");
    assert!(script.last("judge").user.contains(&lint));
}

#[test]
fn step_3_4_first_last_and_convergence_chapters_have_two_judges_and_others_one() {
    let book = Book::new();
    let script = Script::plain(&book);
    book.write(&script, 12);
    let two: Vec<u32> = (1..=12)
        .filter(|chapter| judges(&script, *chapter).len() == 2)
        .collect();
    assert_eq!(two, [1, 9, 10, 12]);
    for chapter in [2, 8, 11] {
        let roles: Vec<JudgeRole> = judges(&script, chapter).iter().map(|c| c.judge).collect();
        assert_eq!(roles, [JudgeRole::Primary]);
    }
}

#[test]
fn step_3_4_a_convergence_without_a_range_makes_no_key_chapter() {
    let book = Book::with_chapters(1);
    book.edit("volumes/vol-01/storyline-schedule.json", |schedule| {
        schedule["convergence_events"] = json!([
            {"chapter_range": null, "involved_storylines": ["main-arc"]},
            {"involved_storylines": ["main-arc"]},
        ]);
    });
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(judges(&script, 2).len(), 1);
}

#[test]
fn step_3_4_both_judges_are_called_at_the_same_time() {
    let book = Book::new();
    let met = Arc::new((Mutex::new(0_u32), Condvar::new()));
    let script = Script::new(&book, {
        let met = Arc::clone(&met);
        move |call, _| {
            if call.work != "judge" {
                return None;
            }
            // Each judge answers only when the other one has been called too.
            let (here, arrived) = &*met;
            let mut here = here.lock().unwrap();
            *here += 1;
            arrived.notify_all();
            let (_here, alone) = arrived
                .wait_timeout_while(here, Duration::from_secs(20), |here| *here < 2)
                .unwrap();
            alone.timed_out().then_some(Reply::Fails)
        }
    });
    book.write(&script, 1);
    assert_eq!(judges(&script, 1).len(), 2);
}

#[test]
fn step_3_4_the_second_judge_may_have_a_stronger_model() {
    let book = Book::new();
    book.configure("[models]\ndefault = 'small'\n'judge-secondary' = 'large'");
    let script = Script::plain(&book);
    book.write(&script, 1);
    let mut models: Vec<(String, bool)> = judges(&script, 1)
        .into_iter()
        .map(|call| (call.model, call.judge == JudgeRole::Secondary))
        .collect();
    models.sort();
    assert_eq!(models, [("large".into(), true), ("small".into(), false)]);
    let records = &book.json("evaluations/chapter-001-eval.json")["metadata"]["judges"];
    assert_eq!(records["primary"]["model"], "small");
    assert_eq!(records["secondary"]["model"], "large");
    let logged = &book.json("logs/chapter-001-log.json")["judges"];
    assert_eq!(logged, records);
}

#[test]
fn step_3_4_the_lower_of_two_scores_counts() {
    for (primary, secondary, used) in [(4.8, 4.1, "secondary"), (4.1, 4.8, "primary")] {
        let book = Book::new();
        let report = book.write(&two_scores(&book, primary, secondary), 1);
        assert_eq!(report.finished[0].overall, Some(4.1));
        let evaluation = book.json("evaluations/chapter-001-eval.json");
        let judges = &evaluation["metadata"]["judges"];
        assert_eq!(judges["used"], used);
        assert_eq!(judges["overall_final"], 4.1);
        assert_eq!(judges["primary"]["overall"], primary);
        assert_eq!(judges["secondary"]["overall"], secondary);
        assert_eq!(evaluation["scores"]["pacing"]["score"], 4.1);
    }
}

#[test]
fn step_3_4_on_a_tie_the_second_judge_is_used() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.work == "judge").then(|| {
            let mut verdict = verdict(4.4);
            verdict["strengths"] = json!([format!("{:?}", call.judge)]);
            Reply::Text(verdict.to_string())
        })
    });
    book.write(&script, 1);
    let evaluation = book.json("evaluations/chapter-001-eval.json");
    assert_eq!(evaluation["metadata"]["judges"]["used"], "secondary");
    assert_eq!(evaluation["strengths"], json!(["Secondary"]));
}

#[test]
fn step_3_4_a_violation_seen_by_either_judge_forces_a_revision() {
    for seer in [JudgeRole::Primary, JudgeRole::Secondary] {
        let book = Book::new();
        let script = Script::new(&book, move |call, _| {
            (call.work == "judge" && call.nth == 1).then(|| {
                // The one who sees it gives the better score, so the other's verdict is used.
                let verdict = if call.judge == seer {
                    violated(verdict(5.0), "high")
                } else {
                    verdict(4.6)
                };
                Reply::Text(verdict.to_string())
            })
        });
        let report = book.write(&script, 1);
        assert_eq!(script.count("revise"), 1, "{seer:?}");
        assert_eq!(report.finished[0].revisions, 1);
    }
}

#[test]
fn step_3_4_the_overall_score_is_recomputed_and_metadata_is_the_programs() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "judge").then(|| {
            let mut verdict = verdict(4.1);
            verdict["overall"] = json!(1.0);
            Reply::Text(verdict.to_string())
        })
    });
    let report = book.write(&script, 1);
    assert_eq!(report.finished[0].overall, Some(4.1));
    let evaluation = book.json("evaluations/chapter-002-eval.json");
    assert_eq!(evaluation["overall"], 4.1);
    assert_eq!(evaluation["metadata"]["judges"]["used"], "primary");
    assert_eq!(evaluation["metadata"]["judges"]["overall_final"], 4.1);
    assert_eq!(
        evaluation["metadata"]["judges"]["primary"]["model"],
        "scripted"
    );
    assert_eq!(evaluation["metadata"]["judges"].get("secondary"), None);
    assert_eq!(
        evaluation["metadata"]["gate"],
        json!({"decision": "pass", "revisions": 0, "force_passed": false})
    );
    assert!(evaluation["metadata"]["chapter_hash"].is_string());
}

#[test]
fn step_3_4_an_invented_quotation_is_asked_about_and_forces_a_revision_marked_unproven() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "judge").then(|| {
            let mut verdict = violated(verdict(4.5), "high");
            verdict["contract_verification"]["l1_checks"][0]["evidence"] =
                json!("这句话不在正文里，是裁判编的");
            Reply::Text(verdict.to_string())
        })
    });
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "GATE_PAUSED");
    assert_eq!(script.count("revise"), 2);
    assert_eq!(script.count("judge"), 6, "asked again once in every round");
    let check = book.json("staging/evaluations/chapter-002-eval.json")["contract_verification"]
        ["l1_checks"][0]
        .clone();
    assert_eq!(check["evidence_found"], Value::Bool(false));
    assert_eq!(check["unproven"], Value::Bool(true));
    assert_eq!(check["confidence"], "high");
}
