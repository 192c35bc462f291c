//! A client for language models on two wires: OpenAI chat completions (and
//! everything compatible with it) and Anthropic Messages.
//!
//! [`Client`] implements [`Model`]: one request goes in, one whole answer comes
//! out, with what happened on the way as [`StreamEvent`]s. The crate knows nothing
//! of chapters, steps or files; it depends on `novel-model` for messages alone.
//!
//! # Why an own client over `ureq`
//! - Two wires, one request shape each, is a few hundred lines; the multi-provider
//!   crates break with each minor release, ignore unsupported response formats
//!   without an error and bring an async runtime plus a C crypto library.
//! - At most two calls run at the same time, so blocking calls on threads do; the
//!   release build gets rustls, ring and little else.
//! - An answer is read by a worker thread and handed over through a channel, so
//!   that every limit (connect, first byte, silent stream, total, bytes) and a
//!   cancellation from another thread takes effect at once, wherever the worker is.
//! - One connection per attempt: a pooled connection that the server closed in the
//!   meantime would look like a broken call, and calls last seconds anyway.
//!
//! # Invariants
//! - The key is in the request's header and nowhere else: not in `Debug`, events,
//!   errors or answers, even when a server sends it back, in whatever encoding. It is
//!   taken out of the bytes as they arrive, and of texts that are put together of pieces.
//! - Nothing is retried without an event, nothing is adapted without an event, and
//!   a request that the server called wrong (400, 401, 403, 404) is never repeated
//!   as it was.
//! - A stream without its end marker is never taken for an answer, but for one that went round in circles
//!   and was ended here.

mod abilities;
mod cancel;
mod client;
mod endpoint;
mod error;
mod growing;
mod http;
mod jsonish;
mod pace;
mod post;
mod price;
mod redact;
mod request;
mod schema;
mod secret;
mod sse;
mod tls;
mod wire;

pub use abilities::{Abilities, AbilityMemory, MaxTokens};
pub use cancel::CancelToken;
pub use client::Client;
pub use endpoint::{Endpoint, Proxy, RetryPolicy, SchemaMode, Timeouts, Wire};
pub use error::{ModelError, TimeoutPhase};
pub use jsonish::{Flaw, JsonishError, Repair, extract_json};
pub use pace::{Pace, SystemPace};
pub use post::{PostError, post_json};
pub use price::{Price, PriceTable};
pub use redact::{RedactingStream, Redactor};
pub use request::{
    Adaptation, Block, Finish, Model, ModelAnswer, ModelRequest, SchemaRequest, StreamEvent, Usage,
};
pub use schema::{drop_optional_nulls, strict_schema};
pub use secret::{Secret, SecretError};
pub use tls::Authorities;
