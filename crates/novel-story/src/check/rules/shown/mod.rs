//! What the prose shows plainly of somebody's rank, ties, knowledge, looks and place, and of the day,
//! against the record.
//!
//! Only forms that can mean one thing count: a rank as a title before the name, `A与B素不相识`,
//! `she knew that ...` with the whole of a secret, a colour of eyes or hair, a known place one is in.
//! A sentence that remembers, supposes, denies or tells of a change is left alone.

mod attitude;
mod attitude_en;
mod day;
mod looks;
mod place;
mod rank;
mod secret;
mod setting;
mod ties;
mod titles;
#[rustfmt::skip]
mod words;

use novel_model::Lang;

pub(in crate::check) use self::{
    looks::{colour_words, is_feature},
    rank::{known as rank_word, words_of_ladders as rank_words},
    secret::SAME_EN,
};

use super::{Scope, against::Clash};
use crate::{
    check::{
        finding::Finding,
        prose::{Mention, Scene, Sentence, holds},
        reading::{Excuse, Reading},
    },
    ledger::Slot,
};

/// A sentence of the narrator with somebody in it, told as now.
struct Shown<'s, 'a> {
    scope: &'s Scope<'a>,
    /// Its scene, by number from zero.
    at: usize,
    scene: &'s Scene<'a>,
    sentence: Sentence,
    mention: Mention<'a>,
}

impl<'s> Shown<'s, '_> {
    /// The text before the name in its sentence.
    fn before(&self) -> &'s str {
        &self.scene.content[self.sentence.start..self.mention.start]
    }

    /// The text after the name in its sentence.
    fn after(&self) -> &'s str {
        &self.scene.content[self.mention.end..self.sentence.end]
    }

    /// The whole sentence, in small letters.
    fn lower(&self) -> String {
        self.scene.text(self.sentence).to_lowercase()
    }
}

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    setting::check(scope, findings);
    let has_ties = has_ties(scope);
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for mention in scope.mentions(at) {
            if !has_ties && !is_interesting(scope, mention.id) {
                continue;
            }
            let reading = scope.read(at, *mention);
            let not_now = matches!(
                reading,
                Reading::Excused(
                    Excuse::Quotation | Excuse::Past | Excuse::Hypothesis | Excuse::Report
                )
            );
            let Some(sentence) = scene.sentence_at(mention.start) else {
                continue;
            };
            let shown = Shown {
                scope,
                at,
                scene,
                sentence,
                mention: *mention,
            };
            let framed = scope
                .flashbacks
                .get(at)
                .is_none_or(|flashbacks| flashbacks.covers(mention.start))
                || matches!(
                    reading,
                    Reading::Excused(Excuse::Quotation | Excuse::Hypothesis | Excuse::Report)
                );
            let found: Vec<Option<Clash>> = if framed {
                continue;
            } else if not_now {
                // `had never met`, `had always known`: what lasts until now.
                let lasts = ties::lasts(shown.after());
                let plain = is_plain(&shown);
                vec![
                    lasts.then(|| ties::read(&shown)).flatten(),
                    plain.then(|| attitude::read(&shown)).flatten(),
                    plain.then(|| titles::addressed(&shown)).flatten(),
                    secret::read(&shown),
                ]
            } else if is_plain(&shown) {
                vec![
                    rank::read(&shown).or_else(|| titles::addressed(&shown)),
                    ties::read(&shown),
                    attitude::read(&shown),
                    secret::read(&shown),
                    looks::read(&shown),
                    place::read(&shown),
                ]
            } else {
                // To remember a secret is to know it.
                vec![secret::read(&shown)]
            };
            for clash in found.into_iter().flatten() {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                push(findings, clash.at(scope, place));
            }
        }
    }
    day::check(scope, findings);
}

/// A sentence is reported once for a code and a person.
pub(super) fn push(findings: &mut Vec<Finding>, finding: Finding) {
    let known = findings.iter().any(|other| {
        other.code == finding.code
            && other.place.spot == finding.place.spot
            && other.related_characters == finding.related_characters
    });
    if !known {
        findings.push(finding);
    }
}

/// Whether the record or a secret says anything of somebody that the prose can contradict.
fn is_interesting(scope: &Scope<'_>, id: &str) -> bool {
    !scope.secrets.is_empty() || scope.past.character(id).is_some()
}

/// Whether the record says of anybody how they stand to somebody.
fn has_ties(scope: &Scope<'_>) -> bool {
    let people = scope
        .past
        .state
        .as_ref()
        .and_then(|state| state.get("characters")?.as_object());
    people
        .into_iter()
        .flatten()
        .filter_map(|(_, record)| record.as_object())
        .flatten()
        .any(|(field, _)| Slot::of_field(field) == Some(Slot::Relation))
}

/// Whether the sentence asserts, here and now.
fn is_plain(shown: &Shown<'_, '_>) -> bool {
    // What a later clause compares or supposes is another matter.
    let rest = shown.after();
    let end = rest
        .find(['，', '。', '；', '！', ',', ';', ':', '—'])
        .map_or(shown.sentence.end, |at| shown.mention.end + at);
    tells_plainly(
        &shown.scene.content[shown.sentence.start..end],
        shown.scope.lang,
    ) && !shown.lower().trim_end().ends_with(['?', '？'])
}

/// Whether a text remembers, supposes, denies and pretends nothing, and tells of no change.
pub(super) fn tells_plainly(text: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => !holds(text, words::NOT_PLAIN_ZH),
        Lang::En => {
            let spaced = spaced(text);
            !words::NOT_PLAIN_EN.iter().any(|word| spaced.contains(word))
        }
    }
}

/// An English text in small letters, its words parted by single marks of space.
pub(super) fn spaced(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let mut spaced = String::with_capacity(lower.len() + 2);
    spaced.push(' ');
    for word in lower.split(|char: char| !(char.is_alphanumeric() || char == '\'' || char == '-')) {
        if !word.is_empty() {
            spaced.push_str(word);
            spaced.push(' ');
        }
    }
    spaced
}
