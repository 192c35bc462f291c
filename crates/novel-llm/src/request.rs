//! What goes into a model and what comes out.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CancelToken, ModelError};

/// Anything that answers a [`ModelRequest`].
pub trait Model: Send + Sync {
    /// Asks and waits for the whole answer.
    ///
    /// Events arrive on the calling thread. [`StreamEvent::Retry`] and
    /// [`StreamEvent::Adapted`] void all text reported before them.
    ///
    /// # Errors
    /// When there is no whole answer; a refusal is an answer (see [`Finish`]).
    fn ask(
        &self,
        request: &ModelRequest,
        on_event: &mut dyn FnMut(StreamEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<ModelAnswer, ModelError>;
}

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The model's name as the endpoint knows it.
    pub model: String,
    /// Instructions, from most to least stable.
    pub system: Vec<Block>,
    /// The question, from most to least stable.
    pub user: Vec<Block>,
    /// The shape of a structured answer; `None` for prose.
    pub schema: Option<SchemaRequest>,
    /// Upper limit for the answer.
    pub max_output_tokens: u32,
    /// Tokens beside them for a model that thinks before it answers; providers count both
    /// together.
    pub thinking_tokens: u32,
    /// Sampling temperature; `None` leaves it to the endpoint.
    pub temperature: Option<f64>,
    /// Sampling seed for endpoints that have one (not Anthropic's).
    pub seed: Option<u64>,
}

impl ModelRequest {
    /// The limit as a provider counts it: answer and thinking together.
    #[must_use]
    pub fn token_limit(&self) -> u32 {
        self.max_output_tokens.saturating_add(self.thinking_tokens)
    }
}

/// A piece of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The text.
    pub text: String,
    /// Whether the prompt up to the end of this block is worth caching.
    ///
    /// Becomes a breakpoint for Anthropic (the last four count); other endpoints
    /// find the common prefix themselves.
    pub cache: bool,
}

impl Block {
    /// A block that ends nothing worth caching.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            cache: false,
        }
    }

    /// A block that ends a stable prefix.
    #[must_use]
    pub fn cached(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            cache: true,
        }
    }
}

/// The shape of a structured answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaRequest {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// A JSON Schema of an object; made strict before it is sent
    /// (see [`strict_schema`](crate::strict_schema)).
    pub schema: Arc<Value>,
}

/// Something that happened during a call.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent<'a> {
    /// An answer begins.
    Started {
        /// The model that answers, as the server names it.
        model: &'a str,
    },
    /// More of the answer.
    Text(&'a str),
    /// More of the model's reasoning; not part of the answer.
    Reasoning(&'a str),
    /// Token counts, as far as known now.
    Usage(Usage),
    /// The attempt failed and the call is made again after `wait`.
    Retry {
        /// Number of the attempt that failed, from one.
        attempt: u32,
        /// Pause before the next one.
        wait: Duration,
        /// What went wrong.
        why: &'a ModelError,
    },
    /// The endpoint rejected something; the call is made again without it.
    Adapted(Adaptation),
    /// The endpoint ignored something; this answer stands, later calls of the model
    /// go without it.
    Learnt(Adaptation),
}

/// What is left out or sent differently after an endpoint rejected it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Adaptation {
    /// A format of the answer is not accepted: a tool must be called, with the schema as its form.
    ForcedTool,
    /// A JSON Schema is not accepted: any JSON object, with the schema in the prompt.
    JsonObject,
    /// No structured mode is accepted: the schema is in the prompt alone.
    PromptOnly,
    /// The JSON Schema is sent without the bounds of its texts and lists.
    NoBounds,
    /// Token counts in the stream are not asked for.
    NoStreamUsage,
    /// The limit is sent as `max_completion_tokens`.
    MaxCompletionTokens,
    /// The temperature is left to the endpoint.
    NoTemperature,
    /// The seed is not sent.
    NoSeed,
    /// A cached prefix is kept for the usual time, not for an hour.
    NoCacheHour,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    /// The answer; for a structured one the JSON text as the model wrote it.
    pub text: String,
    /// The model's reasoning, where the endpoint shows it.
    pub reasoning: String,
    /// The answer for the ledger: the body as received, or for a stream one JSON
    /// object with the joined text and the server's own id, finish reason and usage.
    pub raw: String,
    /// Token counts as the server reports them.
    pub usage: Usage,
    /// Why it ended.
    pub finish: Finish,
    /// The model that answered, as the server names it.
    pub model: String,
    /// Requests sent for this answer.
    pub attempts: u32,
    /// Time from the call to the end of the answer, pauses included.
    pub duration: Duration,
}

/// Token counts; `None` where the server says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// All tokens of the prompt, cached ones included.
    pub input: Option<u64>,
    /// Tokens of the answer, reasoning included.
    pub output: Option<u64>,
    /// Part of `input` that was read from the provider's cache.
    pub cached: Option<u64>,
    /// Part of `input` that was written to the provider's cache.
    pub cache_write: Option<u64>,
}

impl Usage {
    /// Counts of `newer` where it has them, else these.
    #[must_use]
    pub fn updated(self, newer: Self) -> Self {
        Self {
            input: newer.input.or(self.input),
            output: newer.output.or(self.output),
            cached: newer.cached.or(self.cached),
            cache_write: newer.cache_write.or(self.cache_write),
        }
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The limit of output tokens was reached.
    Length,
    /// The model declined; its words are in the text.
    Refusal,
    /// The provider's filter stopped it.
    ContentFilter,
    /// It went round in circles, and the client ended it. The server's last counts are missing.
    Looped,
    /// Another reason, in the server's word.
    Other(String),
}
