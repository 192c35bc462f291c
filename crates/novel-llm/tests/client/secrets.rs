//! The key is seen by the server and by nobody else.

use std::time::Duration;

use novel_llm::Wire;
use novel_mockllm::{Answer, Behaviour};
use novel_model::{Explain, Lang};

use super::support::{BOTH, KEY, Outcome, Setup, prose, structured};

/// Everything a caller could write somewhere.
fn everything(setup: &Setup, outcome: &Outcome) -> String {
    let mut all = format!("{:?}\n{}\n", setup.endpoint, outcome.events.join("\n"));
    match &outcome.result {
        Ok(answer) => all.push_str(&format!("{answer:?}")),
        Err(error) => {
            let message = error.message();
            let hint = error.hint().unwrap_or_default();
            all.push_str(&format!(
                "{error} {error:?} {error:#?} {message:?} {hint:?} {:?} {:?}",
                error.details(Lang::En),
                error.details(Lang::Zh),
            ));
            let mut source = std::error::Error::source(error);
            while let Some(cause) = source {
                all.push_str(&format!("{cause} {cause:?}"));
                source = cause.source();
            }
        }
    }
    all
}

#[test]
fn no_output_of_any_behaviour_contains_the_key() {
    let echo = |status| Behaviour::error(status, "some_error", format!("your key {KEY} is bad"));
    let answer = Answer {
        chars_per_event: 200,
        reasoning: format!("the key is {KEY}"),
        ..Answer::new(format!("我知道 {KEY} 了"))
    };
    let behaviours = [
        Behaviour::unauthorized(KEY),
        echo(400),
        echo(404),
        echo(429),
        echo(500),
        Behaviour::Status {
            status: 200,
            headers: vec![],
            body: format!("<html>{KEY}</html>"),
        },
        Behaviour::Status {
            status: 403,
            headers: vec![],
            body: KEY.into(),
        },
        Behaviour::Status {
            status: 302,
            headers: vec![("Location".into(), format!("http://127.0.0.1:1/{KEY}"))],
            body: String::new(),
        },
        Answer {
            garbage_at: Some((0, format!("data: {{{KEY}"))),
            ..answer.clone()
        }
        .into(),
        Answer {
            cut_after: Some(1),
            ..answer.clone()
        }
        .into(),
        Answer {
            stall_after: Some(1),
            ..answer.clone()
        }
        .into(),
        Answer {
            whole: true,
            ..answer.clone()
        }
        .into(),
        answer.into(),
        Behaviour::Stall,
        Behaviour::Close,
        Behaviour::context_length(),
        Behaviour::refusal(KEY),
    ];
    for wire in BOTH {
        for behaviour in &behaviours {
            let mut setup = Setup::new(wire, vec![behaviour.clone()]);
            setup.endpoint.timeouts.first_byte = Duration::from_millis(50);
            setup.endpoint.timeouts.silent = Duration::from_millis(50);
            setup.endpoint.retry.max_attempts = 2;
            for request in [prose(), structured()] {
                let outcome = setup.ask(&request);
                let all = everything(&setup, &outcome);
                assert!(!all.contains(KEY), "{behaviour:?}: {all}");
            }
        }
    }
}

/// The key as servers may write it.
fn disguises() -> Vec<String> {
    let each = |escape: fn(u8) -> String| KEY.bytes().map(escape).collect::<String>();
    vec![
        KEY.to_owned(),
        KEY.to_uppercase(),
        each(|byte| format!("\\u00{byte:02x}")),
        each(|byte| format!("%{byte:02X}")),
        each(|byte| format!("{byte:02x}")),
        // Base64 of the key, and of `user:` and the key.
        "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVmZ2hpag==".to_owned(),
        "dXNlcjpzay10ZXN0LTAxMjM0NTY3ODlhYmNkZWZnaGlq".to_owned(),
    ]
}

/// Half of the key, in any of its forms.
fn shows_the_key(text: &str) -> Option<String> {
    let halves = disguises().into_iter().flat_map(|whole| {
        let (first, second) = whole.split_at(whole.len() / 2);
        [first.to_owned(), second.to_owned()]
    });
    halves.into_iter().find(|half| text.contains(half))
}

fn response(kind: &str, body: String) -> Behaviour {
    Behaviour::Status {
        status: 200,
        headers: vec![("Content-Type".into(), kind.into())],
        body,
    }
}

/// An answer that has the key in every place a server fills.
fn telling(wire: Wire, key: &str, streams: bool) -> Behaviour {
    match (wire, streams) {
        (Wire::OpenAi, false) => response(
            "application/json",
            format!(
                r#"{{"id": "{key}", "model": "{key}", "choices": [{{"message": {{"content": "夜 {key}", "reasoning_content": "{key}"}}, "finish_reason": "{key}"}}], "usage": {{"prompt_tokens": 1, "completion_tokens": 2, "{key}": "{key}"}}}}"#
            ),
        ),
        (Wire::OpenAi, true) => response(
            "text/event-stream",
            format!(
                "data: {{\"id\": \"{key}\", \"model\": \"{key}\", \"choices\": [{{\"delta\": {{\"content\": \"夜 {key}\", \"reasoning_content\": \"{key}\"}}}}]}}\n\ndata: {{\"choices\": [{{\"delta\": {{}}, \"finish_reason\": \"{key}\"}}], \"usage\": {{\"prompt_tokens\": 1, \"completion_tokens\": 2, \"note\": \"{key}\"}}}}\n\ndata: [DONE]\n\n"
            ),
        ),
        (Wire::Anthropic, false) => response(
            "application/json",
            format!(
                r#"{{"id": "{key}", "type": "message", "role": "assistant", "model": "{key}", "content": [{{"type": "thinking", "thinking": "{key}"}}, {{"type": "text", "text": "夜 {key}"}}], "stop_reason": "{key}", "usage": {{"input_tokens": 1, "output_tokens": 2}}}}"#
            ),
        ),
        (Wire::Anthropic, true) => response(
            "text/event-stream",
            format!(
                "event: message_start\ndata: {{\"type\": \"message_start\", \"message\": {{\"id\": \"{key}\", \"model\": \"{key}\", \"usage\": {{\"input_tokens\": 1}}}}}}\n\nevent: content_block_delta\ndata: {{\"type\": \"content_block_delta\", \"index\": 0, \"delta\": {{\"type\": \"text_delta\", \"text\": \"夜 {key}\"}}}}\n\nevent: message_delta\ndata: {{\"type\": \"message_delta\", \"delta\": {{\"stop_reason\": \"{key}\"}}, \"usage\": {{\"output_tokens\": 2}}}}\n\nevent: message_stop\ndata: {{\"type\": \"message_stop\"}}\n\n"
            ),
        ),
    }
}

#[test]
fn the_key_is_taken_out_of_every_field_in_every_encoding() {
    for wire in BOTH {
        for key in disguises() {
            for streams in [false, true] {
                let setup = Setup::new(wire, vec![telling(wire, &key, streams)]);
                let outcome = setup.ask(&prose());
                let answer = outcome.answer();
                assert!(
                    answer.text.starts_with("夜 ") && answer.text.contains("***"),
                    "{answer:?}"
                );
                assert!(answer.model.contains("***"), "{answer:?}");
                let all = everything(&setup, &outcome);
                assert_eq!(shows_the_key(&all), None, "{wire:?} {streams}: {all}");
            }
            let body = format!("{{\"error\": {{\"message\": \"no {key}\", \"type\": \"{key}\"}}}}");
            for status in [400, 401, 403, 404, 422, 429, 500, 529] {
                let behaviour = Behaviour::Status {
                    status,
                    headers: vec![("X-Key".into(), key.clone())],
                    body: body.clone(),
                };
                let setup = Setup::new(wire, vec![behaviour; 3]);
                let outcome = setup.ask(&prose());
                let all = everything(&setup, &outcome);
                assert_eq!(shows_the_key(&all), None, "{wire:?} {status}: {all}");
            }
        }
    }
}

#[test]
fn a_key_in_pieces_of_a_stream_is_not_put_together_again() {
    for size in [1, 3, 7] {
        for wire in BOTH {
            let answer = Answer {
                chars_per_event: size,
                reasoning: format!("我想，{KEY} 吗？"),
                ..Answer::new(format!("他说：{KEY}。天黑了。"))
            };
            let setup = Setup::new(wire, vec![answer.into()]);
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.answer().text, "他说：***。天黑了。");
            assert_eq!(outcome.streamed, "他说：***。天黑了。");
            let all = everything(&setup, &outcome);
            assert_eq!(shows_the_key(&all), None, "{all}");
            // Nor can it be read from the events, one after the other.
            let said: String = outcome
                .events
                .iter()
                .map(|event| event.replace(['"', '(', ')'], ""))
                .collect();
            let said = said.replace("Text", "").replace("Reasoning", "");
            assert_eq!(shows_the_key(&said), None, "{said}");
        }
    }
}

#[test]
fn a_key_in_the_address_is_not_shown() {
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::server_error(500)]);
    let base = setup.server.url();
    setup.endpoint.base_url = format!("{base}/{KEY}/v1?key={KEY}");
    let outcome = setup.ask(&prose());
    let mut all = everything(&setup, &outcome);
    // The endpoint's own `Debug` shows the address that the author wrote down.
    all = all.replace(&format!("{:?}", setup.endpoint), "");
    assert!(!all.contains(KEY), "{all}");
}

#[test]
fn a_missing_key_names_a_variable_and_a_wrong_one_its_origin() {
    for (wire, name) in [
        (Wire::OpenAi, "OPENAI_API_KEY"),
        (Wire::Anthropic, "ANTHROPIC_API_KEY"),
    ] {
        let mut setup = Setup::new(wire, vec![Behaviour::unauthorized("")]);
        setup.endpoint.key = None;
        let outcome = setup.ask(&prose());
        let hint = outcome.error().hint().unwrap();
        assert!(hint.en.contains(name) && hint.zh.contains(name));
        let request = &setup.server.requests()[0];
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.header("x-api-key"), None);
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.key");
    std::fs::write(&path, KEY).unwrap();
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::unauthorized(KEY)]);
    setup.endpoint.key = Some(novel_llm::Secret::from_file(&path).unwrap());
    let message = setup.ask(&prose()).error().message();
    for text in [message.en, message.zh] {
        assert!(text.contains("my.key") && text.contains("***"), "{text}");
    }
}
