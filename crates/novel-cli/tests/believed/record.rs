//! Records of a chapter by a model that goes round in circles, is cut, or says too much: what is sound of them stands,
//! and only the rest is asked for.

use novel_mockllm::{Answer, Behaviour, Finish};
use novel_testkit::TestBook;
use serde_json::{Value, json};

use super::stub::{Call, Stub, at_chapter_two};

const QUOTED: &str = "柜台上压着第二封信";

/// A record whose parts come in the order they are asked for, with these ops as they are written.
fn record(sound: &str, ops: &str) -> String {
    let sound: Value = serde_json::from_str(sound).unwrap();
    let delta = json!({"chapter": 2, "base_state_version": 0, "storyline_id": "main-arc"});
    let delta = delta.to_string();
    format!(
        r#"{{"summary": {}, "memory": {}, "crossref": {}, "delta": {}, "ops": [{ops}]}}}}"#,
        sound["summary"],
        sound["memory"],
        sound["crossref"],
        delta.trim_end_matches('}'),
    )
}

fn op(path: &str, value: &str, evidence: &str) -> String {
    json!({"op": "set", "path": path, "value": value, "evidence": evidence, "detail": null})
        .to_string()
}

/// A book whose summarizer answers first and again like this; nothing for a sound answer.
fn recorded(
    rule: impl Fn(&Call, &str) -> Option<Answer> + Send + Sync + 'static,
) -> (TestBook, Stub) {
    let book = at_chapter_two();
    let stub = Stub::behaving(&book, move |call, sound| {
        let answer = (call.work == "summarize").then(|| rule(call, sound))?;
        answer.map(|answer| {
            Behaviour::Answer(Answer {
                chars_per_event: 64,
                ..answer
            })
        })
    });
    (book, stub)
}

fn warnings(book: &TestBook) -> String {
    book.json("logs/chapter-002-log.json")["warnings"].to_string()
}

fn place(book: &TestBook) -> Value {
    book.json("state/current-state.json")["characters"]["lin-feng"]["location"].clone()
}

/// What a re-ask tells and wants.
fn asked_again(stub: &Stub) -> String {
    let prompt = stub.last("summarize").prompt;
    prompt.rsplit("## 重新作答").next().unwrap().to_owned()
}

#[test]
fn ten_thousand_times_the_same_fact_are_one_call_and_one_fact() {
    let (book, stub) = recorded(|_, sound| {
        let ops = vec![op("characters.lin-feng.location", "码头", QUOTED); 10_000];
        Some(Answer::new(record(sound, &ops.join(","))))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 1);
    assert_eq!(place(&book), "码头");
    assert!(warnings(&book).contains("answer_repeats"));
    let stages = book.json("logs/chapter-002-log.json")["stages"].clone();
    let stage = stages
        .as_array()
        .unwrap()
        .iter()
        .find(|stage| stage["name"] == "summarize");
    // Nobody counted them, and they are paid for.
    let written = stage.unwrap()["output_tokens"].as_u64().unwrap();
    assert!((100..3_000).contains(&written), "{stages:#}");
}

#[test]
fn a_loop_that_hides_behind_numbers_is_one() {
    let (book, stub) = recorded(|_, sound| {
        let ops: Vec<String> = (0..10_000)
            .map(|at| {
                op(
                    &format!("items.letter-{at}.place"),
                    &format!("柜台 {at}"),
                    QUOTED,
                )
            })
            .collect();
        Some(Answer::new(record(sound, &ops.join(","))))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 1);
    let items = book.json("state/current-state.json")["items"].clone();
    assert_eq!(items.as_object().unwrap().len(), 1, "{items:#}");
}

#[test]
fn a_loop_before_other_parts_costs_those_parts_alone() {
    let (book, stub) = recorded(|call, sound| {
        if call.again {
            let sound: Value = serde_json::from_str(sound).unwrap();
            let rest = json!({"memory": sound["memory"], "crossref": sound["crossref"]});
            return Some(Answer::new(rest.to_string()));
        }
        let fact = op("characters.lin-feng.location", "码头", QUOTED);
        let ops = vec![fact; 500].join(",");
        let summary = serde_json::from_str::<Value>(sound).unwrap()["summary"].clone();
        Some(Answer::new(format!(
            r#"{{"summary": {summary}, "delta": {{"ops": [{ops}]"#
        )))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let asked = asked_again(&stub);
    assert!(asked.contains("只给 `memory`、`crossref`，"), "{asked}");
    assert_eq!(place(&book), "码头");
}

#[test]
fn facts_that_were_cut_stand_and_the_others_are_asked_for() {
    let (book, stub) = recorded(|call, sound| {
        if call.again {
            // What stands is not changed by what comes after.
            let ops = [
                op("characters.林枫.location", "钟楼", QUOTED),
                op("world_state.season", "冬", QUOTED),
            ];
            return Some(Answer::new(format!(
                r#"{{"delta": {{"ops": [{}]}}}}"#,
                ops.join(",")
            )));
        }
        let ops = [
            op("characters.lin-feng.location", "码头", QUOTED),
            op("characters.lin-feng.condition", "半句没有说完的", QUOTED),
        ];
        let text = record(sound, &ops.join(","));
        let cut = text.find("半句").unwrap() + "半句".len();
        Some(Answer {
            finish: Finish::Length,
            ..Answer::new(&text[..cut])
        })
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let asked = asked_again(&stub);
    assert!(asked.contains("只给 `delta.ops`，"), "{asked}");
    assert!(asked.contains("码头"), "{asked}");
    let state = book.json("state/current-state.json");
    let person = &state["characters"]["lin-feng"];
    assert_eq!(person["location"], "码头", "{state:#}");
    assert_eq!(
        person.get("condition"),
        None,
        "half a fact is none: {state:#}"
    );
    assert_eq!(state["world_state"]["season"], "冬");
}

#[test]
fn a_fact_without_its_sentence_is_asked_for_alone() {
    let (book, stub) = recorded(|call, sound| {
        if call.again {
            let mended = op("characters.lin-feng.condition", "着凉", QUOTED);
            return Some(Answer::new(format!(
                r#"{{"delta": {{"ops": [{mended}]}}}}"#
            )));
        }
        let ops = [
            op("characters.lin-feng.location", "码头", QUOTED),
            op(
                "characters.lin-feng.condition",
                "受凉",
                "这一句是编造出来的话",
            ),
        ];
        Some(Answer::new(record(sound, &ops.join(","))))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let asked = asked_again(&stub);
    assert!(
        asked.contains("要改正的变化") && asked.contains("受凉"),
        "{asked}"
    );
    let person = book.json("state/current-state.json")["characters"]["lin-feng"].clone();
    assert_eq!(person["condition"], "着凉");
    assert_eq!(person["location"], "码头");
    assert!(!warnings(&book).contains("unproven_fact"));
}

#[test]
fn a_fact_that_is_not_mended_is_unproven_and_one_about_nobody_is_dropped() {
    let (book, stub) = recorded(|call, sound| {
        if call.again {
            return Some(Answer::new(r#"{"delta": {"ops": []}}"#));
        }
        let ops = [
            op(
                "characters.lin-feng.condition",
                "受凉",
                "这一句是编造出来的话",
            ),
            op("characters.wang-wu.location", "码头", QUOTED),
        ];
        Some(Answer::new(record(sound, &ops.join(","))))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let state = book.json("state/current-state.json");
    assert_eq!(state["characters"]["lin-feng"]["condition"], "受凉");
    assert_eq!(state["characters"].get("wang-wu"), None);
    assert!(warnings(&book).contains("unproven_fact"));
    assert!(book.text("logs/unknown-entities.jsonl").contains("wang-wu"));
}

#[test]
fn a_record_in_parts_is_written_by_the_program() {
    let (book, stub) = recorded(|_, sound| {
        let sound: Value = serde_json::from_str(sound).unwrap();
        Some(Answer::new(
            json!({
                "summary": {"narrative": "林枫在柜台上看见第二封信。", "events": ["信来了", "信来了"], "next": ["信在林枫手里"]},
                "memory": ["林枫拿着第二封信", "林枫拿着第二封信"],
                "crossref": sound["crossref"], "delta": sound["delta"], "claims": null,
            })
            .to_string(),
        ))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 1);
    let summary = book.text("summaries/chapter-002-summary.md");
    assert!(summary.contains("### 关键事件\n- 信来了\n\n"), "{summary}");
    assert!(summary.contains("- storyline_id: main-arc\n"), "{summary}");
    assert_eq!(
        book.text("storylines/main-arc/memory.md"),
        "- 林枫拿着第二封信\n"
    );
}

#[test]
fn from_outside_a_record_in_parts_is_taken_too() {
    let book = at_chapter_two();
    book.driver().draft(2);
    let mut answer = book.plan().summary_answer(2, book.state_version());
    answer["summary"] = json!({"narrative": "林枫收到信。", "events": [], "next": []});
    book.driver().hand_in(2, "summarize", answer.to_string());
    let summary = book.text("staging/summaries/chapter-002-summary.md");
    assert!(summary.contains("### 下章须知\n- 无"), "{summary}");
}

#[test]
fn a_huge_text_in_a_record_is_no_memory() {
    let (book, stub) = recorded(|call, sound| {
        (!call.again).then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            answer["memory"] = json!("雨没有停，门没有锁，他在等。".repeat(20_000));
            Answer::new(answer.to_string())
        })
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let asked = asked_again(&stub);
    assert!(
        asked.contains("`memory`") && !asked.contains("`summary`、"),
        "{asked}"
    );
    assert!(book.text("storylines/main-arc/memory.md").chars().count() < 600);
}
