//! A model server for tests: both wires, on a real loopback socket.
//!
//! It speaks OpenAI chat completions and Anthropic Messages as the real servers do
//! (server-sent events in chunked encoding, the usage chunk after the finish chunk,
//! error bodies in each provider's shape) and misbehaves on demand: it stalls, cuts
//! the stream, answers 429, splits characters over writes. Each request it received
//! is kept and can be read by the test.
//!
//! ```no_run
//! use novel_mockllm::{Behaviour, MockServer};
//!
//! let server = MockServer::start(|request| {
//!     if request.number == 1 {
//!         Behaviour::rate_limited(2)
//!     } else {
//!         Behaviour::text("夜雨初歇")
//!     }
//! })
//! .expect("a loopback socket");
//! // … point a client at `server.openai_base()` …
//! assert_eq!(server.count(), 2);
//! assert!(server.requests()[0].prompt().contains("第一章"));
//! ```

mod behaviour;
mod script;
mod server;
mod wire;

pub use behaviour::{Answer, Behaviour, Finish, Tokens};
pub use script::{Rule, Script};
pub use server::{MockServer, Request};
pub use wire::Wire;

#[cfg(test)]
mod tests;
