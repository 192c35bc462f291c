//! The client against a protocol-true server on a real socket.

mod support;

mod adaptation;
mod answers;
mod connections;
mod failures;
mod limits;
mod secrets;
mod tls;
