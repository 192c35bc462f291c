//! Sentences of prose, and the end of a text in whole sentences.

use crate::count::has_words;

/// Full stops after these do not end a sentence.
const ABBREVIATIONS: [&str; 12] = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Capt", "Col", "Gen", "Lt", "Sgt", "Rev",
];

/// The sentences of a text in order, each with its end mark and closing quotation marks. What has no
/// counted word is no sentence.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut chars = line.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            if !ends_sentence(&line[..at], char, next) {
                continue;
            }
            let mut end = at + char.len_utf8();
            while let Some((at, next)) =
                chars.next_if(|(_, next)| "。！？!?….”’」』\"'".contains(*next))
            {
                end = at + next.len_utf8();
            }
            push_sentence(&line[start..end], &mut found);
            start = end;
        }
        push_sentence(&line[start..], &mut found);
    }
    found
}

fn ends_sentence(before: &str, char: char, next: Option<char>) -> bool {
    match char {
        '。' | '！' | '？' | '!' | '?' | '…' => true,
        '.' => {
            let word = before.rsplit(|char: char| !char.is_alphabetic()).next();
            next.is_none_or(|next| " \t”’\"'".contains(next))
                && !word.is_some_and(|word| ABBREVIATIONS.contains(&word))
        }
        _ => false,
    }
}

fn push_sentence<'a>(sentence: &'a str, found: &mut Vec<&'a str>) {
    let sentence = sentence.trim();
    if has_words(sentence) {
        found.push(sentence);
    }
}

/// The end of a text, verbatim: as many whole paragraphs as have at most `most` characters together,
/// or else the last whole sentences of the last paragraph, or else its last characters.
#[must_use]
pub fn ending(text: &str, most: usize) -> &str {
    let text = text.trim_end();
    let from = text
        .char_indices()
        .rev()
        .nth(most.saturating_sub(1))
        .map_or(0, |(at, _)| at);
    if from == 0 {
        return text.trim_start();
    }
    let tail = &text[from..];
    let is_start = text[..from].ends_with('\n');
    let whole = |at: Option<usize>| {
        at.map(|at| tail[at..].trim_start())
            .filter(|it| !it.is_empty())
    };
    if is_start {
        return tail.trim_start();
    }
    if let Some(paragraphs) = whole(tail.find('\n')) {
        return paragraphs;
    }
    let first = sentences(tail).into_iter().nth(1);
    let rest = first.and_then(|first| {
        // A slice of the tail: its place is where it begins in it.
        tail.find(first)
    });
    whole(rest).unwrap_or(tail)
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
