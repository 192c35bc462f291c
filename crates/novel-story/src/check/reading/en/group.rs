//! A verb group: an act here and now, or what may be told of the dead as well.

use super::{
    super::Excuse,
    Parsed, Verdict,
    token::{Tag, is_present},
    words,
};

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
                && self.is(at + 1, words::TIME_UNITS)
                && !self.is(at + 1, &["time"])
        });
        if repeated && !self.is_progressive(verb) {
            return Verdict::Doubtful;
        }
        match self.one(verb) {
            Verdict::Acts => Verdict::Acts,
            // `kept bees and sold the honey`.
            verdict if !self.is_plain(verb) && !self.is(verb, words::THEN_MORE) => verdict,
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

    /// `was standing`, `was at the door`, `was a good man`, `was dead`.
    pub(super) fn being(&self, be: usize, next: usize, negated: bool) -> Verdict {
        let grave = self.tokens[next.min(self.tokens.len())..]
            .iter()
            .take(10)
            .any(|token| token.is(words::GRAVES) || token.is(words::LIES_THERE));
        let word = self.word(next);
        let progressive = self.is_progressive(be);
        if negated {
            return if progressive && words::COULD_BE.contains(&word) {
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
            Tag::Preposition => words::WHERE.contains(&word) && !grave,
            // `was about to answer`.
            Tag::To => false,
            _ if word == "about" => {
                self.tag(next + 1) == Tag::To && !self.is(next + 2, words::DIES)
            }
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
        if acts || !grave && self.trails(be) {
            return Verdict::Acts;
        }
        if matches!(self.tag(next), Tag::End | Tag::Comma) || word == "to" || word == "going" {
            return Verdict::Doubtful;
        }
        Verdict::Excused(Excuse::State)
    }

    /// `was quicker, and he poured`.
    pub(super) fn pours_next(&self, from: usize) -> bool {
        (from..self.tokens.len().saturating_sub(2)).any(|at| {
            self.tag(at) == Tag::Coordinator
                && self.is(at + 1, &["he", "she"])
                && self.tag(at + 2) == Tag::Past
                && self.is_plain(at + 2)
        })
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
                ) && self.is(next + 1, &["his", "her"])
                    && self.is(
                        self.at.saturating_sub(1),
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

    /// A verb that also tells of the dead, as the act of a moment: `lost his temper`, `kept her
    /// waiting`, `gave a short laugh`.
    pub(super) fn is_momentary(&self, verb: usize) -> bool {
        let word = self.word(verb);
        let first = self.word(verb + 1);
        let end = self.clause_end(verb);
        let soon = |list: &[&str]| {
            self.tokens[verb + 1..end]
                .iter()
                .take(6)
                .any(|token| token.is(list))
        };
        let second = self.word(verb + 2);
        let somebody = matches!(first, "him" | "her" | "them" | "me" | "us" | "you");
        let doing = self.tag(verb + 1) == Tag::Ing;
        match word {
            "began" | "begins" => {
                first == "to" && !words::BEGUN_FOR_LONG.contains(&second) && !second.is_empty()
                    || doing
            }
            "kept" | "keeps" => {
                words::KEPT_AT_ONCE.contains(&first) && second != "for"
                    || doing
                    || soon(words::BODY)
                    || somebody
                        && (second.is_empty() || soon(&["there", "waiting", "standing", "back"]))
            }
            "gave" | "gives" => {
                soon(words::GIVEN_AT_ONCE)
                    || somebody
                        && self.tag(verb + 2) != Tag::Coordinator
                        && second != "everything"
                        && matches!(second, "the" | "a" | "an" | "his" | "her" | "back")
                        && !soon(&["name", "life", "love", "first", "start"])
            }
            "wanted" | "wants" => {
                doing || first == "to" && matches!(second, "know" | "see" | "go" | "hear")
            }
            "called" => {
                matches!(
                    first,
                    "out"
                        | "to"
                        | "from"
                        | "after"
                        | "down"
                        | "back"
                        | "across"
                        | "up"
                        | "over"
                        | "for"
                        | "through"
                        | "in"
                )
            }
            "left" => {
                matches!(
                    first,
                    "without"
                        | "by"
                        | "through"
                        | "again"
                        | "first"
                        | "early"
                        | "them"
                        | "her"
                        | "him"
                ) && !soon(&["alone", "money", "house", "will", "nothing", "everything"])
                    && !(somebody && matches!(second, "the" | "a" | "his" | "her"))
                    || first == "the" && matches!(second, "room" | "table" | "tent" | "kitchen")
                    || first == "at"
                        && matches!(second, "noon" | "dawn" | "dusk" | "once" | "midnight")
            }
            "carried" | "carries" => soon(&[
                "in",
                "up",
                "down",
                "into",
                "out",
                "across",
                "through",
                "over",
                "upstairs",
                "downstairs",
                "inside",
                "outside",
                "back",
            ]),
            "appeared" | "appears" => {
                matches!(first, "at" | "in" | "on" | "from" | "beside" | "behind")
            }
            _ => words::MOMENTS
                .iter()
                .any(|(of, objects)| *of == word && soon(objects)),
        }
    }

    /// Whether the same subject does something after the verb: `had come in and was standing`,
    /// `didn't answer; he went on whittling`. After a pluperfect only what is going on counts.
    pub(super) fn goes_on(&self, verb: usize, after_past: bool) -> bool {
        let nominal =
            self.tag(verb) == Tag::Be && self.tag(self.skip_adverbs(verb + 1)) == Tag::Determiner;
        if self.speaks_of_death(verb, self.tokens.len())
            || nominal
            || self.is(self.skip_adverbs(verb + 1), words::LOOKS_OF_THE_DEAD)
        {
            return false;
        }
        let mut subject = true;
        for at in verb + 1..self.tokens.len() {
            let token = &self.tokens[at];
            match token.tag {
                // Somebody else in between may be meant.
                Tag::Name if token.lower != "i" && self.tag(at - 1) != Tag::Preposition => {
                    return false;
                }
                Tag::Subject | Tag::Clitic if !self.joins(at) => subject = false,
                Tag::Possessive if self.joins(at) => subject = false,
                Tag::Quote | Tag::Subordinator | Tag::Relative => subject = false,
                _ => {}
            }
            // `says so, pushes the bowl back`.
            let listed = token.tag == Tag::Comma
                && self.tag(verb) != Tag::Have
                && is_present(self.word(at + 1), self.tag(at + 2), self.tokens.get(at + 2));
            let joins = matches!(token.tag, Tag::Coordinator | Tag::Stop)
                || listed
                || token.is(&["for", "because", "then", "so"]);
            if !joins || token.is(&["or", "nor"]) {
                continue;
            }
            let next = self.skip_adverbs(at + 1);
            let own = self.is(next, &["he", "she"]);
            let follows = if own {
                self.skip_adverbs(next + 1)
            } else {
                next
            };
            if self.is(next, &["his", "her"]) && !after_past && self.is(next + 1, words::BODY) {
                if self.tag(next + 2) == Tag::Past && !self.is(next + 2, words::IN_MIND) {
                    return true;
                }
                continue;
            }
            if !(self.tag(follows).is_finite() || listed)
                || self.tag(follows) == Tag::Clitic
                || !own && !subject
            {
                continue;
            }
            let now = self.tokens[at..follows]
                .iter()
                .any(|token| token.is(&["now", "already", "still"]));
            return if after_past {
                self.is_progressive(follows) && self.tag(follows) == Tag::Be
                    || now && self.tag(follows) == Tag::Past && self.is_plain(follows)
            } else if self.tag(verb) == Tag::Modal && !own {
                false
            } else {
                self.one(follows) == Verdict::Acts
            };
        }
        false
    }

    /// A pronoun right after what joins clauses.
    pub(super) fn joins(&self, at: usize) -> bool {
        let last = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag != Tag::Adverb);
        last.is_some_and(|last| {
            matches!(self.tag(last), Tag::Coordinator | Tag::Stop)
                || self.is(last, &["for", "because", "then", "so"])
        })
    }
}
