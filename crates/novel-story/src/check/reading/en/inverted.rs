//! A name behind its verb: agent of a passive, tag of a quotation, inversion.

use super::{Parsed, token::Tag, words};

impl Parsed<'_> {
    /// `The rope was cut by Chen`.
    pub(super) fn is_agent(&self, at: usize) -> bool {
        let segment = self.segment_start(at);
        let done = self.tokens[segment..at]
            .iter()
            .rev()
            .take(8)
            .find(|token| matches!(token.tag, Tag::Past | Tag::Participle))
            .filter(|token| !token.is(words::MADE));
        let Some(done) = done else { return false };
        let near = self.tokens[segment..at]
            .iter()
            .rev()
            .take_while(|token| token.range != done.range)
            .all(|token| {
                matches!(
                    token.tag,
                    Tag::Adverb
                        | Tag::Preposition
                        | Tag::To
                        | Tag::Determiner
                        | Tag::Noun
                        | Tag::Possessive
                        | Tag::Pronoun
                )
            });
        let mark = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag.is_mark())
            .map_or(0, |mark| mark + 1);
        let passive = self.tokens[mark..at]
            .iter()
            .any(|token| token.tag == Tag::Be || token.is(&["got", "be", "been", "being"]))
            || done.tag == Tag::Participle
            || !done.is(words::INVERTS)
                && !done.is(words::DEATH_VERBS)
                && self.tokens[..at]
                    .iter()
                    .rposition(|token| token.range == done.range)
                    .is_some_and(|done| {
                        done > 0
                            && (self.tag(done - 1) == Tag::Ing || self.tag(done - 1) == Tag::Comma)
                    })
            || self.tokens[segment..at].last().is_some_and(|token| {
                token.range == done.range
                    || token.is(&[
                        "up", "in", "back", "down", "out", "away", "off", "aside", "over",
                    ])
            });
        let verb = self.tokens[..at]
            .iter()
            .rposition(|token| token.range == done.range)
            .unwrap_or(at);
        let past = self.tokens[verb.saturating_sub(4).max(segment)..verb]
            .iter()
            .any(|token| {
                token.is(&["had", "would", "could", "might"]) && token.range.end <= done.range.start
            })
            && !self.is(verb.saturating_sub(1), &["being"]);
        // `before her company was claimed by Chen`.
        let open = segment > 0 && self.is(segment - 1, &["before", "until", "if", "unless"]);
        near && passive && !past && !open
    }

    /// `was led through the vault by Chen`.
    pub(super) fn is_led(&self, at: usize) -> bool {
        let segment = self.segment_start(at);
        (segment + 1..at).any(|verb| {
            self.is(verb, &["led", "taken", "carried", "driven", "brought"])
                && self.tag(verb - 1) == Tag::Be
                && (self.is(verb + 1, words::WAYS) || self.is(self.at + 1, words::WAYS))
        }) && !self.pluperfect_before(at)
            && !self.is_of_grave()
    }

    /// `"Go," growled Chen`.
    pub(super) fn follows_quote(&self, verb: usize) -> bool {
        let before = self.tokens[..verb]
            .iter()
            .rposition(|token| token.tag != Tag::Adverb);
        before.is_some_and(|at| self.tag(at) == Tag::Quote) && !self.is(verb, words::DEATH_VERBS)
    }

    /// The clause begins with a phrase and has no subject before its verb.
    pub(super) fn is_fronted(&self, segment: usize, verb: usize) -> bool {
        let mut from = segment;
        while from < verb && self.tag(from) == Tag::Adverb {
            from += 1;
        }
        if from == verb {
            return verb > 0;
        }
        let opens = matches!(
            self.tag(from),
            Tag::Preposition | Tag::To | Tag::Ing | Tag::Past | Tag::Participle | Tag::Adverb
        ) || self.is(from, &["next", "first", "last", "there", "here"]);
        opens
            && !self.tokens[from..verb]
                .iter()
                .any(|token| token.tag == Tag::Subject)
    }

    /// `Down the ladder scrambled Chen`: a phrase of place, any verb, and the name ends its clause.
    pub(super) fn is_inverted(&self, segment: usize, verb: usize) -> bool {
        let after = self.at + 1;
        let ends = self.tag(after).is_mark()
            || after >= self.tokens.len()
            || matches!(self.tag(after), Tag::Preposition | Tag::Ing);
        let mut at = segment;
        while matches!(self.tag(at), Tag::Preposition | Tag::Adverb) && at < verb {
            at += 1;
        }
        let placed =
            at > segment && self.is(segment, words::PARTICLES) || self.is(segment, words::WHERE);
        let article = matches!(self.tag(at), Tag::Determiner | Tag::Possessive);
        let nouns = verb.saturating_sub(at + 1);
        let plain = (at + 1..verb).all(|noun| self.tag(noun) == Tag::Noun)
            && (1..=3).contains(&nouns)
            && (nouns == 1
                || !self.word(verb - 1).ends_with('s')
                    && !self.is(verb - 1, &["people", "men", "women", "children", "folk"]));
        let begins = segment == 0
            || self.tag(segment - 1).is_mark()
            || self.tag(segment - 1) == Tag::Coordinator;
        ends && begins
            && placed
            && (article && plain || at == verb)
            && self.tag(verb) == Tag::Past
            && self.is_plain(verb)
            && !self.is(verb, words::LETS)
            && !self.is(verb, words::PIVOTS)
            && !self.is(verb, words::LIMP)
            && !self.is(verb, words::SAYS)
            && !self.is(verb, words::DONE_TO_THE_DEAD)
    }
}
