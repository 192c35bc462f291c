//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Abilities, Assembly, grow, schema_prompt};
use crate::schema::StrictForm;
use crate::{Block, Finish, ModelRequest, SchemaMode, StreamEvent, Usage};

/// The API accepts so many cache breakpoints in one request.
const MAX_BREAKPOINTS: usize = 4;

pub(super) fn body(request: &ModelRequest, abilities: Abilities) -> Value {
    // A later breakpoint covers everything before it, so the last ones are kept.
    let marked = |blocks: &[Block]| blocks.iter().filter(|block| block.cache).count();
    let total = marked(&request.system) + marked(&request.user);
    let mut skip = total.saturating_sub(MAX_BREAKPOINTS);
    let mut content = |blocks: &[Block]| -> Vec<Value> {
        blocks
            .iter()
            .filter(|block| !block.text.trim().is_empty())
            .map(|block| {
                let mut part = json!({"type": "text", "text": block.text});
                if block.cache {
                    if skip == 0 {
                        part["cache_control"] = json!({"type": "ephemeral"});
                    } else {
                        skip -= 1;
                    }
                }
                part
            })
            .collect()
    };
    let system = content(&request.system);
    let mut user = content(&request.user);

    let mut body = json!({
        "model": request.model, "max_tokens": request.max_output_tokens, "stream": true,
    });
    if let Some(schema) = &request.schema {
        if abilities.schema == SchemaMode::Strict {
            body["tools"] = json!([{
                "name": schema.name,
                "description": "Hands over the whole answer. 提交完整答案。",
                "input_schema": StrictForm::of(&schema.schema).schema,
            }]);
            body["tool_choice"] = json!({"type": "tool", "name": schema.name});
        } else {
            user.push(json!({"type": "text", "text": schema_prompt(schema)}));
        }
    }
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    body["messages"] = json!([{"role": "user", "content": user}]);
    if let Some(temperature) = request.temperature
        && abilities.temperature
    {
        body["temperature"] = json!(temperature);
    }
    body
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
