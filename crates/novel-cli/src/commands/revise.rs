//! Commands that change chapters of the book.

pub(crate) mod adopt;
pub(crate) mod edit;
pub(crate) mod memory;
pub(crate) mod publish;
pub(crate) mod regen;
pub(crate) mod review;
pub(crate) mod revision;
pub(crate) mod rewrite;
pub(crate) mod state;
