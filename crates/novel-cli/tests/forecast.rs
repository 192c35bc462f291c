//! Forecasts of cost against what a model that varies really costs.

use std::collections::BTreeSet;

use novel_mockllm::{Answer, Behaviour, Tokens};
use novel_testkit::{Answers, ScriptedModel, TestBook};
use serde_json::{Value, json};

/// Chapters the model writes, after those of the offline author.
const CHAPTERS: u32 = 40;
const BEFORE: u32 = 4;

/// Numbers that look random, the same every time.
fn noise(agent: &str, nth: usize) -> u64 {
    let seed = agent.bytes().map(u64::from).sum::<u64>() * 977 + nth as u64 * 7919;
    (seed.wrapping_mul(6_364_136_223_846_793_005) >> 33) % 1000
}

/// A model whose prompts and answers have sizes of their own: nine chapters in ten differ by half, every
/// tenth draft is three times as long.
fn varying(chapters: u32) -> ScriptedModel {
    let answers = answers(BEFORE + chapters);
    let texts = answers.clone();
    ScriptedModel::reacting(answers, move |asked| {
        let text = texts.get(asked.agent)?.get(asked.nth - 1)?;
        let noise = noise(asked.agent, asked.nth);
        let long = asked.agent == "chapter-writer" && asked.nth.is_multiple_of(10);
        let tokens = Tokens {
            input: 8_000 + 6 * noise,
            output: (2_000 + 3 * noise) * if long { 3 } else { 1 },
            ..Tokens::default()
        };
        Some(Behaviour::Answer(Answer {
            tokens,
            ..Answer::new(text)
        }))
    })
}

/// A book with one long volume, written so far by the offline author.
fn written(chapters: u32) -> TestBook {
    TestBook::once(&format!("one volume {chapters}"), || {
        let book = TestBook::planning();
        book.configure("approval = \"unattended\"");
        book.configure_tables("[plan]\nchapters = 60");
        book.write_to(chapters);
        book
    })
}

/// One answer of each agent for each chapter; both judges of a key chapter say the same.
fn answers(last: u32) -> Answers {
    let book = written(last);
    let mut answers = Answers::new();
    for chapter in BEFORE + 1..=last {
        let mut seen = BTreeSet::new();
        for (agent, text) in book.calls(chapter).into_values() {
            if seen.insert(agent.clone()) {
                answers.entry(agent).or_default().push(text);
            }
        }
    }
    answers
}

/// A book of which a model wrote forty chapters after those of the offline author, and that model.
pub(crate) fn forty_chapters() -> (TestBook, ScriptedModel) {
    let home = written(BEFORE);
    let model = ScriptedModel::start(answers(BEFORE + CHAPTERS));
    model.write_for(&home);
    home.ask(&["continue", &CHAPTERS.to_string()]).data();
    (home, model)
}

fn holds(interval: &Value, cost: f64) -> bool {
    let [low, high] = ["low", "high"].map(|bound| interval[bound].as_f64().unwrap());
    low <= cost && cost <= high
}

#[test]
fn the_interval_holds_the_real_cost_nine_times_in_ten() {
    let home = written(BEFORE);
    let model = varying(CHAPTERS);
    model.write_for(&home);
    let (mut held, mut total) = (0, 0);
    for chapter in BEFORE + 1..=BEFORE + CHAPTERS {
        let forecast = home.ask(&["forecast", "--to", &chapter.to_string()]).data();
        let spent = home.ask(&["continue"]).data()["spent"]["cost_usd"].clone();
        let interval = &forecast["total"]["cost_usd"];
        total += 1;
        held += u32::from(holds(interval, spent.as_f64().unwrap()));
        assert_eq!(
            forecast["basis"],
            if chapter == BEFORE + 1 {
                "prompts"
            } else {
                "ledger"
            }
        );
    }
    assert_eq!(total, CHAPTERS);
    assert!(held * 10 >= total * 9, "{held} of {total}");
    // The book says the same of itself.
    let forecast = home.ask(&["forecast", "--to", "60"]).data();
    let seen = &forecast["hindsight"];
    assert!(
        seen["held"].as_f64().unwrap() >= 0.9 * seen["chapters"].as_f64().unwrap(),
        "{seen}"
    );
    assert!(!forecast["earlier"].as_array().unwrap().is_empty());
    let agents: Vec<&str> = forecast["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["agent"].as_str().unwrap())
        .collect();
    assert!(
        agents.starts_with(&["draft", "summarize", "refine", "judge"]),
        "{agents:?}"
    );
}

#[test]
fn a_run_says_what_it_is_expected_to_cost_and_writes_it_down() {
    let home = written(BEFORE);
    let model = varying(3);
    model.write_for(&home);
    let ran = home.novel(&["continue", "2", "--lang", "en"]).success();
    assert!(
        ran.stderr.contains("Expected for 2 chapters: $"),
        "{}",
        ran.stderr
    );
    let begun = home.ask(&["watch"]).data()["log_events"][0].clone();
    assert_eq!(begun["forecast"]["chapters"], 2);
    let zh = home.novel(&["continue", "--lang", "zh"]).success();
    assert!(zh.stderr.contains("预计 1 章：$"), "{}", zh.stderr);
    let shown = home.novel(&["forecast", "--to", "9", "--lang", "zh"]);
    let shown = shown.success();
    assert!(shown.stdout.contains("第 8 至 9 章：$"), "{}", shown.stdout);
    assert!(shown.stdout.contains("九成把握"), "{}", shown.stdout);
    assert!(shown.stdout.contains("逐章回测"), "{}", shown.stdout);
}

#[test]
fn a_model_without_a_price_is_forecast_in_tokens() {
    let home = written(BEFORE);
    let model = varying(2);
    model.write_for(&home);
    let toml = home
        .text("novel.toml")
        .replace("[prices.stub-model]", "[prices.other]");
    home.write("novel.toml", toml);
    let forecast = home.ask(&["forecast", "--to", "6"]).data();
    assert_eq!(forecast["total"]["cost_usd"], Value::Null);
    assert_eq!(forecast["warnings"][0]["code"], "no_price");
    assert!(
        forecast["total"]["input_tokens"]["expected"]
            .as_f64()
            .unwrap()
            > 1000.0
    );
}

#[test]
fn the_offline_author_costs_nothing_and_the_past_is_not_forecast() {
    let home = TestBook::demo(2);
    let forecast = home.ask(&["forecast"]).data();
    assert_eq!(forecast["basis"], "free");
    assert_eq!(
        forecast["total"]["cost_usd"],
        json!({"low": 0.0, "expected": 0.0, "high": 0.0})
    );
    let error = home.refuses(2, &["forecast", "--to", "1"]);
    assert_eq!(error["code"], "ALREADY_WRITTEN");
}
