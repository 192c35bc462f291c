//! What a text speaks of, as terms that two texts can share: pairs of neighbouring characters for
//! scripts without spaces, stems of words for others. Terms that every text has are left out.

use std::collections::BTreeSet;

use crate::count::is_cjk;

/// Whether a character carries grammar and no matter; a pair with one of them tells nothing.
const fn is_grammar(char: char) -> bool {
    matches!(
        char,
        '的' | '了'
            | '是'
            | '在'
            | '不'
            | '我'
            | '他'
            | '她'
            | '它'
            | '们'
            | '这'
            | '那'
            | '就'
            | '也'
            | '都'
            | '和'
            | '着'
            | '把'
            | '被'
            | '让'
            | '给'
            | '与'
            | '及'
            | '或'
            | '而'
            | '但'
            | '又'
            | '很'
            | '还'
            | '只'
            | '么'
            | '吗'
            | '呢'
            | '吧'
            | '啊'
            | '嘛'
            | '地'
            | '得'
            | '之'
            | '其'
            | '于'
            | '以'
    )
}

/// Words that carry grammar and no matter, sorted.
const STOP_WORDS: [&str; 131] = [
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "back", "be", "because", "been", "before", "being", "but", "by", "can", "could", "did", "do",
    "does", "down", "each", "even", "every", "few", "for", "from", "get", "go", "going", "got",
    "had", "has", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "know", "like", "little", "made", "make", "me", "more", "most", "my",
    "no", "nor", "not", "now", "of", "off", "on", "once", "one", "only", "or", "other", "our",
    "out", "over", "own", "said", "same", "saw", "say", "see", "seem", "seemed", "she", "should",
    "so", "some", "still", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "thing", "this", "those", "through", "to", "too", "two", "up", "upon", "us",
    "very", "was", "way", "we", "well", "went", "were", "what", "when", "where", "which", "while",
    "who", "why", "will", "with", "would", "yet", "you", "your",
];

/// The hash of a term: equal terms have equal hashes, on every machine.
pub type TermHash = u32;

/// The terms of a text, in order, with repetitions.
#[must_use]
pub fn terms(text: &str) -> Vec<TermHash> {
    let mut found = Vec::new();
    for_each_term(text, |term| found.push(term));
    found
}

/// The different terms of a text.
#[must_use]
pub fn term_set(text: &str) -> BTreeSet<TermHash> {
    let mut found = BTreeSet::new();
    for_each_term(text, |term| {
        found.insert(term);
    });
    found
}

/// The terms of a name: every pair of its characters, or every word of it, grammar included. A word with a
/// capital is looked for as it is written, so that `Will` is not found in every `will`.
#[must_use]
pub fn name_terms(name: &str) -> Vec<TermHash> {
    let mut found = Vec::new();
    for_each_run(name, |run| match run {
        Run::Pair(pair) => found.push(hash(pair.as_bytes())),
        Run::Word(word) => found.push(
            capital_hash(word).unwrap_or_else(|| hash(stem(&word.to_lowercase()).as_bytes())),
        ),
    });
    found
}

/// Every term by which [`name_terms`] may ask for a name, with whether it carries matter.
pub fn for_each_name_hash(text: &str, mut take: impl FnMut(TermHash, bool)) {
    for_each_run_hash(text, &mut take);
    for_each_run(text, |run| {
        if let Run::Word(word) = run
            && let Some(hash) = capital_hash(word)
        {
            take(hash, false);
        }
    });
}

/// The term of a word as it is written, where it begins with a capital.
fn capital_hash(word: &str) -> Option<TermHash> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let is_capital = word.chars().next().is_some_and(char::is_uppercase);
    is_capital.then(|| hash(word.as_bytes()))
}

/// Every pair and every word of a text in order, and whether it carries matter: `terms` are those that
/// do, and [`name_terms`] of a name that stands in the text are among all of them.
pub fn for_each_run_hash(text: &str, mut take: impl FnMut(TermHash, bool)) {
    for_each_run(text, |run| match run {
        Run::Pair(pair) => take(hash(pair.as_bytes()), !pair.chars().any(is_grammar)),
        Run::Word(word) => {
            let word = word.to_lowercase();
            take(hash(stem(&word).as_bytes()), is_matter(&word));
        }
    });
}

/// Whether a small word says what a text is about.
fn is_matter(word: &str) -> bool {
    word.len() > 1 && STOP_WORDS.binary_search(&word).is_err()
}

/// The share of the terms of `wanted` that stand in `text`, from 0 to 1.
#[must_use]
pub fn coverage(wanted: &BTreeSet<TermHash>, text: &BTreeSet<TermHash>) -> f64 {
    if wanted.is_empty() {
        return 0.0;
    }
    wanted.intersection(text).count() as f64 / wanted.len() as f64
}

fn for_each_term(text: &str, mut take: impl FnMut(TermHash)) {
    for_each_run(text, |run| match run {
        Run::Pair(pair) => {
            if !pair.chars().any(is_grammar) {
                take(hash(pair.as_bytes()));
            }
        }
        Run::Word(word) => {
            let word = word.to_lowercase();
            if is_matter(&word) {
                take(hash(stem(&word).as_bytes()));
            }
        }
    });
}

enum Run<'a> {
    Pair(&'a str),
    Word(&'a str),
}

/// Pairs of neighbouring characters of scripts without spaces, and words of the others.
fn for_each_run<'a>(text: &'a str, mut take: impl FnMut(Run<'a>)) {
    let mut before: Option<usize> = None;
    let mut word: Option<usize> = None;
    for (at, char) in text.char_indices() {
        let wide = is_cjk(char);
        let in_word = !wide && (char.is_alphanumeric() || (char == '\'' && word.is_some()));
        if let (false, Some(start)) = (in_word, word) {
            take(Run::Word(text[start..at].trim_end_matches('\'')));
            word = None;
        }
        if wide {
            if let Some(start) = before {
                take(Run::Pair(&text[start..at + char.len_utf8()]));
            }
            before = Some(at);
        } else {
            before = None;
            if in_word {
                word = word.or(Some(at));
            }
        }
    }
    if let Some(start) = word {
        take(Run::Word(text[start..].trim_end_matches('\'')));
    }
}

/// A word without its commonest endings, so that `promised` and `promises` meet.
fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if !word.is_ascii() {
        return word;
    }
    let least =
        |cut: &'static str, least: usize| word.strip_suffix(cut).filter(|rest| rest.len() >= least);
    let stem = least("ing", 4)
        .or_else(|| least("ed", 3))
        .or_else(|| least("es", 4))
        .or_else(|| least("s", 3))
        .unwrap_or(word);
    stem.strip_suffix('e')
        .filter(|rest| rest.len() >= 3)
        .unwrap_or(stem)
}

/// FNV-1a: small, the same everywhere.
fn hash(bytes: &[u8]) -> TermHash {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
