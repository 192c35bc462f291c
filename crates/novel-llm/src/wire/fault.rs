//! From a server's error to its meaning.

use std::time::Duration;

use serde_json::Value;

use crate::{Endpoint, ModelError};

const MAX_DETAIL_CHARS: usize = 300;

/// `text` from a server as a person may see it: without the key, without control
/// characters, and short.
pub(crate) fn clean(endpoint: &Endpoint, text: &str) -> String {
    let text = match &endpoint.key {
        Some(key) => key.redact_message(text),
        None => text.into(),
    };
    let mut clean: String = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if let Some((end, _)) = clean.char_indices().nth(MAX_DETAIL_CHARS) {
        clean.truncate(end);
        clean.push('…');
    }
    clean
}

/// A failure as the server reports it.
pub(crate) struct Reply<'a> {
    pub(crate) endpoint: &'a Endpoint,
    /// The address as a person may see it.
    pub(crate) url: &'a str,
    pub(crate) model: &'a str,
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: &'a str,
}

impl Reply<'_> {
    /// What the status and the body mean.
    pub(crate) fn meaning(&self) -> ModelError {
        let parsed: Value = serde_json::from_str(self.body).unwrap_or(Value::Null);
        let detail = clean(self.endpoint, &words(&parsed, self.body));
        let url = self.url.to_owned();
        let model = self.model.to_owned();
        let status = self.status;
        let lower = self.body.to_lowercase();
        if matches!(status, 400 | 413 | 422 | 500) && speaks_of_context(&lower) {
            return ModelError::ContextLength { model, detail };
        }
        match status {
            401 | 403 => ModelError::Auth {
                url,
                wire: self.endpoint.wire,
                status,
                key_origin: self.endpoint.key.as_ref().map(crate::Secret::origin),
                detail,
            },
            404 => ModelError::NotFound { url, model, detail },
            413 => ModelError::ContextLength { model, detail },
            402 => ModelError::Quota {
                url,
                status,
                detail,
            },
            429 if lower.contains("insufficient_quota") => ModelError::Quota {
                url,
                status,
                detail,
            },
            429 => ModelError::RateLimited {
                url,
                retry_after: self.retry_after,
                detail,
            },
            408 | 409 | 425 | 500..=599 => ModelError::Server {
                url,
                status,
                retry_after: self.retry_after,
                detail,
            },
            300..=399 => ModelError::BadEndpoint {
                url,
                detail: format!("the server redirects (HTTP {status})"),
            },
            _ => ModelError::BadRequest {
                url,
                status,
                detail,
            },
        }
    }
}

/// The status that an error inside a stream stands for.
pub(crate) fn status_of(error: &Value) -> u16 {
    let error = error.get("error").unwrap_or(error);
    if let Some(code) = error["code"]
        .as_u64()
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..=599).contains(code))
    {
        return code;
    }
    match error["type"].as_str().unwrap_or_default() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        _ => 500,
    }
}

/// The server's own sentence, wherever it put it.
fn words(parsed: &Value, body: &str) -> String {
    [
        &parsed["error"]["message"],
        &parsed["error"],
        &parsed["message"],
        &parsed["detail"],
    ]
    .into_iter()
    .find_map(Value::as_str)
    .unwrap_or(body)
    .to_owned()
}

fn speaks_of_context(lower: &str) -> bool {
    [
        "context_length_exceeded",
        "exceed_context_size",
        "maximum context length",
        "context length",
        "context size",
        "context window",
        "prompt is too long",
        "input is too long",
        "exceed context limit",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}
