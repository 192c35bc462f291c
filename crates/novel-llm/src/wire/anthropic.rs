//! Anthropic Messages.

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

use super::{Abilities, Assembly, grow, schema_prompt};
use crate::schema::StrictForm;
use crate::{Block, Finish, ModelRequest, SchemaMode, StreamEvent, Usage};

/// The API accepts so many cache breakpoints in one request.
const MAX_BREAKPOINTS: usize = 4;
/// Lifetime of a cached prefix. The usual five minutes are over before the same agent is asked for
/// the next chapter.
const CACHE_TTL: &str = "1h";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Part<'a>>,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: OutputFormat<'a>,
}

#[derive(Serialize)]
struct OutputFormat<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    schema: &'a RawValue,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
}

#[derive(Serialize)]
struct ToolChoice<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'a str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'static str>,
}

pub(super) fn body(request: &ModelRequest, abilities: Abilities) -> serde_json::Result<String> {
    // A later breakpoint covers everything before it, so the last ones are kept.
    let marked = |blocks: &[Block]| blocks.iter().filter(|block| block.cache).count();
    let total = marked(&request.system) + marked(&request.user);
    let mut skip = total.saturating_sub(MAX_BREAKPOINTS);
    let ttl = abilities.cache_hour.then_some(CACHE_TTL);
    let system = parts(&request.system, &mut skip, ttl);
    let mut user = parts(&request.user, &mut skip, ttl);

    let form = request.schema.as_ref().map(|it| StrictForm::of(&it.schema));
    let asked = request.schema.as_ref().zip(form.as_deref());
    let by = |mode: SchemaMode| asked.filter(|_| abilities.schema == mode);
    let (format, tool) = (by(SchemaMode::Strict), by(SchemaMode::Tool));
    let words = asked.filter(|_| format.is_none() && tool.is_none());
    let words = words.map(|(_, form)| schema_prompt(form));
    if let Some(words) = &words {
        user.push(Part {
            kind: "text",
            text: words,
            cache_control: None,
        });
    }
    serde_json::to_string(&Body {
        model: &request.model,
        max_tokens: request.token_limit(),
        stream: true,
        output_config: format.map(|(_, form)| OutputConfig {
            format: OutputFormat {
                kind: "json_schema",
                schema: form.schema(abilities.bounds),
            },
        }),
        tools: tool.map(|(schema, form)| {
            [Tool {
                name: &schema.name,
                description: "Hands over the whole answer. 提交完整答案。",
                input_schema: &form.text,
            }]
        }),
        tool_choice: tool.map(|(schema, _)| ToolChoice {
            kind: "tool",
            name: &schema.name,
        }),
        system,
        messages: [Message {
            role: "user",
            content: user,
        }],
        temperature: request.temperature.filter(|_| abilities.temperature),
    })
}

/// Blocks with something in them; the first `skip` breakpoints are left out.
fn parts<'a>(blocks: &'a [Block], skip: &mut usize, ttl: Option<&'static str>) -> Vec<Part<'a>> {
    let full = blocks.iter().filter(|block| !block.text.trim().is_empty());
    let parts = full.map(|block| {
        let is_kept = block.cache && *skip == 0;
        if block.cache {
            *skip = skip.saturating_sub(1);
        }
        Part {
            kind: "text",
            text: &block.text,
            cache_control: is_kept.then_some(CacheControl {
                kind: "ephemeral",
                ttl,
            }),
        }
    });
    parts.collect()
}

pub(super) fn event(answer: &mut Assembly, value: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
    match value["type"].as_str().unwrap_or_default() {
        "message_start" => {
            let message = &value["message"];
            answer.start(&message["id"], &message["model"], sink);
            take_usage(answer, &message["usage"], sink);
        }
        "content_block_start" => {
            let block = &value["content_block"];
            grow(&mut answer.text, &block["text"], StreamEvent::Text, sink);
        }
        "content_block_delta" => {
            let delta = &value["delta"];
            match delta["type"].as_str().unwrap_or_default() {
                "text_delta" => grow(&mut answer.text, &delta["text"], StreamEvent::Text, sink),
                "input_json_delta" => {
                    let piece = &delta["partial_json"];
                    grow(&mut answer.tool, piece, StreamEvent::Text, sink);
                }
                "thinking_delta" => {
                    let piece = &delta["thinking"];
                    grow(&mut answer.reasoning, piece, StreamEvent::Reasoning, sink);
                }
                // Signatures and citations carry no text.
                _ => {}
            }
        }
        "message_delta" => {
            if let Some(reason) = value["delta"]["stop_reason"].as_str() {
                answer.finish = Some(reason.into());
            }
            take_usage(answer, &value["usage"], sink);
        }
        "message_stop" => answer.ended = true,
        // `ping`, `content_block_stop` and whatever comes later say nothing here.
        _ => {}
    }
}

pub(super) fn whole(
    answer: &mut Assembly,
    value: &Value,
    sink: &mut dyn FnMut(StreamEvent<'_>),
) -> bool {
    let Some(blocks) = value["content"].as_array() else {
        return false;
    };
    answer.start(&value["id"], &value["model"], sink);
    for block in blocks {
        match block["type"].as_str().unwrap_or_default() {
            "text" => grow(&mut answer.text, &block["text"], StreamEvent::Text, sink),
            "thinking" => grow(
                &mut answer.reasoning,
                &block["thinking"],
                StreamEvent::Reasoning,
                sink,
            ),
            "tool_use" => {
                let input = json!(block["input"].to_string());
                grow(&mut answer.tool, &input, StreamEvent::Text, sink);
            }
            _ => {}
        }
    }
    answer.finish = value["stop_reason"].as_str().map(Into::into);
    take_usage(answer, &value["usage"], sink);
    true
}

fn take_usage(answer: &mut Assembly, usage: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
    if !usage.is_object() {
        return;
    }
    let cached = usage["cache_read_input_tokens"].as_u64();
    let cache_write = usage["cache_creation_input_tokens"].as_u64();
    let counts = Usage {
        // The wire counts cached tokens apart from the others.
        input: usage["input_tokens"]
            .as_u64()
            .map(|fresh| fresh + cached.unwrap_or(0) + cache_write.unwrap_or(0)),
        output: usage["output_tokens"].as_u64(),
        cached,
        cache_write,
    };
    answer.take_usage(usage, counts, sink);
}

pub(super) fn finish(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" | "tool_use" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refusal,
        other => Finish::Other(other.into()),
    }
}
