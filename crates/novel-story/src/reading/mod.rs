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

/// Whether a text names somebody or something: a name of Latin letters stands as a whole word.
pub(crate) fn is_named_in(text: &str, name: &str) -> bool {
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
        })
}

/// One line: a text of a model may not make a second one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
