//! Finding words in prose: verbatim, by phrase, by name, and ranked.
//!
//! A question is a list of terms. A text answers it when every term stands in it. A term stands in
//! a text verbatim, under another name of the same person, or, for longer Chinese terms outside of
//! quotation marks, when each pair of neighbouring characters of it does: `夜探废墟` finds a text
//! that tells of 夜探 and 废墟. Foreign words are found as whole words, in any case.

use std::ops::Range;

use memchr::memmem;

use crate::count::is_cjk;

/// Saturation and length normalisation of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// A term found by its pairs counts less than one found verbatim.
const LOOSE: f64 = 0.3;

/// How a question is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Names stand for each other, long terms may come apart, the best comes first.
    Ranked,
    /// As typed, in the order of the book.
    Exact,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
    reading: Reading,
}

/// One term of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// As typed, without quotation marks.
    pub text: String,
    /// What it is found by: itself, or all names of the person it names.
    pub names: Vec<String>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Byte for byte.
    Verbatim,
    /// A word of a script with spaces: whole, in any case.
    Word,
    /// Verbatim, or by pairs.
    Loose,
}

/// Where a text answers a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// How often each term stands in the text.
    weights: Vec<f64>,
    /// The places, in order, not overlapping.
    pub places: Vec<Range<usize>>,
}

impl Query {
    /// Reads a question. `people` are the names of each person.
    #[must_use]
    pub fn parse(text: &str, reading: Reading, people: &[Vec<String>]) -> Self {
        let mut terms: Vec<Term> = Vec::new();
        for (word, quoted) in words(text) {
            let names = match reading {
                Reading::Ranked => names_of(&word, people),
                Reading::Exact => Vec::new(),
            };
            let kind = match reading {
                Reading::Exact => Kind::Verbatim,
                Reading::Ranked if quoted || !names.is_empty() => Kind::Verbatim,
                Reading::Ranked if word.chars().any(is_cjk) => Kind::Loose,
                Reading::Ranked => Kind::Word,
            };
            let names = if names.is_empty() {
                vec![word.clone()]
            } else {
                names
            };
            if terms.iter().all(|term| term.text != word) {
                terms.push(Term {
                    text: word,
                    names,
                    kind,
                });
            }
        }
        Self { terms, reading }
    }

    /// Its terms.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// How it is read.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Where any of the terms stands in a text; `None` when none does.
    #[must_use]
    pub fn look(&self, text: &str) -> Option<Match> {
        let lower = self
            .terms
            .iter()
            .any(|term| term.kind == Kind::Word)
            .then(|| text.to_ascii_lowercase());
        let mut weights = Vec::with_capacity(self.terms.len());
        let mut places = Vec::new();
        for term in &self.terms {
            let (weight, found) = term.look(text, lower.as_deref().unwrap_or(text));
            weights.push(weight);
            places.extend(found);
        }
        if weights.iter().all(|weight| *weight <= 0.0) {
            return None;
        }
        Some(Match {
            weights,
            places: merged(places),
        })
    }
}

impl Term {
    fn look(&self, text: &str, lower: &str) -> (f64, Vec<Range<usize>>) {
        let places = match self.kind {
            Kind::Word => {
                let word = self.text.to_ascii_lowercase();
                let mut places = occurrences(lower, &word);
                places.retain(|place| is_whole_word(text, place));
                places
            }
            Kind::Verbatim | Kind::Loose => merged(
                self.names
                    .iter()
                    .flat_map(|name| occurrences(text, name))
                    .collect(),
            ),
        };
        if places.is_empty() && self.kind == Kind::Loose {
            return self.by_pairs(text);
        }
        (as_weight(places.len()), places)
    }

    /// All pairs of neighbouring characters, if each of them stands in the text.
    fn by_pairs(&self, text: &str) -> (f64, Vec<Range<usize>>) {
        let chars: Vec<char> = self.text.chars().filter(|char| is_cjk(*char)).collect();
        let mut least = usize::MAX;
        let mut places = Vec::new();
        for pair in chars.windows(2) {
            let found = occurrences(text, &pair.iter().collect::<String>());
            least = least.min(found.len());
            places.extend(found);
        }
        // A pair is found verbatim or not at all; only more than one can come apart.
        if least == 0 || chars.len() < 3 {
            return (0.0, Vec::new());
        }
        (as_weight(least) * LOOSE, merged(places))
    }
}

/// The texts that answer a question, best first: the number of a text, its score.
///
/// `matches` are a text's number, its length in words, and where it answers. `texts` and `words`
/// are how many texts were looked at, and how long they are together.
#[must_use]
pub fn rank(
    query: &Query,
    matches: &[(usize, u64, Match)],
    texts: usize,
    words: u64,
) -> Vec<(usize, f64)> {
    let full = |found: &Match| found.weights.iter().all(|weight| *weight > 0.0);
    let all = matches.iter().any(|(_, _, found)| full(found));
    let mean = (as_float(words) / as_weight(texts.max(1))).max(1.0);
    let rarity: Vec<f64> = (0..query.terms.len())
        .map(|term| {
            let having = matches
                .iter()
                .filter(|(_, _, found)| found.weights[term] > 0.0);
            let (having, texts) = (as_weight(having.count()), as_weight(texts));
            (1.0 + (texts - having + 0.5).max(0.0) / (having + 0.5)).ln()
        })
        .collect();
    let mut ranked: Vec<(usize, f64)> = matches
        .iter()
        .filter(|(_, _, found)| !all || full(found))
        .map(|(number, length, found)| {
            let longer = 1.0 - B + B * as_float(*length) / mean;
            let score = found
                .weights
                .iter()
                .zip(&rarity)
                .map(|(weight, rarity)| rarity * weight * (K1 + 1.0) / (weight + K1 * longer));
            (*number, score.sum())
        })
        .collect();
    match query.reading {
        Reading::Exact => ranked.sort_by_key(|(number, _)| *number),
        Reading::Ranked => ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))),
    }
    ranked
}

/// A piece of a text around its first places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// One line; `…` where it was cut.
    pub text: String,
    /// Places in it, as ranges of characters.
    pub marks: Vec<Range<usize>>,
}

/// The line around the first place, at most `width` characters on each side of it.
#[must_use]
pub fn snippet(text: &str, places: &[Range<usize>], width: usize) -> Snippet {
    let Some(first) = places.first() else {
        return Snippet {
            text: String::new(),
            marks: Vec::new(),
        };
    };
    let line_start = text[..first.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[first.end..]
        .find('\n')
        .map_or(text.len(), |at| first.end + at);
    let before = text[line_start..first.start]
        .char_indices()
        .rev()
        .nth(width);
    let start = before.map_or(line_start, |(at, char)| line_start + at + char.len_utf8());
    let after = text[first.end..line_end].char_indices().nth(width);
    let end = after.map_or(line_end, |(at, _)| first.end + at);
    let mut out = String::new();
    if start > line_start {
        out.push('…');
    }
    let lead = text[start..end].len() - text[start..end].trim_start().len();
    let start = start + lead;
    let shift = out.chars().count();
    out.push_str(text[start..end].trim_end());
    let shown = start..start + text[start..end].trim_end().len();
    let marks = places
        .iter()
        .filter(|place| shown.start <= place.start && place.end <= shown.end)
        .map(|place| {
            let from = shift + text[start..place.start].chars().count();
            from..from + text[place.clone()].chars().count()
        })
        .collect();
    if end < line_end {
        out.push('…');
    }
    Snippet { text: out, marks }
}

/// Words and quoted phrases, each with whether it was quoted.
fn words(text: &str) -> Vec<(String, bool)> {
    const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』')];
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = QUOTES.iter().find(|(open, _)| *open == first);
        let (word, after, is_quoted) = match quoted {
            Some((open, close)) => {
                let inner = &rest[open.len_utf8()..];
                match inner.split_once(*close) {
                    Some((phrase, after)) => (phrase, after, true),
                    None => (inner, "", true),
                }
            }
            None => {
                let end = rest
                    .find(|char: char| {
                        char.is_whitespace() || QUOTES.iter().any(|(open, _)| *open == char)
                    })
                    .unwrap_or(rest.len());
                (&rest[..end], &rest[end..], false)
            }
        };
        let word = word.trim();
        if !word.is_empty() {
            words.push((word.to_owned(), is_quoted));
        }
        rest = after.trim_start();
    }
    words
}

/// All names of the people this is a name of.
fn names_of(word: &str, people: &[Vec<String>]) -> Vec<String> {
    let mut names: Vec<String> = people
        .iter()
        .filter(|names| names.iter().any(|name| name == word))
        .flatten()
        .filter(|name| !name.is_empty())
        .cloned()
        .collect();
    names.sort();
    names.dedup();
    names
}

fn occurrences(text: &str, word: &str) -> Vec<Range<usize>> {
    memmem::find_iter(text.as_bytes(), word.as_bytes())
        .map(|at| at..at + word.len())
        .collect()
}

fn is_whole_word(text: &str, place: &Range<usize>) -> bool {
    let joins = |char: char| char.is_alphanumeric() && !is_cjk(char);
    !text[..place.start].ends_with(joins) && !text[place.end..].starts_with(joins)
}

/// In order, overlapping ones joined.
fn merged(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| (place.start, place.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        match merged.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => merged.push(place),
        }
    }
    merged
}

/// Counts of a book are small: the loss begins beyond what a score can tell apart.
fn as_weight(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn as_float(words: u64) -> f64 {
    f64::from(u32::try_from(words).unwrap_or(u32::MAX))
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
