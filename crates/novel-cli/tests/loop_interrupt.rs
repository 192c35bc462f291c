//! Ctrl-C, kill -9 and failing calls, against a model on a real socket: nothing that was answered
//! is asked again, and the key is seen nowhere.

use std::{
    fs,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use novel_mockllm::Behaviour;
use novel_testkit::{Asked, KEY, Output, ScriptedModel, TestBook};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;

/// A book with one chapter, and a model for the next ones.
fn book_and_model(
    reaction: impl Fn(&Asked) -> Option<Behaviour> + Send + Sync + 'static,
) -> (TestBook, ScriptedModel) {
    let home = TestBook::demo(1);
    let model = ScriptedModel::reacting(TestBook::demo(3).answers(2..=3), reaction);
    model.write_for(&home);
    (home, model)
}

/// Falls silent at the first request to an agent, after some text.
fn silent_once(agent: &'static str) -> impl Fn(&Asked) -> Option<Behaviour> + Send + Sync {
    let done = AtomicBool::new(false);
    move |asked| {
        let first = asked.agent == agent && !done.swap(true, Ordering::SeqCst);
        first.then(|| Behaviour::silent("雨停了，雾还没有散。".repeat(4), 3))
    }
}

fn assert_key_is_hidden(home: &TestBook, outputs: &[&Output]) {
    for ran in outputs {
        assert!(
            !ran.stdout.contains(KEY) && !ran.stderr.contains(KEY),
            "{ran:#?}"
        );
    }
    assert_eq!(home.files_with(KEY), Vec::<String>::new());
}

#[test]
fn a_model_writes_a_chapter_and_is_paid() {
    let (home, model) = book_and_model(|_| None);
    let ran = home.novel(&["continue"]).success();
    assert_eq!(model.counts(), [1, 1, 1, 1]);
    assert!(
        ran.stderr
            .contains("chapter 2 · draft · stub-model · tokens: 100 in, 20 out, 0 cached"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("offline"), "{}", ran.stderr);
    let cost = home.novel(&["cost", "--json"]).success().json()["data"].clone();
    let stub = &cost["models"]["stub-model"];
    assert_eq!(stub["input_tokens"], 400);
    assert_eq!(stub["output_tokens"], 80);
    let dollars = stub["cost_usd"].as_f64().unwrap();
    assert!((dollars - 0.000_56).abs() < 1e-9, "{stub}");
    for request in model.requests() {
        assert_eq!(
            request.header("authorization"),
            Some(format!("Bearer {KEY}").as_str())
        );
    }
    assert_key_is_hidden(&home, &[&ran]);
}

#[test]
fn ctrl_c_stops_where_nothing_is_lost() {
    for signal in [Signal::INT, Signal::TERM] {
        let (home, model) = book_and_model(silent_once("style-refiner"));
        let running = home.start(&["continue", "2"]);
        model.wait_for(3);
        assert!(home.is_locked());
        running.signal(signal);
        let stopped = running.end();
        assert_eq!(stopped.code, 130, "{stopped:#?}");
        assert!(
            stopped.stderr.contains("Press Ctrl-C again"),
            "{stopped:#?}"
        );
        assert!(
            stopped.stderr.contains("stopped[INTERRUPTED]"),
            "{stopped:#?}"
        );
        assert!(
            stopped
                .stderr
                .trim_end()
                .lines()
                .last()
                .unwrap()
                .contains("`novel continue`"),
            "{stopped:#?}"
        );
        assert!(!home.is_locked());

        let next = home.novel(&["next"]).success();
        assert_eq!(next.stdout, "chapter:002:refine\n");
        let done = home.novel(&["continue", "2"]).success();
        assert!(done.stdout.contains("Ch 2: "), "{}", done.stdout);
        // The call that was cut off is the only one that is made again.
        assert_eq!(model.counts(), [1, 1, 2, 1, 1, 1, 1, 1]);
        assert_key_is_hidden(&home, &[&stopped, &done]);
    }
}

#[test]
fn an_interrupted_run_tells_programs_what_was_finished() {
    let (home, model) =
        book_and_model(|asked| asked.is("summarizer", 2).then_some(Behaviour::Stall));
    let running = home.start(&["continue", "2", "--json"]);
    model.wait_for(6);
    running.signal(Signal::INT);
    let stopped = running.end();
    assert_eq!(stopped.code, 130);
    let error = stopped.json()["error"].clone();
    assert_eq!(error["code"], "INTERRUPTED");
    assert_eq!(error["details"]["stop"], "interrupted");
    assert_eq!(error["details"]["finished"][0]["chapter"], 2);
    assert_eq!(error["details"]["spent"]["calls"], 5);
}

#[test]
fn the_chapters_before_a_stop_are_told() {
    let (home, model) =
        book_and_model(|asked| asked.is("chapter-writer", 2).then_some(Behaviour::Stall));
    let running = home.start(&["continue", "3", "--lang", "zh"]);
    model.wait_for(5);
    running.signal(Signal::INT);
    let stopped = running.end();
    let mut lines = stopped.stdout.lines();
    assert!(
        lines.next().unwrap().starts_with("第 2 章已生成（"),
        "{stopped:#?}"
    );
    assert_eq!(lines.next(), Some("停止前已写："));
    assert!(lines.next().unwrap().starts_with("Ch 2: "), "{stopped:#?}");
    assert!(
        stopped.stderr.contains("已停止[INTERRUPTED]"),
        "{stopped:#?}"
    );
}

#[test]
fn after_kill_9_no_answered_call_is_made_again() {
    let agents = [
        "chapter-writer",
        "summarizer",
        "style-refiner",
        "quality-judge",
    ];
    for (number, agent) in agents.into_iter().enumerate() {
        let (home, model) = book_and_model(silent_once(agent));
        let running = home.start(&["continue"]);
        model.wait_for(number + 1);
        running.signal(Signal::KILL);
        let killed = running.end();
        assert_eq!(killed.code, -1, "{killed:#?}");
        assert!(home.is_locked(), "nobody was left to remove it");

        let done = home.novel(&["continue"]).success();
        let mut expected = vec![1; 4];
        expected[number] = 2;
        assert_eq!(model.counts(), expected, "{agent}");
        assert!(!home.is_locked());
        let log = home.json("logs/chapter-002-log.json");
        let stages: Vec<&str> = log["stages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|stage| stage["name"].as_str().unwrap())
            .collect();
        assert_eq!(stages, ["draft", "summarize", "refine", "judge"], "{agent}");
        assert_key_is_hidden(&home, &[&killed, &done]);
    }
}

/// A pipe with a name, from which a script's words are read.
struct Pipe(std::path::PathBuf);

impl Pipe {
    fn new(home: &TestBook) -> Self {
        let path = home.outside().join("pipe");
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        Self(path)
    }

    /// The next word; waits for whoever says it, until it is said to the end.
    fn word(&self) -> String {
        fs::read_to_string(&self.0).unwrap().trim().to_owned()
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let home = TestBook::demo(1);
    let pipe = Pipe::new(&home);
    // An agent that does not end when it is asked to.
    let script = format!(
        "trap 'echo asked > {pipe}' TERM\necho $$ > {pipe}\nwhile :; do sleep 0.05; done\n",
        pipe = pipe.0.display()
    );
    let agent = home.outside().join("agent.sh");
    fs::write(&agent, script).unwrap();
    home.write("novel.toml", format!(
        "language = \"zh-CN\"\nexecutor = \"command\"\n\n[command]\nprogram = [\"/bin/sh\", \"{}\"]\n",
        agent.display()
    ));
    let running = home.start(&["continue"]);
    let group: i32 = pipe.word().parse().unwrap();
    running.signal(Signal::INT);
    assert_eq!(pipe.word(), "asked");
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, 130, "{ended:#?}");
    assert!(
        !ended.stderr.contains("INTERRUPTED"),
        "there was no time for more: {ended:#?}"
    );
    assert!(home.is_locked(), "nobody was left to remove it");
    // Gone with its parent, or ended here.
    let _ = kill_process_group(Pid::from_raw(group).unwrap(), Signal::KILL);

    let done = home.novel(&["continue", "--executor", "offline"]).success();
    assert!(done.stdout.starts_with("Chapter 2 written"), "{done:#?}");
    assert!(!home.is_locked());
}

#[test]
fn a_call_that_fails_twice_waits_for_retry() {
    let broken = AtomicBool::new(true);
    let broken = std::sync::Arc::new(broken);
    let switch = std::sync::Arc::clone(&broken);
    let (home, model) = book_and_model(move |asked| {
        (asked.agent == "summarizer" && broken.load(Ordering::SeqCst))
            .then(|| Behaviour::unauthorized(KEY))
    });
    let failed = home.novel(&["continue"]);
    assert_eq!(failed.code, 5, "{failed:#?}");
    assert!(
        failed.stderr.contains("chapter 2 · summarize · failed"),
        "{failed:#?}"
    );
    assert!(
        failed.stderr.contains("`novel continue --retry`"),
        "{failed:#?}"
    );
    assert!(!home.is_locked());
    let checkpoint = home.json(".checkpoint.json");
    assert_eq!(checkpoint["orchestrator_state"], "ERROR_RETRY");
    assert_eq!(checkpoint["inflight_chapter"], 2);

    let refused = home.novel(&["continue", "--json"]);
    assert_eq!(refused.code, 3);
    assert_eq!(refused.json()["error"]["code"], "ERROR_RETRY");
    let asked = model.requests().len();
    switch.store(false, Ordering::SeqCst);
    let done = home.novel(&["continue", "--retry"]).success();
    assert_eq!(
        model.requests().len(),
        asked + 3,
        "the draft is not asked for again"
    );
    assert!(done.stdout.starts_with("Chapter 2 written"), "{done:#?}");
    assert_key_is_hidden(&home, &[&failed, &refused, &done]);
}

#[test]
fn a_budget_stops_before_the_call_that_would_exceed_it() {
    let (home, model) = book_and_model(|_| None);
    home.configure_tables("[budget]\nmax_tokens = 1");
    let stopped = home.novel(&["continue", "--json"]);
    assert_eq!(stopped.code, 3, "{stopped:#?}");
    let error = stopped.json()["error"].clone();
    assert_eq!(error["code"], "OVER_BUDGET");
    assert_eq!(error["details"]["finished"], json!([]));
    assert_eq!(model.requests().len(), 0);
    assert!(!home.is_locked());
}
