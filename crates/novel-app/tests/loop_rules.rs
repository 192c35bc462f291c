//! The writing loop, rule by rule: seed 003 steps 1, 3, 4 and 5, and "nothing paid for is lost".
//!
//! The real driver on a real directory; the agents are scripted, or stand behind a real socket.

mod ahead;
mod book;
mod commit;
mod gate;
mod injection;
mod judges;
mod money;
mod order;
mod paid;
mod providers;
mod recovery;
mod script;
mod structured;
mod wire;
