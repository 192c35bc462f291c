//! Runs: their logs, followed, stopped and told something from another terminal.

use std::{
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use novel_mockllm::Behaviour;
use novel_testkit::{Asked, KEY, ScriptedModel, TestBook};
use rustix::process::Signal;
use serde_json::{Value, json};

/// A book with one chapter, and a model for the next ones.
fn book_and_model(
    home: TestBook,
    reaction: impl Fn(&Asked) -> Option<Behaviour> + Send + Sync + 'static,
) -> (TestBook, ScriptedModel) {
    let model = ScriptedModel::reacting(TestBook::demo(3).answers(2..=3), reaction);
    model.write_for(&home);
    (home, model)
}

/// Runs a command when an agent is asked for the n-th time, once, and answers as usual.
fn meanwhile(
    command: Command,
    agent: &'static str,
    nth: usize,
) -> impl Fn(&Asked) -> Option<Behaviour> + Send + Sync {
    let (command, done) = (Mutex::new(command), AtomicBool::new(false));
    move |asked| {
        if asked.is(agent, nth) && !done.swap(true, Ordering::SeqCst) {
            let output = command.lock().unwrap().output().unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        None
    }
}

fn events(home: &TestBook, run: u32) -> Vec<Value> {
    let events = home.lines(&format!("logs/runs/{run:04}.jsonl"));
    let schema: Value = serde_json::from_str(include_str!(
        "../../../schemas/answers/run-event.schema.json"
    ))
    .unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (event, number) in events.iter().zip(1..) {
        assert_eq!(event["n"], json!(number), "{event}");
        assert_eq!(event["run"], json!(run), "{event}");
        if let Err(error) = validator.validate(event) {
            panic!("{event}: {error}");
        }
    }
    events
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter().map(|event| event["type"].as_str().unwrap());
    kinds
        .filter(|kind| !matches!(*kind, "text" | "call.progress"))
        .collect()
}

#[test]
fn a_run_is_written_down_as_it_happens() {
    let (home, _model) = book_and_model(TestBook::demo(1), |_| None);
    let runs_before = home.ask(&["runs"]).data()["runs"].clone();
    home.ask(&["continue"]).data();
    let run = home.ask(&["runs"]).data()["runs"][0].clone();
    let number = u32::try_from(run["run"].as_u64().unwrap()).unwrap();
    assert_eq!(
        run["run"].as_u64().unwrap(),
        runs_before.as_array().unwrap().len() as u64 + 1
    );
    assert_eq!(run["state"], "ended");
    assert_eq!(run["stop"], "goal_reached");
    assert_eq!(run["chapters"], json!([2]));
    assert_eq!(run["spent"]["calls"], 4);
    assert_eq!(run["goal"], json!({"kind": "chapters", "count": 1}));
    let events = events(&home, number);
    assert_eq!(
        kinds(&events),
        [
            "run.begun",
            "call.started",
            "call.answered",
            "step.accepted",
            "call.started",
            "call.answered",
            "step.accepted",
            "call.started",
            "call.answered",
            "step.accepted",
            "call.started",
            "call.answered",
            "step.accepted",
            "gate.decided",
            "chapter.committed",
            "run.ended",
        ]
    );
    // The prose of the draft, all of it and in order.
    let prose: String = events
        .iter()
        .filter(|event| event["type"] == "text" && event["step"] == "chapter:002:draft")
        .map(|event| event["text"].as_str().unwrap())
        .collect();
    let answers = TestBook::demo(3).answers(2..=2);
    assert_eq!(prose, answers["chapter-writer"][0]);
    let gate = events.iter().find(|event| event["type"] == "gate.decided");
    assert_eq!(gate.unwrap()["decision"], "pass");
    assert_eq!(home.files_with(KEY), Vec::<String>::new());
}

#[test]
fn whoever_watches_sees_the_prose_and_ends_with_the_run() {
    let home = TestBook::demo(1);
    let (home, model) = book_and_model(home, |asked| {
        asked.is("summarizer", 1).then_some(Behaviour::Stall)
    });
    let running = home.start(&["continue"]);
    model.wait_for(2);
    let mut watch = home.terminal(&["watch", "--lang", "en"]);
    // The draft is there though the run goes on.
    watch.sees("chapter 2 · summarize");
    let list = home.novel(&["runs", "--lang", "zh"]).success().stdout;
    assert!(list.contains("第 2 章 · 摘要"), "{list}");
    // A second watcher that is killed does nothing to the run.
    let other = home.start(&["watch"]);
    other.signal(Signal::KILL);
    assert_ne!(other.end().code, 0);
    assert!(home.is_locked());
    running.signal(Signal::INT);
    assert_eq!(running.end().code, 130);
    let (code, screen) = watch.ends();
    assert_eq!(code, 0);
    assert!(screen.contains("ended, stopped"), "{screen}");
}

#[test]
fn watch_gives_programs_all_events_in_both_forms() {
    let (home, _model) = book_and_model(TestBook::demo(1), |_| None);
    home.ask(&["continue"]).data();
    let answer = home.ask(&["watch"]).data();
    let number = u32::try_from(answer["run"].as_u64().unwrap()).unwrap();
    assert_eq!(answer["log_events"], json!(events(&home, number)));
    let lines = home.novel(&["watch", "--events"]).success().stdout;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json!(lines), answer["log_events"]);
    let shown = home
        .novel(&["watch", "--no-text", "--lang", "zh"])
        .success();
    assert!(shown.stdout.contains("第 2 章已入书"), "{}", shown.stdout);
    assert!(shown.stdout.contains("评审通过"), "{}", shown.stdout);
}

#[test]
fn stop_ends_the_run_after_the_step_under_way() {
    let home = TestBook::demo(1);
    let stop = home.command(&["stop"]);
    let (home, model) = book_and_model(home, meanwhile(stop, "summarizer", 1));
    let stopped = home.novel(&["continue", "2"]);
    assert_eq!(stopped.code, 130, "{stopped:#?}");
    assert_eq!(home.next(), "chapter:002:refine");
    assert!(!home.has(".novel.inbox/stop.json"));
    let run = home.ask(&["runs"]).data()["runs"][0].clone();
    assert_eq!(run["stop"], "interrupted");
    let events = events(&home, u32::try_from(run["run"].as_u64().unwrap()).unwrap());
    assert!(kinds(&events).contains(&"stop.requested"));
    // Nothing is paid twice, and an old wish does not stop the next run.
    home.write(".novel.inbox/stop.json", "{}");
    home.ask(&["continue"]).data();
    assert_eq!(model.counts(), [1, 1, 1, 1]);
    home.ask(&["doctor"]).data();
}

#[test]
fn stop_without_a_run_is_refused() {
    let home = TestBook::demo(1);
    let errors = home.fails_in_both(2, &["stop"], "");
    for error in errors {
        assert_eq!(error["code"], "NO_RUN_UNDER_WAY");
    }
    assert!(!home.has(".novel.inbox"));
    let error = home.refuses(2, &["watch", "999"]);
    assert_eq!(error["code"], "NO_SUCH_RUN");
}

#[test]
fn a_killed_run_leaves_a_log_that_can_be_read() {
    let (home, model) = book_and_model(TestBook::demo(1), |asked| {
        (asked.agent == "style-refiner").then(|| Behaviour::silent("雨停了。\n".repeat(8), 20))
    });
    let running = home.start(&["continue"]);
    model.wait_for(3);
    running.signal(Signal::KILL);
    assert_ne!(running.end().code, 0);
    let run = home.ask(&["runs"]).data()["runs"][0].clone();
    assert_eq!(run["state"], "broken");
    let number = u32::try_from(run["run"].as_u64().unwrap()).unwrap();
    // A line that was cut in the middle is no damage.
    let path = format!("logs/runs/{number:04}.jsonl");
    let whole = events(&home, number).len();
    let cut = home.text(&path) + "{\"v\":1,\"run\":";
    home.write(&path, cut);
    let answer = home.ask(&["watch"]).data();
    assert_eq!(answer["log_events"].as_array().unwrap().len(), whole);
    let shown = home.novel(&["watch", "--lang", "zh"]).success();
    assert!(shown.stderr.contains("意外中断"), "{}", shown.stderr);
    home.ask(&["doctor"]).data();
}

#[test]
fn a_gap_in_a_log_is_an_error_with_its_place() {
    let (home, _model) = book_and_model(TestBook::demo(1), |_| None);
    home.ask(&["continue"]).data();
    let run = home.ask(&["runs"]).data()["runs"][0]["run"].clone();
    let path = format!("logs/runs/{:04}.jsonl", run.as_u64().unwrap());
    let text = home.text(&path);
    let kept: Vec<&str> = text
        .lines()
        .enumerate()
        .filter(|(n, _)| *n != 4)
        .map(|(_, l)| l)
        .collect();
    home.write(&path, kept.join("\n") + "\n");
    let error = home.refuses(2, &["watch"]);
    assert_eq!(error["code"], "DAMAGED_RUN_LOG");
    assert!(
        error["message"].as_str().unwrap().contains("line 5"),
        "{error}"
    );
}

#[test]
fn a_command_that_calls_nobody_leaves_no_log() {
    let home = TestBook::initialised();
    assert_ne!(home.novel(&["continue"]).code, 0);
    assert!(!home.has("logs/runs"));
    let said = home.novel(&["runs", "--lang", "en"]).success();
    assert_eq!(said.stderr, "There are no runs yet.\n");
}
