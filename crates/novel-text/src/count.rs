//! Word counts.
//!
//! Every Han, kana or hangul character counts one, every word of another
//! script counts one, punctuation counts nothing. All other measures of the
//! crate (sentence length, dialogue share, hits per thousand) use this count,
//! so they can be compared with each other.

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Number of counted words in `text`.
#[must_use]
pub fn count_words(text: &str) -> usize {
    let mut count = 0;
    for_each_word(text, |_| count += 1);
    count
}

/// Whether `text` has a counted word.
pub(crate) fn has_words(text: &str) -> bool {
    // Most sentences of Chinese prose say so with their first character.
    text.chars().any(is_han) || count_words(text) > 0
}

/// Calls `visit` with the byte offset of every counted word, in order.
pub(crate) fn for_each_word(text: &str, mut visit: impl FnMut(usize)) {
    let mut run_start = 0;
    let mut after_hangul = false;
    for (at, char) in text.char_indices() {
        let class = classify(char);
        if class == Class::Other {
            after_hangul = false;
            continue;
        }
        words_of_run(&text[run_start..at], run_start, &mut visit);
        run_start = at + char.len_utf8();
        // A decomposed syllable (leading consonant, vowel, tail) is one character to the reader.
        if class == Class::Character || (class == Class::JamoTail && !after_hangul) {
            visit(at);
        }
        after_hangul =
            class == Class::JamoTail || (!is_han(char) && char.script() == Script::Hangul);
    }
    words_of_run(&text[run_start..], run_start, &mut visit);
}

/// What a text is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scripts {
    /// Han characters.
    pub han: usize,
    /// Kana and hangul.
    pub other_characters: usize,
    /// Words of scripts with word spaces; numbers are of none.
    pub words: usize,
}

/// Counts a text by script.
#[must_use]
pub fn scripts(text: &str) -> Scripts {
    let mut found = Scripts::default();
    for_each_word(text, |at| match text[at..].chars().next() {
        Some(char) if is_han(char) || char.script() == Script::Han => found.han += 1,
        Some(char) if is_cjk(char) => found.other_characters += 1,
        Some(char) if char.is_alphabetic() => found.words += 1,
        _ => {}
    });
    found
}

/// True for a character of a script that is written without word spaces and counted by character.
pub(crate) fn is_cjk(char: char) -> bool {
    !matches!(classify(char), Class::Break | Class::Other)
}

fn words_of_run(run: &str, start: usize, visit: &mut impl FnMut(usize)) {
    for (at, _) in run.unicode_word_indices() {
        visit(start + at);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Counts one by itself.
    Character,
    /// Vowel or tail of a decomposed hangul syllable.
    JamoTail,
    /// Mark that belongs to the character before it.
    Mark,
    /// Punctuation that the rules of Unicode allow inside a word (`a:b`, `1，2`) but prose does not.
    Break,
    /// Part of another script, of punctuation or of white space.
    Other,
}

/// The characters nearly all Chinese text is made of.
const fn is_han(char: char) -> bool {
    matches!(char, '\u{4E00}'..='\u{9FFF}')
}

fn classify(char: char) -> Class {
    match char {
        ':' | ';' | '：' | '；' | '，' | '︐' | '︓' | '︔' | '﹐' | '﹔' | '﹕' => {
            Class::Break
        }
        '\0'..='\u{10FF}' => Class::Other,
        _ if is_han(char) => Class::Character,
        // Dashes, quotation marks, stops and full-width forms: asking for their script takes longer
        // than everything else here.
        '\u{1200}'..='\u{2E7F}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{FF00}'..='\u{FF65}' => Class::Other,
        '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}' => Class::JamoTail,
        // Half-width sound marks, hangul tone marks, reading marks: no characters of their own.
        '\u{FF9E}' | '\u{FF9F}' | '\u{302E}' | '\u{302F}' | '\u{16FE2}' | '\u{16FF0}'
        | '\u{16FF1}' => Class::Mark,
        // 〆, kana repeat marks, 〼 and the long vowel marks are shared between scripts in Unicode.
        '\u{3006}' | '\u{3031}'..='\u{3035}' | '\u{303C}' | '\u{30FC}' | '\u{FF70}' => {
            Class::Character
        }
        _ => match char.script() {
            Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul => Class::Character,
            _ => Class::Other,
        },
    }
}

#[cfg(test)]
#[path = "count_tests.rs"]
mod tests;
