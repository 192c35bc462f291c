//! One small JSON message to a server that is no model, such as a webhook.

use std::time::Duration;

use ureq::Agent;

use crate::Authorities;

/// Why a message did not arrive. The address is not named: it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// The server answered with an error.
    #[error("HTTP {0}")]
    Status(u16),
    /// No answer in time.
    #[error("timed out")]
    Late,
    /// The address is not one.
    #[error("the address is not a URL")]
    BadAddress,
    /// There is no connection, or it broke.
    #[error("no connection")]
    Unreachable,
    /// The file of certificate authorities is of no use.
    #[error("the certificates that SSL_CERT_FILE names cannot be used")]
    Authorities,
}

/// Posts a JSON text and waits for the status; redirects are not followed.
///
/// # Errors
/// When there is no connection in time, or the server answers with an error.
pub fn post_json(url: &str, body: &str, timeout: Duration) -> Result<(), PostError> {
    let tls = Authorities::Environment
        .tls(url)
        .map_err(|_| PostError::Authorities)?;
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(concat!("novel/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .timeout_global(Some(timeout))
        .build();
    let answer = Agent::new_with_config(config)
        .post(url)
        .header("content-type", "application/json")
        .send(body)
        .map_err(|error| match error {
            ureq::Error::Timeout(_) => PostError::Late,
            ureq::Error::BadUri(_) => PostError::BadAddress,
            _ => PostError::Unreachable,
        })?;
    match answer.status().as_u16() {
        200..=299 => Ok(()),
        status => Err(PostError::Status(status)),
    }
}
