use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::{Answer, Behaviour, MockServer, Script};

/// Sends raw bytes and reads until the server closes; the request asks it to stay
/// open, so only faults do that before the client's half is closed.
fn exchange(server: &MockServer, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nX-Test: 1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

#[test]
fn requests_are_kept_and_answered_in_their_wire() {
    let server = MockServer::start(|request| Behaviour::text(request.prompt())).unwrap();
    let openai = json!({"model": "m", "messages": [{"role": "user", "content": "问"}]}).to_string();
    let answer = exchange(&server, "/v1/chat/completions", &openai);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(r#""content":"问""#), "{answer}");
    let anthropic = json!({"model": "m", "stream": true, "system": [{"type": "text", "text": "规"}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "问"}]}]});
    let answer = exchange(&server, "/v1/messages", &anthropic.to_string());
    assert!(answer.contains("event: message_start\ndata: {"), "{answer}");
    assert!(answer.contains(r#""text":"规\n问""#), "{answer}");
    assert!(
        answer.ends_with("data: {\"type\":\"message_stop\"}\n\n\r\n0\r\n\r\n"),
        "{answer}"
    );
    let requests = server.requests();
    assert_eq!(server.count(), 2);
    assert_eq!(requests[0].header("x-test"), Some("1"));
    assert_eq!(
        (requests[1].number, requests[1].path.as_str()),
        (2, "/v1/messages")
    );
    assert_eq!(requests[1].json, anthropic);
}

#[test]
fn the_usage_chunk_comes_after_the_finish_chunk_and_only_when_asked_for() {
    let server = MockServer::sequence(vec![Behaviour::text("夜")]).unwrap();
    let body = json!({"model": "m", "stream": true, "messages": []});
    let without = exchange(&server, "/v1/chat/completions", &body.to_string());
    assert!(!without.contains("usage"));
    let mut body = body;
    body["stream_options"] = json!({"include_usage": true});
    let with = exchange(&server, "/v1/chat/completions", &body.to_string());
    let finish = with.find(r#""finish_reason":"stop""#).unwrap();
    let usage = with.find(r#""choices":[],"usage""#).unwrap();
    let done = with.find("data: [DONE]").unwrap();
    assert!(finish < usage && usage < done, "{with}");
}

#[test]
fn a_cut_stream_has_no_end() {
    let server = MockServer::sequence(vec![Behaviour::cut("夜雨初歇灯火", 1)]).unwrap();
    let body = json!({"model": "m", "stream": true, "messages": []}).to_string();
    let answer = exchange(&server, "/v1/chat/completions", &body);
    assert!(
        answer.contains("夜雨初歇") && !answer.contains("灯火"),
        "{answer}"
    );
    assert!(!answer.ends_with("0\r\n\r\n"));
}

#[test]
fn a_script_from_json_picks_rules_by_prompt_and_number() {
    let script: Script = serde_json::from_value(json!({"rules": [
        {"when": "摘要", "then": {"answer": {"text": "{}"}}},
        {"times": 1, "then": {"error": {"status": 500, "kind": "api_error", "message": "x"}}},
        {"times": 1, "then": {"delayed": {"millis": 1, "then": {"answer": {"text": "夜雨", "cut_after": 1}}}}},
        {"times": 1, "then": "stall"},
    ]}))
    .unwrap();
    assert_eq!(script.rules[0].then, Behaviour::text("{}"));
    assert_eq!(script.rules[3].then, Behaviour::Stall);
    let cut = Behaviour::from(Answer {
        cut_after: Some(1),
        ..Answer::new("夜雨")
    });
    assert_eq!(
        script.rules[2].then,
        cut.after(std::time::Duration::from_millis(1))
    );
    let server = MockServer::start(script.into_handler()).unwrap();
    let ask = |text: &str| {
        let body = json!({"model": "m", "messages": [{"role": "user", "content": text}]});
        exchange(&server, "/v1/chat/completions", &body.to_string())
    };
    assert!(ask("写摘要").contains("200"));
    assert!(ask("写").starts_with("HTTP/1.1 500"));
    assert!(ask("写摘要").starts_with("HTTP/1.1 200"));
}
