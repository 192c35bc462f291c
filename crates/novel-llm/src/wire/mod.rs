//! What is common to both wires: the request's variants and the growing answer.

mod anthropic;
mod fault;
mod openai;

use serde_json::{Value, json};

pub(crate) use fault::{Reply, clean, status_of};

use crate::abilities::{Abilities, MaxTokens};
use crate::schema::StrictForm;
use crate::sse::SseEvent;
use crate::{Finish, ModelRequest, SchemaMode, StreamEvent, Usage, Wire};

/// The request's body.
pub(crate) fn body(wire: Wire, request: &ModelRequest, abilities: Abilities) -> String {
    let body = match wire {
        Wire::OpenAi => openai::body(request, abilities),
        Wire::Anthropic => anthropic::body(request, abilities),
    };
    // Texts, numbers and JSON are always JSON.
    body.unwrap_or_default()
}

/// The words that ask for JSON where nothing else can.
///
/// The last block of the prompt, so that the cacheable prefix stays the same.
fn schema_prompt(form: &StrictForm) -> String {
    format!(
        "只输出一个 JSON 对象，符合下面的 JSON Schema；不要代码围栏，不要任何解释。\n\
         Output one JSON object that follows this JSON Schema; no code fence, no explanation.\n{}",
        form.text
    )
}

/// The reason for the end of an answer that the client ended, in the ledger.
const LOOPED: &str = "looped";

/// An event that cannot be used.
#[derive(Debug)]
pub(crate) enum EventError {
    /// Not JSON, or not an object.
    Garbage(String),
    /// The server reports a failure inside the stream.
    Reported(Value),
}

/// An answer while it grows.
#[derive(Debug)]
pub(crate) struct Assembly {
    wire: Wire,
    id: Option<String>,
    pub(crate) model: String,
    text: String,
    /// Input of the forced tool (Anthropic).
    tool: String,
    refusal: String,
    reasoning: String,
    finish: Option<String>,
    usage: Usage,
    usage_seen: Vec<Value>,
    ended: bool,
}

impl Assembly {
    pub(crate) fn new(wire: Wire) -> Self {
        Self {
            wire,
            id: None,
            model: String::new(),
            text: String::new(),
            tool: String::new(),
            refusal: String::new(),
            reasoning: String::new(),
            finish: None,
            usage: Usage::default(),
            usage_seen: Vec::new(),
            ended: false,
        }
    }

    /// The answer of a model whose server may not say its name.
    pub(crate) fn asked_of(self, model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ..self
        }
    }

    /// Takes one event of a stream.
    pub(crate) fn event(
        &mut self,
        event: &SseEvent,
        sink: &mut dyn FnMut(StreamEvent<'_>),
    ) -> Result<(), EventError> {
        let data = event.data.trim();
        if data.is_empty() || self.ended {
            return Ok(());
        }
        if data == "[DONE]" {
            self.ended = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(data)
            .ok()
            .filter(Value::is_object)
            .ok_or_else(|| EventError::Garbage(data.into()))?;
        if event.name == "error" || value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(EventError::Reported(value));
        }
        match self.wire {
            Wire::OpenAi => openai::event(self, &value, sink),
            Wire::Anthropic => anthropic::event(self, &value, sink),
        }
        Ok(())
    }

    /// Takes an answer in one object; `false` when it is none.
    pub(crate) fn whole(&mut self, value: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) -> bool {
        let taken = match self.wire {
            Wire::OpenAi => openai::whole(self, value, sink),
            Wire::Anthropic => anthropic::whole(self, value, sink),
        };
        self.ended |= taken;
        taken
    }

    /// Nothing more is to come.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The model's end is known; only token counts or the end marker may be missing.
    pub(crate) fn complete(&self) -> bool {
        self.ended || self.finish.is_some()
    }

    /// The answer so far: the forced tool's input where there is any.
    pub(crate) fn said(&self) -> &str {
        if self.tool.is_empty() {
            &self.text
        } else {
            &self.tool
        }
    }

    /// Ends an answer that goes round in circles after so many bytes.
    pub(crate) fn end_looped(&mut self, at: usize) {
        let said = if self.tool.is_empty() {
            &mut self.text
        } else {
            &mut self.tool
        };
        // Whatever came with it in one piece.
        said.truncate(at);
        self.finish = Some(LOOPED.to_owned());
        self.ended = true;
    }

    /// Whether the model was done and kept to no form, though it was asked for one in this way:
    /// imitations of the Anthropic wire leave the field or the tool to the model's mood.
    pub(crate) fn ignored(&self, mode: SchemaMode) -> bool {
        let kept = match mode {
            SchemaMode::Strict => self.text.trim_start().starts_with('{'),
            SchemaMode::Tool => !self.tool.is_empty(),
            SchemaMode::JsonObject | SchemaMode::Prompt => true,
        };
        self.wire == Wire::Anthropic && !kept && self.finish.as_deref() == Some("end_turn")
    }

    /// The answer's parts: text, reasoning, finish, usage and the ledger's object.
    pub(crate) fn into_parts(self) -> Parts {
        let refused = !self.refusal.is_empty() && self.text.is_empty() && self.tool.is_empty();
        let finish = match self.finish.as_deref() {
            _ if refused => Finish::Refusal,
            Some(LOOPED) => Finish::Looped,
            Some(reason) => match self.wire {
                Wire::OpenAi => openai::finish(reason),
                Wire::Anthropic => anthropic::finish(reason),
            },
            None => Finish::Other("unspecified".into()),
        };
        let raw = json!({
            "wire": match self.wire { Wire::OpenAi => "openai", Wire::Anthropic => "anthropic" },
            "id": self.id,
            "model": self.model,
            "text": self.text,
            "tool_input": self.tool,
            "refusal": self.refusal,
            "reasoning": self.reasoning,
            "finish_reason": self.finish,
            "usage": self.usage_seen,
        });
        let text = if refused {
            self.refusal
        } else if self.tool.is_empty() {
            self.text
        } else {
            self.tool
        };
        Parts {
            text,
            reasoning: self.reasoning,
            model: self.model,
            finish,
            usage: self.usage,
            raw: raw.to_string(),
        }
    }

    fn start(&mut self, id: &Value, model: &Value, sink: &mut dyn FnMut(StreamEvent<'_>)) {
        if self.id.is_some() {
            return;
        }
        self.id = Some(id.as_str().unwrap_or_default().into());
        if let Some(model) = model.as_str().filter(|model| !model.is_empty()) {
            model.clone_into(&mut self.model);
        }
        sink(StreamEvent::Started { model: &self.model });
    }

    fn take_usage(&mut self, raw: &Value, usage: Usage, sink: &mut dyn FnMut(StreamEvent<'_>)) {
        self.usage = self.usage.updated(usage);
        self.usage_seen.push(raw.clone());
        sink(StreamEvent::Usage(self.usage));
    }
}

/// The parts of a finished answer.
pub(crate) struct Parts {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) model: String,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    pub(crate) raw: String,
}

/// Appends a non-empty string and reports it.
fn grow<'s>(
    target: &mut String,
    piece: &'s Value,
    as_event: impl FnOnce(&'s str) -> StreamEvent<'s>,
    sink: &mut dyn FnMut(StreamEvent<'_>),
) {
    if let Some(piece) = piece.as_str().filter(|piece| !piece.is_empty()) {
        target.push_str(piece);
        sink(as_event(piece));
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
