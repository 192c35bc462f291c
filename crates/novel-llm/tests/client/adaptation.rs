//! Endpoints that can not do everything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use novel_llm::{
    Abilities, AbilityMemory, CancelToken, Client, ModelError, ModelRequest, SchemaMode,
    SchemaRequest, Wire,
};
use novel_mockllm::{Answer, Behaviour, MockServer};
use serde_json::{Value, json};

use super::support::{BOTH, Setup, TestPace, ask_client, prose, structured};

/// A server that rejects requests for which `rejects` has a word.
fn picky(
    wire: Wire,
    rejects: impl Fn(&Value) -> Option<&'static str> + Send + Sync + 'static,
) -> Setup {
    let server = MockServer::start(move |request| match rejects(&request.json) {
        Some(why) => Behaviour::error(400, "invalid_request_error", why),
        None => Behaviour::json(&json!({"分数": 4})),
    });
    Setup::with(wire, server.unwrap())
}

#[test]
fn a_rejected_schema_falls_back_step_by_step_and_is_remembered() {
    let setup = picky(Wire::OpenAi, |body| {
        body.get("response_format")
            .map(|_| "This response_format type is unavailable now")
    });
    let pace = TestPace::default();
    let client = Client::with_pace(setup.endpoint.clone(), Box::new(pace.clone()));
    let ask =
        |request: &ModelRequest| ask_client(&client, &pace, request, &CancelToken::new(), |_| {});
    let outcome = ask(&structured());
    assert_eq!(outcome.answer().text, "{\"分数\":4}");
    assert_eq!(outcome.answer().attempts, 3);
    assert_eq!(
        outcome.events[..2],
        ["Adapted(JsonObject)", "Adapted(PromptOnly)"]
    );
    assert!(outcome.waits.is_empty());
    let requests = setup.server.requests();
    assert_eq!(requests[0].json["response_format"]["type"], "json_schema");
    assert_eq!(
        requests[1].json["response_format"],
        json!({"type": "json_object"})
    );
    assert!(requests[1].prompt().contains("JSON Schema"));
    assert!(requests[2].json.get("response_format").is_none());
    assert!(requests[2].prompt().contains("JSON Schema"));

    // The next call of the same model knows; another model begins anew.
    assert_eq!(ask(&structured()).answer().attempts, 1);
    let other = ModelRequest {
        model: "another".into(),
        ..structured()
    };
    assert_eq!(ask(&other).answer().attempts, 3);
}

fn bounded() -> ModelRequest {
    let schema = json!({"type": "object", "required": ["分数"], "properties": {
        "分数": {"type": "number"}, "理由": {"type": "string", "maxLength": 60},
        "例": {"type": "array", "items": {"type": "string"}, "maxItems": 3}}});
    ModelRequest {
        schema: Some(SchemaRequest {
            name: "verdict".into(),
            schema: schema.into(),
        }),
        ..structured()
    }
}

#[test]
fn a_bound_that_is_refused_costs_the_bounds_and_not_the_schema() {
    let setup = picky(Wire::OpenAi, |body| {
        body.to_string().contains("maxLength").then_some(
            "Invalid schema for response_format 'verdict': In context=('properties', '分数'), 'maxLength' is not permitted.",
        )
    });
    let outcome = setup.ask(&bounded());
    assert_eq!(outcome.events[0], "Adapted(NoBounds)");
    assert_eq!(outcome.answer().attempts, 2);
    let last = setup.server.requests().pop().unwrap().json;
    assert_eq!(last["response_format"]["type"], "json_schema");
    let sent = &last["response_format"]["json_schema"]["schema"]["properties"];
    assert!(sent["例"]["items"].is_object());
    assert!(sent["例"].get("maxItems").is_none());
}

/// A small model behind a gateway fills a list without a length to the limit of its answer.
#[test]
fn a_gateway_on_the_anthropic_wire_gets_the_bounds() {
    let setup = picky(Wire::Anthropic, |_| None);
    assert_eq!(setup.ask(&bounded()).answer().attempts, 1);
    let sent = &setup.server.requests()[0].json["output_config"]["format"]["schema"];
    assert_eq!(sent["properties"]["例"]["maxItems"], 3);
}

/// Anthropic names the bound; a gateway before it may say less.
#[test]
fn bounds_refused_on_the_anthropic_wire_leave_the_schema() {
    for words in [
        "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
        "the schema was refused upstream",
    ] {
        let setup = picky(Wire::Anthropic, move |body| {
            body.to_string().contains("maxItems").then_some(words)
        });
        let outcome = setup.ask(&bounded());
        assert_eq!(outcome.events[0], "Adapted(NoBounds)", "{words}");
        assert_eq!(outcome.answer().attempts, 2);
        let last = setup.server.requests().pop().unwrap().json;
        assert_eq!(last["output_config"]["format"]["type"], "json_schema");
    }
}

#[test]
fn an_anthropic_endpoint_gets_format_then_tool_then_prompt() {
    let setup = picky(Wire::Anthropic, |body| {
        if body.get("output_config").is_some() {
            Some("output_config: Extra inputs are not permitted")
        } else if body.get("tools").is_some() {
            Some("tools: tool use is not supported")
        } else {
            None
        }
    });
    let outcome = setup.ask(&structured());
    assert_eq!(outcome.answer().text, "{\"分数\":4}");
    assert_eq!(
        outcome.events[..2],
        ["Adapted(ForcedTool)", "Adapted(PromptOnly)"]
    );
    let requests = setup.server.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[1].json["tool_choice"]["type"], "tool");
    assert!(requests[2].json.get("tool_choice").is_none());
    assert!(requests[2].prompt().contains("JSON Schema"));
}

/// Current Anthropic models refuse a forced tool; they take a format and are never asked for one.
#[test]
fn a_model_that_refuses_forced_tools_is_asked_once() {
    let setup = picky(Wire::Anthropic, |body| {
        body.get("tool_choice")
            .map(|_| "tool_choice forces tool use, which this model does not support")
    });
    let outcome = setup.ask(&structured());
    assert_eq!(outcome.answer().attempts, 1);
    let request = &setup.server.requests()[0].json;
    assert_eq!(request["output_config"]["format"]["type"], "json_schema");
}

#[test]
fn an_ignored_format_and_an_ignored_tool_lead_to_the_prompt() {
    let server = MockServer::start(|_| {
        Answer {
            ignores_tool: true,
            ..Answer::new("你好")
        }
        .into()
    });
    let setup = Setup::with(Wire::Anthropic, server.unwrap());
    let pace = TestPace::default();
    let client = Client::with_pace(setup.endpoint.clone(), Box::new(pace.clone()));
    let ask = || ask_client(&client, &pace, &structured(), &CancelToken::new(), |_| {});
    let first = ask();
    assert_eq!(first.answer().text, "你好");
    assert_eq!(first.events.last().unwrap(), "Learnt(ForcedTool)");
    assert_eq!(ask().events.last().unwrap(), "Learnt(PromptOnly)");
    let third = ask();
    assert!(!third.events.iter().any(|event| event.contains("Learnt")));
    let requests = setup.server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests[1].schema().is_some());
    assert!(requests[2].schema().is_none());
    assert!(requests[2].prompt().contains("JSON Schema"));
}

#[test]
fn a_cache_of_an_hour_that_is_refused_is_asked_for_without_its_length() {
    let setup = picky(Wire::Anthropic, |body| {
        body.to_string()
            .contains("ttl")
            .then_some("system.0.cache_control.ttl: Extra inputs are not permitted")
    });
    let outcome = setup.ask(&prose());
    assert_eq!(outcome.events[0], "Adapted(NoCacheHour)");
    let last = setup.server.requests().pop().unwrap().json;
    assert_eq!(
        last["system"][0]["cache_control"],
        json!({"type": "ephemeral"})
    );
}

#[test]
fn what_was_learnt_outlives_the_client_in_a_memory() {
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<BTreeMap<String, Abilities>>>);
    impl AbilityMemory for Kept {
        fn recall(&self, model: &str) -> Option<Abilities> {
            self.0.lock().unwrap().get(model).copied()
        }
        fn learn(&self, model: &str, abilities: Abilities) {
            self.0.lock().unwrap().insert(model.to_owned(), abilities);
        }
    }
    let setup = picky(Wire::OpenAi, |body| {
        body.get("response_format").map(|_| "no response_format")
    });
    let memory = Kept::default();
    let pace = TestPace::default();
    let ask = || {
        let client = Client::with_pace(setup.endpoint.clone(), Box::new(pace.clone()))
            .remembering(Box::new(memory.clone()));
        let outcome = ask_client(&client, &pace, &structured(), &CancelToken::new(), |_| {});
        outcome.answer().attempts
    };
    assert_eq!((ask(), ask()), (3, 1));
}

#[test]
fn a_query_of_the_address_stays_at_its_end() {
    let mut setup = picky(Wire::OpenAi, |_| None);
    setup.endpoint.base_url.push_str("/?api-version=2026-01-01");
    setup.ask(&prose()).answer();
    let path = setup.server.requests()[0].path.clone();
    assert!(
        path.ends_with("/v1/chat/completions?api-version=2026-01-01"),
        "{path}"
    );
}

#[test]
fn the_way_to_structured_answers_can_be_set() {
    for wire in BOTH {
        let mut setup = picky(wire, |_| None);
        setup.endpoint.schema_mode = SchemaMode::Prompt;
        setup.ask(&structured()).answer();
        let request = &setup.server.requests()[0];
        assert_eq!(request.schema(), None);
        assert!(request.prompt().contains("JSON Schema"));
    }
}

#[test]
fn unsupported_parameters_are_left_out() {
    let setup = picky(Wire::OpenAi, |body| {
        if body.get("max_tokens").is_some() {
            Some("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        } else if body.get("temperature").is_some() {
            Some("Unsupported value: 'temperature' does not support 0.7 with this model.")
        } else if body.get("seed").is_some() {
            Some("Unrecognized request argument supplied: seed")
        } else if body.get("stream_options").is_some() {
            Some("Extra inputs are not permitted: stream_options")
        } else {
            None
        }
    });
    let request = ModelRequest {
        seed: Some(1),
        ..prose()
    };
    let outcome = setup.ask(&request);
    assert_eq!(outcome.answer().attempts, 5);
    assert_eq!(outcome.answer().usage.input, None);
    let last = setup.server.requests().pop().unwrap().json;
    assert_eq!(last["max_completion_tokens"], 500);
    for gone in ["max_tokens", "temperature", "seed", "stream_options"] {
        assert!(last.get(gone).is_none(), "{gone}");
    }
}

#[test]
fn a_temperature_out_of_range_is_the_authors_to_correct() {
    for wire in BOTH {
        let setup = picky(wire, |_| Some("temperature: must be at most 1"));
        let outcome = setup.ask(&prose());
        assert!(matches!(outcome.error(), ModelError::BadRequest { .. }));
        assert_eq!(setup.server.count(), 1);
    }
}

#[test]
fn a_server_that_rejects_everything_is_not_asked_for_ever() {
    let setup = picky(Wire::OpenAi, |_| {
        Some(
            "response_format json_schema stream_options seed temperature not supported max_completion_tokens",
        )
    });
    let request = ModelRequest {
        seed: Some(1),
        ..structured()
    };
    assert!(matches!(
        setup.ask(&request).error(),
        ModelError::BadRequest { .. }
    ));
    assert_eq!(setup.server.count(), 7);
}
