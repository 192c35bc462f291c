//! Sentence length and dialogue share.
//!
//! Only totals are stored as facts; the averages are always computed from
//! them, so several texts combine without an average of averages.

use serde::Serialize;

use crate::count::{count_words, for_each_word};

/// Measures of one text or of several together.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct TextMetrics {
    /// Counted words.
    pub words: usize,
    /// Sentences with at least one counted word.
    pub sentences: usize,
    /// Counted words per sentence; 0 without sentences.
    pub avg_sentence_length: f64,
    /// Counted words inside quotation marks.
    pub dialogue_words: usize,
    /// Dialogue words over all words; 0 without words.
    pub dialogue_ratio: f64,
}

impl TextMetrics {
    /// The measures of several texts as if they were one.
    #[must_use]
    pub fn sum<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let (mut words, mut sentences, mut dialogue_words) = (0, 0, 0);
        for part in parts {
            words += part.words;
            sentences += part.sentences;
            dialogue_words += part.dialogue_words;
        }
        Self::from_totals(words, sentences, dialogue_words)
    }

    fn from_totals(words: usize, sentences: usize, dialogue_words: usize) -> Self {
        Self {
            words,
            sentences,
            avg_sentence_length: ratio(words, sentences),
            dialogue_words,
            dialogue_ratio: ratio(dialogue_words, words),
        }
    }
}

/// Measures a text.
///
/// A sentence ends at one of `。！？!?…` or at a line end. Dialogue stands in
/// `“” 「」 『』` or `"`; an open quotation ends with its line.
#[must_use]
pub fn measure(text: &str) -> TextMetrics {
    let mut totals = (0, 0, 0);
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        measure_line(line, &mut totals);
    }
    TextMetrics::from_totals(totals.0, totals.1, totals.2)
}

/// The counted words of every sentence of [`measure`], in order.
#[must_use]
pub fn sentence_lengths(text: &str) -> Vec<usize> {
    let ends =
        |char| is_sentence_end(char) || matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    text.split(ends)
        .map(count_words)
        .filter(|words| *words > 0)
        .collect()
}

fn measure_line(line: &str, (words, sentences, dialogue_words): &mut (usize, usize, usize)) {
    let mut marks = line
        .char_indices()
        .filter(|(_, char)| is_mark(*char))
        .peekable();
    let mut quotes = Quotes::default();
    let mut sentence_has_words = false;
    for_each_word(line, |at| {
        while let Some((_, mark)) = marks.next_if(|(mark_at, _)| *mark_at < at) {
            if is_sentence_end(mark) {
                sentence_has_words = false;
            } else {
                quotes.meet(mark);
            }
        }
        *words += 1;
        *dialogue_words += usize::from(quotes.is_open());
        *sentences += usize::from(!sentence_has_words);
        sentence_has_words = true;
    });
}

fn is_sentence_end(char: char) -> bool {
    matches!(char, '。' | '！' | '？' | '!' | '?' | '…')
}

fn is_mark(char: char) -> bool {
    is_sentence_end(char) || matches!(char, '“' | '”' | '「' | '」' | '『' | '』' | '"')
}

/// The quotation marks waiting for their partner, outermost first.
#[derive(Default)]
struct Quotes {
    waiting: Vec<char>,
}

impl Quotes {
    fn is_open(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn meet(&mut self, mark: char) {
        match mark {
            '“' => self.waiting.push('”'),
            '「' => self.waiting.push('」'),
            '『' => self.waiting.push('』'),
            // Closing an outer quotation closes what was left open inside it.
            _ => match self.waiting.iter().rposition(|partner| *partner == mark) {
                Some(at) => self.waiting.truncate(at),
                None if mark == '"' => self.waiting.push(mark),
                None => {}
            },
        }
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod tests;
