//! Whole answers, however they are cut into bytes.

use novel_llm::{Finish, Repair, Usage, Wire, extract_json};
use novel_mockllm::{Answer, Behaviour, Finish as Ends, Tokens};
use serde_json::{Value, json};

use super::support::{BOTH, KEY, Setup, prose, structured};

const TEXT: &str = "夜雨初歇，灯火未熄。\n\"走吧\"，他说。😀";

#[test]
fn a_stream_is_joined_whatever_its_chunks() {
    for wire in BOTH {
        for bytes_per_write in [None, Some(1), Some(2), Some(7), Some(64)] {
            let answer = Answer {
                reasoning: "先想一想".into(),
                bytes_per_write,
                odd_sse: bytes_per_write == Some(7),
                tokens: Tokens {
                    input: 900,
                    output: 30,
                    cached: 700,
                    cache_write: 100,
                },
                ..Answer::new(TEXT)
            };
            let setup = Setup::new(wire, vec![answer.into()]);
            let outcome = setup.ask(&prose());
            let answer = outcome.answer();
            assert_eq!(answer.text, TEXT);
            assert_eq!(outcome.streamed, TEXT);
            assert_eq!(answer.reasoning, "先想一想");
            assert_eq!(answer.finish, Finish::Stop);
            assert_eq!(answer.model, "test-model");
            assert_eq!(answer.attempts, 1);
            assert_eq!(
                answer.usage,
                Usage {
                    input: Some(900),
                    output: Some(30),
                    cached: Some(700),
                    cache_write: (wire == Wire::Anthropic).then_some(100),
                }
            );
            let raw: Value = serde_json::from_str(&answer.raw).unwrap();
            assert_eq!(raw["text"], TEXT);
            assert_eq!(outcome.events[0], "Started { model: \"test-model\" }");
        }
    }
}

#[test]
fn one_object_instead_of_a_stream_is_taken_and_kept_verbatim() {
    for wire in BOTH {
        let answer = Answer {
            whole: true,
            reasoning: "嗯".into(),
            ..Answer::new(TEXT)
        };
        let setup = Setup::new(wire, vec![answer.into()]);
        let outcome = setup.ask(&prose());
        let answer = outcome.answer();
        assert_eq!(
            (answer.text.as_str(), outcome.streamed.as_str()),
            (TEXT, TEXT)
        );
        assert_eq!(answer.reasoning, "嗯");
        assert_eq!(answer.usage.input, Some(100));
        let raw: Value = serde_json::from_str(&answer.raw).unwrap();
        assert!(raw.get("id").is_some());
    }
}

#[test]
fn the_request_on_the_wire_is_what_the_provider_documents() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::text("好")]);
    setup.ask(&prose()).answer();
    let request = &setup.server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/chat/completions")
    );
    assert_eq!(
        request.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-api-key"), None);
    assert_eq!(request.json["stream"], true);
    assert_eq!(request.json["max_tokens"], 500);
    assert_eq!(request.prompt(), "你是小说家。\n写第一章。");

    let setup = Setup::new(Wire::Anthropic, vec![Behaviour::text("好")]);
    setup.ask(&prose()).answer();
    let request = &setup.server.requests()[0];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(
        request.json["system"][0]["cache_control"],
        json!({"type": "ephemeral", "ttl": "1h"})
    );
    assert!(!String::from_utf8_lossy(&request.body).contains(KEY));
}

#[test]
fn a_structured_answer_follows_the_schema_that_was_sent() {
    let verdict = json!({"分数": 4.5, "评语": null});
    for wire in BOTH {
        let setup = Setup::new(wire, vec![Behaviour::json(&verdict)]);
        let outcome = setup.ask(&structured());
        let (value, repairs) = extract_json(&outcome.answer().text).unwrap();
        assert_eq!((value, repairs), (verdict.clone(), vec![]));
        assert_eq!(outcome.answer().finish, Finish::Stop);
        let request = &setup.server.requests()[0];
        let schema = request.schema().unwrap();
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["required"], json!(["分数", "评语"]));
        assert_eq!(
            schema["properties"]["评语"]["type"],
            json!(["string", "null"])
        );
    }
}

#[test]
fn a_fenced_answer_is_an_answer_and_its_json_can_be_had() {
    let verdict = json!({"分数": 3.0});
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::fenced(&verdict)]);
    let outcome = setup.ask(&structured());
    assert_eq!(extract_json(&outcome.answer().text).unwrap().0, verdict);
}

#[test]
fn an_answer_that_breaks_the_schema_or_json_is_handed_over_as_it_came() {
    for text in [r#"{"score": "high"}"#, r#"{"分数": , }"#] {
        for wire in BOTH {
            let setup = Setup::new(wire, vec![Behaviour::text(text)]);
            let outcome = setup.ask(&structured());
            assert_eq!(outcome.answer().text, text);
            assert_eq!(setup.server.count(), 1);
        }
    }
}

#[test]
fn a_refusal_a_limit_and_a_filter_are_ends_not_errors() {
    let ending = |finish| Answer {
        finish,
        ..Answer::new("我不能写这个。")
    };
    for wire in BOTH {
        for (finish, expected) in [
            (Ends::Refusal, Finish::Refusal),
            (Ends::Length, Finish::Length),
            (
                Ends::ContentFilter,
                match wire {
                    Wire::OpenAi => Finish::ContentFilter,
                    Wire::Anthropic => Finish::Refusal,
                },
            ),
        ] {
            for whole in [false, true] {
                let behaviour = Answer {
                    whole,
                    ..ending(finish)
                };
                let setup = Setup::new(wire, vec![behaviour.into()]);
                let outcome = setup.ask(&prose());
                assert_eq!(outcome.answer().finish, expected);
                assert_eq!(outcome.answer().text, "我不能写这个。");
            }
        }
    }
}

#[test]
fn a_refused_structured_request_is_a_refusal() {
    for wire in BOTH {
        let setup = Setup::new(wire, vec![Behaviour::refusal("不行")]);
        let outcome = setup.ask(&structured());
        assert_eq!(outcome.answer().finish, Finish::Refusal);
        assert_eq!(outcome.answer().text, "不行");
    }
}

#[test]
fn missing_counts_stay_missing() {
    for wire in BOTH {
        let answer = Answer {
            no_usage: true,
            ..Answer::new("好")
        };
        let setup = Setup::new(wire, vec![answer.into()]);
        assert_eq!(setup.ask(&prose()).answer().usage, Usage::default());
    }
}

#[test]
fn an_answer_that_goes_round_is_ended_and_keeps_what_was_whole() {
    let item = |at: usize| {
        json!({"op": "set", "path": "items.letter.place", "value": at, "evidence": "柜台上压着一封信。"})
            .to_string()
    };
    let items: Vec<String> = (0..10_000).map(item).collect();
    let text = format!(r#"{{"说明": "好", "项": [{}]}}"#, items.join(","));
    for wire in BOTH {
        let setup = Setup::new(
            wire,
            vec![
                Answer {
                    chars_per_event: 400,
                    ..Answer::new(text.clone())
                }
                .into(),
            ],
        );
        let outcome = setup.ask(&structured());
        let answer = outcome.answer();
        assert_eq!(answer.finish, Finish::Looped, "{wire:?}");
        assert!(answer.text.len() < 4_000, "{}", answer.text.len());
        let raw: Value = serde_json::from_str(&answer.raw).unwrap();
        assert_eq!(raw["finish_reason"], "looped");
        let (value, repairs) = extract_json(&answer.text).unwrap();
        assert_eq!(repairs, [Repair::LeftOutRepeats]);
        assert_eq!(value["说明"], "好");
        assert_eq!(value["项"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn prose_that_goes_round_is_ended() {
    for wire in BOTH {
        let text = "他走到门口，又走了回来，雨还在下，灯也还亮着。\n\n".repeat(2_000);
        let setup = Setup::new(wire, vec![Answer::new(text).into()]);
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.answer().finish, Finish::Looped, "{wire:?}");
        assert!(outcome.streamed.chars().count() < 2_000);
    }
}
