//! What an imported book says of its people, places, rules and threads.
//!
//! The book-reader answers chapter by chapter, a long chapter in parts. Its words are data: an entry
//! stays only where its quotation stands in the text and its name does, and what no entry can be
//! located for is not brought in. Ids are given here.

mod bring;
mod collect;
mod hear;

pub use bring::{Book, Brought, bring};
pub use collect::Collected;
pub use hear::{Heard, hear};

/// One line: a text of a model may not make a second one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
