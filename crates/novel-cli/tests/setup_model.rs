//! `novel setup`: a model is tried with one call and written to `novel.toml`, or nothing is.

use std::fs;

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{Output, TestBook, assert_same_tree};
use serde_json::{Value, json};

/// How a server fails.
type Fault = fn() -> Behaviour;

/// A server that answers the question of the set-up.
fn ready() -> MockServer {
    MockServer::start(|_| Behaviour::json(&json!({"ready": true, "word": "rain"}))).unwrap()
}

fn failing(behaviour: Fault) -> MockServer {
    MockServer::start(move |_| behaviour()).unwrap()
}

/// `novel setup` against a server, with a key in a variable.
fn setup(book: &TestBook, server: &MockServer, more: &[&str]) -> Output {
    let base = server.openai_base();
    let mut args = vec!["--lang", "en", "--json", "setup", "--base-url", &base];
    args.extend(["--model", "stub-model", "--key-env", "DESK_KEY"]);
    args.extend(more);
    let mut command = book.command(&args);
    command.env("DESK_KEY", "sk-secret-of-the-desk");
    Output::of(command)
}

#[test]
fn a_model_is_tried_written_and_writes() {
    let book = TestBook::demo(1);
    let before = book.text("novel.toml");
    let server = ready();
    let answer = setup(&book, &server, &[]).data();
    assert_eq!(server.count(), 1);
    let request = &server.requests()[0];
    assert_eq!(
        request.header("authorization"),
        Some("Bearer sk-secret-of-the-desk")
    );
    assert!(request.schema().is_some());
    assert_eq!(answer["changed"], true);
    assert_eq!(answer["key_env"], "DESK_KEY");
    assert_eq!(answer["trial"]["structured"], "schema", "{answer}");
    assert_eq!(answer["trial"]["streamed"], true, "{answer}");
    assert!(answer["trial"]["input_tokens"].is_u64(), "{answer}");
    assert_eq!(answer["trial"]["cost_usd"], Value::Null);
    assert_eq!(answer["warnings"][0]["code"], "price_unknown");

    let written = book.text("novel.toml");
    assert!(written.contains("executor = \"llm\""), "{written}");
    assert!(written.contains("key_env = \"DESK_KEY\""), "{written}");
    assert!(written.contains("default = \"stub-model\""), "{written}");
    assert!(written.contains("\n\n# "), "{written}");
    assert_eq!(book.files_with("sk-secret"), Vec::<String>::new());
    for line in before.lines() {
        assert!(written.lines().any(|kept| kept == line), "{line}");
    }
    assert_eq!(book.operations().last().unwrap()["kind"], "config");
    assert_eq!(setup(&book, &server, &[]).data()["changed"], false);
    book.ask(&["undo"]).data();
    assert_eq!(book.text("novel.toml"), before);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_known_price_gives_the_cost() {
    let book = TestBook::demo(1);
    book.ask(&["config", "set", "prices.stub-model.input", "1000"])
        .data();
    book.ask(&["config", "set", "prices.stub-model.output", "1000"])
        .data();
    let answer = setup(&book, &ready(), &[]).data();
    let trial = &answer["trial"];
    let tokens = trial["input_tokens"].as_f64().unwrap() + trial["output_tokens"].as_f64().unwrap();
    assert_eq!(trial["cost_usd"].as_f64().unwrap(), tokens / 1000.0);
    assert_eq!(answer["warnings"], Value::Null);
}

#[test]
fn a_failed_call_says_why_and_writes_nothing() {
    let book = TestBook::demo(1);
    let before = book.tree();
    let cases: [(Fault, &str, &str); 4] = [
        (
            || Behaviour::unauthorized("sk-secret-of-the-desk"),
            "PROVIDER_AUTH",
            "DESK_KEY",
        ),
        (
            || Behaviour::error(404, "model_not_found", "no such model"),
            "PROVIDER_NOT_FOUND",
            "base URL",
        ),
        (
            || Behaviour::refusal("I would rather not."),
            "MODEL_REFUSED",
            "another model",
        ),
        (
            || Behaviour::error(402, "insufficient_quota", "no credit"),
            "PROVIDER_QUOTA",
            "",
        ),
    ];
    for (behaviour, code, hint) in cases {
        let failed = setup(&book, &failing(behaviour), &[]).fails(5);
        assert_eq!(failed["code"], code, "{failed}");
        assert!(failed["hint"].as_str().unwrap().contains(hint), "{failed}");
        assert!(!failed.to_string().contains("sk-secret"), "{failed}");
    }
    assert_same_tree(&book.tree(), &before, "nothing is written");
}

#[test]
fn nothing_is_asked_or_written_without_a_server_a_model_or_a_key() {
    let book = TestBook::demo(1);
    let before = book.tree();
    let nobody = book.refuses(2, &["setup"]);
    assert!(
        nobody["hint"].as_str().unwrap().contains("deepseek"),
        "{nobody}"
    );
    book.refuses(2, &["setup", "--provider", "openai"]);
    book.refuses(2, &["setup", "--provider", "nobody", "--model", "m"]);
    let no_key = book
        .ask(&["setup", "--provider", "deepseek", "--model", "m"])
        .fails(5);
    assert_eq!(no_key["code"], "NO_KEY");
    assert!(
        no_key["hint"]
            .as_str()
            .unwrap()
            .contains("DEEPSEEK_API_KEY")
    );
    let key = [
        "setup",
        "--provider",
        "openai",
        "--model",
        "m",
        "--key-env",
        "sk-live-1",
    ];
    let refused = book.refuses(2, &key);
    assert_eq!(refused["code"], "BAD_SETTING_VALUE");
    assert!(!refused.to_string().contains("sk-live"));
    assert_same_tree(&book.tree(), &before, "nothing is written");
}

#[test]
fn a_key_file_lies_outside_the_project() {
    let book = TestBook::demo(1);
    let server = ready();
    let base = server.openai_base();
    book.write("key.txt", "sk-file\n");
    let args = ["setup", "--base-url", &base, "--model", "m", "--key-file"];
    let inside = [args.as_slice(), &["key.txt"]].concat();
    assert_eq!(book.refuses(2, &inside)["code"], "KEY_IN_PROJECT");
    book.remove("key.txt");
    let outside = book.outside().join("key-of-the-desk");
    fs::write(&outside, "sk-file\n").unwrap();
    let outside = outside.to_str().unwrap();
    let answer = book.ask(&[args.as_slice(), &[outside]].concat()).data();
    assert_eq!(answer["key_file"], outside);
    assert_eq!(
        server.requests()[0].header("authorization"),
        Some("Bearer sk-file")
    );
}

#[test]
fn a_key_on_standard_input_is_tried_and_kept_outside_the_project() {
    let book = TestBook::demo(1);
    let server = ready();
    let base = server.openai_base();
    let args = ["setup", "--base-url", &base, "--model", "m", "--key-stdin"];
    let answer = book.feed(&args, "sk-piped-into-the-desk\n").data();
    assert_eq!(answer["key_file"], "~/.config/novel/keys/127-0-0-1");
    assert_eq!(
        server.requests()[0].header("authorization"),
        Some("Bearer sk-piped-into-the-desk")
    );
    // In its own file, and nowhere in the project.
    assert_eq!(
        book.files_with("sk-piped"),
        [".config/novel/keys/127-0-0-1"]
    );
    // The next call takes it from the file.
    let file = ["--key-file", "~/.config/novel/keys/127-0-0-1"];
    let again = [&args[..5], &file].concat();
    assert_eq!(book.ask(&again).data()["changed"], false);

    let inside = [args.as_slice(), &["--key-file", "key.txt"]].concat();
    let refused = book.feed(&inside, "sk-piped").fails(2);
    assert_eq!(refused["code"], "KEY_IN_PROJECT");
    assert!(!book.has("key.txt"));
    let empty = book.feed(&args, " \n").fails(5);
    assert_eq!(empty["code"], "KEY_UNUSABLE");
    let failing = failing(|| Behaviour::unauthorized("sk-other-key-of-the-desk"));
    let base = failing.openai_base();
    let other = ["setup", "--base-url", &base, "--model", "m", "--key-stdin"];
    let failed = book.feed(&other, "sk-other-key-of-the-desk").fails(5);
    assert!(!failed.to_string().contains("sk-other"), "{failed}");
    assert_eq!(book.ask(&again).data()["changed"], false);
}

#[test]
fn the_limit_of_one_run_stands_above_the_file() {
    let book = TestBook::demo(1);
    let server = ready();
    book.use_model(&server.openai_base());
    let refused = book.ask(&["run", "--to", "2", "--max-cost", "0"]).fails(3);
    assert_eq!(refused["code"], "OVER_BUDGET", "{refused}");
    assert_eq!(server.count(), 0);
    book.ask(&["config", "set", "budget.max_cost_usd", "0"])
        .data();
    drop(book.ask(&["run", "--to", "2", "--max-cost", "none"]));
    assert!(server.count() > 0);
    book.refuses(2, &["run", "--to", "2", "--max-cost", "much"]);
    book.refuses(2, &["run", "--to", "2", "--max-cost", "-1"]);
}

#[test]
fn a_model_can_be_written_down_untried_and_agents_keep_their_own() {
    let book = TestBook::demo(1);
    book.ask(&["config", "set", "models.quality-judge", "strict"])
        .data();
    let args = [
        "setup",
        "--provider",
        "ollama",
        "--model",
        "qwen3",
        "--no-test",
    ];
    let answer = book.ask(&args).data();
    assert_eq!(answer["trial"], Value::Null);
    assert_eq!(answer["base_url"], "http://127.0.0.1:11434/v1");
    assert_eq!(answer["own_models"], json!({"quality-judge": "strict"}));
    let keys = book.ask(&["config", "llm"]).data();
    let keys = keys["settings"].as_array().unwrap();
    let key = keys.iter().find(|it| it["key"] == "llm.key_env").unwrap();
    assert_eq!(key["value"], Value::Null);
}

#[test]
fn at_a_terminal_it_asks() {
    let book = TestBook::demo(1);
    let server = ready();
    let base = server.openai_base();
    let mut terminal = book.terminal(&["--lang", "en", "setup", "--base-url", &base]);
    terminal.sees("Model");
    terminal.types("stub-model\r");
    let (code, screen) = terminal.ends();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("follows a JSON Schema"), "{screen}");
    assert!(book.text("novel.toml").contains("default = \"stub-model\""));
}
