//! `[notify]`: the author's program and a webhook are told when a run waits, ends or fails.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use novel_mockllm::Behaviour;
use novel_testkit::{KEY, ScriptedModel, TestBook};
use serde_json::Value;

/// Longest run of a test whose notice cannot be given; the limit of one notice is ten seconds.
const BOUND: Duration = Duration::from_secs(60);

/// A book whose program writes down what it is told.
fn telling(book: &TestBook) {
    let script = book.outside().join("tell");
    std::fs::write(
        &script,
        "#!/bin/sh\ncat > \"$HOME/told.json\"\nenv > \"$HOME/told.env\"\nprintf '%s' \"$1\" > \"$HOME/told.arg\"\n",
    )
    .unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.display();
    book.configure_tables(&format!(
        "[notify]\ncommand = [\"{script}\", \"$(touch pwned); `id`\"]"
    ));
}

fn told(book: &TestBook) -> Value {
    let text = std::fs::read_to_string(book.outside().join("told.json")).unwrap();
    let notice: Value = serde_json::from_str(&text).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../schemas/answers/notice.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    if let Err(error) = validator.validate(&notice) {
        panic!("{notice}: {error}");
    }
    notice
}

/// A server that hands over the body of each request and answers with a status.
fn webhook(status: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook/secret-path", listener.local_addr().unwrap());
    let (sender, bodies) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let body = read_request(&mut stream);
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes());
            let _ = sender.send(body);
        }
    });
    (address, bodies)
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).unwrap_or(0);
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse::<usize>().unwrap())
            });
            if length.is_some_and(|length| body.len() >= length) {
                return body.to_owned();
            }
        }
        assert!(read > 0, "the request breaks off: {text}");
    }
}

#[test]
fn the_program_gets_the_notice_as_data_and_no_key() {
    let book = TestBook::demo(1);
    telling(&book);
    book.ask(&["continue"]).data();
    let notice = told(&book);
    assert_eq!(notice["event"], "ended");
    assert_eq!(notice["stop"], "goal_reached");
    assert_eq!(notice["last_completed_chapter"], 2);
    assert_eq!(notice["command"], "novel continue");
    let read = |name: &str| std::fs::read_to_string(book.outside().join(name)).unwrap();
    let environment = read("told.env");
    assert!(
        environment.contains("NOVEL_NOTIFY_EVENT=ended"),
        "{environment}"
    );
    assert!(environment.contains("NOVEL_NOTIFY_TEXT="), "{environment}");
    assert!(!environment.contains(KEY), "{environment}");
    // No shell read the arguments.
    assert_eq!(read("told.arg"), "$(touch pwned); `id`");
    assert!(!book.has("pwned"));
    assert_eq!(
        book.ask(&["doctor"]).data()["findings"],
        Value::Array(Vec::new())
    );
}

#[test]
fn a_notice_holds_no_prose_and_no_key() {
    let home = TestBook::demo(1);
    telling(&home);
    let secret = format!("marker prose 雨落了一夜 {KEY}");
    let model = ScriptedModel::reacting(TestBook::demo(2).answers(2..=2), move |_| {
        Some(Behaviour::error(400, "bad_request", secret.clone()))
    });
    model.write_for(&home);
    let failed = home.ask(&["continue"]);
    assert_eq!(failed.code, 5, "{failed:#?}");
    let notice = told(&home);
    assert_eq!(notice["event"], "failed");
    assert_eq!(notice["code"], "PROVIDER_BAD_REQUEST");
    let all =
        std::fs::read_to_string(home.outside().join("told.env")).unwrap() + &notice.to_string();
    assert!(
        !all.contains("marker prose") && !all.contains("雨落了一夜"),
        "{all}"
    );
    assert!(!all.contains(KEY), "{all}");
}

#[test]
fn a_plan_that_waits_is_told() {
    let book = TestBook::planning();
    telling(&book);
    book.ask(&["plan"]).data();
    let notice = told(&book);
    assert_eq!(notice["event"], "waits");
    assert_eq!(notice["code"], "PLAN_WAITS");
    assert_eq!(notice["command"], "novel plan show");
    assert!(notice["text"]["zh"].as_str().unwrap().contains("待你处理"));
}

#[test]
fn a_program_that_hangs_fails_or_is_missing_hurts_nothing() {
    for (command, why) in [
        (r#"["sleep", "600"]"#, "[notify] command"),
        (r#"["false"]"#, "[notify] command"),
        (
            r#"["there-is-no-such-program"]"#,
            "there-is-no-such-program",
        ),
        // It reads nothing, and leaves somebody behind who holds its output open.
        (r#"["sh", "-c", "exec 0<&-; sleep 600 & exit 0"]"#, ""),
    ] {
        let book = TestBook::demo(1);
        book.configure_tables(&format!("[notify]\ncommand = {command}"));
        let begun = Instant::now();
        let output = book.novel(&["continue"]).success();
        assert!(begun.elapsed() < BOUND, "{command}");
        assert!(output.stderr.contains(why), "{output:#?}");
        assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
        assert!(!book.is_locked(), "{command}");
        assert_eq!(
            book.lines("logs/runs/0002.jsonl").last().unwrap()["type"],
            "run.ended"
        );
    }
}

#[test]
fn a_webhook_gets_the_notice() {
    let (address, bodies) = webhook("204 No Content");
    let book = TestBook::demo(1);
    book.configure_tables("[notify]\nwebhook = \"$DESK_HOOK\"");
    let mut command = book.command(&["--json", "continue"]);
    command.env("DESK_HOOK", &address);
    novel_testkit::Output::of(command).data();
    let body: Value = serde_json::from_str(&bodies.recv_timeout(BOUND).unwrap()).unwrap();
    assert_eq!(body["event"], "ended");
    assert_eq!(body["run"], 2);
    assert_eq!(book.files_with("secret-path"), Vec::<String>::new());
}

#[test]
fn a_webhook_that_refuses_is_slow_or_not_there_hurts_nothing() {
    let (failing, _bodies) = webhook("500 Internal Server Error");
    // It takes the connection and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_address = format!("http://{}/secret-path", silent.local_addr().unwrap());
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/secret-path", listener.local_addr().unwrap())
    };
    for (address, why) in [
        (failing.as_str(), "HTTP 500"),
        (&silent_address, "timed out"),
        (&closed, "cannot connect"),
    ] {
        let book = TestBook::demo(1);
        book.configure_tables(&format!("[notify]\nwebhook = \"{address}\""));
        let begun = Instant::now();
        let output = book.novel(&["continue"]).success();
        assert!(begun.elapsed() < BOUND, "{address}");
        assert!(output.stderr.contains(why), "{output:#?}");
        // The address may be a secret.
        assert!(!output.both().contains("secret-path"), "{output:#?}");
        assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
        assert!(!book.is_locked());
    }
    let book = TestBook::demo(1);
    book.configure_tables("[notify]\nwebhook = \"$NOT_SET_ANYWHERE\"");
    let output = book.novel(&["continue"]).success();
    assert!(
        output.stderr.contains("`NOT_SET_ANYWHERE` is not set"),
        "{output:#?}"
    );
}
