//! Where a passage of one text stands in a later version of it.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Two versions of a text, aligned by words; Chinese by character.
#[derive(Debug, Clone)]
pub struct Carried {
    stretches: Vec<Stretch>,
}

/// A stretch of the old text and what became of it.
#[derive(Debug, Clone)]
struct Stretch {
    old: Range<usize>,
    new: Range<usize>,
    is_kept: bool,
}

impl Carried {
    /// Aligns two versions.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        let (old_words, old_ends) = words(old);
        let (new_words, new_ends) = words(new);
        let bytes = |ends: &[usize], from: usize, to: usize| {
            let start = |at: usize| if at == 0 { 0 } else { ends[at - 1] };
            start(from)..start(to)
        };
        let stretches = capture_diff_slices(Algorithm::Patience, &old_words, &new_words)
            .into_iter()
            .map(|op| {
                let (was, is) = (op.old_range(), op.new_range());
                Stretch {
                    old: bytes(&old_ends, was.start, was.end),
                    new: bytes(&new_ends, is.start, is.end),
                    is_kept: matches!(op, DiffOp::Equal { .. }),
                }
            })
            .collect();
        Self { stretches }
    }

    /// The bytes of the new text that stand for a passage of the old one, and the share of the
    /// passage's bytes that is still there word for word.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "text lengths are far below 2^52"
    )]
    pub fn place(&self, passage: &Range<usize>) -> (Range<usize>, f64) {
        let (mut start, mut end, mut kept) = (None, 0, 0);
        for stretch in &self.stretches {
            let from = stretch.old.start.max(passage.start);
            let to = stretch.old.end.min(passage.end);
            // What was only put in belongs to the passage it stands in.
            let inside = stretch.old.is_empty()
                && (passage.start + 1..passage.end).contains(&stretch.old.start);
            if from >= to && !inside {
                continue;
            }
            let place = if stretch.is_kept {
                kept += to - from;
                let shift = stretch.new.start;
                shift + (from - stretch.old.start)..shift + (to - stretch.old.start)
            } else {
                stretch.new.clone()
            };
            start.get_or_insert(place.start);
            end = place.end;
        }
        let start = start.unwrap_or(0);
        let length = passage.len().max(1);
        (start..end.max(start), kept as f64 / length as f64)
    }
}

/// Lines that were replaced one by one: the index in the old text and the index in the new one.
#[must_use]
pub fn replaced_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    capture_diff_slices(Algorithm::Patience, old, new)
        .into_iter()
        .filter_map(|op| {
            let (was, is) = (op.old_range(), op.new_range());
            let is_replaced = matches!(op, DiffOp::Replace { .. }) && was.len() == is.len();
            is_replaced.then(|| was.zip(is))
        })
        .flatten()
        .collect()
}

fn words(text: &str) -> (Vec<&str>, Vec<usize>) {
    let words: Vec<&str> = text.split_word_bounds().collect();
    let ends = words
        .iter()
        .scan(0, |end, word| {
            *end += word.len();
            Some(*end)
        })
        .collect();
    (words, ends)
}

#[cfg(test)]
#[path = "carry_tests.rs"]
mod tests;
