//! What is odd about a chapter: the author looks at these first.

use std::collections::BTreeSet;

use novel_text::count_words;

use crate::{Imported, ImportedChapter};

/// Fewer words than this is very short in any book.
const SHORT: usize = 100;
/// More words than this is very long in any book.
const LONG: usize = 30_000;
/// Compared with the middle of the book.
const SHORT_SHARE: usize = 8;
const LONG_SHARE: usize = 6;

/// Something odd about a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// Nothing to read.
    Empty,
    /// Much shorter than the others.
    VeryShort,
    /// Much longer than the others: perhaps headings were not recognised.
    VeryLong,
    /// Numbers before this one are missing.
    Gap {
        /// The number that was expected.
        expected: u32,
    },
    /// The number was there before.
    Duplicate,
    /// The number cannot be read.
    Unreadable,
}

/// Words and oddities of each chapter, in order.
#[must_use]
pub fn oddities(imported: &Imported) -> Vec<(usize, Vec<Odd>)> {
    let words: Vec<usize> = imported
        .chapters
        .iter()
        .map(|chapter| count_words(&chapter.text))
        .collect();
    let middle = median(&words);
    let mut numbers = Numbers::default();
    imported
        .chapters
        .iter()
        .zip(words)
        .map(|(chapter, words)| {
            let mut odd = Vec::new();
            if words == 0 {
                odd.push(Odd::Empty);
            } else if words < SHORT.min(middle) || words < middle / SHORT_SHARE {
                odd.push(Odd::VeryShort);
            } else if words > LONG || (middle > SHORT && words > middle * LONG_SHARE) {
                odd.push(Odd::VeryLong);
            }
            odd.extend(numbers.look(chapter));
            (words, odd)
        })
        .collect()
}

fn median(words: &[usize]) -> usize {
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The numbers seen so far; a volume may count from one again, or go on.
#[derive(Default)]
struct Numbers {
    volume: Option<usize>,
    last: u32,
    seen: BTreeSet<u32>,
}

impl Numbers {
    fn look(&mut self, chapter: &ImportedChapter) -> Option<Odd> {
        let Some(number) = chapter.number else {
            // A heading that is written as numbered but cannot be read.
            return chapter.heading.starts_with('第').then_some(Odd::Unreadable);
        };
        if chapter.volume != self.volume {
            self.volume = chapter.volume;
            if number == 1 {
                self.last = 0;
                self.seen.clear();
            }
        }
        let expected = self.last + 1;
        let odd = if !self.seen.insert(number) {
            Some(Odd::Duplicate)
        } else if number != expected {
            Some(Odd::Gap { expected })
        } else {
            None
        };
        self.last = number;
        odd
    }
}
