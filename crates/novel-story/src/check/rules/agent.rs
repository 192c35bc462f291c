//! Whom a part of a sentence is about, where the narrator tells of now.

use std::ops::Range;

use novel_model::Lang;

use super::{Scope, shown, subject::PRONOUNS};
use crate::check::{
    prose::{Scene, Sentence, holds},
    reading::{Excuse, Reading},
};

/// Whether the narrator tells a sentence as now, in the affirmative.
pub(super) fn is_now(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, sentence: Sentence) -> bool {
    let covered = scope
        .flashbacks
        .get(at)
        .is_none_or(|flashbacks| flashbacks.covers(sentence.start));
    let text = scene.narrated(sentence.start..sentence.end);
    let asks = text.trim_end().ends_with(['?', '？']);
    let framed = scope.mentions(at).iter().any(|mention| {
        (sentence.start..sentence.end).contains(&mention.start)
            && matches!(
                scope.read(at, *mention),
                Reading::Excused(Excuse::Past | Excuse::Hypothesis | Excuse::Report)
            )
    });
    !covered && !asks && !framed && affirms(&text, scope.lang)
}

/// Whether a sentence is neither in a flashback nor a quotation.
pub(super) fn tells_now(scope: &Scope<'_>, at: usize, sentence: Sentence) -> bool {
    let covered = scope
        .flashbacks
        .get(at)
        .is_none_or(|flashbacks| flashbacks.covers(sentence.start));
    let quoted = scope
        .text
        .scenes
        .get(at)
        .is_none_or(|scene| scene.is_quoted(sentence.start));
    !covered && !quoted
}

/// A sentence with one of these remembers, supposes, pretends or denies.
const NOT_NOW_ZH: &[&str] = &[
    "如果",
    "若是",
    "若非",
    "假如",
    "倘若",
    "要是",
    "仿佛",
    "好像",
    "似乎",
    "如同",
    "宛如",
    "以为",
    "装作",
    "假装",
    "佯装",
    "曾",
    "当年",
    "从前",
    "以前",
    "往日",
    "昔日",
    "昔年",
    "原本",
    "本来",
    "原先",
    "将来",
    "日后",
    "有朝一日",
    "梦",
    "传说",
    "据说",
    "听说",
    "相传",
    "险些",
    "差点",
    "画像",
    "画中",
    "照片",
    "戏台",
    "故事",
    "想象",
    "恍惚",
    "但愿",
    "希望",
    "宁愿",
    "恨不得",
    "也许",
    "或许",
    "可能",
    "大概",
    "莫非",
    "难道",
    "记得",
    "想起",
    "回忆",
    "撒谎",
    "谣言",
    "传言",
    "可惜",
];

/// Whether a sentence asserts: no supposition, memory or pretence.
fn affirms(text: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => !holds(text, NOT_NOW_ZH),
        Lang::En => {
            // What somebody can see, they see.
            let text = shown::spaced(text)
                .replace(" could see ", " saw ")
                .replace(" could hear ", " heard ");
            shown::tells_plainly(&text, lang)
        }
    }
}

/// Who the words at a byte are about: the owner right before it, the last person who acts before it
/// in its sentence, or the only person of the paragraph so far.
pub(super) fn near<'a>(
    scope: &Scope<'a>,
    at: usize,
    sentence: Sentence,
    byte: usize,
) -> Option<(&'a str, Range<usize>)> {
    let scene = scope.text.scenes.get(at)?;
    let before: Vec<_> = scope
        .mentions(at)
        .iter()
        .filter(|mention| mention.start >= sentence.start && mention.end <= byte)
        .filter(|mention| !scene.is_quoted(mention.start))
        .copied()
        .collect();
    if let Some(last) = before.last() {
        let gap = &scene.content[last.end..byte];
        let owns = match scope.lang {
            Lang::Zh => gap == "的" || gap.is_empty(),
            Lang::En => {
                let gap = gap.replace('’', "'");
                gap.trim() == "'s" || gap.trim() == "'"
            }
        };
        if owns {
            return Some((last.id, last.start..last.end));
        }
        let acts = before
            .iter()
            .rev()
            .find(|mention| scope.read(at, **mention).act().is_some());
        let only = before.iter().all(|mention| mention.id == last.id);
        // `Seeing Ahab at the rail, he raised both hands`: who sees is another.
        let front = scene.content[sentence.start..last.start].to_ascii_lowercase();
        let taken_up = [" he ", " she "].iter().any(|word| gap.contains(word));
        if scope.lang == Lang::En
            && taken_up
            && (front.contains("seeing ") || front.contains(" saw ") || front.contains("watching "))
        {
            return None;
        }
        return acts
            .or_else(|| Some(last).filter(|_| only))
            .map(|mention| (mention.id, mention.start..mention.end));
    }
    // `听到敲门声，顾慎放下了书`, `With both hands Tessa wrung out the cloth`.
    let mut ahead = named(scope, at, sentence);
    if let Some(next) = ahead.next() {
        let alone = ahead.all(|other| other.id == next.id);
        let gap = &scene.content[byte..next.start];
        let near = match scope.lang {
            Lang::Zh => gap.matches('，').count() == 1 && gap.ends_with('，'),
            Lang::En => gap.matches(',').count() <= 1 && !gap.contains([';', ':']),
        };
        return (alone && near && scope.read(at, next).act().is_some())
            .then_some((next.id, next.start..next.end));
    }
    // Without a pronoun somebody the record does not know may be the subject.
    let text = scene.text(sentence);
    let pronoun = PRONOUNS.iter().any(|pronoun| text.starts_with(pronoun))
        && !text.starts_with("他们")
        && !text.starts_with("她们");
    if !pronoun {
        return None;
    }
    let paragraph = scene.paragraphs.get(sentence.paragraph)?;
    let mut earlier = scope.mentions(at).iter().filter(|mention| {
        (paragraph.start..sentence.start).contains(&mention.start)
            && !scene.is_quoted(mention.start)
    });
    let first = *earlier.next()?;
    let alone = earlier.all(|other| other.id == first.id);
    let here = matches!(
        scope.read(at, first),
        Reading::Acts(_) | Reading::Doubtful | Reading::Excused(Excuse::State | Excuse::Mention)
    );
    (alone && here).then_some((first.id, sentence.start..byte))
}

/// The people a sentence names outside of quotations.
pub(super) fn named<'s, 'a>(
    scope: &'s Scope<'a>,
    at: usize,
    sentence: Sentence,
) -> impl Iterator<Item = crate::check::prose::Mention<'a>> + 's {
    let scene = scope.text.scenes.get(at);
    scope
        .mentions(at)
        .iter()
        .filter(move |mention| {
            (sentence.start..sentence.end).contains(&mention.start)
                && scene.is_some_and(|scene| !scene.is_quoted(mention.start))
        })
        .copied()
}

/// The bytes of the clause around a byte: between marks.
pub(super) fn clause(
    scene: &Scene<'_>,
    sentence: Sentence,
    byte: usize,
    lang: Lang,
) -> Range<usize> {
    let is_break = |char: char| match lang {
        Lang::Zh => "，。；！？：…—“”「」".contains(char),
        Lang::En => ",.;:!?—“”\"".contains(char),
    };
    let content = scene.content;
    let start = content[sentence.start..byte]
        .char_indices()
        .rev()
        .find(|(_, char)| is_break(*char))
        .map_or(sentence.start, |(at, char)| {
            sentence.start + at + char.len_utf8()
        });
    let end = content[byte..sentence.end]
        .find(is_break)
        .map_or(sentence.end, |length| byte + length);
    start..end
}
