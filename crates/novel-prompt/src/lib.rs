//! What an agent is given: the instruction packet of a step, and the prompt made from it.
//!
//! Pure: the same files give the same packet and the same prompt.

pub mod guides;
pub mod packet;
pub mod prompt;
