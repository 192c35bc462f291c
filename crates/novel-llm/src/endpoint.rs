//! Where a model lives and how patient the client is with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ureq::http::Uri;

use crate::{Authorities, Redactor, Secret};

/// A server and how to talk to it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The protocol.
    pub wire: Wire,
    /// For OpenAI up to and including `/v1` where the server has it; for Anthropic
    /// with or without `/v1`. `http://` and `https://`.
    pub base_url: String,
    /// The key; local servers often need none.
    pub key: Option<Secret>,
    /// The way to the server.
    pub proxy: Proxy,
    /// Who vouches for an `https` server.
    pub authorities: Authorities,
    /// Limits of time.
    pub timeouts: Timeouts,
    /// When and how often to try again.
    pub retry: RetryPolicy,
    /// How a structured answer is asked for.
    pub schema_mode: SchemaMode,
    /// Longest answer body that is read, in bytes.
    pub max_answer_bytes: u64,
}

impl Endpoint {
    /// Takes the key out of whatever the endpoint sends.
    pub(crate) fn redactor(&self) -> Redactor {
        self.key.as_ref().map(Secret::redactor).unwrap_or_default()
    }

    /// An endpoint with the usual limits and no key.
    #[must_use]
    pub fn new(wire: Wire, base_url: impl Into<String>) -> Self {
        Self {
            wire,
            base_url: base_url.into(),
            key: None,
            proxy: Proxy::Environment,
            authorities: Authorities::Environment,
            timeouts: Timeouts::default(),
            retry: RetryPolicy::default(),
            schema_mode: SchemaMode::Strict,
            max_answer_bytes: 32 * 1024 * 1024,
        }
    }

    /// Whether Anthropic itself answers, and not another server or a gateway that speaks its protocol.
    pub(crate) fn is_anthropic(&self) -> bool {
        let host = self.base_url.parse::<Uri>().ok();
        let host = host.as_ref().and_then(Uri::host).unwrap_or_default();
        self.wire == Wire::Anthropic && host.eq_ignore_ascii_case("api.anthropic.com")
    }

    /// The address requests go to. A query of the base address stays at the end.
    #[must_use]
    pub fn request_url(&self) -> String {
        let (path, query) = match self.base_url.find(['?', '#']) {
            Some(end) => self.base_url.split_at(end),
            None => (self.base_url.as_str(), ""),
        };
        let path = path.trim_end_matches('/');
        let rest = match self.wire {
            Wire::OpenAi if path.ends_with("/chat/completions") => "",
            Wire::OpenAi => "/chat/completions",
            Wire::Anthropic if path.ends_with("/messages") => "",
            Wire::Anthropic if path.ends_with("/v1") => "/messages",
            Wire::Anthropic => "/v1/messages",
        };
        format!("{path}{rest}{query}")
    }
}

/// The protocol of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    /// OpenAI chat completions and everything compatible with them.
    OpenAi,
    /// Anthropic Messages.
    Anthropic,
}

/// The way to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proxy {
    /// What `ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say; never for
    /// a server on this machine.
    Environment,
    /// No proxy.
    Direct,
}

/// How a structured answer is asked for first; a rejected way falls back to the
/// next, and the client remembers it for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaMode {
    /// By JSON Schema: `response_format` (OpenAI) or `output_config.format` (Anthropic).
    Strict,
    /// By a tool that must be called (Anthropic); for OpenAI the same as
    /// [`SchemaMode::JsonObject`].
    Tool,
    /// `json_object` with the schema in the prompt; for Anthropic the same as
    /// [`SchemaMode::Prompt`].
    JsonObject,
    /// The schema in the prompt alone.
    Prompt,
}

/// Limits of time for one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Name lookup, connection and TLS together.
    pub connect: Duration,
    /// From the connection to the first byte of the body; a long prompt is read
    /// by the model in this time.
    pub first_byte: Duration,
    /// Between two pieces of a body; pings count as pieces.
    pub silent: Duration,
    /// For the whole attempt. An attempt that takes longer is not repeated.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            first_byte: Duration::from_secs(300),
            silent: Duration::from_secs(120),
            total: Duration::from_secs(1800),
        }
    }
}

/// When and how often to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first one included.
    pub max_attempts: u32,
    /// Pause after the first failure; doubled after each further one.
    pub first_wait: Duration,
    /// Longest pause of our own choosing.
    pub max_wait: Duration,
    /// Longest `Retry-After` that is waited for; more than this is an error.
    pub max_retry_after: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_attempts: 5,
            first_wait: Duration::from_secs(1),
            max_wait: Duration::from_secs(30),
            max_retry_after: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// Pause after failure number `attempt` (from one), spread by `jitter` (0 to 1)
    /// over the upper half of the doubled time.
    pub(crate) fn backoff(&self, attempt: u32, jitter: f64) -> Duration {
        let doubled = self
            .first_wait
            .saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
        doubled
            .min(self.max_wait)
            .mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
