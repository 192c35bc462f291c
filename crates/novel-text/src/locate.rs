//! Finding a quotation in a chapter.
//!
//! Text and quotation are compared after folding width, case, quotation marks, dashes, Markdown and
//! white space; every folded character remembers the bytes it came from, so a place is a range of
//! the original text. What is too short proves nothing: `a` stands in every chapter.

use std::ops::Range;

use memchr::memmem;
use unicode_normalization::char::decompose_compatible;

use crate::count::{for_each_word, is_cjk};

/// Words of another script that are enough for a quotation.
const ENOUGH_WORDS: usize = 5;
/// Characters written without word spaces that are enough for a quotation.
const ENOUGH_CHARACTERS: usize = 8;
/// More parts than this are a pattern and no quotation.
const MAX_PARTS: usize = 16;

/// Where a quotation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Byte ranges in the original text, in order; one for every piece that `…` keeps apart.
    pub parts: Vec<Range<usize>>,
}

impl Located {
    /// From the first byte of the first part to the last byte of the last one.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        let start = self.parts.first().map_or(0, |part| part.start);
        start..self.parts.last().map_or(start, |part| part.end)
    }
}

/// A text in which quotations are looked up.
#[derive(Debug, Clone)]
pub struct Locator<'a> {
    text: &'a str,
    folded: Folded,
}

impl<'a> Locator<'a> {
    /// Folds the text once for any number of quotations.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            folded: Folded::of(text),
        }
    }

    /// The place of a quotation, the tightest where it has several; `None` when it is not in the
    /// text or too short to tell one place from another.
    ///
    /// `…` stands for any text between two parts. Enough are 8 Han characters or 5 words in all and
    /// half of that in every part, or a whole sentence or utterance of any length that occurs once.
    #[must_use]
    pub fn locate(&self, quotation: &str) -> Option<Located> {
        let quotation = Folded::of(quotation);
        let parts: Vec<&str> = quotation
            .text
            .split(ELLIPSIS)
            .map(|part| part.trim_matches(|char: char| !char.is_alphanumeric()))
            .filter(|part| !part.is_empty())
            .collect();
        if parts.is_empty() || parts.len() > MAX_PARTS {
            return None;
        }
        // What does not follow one place of the first part does not follow a later one either.
        let placements: Vec<Vec<Range<usize>>> = self
            .occurrences(parts[0], 0)
            .map_while(|first| self.place(first, &parts[1..]))
            .collect();
        let whole_units = placements
            .iter()
            .filter(|runs| runs.len() == 1 && self.folded.is_unit(&runs[0]))
            .count();
        placements
            .into_iter()
            .filter(|runs| self.is_enough(runs, whole_units == 1))
            .min_by_key(|runs| runs.last().map_or(0, |run| run.end) - runs[0].start)
            .map(|runs| Located {
                parts: runs.iter().map(|run| self.folded.origin(run)).collect(),
            })
    }

    /// Whether the quotation is in the text.
    #[must_use]
    pub fn contains(&self, quotation: &str) -> bool {
        self.locate(quotation).is_some()
    }

    /// The earliest places of all parts after the first; parts with no letter between them are one.
    fn place(&self, first: Range<usize>, rest: &[&str]) -> Option<Vec<Range<usize>>> {
        let mut runs = vec![first];
        for part in rest {
            let last = runs.last_mut()?;
            let next = self.occurrences(part, last.end).next()?;
            let between = &self.folded.text[last.end..next.start];
            if between.contains(char::is_alphanumeric) {
                runs.push(next);
            } else {
                last.end = next.end;
            }
        }
        Some(runs)
    }

    /// Places of a folded part from a folded position on, whole words only.
    fn occurrences<'b>(
        &'b self,
        part: &'b str,
        from: usize,
    ) -> impl Iterator<Item = Range<usize>> + 'b {
        let haystack = &self.folded.text.as_bytes()[from..];
        let mut at = 0;
        let finder = memmem::Finder::new(part.as_bytes());
        std::iter::from_fn(move || {
            loop {
                let found = at + finder.find(&haystack[at..])?;
                // Overlapping places count: the first character is whole, so the next byte after it
                // begins another one.
                at = found + part.chars().next().map_or(1, char::len_utf8);
                let place = from + found..from + found + part.len();
                if self.is_whole_words(&place) {
                    return Some(place);
                }
            }
        })
    }

    /// Whether no word of another script goes on before or after the place.
    fn is_whole_words(&self, place: &Range<usize>) -> bool {
        let joins = |char: char| char.is_alphanumeric() && !is_cjk(char);
        let origin = self.folded.origin(place);
        let cut_start = self.text[..origin.start].ends_with(joins)
            && self.text[origin.start..].starts_with(joins);
        let cut_end =
            self.text[origin.end..].starts_with(joins) && self.text[..origin.end].ends_with(joins);
        !cut_start && !cut_end
    }

    fn is_enough(&self, runs: &[Range<usize>], once: bool) -> bool {
        let weights: Vec<usize> = runs
            .iter()
            .map(|run| weight(&self.text[self.folded.origin(run)]))
            .collect();
        let enough = ENOUGH_CHARACTERS * ENOUGH_WORDS;
        match runs {
            [run] => weights[0] >= enough || (once && self.folded.is_unit(run)),
            _ => {
                weights.iter().sum::<usize>() >= enough
                    && runs
                        .iter()
                        .zip(&weights)
                        .all(|(run, weight)| weight * 2 >= enough || self.is_single_unit(run))
            }
        }
    }

    fn is_single_unit(&self, run: &Range<usize>) -> bool {
        let mut units = self
            .occurrences(&self.folded.text[run.clone()], 0)
            .filter(|place| self.folded.is_unit(place));
        self.folded.is_unit(run) && units.next().is_some() && units.next().is_none()
    }
}

/// Counted characters and words on one scale, so that mixed text counts too.
fn weight(text: &str) -> usize {
    let mut weight = 0;
    for_each_word(text, |at| {
        weight += if text[at..].starts_with(is_cjk) {
            ENOUGH_WORDS
        } else {
            ENOUGH_CHARACTERS
        };
    });
    weight
}

const ELLIPSIS: char = '…';
const DASH: char = '-';

/// A text with the differences taken out that a quotation may have.
#[derive(Debug, Clone, Default)]
struct Folded {
    text: String,
    /// One entry per folded character, by its place in `text`.
    chars: Vec<FoldedChar>,
    /// Index of the last letter or digit.
    last_letter: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct FoldedChar {
    at: usize,
    origin: (usize, usize),
    /// A sentence or an utterance begins here.
    begins: bool,
    /// A sentence or an utterance ends here.
    ends: bool,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            chars: Vec::with_capacity(text.len() / 2),
            last_letter: None,
        };
        let mut begins = true;
        let mut in_quotation = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            let next = chars.peek().map(|(_, char)| *char);
            let origin = (at, at + char.len_utf8());
            match boundary(char, next, in_quotation) {
                Some(Boundary::Line) => {
                    folded.end_unit();
                    (begins, in_quotation) = (true, false);
                }
                Some(Boundary::Opening) => (begins, in_quotation) = (true, true),
                Some(Boundary::Closing) => {
                    folded.end_unit();
                    in_quotation = false;
                }
                Some(Boundary::SentenceEnd) => {
                    folded.end_unit();
                    begins = true;
                }
                None => {}
            }
            decompose_compatible(char, |part| {
                for part in part.to_lowercase() {
                    folded.push(part, origin, &mut begins);
                }
            });
        }
        folded.end_unit();
        folded
    }

    /// Takes one character in; runs of dots become an ellipsis, runs of dashes one dash.
    fn push(&mut self, char: char, origin: (usize, usize), begins: &mut bool) {
        let char = match char {
            '。' | '⋯' => '.',
            _ if is_dash(char) => DASH,
            _ => char,
        };
        if is_dropped(char) {
            return;
        }
        let last = self.text.chars().next_back();
        match (last, char) {
            (Some(DASH), DASH) | (Some(ELLIPSIS), '.') => self.stretch(origin.1),
            (Some('.'), '.') => {
                self.text.pop();
                self.text.push(ELLIPSIS);
                self.stretch(origin.1);
            }
            _ => {
                let is_letter = char.is_alphanumeric();
                if is_letter {
                    self.last_letter = Some(self.chars.len());
                }
                self.chars.push(FoldedChar {
                    at: self.text.len(),
                    origin,
                    begins: is_letter && std::mem::take(begins),
                    ends: false,
                });
                self.text.push(char);
            }
        }
    }

    fn stretch(&mut self, end: usize) {
        if let Some(last) = self.chars.last_mut() {
            last.origin.1 = end;
        }
    }

    /// The last letter so far is the last one of a sentence or an utterance.
    fn end_unit(&mut self) {
        if let Some(at) = self.last_letter {
            self.chars[at].ends = true;
        }
    }

    /// Index of the entry for the folded character at a place.
    fn index(&self, at: usize) -> usize {
        self.chars.partition_point(|char| char.at <= at) - 1
    }

    fn origin(&self, place: &Range<usize>) -> Range<usize> {
        let (first, last) = (self.index(place.start), self.index(place.end - 1));
        self.chars[first].origin.0..self.chars[last].origin.1
    }

    fn is_unit(&self, place: &Range<usize>) -> bool {
        self.chars[self.index(place.start)].begins && self.chars[self.index(place.end - 1)].ends
    }
}

enum Boundary {
    Line,
    SentenceEnd,
    Opening,
    Closing,
}

/// Where sentences and utterances begin and end. An ellipsis ends neither by itself: `他……走了` is
/// one sentence.
fn boundary(char: char, next: Option<char>, in_quotation: bool) -> Option<Boundary> {
    match char {
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some(Boundary::Line),
        '“' | '‘' | '「' | '『' | '«' | '〝' => Some(Boundary::Opening),
        '”' | '」' | '』' | '»' | '〞' => Some(Boundary::Closing),
        '’' if !next.is_some_and(|next| next.is_alphanumeric() && !is_cjk(next)) => {
            Some(Boundary::Closing)
        }
        '"' | '＂' if in_quotation => Some(Boundary::Closing),
        '"' | '＂' => Some(Boundary::Opening),
        '。' | '！' | '？' | '!' | '?' | '｡' => Some(Boundary::SentenceEnd),
        // A dot inside a number, an abbreviation or an ellipsis ends nothing.
        '.' | '．' if next.is_none_or(|next| next.is_whitespace() || is_quotation_mark(next)) => {
            Some(Boundary::SentenceEnd)
        }
        _ => None,
    }
}

fn is_quotation_mark(char: char) -> bool {
    matches!(
        char,
        '"' | '\'' | '＂' | '＇' | '`' | '´' | '′' | '″'
            | '\u{2018}'..='\u{201F}'
            | '‹' | '›' | '«' | '»'
            | '「' | '」' | '『' | '』' | '｢' | '｣' | '〝' | '〞' | '〟'
            | '\u{FE41}'..='\u{FE44}'
    )
}

fn is_dash(char: char) -> bool {
    matches!(
        char,
        '-' | '\u{2010}'..='\u{2015}' | '−' | '─' | '━' | '⸺' | '⸻' | '﹘' | '﹣'
    )
}

/// Calls `visit` with every letter and digit of a text, folded as quotations are, and the bytes it
/// came from.
pub(crate) fn fold_letters(text: &str, mut visit: impl FnMut(char, (usize, usize))) {
    for (at, char) in text.char_indices() {
        let origin = (at, at + char.len_utf8());
        decompose_compatible(char, |part| {
            part.to_lowercase()
                .filter(|part| part.is_alphanumeric())
                .for_each(|part| visit(part, origin));
        });
    }
}

/// Quotation marks, brackets around a name or a label, marks of Markdown, and characters that nobody sees.
fn is_dropped(char: char) -> bool {
    is_quotation_mark(char)
        || char.is_whitespace()
        || char.is_control()
        || matches!(
            char,
            '*' | '_' | '#' | '>' | '~' | '\\' | '＊' | '＿' | '【' | '】' | '〖' | '〗' | '\u{AD}'
                | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        )
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
