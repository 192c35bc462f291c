use std::sync::Arc;

use super::*;
use crate::{Block, SchemaRequest};

fn request() -> ModelRequest {
    ModelRequest {
        model: "m".into(),
        system: vec![Block::cached("规则"), Block::text("书")],
        user: vec![Block::text("写第三章")],
        schema: None,
        max_output_tokens: 90,
        thinking_tokens: 9,
        temperature: Some(0.5),
        seed: Some(7),
    }
}

/// What is sent, as the server reads it.
fn sent(wire: Wire, request: &ModelRequest, abilities: Abilities) -> Value {
    serde_json::from_str(&body(wire, request, abilities)).unwrap()
}

fn with_schema() -> ModelRequest {
    ModelRequest {
        schema: Some(SchemaRequest {
            name: "ops".into(),
            schema: Arc::new(json!({
                "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"],
            })),
        }),
        ..request()
    }
}

#[test]
fn an_openai_request_joins_the_blocks() {
    let body = sent(Wire::OpenAi, &request(), Abilities::all(SchemaMode::Strict));
    assert_eq!(
        body,
        json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "规则\n\n书"},
                {"role": "user", "content": "写第三章"},
            ],
            "stream": true,
            "max_tokens": 99,
            "stream_options": {"include_usage": true},
            "temperature": 0.5,
            "seed": 7,
        })
    );
}

#[test]
fn each_lost_ability_leaves_its_field_out() {
    let abilities = Abilities {
        schema: SchemaMode::Prompt,
        stream_usage: false,
        max_tokens: MaxTokens::Completion,
        temperature: false,
        seed: false,
        cache_hour: false,
        bounds: true,
    };
    let body = sent(Wire::OpenAi, &with_schema(), abilities);
    let mut names: Vec<_> = body.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(
        names,
        ["max_completion_tokens", "messages", "model", "stream"]
    );
    let user = body["messages"][1]["content"].as_str().unwrap();
    assert!(user.starts_with("写第三章\n\n只输出一个 JSON 对象"));
    assert!(user.contains(r#""required":["a"]"#));
}

#[test]
fn an_openai_schema_is_strict() {
    let body = sent(
        Wire::OpenAi,
        &with_schema(),
        Abilities::all(SchemaMode::Strict),
    );
    assert_eq!(
        body["response_format"],
        json!({"type": "json_schema", "json_schema": {"name": "ops", "strict": true, "schema": {
            "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"],
            "additionalProperties": false}}})
    );
    assert_eq!(body["messages"][1]["content"], "写第三章");
}

#[test]
fn an_anthropic_request_marks_the_last_four_cached_blocks_for_an_hour_and_names_the_format() {
    let mut request = with_schema();
    request.system = (0..5).map(|n| Block::cached(format!("s{n}"))).collect();
    request.user = vec![Block::cached("u"), Block::text(" "), Block::text("v")];
    let body = sent(
        Wire::Anthropic,
        &request,
        Abilities::all(SchemaMode::Strict),
    );
    let mark = json!({"type": "ephemeral", "ttl": "1h"});
    let marked: Vec<_> = body["system"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part.get("cache_control") == Some(&mark))
        .collect();
    assert_eq!(marked, [false, false, true, true, true]);
    assert_eq!(
        body["messages"],
        json!([{"role": "user", "content": [
            {"type": "text", "text": "u", "cache_control": mark},
            {"type": "text", "text": "v"},
        ]}])
    );
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    assert_eq!(
        body["output_config"]["format"]["schema"]["additionalProperties"],
        false
    );
    for absent in ["tools", "tool_choice", "seed"] {
        assert_eq!(body.get(absent), None, "{absent}");
    }
}

#[test]
fn an_anthropic_endpoint_without_formats_and_long_caches_is_given_a_tool() {
    let abilities = Abilities {
        cache_hour: false,
        bounds: true,
        ..Abilities::all(SchemaMode::Tool)
    };
    let body = sent(Wire::Anthropic, &with_schema(), abilities);
    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "ops"}));
    assert_eq!(
        body["tools"][0]["input_schema"]["additionalProperties"],
        false
    );
    assert_eq!(body.get("output_config"), None);
    assert_eq!(
        body["system"][0]["cache_control"],
        json!({"type": "ephemeral"})
    );
}

#[test]
fn cache_writes_are_counted_on_both_wires() {
    let mut answer = Assembly::new(Wire::OpenAi);
    answer.whole(
        &json!({"id": "1", "model": "m", "choices": [{"message": {"content": "夜"}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 4}}}),
        &mut |_| {},
    );
    assert_eq!(answer.into_parts().usage.cache_write, Some(4));
    let mut answer = Assembly::new(Wire::Anthropic);
    answer.whole(
        &json!({"id": "1", "model": "m", "content": [{"type": "text", "text": "夜"}],
            "usage": {"input_tokens": 2, "output_tokens": 2, "cache_read_input_tokens": 3,
                "cache_creation_input_tokens": 4}}),
        &mut |_| {},
    );
    let usage = answer.into_parts().usage;
    assert_eq!((usage.input, usage.cache_write), (Some(9), Some(4)));
}

#[test]
fn deepseek_counts_its_cache_in_its_own_field() {
    let mut answer = Assembly::new(Wire::OpenAi);
    let taken = answer.whole(
        &json!({"id": "1", "model": "deepseek-chat", "choices": [{"message": {
            "content": [{"type": "text", "text": "夜"}], "reasoning": "嗯"},
            "finish_reason": "insufficient_system_resource"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 5}}),
        &mut |_| {},
    );
    assert!(taken);
    let parts = answer.into_parts();
    assert_eq!(
        (parts.text.as_str(), parts.reasoning.as_str()),
        ("夜", "嗯")
    );
    assert_eq!(parts.usage.cached, Some(5));
    assert_eq!(
        parts.finish,
        Finish::Other("insufficient_system_resource".into())
    );
}

#[test]
fn an_object_that_is_no_answer_is_not_taken() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let mut answer = Assembly::new(wire);
        assert!(!answer.whole(&json!({"models": []}), &mut |_| {}));
        assert!(!answer.complete());
    }
}

#[test]
fn a_server_that_does_not_say_its_model_answers_for_the_one_that_was_asked() {
    let mut answer = Assembly::new(Wire::OpenAi).asked_of("asked");
    answer.whole(
        &json!({"choices": [{"message": {"content": "Yes."}}]}),
        &mut |_| {},
    );
    assert_eq!(answer.into_parts().model, "asked");
}
