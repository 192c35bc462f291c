//! Ten chapters on one storyline, written through the binary; every derived file is checked.

use novel_testkit::{Manner, Plan, TestBook, plan, replay::replay};
use serde_json::{Value, json};

/// The text a chapter must end up with: the refined one, in normal form.
fn final_text(plan: &Plan, chapter: u32) -> String {
    let refined = plan.refined(chapter, Manner::Usual);
    let (heading, body) = refined.split_once('\n').unwrap();
    let scenes: Vec<&str> = body
        .split("\n\n***\n")
        .flat_map(|part| part.split("\n\n* * *\n\n"))
        .map(|scene| scene.trim_matches('\n'))
        .collect();
    assert_eq!(scenes.len(), 2);
    format!("{heading}\n\n{}\n", scenes.join("\n\n* * *\n\n"))
}

/// The rendering rule, from the specification.
fn render(chapter: &Value) -> String {
    let scenes: Vec<&str> = chapter["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scene| scene["content"].as_str().unwrap())
        .collect();
    format!(
        "# 第 {} 章 {}\n\n{}\n",
        chapter["chapter_number"],
        chapter["chapter_title"].as_str().unwrap(),
        scenes.join("\n\n* * *\n\n")
    )
}

fn check_chapter(book: &TestBook, chapter: u32) {
    let plan = book.plan();
    let markdown = book.text(&format!("chapters/chapter-{chapter:03}.md"));
    assert_eq!(markdown, final_text(plan, chapter));

    let path = format!("chapters/chapter_{chapter:03}.json");
    let json = book.json(&path);
    assert_eq!(book.text(&path), novel_testkit::pretty(&json));
    assert_eq!(render(&json), markdown);
    assert_eq!(json["chapter_number"], chapter);
    assert_eq!(json["chapter_title"], plan.title(chapter).as_str());
    let mut total = 0;
    for (at, scene) in (1..).zip(json["scenes"].as_array().unwrap()) {
        let words = plan::measure(scene["content"].as_str().unwrap()).words;
        assert!((100..800).contains(&words), "{words} words");
        assert_eq!(scene["scene_number"], at);
        assert_eq!(scene["word_count"], words);
        total += words;
    }
    assert_eq!(json["total_words"], total);
    assert!(
        (300..=800).contains(&total),
        "{total} words in chapter {chapter}"
    );

    let summary = book.text(&format!("summaries/chapter-{chapter:03}-summary.md"));
    assert_eq!(summary, plan.summary(chapter));
    let crossref = book.json(&format!("state/chapter-{chapter:03}-crossref.json"));
    let mut expected = plan.summary_answer(chapter, 0)["crossref"].take();
    if chapter == 6 {
        // Somebody the book does not know, in a path of the delta.
        expected["unknown_entities"] =
            json!([{"mention": "__proto__", "context": null, "suggested_type": "character"}]);
    }
    assert_eq!(crossref, expected);
}

fn check_evaluation(book: &TestBook, chapter: u32) {
    let eval = book.json(&format!("evaluations/chapter-{chapter:03}-eval.json"));
    assert_eq!(eval["chapter"], chapter);
    // The judge said 1.25 and weights of one half; the program computes both itself.
    assert_eq!(eval["overall"], 4.2);
    let weights = [0.18, 0.18, 0.15, 0.10, 0.08, 0.15, 0.08, 0.08];
    for (name, weight) in plan::DIMENSIONS.iter().zip(weights) {
        let dimension = &eval["scores"][name];
        assert_eq!(dimension["score"], 4.2);
        assert_eq!(dimension["weight"], weight);
        assert_eq!(dimension["evidence_found"], true);
        assert_eq!(dimension["reason"], format!("{name} #{chapter}"));
    }
    let metadata = &eval["metadata"];
    assert_eq!(metadata["gate"]["decision"], "pass");
    assert_eq!(metadata["gate"]["revisions"], 0);
    assert_eq!(metadata["gate"]["force_passed"], false);
    let judges = &metadata["judges"];
    assert_eq!(judges["overall_final"], 4.2);
    assert_eq!(
        judges["primary"],
        json!({"model": "first-judge", "overall": 4.2})
    );
    if book.plan().is_key(chapter) {
        // Equal scores: the stronger second judge is used.
        assert_eq!(
            judges["secondary"],
            json!({"model": "second-judge", "overall": 4.2})
        );
        assert_eq!(judges["used"], "secondary");
    } else {
        assert_eq!(judges.get("secondary"), None);
        assert_eq!(judges["used"], "primary");
    }
}

fn check_log(book: &TestBook, chapter: u32) {
    let log = book.json(&format!("logs/chapter-{chapter:03}-log.json"));
    assert_eq!(log["chapter"], chapter);
    assert_eq!(log["storyline_id"], "main-arc");
    assert_eq!(log["started_at"], "2026-03-01T00:00:00Z");
    assert_eq!(log["gate_decision"], "pass");
    assert_eq!(log["revisions"], 0);
    assert_eq!(log["force_passed"], false);
    assert_eq!(log["judges"]["overall_final"], 4.2);
    // Nobody reported a cost, so none is invented.
    assert_eq!(log["total_cost_usd"], Value::Null);
    let stages: Vec<&str> = log["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| {
            for unknown in ["input_tokens", "output_tokens", "cached_tokens", "cost_usd"] {
                assert_eq!(stage[unknown], Value::Null);
            }
            stage["name"].as_str().unwrap()
        })
        .collect();
    assert_eq!(stages, ["draft", "summarize", "refine", "judge"]);
}

/// What the state must be after ten chapters, computed by hand from the ops.
fn check_state(book: &TestBook) {
    let state = book.json("state/current-state.json");
    assert_eq!(
        book.text("state/current-state.json"),
        novel_testkit::pretty(&state)
    );
    assert_eq!(state["schema_version"], 1);
    assert_eq!(state["state_version"], 10);
    assert_eq!(state["last_updated_chapter"], 10);
    let hero = &state["characters"]["lin-feng"];
    assert_eq!(hero["display_name"], "林枫");
    assert_eq!(hero["location"], "阁楼");
    assert_eq!(hero["relationships"]["chen-lao"], 50);
    assert_eq!(
        hero["inventory"],
        json!(["第八封信", "第九封信", "第一零封信"])
    );
    assert_eq!(state["world_state"]["time_marker"], "第一零夜");
    assert_eq!(
        state["active_foreshadowing"],
        json!(["ancient_prophecy", "lost_ledger"])
    );
    assert_eq!(state["characters"].as_object().unwrap().len(), 1);

    assert_eq!(
        replay(&book.text("state/changelog.jsonl")),
        book.text("state/current-state.json"),
        "the changelog replays to the state byte for byte"
    );
    let deltas: Vec<Value> = book
        .lines("state/changelog.jsonl")
        .into_iter()
        .filter(|line| line["kind"] == "delta")
        .collect();
    let chapters: Vec<u64> = deltas
        .iter()
        .map(|line| line["chapter"].as_u64().unwrap())
        .collect();
    assert_eq!(chapters, (1..=10).collect::<Vec<u64>>());
    for line in &deltas {
        let chapter = line["chapter"].as_u64().unwrap();
        let dropped: Vec<&str> = line["dropped"]
            .as_array()
            .unwrap()
            .iter()
            .map(|dropped| dropped["reason"].as_str().unwrap())
            .collect();
        let expected: &[&str] = if chapter == 6 {
            // The op on a person nobody knows was left out when it was handed in.
            &["unknown_op"]
        } else {
            &[]
        };
        assert_eq!(dropped, expected);
        for op in line["ops"].as_array().unwrap() {
            assert!(op["undo"].is_object(), "{op}");
        }
    }
}

fn check_foreshadowing(book: &TestBook) {
    let quoted = |chapter| book.plan().quotation(chapter);
    let global = book.json("foreshadowing/global.json");
    assert_eq!(
        global,
        json!({"foreshadowing": [
            {"id": "ancient_prophecy", "description": "信尾的预言", "scope": "long",
             "status": "advanced", "planted_chapter": 1, "planted_storyline": "main-arc",
             "target_resolve_range": [30, 40], "last_updated_chapter": 4,
             "history": [{"chapter": 1, "action": "planted", "detail": "#1", "evidence": quoted(1)},
                         {"chapter": 4, "action": "advanced", "detail": "#4", "evidence": quoted(4)}]},
            {"id": "broken_jade", "description": "断成两半的玉佩", "scope": "short",
             "status": "resolved", "planted_chapter": 2, "planted_storyline": "main-arc",
             "target_resolve_range": [5, 8], "last_updated_chapter": 7,
             "history": [{"chapter": 2, "action": "planted", "detail": "#2", "evidence": quoted(2)},
                         {"chapter": 5, "action": "advanced", "detail": "#5", "evidence": quoted(5)},
                         {"chapter": 7, "action": "resolved", "detail": "#7", "evidence": quoted(7)}]},
            {"id": "lost_ledger", "description": "不见的账本", "scope": "short",
             "status": "planted", "planted_chapter": 3, "planted_storyline": "main-arc",
             "target_resolve_range": [6, 9], "last_updated_chapter": 3,
             "history": [{"chapter": 3, "action": "planted", "detail": "#3", "evidence": quoted(3)}]},
        ]})
    );
}

fn check_rest(book: &TestBook) {
    let checkpoint = book.checkpoint();
    assert_eq!(
        checkpoint,
        json!({"last_completed_chapter": 10, "current_volume": 1, "orchestrator_state": "VOL_REVIEW",
               "pipeline_stage": "committed", "inflight_chapter": null, "revision_count": 0,
               "pending_actions": checkpoint["pending_actions"],
               "last_checkpoint_time": "2026-03-01T00:00:00Z"})
    );
    assert_eq!(
        book.text("storylines/main-arc/memory.md"),
        book.plan().memory(10)
    );

    let unknown: Vec<Value> = book.lines("logs/unknown-entities.jsonl");
    assert_eq!(unknown.len(), 2, "{unknown:?}");
    assert_eq!(unknown[0]["mention"], "无名客四");
    assert_eq!(unknown[0]["chapter"], 4);
    assert_eq!(unknown[1]["mention"], "__proto__");
    assert_eq!(unknown[1]["chapter"], 6);
    let state = book.text("state/current-state.json");
    assert!(!state.contains("polluted"), "{state}");

    let operations = book.lines("logs/operations.jsonl");
    // Every step of an outside driver is an operation, numbered without a gap.
    let numbers: Vec<u64> = operations
        .iter()
        .map(|line| line["operation"].as_u64().unwrap())
        .collect();
    let expected: Vec<u64> = (1..).take(numbers.len()).collect();
    assert_eq!(numbers, expected);
    let commits: Vec<u64> = operations
        .iter()
        .filter_map(|line| line["kind"]["commit"]["chapter"].as_u64())
        .collect();
    assert_eq!(commits, (1..=10).collect::<Vec<u64>>());

    // Nothing of any chapter is left in staging, and neither lock nor journal.
    let left: Vec<String> = book
        .tree()
        .into_iter()
        .filter(|(path, node)| {
            let leftover = path.starts_with("staging/") || path.starts_with(".novel");
            leftover && *node != novel_testkit::Node::Dir
        })
        .map(|(path, _)| path)
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!book.has(".novel.lock"));

    // What was replaced is kept: a rollback brings back the memory of any chapter.
    for chapter in [9, 5, 1] {
        let earlier = book.copy();
        earlier.ask(&["rollback", &chapter.to_string()]).data();
        let memory = earlier.text("storylines/main-arc/memory.md");
        assert_eq!(memory, book.plan().memory(chapter), "memory of {chapter}");
    }
}

#[test]
fn ten_chapters_on_one_storyline() {
    let book = TestBook::planned(Plan::new(10));
    let driver = book.driver();
    for chapter in 1..=10 {
        if chapter == 10 {
            let packet = driver.packet(10, "draft");
            let tasks = packet["manifest"]["inline"]["foreshadowing_tasks"]
                .as_array()
                .unwrap();
            let overdue: Vec<&Value> = tasks
                .iter()
                .filter(|task| task["overdue"] == true)
                .collect();
            assert_eq!(overdue.len(), 1, "{tasks:#?}");
            assert_eq!(overdue[0]["id"], "lost_ledger");
        }
        let data = driver.write(chapter);
        assert_eq!(data["chapter"], chapter);
        assert_eq!(data["state_version"], chapter);
        let codes: Vec<&str> = data["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|warning| warning["code"].as_str().unwrap())
            .collect();
        let expected: &[&str] = match chapter {
            // The op on a person nobody knows was left out when it was handed in.
            6 => &["op_dropped"],
            // The lost ledger is overdue.
            10 => &["consistency_check_due", "consistency_issues"],
            _ => &[],
        };
        assert_eq!(codes, expected, "chapter {chapter}: {data:#}");
    }
    for chapter in 1..=10 {
        check_chapter(&book, chapter);
        check_evaluation(&book, chapter);
        check_log(&book, chapter);
    }
    check_state(&book);
    check_foreshadowing(&book);
    check_rest(&book);
    assert!(
        !book.has("style-drift.json"),
        "the prose has the style of the profile"
    );
    assert_eq!(book.json("ai-blacklist.json"), book.plan().blacklist());
    assert_eq!(book.next(), "volume:01:review");
    book.ask(&["doctor"]).data();
}

#[test]
fn an_english_book_has_english_headings() {
    let book = TestBook::planned(Plan::new(2).english());
    book.driver().write(1);
    let markdown = book.text("chapters/chapter-001.md");
    assert!(
        markdown.starts_with("# Chapter 1: The tower\n\n"),
        "{markdown}"
    );
    let json = book.json("chapters/chapter_001.json");
    assert_eq!(json["chapter_title"], "The tower");
    let words = plan::measure(json["scenes"][0]["content"].as_str().unwrap()).words;
    assert_eq!(json["scenes"][0]["word_count"], words);
    assert_eq!(book.next(), "chapter:002:draft");
}

#[test]
fn two_runs_of_the_same_book_give_the_same_bytes() {
    let trees = [(); 2].map(|()| {
        let book = TestBook::planned(Plan::new(3));
        for chapter in 1..=2 {
            book.driver().write(chapter);
        }
        book.tree()
    });
    novel_testkit::assert_same_tree(
        &trees[0],
        &trees[1],
        "the same answers, the same fixed time",
    );
}
