//! Seed 003, steps 3.6, 3.7, 4 and 5: the commit, upkeep, briefings, the report.

use std::sync::Mutex;

use novel_app::runner::{Watch, WatchEvent};
use novel_book::run::{Goal, Stop};
use novel_model::Lang;
use serde_json::{Value, json};

use super::{
    book::{Book, Launch, codes},
    script::{Reply, Script, verdict},
};

/// The reports of all commits, as objects.
#[derive(Default)]
struct Commits(Mutex<Vec<Value>>);

impl Watch for Commits {
    fn event(&self, event: &WatchEvent<'_>) {
        if let WatchEvent::Committed { report } = event {
            self.0.lock().unwrap().push(json!(report.answer(Lang::En)));
        }
    }
}

fn commits(
    book: &Book,
    script: &Script,
    goal: Goal,
) -> (Vec<Value>, novel_app::write::run::RunReport) {
    let commits = Commits::default();
    let launch = Launch {
        watch: Some(&commits),
        ..Launch::default()
    };
    let report = book.launch(script, goal, &launch).unwrap();
    (commits.0.into_inner().unwrap(), report)
}

#[test]
fn step_3_6_the_commit_moves_everything_out_of_staging() {
    let book = Book::with_chapters(1);
    book.write(&Script::plain(&book), 1);
    for path in [
        "chapters/chapter-002.md",
        "chapters/chapter_002.json",
        "summaries/chapter-002-summary.md",
        "evaluations/chapter-002-eval.json",
        "storylines/main-arc/memory.md",
        "state/chapter-002-crossref.json",
        "logs/chapter-002-log.json",
    ] {
        assert!(book.exists(path), "{path}");
    }
    let left: Vec<String> = book
        .tree()
        .into_keys()
        .filter(|path| path.starts_with("staging/"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(book.is_free());
}

#[test]
fn step_3_6_the_delta_is_merged_and_recorded() {
    let book = Book::with_chapters(1);
    let before = book.json("state/current-state.json");
    let lines = book.text("state/changelog.jsonl").lines().count();
    let script = Script::new(&book, |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            answer["delta"]["ops"] = json!([
                {"op": "set", "path": "characters.lu-yan.location", "value": "第七退潮口"},
                {"op": "foreshadow", "path": "blue_wax", "value": "advanced", "detail": "蓝蜡"},
            ]);
            Reply::Text(answer.to_string())
        })
    });
    book.write(&script, 1);
    let after = book.json("state/current-state.json");
    assert_eq!(
        after["state_version"].as_u64().unwrap(),
        before["state_version"].as_u64().unwrap() + 1
    );
    assert_eq!(after["characters"]["lu-yan"]["location"], "第七退潮口");
    assert_eq!(
        book.text("state/changelog.jsonl").lines().count(),
        lines + 1
    );
    let global = book.json("foreshadowing/global.json");
    let items = global["foreshadowing"].as_array().unwrap();
    let item = items.iter().find(|item| item["id"] == "blue_wax").unwrap();
    assert_eq!(item["status"], "advanced");
}

#[test]
fn step_3_6_the_checkpoint_moves_on() {
    let book = Book::with_chapters(1);
    book.write(&Script::scoring(&book, &[3.2, 4.5]), 1);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
    assert_eq!(book.stands(), json!(["WRITING", "committed", null, 0]));
}

#[test]
fn step_3_6_the_last_chapter_ends_in_vol_review_and_stops_the_run() {
    let book = Book::with_chapters(11);
    let script = Script::plain(&book);
    let report = book.run(&script, Goal::Chapters(5)).unwrap();
    assert_eq!(report.stop, Stop::VolumeEnd);
    assert_eq!(report.finished.len(), 1);
    assert_eq!(book.stands(), json!(["VOL_REVIEW", "committed", null, 0]));
    assert!(book.is_free());
}

#[test]
fn step_3_6_unknown_names_are_recorded_and_three_are_a_warning() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            let names: &[&str] = if call.chapter == 2 { &["阿七", "老鲁"] } else { &["船娘"] };
            answer["crossref"]["unknown_entities"] = names
                .iter()
                .map(|name| json!({"mention": name, "context": "码头", "suggested_type": "character"}))
                .collect();
            Reply::Text(answer.to_string())
        })
    });
    let report = book.write(&script, 1);
    assert!(!codes(&report.warnings).contains(&"unknown_entities"));
    assert_eq!(book.text("logs/unknown-entities.jsonl").lines().count(), 2);
    let report = book.write(&script, 1);
    assert!(codes(&report.warnings).contains(&"unknown_entities"));
    assert_eq!(book.text("logs/unknown-entities.jsonl").lines().count(), 3);
}

#[test]
fn step_3_6_suggested_phrases_go_on_the_blacklist_when_they_are_sure_and_frequent() {
    let book = Book::with_chapters(1);
    book.edit("ai-blacklist.json", |list| {
        list["whitelist"] = json!(["老子"]);
        list["version"] = json!("1.0.3");
    });
    let before = book.json("ai-blacklist.json");
    // The phrases stand in the chapter; one of them only twice.
    let often = ["潮声如诉是", "宛若旧梦里", "没把握的", "退潮之前", "老子"];
    let script = Script::new(&book, move |call, sound| {
        if call.work == "draft" {
            let n = call.chapter;
            let said: String = often
                .iter()
                .map(|phrase| {
                    format!("第{n}日他听见{phrase}响起。{phrase}又响{n}声，{phrase}再响{n}次。")
                })
                .collect();
            let more = format!("{said}太少的{n}次，太少的又{n}次。");
            return Some(Reply::Text(format!("{}\n\n{more}\n", sound.trim_end())));
        }
        (call.work == "judge").then(|| {
            let mut verdict = verdict(4.5);
            let suggestion = |phrase: &str, count: u32, confidence: &str| {
                json!({"phrase": phrase, "count_in_chapter": count, "confidence": confidence,
                    "examples": [format!("他听见{phrase}响起。")]})
            };
            verdict["anti_ai"]["blacklist_update_suggestions"] = json!([
                suggestion("潮声如诉是", 3, "high"),
                suggestion("宛若旧梦里", 3, "medium"),
                suggestion("太少的", 2, "high"),
                suggestion("没把握的", 9, "low"),
                suggestion("退潮之前", 5, "high"),
                suggestion("老子", 5, "high"),
            ]);
            Reply::Text(verdict.to_string())
        })
    });
    book.write(&script, 1);
    let list = book.json("ai-blacklist.json");
    let words = list["words"].to_string();
    for phrase in ["潮声如诉是", "宛若旧梦里"] {
        assert_eq!(words.matches(phrase).count(), 1, "{phrase}");
    }
    for phrase in ["太少的", "没把握的", "退潮之前", "老子"] {
        assert!(!words.contains(phrase), "{phrase}");
    }
    assert_eq!(list["whitelist"], json!(["老子", "退潮之前"]));
    assert_eq!(list["version"], "1.0.4");
    assert_eq!(list["last_updated"], "2026-02-21");
    let log = list["update_log"].as_array().unwrap();
    assert_eq!(
        log.len(),
        before["update_log"].as_array().map_or(0, Vec::len) + 1
    );
    let entry = log.last().unwrap();
    assert_eq!(
        (&entry["chapter"], &entry["source"]),
        (&json!(2), &json!("auto"))
    );
    assert_eq!(entry["timestamp"], "2026-02-21T15:30:00Z");
    assert_eq!(
        entry["added"][0]["examples"],
        json!(["他听见潮声如诉是响起。"])
    );
    assert_eq!(entry["added"][0]["count_in_chapter"], 3);
    assert_eq!(entry["exempted"][0]["phrase"], "退潮之前");

    // The same suggestions again change nothing.
    book.write(&script, 1);
    assert_eq!(book.json("ai-blacklist.json"), list);
}

#[test]
fn step_3_6_a_suggestion_on_the_authors_whitelist_is_logged_as_exempted() {
    let book = Book::with_chapters(1);
    book.edit("ai-blacklist.json", |list| {
        list["whitelist"] = json!(["老子"])
    });
    let script = Script::new(&book, |call, sound| {
        if call.work == "draft" {
            let said = "老子不干了。老子走了。老子不回来。";
            return Some(Reply::Text(format!("{}\n\n{said}\n", sound.trim_end())));
        }
        (call.work == "judge").then(|| {
            let mut verdict = verdict(4.5);
            verdict["anti_ai"]["blacklist_update_suggestions"] = json!([{"phrase": "老子",
                "count_in_chapter": 5, "confidence": "high", "examples": ["老子不干了"]}]);
            Reply::Text(verdict.to_string())
        })
    });
    book.write(&script, 1);
    let list = book.json("ai-blacklist.json");
    assert!(!list["words"].to_string().contains("老子"));
    let log = list["update_log"].as_array().cloned().unwrap_or_default();
    let exempted = log
        .last()
        .map(|entry| entry["exempted"][0]["phrase"].clone());
    assert_eq!(exempted, Some(json!("老子")));
}

#[test]
fn step_3_6_style_drift_is_checked_after_the_fifth_chapter() {
    let book = Book::with_chapters(3);
    book.edit("style-profile.json", |profile| {
        profile["avg_sentence_length"] = json!(200.0);
        profile["dialogue_ratio"] = json!(0.99);
    });
    book.write(&Script::plain(&book), 1);
    assert!(!book.exists("style-drift.json"));
    let (commits, _) = commits(&book, &Script::plain(&book), Goal::Chapters(1));
    let drift = book.json("style-drift.json");
    assert_eq!(drift["active"], true);
    assert_eq!(drift["detected_chapter"], 5);
    assert_eq!(drift["window"], json!([1, 5]));
    assert_eq!(drift["drifts"].as_array().unwrap().len(), 2);
    assert_eq!(commits[0]["briefing"]["style_drift"], "corrected");

    // The correction is in the next prompts of the writer and the refiner, not of the judge.
    let directive = drift["drifts"][0]["directive"].as_str().unwrap();
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert!(script.last("draft").user.contains(directive));
    assert!(script.last("refine").user.contains(directive));
    assert!(!script.last("judge").user.contains(directive));
}

#[test]
fn step_3_6_a_style_that_came_back_clears_the_correction() {
    let book = Book::with_chapters(4);
    // No baseline to miss: whatever is measured is back in bounds.
    book.edit("style-profile.json", |profile| {
        profile["avg_sentence_length"] = Value::Null;
        profile["dialogue_ratio"] = Value::Null;
    });
    book.put(
        "style-drift.json",
        &json!({"active": true, "detected_chapter": 3, "window": [1, 3],
            "drifts": [{"metric": "dialogue_ratio", "baseline": 0.4, "current": 0.2,
                "directive": "对话偏少，由章节作者用对话推进互动"}],
            "injected_to": ["ChapterWriter", "StyleRefiner"],
            "created_at": "2026-02-20T00:00:00Z", "cleared_at": null, "cleared_reason": null})
        .to_string(),
    );
    let script = Script::plain(&book);
    book.write(&script, 1);
    let drift = book.json("style-drift.json");
    assert_eq!(drift["active"], false);
    assert_eq!(drift["cleared_reason"], "metrics_recovered");
    assert_eq!(drift["cleared_at"], "2026-02-21T15:30:00Z");
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert!(
        !script
            .last("draft")
            .user
            .contains("对话偏少，由章节作者用对话推进互动")
    );
}

#[test]
fn step_3_6_the_log_names_stages_models_gate_and_judges() {
    let book = Book::new();
    let report = book.write(&Script::scoring(&book, &[3.2, 4.5]), 1);
    let log = book.json("logs/chapter-001-log.json");
    let names: Vec<&str> = log["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| stage["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "draft",
            "summarize",
            "refine",
            "judge",
            "judge",
            "revise",
            "summarize",
            "refine",
            "judge",
            "judge"
        ]
    );
    for stage in log["stages"].as_array().unwrap() {
        assert_eq!(stage["model"], "scripted");
        assert!(stage["duration_ms"].is_u64());
        assert_eq!(stage["attempts"], 1);
        assert_eq!(stage["executor"], "llm");
        assert!(stage["agent_version"].is_string());
        // Nobody counted, so nothing is invented.
        assert_eq!(stage["input_tokens"], Value::Null);
        assert_eq!(stage["cost_usd"], Value::Null);
    }
    assert_eq!(log["gate_decision"], "pass");
    assert_eq!(log["revisions"], 1);
    assert_eq!(log["force_passed"], false);
    assert_eq!(
        log["judges"]["primary"],
        json!({"model": "scripted", "overall": 4.5})
    );
    assert_eq!(
        log["judges"]["secondary"],
        json!({"model": "scripted", "overall": 4.5})
    );
    assert_eq!(log["judges"]["overall_final"], 4.5);
    assert!(log["started_at"].is_string());
    assert!(log["total_duration_ms"].is_u64());
    assert_eq!(report.spent.calls, 10);
}

#[test]
fn step_3_7_the_report_of_a_chapter_has_length_score_gate_and_revisions() {
    let book = Book::with_chapters(1);
    let report = book.write(&Script::scoring(&book, &[3.2, 3.7]), 1);
    let chapter = &json!(report.answer(Lang::Zh))["finished"][0];
    assert_eq!(chapter["chapter"], 2);
    assert_eq!(chapter["overall"], 3.7);
    assert_eq!(chapter["gate_decision"], "polish");
    assert_eq!(chapter["revisions"], 1);
    assert_eq!(chapter["force_passed"], false);
    let words = book.json("chapters/chapter_002.json")["total_words"].clone();
    assert_eq!(chapter["words"], words);
}

#[test]
fn step_4_a_briefing_every_five_chapters_and_a_reminder_every_ten() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.work == "judge").then(|| {
            let score = if call.chapter == 3 { 3.2 } else { 4.5 };
            let mut verdict = verdict(score);
            verdict["risk_flags"] = json!([format!("风险 {}", call.chapter)]);
            Reply::Text(verdict.to_string())
        })
    });
    let (commits, report) = commits(&book, &script, Goal::Until(11.try_into_chapter()));
    let briefed: Vec<usize> = (0..commits.len())
        .filter(|at| commits[*at].get("briefing").is_some())
        .map(|at| at + 1)
        .collect();
    assert_eq!(briefed, [5, 10]);
    let briefing = &commits[4]["briefing"];
    assert_eq!(briefing["window"], json!([1, 5]));
    assert_eq!(briefing["weak_chapters"], json!([3]));
    let mean = briefing["mean"].as_f64().unwrap();
    assert!((mean - 4.24).abs() < 1e-9, "{mean}");
    // Of all five chapters, the newest first.
    let risks = json!(["风险 5", "风险 4", "风险 3", "风险 2", "风险 1"]);
    assert_eq!(briefing["risks"], risks);
    assert!(briefing["style_drift"].is_string());
    let reminded: Vec<usize> = (0..commits.len())
        .filter(|at| {
            commits[*at]["warnings"]
                .to_string()
                .contains("consistency_check_due")
        })
        .map(|at| at + 1)
        .collect();
    assert_eq!(reminded, [10]);
    assert_eq!(report.stop, Stop::GoalReached);
}

/// The numbers of chapters are never zero here.
trait ChapterNumber {
    fn try_into_chapter(self) -> novel_model::ChapterNo;
}

impl ChapterNumber for u32 {
    fn try_into_chapter(self) -> novel_model::ChapterNo {
        novel_model::ChapterNo::new(self).unwrap()
    }
}

#[test]
fn step_5_a_run_over_several_chapters_lists_them_in_order() {
    let book = Book::new();
    let report = book.write(&Script::plain(&book), 3);
    let json = json!(report.answer(Lang::Zh));
    let chapters: Vec<u64> = json["finished"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chapter| chapter["chapter"].as_u64().unwrap())
        .collect();
    assert_eq!(chapters, [1, 2, 3]);
    assert_eq!(json["stop"], "goal_reached");
    assert_eq!(json["spent"]["calls"], 13);
}
