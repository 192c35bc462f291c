//! How a sentence speaks of somebody it names: as acting here and now, or in a frame that excuses it.
//!
//! The rule is not a list of verbs that count but a list of frames that excuse: memory, dream,
//! report, document, verse, likeness, supposition, quotation, possession, object. Whoever is the
//! subject of a clause outside such a frame acts. What stands between the two is doubtful: a
//! candidate for the closed question, never a finding.

mod en;
#[rustfmt::skip]
mod en_words;
mod scope;
mod zh;
#[rustfmt::skip]
mod zh_frames;
#[rustfmt::skip]
mod zh_words;

use std::ops::Range;

use novel_model::Lang;

use super::prose::{Mention, Scene};

pub(super) use scope::Flashbacks;
pub(super) use zh_frames::ALIVE_AFTER_ALL;

/// How a sentence speaks of somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// Acts, speaks or is present; the decisive bytes of the scene.
    Acts(Range<usize>),
    /// Named where the sentence alone does not decide.
    Doubtful,
    /// Named in a frame that excuses.
    Excused(Excuse),
}

/// Why a name in the prose is no act here and now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excuse {
    /// Inside quotation marks.
    Quotation,
    /// Memory, dream, vision, ghost, or told as past.
    Past,
    /// Supposed, wished or compared.
    Hypothesis,
    /// Hearsay, a document, a verse, a likeness, a stage.
    Report,
    /// Owner of something, part of a longer noun, object of a verb.
    Mention,
    /// A state that the dead can be in.
    State,
}

impl Reading {
    /// The decisive bytes of an act.
    pub(super) fn act(self) -> Option<Range<usize>> {
        match self {
            Self::Acts(focus) => Some(focus),
            Self::Doubtful | Self::Excused(_) => None,
        }
    }
}

/// Reads one mention.
pub(super) fn read(
    scene: &Scene<'_>,
    flashbacks: &Flashbacks,
    mention: Mention<'_>,
    lang: Lang,
) -> Reading {
    let Some(sentence) = scene.sentence_at(mention.start) else {
        return Reading::Doubtful;
    };
    if scene.is_quoted(mention.start) {
        let replies = lang == Lang::En
            && !flashbacks.covers(mention.start)
            && en::replies(scene, sentence, mention);
        return if replies {
            Reading::Acts(mention.start..mention.end)
        } else {
            Reading::Excused(Excuse::Quotation)
        };
    }
    if flashbacks.covers(mention.start) {
        return Reading::Excused(Excuse::Past);
    }
    match lang {
        Lang::Zh => zh::read(scene, sentence, mention),
        Lang::En => en::read(scene, sentence, mention),
    }
}

/// Whether the sentences around a mention that acts are of a dream, a picture, a stage, a grave or a time
/// that is over, without a word of it in its own: somebody dead may act there. Letters of `names` are no
/// words.
pub(super) fn is_elsewhere(
    scene: &Scene<'_>,
    names: &[&str],
    mention: Mention<'_>,
    lang: Lang,
) -> bool {
    lang == Lang::Zh
        && scene
            .sentence_at(mention.start)
            .is_some_and(|sentence| zh::is_elsewhere(scene, names, sentence, mention))
}
