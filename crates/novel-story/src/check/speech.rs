//! Who speaks: verbs of speech beside a quotation.

use novel_model::Lang;

use super::{
    prose::{is_closing, is_opening},
    words,
};

/// Adverbs between subject and verb.
const MAX_ADVERBS: usize = 3;

/// Whether a clause can start at the byte.
pub(super) fn starts_clause(content: &str, at: usize, lang: Lang) -> bool {
    let before = content[..at].trim_end_matches([' ', '　']);
    let is_break = |char: char| {
        matches!(
            char,
            '\n' | '。' | '！' | '？' | '…' | '，' | '；' | '—' | '.' | '!' | '?' | ',' | ';'
        ) || is_closing(char)
    };
    if before.chars().next_back().is_none_or(is_break) {
        return true;
    }
    lang == Lang::Zh
        && words::OPENERS_ZH.iter().any(|opener| {
            before
                .strip_suffix(opener)
                .is_some_and(|rest| rest.chars().next_back().is_none_or(is_break))
        })
}

/// The end of the verb, when what stands at `start..end` speaks: a quotation follows, or one came
/// right before.
pub(super) fn speech_zh(content: &str, start: usize, end: usize) -> Option<usize> {
    let rest = without_adverbs_zh(&content[end..]);
    let verb = longest(rest, words::SPEECH_ZH)?;
    let mut after = rest[verb.len()..].chars();
    let next = after.next();
    let opens = next.is_some_and(is_opening)
        || matches!(next, Some('：' | ':'))
        || matches!(next, Some('，' | ',')) && after.next().is_some_and(is_opening);
    let closed = content[..start].chars().next_back().is_some_and(is_closing)
        && next.is_none_or(|next| matches!(next, '。' | '，' | '！' | '？' | '；' | '\n'));
    (opens || closed).then(|| content.len() - rest.len() + verb.len())
}

fn longest<'w>(text: &str, list: &[&'w str]) -> Option<&'w str> {
    list.iter()
        .copied()
        .filter(|word| text.starts_with(word))
        .max_by_key(|word| word.len())
}

fn without_adverbs_zh(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..MAX_ADVERBS {
        if let Some(adverb) = longest(rest, words::ADVERBS_ZH) {
            rest = &rest[adverb.len()..];
            continue;
        }
        // `小心翼翼地`: two to four characters and 地.
        let manner = rest
            .char_indices()
            .take(5)
            .take_while(|(_, char)| char.is_alphanumeric())
            .skip(2)
            .find(|(_, char)| *char == '地');
        match manner {
            Some((at, char)) => rest = &rest[at + char.len_utf8()..],
            None => break,
        }
    }
    rest
}

/// The word after one space.
pub(super) fn next_word(content: &str, at: usize) -> Option<(&str, usize)> {
    let rest = content[at..].strip_prefix(' ')?;
    let length = rest
        .find(|char: char| !char.is_alphabetic())
        .unwrap_or(rest.len());
    (length > 0).then(|| (&rest[..length], at + 1 + length))
}
