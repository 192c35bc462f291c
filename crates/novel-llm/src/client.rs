//! The client: attempts, retries, and adaptation to what an endpoint cannot do.

use std::time::Instant;

use serde_json::Value;

use crate::abilities::{Abilities, AbilityMemory, ProcessMemory};
use crate::growing::Watch;
use crate::http::{Connections, Exchange, Head, Piece, shown_url};
use crate::sse::{SseEvent, SseParser};
use crate::wire::{Assembly, EventError, Reply, body, clean, status_of};
use crate::{
    CancelToken, Endpoint, Finish, Model, ModelAnswer, ModelError, ModelRequest, Pace,
    RedactingStream, Redactor, StreamEvent, SystemPace,
};

/// Bytes of an error body that are looked at.
const MAX_ERROR_BODY: usize = 64 * 1024;

/// A model at an [`Endpoint`].
pub struct Client {
    endpoint: Endpoint,
    url: String,
    pace: Box<dyn Pace>,
    connections: Connections,
    redactor: Redactor,
    /// What was learnt from rejected requests.
    memory: Box<dyn AbilityMemory>,
}

/// Passes events on without the key, also where it comes in pieces.
struct CleanEvents<'a> {
    on_event: &'a mut dyn FnMut(StreamEvent<'_>),
    text: RedactingStream,
    reasoning: RedactingStream,
}

impl<'a> CleanEvents<'a> {
    fn new(redactor: &Redactor, on_event: &'a mut dyn FnMut(StreamEvent<'_>)) -> Self {
        Self {
            on_event,
            text: RedactingStream::new(redactor.clone()),
            reasoning: RedactingStream::new(redactor.clone()),
        }
    }

    fn emit(&mut self, event: StreamEvent<'_>) {
        match event {
            StreamEvent::Text(text) => self.text(|stream| stream.feed(text.as_bytes())),
            StreamEvent::Reasoning(text) => self.reasoning(|stream| stream.feed(text.as_bytes())),
            event => (self.on_event)(event),
        }
    }

    /// Passes on what was held back.
    fn finish(&mut self) {
        self.text(RedactingStream::finish);
        self.reasoning(RedactingStream::finish);
    }

    fn text(&mut self, piece: impl FnOnce(&mut RedactingStream) -> Vec<u8>) {
        let piece = piece(&mut self.text);
        if !piece.is_empty() {
            (self.on_event)(StreamEvent::Text(&String::from_utf8_lossy(&piece)));
        }
    }

    fn reasoning(&mut self, piece: impl FnOnce(&mut RedactingStream) -> Vec<u8>) {
        let piece = piece(&mut self.reasoning);
        if !piece.is_empty() {
            (self.on_event)(StreamEvent::Reasoning(&String::from_utf8_lossy(&piece)));
        }
    }
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
            redactor: endpoint.redactor(),
            endpoint,
            pace,
            connections: Connections::default(),
            memory: Box::new(ProcessMemory::default()),
        }
    }

    /// This client, with what it learns of its models in `memory`.
    #[must_use]
    pub fn remembering(mut self, memory: Box<dyn AbilityMemory>) -> Self {
        self.memory = memory;
        self
    }

    /// The endpoint.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The address requests go to, as a person may see it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    fn abilities(&self, model: &str) -> Abilities {
        let known = self.memory.recall(model);
        let known = known.unwrap_or_else(|| Abilities::all(self.endpoint.schema_mode));
        Abilities {
            bounds: known.bounds && !self.endpoint.is_anthropic(),
            ..known
        }
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
        let mut events = CleanEvents::new(&self.redactor, on_event);
        let sink = &mut |event: StreamEvent<'_>| events.emit(event);
        let (answer, body) = if head.is_event_stream {
            (self.stream(request, &mut exchange, sink)?, None)
        } else {
            self.whole(request, &mut exchange, sink)?
        };
        events.finish();
        // The form has to be asked for in another way when the caller asks again.
        if request.schema.is_some()
            && answer.ignored(abilities.schema)
            && let Some((fewer, adaptation)) = abilities.with_less_schema(self.endpoint.wire)
        {
            self.memory.learn(&request.model, fewer);
            on_event(StreamEvent::Learnt(adaptation));
        }
        Ok(self.finished(answer, body))
    }

    fn stream(
        &self,
        request: &ModelRequest,
        exchange: &mut Exchange<'_>,
        sink: &mut dyn FnMut(StreamEvent<'_>),
    ) -> Result<Assembly, Failed> {
        let mut parser = SseParser::default();
        let mut answer = Assembly::new(self.endpoint.wire).asked_of(&request.model);
        let mut watch = Watch::new(request.schema.is_some());
        let mut watched = 0;
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
            let said = answer.said();
            watch.feed(said.get(watched..).unwrap_or_default());
            watched = said.len();
            if let Some(at) = watch.ends_at() {
                // What it would still say costs and is of no use. Dropping the exchange tells the server.
                answer.end_looped(at);
                return Ok(answer);
            }
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
        let mut answer = Assembly::new(self.endpoint.wire).asked_of(&request.model);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            if value.get("error").is_some_and(|error| !error.is_null()) {
                return Err(self.reported(request, &value));
            }
            if answer.whole(&value, sink) {
                let mut watch = Watch::new(request.schema.is_some());
                watch.feed(answer.said());
                if let Some(at) = watch.ends_at() {
                    answer.end_looped(at);
                }
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
        // A key that came in pieces is one only now.
        let hide = |text: String| self.redactor.redact(&text);
        ModelAnswer {
            text: hide(parts.text),
            reasoning: hide(parts.reasoning),
            raw: hide(body.unwrap_or(parts.raw)),
            usage: parts.usage,
            finish: match parts.finish {
                Finish::Other(reason) => Finish::Other(hide(reason)),
                known => known,
            },
            model: hide(parts.model),
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
            let wire = self.endpoint.wire;
            if let Some((fewer, adaptation)) =
                abilities.after(&failed.error, &failed.body, wire, request)
            {
                self.memory.learn(&request.model, fewer);
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
