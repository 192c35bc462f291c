//! Counts unwanted phrases in a text.
//!
//! Each phrase is counted by itself, without overlap with itself, also where
//! it lies inside another one. A phrase that begins or ends with an ASCII
//! letter or digit is a word there: it matches in any case and not inside a
//! longer word.
//!
//! The phrases are found by their first character. An Aho-Corasick automaton
//! of a thousand phrases takes more than a millisecond to build, several times
//! what this takes to build and to search a chapter.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::{
    count::{count_words, is_cjk},
    sieve::CharSieve,
};

/// Snippets kept per phrase.
const MAX_SNIPPETS: usize = 3;
/// Characters shown on each side of a hit.
const SNIPPET_CONTEXT: usize = 10;

/// What [`lint`] found.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LintReport {
    /// Hits of all phrases together.
    pub total_hits: usize,
    /// Hits per thousand counted words, to two decimals; 0 for an empty text.
    pub hits_per_kchars: f64,
    /// The phrases found, most frequent first, then by phrase.
    pub hits: Vec<LintHit>,
}

/// The hits of one phrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LintHit {
    /// The phrase as given, trimmed.
    pub word: String,
    /// How often it occurs.
    pub count: usize,
    /// The lines it begins on, from one, ascending, each once.
    pub lines: Vec<usize>,
    /// The first hits with some text around them.
    pub snippets: Vec<String>,
}

/// Counts `phrases` in `text`. For many texts build a [`Linter`] once.
#[must_use]
pub fn lint(text: &str, phrases: &[String]) -> LintReport {
    Linter::new(phrases).lint(text)
}

/// A set of phrases, ready to be looked for.
#[derive(Debug, Clone)]
pub struct Linter {
    phrases: Vec<Phrase>,
    /// The phrases that begin with a character, capitals of ASCII made small.
    by_first: HashMap<char, Vec<usize>>,
    /// Most characters begin no phrase.
    firsts: CharSieve,
}

#[derive(Debug, Clone)]
struct Phrase {
    text: String,
    word_start: bool,
    word_end: bool,
}

impl Linter {
    /// Prepares the phrases; empty ones and repetitions are ignored.
    #[must_use]
    pub fn new(phrases: &[String]) -> Self {
        let mut seen = HashSet::new();
        let phrases: Vec<Phrase> = phrases
            .iter()
            .map(|phrase| Phrase::new(phrase.trim()))
            .filter(|phrase| !phrase.text.is_empty() && seen.insert(phrase.identity()))
            .collect();
        let mut by_first: HashMap<char, Vec<usize>> = HashMap::new();
        for (index, phrase) in phrases.iter().enumerate() {
            if let Some(first) = phrase.text.chars().next() {
                by_first
                    .entry(first.to_ascii_lowercase())
                    .or_default()
                    .push(index);
            }
        }
        Self {
            firsts: by_first.keys().copied().collect(),
            phrases,
            by_first,
        }
    }

    /// Counts the phrases in `text`.
    #[must_use]
    pub fn lint(&self, text: &str) -> LintReport {
        let mut found: Vec<Vec<usize>> = vec![Vec::new(); self.phrases.len()];
        for (start, char) in text.char_indices() {
            let char = char.to_ascii_lowercase();
            if !self.firsts.may_hold(char) {
                continue;
            }
            for index in self.by_first.get(&char).into_iter().flatten() {
                let (phrase, starts) = (&self.phrases[*index], &mut found[*index]);
                let overlaps = starts
                    .last()
                    .is_some_and(|last| last + phrase.text.len() > start);
                if !overlaps && phrase.stands_at(text, start) {
                    starts.push(start);
                }
            }
        }
        let line_starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let mut hits: Vec<LintHit> = self
            .phrases
            .iter()
            .zip(&found)
            .filter(|(_, starts)| !starts.is_empty())
            .map(|(phrase, starts)| phrase.hit(text, starts, &line_starts))
            .collect();
        hits.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
        let total_hits = hits.iter().map(|hit| hit.count).sum();
        LintReport {
            total_hits,
            hits_per_kchars: per_thousand(total_hits, count_words(text)),
            hits,
        }
    }
}

impl Phrase {
    fn new(text: &str) -> Self {
        let is_word = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
        Self {
            word_start: is_word(text.chars().next()),
            word_end: is_word(text.chars().next_back()),
            text: text.to_owned(),
        }
    }

    fn any_case(&self) -> bool {
        self.word_start || self.word_end
    }

    /// Equal for phrases that match the same texts.
    fn identity(&self) -> String {
        if self.any_case() {
            self.text.to_ascii_lowercase()
        } else {
            self.text.clone()
        }
    }

    fn stands_at(&self, text: &str, start: usize) -> bool {
        let end = start + self.text.len();
        let Some(there) = text.get(start..end) else {
            return false;
        };
        let same = if self.any_case() {
            there.eq_ignore_ascii_case(&self.text)
        } else {
            there == self.text
        };
        let joins =
            |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() && !is_cjk(char));
        same && !(self.word_start && joins(text[..start].chars().next_back()))
            && !(self.word_end && joins(text[end..].chars().next()))
    }

    fn hit(&self, text: &str, starts: &[usize], line_starts: &[usize]) -> LintHit {
        let mut lines: Vec<usize> = starts
            .iter()
            .map(|start| 1 + line_starts.partition_point(|line_start| line_start <= start))
            .collect();
        lines.dedup();
        let snippets = starts
            .iter()
            .take(MAX_SNIPPETS)
            .map(|start| snippet(text, *start, start + self.text.len()))
            .collect();
        LintHit {
            word: self.text.clone(),
            count: starts.len(),
            lines,
            snippets,
        }
    }
}

/// The hit with some characters of its own line on each side.
fn snippet(text: &str, start: usize, end: usize) -> String {
    let is_break = |char: char| matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let before = text[..start]
        .char_indices()
        .rev()
        .take(SNIPPET_CONTEXT)
        .take_while(|(_, char)| !is_break(*char))
        .last()
        .map_or(start, |(at, _)| at);
    let after = text[end..]
        .char_indices()
        .take(SNIPPET_CONTEXT)
        .take_while(|(_, char)| !is_break(*char))
        .last()
        .map_or(end, |(at, char)| end + at + char.len_utf8());
    text[before..after].replace(is_break, " ").trim().to_owned()
}

fn per_thousand(hits: usize, words: usize) -> f64 {
    if words == 0 {
        return 0.0;
    }
    (hits as f64 * 100_000.0 / words as f64).round() / 100.0
}

#[cfg(test)]
#[path = "lint_tests.rs"]
mod tests;
