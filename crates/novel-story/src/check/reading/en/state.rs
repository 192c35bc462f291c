//! `was` and `had`: states the dead can be in, and what only somebody who is there is or has.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// `was standing`, `was at the door`, `was a good man`, `was dead`.
    pub(super) fn being(&self, be: usize, next: usize, negated: bool) -> Verdict {
        let grave = self.tokens[next.min(self.tokens.len())..]
            .iter()
            .take(10)
            .any(|token| token.is(words::GRAVES) || token.is(words::LIES_THERE));
        let word = self.word(next);
        let progressive = self.is_progressive(be);
        if negated {
            let moody = words::PRESENT_STATES.contains(&word) && !words::ABSENCES.contains(&word);
            return if progressive && words::COULD_BE.contains(&word) || moody && !grave {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
        }
        let acts = match self.tag(next) {
            // `was being measured for a suit`.
            Tag::Ing if word == "being" => {
                matches!(self.tag(next + 1), Tag::Participle | Tag::Past)
                    && !self.is(next + 1, words::DONE_TO_THE_DEAD)
            }
            Tag::Ing if word == "going" => self.tag(next + 1) != Tag::To,
            Tag::Ing => progressive,
            // `was about to answer`.
            _ if word == "about" => {
                self.tag(next + 1) == Tag::To && !self.is(next + 2, words::DIES)
            }
            Tag::Preposition => {
                let first = self.tokens[be + 1..next.max(be + 1)].iter().any(|token| {
                    token.is(&["first", "last", "already", "still", "here", "halfway"])
                });
                (words::WHERE.contains(&word) || first && word == "through") && !grave
            }
            Tag::To => false,
            _ if words::PRESENT_STATES.contains(&word) => !grave,
            _ if matches!(word, "the" | "first" | "last") => {
                let at = next + usize::from(word == "the");
                self.is(at, &["first", "last", "only", "one", "loudest"])
                    && self.tokens[at..]
                        .iter()
                        .take(4)
                        .any(|token| token.is(&["to", "who"]))
                    && self.tokens[at..]
                        .iter()
                        .take(6)
                        .any(|token| token.is(words::FIRST_TO))
            }
            _ => words::COMPARED.contains(&word) && self.pours_next(next),
        };
        let end = self.clause_end(be);
        // `was three fields off and still running`.
        let runs = (next..end).any(|at| {
            let doing = self.skip_adverbs(at + 1);
            self.tag(at) == Tag::Coordinator
                && self.tag(doing) == Tag::Ing
                && !self.is(doing, words::LIFELESS)
        });
        // `was so good as to hold the gate`, `was kind enough to wait`.
        let obliges = (next..end.saturating_sub(2)).any(|at| {
            self.is(at, &["as", "enough"])
                && self.tag(at + 1) == Tag::To
                && self.tag(at + 2) == Tag::Base
                && !self.is(at + 2, words::DIES)
                && !self.is(at + 2, words::LEGACY_BASE)
        }) && self.tokens[next..end]
            .iter()
            .any(|token| token.is(&["good", "kind", "gracious", "obliging"]));
        if acts || !grave && (self.trails(be) || runs || obliges) {
            return Verdict::Acts;
        }
        if matches!(self.tag(next), Tag::End | Tag::Comma) || word == "to" || word == "going" {
            return Verdict::Doubtful;
        }
        Verdict::Excused(Excuse::State)
    }

    /// `had to stoop`, `had her by the wrist`, `had his sleeves rolled up`, `had been the first`.
    pub(super) fn having(&self, word: &str, next: usize) -> Verdict {
        match self.tag(next) {
            Tag::To => Verdict::Acts,
            Tag::Pronoun if self.word(next + 1) == "by" => Verdict::Acts,
            Tag::Determiner | Tag::Possessive | Tag::Noun | Tag::Pronoun => {
                let end = self.clause_end(next);
                let phrase = &self.tokens[next..end];
                let own = self.tag(next) == Tag::Possessive && !self.word(next).ends_with("'s");
                let body = phrase
                    .iter()
                    .position(|token| token.is(words::BODY) || token.is(words::CLOTHES));
                // His own body and how he holds it, or a thing in his hands.
                let holds = body.is_some_and(|body| {
                    own && body < 4 && phrase.len() > body + 1
                        || phrase[..body].iter().any(|token| token.is(words::HELD_IN))
                            && phrase[body - 1].tag == Tag::Possessive
                }) && !phrase.iter().any(|token| token.is(words::GONE));
                // `had the grace to blush`.
                let dares = phrase.windows(2).any(|pair| {
                    pair[1].tag == Tag::To
                        && pair[0].is(&[
                            "grace", "sense", "decency", "nerve", "wit", "presence", "goodness",
                            "gall",
                        ])
                });
                if holds || dares {
                    Verdict::Acts
                } else {
                    Verdict::Doubtful
                }
            }
            _ => {
                // `had begun to snore`.
                if self.is(next, &["begun", "started"])
                    && self.tag(next + 1) == Tag::To
                    && self.is(next + 2, words::HEARD_OF)
                {
                    return Verdict::Acts;
                }
                // `until Chen had finished his soup`.
                let eaten = self.is(
                    next,
                    &["finished", "eaten", "drunk", "emptied", "swallowed"],
                ) && (self.is(next + 1, &["his", "her"])
                    || self.word(next) == "finished" && self.tag(next + 1) == Tag::Ing)
                    && self.is(
                        self.phrase_start().saturating_sub(1),
                        &["until", "till", "when", "time", "before"],
                    );
                if eaten {
                    return Verdict::Acts;
                }
                let been = self.word(next) == "been";
                let doing = self.skip_adverbs(next + 1);
                let goes_on =
                    been && self.tag(doing) == Tag::Ing && !self.is(doing, words::LIFELESS);
                // `had been walking for an hour`.
                let lately = goes_on
                    && self.tokens[doing..self.clause_end(doing)]
                        .iter()
                        .any(|token| {
                            token.is(&[
                                "hour",
                                "hours",
                                "minute",
                                "minutes",
                                "moment",
                                "noon",
                                "dawn",
                                "breakfast",
                                "midnight",
                            ])
                        });
                match word {
                    "has" | "have" if goes_on => Verdict::Acts,
                    _ if lately => Verdict::Acts,
                    "has" | "have" => {
                        let now = self.tokens.iter().any(|token| {
                            token.is(&[
                                "is", "are", "am", "it's", "he's", "she's", "i'm", "now", "just",
                            ]) || token.tag == Tag::Present
                        });
                        let does = matches!(self.tag(next), Tag::Participle | Tag::Past)
                            && !self.is(
                                next,
                                &[
                                    "been", "died", "gone", "left", "taught", "given", "become",
                                    "lived", "lost", "won", "had",
                                ],
                            )
                            && self.is_plain(next);
                        if now && does {
                            Verdict::Acts
                        } else {
                            Verdict::Doubtful
                        }
                    }
                    _ => Verdict::Excused(Excuse::Past),
                }
            }
        }
    }
}
