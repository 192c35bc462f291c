//! OpenAI chat completions, and the dialects of those that imitate them.

use serde_json::{Value, json};

use super::{Abilities, Assembly, MaxTokens, grow, schema_prompt};
use crate::schema::StrictForm;
use crate::{Block, Finish, ModelRequest, SchemaMode, StreamEvent, Usage};

pub(super) fn body(request: &ModelRequest, abilities: Abilities) -> Value {
    let mut user = joined(&request.user);
    if let Some(schema) = &request.schema
        && abilities.schema != SchemaMode::Strict
    {
        user = format!("{user}\n\n{}", schema_prompt(schema));
    }
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(message("system", joined(&request.system)));
    }
    messages.push(message("user", user));

    let mut body = json!({"model": request.model, "messages": null, "stream": true});
    body["messages"] = Value::Array(messages);
    let limit = match abilities.max_tokens {
        MaxTokens::Classic => "max_tokens",
        MaxTokens::Completion => "max_completion_tokens",
    };
    body[limit] = json!(request.max_output_tokens);
    if abilities.stream_usage {
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(temperature) = request.temperature
        && abilities.temperature
    {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = request.seed
        && abilities.seed
    {
        body["seed"] = json!(seed);
    }
    if let Some(schema) = &request.schema {
        match abilities.schema {
            SchemaMode::Strict => {
                let form = StrictForm::of(&schema.schema);
                body["response_format"] = json!({"type": "json_schema", "json_schema": {
                    "name": schema.name, "strict": form.can_be_strict, "schema": form.schema,
                }});
            }
            SchemaMode::JsonObject => body["response_format"] = json!({"type": "json_object"}),
            SchemaMode::Prompt => {}
        }
    }
    body
}

/// Moves the text, which is nearly all of a request.
fn message(role: &str, content: String) -> Value {
    let mut message = json!({"role": role});
    message["content"] = Value::String(content);
    message
}

fn joined(blocks: &[Block]) -> String {
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    texts.join("\n\n")
}

pub(super) fn event(answer: &mut Assembly, value: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
    answer.start(&value["id"], &value["model"], sink);
    let choice = &value["choices"][0];
    take_message(answer, &choice["delta"], sink);
    if let Some(reason) = choice["finish_reason"].as_str() {
        answer.finish = Some(reason.into());
    }
    take_usage(answer, value, sink);
}

pub(super) fn whole(
    answer: &mut Assembly,
    value: &Value,
    sink: &mut dyn FnMut(StreamEvent<'_>),
) -> bool {
    let choice = &value["choices"][0];
    if !choice["message"].is_object() {
        return false;
    }
    answer.start(&value["id"], &value["model"], sink);
    take_message(answer, &choice["message"], sink);
    answer.finish = choice["finish_reason"].as_str().map(Into::into);
    take_usage(answer, value, sink);
    true
}

fn take_message(answer: &mut Assembly, message: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
    // DeepSeek, Qwen and vLLM call it one way, OpenRouter and Ollama the other.
    for field in ["reasoning_content", "reasoning"] {
        grow(
            &mut answer.reasoning,
            &message[field],
            StreamEvent::Reasoning,
            sink,
        );
    }
    match &message["content"] {
        Value::Array(parts) => {
            for part in parts {
                grow(&mut answer.text, &part["text"], StreamEvent::Text, sink);
            }
        }
        content => grow(&mut answer.text, content, StreamEvent::Text, sink),
    }
    grow(
        &mut answer.refusal,
        &message["refusal"],
        StreamEvent::Text,
        sink,
    );
}

fn take_usage(answer: &mut Assembly, value: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
    let usage = &value["usage"];
    if !usage.is_object() {
        return;
    }
    let cached = usage["prompt_tokens_details"]["cached_tokens"]
        .as_u64()
        .or_else(|| usage["prompt_cache_hit_tokens"].as_u64());
    let counts = Usage {
        input: usage["prompt_tokens"].as_u64(),
        output: usage["completion_tokens"].as_u64(),
        cached,
        cache_write: None,
    };
    answer.take_usage(usage, counts, sink);
}

pub(super) fn finish(reason: &str) -> Finish {
    match reason {
        "stop" => Finish::Stop,
        "length" => Finish::Length,
        "content_filter" => Finish::ContentFilter,
        other => Finish::Other(other.into()),
    }
}
