//! A weak model gets through where its work is sound.

use std::{collections::BTreeMap, sync::Mutex};

use novel_testkit::{Plan, TestBook};
use serde_json::{Value, json};

use super::stub::{Call, Stub};

/// The mistake of the call with this number, if it makes one: each of them one time in ten, in first
/// answers and in answers to a re-ask.
fn mistake(call: &Call, sound: &str, at: usize) -> Option<String> {
    let parsed = || serde_json::from_str::<Value>(sound).unwrap();
    let edited = |change: &dyn Fn(&mut Value)| {
        let mut value = parsed();
        change(&mut value);
        Some(value.to_string())
    };
    match (call.work, at % 10) {
        ("draft", 0) => Some(format!("好的，下面是正文：\n\n{sound}\n希望你喜欢这一章！")),
        ("draft", 1) => Some(sound.replacen("# ", "### ", 1)),
        ("draft", 2) => Some("The rain had not stopped. He opened the door of the shop, and a letter lay on the counter, and nobody knew who had brought it.".into()),
        ("draft", 3) => {
            let (_, body) = sound.split_once('\n')?;
            Some(format!("{sound}\n{body}"))
        }
        ("draft", 4) => Some(sound.replace("林枫", "Lin Feng")),
        ("summarize", 0) => Some("当然可以！".into()),
        ("summarize", 1) => edited(&|value| value["delta"]["ops"][0]["path"] = json!("characters.王五.location")),
        ("summarize", 2) => edited(&|value| value["delta"]["ops"][1]["evidence"] = json!("编造的引文不在正文里")),
        ("summarize", 3) => edited(&|value| value["memory"] = json!("雨一直下。".repeat(200))),
        ("summarize", 4) => edited(&|value| value["delta"]["ops"][1]["value"] = json!(5)),
        ("refine", 0) => Some(format!("{sound}\n\n（全文约2000字）")),
        ("refine", 1) => Some(sound.replacen("# 第", "# 改过的标题 第", 1)),
        ("refine", 2) => Some("好的。".into()),
        ("refine", 3) => Some(sound.replace("谁送来的", "是谁送的")),
        ("judge", 0) => edited(&|value| value["contract_verification"]["passed"] = json!([])),
        ("judge", 1) => edited(&|value| value["scores"]["pacing"]["evidence"] = json!("")),
        ("judge", 2) => edited(&|value| value["scores"]["pacing"]["score"] = json!(7)),
        ("judge", 3) => Some(format!("```json\n{sound}\n```")),
        ("judge", 4) => edited(&|value| value["contract_verification"]["has_violations"] = json!(true)),
        _ => None,
    }
}

#[test]
fn forty_chapters_with_every_mistake_one_time_in_ten() {
    let book = TestBook::planned(Plan::new(60));
    let counts: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let stub = Stub::writing(&book, move |call, sound| {
        let mut counts = counts.lock().unwrap();
        let count = counts
            .entry(format!("{}-{}", call.work, call.again))
            .or_default();
        *count += 1;
        mistake(call, sound, *count - 1)
    });
    let mut refusals: Vec<String> = Vec::new();
    while let Some(left) = 40u64.checked_sub(done(&book)).filter(|left| *left > 0) {
        let output = book.ask(&["continue", &left.to_string(), "--retry"]).json();
        if output["ok"] != true {
            // The way on is to try again; it must lead on.
            let hint = output["error"]["hint"].as_str().unwrap_or_default();
            assert!(hint.contains("`novel "), "{output:#}");
            refusals.push(format!("{}: {}", done(&book), output["error"]));
            assert!(refusals.len() < 20, "{refusals:#?}");
        }
    }
    let calls = stub.calls();
    let again = calls.iter().filter(|call| call.again).count();
    let steps = 40 * 4 + 1;
    let share = f64::from(u32::try_from(calls.len()).unwrap()) / f64::from(steps);
    println!(
        "{} calls for {steps} steps ({share:.2}), {again} re-asks, {} refusals: {refusals:#?}",
        calls.len(),
        refusals.len()
    );
    assert!(share <= 1.5, "{} calls for {steps} steps", calls.len());
}

fn done(book: &TestBook) -> u64 {
    book.checkpoint()["last_completed_chapter"]
        .as_u64()
        .unwrap()
}
