//! Whom a part of a sentence is about, where the narrator tells of now.

use std::ops::Range;

use novel_model::Lang;

use super::{Scope, shown};
use crate::check::{
    prose::{Scene, Sentence},
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
    !covered && !asks && !framed && shown::tells_plainly(&text, scope.lang)
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
        return acts
            .or_else(|| Some(last).filter(|_| only))
            .map(|mention| (mention.id, mention.start..mention.end));
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
pub(super) fn clause(scene: &Scene<'_>, sentence: Sentence, byte: usize, lang: Lang) -> Range<usize> {
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
