//! What the server does with a request.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Wire;

/// What the server does with one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Answers as the wire demands: a stream if one was asked for, else one object.
    Answer(Answer),
    /// Answers with a status and a body.
    Status {
        /// The status.
        status: u16,
        /// Further headers.
        #[serde(default)]
        headers: Vec<(String, String)>,
        /// The body.
        body: String,
    },
    /// Answers with an error in the shape of the wire that was called.
    Error {
        /// The status.
        status: u16,
        /// `type` of the error object.
        kind: String,
        /// Its message.
        message: String,
        /// Further headers.
        #[serde(default)]
        headers: Vec<(String, String)>,
    },
    /// Takes the request and says nothing until the client goes away.
    Stall,
    /// Closes the connection without an answer.
    Close,
    /// Does something else after a pause.
    Delayed {
        /// The pause.
        millis: u64,
        /// What then.
        then: Box<Behaviour>,
    },
}

/// A protocol-true answer, with optional faults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The text; with a forced tool (Anthropic) the input of the tool.
    pub text: String,
    /// Reasoning sent before it.
    pub reasoning: String,
    /// Why it ends.
    pub finish: Finish,
    /// Token counts.
    pub tokens: Tokens,
    /// Characters per event of the stream.
    pub chars_per_event: usize,
    /// Bytes per write to the socket, each sent as one HTTP chunk; `None` writes
    /// event by event.
    pub bytes_per_write: Option<usize>,
    /// Closes the connection after so many text events.
    pub cut_after: Option<usize>,
    /// Falls silent after so many text events until the client goes away.
    pub stall_after: Option<usize>,
    /// Sends a provider error inside the stream after so many text events.
    pub error_after: Option<usize>,
    /// Sends this line instead of the text event with this number.
    pub garbage_at: Option<(usize, String)>,
    /// Ends lines with CRLF, leaves out the space after `data:` and adds comments.
    pub odd_sse: bool,
    /// Answers with one object even if a stream was asked for.
    pub whole: bool,
    /// Answers with text though a tool was forced, as small local models do.
    pub ignores_tool: bool,
    /// Leaves out all token counts.
    pub no_usage: bool,
    /// From the request to the last byte, in milliseconds; the stream starts at once.
    pub lasts_millis: Option<u64>,
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            text: String::new(),
            reasoning: String::new(),
            finish: Finish::Stop,
            tokens: Tokens::default(),
            chars_per_event: 4,
            bytes_per_write: None,
            cut_after: None,
            stall_after: None,
            error_after: None,
            garbage_at: None,
            odd_sse: false,
            whole: false,
            ignores_tool: false,
            no_usage: false,
            lasts_millis: None,
        }
    }
}

/// Why an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model is done.
    Stop,
    /// The limit of tokens is reached.
    Length,
    /// The model declines, with the text as its words.
    Refusal,
    /// A filter stops it (OpenAI; Anthropic has no such reason and says refusal).
    ContentFilter,
}

/// Token counts of an answer; `input` includes the cached ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Prompt.
    pub input: u64,
    /// Answer.
    pub output: u64,
    /// Prompt tokens read from a cache.
    pub cached: u64,
    /// Prompt tokens written to a cache (Anthropic).
    pub cache_write: u64,
}

impl Default for Tokens {
    fn default() -> Self {
        Self {
            input: 100,
            output: 20,
            cached: 0,
            cache_write: 0,
        }
    }
}

impl From<Answer> for Behaviour {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

impl Answer {
    /// An answer with this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

impl Behaviour {
    /// A whole, correct answer.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Answer::new(text).into()
    }

    /// A whole, correct answer with this JSON as its text.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }

    /// JSON in a code fence with chatter around it.
    #[must_use]
    pub fn fenced(value: &Value) -> Self {
        Self::text(format!(
            "好的，结果如下：\n```json\n{value:#}\n```\n希望有帮助！"
        ))
    }

    /// A refusal in the wire's own way.
    #[must_use]
    pub fn refusal(words: impl Into<String>) -> Self {
        Answer {
            finish: Finish::Refusal,
            ..Answer::new(words)
        }
        .into()
    }

    /// An answer of at least so many bytes.
    #[must_use]
    pub fn huge(bytes: usize) -> Self {
        Answer {
            chars_per_event: 4096,
            ..Answer::new(noise(bytes))
        }
        .into()
    }

    /// A stream that ends without its end after so many text events.
    #[must_use]
    pub fn cut(text: impl Into<String>, after_events: usize) -> Self {
        Answer {
            cut_after: Some(after_events),
            ..Answer::new(text)
        }
        .into()
    }

    /// A stream that falls silent after so many text events.
    #[must_use]
    pub fn silent(text: impl Into<String>, after_events: usize) -> Self {
        Answer {
            stall_after: Some(after_events),
            ..Answer::new(text)
        }
        .into()
    }

    /// 429 with `Retry-After` in seconds.
    #[must_use]
    pub fn rate_limited(seconds: u64) -> Self {
        Self::Error {
            status: 429,
            kind: "rate_limit_error".into(),
            message: "Rate limit reached, slow down".into(),
            headers: vec![("Retry-After".into(), seconds.to_string())],
        }
    }

    /// A failure of the server.
    #[must_use]
    pub fn server_error(status: u16) -> Self {
        let kind = if status == 529 {
            "overloaded_error"
        } else {
            "api_error"
        };
        Self::error(status, kind, "The server had an error")
    }

    /// 401 whose message repeats the key, as some servers do.
    #[must_use]
    pub fn unauthorized(echoed_key: &str) -> Self {
        Self::error(
            401,
            "authentication_error",
            format!("Incorrect API key provided: {echoed_key}"),
        )
    }

    /// 400 because the prompt is longer than the context.
    #[must_use]
    pub fn context_length() -> Self {
        Self::error(
            400,
            "exceed_context_size_error",
            "the request exceeds the available context size. try increasing the context size",
        )
    }

    /// 400 because `response_format` is not supported.
    #[must_use]
    pub fn unsupported_response_format() -> Self {
        Self::error(
            400,
            "invalid_request_error",
            "This response_format type is unavailable now",
        )
    }

    /// An error in the shape of the wire that was called.
    #[must_use]
    pub fn error(status: u16, kind: &str, message: impl Into<String>) -> Self {
        Self::Error {
            status,
            kind: kind.into(),
            message: message.into(),
            headers: Vec::new(),
        }
    }

    /// The behaviour, delayed by `pause`.
    #[must_use]
    pub fn after(self, pause: Duration) -> Self {
        Self::Delayed {
            millis: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            then: Box::new(self),
        }
    }
}

/// The error body of a wire.
pub(crate) fn error_body(wire: Wire, kind: &str, message: &str) -> Value {
    match wire {
        Wire::OpenAi => json!({"error": {
            "message": message, "type": kind, "param": null, "code": kind,
        }}),
        Wire::Anthropic => json!({"type": "error", "error": {"type": kind, "message": message}}),
    }
}

/// Letters without a pattern: a text that goes round is ended by whoever reads it.
fn noise(bytes: usize) -> String {
    let mut state = 1_u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Five bits: the letters and six more signs.
        char::from(b'A' + u8::try_from(state >> 59).unwrap_or_default())
    };
    (0..bytes).map(|_| letter()).collect()
}
