//! Changing chapters that are in the book: reviews, revisions, hand edits, rebuilds, rewriting.

pub mod adopt;
pub mod marks;
pub mod rebuild;
pub mod review;
pub mod revision;
pub(crate) mod rewrite;
pub(crate) mod summarise;

pub use revision::ReviseError;
