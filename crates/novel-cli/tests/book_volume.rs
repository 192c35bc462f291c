//! A volume of forty chapters on three storylines with a convergence, written through the binary.

use novel_testkit::{Driver, Manner, Plan, TestBook, plan, replay::replay};
use serde_json::{Value, json};

const LAST: u32 = 40;
const CONVERGENCE: (u32, u32) = (24, 26);
/// Chapters written far from the style profile: one whole window of the drift check.
const DRIFTED: std::ops::RangeInclusive<u32> = 11..=15;

fn manner(chapter: u32) -> Manner {
    if DRIFTED.contains(&chapter) {
        Manner::Drifted
    } else {
        Manner::Usual
    }
}

fn warning_codes(data: &Value) -> Vec<String> {
    data["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["code"].as_str().unwrap().to_owned())
        .collect()
}

/// A phrase the judge would like on the blacklist.
fn suggestion(phrase: &str, count: u64, confidence: &str) -> Value {
    json!({"phrase": phrase, "count_in_chapter": count, "examples": [format!("例：{phrase}")],
           "confidence": confidence, "note": ""})
}

/// The judge's suggestions, by chapter.
fn suggestions(chapter: u32) -> Vec<Value> {
    match chapter {
        6 => vec![
            suggestion("心头一震", 4, "high"),
            suggestion("只有两次", 2, "high"),
            suggestion("没有把握", 9, "low"),
            suggestion("且慢", 5, "high"),
            suggestion("仿佛", 5, "high"),
            suggestion("不禁", 5, "high"),
        ],
        7 => vec![suggestion("心头一震", 4, "high")],
        _ => vec![],
    }
}

/// The phrases of the suggestions, as often as they are said to stand in a chapter.
fn phrases(chapter: u32) -> &'static str {
    match chapter {
        6 => {
            "\n\n“例：心头一震。”他心头一震，又是心头一震，末了还是心头一震。\n\n\
             “例：且慢。”且慢，且慢，且慢，且慢。“例：只有两次。”只有两次。\n\n\
             “例：没有把握。”没有把握，没有把握，没有把握。\n"
        }
        7 => "\n\n“例：心头一震。”她也心头一震，再次心头一震，又一次心头一震。\n",
        _ => "",
    }
}

fn write(book: &TestBook, chapter: u32) -> Value {
    let driver = book.driver().manner(manner(chapter));
    let driver = driver.adding(phrases(chapter));
    driver.up_to_refined(chapter);
    let mut verdict = book.plan().verdict(chapter, 4.1);
    verdict["anti_ai"]["blacklist_update_suggestions"] = json!(suggestions(chapter));
    driver.judge(chapter, &verdict);
    driver.commit(chapter)
}

/// The memories a draft packet names, by storyline.
fn adjacent_memories(packet: &Value) -> Vec<String> {
    let mut lines: Vec<String> = packet["manifest"]["paths"]["adjacent_storyline_memories"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|path| path.as_str().unwrap().split('/').nth(1).unwrap().to_owned())
        .collect();
    lines.sort_unstable();
    lines
}

fn check_packet(book: &TestBook, chapter: u32) {
    // Before the first round of the lines there are no memories yet.
    if chapter <= 3 || chapter == LAST {
        return;
    }
    let packet = book.driver().packet(chapter, "draft");
    let here = book.plan().line(chapter);
    let own = &packet["manifest"]["paths"]["storyline_memory"];
    assert_eq!(*own, format!("storylines/{here}/memory.md"));
    let mut expected: Vec<String> = if (CONVERGENCE.0..=CONVERGENCE.1).contains(&chapter) {
        plan::LINES
            .iter()
            .filter(|line| **line != here)
            .map(|line| (*line).to_owned())
            .collect()
    } else {
        vec![book.plan().line(chapter + 1).to_owned()]
    };
    expected.sort_unstable();
    assert_eq!(adjacent_memories(&packet), expected, "chapter {chapter}");
}

fn check_drift(book: &TestBook, chapter: u32) {
    let profile = book.plan().style_profile();
    match chapter {
        5 | 10 => assert!(!book.has("style-drift.json"), "chapter {chapter}"),
        15 => {
            let prose: Vec<String> = (11..=15)
                .flat_map(|chapter| {
                    let json = book.json(&format!("chapters/chapter_{chapter:03}.json"));
                    let scenes = json["scenes"].as_array().unwrap().clone();
                    scenes
                        .into_iter()
                        .map(|scene| scene["content"].as_str().unwrap().to_owned())
                })
                .collect();
            let measured = plan::measure(&prose.join("\n"));
            let drift = book.json("style-drift.json");
            assert_eq!(drift["active"], true);
            assert_eq!(drift["detected_chapter"], 15);
            assert_eq!(drift["window"], json!([11, 15]));
            assert_eq!(
                drift["injected_to"],
                json!(["ChapterWriter", "StyleRefiner"])
            );
            assert_eq!(drift["created_at"], "2026-03-01T00:00:00Z");
            assert_eq!(drift["cleared_at"], Value::Null);
            let drifts = drift["drifts"].as_array().unwrap();
            assert_eq!(drifts.len(), 2, "{drift:#}");
            assert_eq!(drifts[0]["metric"], "avg_sentence_length");
            assert_eq!(drifts[0]["baseline"], profile["avg_sentence_length"]);
            assert_eq!(drifts[0]["current"], measured.sentence_length());
            assert_eq!(drifts[1]["metric"], "dialogue_ratio");
            assert_eq!(drifts[1]["current"], measured.dialogue_ratio());
            for drift in drifts {
                assert!(!drift["directive"].as_str().unwrap().is_empty());
            }
        }
        16..=19 => {
            assert_eq!(book.json("style-drift.json")["active"], true);
        }
        20 => {
            let drift = book.json("style-drift.json");
            assert_eq!(drift["active"], false);
            assert_eq!(drift["cleared_reason"], "metrics_recovered");
            assert_eq!(drift["cleared_at"], "2026-03-01T00:00:00Z");
            assert_eq!(drift["detected_chapter"], 15);
        }
        _ => {}
    }
}

fn check_blacklist(book: &TestBook, chapter: u32) {
    let before = book.plan().blacklist();
    let list = book.json("ai-blacklist.json");
    if chapter < 6 {
        assert_eq!(list, before);
        return;
    }
    let mut words = before["words"].as_array().unwrap().clone();
    words.push(json!("心头一震"));
    assert_eq!(list["words"], json!(words));
    assert_eq!(list["whitelist"], json!(["仿佛", "且慢"]));
    assert_eq!(list["version"], "1.0.1");
    assert_eq!(list["last_updated"], "2026-03-01");
    let log = list["update_log"].as_array().unwrap();
    assert_eq!(log.len(), 1, "the same suggestion again changes nothing");
    assert_eq!(log[0]["chapter"], 6);
    assert_eq!(log[0]["source"], "auto");
    assert_eq!(log[0]["timestamp"], "2026-03-01T00:00:00Z");
    assert_eq!(
        log[0]["added"],
        json!([{"phrase": "心头一震", "count_in_chapter": 4, "examples": ["例：心头一震"]}])
    );
    assert_eq!(log[0]["exempted"][0]["phrase"], "且慢");
}

/// The first three names come in 4, 6 (in a path of the delta) and 13; the author is told of every
/// name from the third on.
fn check_unknown(book: &TestBook, chapter: u32, codes: &[String]) {
    let warned = codes.iter().any(|code| code == "unknown_entities");
    let is_named = !book.plan().unknown(chapter).is_empty() || chapter.is_multiple_of(6);
    let expected = is_named && chapter >= 13;
    assert_eq!(warned, expected, "chapter {chapter}: {codes:?}");
}

#[test]
fn a_volume_of_forty_on_three_storylines_with_a_convergence() {
    let book = TestBook::planned(
        Plan::new(LAST)
            .lines(3)
            .convergence(CONVERGENCE.0, CONVERGENCE.1),
    );
    for chapter in 1..=LAST {
        check_packet(&book, chapter);
        if (16..=20).contains(&chapter) {
            let packet = book.driver().packet(chapter, "draft");
            assert_eq!(
                packet["manifest"]["paths"]["style_drift"],
                "style-drift.json"
            );
        }
        let data = write(&book, chapter);
        assert_eq!(data["state_version"], chapter);
        check_drift(&book, chapter);
        check_blacklist(&book, chapter);
        check_unknown(&book, chapter, &warning_codes(&data));
        let eval = book.json(&format!("evaluations/chapter-{chapter:03}-eval.json"));
        let two = eval["metadata"]["judges"].get("secondary").is_some();
        assert_eq!(two, book.plan().is_key(chapter), "chapter {chapter}");
    }
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["orchestrator_state"], "VOL_REVIEW");
    assert_eq!(checkpoint["last_completed_chapter"], LAST);
    assert_eq!(book.next(), "volume:01:review");

    let state = book.text("state/current-state.json");
    assert_eq!(replay(&book.text("state/changelog.jsonl")), state);
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!(state["state_version"], LAST);
    assert_eq!(state["active_foreshadowing"], json!([]));
    for (id, _) in (1..=3).map(|chapter| book.plan().hero(chapter)) {
        let letters = state["characters"][id]["inventory"].as_array().unwrap();
        assert_eq!(letters.len(), 1, "{id}: {letters:?}");
    }

    let global = book.json("foreshadowing/global.json");
    let life: Vec<(String, Vec<u64>)> = global["foreshadowing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            assert_eq!(item["status"], "resolved", "{item:#}");
            let chapters = item["history"].as_array().unwrap().iter();
            (
                item["id"].as_str().unwrap().to_owned(),
                chapters
                    .map(|event| event["chapter"].as_u64().unwrap())
                    .collect(),
            )
        })
        .collect();
    assert_eq!(
        life,
        [
            ("ancient_prophecy".to_owned(), vec![1, 4, 35]),
            ("broken_jade".to_owned(), vec![2, 5, 7]),
            ("lost_ledger".to_owned(), vec![3, 20]),
            ("clock-tower".to_owned(), vec![12, 20, 26])
        ]
    );
    for chapter in 1..=LAST {
        let markdown = book.text(&format!("chapters/chapter-{chapter:03}.md"));
        let expected = format!("# 第 {chapter} 章 {}\n", book.plan().title(chapter));
        assert!(markdown.starts_with(&expected), "{chapter}");
        assert!(
            markdown.contains(&book.plan().quotation(chapter)),
            "{chapter}"
        );
    }
    for (line, chapter) in [("main-arc", 39), ("jinghai-plan", 40), ("old-city", 38)] {
        assert_eq!(book.plan().line(chapter), line);
        let memory = book.text(&format!("storylines/{line}/memory.md"));
        assert_eq!(memory, book.plan().memory(chapter));
    }
    // Five named by the summarizer, six in paths of deltas.
    assert_eq!(book.lines("logs/unknown-entities.jsonl").len(), 11);
    let operations = book.operations();
    let commits = operations
        .iter()
        .filter(|line| line["kind"]["commit"].is_object());
    assert_eq!(commits.count(), 40);
    assert!(!book.has(".novel.lock"));

    let status = book.ask(&["status"]).data();
    assert!(status["progress"].is_object(), "{status:#}");
    assert_eq!(status["next"]["step"], "volume:01:review", "{status:#}");
    let error = book.ask(&["commit", "--chapter", "41"]).fails(2);
    assert!(error["message"].is_string());
    let refused = book.ask(&["advance", &Driver::step(41, "draft")]).fails(2);
    assert_eq!(
        refused["details"]["next"], "volume:01:review",
        "{refused:#}"
    );
}
