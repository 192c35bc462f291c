//! Whether a name in the prose is the subject of speech or action, here and now.
//!
//! Conservative: what is quoted, remembered, dreamt, supposed or merely mentioned is no act. A
//! fault that hides behind such a word is missed; a clean text is never accused.

use std::ops::Range;

use novel_model::Lang;

use super::{
    prose::{Mention, Scene, holds, is_closing, is_opening},
    words,
};

/// Paragraphs that a word of memory reaches.
const MEMORY_REACH: usize = 3;
/// A word of memory this early in a scene makes all of it a memory.
const SCENE_OPENING: usize = 1;
/// Adverbs between subject and verb.
const MAX_ADVERBS: usize = 3;

/// The bytes from the name to the end of what it does, or `None` when it does nothing.
pub(super) fn act(scene: &Scene<'_>, mention: Mention<'_>, lang: Lang) -> Option<Range<usize>> {
    if scene.is_quoted(mention.start) {
        return None;
    }
    let sentence = scene.sentence_at(mention.start)?;
    let (memory, distant) = match lang {
        Lang::Zh => (words::MEMORY_ZH, words::DISTANT_ZH),
        Lang::En => (words::MEMORY_EN, words::DISTANT_EN),
    };
    let told = unquoted(scene, sentence.start..sentence.end, lang);
    if holds(&told, distant) || is_memory(scene, sentence.paragraph, memory, lang) {
        return None;
    }
    let end = match lang {
        Lang::Zh => act_zh(scene.content, mention)?,
        Lang::En => act_en(scene.content, mention)?,
    };
    Some(mention.start..end)
}

/// What the narrator says in a range: a person who speaks of memories tells none.
fn unquoted(scene: &Scene<'_>, range: Range<usize>, lang: Lang) -> String {
    let told: String = scene.content[range.clone()]
        .char_indices()
        .filter(|(at, _)| !scene.is_quoted(range.start + at))
        .map(|(_, char)| char)
        .collect();
    match lang {
        Lang::Zh => told,
        Lang::En => told.to_lowercase(),
    }
}

fn is_memory(scene: &Scene<'_>, paragraph: usize, memory: &[&str], lang: Lang) -> bool {
    let first = paragraph.saturating_sub(MEMORY_REACH);
    let near = first..paragraph + 1;
    let opening = 0..SCENE_OPENING.min(paragraph + 1);
    near.chain(opening)
        .filter_map(|index| scene.paragraphs.get(index))
        .any(|range| holds(&unquoted(scene, range.clone(), lang), memory))
}

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

fn act_zh(content: &str, mention: Mention<'_>) -> Option<usize> {
    if !starts_clause(content, mention.start, Lang::Zh) {
        return None;
    }
    let rest = without_adverbs_zh(&content[mention.end..]);
    let clause = rest
        .split(['，', '。', '！', '？', '；', '…', '\n'])
        .next()
        .unwrap_or_default();
    if holds(clause, words::PICTURES_ZH) {
        return None;
    }
    if let Some(end) = speech_zh(content, mention.start, mention.end) {
        return Some(end);
    }
    let offset = content.len() - rest.len();
    let verb = longest(rest, words::ACTS_ZH)?;
    let after = &rest[verb.len()..];
    (!words::AFTER_VERB_ZH
        .iter()
        .any(|word| after.starts_with(word)))
    .then_some(offset + verb.len())
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

fn act_en(content: &str, mention: Mention<'_>) -> Option<usize> {
    // `"Go," said Chen` has the verb before the name.
    let before = content[..mention.start].trim_end();
    let inverted = words::SPEECH_EN.iter().any(|verb| {
        before
            .strip_suffix(verb)
            .is_some_and(|rest| rest.trim_end().chars().next_back().is_some_and(is_closing))
    });
    if inverted {
        return Some(mention.end);
    }
    if !starts_clause(content, mention.start, Lang::En) {
        return None;
    }
    let mut at = mention.end;
    for _ in 0..MAX_ADVERBS {
        let (word, end) = next_word(content, at)?;
        if words::ADVERBS_EN.contains(&word) || word.len() > 3 && word.ends_with("ly") {
            at = end;
            continue;
        }
        let acts = words::SPEECH_EN.contains(&word) || words::ACTS_EN.contains(&word);
        return acts.then_some(end);
    }
    None
}

/// The word after one space.
pub(super) fn next_word(content: &str, at: usize) -> Option<(&str, usize)> {
    let rest = content[at..].strip_prefix(' ')?;
    let length = rest
        .find(|char: char| !char.is_alphabetic())
        .unwrap_or(rest.len());
    (length > 0).then(|| (&rest[..length], at + 1 + length))
}
