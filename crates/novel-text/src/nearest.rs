//! Sentences of a chapter to choose from where a quotation of it was not found.

use crate::{Locator, coverage, sentences, term_set};

/// Sentences of `text` that say most of what `wanted` says, in the order of the text, each one found in the
/// text as a quotation. Where none has a word of it, the sentences are taken from all over the text.
#[must_use]
pub fn nearest_sentences<'a>(text: &'a str, wanted: &str, most: usize) -> Vec<&'a str> {
    let locator = Locator::new(text);
    let mut quotable: Vec<&str> = Vec::new();
    for sentence in text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(sentences)
    {
        if !quotable.contains(&sentence) && locator.contains(sentence) {
            quotable.push(sentence);
        }
    }
    let wanted = term_set(wanted);
    let mut near: Vec<(f64, usize)> = quotable
        .iter()
        .enumerate()
        .map(|(at, sentence)| (coverage(&wanted, &term_set(sentence)), at))
        .filter(|(share, _)| *share > 0.0)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> = near.into_iter().take(most).map(|(_, at)| at).collect();
    for place in 0..most {
        if chosen.len() >= most.min(quotable.len()) {
            break;
        }
        let spread = place * quotable.len() / most;
        let free = (spread..quotable.len()).find(|at| !chosen.contains(at));
        chosen.extend(free);
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| quotable[at]).collect()
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
