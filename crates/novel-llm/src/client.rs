//! The client: attempts, retries, and adaptation to what an endpoint can not do.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value;

use crate::http::{Connections, Exchange, Head, Piece, shown_url};
use crate::sse::{SseEvent, SseParser};
use crate::wire::{Abilities, Assembly, EventError, MaxTokens, Reply, body, clean, status_of};
use crate::{
    Adaptation, CancelToken, Endpoint, Model, ModelAnswer, ModelError, ModelRequest, Pace,
    SchemaMode, StreamEvent, SystemPace, Wire,
};

/// Bytes of an error body that are looked at.
const MAX_ERROR_BODY: usize = 64 * 1024;

/// A model at an [`Endpoint`].
pub struct Client {
    endpoint: Endpoint,
    url: String,
    pace: Box<dyn Pace>,
    connections: Connections,
    /// By model: what was learnt from rejected requests.
    learnt: Mutex<BTreeMap<String, Abilities>>,
}

/// A failed attempt: its meaning, and the server's words for adaptation.
struct Failed {
    error: ModelError,
    body: String,
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Self {
            error,
            body: String::new(),
        }
    }
}

impl Client {
    /// A client of the endpoint.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self::with_pace(endpoint, Box::new(SystemPace))
    }

    /// A client with its own clock, pauses and dice.
    #[must_use]
    pub fn with_pace(endpoint: Endpoint, pace: Box<dyn Pace>) -> Self {
        Self {
            url: shown_url(&endpoint),
            endpoint,
            pace,
            connections: Connections::default(),
            learnt: Mutex::default(),
        }
    }

    /// The endpoint.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    fn abilities(&self, model: &str) -> Abilities {
        self.learnt
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(model)
            .copied()
            .unwrap_or_else(|| Abilities::all(self.endpoint.schema_mode))
    }

    fn learn(&self, model: &str, abilities: Abilities) {
        self.learnt
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(model.into(), abilities);
    }

    /// One request and its whole answer.
    fn attempt(
        &self,
        request: &ModelRequest,
        abilities: Abilities,
        on_event: &mut dyn FnMut(StreamEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<ModelAnswer, Failed> {
        let body = body(self.endpoint.wire, request, abilities);
        let mut exchange =
            Exchange::start(&self.endpoint, &self.connections, &self.url, body, cancel)?;
        let head = loop {
            match exchange.next()? {
                Piece::Head(head) => break head,
                Piece::Bytes(_) | Piece::End => {}
            }
        };
        if head.status != 200 {
            return Err(self.rejected(request, &head, &mut exchange));
        }
        let sink = &mut |event: StreamEvent<'_>| self.emit(event, on_event);
        let (answer, body) = if head.is_event_stream {
            (self.stream(request, &mut exchange, sink)?, None)
        } else {
            self.whole(request, &mut exchange, sink)?
        };
        // Some servers take the tool and leave it to the model's mood: the schema has
        // to be in the prompt when the caller asks again.
        if request.schema.is_some()
            && abilities.schema == SchemaMode::Strict
            && answer.ignored_tool()
        {
            let fewer = Abilities {
                schema: SchemaMode::Prompt,
                ..abilities
            };
            self.learn(&request.model, fewer);
            sink(StreamEvent::Learnt(Adaptation::PromptOnly));
        }
        Ok(self.finished(answer, body))
    }

    /// An event, without the key in its text.
    fn emit(&self, event: StreamEvent<'_>, on_event: &mut dyn FnMut(StreamEvent<'_>)) {
        match (&self.endpoint.key, event) {
            (Some(key), StreamEvent::Text(text)) => {
                on_event(StreamEvent::Text(&key.redact_answer(text)));
            }
            (Some(key), StreamEvent::Reasoning(text)) => {
                on_event(StreamEvent::Reasoning(&key.redact_answer(text)));
            }
            (_, event) => on_event(event),
        }
    }

    fn stream(
        &self,
        request: &ModelRequest,
        exchange: &mut Exchange<'_>,
        sink: &mut dyn FnMut(StreamEvent<'_>),
    ) -> Result<Assembly, Failed> {
        let mut parser = SseParser::default();
        let mut answer = Assembly::new(self.endpoint.wire);
        while !answer.ended() {
            let events = match exchange.next() {
                Ok(Piece::Bytes(bytes)) => {
                    parser.feed(&bytes).map_err(|bad| self.damaged(&bad.0))?
                }
                Ok(Piece::Head(_)) => continue,
                Ok(Piece::End) => {
                    // What an end without its empty line leaves behind may be whole
                    // or half an event; half of one is as good as none.
                    if let Ok(Some(event)) = parser.finish() {
                        match answer.event(&event, sink) {
                            Ok(()) | Err(EventError::Garbage(_)) => {}
                            Err(EventError::Reported(error)) => {
                                return Err(self.reported(request, &error));
                            }
                        }
                    }
                    break;
                }
                // The model's end has been seen, so nothing of the answer is missing:
                // it is paid for and used, whatever became of the connection.
                Err(_) if answer.complete() => break,
                Err(error) => return Err(error.into()),
            };
            self.take(request, &mut answer, &events, sink)?;
        }
        if !answer.complete() {
            return Err(ModelError::CutStream {
                url: self.url.clone(),
                bytes: exchange.bytes,
            }
            .into());
        }
        exchange.close();
        Ok(answer)
    }

    fn take(
        &self,
        request: &ModelRequest,
        answer: &mut Assembly,
        events: &[SseEvent],
        sink: &mut dyn FnMut(StreamEvent<'_>),
    ) -> Result<(), Failed> {
        for event in events {
            answer.event(event, sink).map_err(|error| match error {
                EventError::Garbage(data) => self.damaged(&data).into(),
                EventError::Reported(error) => self.reported(request, &error),
            })?;
        }
        Ok(())
    }

    /// An answer in one body, though a stream was asked for.
    fn whole(
        &self,
        request: &ModelRequest,
        exchange: &mut Exchange<'_>,
        sink: &mut dyn FnMut(StreamEvent<'_>),
    ) -> Result<(Assembly, Option<String>), Failed> {
        let mut bytes = Vec::new();
        loop {
            match exchange.next()? {
                Piece::Bytes(more) => bytes.extend(more),
                Piece::Head(_) => {}
                Piece::End => break,
            }
        }
        let mut answer = Assembly::new(self.endpoint.wire);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            if value.get("error").is_some_and(|error| !error.is_null()) {
                return Err(self.reported(request, &value));
            }
            if answer.whole(&value, sink) {
                return Ok((answer, Some(text.into_owned())));
            }
        } else if text.trim_start().starts_with("data:") || text.trim_start().starts_with("event:")
        {
            // A stream that does not say so in its header.
            let mut parser = SseParser::default();
            let mut events = parser.feed(&bytes).map_err(|bad| self.damaged(&bad.0))?;
            events.extend(parser.finish().map_err(|bad| self.damaged(&bad.0))?);
            self.take(request, &mut answer, &events, sink)?;
            if answer.complete() {
                return Ok((answer, None));
            }
            return Err(ModelError::CutStream {
                url: self.url.clone(),
                bytes: exchange.bytes,
            }
            .into());
        }
        Err(ModelError::NotAnAnswer {
            url: self.url.clone(),
            excerpt: clean(&self.endpoint, &text),
        }
        .into())
    }

    fn finished(&self, answer: Assembly, body: Option<String>) -> ModelAnswer {
        let parts = answer.into_parts();
        let hide = |text: String| match &self.endpoint.key {
            Some(key) => key.redact_answer(&text),
            None => text,
        };
        ModelAnswer {
            text: hide(parts.text),
            reasoning: hide(parts.reasoning),
            raw: hide(body.unwrap_or(parts.raw)),
            usage: parts.usage,
            finish: parts.finish,
            model: parts.model,
            attempts: 0,
            duration: std::time::Duration::ZERO,
        }
    }

    fn damaged(&self, data: &str) -> ModelError {
        ModelError::Malformed {
            url: self.url.clone(),
            excerpt: clean(&self.endpoint, data),
        }
    }

    /// An error with a status of its own.
    fn rejected(&self, request: &ModelRequest, head: &Head, exchange: &mut Exchange<'_>) -> Failed {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_ERROR_BODY {
            match exchange.next() {
                Ok(Piece::Bytes(more)) => bytes.extend(more),
                Ok(Piece::Head(_)) => {}
                Err(ModelError::Cancelled) => return ModelError::Cancelled.into(),
                // The status says enough; its words are a help only.
                Ok(Piece::End) | Err(_) => break,
            }
        }
        let body = String::from_utf8_lossy(&bytes).into_owned();
        let retry_after = head.retry_after(self.pace.now());
        self.fault(request, head.status, retry_after, body)
    }

    /// An error inside a success.
    fn reported(&self, request: &ModelRequest, error: &Value) -> Failed {
        self.fault(request, status_of(error), None, error.to_string())
    }

    fn fault(
        &self,
        request: &ModelRequest,
        status: u16,
        retry_after: Option<std::time::Duration>,
        body: String,
    ) -> Failed {
        let error = Reply {
            endpoint: &self.endpoint,
            url: &self.url,
            model: &request.model,
            status,
            retry_after,
            body: &body,
        }
        .meaning();
        Failed { error, body }
    }
}

impl Model for Client {
    fn ask(
        &self,
        request: &ModelRequest,
        on_event: &mut dyn FnMut(StreamEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<ModelAnswer, ModelError> {
        let started = Instant::now();
        let policy = &self.endpoint.retry;
        let (mut attempts, mut failures) = (0, 0);
        loop {
            if cancel.is_cancelled() {
                return Err(ModelError::Cancelled);
            }
            attempts += 1;
            let abilities = self.abilities(&request.model);
            let failed = match self.attempt(request, abilities, on_event, cancel) {
                Ok(mut answer) => {
                    answer.attempts = attempts;
                    answer.duration = started.elapsed();
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            if let Some((fewer, adaptation)) =
                adapt(&failed, self.endpoint.wire, request, abilities)
            {
                self.learn(&request.model, fewer);
                on_event(StreamEvent::Adapted(adaptation));
                continue;
            }
            let error = failed.error;
            if !error.is_retryable() {
                return Err(error);
            }
            failures += 1;
            if failures >= policy.max_attempts {
                return Err(match failures {
                    1 => error,
                    attempts => ModelError::RetriesExhausted {
                        attempts,
                        last: Box::new(error),
                    },
                });
            }
            let wait = match error.retry_after() {
                Some(asked) if asked > policy.max_retry_after => {
                    return Err(ModelError::RetryAfterTooLong {
                        url: self.url.clone(),
                        asked,
                        limit: policy.max_retry_after,
                    });
                }
                Some(asked) => asked,
                None => policy.backoff(failures, self.pace.jitter()),
            };
            on_event(StreamEvent::Retry {
                attempt: failures,
                wait,
                why: &error,
            });
            self.pace.wait(wait, cancel);
        }
    }
}

/// What to leave out after a request was called wrong. Each step takes one ability
/// away for good, so there are only a few.
fn adapt(
    failed: &Failed,
    wire: Wire,
    request: &ModelRequest,
    abilities: Abilities,
) -> Option<(Abilities, Adaptation)> {
    if !matches!(
        failed.error,
        ModelError::BadRequest {
            status: 400 | 422,
            ..
        }
    ) {
        return None;
    }
    let body = failed.body.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| body.contains(sign));
    let mut fewer = abilities;
    if wire == Wire::OpenAi {
        if abilities.max_tokens == MaxTokens::Classic && says(&["max_completion_tokens"]) {
            fewer.max_tokens = MaxTokens::Completion;
            return Some((fewer, Adaptation::MaxCompletionTokens));
        }
        if abilities.stream_usage && says(&["stream_options", "include_usage"]) {
            fewer.stream_usage = false;
            return Some((fewer, Adaptation::NoStreamUsage));
        }
        if request.seed.is_some() && abilities.seed && says(&["seed"]) {
            fewer.seed = false;
            return Some((fewer, Adaptation::NoSeed));
        }
    }
    // A temperature out of range is the author's to correct; an unsupported one is not.
    if request.temperature.is_some()
        && abilities.temperature
        && says(&["temperature"])
        && says(&["support", "deprecated"])
    {
        fewer.temperature = false;
        return Some((fewer, Adaptation::NoTemperature));
    }
    let structured = match wire {
        Wire::OpenAi => says(&[
            "response_format",
            "json_schema",
            "json_object",
            "structured output",
            "grammar",
        ]),
        Wire::Anthropic => says(&["tool", "input_schema"]),
    };
    if request.schema.is_none() || !structured {
        return None;
    }
    let (mode, adaptation) = match (abilities.schema, wire) {
        (SchemaMode::Strict, Wire::OpenAi) => (SchemaMode::JsonObject, Adaptation::JsonObject),
        (SchemaMode::Strict, Wire::Anthropic) | (SchemaMode::JsonObject, Wire::OpenAi) => {
            (SchemaMode::Prompt, Adaptation::PromptOnly)
        }
        (SchemaMode::JsonObject, Wire::Anthropic) | (SchemaMode::Prompt, _) => return None,
    };
    fewer.schema = mode;
    Some((fewer, adaptation))
}
