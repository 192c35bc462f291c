//! Small tools on sentences: cleaning, cutting, comparing.

use std::collections::BTreeSet;

use novel_model::Lang;

/// Ends of a sentence that a plan may carry and a wording adds itself.
const TRAILING: &[char] = &[
    '。', '.', '！', '!', '；', ';', '，', ',', '、', '：', ':', ' ',
];

/// A phrase from a plan as a part of a sentence: one line, no list mark, no end mark.
pub(crate) fn clean(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line
        .trim_start_matches(['-', '*', '#', '>', '+', ' '])
        .replace("**", "");
    line.trim_end_matches(TRAILING).to_owned()
}

/// `text` with its first letter in lower case, if its first word is an ordinary one.
pub(crate) fn lower_first(text: &str) -> String {
    const ORDINARY: [&str; 34] = [
        "the",
        "a",
        "an",
        "no",
        "nobody",
        "everyone",
        "everything",
        "nothing",
        "two",
        "three",
        "one",
        "both",
        "each",
        "it",
        "there",
        "what",
        "when",
        "if",
        "in",
        "on",
        "at",
        "for",
        "after",
        "before",
        "with",
        "without",
        "all",
        "some",
        "someone",
        "somebody",
        "to",
        "by",
        "every",
        "neither",
    ];
    let first = text.split([' ', ',']).next().unwrap_or_default();
    if ORDINARY.contains(&first.to_lowercase().as_str()) {
        let mut chars = text.chars();
        let head = chars.next().map(|char| char.to_lowercase().to_string());
        format!("{}{}", head.unwrap_or_default(), chars.as_str())
    } else {
        text.to_owned()
    }
}

/// The text with a capital first letter.
pub(crate) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Marks that must not meet: what a filled slot brought along gives way to what follows it.
pub(crate) fn tidy(text: &str, lang: Lang) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let doubled = chars.peek().is_some_and(|next| match lang {
            Lang::Zh => {
                is_soft(char) && (is_soft(*next) || is_hard(*next))
                    || is_hard(char) && is_soft(*next) && *next != '：'
                    || char == '。' && *next == '。'
            }
            Lang::En => {
                char == ',' && matches!(next, ',' | '.' | ';')
                    || char == '.' && matches!(next, ',' | ';')
            }
        });
        if doubled && is_hard(char) {
            // A sentence end is kept; the softer mark after it goes.
            chars.next();
            tidied.push(char);
        } else if !doubled {
            tidied.push(char);
        }
    }
    tidied.trim().to_owned()
}

const fn is_soft(char: char) -> bool {
    matches!(char, '，' | '、' | '；' | '：')
}

const fn is_hard(char: char) -> bool {
    matches!(char, '。' | '！' | '？')
}

/// What two texts are compared by: pairs of characters for scripts without spaces, words for others.
fn features(text: &str) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    for run in text.split(|char: char| !char.is_alphanumeric()) {
        if run.is_ascii() {
            let word = run.to_lowercase();
            if word.len() > 3 {
                // The stem is enough: a plan says "finds", a text may say "found" or "find".
                features.insert(word.chars().take(5).collect());
            }
        } else {
            let chars: Vec<char> = run.chars().collect();
            features.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
    features
}

/// A text prepared for many comparisons.
pub(crate) struct Compared(BTreeSet<String>);

impl Compared {
    /// Prepares a text.
    pub(crate) fn new(text: &str) -> Self {
        Self(features(text))
    }

    /// The share of `phrase` that occurs in the text, from 0 to 1.
    pub(crate) fn coverage(&self, phrase: &str) -> f64 {
        let wanted = features(phrase);
        let found = wanted.intersection(&self.0).count();
        ratio(found, wanted.len())
    }
}

/// The sentence that says most of `phrase`, and how much of it.
pub(crate) fn best_sentence<'a>(sentences: &[&'a str], phrase: &str) -> Option<(&'a str, f64)> {
    let wanted = features(phrase);
    let mut best: Option<(&str, f64)> = None;
    for sentence in sentences {
        let found = wanted.intersection(&features(sentence)).count();
        let share = ratio(found, wanted.len());
        if share > best.map_or(0.0, |(_, best)| best) {
            best = Some((sentence, share));
        }
    }
    best
}

/// The text cut after so many characters, at a mark where there is one.
pub(crate) fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    let cut = head
        .rfind(['，', '；', '。', ',', ';', '.', ' '])
        .filter(|at| *at * 2 >= head.len());
    format!("{}…", &head[..cut.unwrap_or(head.len())])
}

/// A share; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of words and characters")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
