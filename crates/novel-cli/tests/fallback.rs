//! `[fallback.AGENT]`: another model answers while a provider is down, and everybody is told.

use std::net::TcpListener;

use novel_mockllm::Behaviour;
use novel_testkit::{KEY, Output, Running, ScriptedModel, TestBook};
use rustix::process::Signal;
use serde_json::{Value, json};

/// How a server fails.
type Fault = fn() -> Behaviour;

/// A book whose models answer at one address, with a fallback at another one.
fn with_fallback(first: &str, second: &str) -> TestBook {
    let book = TestBook::demo(1);
    book.use_model(first);
    book.configure_tables(&format!(
        "[fallback.default]\nmodel = \"second-model\"\nbase_url = \"{second}\"\nkey_env = \"SECOND_KEY\"\n\n[prices.second-model]\ninput = 100.0\noutput = 200.0"
    ));
    book
}

fn answering() -> ScriptedModel {
    ScriptedModel::start(TestBook::demo(2).answers(2..=2))
}

fn failing(behaviour: Fault) -> ScriptedModel {
    ScriptedModel::reacting(TestBook::demo(2).answers(2..=2), move |_| Some(behaviour()))
}

/// `novel continue` with the key of the second server.
fn go_on(book: &TestBook, args: &[&str]) -> Output {
    let mut command = book.command(&[args, &["continue"]].concat());
    command.env("SECOND_KEY", "sk-of-the-second-server");
    Output::of(command)
}

/// An address nobody listens at.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}

fn log_of_the_last_run(book: &TestBook) -> Vec<Value> {
    let run = book.ask(&["runs"]).data()["runs"][0]["run"]
        .as_u64()
        .unwrap();
    book.lines(&format!("logs/runs/{run:04}.jsonl"))
}

#[test]
fn a_provider_that_is_down_is_replaced_and_everybody_is_told() {
    let overloaded = failing(|| Behaviour::server_error(529));
    let broken = failing(|| Behaviour::server_error(503));
    for first in [nobody(), overloaded.base(), broken.base()] {
        let second = answering();
        let book = with_fallback(&first, &second.base());
        let answer = go_on(&book, &["--json"]).data();
        assert_eq!(answer["finished"][0]["chapter"], 2, "{answer}");
        assert_eq!(second.count(), 4);
        for request in second.requests() {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            assert_eq!(body["model"], "second-model");
            assert_eq!(
                request.header("authorization"),
                Some("Bearer sk-of-the-second-server")
            );
        }
        let warnings = answer["warnings"].as_array().unwrap();
        let told: Vec<&Value> = warnings
            .iter()
            .filter(|it| it["code"] == "fell_back")
            .collect();
        assert_eq!(told.len(), 4, "{warnings:#?}");
        let events = log_of_the_last_run(&book);
        let of = |kind: &str| -> Vec<&Value> {
            events
                .iter()
                .filter(|event| event["type"] == kind)
                .collect()
        };
        assert!(
            of("call.again")
                .iter()
                .any(|event| event.to_string().contains("second-model"))
        );
        assert_eq!(
            of("warning")
                .iter()
                .filter(|event| event["code"] == "fell_back")
                .count(),
            4,
            "{events:#?}"
        );
        for event in of("call.answered") {
            assert_eq!(event["work"]["model"], "second-model", "{event}");
        }
        let chapter = book
            .ledger()
            .into_iter()
            .filter(|call| call["step"].as_str().unwrap().starts_with("chapter:002:"));
        let mut cost = 0.0;
        for call in chapter {
            assert_eq!(call["model"], "second-model", "{call}");
            let tokens = |which: &str| call["usage"][which].as_f64().unwrap();
            let expected = (tokens("input") * 100.0 + tokens("output") * 200.0) / 1e6;
            let kept = call["cost_usd"].as_f64().unwrap();
            assert!((kept - expected).abs() < 1e-9, "{call}");
            cost += kept;
        }
        let spent = answer["spent"]["cost_usd"].as_f64().unwrap();
        assert!((spent - cost).abs() < 1e-9, "{spent} {cost}");
        for secret in ["sk-of-the-second-server", KEY] {
            assert_eq!(book.files_with(secret), Vec::<String>::new());
        }
    }
}

#[test]
fn an_outage_is_remembered_for_the_run_and_every_call_says_so() {
    let broken = failing(|| Behaviour::server_error(503));
    let second = answering();
    let book = with_fallback(&broken.base(), &second.base());
    let answer = go_on(&book, &["--json"]).data();
    assert_eq!(second.count(), 4, "draft, summary, refinement, verdict");
    let asked: Vec<String> = broken.prompts();
    let different: std::collections::BTreeSet<&String> = asked.iter().collect();
    assert_eq!(different.len(), 1, "the first call alone finds out");
    let warnings = answer["warnings"].as_array().unwrap().iter();
    let told: Vec<&str> = warnings
        .filter(|it| it["code"] == "fell_back")
        .map(|it| it["message"].as_str().unwrap())
        .collect();
    assert_eq!(told.len(), 4, "never silent: {told:#?}");
    let again = told.iter().filter(|text| text.contains("retrying in"));
    assert_eq!(again.count(), 3, "{told:#?}");
}

#[test]
fn the_terminal_names_the_model_that_answers_in_both_languages() {
    for (lang, words) in [("en", "answers instead"), ("zh", "作答")] {
        let second = answering();
        let book = with_fallback(&nobody(), &second.base());
        let output = go_on(&book, &["--lang", lang]).success();
        assert!(output.stderr.contains("second-model"), "{output:#?}");
        assert!(output.stderr.contains(words), "{output:#?}");
    }
}

#[test]
fn a_bad_key_a_bad_request_and_an_empty_account_are_for_the_author() {
    let cases: [(Fault, &str); 5] = [
        (|| Behaviour::unauthorized(KEY), "PROVIDER_AUTH"),
        (
            || Behaviour::error(400, "bad", "no"),
            "PROVIDER_BAD_REQUEST",
        ),
        (
            || Behaviour::error(404, "model_not_found", "no"),
            "PROVIDER_NOT_FOUND",
        ),
        (
            || Behaviour::error(402, "insufficient_quota", "no"),
            "PROVIDER_QUOTA",
        ),
        (Behaviour::context_length, "PROVIDER_CONTEXT_LENGTH"),
    ];
    for (behaviour, code) in cases {
        let (first, second) = (failing(behaviour), answering());
        let book = with_fallback(&first.base(), &second.base());
        let failed = go_on(&book, &["--json"]).fails(5);
        assert_eq!(failed["code"], code, "{failed}");
        assert_eq!(second.count(), 0, "{code}");
        // What to change stands before how to go on.
        let hint = failed["hint"].as_str().unwrap();
        let (change, go_on) = hint.split_once("; then ").expect(hint);
        assert!(!change.is_empty() && go_on.contains("`novel continue --retry`"));
        assert!(go_on.contains("`novel start`"), "{hint}");
    }
}

#[test]
fn without_a_fallback_for_an_agent_the_run_fails_as_before() {
    let second = answering();
    let book = TestBook::demo(1);
    book.use_model(&nobody());
    book.configure_tables(&format!(
        "[fallback.quality-judge]\nmodel = \"second-model\"\nbase_url = \"{}\"\nkey_env = \"SECOND_KEY\"",
        second.base()
    ));
    let failed = go_on(&book, &["--json"]).fails(5);
    assert_eq!(failed["code"], "PROVIDER_UNREACHABLE");
    assert_eq!(second.count(), 0);
}

#[test]
fn the_budget_counts_the_dearest_model_that_may_answer() {
    let (first, second) = (answering(), answering());
    let book = with_fallback(&first.base(), &second.base());
    // Enough for the first model, not for the second one.
    book.configure_tables("[budget]\nmax_cost_usd = 0.5");
    let failed = go_on(&book, &["--json"]);
    assert_ne!(failed.code, 0, "{failed:#?}");
    assert!(
        failed.stdout.contains("over_budget") || failed.stdout.contains("BUDGET"),
        "{failed:#?}"
    );
    assert_eq!((first.count(), second.count()), (0, 0));
    // A limit in money needs the price of the fallback too.
    let book = TestBook::demo(1);
    book.use_model(&first.base());
    book.configure_tables(&format!(
        "[budget]\nmax_cost_usd = 50\n\n[fallback.default]\nmodel = \"unpriced\"\nbase_url = \"{}\"\nkey_env = \"SECOND_KEY\"",
        second.base()
    ));
    let failed = go_on(&book, &["--json"]).fails(2);
    assert_eq!(failed["code"], "NO_PRICE");
    assert!(failed["message"].as_str().unwrap().contains("unpriced"));
    assert_eq!((first.count(), second.count()), (0, 0));
}

#[test]
fn after_a_kill_no_answer_of_a_fallback_is_paid_twice() {
    let second = std::sync::Arc::new(answering());
    let book = with_fallback(&nobody(), &second.base());
    let mut command = book.command(&["continue"]);
    command.env("SECOND_KEY", "sk-of-the-second-server");
    let running = Running::of(command);
    // The second question is asked when the first answer is in the ledger.
    second.wait_for(2);
    running.signal(Signal::KILL);
    let _ = running.end();
    go_on(&book, &["--json"]).data();
    // Only the question that was under way may be asked twice.
    let counts = second.counts();
    assert_eq!(counts.len(), 4, "{counts:?}");
    assert_eq!(counts[0], 1, "{counts:?}");
    assert!(counts[1] <= 2, "{counts:?}");
    assert_eq!(counts[2..], [1, 1], "{counts:?}");
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
}

#[test]
fn a_fallback_that_cannot_be_used_is_an_error_before_anybody_is_asked() {
    let first = answering();
    for (table, code, words) in [
        (
            "[fallback.default]\nbase_url = \"http://127.0.0.1:1/v1\"",
            "NO_MODEL",
            "fallback.default",
        ),
        (
            "[fallback.default]\nmodel = \"m\"\nbase_url = \"https://models.example.com/v1\"",
            "NO_KEY",
            "models.example.com",
        ),
        (
            "[fallback.default]\nmodel = \"m\"\nbase_url = \"https://models.example.com/v1\"\nkey_env = \"NOT_SET_ANYWHERE\"",
            "NO_KEY",
            "NOT_SET_ANYWHERE",
        ),
        (
            "[fallback.chapter-writr]\nmodel = \"m\"",
            "UNKNOWN_AGENT",
            "chapter-writr",
        ),
    ] {
        let book = TestBook::demo(1);
        book.use_model(&first.base());
        book.configure_tables(table);
        let mut command = book.command(&["--json", "continue"]);
        // The usual key is no key for any other server.
        command.env("OPENAI_API_KEY", "sk-usual");
        let output = Output::of(command);
        let exit = output.code;
        let failed = output.fails(exit);
        assert_eq!(failed["code"], code, "{failed}");
        assert!(
            failed["message"].as_str().unwrap().contains(words),
            "{failed}"
        );
    }
    assert_eq!(first.count(), 0);
}

#[test]
fn a_fallback_is_set_shown_and_unset() {
    let book = TestBook::demo(1);
    let before = book.text("novel.toml");
    for (key, value) in [
        ("fallback.default.model", "second-model"),
        ("fallback.chapter-writer.model", "third-model"),
        ("fallback.chapter-writer.key_env", "THIRD_KEY"),
    ] {
        book.ask(&["config", "set", key, value]).data();
        let shown = book.ask(&["config", key]).data();
        assert_eq!(shown["settings"][0]["value"], json!(value));
    }
    let refused = book.refuses(2, &["config", "set", "fallback.default.base_url", "sk-key"]);
    assert_eq!(refused["code"], "BAD_SETTING_VALUE");
    for key in ["fallback.default", "fallback.chapter-writer"] {
        book.ask(&["config", "unset", key]).data();
    }
    assert_eq!(book.text("novel.toml").trim_end(), before.trim_end());
}
