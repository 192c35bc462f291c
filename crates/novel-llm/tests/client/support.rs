//! A client, a server and a clock that does not wait.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use novel_llm::{
    Block, CancelToken, Client, Endpoint, Model, ModelAnswer, ModelError, ModelRequest, Pace,
    RetryPolicy, SchemaRequest, Secret, StreamEvent, Timeouts, Wire,
};
use novel_mockllm::{Behaviour, MockServer};
use serde_json::json;

pub(crate) const KEY: &str = "sk-test-0123456789abcdefghij";
/// A Sunday; the `Retry-After` date of the tests is 37 seconds later.
pub(crate) const NOW_UNIX: u64 = 784_111_740;
pub(crate) const BOTH: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];

/// Remembers the pauses instead of making them.
#[derive(Clone, Default)]
pub(crate) struct TestPace(pub(crate) Arc<Mutex<Vec<Duration>>>);

impl Pace for TestPace {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(NOW_UNIX)
    }

    fn wait(&self, duration: Duration, _: &CancelToken) {
        self.0.lock().unwrap().push(duration);
    }

    fn jitter(&self) -> f64 {
        1.0
    }
}

/// One call and all that was seen of it.
pub(crate) struct Outcome {
    pub(crate) result: Result<ModelAnswer, ModelError>,
    /// `Debug` of each event.
    pub(crate) events: Vec<String>,
    /// The text of the text events since the last retry.
    pub(crate) streamed: String,
    pub(crate) waits: Vec<Duration>,
}

impl Outcome {
    pub(crate) fn answer(&self) -> &ModelAnswer {
        self.result.as_ref().expect("an answer")
    }

    pub(crate) fn error(&self) -> &ModelError {
        self.result.as_ref().expect_err("no answer")
    }

    pub(crate) fn retries(&self) -> usize {
        let is_retry = |event: &&String| event.starts_with("Retry");
        self.events.iter().filter(is_retry).count()
    }
}

pub(crate) struct Setup {
    pub(crate) server: MockServer,
    pub(crate) endpoint: Endpoint,
}

impl Setup {
    pub(crate) fn new(wire: Wire, behaviours: Vec<Behaviour>) -> Self {
        Self::with(wire, MockServer::sequence(behaviours).unwrap())
    }

    pub(crate) fn with(wire: Wire, server: MockServer) -> Self {
        let base = match wire {
            Wire::OpenAi => server.openai_base(),
            Wire::Anthropic => server.anthropic_base(),
        };
        let mut endpoint = Endpoint::new(wire, base);
        endpoint.key = Some(Secret::new(KEY).unwrap());
        endpoint.timeouts = Timeouts {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(20),
            silent: Duration::from_secs(20),
            total: Duration::from_secs(40),
        };
        endpoint.retry = RetryPolicy {
            max_attempts: 3,
            first_wait: Duration::from_secs(1),
            max_wait: Duration::from_secs(30),
            max_retry_after: Duration::from_secs(60),
        };
        Self { server, endpoint }
    }

    pub(crate) fn ask(&self, request: &ModelRequest) -> Outcome {
        self.ask_with(request, &CancelToken::new(), |_| {})
    }

    pub(crate) fn ask_with(
        &self,
        request: &ModelRequest,
        cancel: &CancelToken,
        on_event: impl FnMut(&StreamEvent<'_>),
    ) -> Outcome {
        let pace = TestPace::default();
        let client = Client::with_pace(self.endpoint.clone(), Box::new(pace.clone()));
        ask_client(&client, &pace, request, cancel, on_event)
    }
}

pub(crate) fn ask_client(
    client: &Client,
    pace: &TestPace,
    request: &ModelRequest,
    cancel: &CancelToken,
    mut on_event: impl FnMut(&StreamEvent<'_>),
) -> Outcome {
    let mut events = Vec::new();
    let mut streamed = String::new();
    let result = client.ask(
        request,
        &mut |event| {
            on_event(&event);
            events.push(format!("{event:?}"));
            match event {
                StreamEvent::Text(text) => streamed.push_str(text),
                StreamEvent::Retry { .. } | StreamEvent::Adapted(_) => streamed.clear(),
                StreamEvent::Started { .. }
                | StreamEvent::Learnt(_)
                | StreamEvent::Reasoning(_)
                | StreamEvent::Usage(_) => {}
            }
        },
        cancel,
    );
    Outcome {
        result,
        events,
        streamed,
        waits: std::mem::take(&mut pace.0.lock().unwrap()),
    }
}

pub(crate) fn prose() -> ModelRequest {
    ModelRequest {
        model: "test-model".into(),
        system: vec![Block::cached("你是小说家。")],
        user: vec![Block::text("写第一章。")],
        schema: None,
        max_output_tokens: 500,
        thinking_tokens: 0,
        temperature: Some(0.7),
        seed: None,
    }
}

pub(crate) fn structured() -> ModelRequest {
    ModelRequest {
        schema: Some(SchemaRequest {
            name: "verdict".into(),
            schema: Arc::new(json!({
                "type": "object",
                "properties": {"分数": {"type": "number"}, "评语": {"type": "string"}},
                "required": ["分数"],
            })),
        }),
        ..prose()
    }
}
