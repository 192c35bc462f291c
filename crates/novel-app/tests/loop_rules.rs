//! The writing loop, rule by rule: seed 003 steps 1, 3, 4 and 5, and "nothing paid for is lost".
//!
//! The real driver on a real directory; the agents are scripted, or stand behind a real socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "tests"
)]

#[path = "loop/ahead.rs"]
mod ahead;
#[path = "loop/book.rs"]
mod book;
#[path = "loop/commit.rs"]
mod commit;
#[path = "loop/gate.rs"]
mod gate;
#[path = "loop/injection.rs"]
mod injection;
#[path = "loop/judges.rs"]
mod judges;
#[path = "loop/money.rs"]
mod money;
#[path = "loop/order.rs"]
mod order;
#[path = "loop/paid.rs"]
mod paid;
#[path = "loop/recovery.rs"]
mod recovery;
#[path = "loop/script.rs"]
mod script;
#[path = "loop/structured.rs"]
mod structured;
#[path = "loop/wire.rs"]
mod wire;
