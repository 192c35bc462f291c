//! A word diff for people: which words went, which came. Chinese is compared by character, and
//! changes with hardly anything in between are shown as one.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Characters two changes may share between them and still read as one.
const TOO_SHORT: usize = 2;

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// It is in both texts.
    Same,
    /// It is in the old text only.
    Gone,
    /// It is in the new text only.
    New,
}

/// A piece of one text or of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What became of it.
    pub kind: PieceKind,
    /// The text.
    pub text: String,
}

/// The pieces of two texts, in order. Those that are not new make up the old text, those that are
/// not gone make up the new one.
#[must_use]
pub fn word_diff(old: &str, new: &str) -> Vec<Piece> {
    let old: Vec<&str> = old.split_word_bounds().collect();
    let new: Vec<&str> = new.split_word_bounds().collect();
    let mut changes: Vec<Change> = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        let (tag, from, to) = op.as_tag_tuple();
        let (gone, came) = (old[from].concat(), new[to].concat());
        match tag {
            DiffTag::Equal => changes.push(Change::Same(gone)),
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                changes.push(Change::Other(gone, came));
            }
        }
    }
    pieces(join(changes))
}

enum Change {
    Same(String),
    Other(String, String),
}

/// Joins changes that only a word or two, on one line, keeps apart.
fn join(changes: Vec<Change>) -> Vec<Change> {
    let mut joined: Vec<Change> = Vec::new();
    let mut rest = changes.into_iter().peekable();
    while let Some(change) = rest.next() {
        match change {
            Change::Same(text)
                if matches!(joined.last(), Some(Change::Other(..)))
                    && rest.peek().is_some()
                    && text.chars().count() <= TOO_SHORT
                    && !text.contains('\n') =>
            {
                if let Some(Change::Other(gone, came)) = joined.last_mut() {
                    gone.push_str(&text);
                    came.push_str(&text);
                }
            }
            Change::Other(more_gone, more_came) => match joined.last_mut() {
                Some(Change::Other(gone, came)) => {
                    gone.push_str(&more_gone);
                    came.push_str(&more_came);
                }
                _ => joined.push(Change::Other(more_gone, more_came)),
            },
            same @ Change::Same(_) => joined.push(same),
        }
    }
    joined
}

fn pieces(changes: Vec<Change>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut push = |kind, text: String| {
        if !text.is_empty() {
            pieces.push(Piece { kind, text });
        }
    };
    for change in changes {
        match change {
            Change::Same(text) => push(PieceKind::Same, text),
            Change::Other(gone, came) => {
                push(PieceKind::Gone, gone);
                push(PieceKind::New, came);
            }
        }
    }
    pieces
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
