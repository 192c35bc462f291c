//! Both wires: the events and objects of an answer.

use serde_json::{Value, json};

use crate::behaviour::error_body;
use crate::{Answer, Finish, Tokens};

/// Which protocol a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `POST …/chat/completions`.
    OpenAi,
    /// `POST …/messages`.
    Anthropic,
}

/// A piece of a stream.
pub(crate) enum Frame {
    /// An event to send, as SSE lines without their ends.
    Send(Vec<String>),
    /// Close the connection.
    Cut,
    /// Say nothing more.
    Stall,
    /// The place to use up the rest of the answer's time.
    Linger,
}

/// What the answer looks like depends on this much of the request.
pub(crate) struct Shape {
    pub(crate) wire: Wire,
    pub(crate) model: String,
    /// Whether token counts were asked for in the stream (OpenAI).
    pub(crate) include_usage: bool,
    /// Name of the tool the model must call (Anthropic).
    pub(crate) forced_tool: Option<String>,
}

impl Shape {
    /// The answer as one object.
    pub(crate) fn object(&self, answer: &Answer) -> Value {
        match self.wire {
            Wire::OpenAi => {
                let refused = answer.finish == Finish::Refusal;
                let mut message = json!({
                    "role": "assistant",
                    "content": if refused { Value::Null } else { json!(answer.text) },
                    "refusal": if refused { json!(answer.text) } else { Value::Null },
                });
                if !answer.reasoning.is_empty() {
                    message["reasoning_content"] = json!(answer.reasoning);
                }
                let mut object = json!({
                    "id": "chatcmpl-1", "object": "chat.completion", "created": 0,
                    "model": self.model,
                    "choices": [{"index": 0, "message": message,
                        "finish_reason": openai_finish(answer.finish), "logprobs": null}],
                });
                if !answer.no_usage {
                    object["usage"] = openai_usage(answer.tokens);
                }
                object
            }
            Wire::Anthropic => {
                let mut content = Vec::new();
                if !answer.reasoning.is_empty() {
                    content.push(
                        json!({"type": "thinking", "thinking": answer.reasoning, "signature": "s"}),
                    );
                }
                content.push(match (&self.forced_tool, answer.finish) {
                    (Some(tool), Finish::Stop | Finish::Length) => json!({
                        "type": "tool_use", "id": "toolu_1", "name": tool,
                        "input": serde_json::from_str(&answer.text).unwrap_or(Value::Null),
                    }),
                    _ => json!({"type": "text", "text": answer.text}),
                });
                let mut object = json!({
                    "id": "msg_1", "type": "message", "role": "assistant", "model": self.model,
                    "content": content, "stop_reason": self.anthropic_finish(answer.finish),
                    "stop_sequence": null,
                });
                if !answer.no_usage {
                    object["usage"] = anthropic_usage(answer.tokens);
                }
                object
            }
        }
    }

    /// The answer as a stream.
    pub(crate) fn frames(&self, answer: &Answer) -> Vec<Frame> {
        let mut frames = Vec::new();
        self.open(answer, &mut frames);
        for (number, piece) in pieces(&answer.text, answer.chars_per_event)
            .into_iter()
            .enumerate()
        {
            if let Some(fault) = self.fault(answer, number) {
                frames.push(fault);
                return frames;
            }
            match &answer.garbage_at {
                Some((at, line)) if *at == number => frames.push(Frame::Send(vec![line.clone()])),
                _ => frames.push(self.delta(answer, &piece)),
            }
        }
        // A fault behind the last text event still comes before the end markers.
        for after in [answer.cut_after, answer.stall_after, answer.error_after] {
            if let Some(number) = after
                && let Some(fault) = self.fault(answer, number)
            {
                frames.push(fault);
                return frames;
            }
        }
        frames.push(Frame::Linger);
        self.close(answer, &mut frames);
        frames
    }

    fn fault(&self, answer: &Answer, number: usize) -> Option<Frame> {
        if answer.cut_after == Some(number) {
            Some(Frame::Cut)
        } else if answer.stall_after == Some(number) {
            Some(Frame::Stall)
        } else if answer.error_after == Some(number) {
            let body = error_body(self.wire, "overloaded_error", "Overloaded");
            Some(self.event("error", &body))
        } else {
            None
        }
    }

    fn open(&self, answer: &Answer, frames: &mut Vec<Frame>) {
        match self.wire {
            Wire::OpenAi => {
                frames.push(self.chunk(&json!({"role": "assistant", "content": ""}), None));
                if !answer.reasoning.is_empty() {
                    frames.push(self.chunk(&json!({"reasoning_content": answer.reasoning}), None));
                }
            }
            Wire::Anthropic => {
                let mut message = json!({
                    "id": "msg_1", "type": "message", "role": "assistant", "model": self.model,
                    "content": [], "stop_reason": null, "stop_sequence": null,
                });
                if !answer.no_usage {
                    message["usage"] = anthropic_usage(Tokens {
                        output: 1,
                        ..answer.tokens
                    });
                }
                frames.push(self.event(
                    "message_start",
                    &json!({"type": "message_start", "message": message}),
                ));
                frames.push(self.event("ping", &json!({"type": "ping"})));
                if !answer.reasoning.is_empty() {
                    self.block(
                        0,
                        &json!({"type": "thinking", "thinking": "", "signature": ""}),
                        &json!({"type": "thinking_delta", "thinking": answer.reasoning}),
                        frames,
                    );
                }
                let block = match &self.forced_tool {
                    Some(tool) if answer.finish != Finish::Refusal => {
                        json!({"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}})
                    }
                    _ => json!({"type": "text", "text": ""}),
                };
                frames.push(self.event(
                    "content_block_start",
                    &json!({"type": "content_block_start", "index": 1, "content_block": block}),
                ));
            }
        }
    }

    fn block(&self, index: u32, start: &Value, delta: &Value, frames: &mut Vec<Frame>) {
        for (name, field, value) in [
            ("content_block_start", "content_block", start),
            ("content_block_delta", "delta", delta),
        ] {
            let mut event = json!({"type": name, "index": index});
            event[field] = value.clone();
            frames.push(self.event(name, &event));
        }
        frames.push(self.event(
            "content_block_stop",
            &json!({"type": "content_block_stop", "index": index}),
        ));
    }

    fn delta(&self, answer: &Answer, piece: &str) -> Frame {
        match self.wire {
            Wire::OpenAi if answer.finish == Finish::Refusal => {
                self.chunk(&json!({"refusal": piece}), None)
            }
            Wire::OpenAi => self.chunk(&json!({"content": piece}), None),
            Wire::Anthropic => {
                let delta = if self.forced_tool.is_some() && answer.finish != Finish::Refusal {
                    json!({"type": "input_json_delta", "partial_json": piece})
                } else {
                    json!({"type": "text_delta", "text": piece})
                };
                self.event(
                    "content_block_delta",
                    &json!({"type": "content_block_delta", "index": 1, "delta": delta}),
                )
            }
        }
    }

    fn close(&self, answer: &Answer, frames: &mut Vec<Frame>) {
        match self.wire {
            Wire::OpenAi => {
                frames.push(self.chunk(&json!({}), Some(openai_finish(answer.finish))));
                if self.include_usage && !answer.no_usage {
                    let mut usage = self.envelope();
                    usage["usage"] = openai_usage(answer.tokens);
                    frames.push(self.event("", &usage));
                }
                frames.push(Frame::Send(vec!["data: [DONE]".into()]));
            }
            Wire::Anthropic => {
                frames.push(self.event(
                    "content_block_stop",
                    &json!({"type": "content_block_stop", "index": 1}),
                ));
                let mut delta = json!({
                    "type": "message_delta",
                    "delta": {"stop_reason": self.anthropic_finish(answer.finish), "stop_sequence": null},
                });
                if !answer.no_usage {
                    delta["usage"] = json!({"output_tokens": answer.tokens.output});
                }
                frames.push(self.event("message_delta", &delta));
                frames.push(self.event("message_stop", &json!({"type": "message_stop"})));
            }
        }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Frame {
        let mut chunk = self.envelope();
        chunk["choices"] = json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
        self.event("", &chunk)
    }

    fn envelope(&self) -> Value {
        json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0,
            "model": self.model, "choices": [],
        })
    }

    fn event(&self, name: &str, data: &Value) -> Frame {
        let mut lines = Vec::new();
        if self.wire == Wire::Anthropic {
            lines.push(format!("event: {name}"));
        }
        lines.push(format!("data: {data}"));
        Frame::Send(lines)
    }

    fn anthropic_finish(&self, finish: Finish) -> &'static str {
        match finish {
            Finish::Stop if self.forced_tool.is_some() => "tool_use",
            Finish::Stop => "end_turn",
            Finish::Length => "max_tokens",
            Finish::Refusal | Finish::ContentFilter => "refusal",
        }
    }
}

fn openai_finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::Refusal => "stop",
        Finish::Length => "length",
        Finish::ContentFilter => "content_filter",
    }
}

fn openai_usage(tokens: Tokens) -> Value {
    json!({
        "prompt_tokens": tokens.input, "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    })
}

fn anthropic_usage(tokens: Tokens) -> Value {
    json!({
        "input_tokens": tokens.input.saturating_sub(tokens.cached + tokens.cache_write),
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": tokens.cache_write,
        "output_tokens": tokens.output,
    })
}

fn pieces(text: &str, chars: usize) -> Vec<String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(chars.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}
