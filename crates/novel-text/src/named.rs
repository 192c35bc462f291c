//! Whether a text names somebody or something.

/// Whether a text names somebody or something: a name of Latin letters stands as a whole word.
#[must_use]
pub fn is_named_in(text: &str, name: &str) -> bool {
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
        })
}
