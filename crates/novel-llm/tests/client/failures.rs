//! Failures: which are repeated, how, and what is said about them.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use novel_llm::{ModelError, Wire};
use novel_mockllm::{Answer, Behaviour};
use novel_model::{Explain, Kind};

use super::support::{BOTH, Setup, prose};

fn seconds(list: &[u64]) -> Vec<Duration> {
    list.iter().copied().map(Duration::from_secs).collect()
}

#[test]
fn a_failure_of_the_server_is_tried_again_with_growing_pauses() {
    for wire in BOTH {
        for status in [408, 409, 425, 500, 502, 503, 504, 529] {
            let failing = Behaviour::server_error(status);
            let setup = Setup::new(
                wire,
                vec![failing.clone(), failing, Behaviour::text("夜雨")],
            );
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.answer().text, "夜雨");
            assert_eq!(outcome.answer().attempts, 3);
            assert_eq!(outcome.waits, seconds(&[1, 2]));
            assert_eq!(outcome.retries(), 2);
            assert_eq!(setup.server.count(), 3);
        }
    }
}

#[test]
fn the_number_of_attempts_is_limited() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::server_error(500)]);
    let outcome = setup.ask(&prose());
    match outcome.error() {
        ModelError::RetriesExhausted { attempts: 3, last } => {
            assert!(matches!(**last, ModelError::Server { status: 500, .. }));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(setup.server.count(), 3);
    assert_eq!(outcome.retries(), 2);
    assert_eq!(outcome.error().kind(), Kind::Provider);
}

#[test]
fn retry_after_is_obeyed_in_seconds_and_as_a_date() {
    let limited = |name: &str, value: &str| Behaviour::Status {
        status: 429,
        headers: vec![(name.into(), value.into())],
        body: "{}".into(),
    };
    for (behaviour, expected) in [
        (Behaviour::rate_limited(17), Duration::from_secs(17)),
        (
            limited("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"),
            Duration::from_secs(37),
        ),
        (
            limited("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT"),
            Duration::ZERO,
        ),
        (
            limited("retry-after-ms", "1500"),
            Duration::from_millis(1500),
        ),
        (limited("Retry-After", "soon"), Duration::from_secs(1)),
    ] {
        for wire in BOTH {
            let setup = Setup::new(wire, vec![behaviour.clone(), Behaviour::text("好")]);
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.answer().attempts, 2);
            assert_eq!(outcome.waits, [expected]);
        }
    }
}

#[test]
fn a_retry_after_over_the_limit_is_an_error_that_says_so() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::rate_limited(3600)]);
    let outcome = setup.ask(&prose());
    assert!(matches!(
        outcome.error(),
        ModelError::RetryAfterTooLong { .. }
    ));
    let message = outcome.error().message();
    for text in [message.en, message.zh] {
        assert!(text.contains("3600") && text.contains("60"), "{text}");
    }
    assert_eq!(setup.server.count(), 1);
    assert!(outcome.waits.is_empty());
}

#[test]
fn a_request_that_is_called_wrong_is_never_repeated() {
    for wire in BOTH {
        for (status, code) in [
            (400, "PROVIDER_BAD_REQUEST"),
            (401, "PROVIDER_AUTH"),
            (402, "PROVIDER_QUOTA"),
            (403, "PROVIDER_AUTH"),
            (404, "PROVIDER_NOT_FOUND"),
            (307, "PROVIDER_BAD_ENDPOINT"),
        ] {
            let setup = Setup::new(wire, vec![Behaviour::error(status, "some_error", "no")]);
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.error().code(), code);
            assert_eq!(setup.server.count(), 1, "{status}");
            assert!(outcome.events.is_empty());
            assert!(outcome.error().hint().is_some());
        }
    }
}

#[test]
fn a_prompt_over_the_context_is_known_on_both_wires() {
    for wire in BOTH {
        for behaviour in [
            Behaviour::context_length(),
            Behaviour::error(
                400,
                "invalid_request_error",
                "prompt is too long: 210000 tokens > 200000 maximum",
            ),
            Behaviour::error(
                400,
                "context_length_exceeded",
                "This model's maximum context length is 8192 tokens",
            ),
        ] {
            let setup = Setup::new(wire, vec![behaviour]);
            let outcome = setup.ask(&prose());
            assert!(matches!(outcome.error(), ModelError::ContextLength { .. }));
            assert_eq!(setup.server.count(), 1);
        }
    }
}

#[test]
fn an_empty_account_is_not_asked_again() {
    let setup = Setup::new(
        Wire::OpenAi,
        vec![Behaviour::error(
            429,
            "insufficient_quota",
            "You exceeded your current quota",
        )],
    );
    assert!(matches!(
        setup.ask(&prose()).error(),
        ModelError::Quota { .. }
    ));
    assert_eq!(setup.server.count(), 1);
}

#[test]
fn a_cut_stream_is_asked_for_again_and_its_text_is_void() {
    for wire in BOTH {
        for after in [0, 1, 2] {
            let setup = Setup::new(
                wire,
                vec![
                    Behaviour::cut("夜雨初歇灯火", after),
                    Behaviour::text("夜雨初歇"),
                ],
            );
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.answer().text, "夜雨初歇");
            assert_eq!(outcome.streamed, "夜雨初歇");
            assert_eq!(setup.server.count(), 2);
            assert!(
                outcome
                    .events
                    .iter()
                    .any(|event| event.contains("CutStream"))
            );
        }
    }
}

#[test]
fn a_closed_connection_is_tried_again() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::Close, Behaviour::text("好")]);
    let outcome = setup.ask(&prose());
    assert_eq!(outcome.answer().attempts, 2);
    assert!(
        outcome.events[0].contains("Connect"),
        "{:?}",
        outcome.events
    );
}

#[test]
fn a_server_that_is_not_there_is_tried_again_and_named() {
    let mut setup = Setup::new(Wire::OpenAi, vec![]);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    setup.endpoint.base_url = format!("http://user:password@{address}/v1");
    let outcome = setup.ask(&prose());
    assert_eq!(outcome.retries(), 2);
    let message = outcome.error().message();
    for text in [&message.en, &message.zh] {
        assert!(text.contains(&address.to_string()), "{text}");
        assert!(!text.contains("password"), "{text}");
    }
}

#[test]
fn an_error_inside_a_stream_has_its_meaning() {
    for wire in BOTH {
        let answer = Answer {
            error_after: Some(1),
            ..Answer::new("夜雨初歇灯火未熄")
        };
        let setup = Setup::new(wire, vec![answer.into(), Behaviour::text("好")]);
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.answer().text, "好");
        let retry = outcome
            .events
            .iter()
            .find(|event| event.starts_with("Retry"));
        assert!(retry.unwrap().contains("Overloaded"), "{retry:?}");
    }
}

#[test]
fn a_damaged_stream_is_asked_for_again() {
    for wire in BOTH {
        let answer = Answer {
            garbage_at: Some((1, "data: {\"choices\": [{".into())),
            ..Answer::new("夜雨初歇灯火未熄")
        };
        let setup = Setup::new(wire, vec![answer.into(), Behaviour::text("好")]);
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.answer().text, "好");
        assert!(
            outcome
                .events
                .iter()
                .any(|event| event.contains("Malformed"))
        );
    }
}

#[test]
fn a_success_that_is_no_answer_is_an_error_at_once() {
    for body in ["<html>welcome</html>", "{\"models\": []}", ""] {
        let behaviour = Behaviour::Status {
            status: 200,
            headers: vec![],
            body: body.into(),
        };
        let setup = Setup::new(Wire::OpenAi, vec![behaviour]);
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.error().code(), "PROVIDER_NOT_AN_ANSWER");
        assert_eq!(setup.server.count(), 1);
    }
}

#[test]
fn an_address_that_can_not_be_used_is_an_error_at_once() {
    let mut setup = Setup::new(Wire::OpenAi, vec![]);
    for address in ["", "example", "ftp://example/v1", "http://", "http://a b/"] {
        setup.endpoint.base_url = address.into();
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.error().code(), "PROVIDER_BAD_ENDPOINT", "{address}");
        assert!(outcome.events.is_empty());
    }
}

#[test]
fn a_server_without_tls_is_no_secure_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 5]).unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .unwrap();
        // The client closes: it sees no TLS here.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let mut setup = Setup::new(Wire::OpenAi, vec![]);
    setup.endpoint.base_url = format!("https://{address}/v1");
    let outcome = setup.ask(&prose());
    assert_eq!(outcome.error().code(), "PROVIDER_TLS");
    assert!(outcome.events.is_empty());
    server.join().unwrap();
}
