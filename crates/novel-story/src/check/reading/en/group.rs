//! A verb group: an act here and now, or what may be told of the dead as well.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    pub(super) fn is_progressive(&self, be: usize) -> bool {
        let next = self.skip_adverbs(be + 1);
        self.tag(next) == Tag::Ing && !self.is(next, words::LIFELESS)
    }

    /// The verb group at `verb`, and what the same subject does after it.
    pub(super) fn group(&self, verb: usize) -> Verdict {
        let habit = self.tokens[..verb]
            .iter()
            .rev()
            .take_while(|token| token.tag == Tag::Adverb)
            .find(|token| token.is(words::HABITS) || token.is(&["once"]));
        if let Some(adverb) = habit {
            return if adverb.is(&["once"]) {
                Verdict::Excused(Excuse::Past)
            } else {
                Verdict::Doubtful
            };
        }
        // `ran us up the ridge every morning`.
        let end = self.clause_end(verb);
        let repeated = (verb..end).any(|at| {
            self.is(at, &["every", "each"])
                && (self.is(at + 1, words::TIME_UNITS) || self.is(at + 1, words::WEEKDAYS))
                && !self.is(at + 1, &["time"])
        });
        if repeated && !self.is_progressive(verb) {
            return Verdict::Doubtful;
        }
        match self.one(verb) {
            Verdict::Acts => Verdict::Acts,
            // `kept bees and sold the honey`, but `left his glass on the sill and went out`.
            verdict
                if !self.is_plain(verb)
                    && !self.is(verb, words::THEN_MORE)
                    && !self.is_definite(verb) =>
            {
                verdict
            }
            verdict => {
                let denied = self.word(verb).ends_with("n't") || self.is(verb + 1, &["not"]);
                let past = verdict == Verdict::Excused(Excuse::Past) && !denied;
                if self.goes_on(verb, past) {
                    Verdict::Acts
                } else {
                    verdict
                }
            }
        }
    }

    /// One verb group.
    pub(super) fn one(&self, verb: usize) -> Verdict {
        let word = self.word(verb);
        let next = self.skip_adverbs(verb + 1);
        let negated = word.ends_with("n't")
            || word == "cannot"
            || self.tokens[verb + 1..next]
                .iter()
                .any(|token| token.is(&["not", "never"]));
        match self.tag(verb) {
            Tag::Be => self.being(verb, next, negated),
            // `had just sat down when`.
            Tag::Have
                if self.tokens[verb + 1..next]
                    .iter()
                    .any(|token| token.is(&["just", "barely", "hardly", "scarcely"]))
                    && matches!(self.tag(next), Tag::Participle | Tag::Past)
                    && !self.is(next, &["been", "died", "passed"])
                    && self.is_plain(next)
                    && !self.is_of_grave() =>
            {
                Verdict::Acts
            }
            Tag::Have => self.having(word, next),
            Tag::Do => {
                let verb = self.word(next);
                let acts = match (negated, self.tag(next)) {
                    (true, Tag::Base) => {
                        words::DENIED.contains(&verb)
                            && !self.is(next + 1, &["like", "well", "good", "old"])
                    }
                    (false, Tag::Base) => {
                        !words::DIES.contains(&verb) && !words::LEGACY_BASE.contains(&verb)
                    }
                    (false, _) => matches!(verb, "as" | "so"),
                    _ => false,
                };
                if acts {
                    Verdict::Acts
                } else {
                    Verdict::Doubtful
                }
            }
            Tag::Modal => {
                let base = self.word(next);
                let acts = match word {
                    "could" | "can" | "couldn't" | "can't" | "cannot" => {
                        words::SENSES.contains(&base)
                            || negated && words::COULD_NOT.contains(&base)
                            // `Before Chen could answer`.
                            || self.is(self.at.saturating_sub(1), &["before"])
                                && !words::DIES.contains(&base)
                                && !matches!(base, "be" | "have" | "see")
                            || base == "be"
                                && self.is(next + 1, &["heard", "seen"])
                                && self.tag(next + 2) == Tag::Ing
                            // `could only stare`.
                            || !negated
                                && self.is(verb + 1, &["only", "barely", "hardly", "scarcely"])
                                && !words::DIES.contains(&base)
                                && !words::LEGACY_BASE.contains(&base)
                    }
                    "would" | "wouldn't" => {
                        let never = self.tokens[verb..next]
                            .iter()
                            .any(|token| token.is(&["never", "again"]));
                        negated && !never && words::WOULD_NOT.contains(&base)
                    }
                    _ => false,
                };
                if acts {
                    Verdict::Acts
                } else {
                    Verdict::Doubtful
                }
            }
            Tag::Past | Tag::Present | Tag::Noun => self.lexical(verb, next),
            _ => Verdict::Doubtful,
        }
    }

    /// `nodded`, `opens`: an act unless the dead do so too.
    pub(super) fn lexical(&self, verb: usize, next: usize) -> Verdict {
        let word = self.word(verb);
        let object = self.tag(next);
        if word == "used" && object == Tag::To {
            return Verdict::Excused(Excuse::Past);
        }
        if word == "passed"
            && (matches!(
                object,
                Tag::Determiner | Tag::Possessive | Tag::Pronoun | Tag::Name
            ) || self.is(next, &["round", "through", "behind", "under", "by"]))
            || word == "fell"
                && (self.is(next, words::FELL_AND_LIVES)
                    || self.tokens[..verb]
                        .iter()
                        .rev()
                        .take(2)
                        .any(|token| token.is(&["nearly", "almost", "half"])))
            || matches!(word, "lay" | "rested" | "lies")
                && (self.trails(verb)
                    || self.is(next, &["awake", "listening", "watching", "down", "back"]))
        {
            return Verdict::Acts;
        }
        // `went into the ground`, `sleeps in the churchyard`.
        let end = self.clause_end(verb);
        let under = (verb + 1..end).any(|at| {
            self.is(at, &["into", "in", "under", "beneath", "to"])
                && (at + 1..end.min(at + 4)).any(|noun| {
                    self.is(noun, words::GRAVES)
                        || self.is(
                            noun,
                            &["ground", "earth", "heaven", "god", "rest", "hell", "peace"],
                        )
                })
        });
        if under {
            return Verdict::Excused(Excuse::State);
        }
        // `breathed his last`, `met his end`, `hung from a beam`, `came from Hull`.
        let ends = self.is(next, &["his", "her", "their"])
            && self.is(
                next + 1,
                &[
                    "last", "end", "death", "maker", "grave", "rest", "fate", "doom", "life",
                    "final",
                ],
            )
            && (self.word(next + 1) != "life" || matches!(word, "gave" | "took" | "lost" | "laid"));
        let limp =
            word == "swung" && self.is(next, &["at", "for"]) && self.tag(next + 1) == Tag::Name
                || word == "hung" && self.is(next, &["from", "by", "there", "limp", "in"]);
        let born = word == "came"
            && self.is(next, &["from", "of"])
            && self.tag(next + 1) == Tag::Name
            && (self.tag(next + 2).is_mark() || self.tag(next + 2) == Tag::Name);
        if ends || limp || born {
            return Verdict::Excused(Excuse::State);
        }
        // `rested his chin on his fist`.
        if word == "rested"
            && (self.is(next, &["his", "her", "one", "both"]) && self.is(next + 1, words::BODY)
                || self.is(next + 1, words::BODY))
        {
            return Verdict::Acts;
        }
        // What an image does.
        if matches!(word, "flickered" | "dissolved" | "pixelated" | "pixellated") {
            return Verdict::Doubtful;
        }
        if words::DEATH_VERBS.contains(&word) {
            return Verdict::Excused(Excuse::State);
        }
        if matches!(word, "looked" | "looks") && self.is(next, words::LOOKS_OF_THE_DEAD) {
            return Verdict::Doubtful;
        }
        if words::LEGACY_VERBS.contains(&word) {
            let acts = self.is_momentary(verb) || self.trails(verb);
            return if acts {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
        }
        let tells = object != Tag::Pronoun
            && self.tag(verb) == Tag::Present
            && words::TELLS_ON_PAPER.contains(&word);
        if tells && !self.touches_quote(verb) {
            return Verdict::Doubtful;
        }
        Verdict::Acts
    }

    /// `…, wiping his hands`: what goes on while the verb is told.
    pub(super) fn trails(&self, verb: usize) -> bool {
        let trail = (verb + 1..self.tokens.len())
            .take_while(|at| {
                let tag = self.tag(*at);
                let ends = matches!(tag, Tag::Stop | Tag::Quote | Tag::Subject | Tag::Clitic);
                !ends && (tag == Tag::Past || !tag.is_finite())
            })
            .filter(|at| self.tag(*at) == Tag::Comma)
            .map(|comma| self.skip_adverbs(comma + 1))
            .find(|next| self.tag(*next) == Tag::Ing && !self.is(*next, words::NO_ACTS));
        trail.is_some_and(|next| {
            !self.is(next, words::LIFELESS) && !self.speaks_of_death(verb, self.tokens.len())
        })
    }

    pub(super) fn touches_quote(&self, verb: usize) -> bool {
        self.tokens
            .iter()
            .enumerate()
            .any(|(at, token)| token.tag == Tag::Quote && at.abs_diff(verb) < 8)
    }
}
