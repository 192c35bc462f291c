//! Books made of texts and ops, for the story checker: the sentences that contradict the record and
//! those that only look as if.
//!
//! The same cases are read by the checker's own benchmark (in memory) and by the tests of the closed
//! question (through the binary), so a figure is about one list.

mod book;
mod cases;
mod classes;
mod dead;
mod file;
mod shown;
mod typed;

pub use book::{Book, Chapter, no};
pub use cases::{Case, all_cases};
pub use file::cases_of;
