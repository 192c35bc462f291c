//! The verb that belongs to a subject, with what may stand between: adverbs, asides, phrases.

use super::{
    Parsed, Verdict,
    token::{Tag, is_present},
    words,
};

/// Words an aside between subject and verb may have.
const LONGEST_ASIDE: usize = 28;
/// Words of a phrase or of further subjects between subject and verb.
const LONGEST_PHRASE: usize = 8;

impl Parsed<'_> {
    /// What the predicate of the subject that ends before `from` says of it.
    pub(super) fn predicate(&self, from: usize) -> Verdict {
        match self.verb_of(from) {
            Some(verb) => self.group(verb),
            None => match self.relative(from) {
                Verdict::Acts => Verdict::Acts,
                _ => Verdict::Doubtful,
            },
        }
    }

    /// The finite verb of the subject that ends before `from`: adverbs, asides, further subjects
    /// and phrases between them are left out.
    pub(super) fn verb_of(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for _ in 0..LONGEST_PHRASE {
            let token = self.tokens.get(at)?;
            match token.tag {
                Tag::Adverb => at += 1,
                Tag::Pronoun if token.lower.ends_with("sel") || token.lower.contains("self") => {
                    at += 1;
                }
                Tag::Coordinator => at = self.after_phrase(at + 1, false)?,
                Tag::Preposition if !self.follows_verb(at) => {
                    at = self.after_phrase(at + 1, true)?
                }
                Tag::Comma | Tag::Stop | Tag::Open => at = self.after_aside(at)?,
                Tag::Relative => at = self.after_relative(at + 1)?,
                tag if tag.is_finite() && tag != Tag::Clitic => return Some(at),
                Tag::Noun
                    if is_present(&token.lower, self.tag(at + 1), self.tokens.get(at + 1)) =>
                {
                    return Some(at);
                }
                _ => return None,
            }
        }
        None
    }

    /// `up`, `in` right after a verb.
    pub(super) fn follows_verb(&self, at: usize) -> bool {
        at > 0 && self.tag(at - 1).is_finite()
    }

    /// The finite verb, or the mark, after a noun phrase: `and the dog`, `of the Red Hand`.
    pub(super) fn after_phrase(&self, from: usize, is_preposition: bool) -> Option<usize> {
        let mut nouns = 0;
        for at in from..(from + LONGEST_PHRASE).min(self.tokens.len()) {
            match self.tag(at) {
                tag if tag.is_finite() && nouns > 0 => return Some(at),
                Tag::Comma if nouns > 0 => {
                    let next = self.skip_adverbs(at + 1);
                    return (self.tag(next).is_finite() && self.tag(next) != Tag::Clitic
                        || !is_preposition && self.tag(next) == Tag::Coordinator)
                        .then_some(next);
                }
                Tag::Noun | Tag::Name | Tag::Pronoun | Tag::Subject => nouns += 1,
                Tag::Determiner | Tag::Possessive | Tag::Adverb | Tag::Other => {}
                Tag::Preposition | Tag::Ing if is_preposition || nouns > 0 => {}
                Tag::Coordinator if nouns > 0 => {}
                _ => return None,
            }
        }
        None
    }

    /// What stands after an aside: `, still out of breath,`, `— never a patient man —`, `(…)`.
    pub(super) fn after_aside(&self, open: usize) -> Option<usize> {
        let closes = |at: usize| match self.tag(open) {
            Tag::Open => self.tag(at) == Tag::Close,
            Tag::Stop => self.tag(at) == Tag::Stop,
            _ => matches!(self.tag(at), Tag::Comma | Tag::Stop),
        };
        if matches!(self.word(open), ";" | ":") {
            return None;
        }
        let mut first = self.skip_adverbs(open + 1);
        // `--`.
        while self.tag(open) == Tag::Stop && self.tag(first) == Tag::Stop {
            first += 1;
        }
        let opens = self.tag(first);
        let marked = self.tag(open) != Tag::Comma;
        let begins_freely = marked
            || matches!(opens, Tag::Preposition | Tag::To)
                && self.is(first + 1, &["whom", "which"])
            || matches!(
                opens,
                Tag::Relative
                    | Tag::Subordinator
                    | Tag::Ing
                    | Tag::Past
                    | Tag::Participle
                    | Tag::Possessive
            );
        // `Chen, she says finally, is laughing`.
        let end = self.clause_end(first);
        let told = (opens == Tag::Subject || self.is(first, &["you"]))
            && end < first + 5
            && self.tag(end) == Tag::Comma
            && (first..end).any(|at| {
                self.is(at, words::SAYS) || self.is(at, &["tell", "see", "thought", "guessed"])
            });
        if told {
            let next = self.skip_adverbs(end + 1);
            return self.tag(next).is_finite().then_some(next);
        }
        if opens == Tag::Coordinator && !marked {
            // `Chen, and Mara with him, climbed`; `Chen, and the room fell quiet` begins a clause.
            let end = self.clause_end(first);
            let begins = (first..end).any(|at| self.tag(at).is_finite());
            let next = self.skip_adverbs(end + 1);
            return (!begins && self.tag(end) == Tag::Comma && self.tag(next).is_finite())
                .then_some(next);
        }
        let mut own_clause = false;
        for at in first..(first + LONGEST_ASIDE).min(self.tokens.len()) {
            if closes(at) {
                let mut next = self.skip_adverbs(at + 1);
                while marked && self.tag(next) == Tag::Stop {
                    next += 1;
                }
                let tag = self.tag(next);
                if tag.is_finite() && tag != Tag::Clitic && !own_clause {
                    let dead = self.speaks_of_death(first, at)
                        || (first..at).any(|word| {
                            self.is(word, words::GRAVES)
                                || self.is(word, words::STONES)
                                || self.is(word, &["frame", "canvas", "oils"])
                        });
                    return (!dead).then_some(next);
                }
                // `Chen, the baker, and two pilgrims were singing`.
                if tag == Tag::Coordinator && !own_clause && self.tag(first) == Tag::Determiner {
                    return self.after_phrase(next + 1, false);
                }
                // `Chen, old and bent, his hat askew, came`.
                continue;
            }
            match self.tag(at) {
                Tag::Stop | Tag::Quote | Tag::End if !marked => return None,
                tag if tag.is_finite() && !begins_freely => own_clause = true,
                _ => {}
            }
        }
        None
    }

    /// The main verb after a relative clause without commas.
    pub(super) fn after_relative(&self, from: usize) -> Option<usize> {
        let verbs: Vec<usize> = (from..(from + LONGEST_ASIDE).min(self.tokens.len()))
            .take_while(|at| !matches!(self.tag(*at), Tag::Stop | Tag::Quote | Tag::End))
            .filter(|at| self.tag(*at).is_finite())
            .collect();
        verbs.get(1).copied()
    }

    /// `, who slipped it into a pocket`.
    pub(super) fn relative(&self, from: usize) -> Verdict {
        let comma = usize::from(self.tag(from) == Tag::Comma);
        // `Chen, whose speech lasted longer than the judging`.
        if comma == 1 && self.word(from + 1) == "whose" {
            let part = from + 2;
            let spoken = self.is(part, words::BODY)
                || self.is(part, &["speech", "remarks", "yawns", "sobs", "protests"]);
            let verb =
                (part + 1..self.tokens.len().min(part + 5)).find(|at| self.tag(*at).is_finite());
            let moves = verb.is_some_and(|verb| {
                self.tag(verb) == Tag::Past
                    && self.is_plain(verb)
                    && !self.is(verb, words::LIMP)
                    && !self.is(verb, words::IN_MIND)
            });
            return if spoken && moves && !self.is_of_grave() {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
        }
        if self.word(from + comma) != "who" {
            return Verdict::Doubtful;
        }
        let verb = self.skip_adverbs(from + comma + 1);
        if !self.tag(verb).is_finite() {
            return Verdict::Doubtful;
        }
        match self.group(verb) {
            // `who was a quiet man`.
            Verdict::Acts if self.tag(verb) != Tag::Be || self.is_progressive(verb) => {
                Verdict::Acts
            }
            verdict => verdict,
        }
    }

    /// The mark or end after `from`.
    pub(super) fn clause_end(&self, from: usize) -> usize {
        (from..self.tokens.len())
            .find(|at| self.tag(*at).is_mark())
            .unwrap_or(self.tokens.len())
    }

    /// Whether the name begins its clause and the verb is denied: `had not drawn`, `will not let go`.
    pub(super) fn denied(&self) -> bool {
        let begins = self.at == 0 || self.tag(self.at - 1).is_mark() || self.is(0, words::TITLES);
        self.verb_of(self.at + 1).is_some_and(|verb| {
            begins
                && !self.is(self.skip_adverbs(verb + 1), words::DIES)
                && !(verb + 1..self.clause_end(verb)).any(|at| self.is(at, words::ABSENCES))
                && (self.word(verb).ends_with("n't") || self.is(verb + 1, &["not"]))
        })
    }

    /// Whether a range has words of a death: `snipping dead heads`, `late again`, `had gone red` are none.
    pub(super) fn speaks_of_death(&self, from: usize, to: usize) -> bool {
        (from..to).any(|at| {
            let last = at.checked_sub(1).map_or(Tag::End, |last| self.tag(last));
            self.is(at, words::GONE)
                && match self.word(at) {
                    "dead" => {
                        last == Tag::Be
                            || at > 0 && self.is(at - 1, &["lay", "long", "now", "the"])
                            || self.tag(at + 1).is_mark()
                    }
                    "late" => last.opens_noun_phrase(),
                    "gone" => {
                        last != Tag::Have && !self.is(at.saturating_sub(1), &["just", "already"])
                    }
                    _ => true,
                }
        })
    }

    /// Neither what the dead do nor what outlasts them.
    pub(super) fn is_plain(&self, verb: usize) -> bool {
        let word = self.word(verb);
        !words::DEATH_VERBS.contains(&word) && !words::LEGACY_VERBS.contains(&word)
    }
}
