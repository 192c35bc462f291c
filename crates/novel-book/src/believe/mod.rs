//! What is believed of an agent's answer (spec 08): nothing becomes a fact unless the program could
//! check it.

pub mod facts;
pub mod lacking;
pub mod prose;
pub mod record;
pub mod refine;
pub mod summary;
pub mod verdict;

/// How much an answer is given the benefit of the doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hearing {
    /// The first answer of an agent: all complaints go into one re-ask.
    First,
    /// The answer to the re-ask: what is still not proven is marked or left out.
    Last,
    /// From an outside tool, which is not asked again.
    Outside,
    /// Taken from an agent before: in its normal form, and compared with the book then.
    Taken,
}
