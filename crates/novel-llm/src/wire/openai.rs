//! OpenAI chat completions, and the dialects of those that imitate them.

use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::{Abilities, Assembly, MaxTokens, grow, schema_prompt};
use crate::schema::StrictForm;
use crate::{Block, Finish, ModelRequest, SchemaMode, StreamEvent, Usage};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'a str,
    content: String,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: NamedSchema<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a RawValue,
}

pub(super) fn body(request: &ModelRequest, abilities: Abilities) -> serde_json::Result<String> {
    let form = request.schema.as_ref().map(|it| StrictForm::of(&it.schema));
    let asked = request.schema.as_ref().zip(form.as_deref());
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(Message {
            role: "system",
            content: joined(&request.system),
        });
    }
    let mut user = joined(&request.user);
    let mut response_format = None;
    if let Some((schema, form)) = asked {
        match abilities.schema {
            SchemaMode::Strict => {
                response_format = Some(ResponseFormat::JsonSchema {
                    json_schema: NamedSchema {
                        name: &schema.name,
                        strict: form.can_be_strict,
                        schema: form.schema(abilities.bounds),
                    },
                });
            }
            SchemaMode::Tool | SchemaMode::JsonObject => {
                response_format = Some(ResponseFormat::JsonObject);
            }
            SchemaMode::Prompt => {}
        }
        if abilities.schema != SchemaMode::Strict {
            user = format!("{user}\n\n{}", schema_prompt(form));
        }
    }
    messages.push(Message {
        role: "user",
        content: user,
    });
    let limit = Some(request.token_limit());
    let (max_tokens, max_completion_tokens) = match abilities.max_tokens {
        MaxTokens::Classic => (limit, None),
        MaxTokens::Completion => (None, limit),
    };
    serde_json::to_string(&Body {
        model: &request.model,
        messages,
        stream: true,
        max_tokens,
        max_completion_tokens,
        stream_options: abilities.stream_usage.then_some(StreamOptions {
            include_usage: true,
        }),
        temperature: request.temperature.filter(|_| abilities.temperature),
        seed: request.seed.filter(|_| abilities.seed),
        response_format,
    })
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
        // Routers and proxies that pass the provider's count on call it differently.
        cache_write: [
            &usage["prompt_tokens_details"]["cache_write_tokens"],
            &usage["prompt_tokens_details"]["cache_creation_tokens"],
            &usage["cache_creation_input_tokens"],
        ]
        .into_iter()
        .find_map(Value::as_u64),
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
