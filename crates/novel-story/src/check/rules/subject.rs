//! Who a sentence is about: the person who acts in it, by name or by a pronoun that can mean only
//! one.

use std::ops::Range;

use super::Scope;
use crate::check::prose::Sentence;

/// Pronouns that begin a sentence.
pub(super) const PRONOUNS: [&str; 6] = ["他", "她", "He ", "She ", "he ", "she "];

/// The person who acts in a sentence, and the bytes of their name or pronoun.
pub(in crate::check) fn subject<'a>(
    scope: &Scope<'a>,
    scene: usize,
    sentence: Sentence,
) -> Option<(&'a str, Range<usize>)> {
    let inside = |at: usize| (sentence.start..sentence.end).contains(&at);
    let mut named = scope
        .mentions(scene)
        .iter()
        .filter(|mention| inside(mention.start))
        .peekable();
    if named.peek().is_some() {
        return named
            .find(|mention| scope.read(scene, **mention).act().is_some())
            .map(|mention| (mention.id, mention.start..mention.end));
    }
    let text = scope.text.scenes.get(scene)?;
    if scope.flashbacks.get(scene)?.covers(sentence.start) || text.is_quoted(sentence.start) {
        return None;
    }
    let words = text.text(sentence);
    let pronoun = PRONOUNS.iter().find(|pronoun| {
        words.starts_with(**pronoun) && !words.starts_with("他们") && !words.starts_with("她们")
    })?;
    // One person alone is named in the paragraph so far, and acts.
    let paragraph = text.paragraphs.get(sentence.paragraph)?;
    let mut earlier = scope
        .mentions(scene)
        .iter()
        .filter(|mention| (paragraph.start..sentence.start).contains(&mention.start));
    let first = *earlier.next()?;
    let is_alone = earlier.all(|other| other.id == first.id);
    (is_alone && scope.read(scene, first).act().is_some()).then_some((
        first.id,
        sentence.start..sentence.start + pronoun.trim_end().len(),
    ))
}
