//! Parts and things of somebody that act, and what the sentence goes on to say with a pronoun.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// `Chen's voice came from the stairs` is an act, `Chen's sword` is none.
    pub(super) fn owner(&self) -> Verdict {
        // `Chen's up on the roof again, hammering`.
        let begins = self.phrase_start();
        let is_clitic = (begins == 0 || self.tag(begins - 1).is_mark())
            && match self.tag(self.skip_adverbs(self.at + 2)) {
                Tag::Preposition => !self.is(self.at + 2, &["of", "like"]),
                Tag::Ing => matches!(
                    self.tag(self.skip_adverbs(self.at + 2) + 1),
                    Tag::Determiner | Tag::Possessive | Tag::Preposition | Tag::Pronoun | Tag::End
                ),
                _ => false,
            };
        if is_clitic {
            return self.being(self.at + 1, self.skip_adverbs(self.at + 2), false);
        }
        let mut part = self.at + 2;
        while (part < self.at + 5)
            && !self.is(part, words::BODY)
            && matches!(
                self.tag(part),
                Tag::Noun | Tag::Adverb | Tag::Other | Tag::Determiner | Tag::Past
            )
        {
            part += 1;
        }
        let noun = self.word(part);
        let start = self.phrase_start();
        let before = start.checked_sub(1);
        let gone = self.speaks_of_death(0, self.tokens.len());
        let mind = self.tokens[part.min(self.tokens.len())..]
            .iter()
            .skip(1)
            .take(9)
            .any(|token| {
                token.is(words::IN_MIND)
                    && !matches!(token.tag, Tag::Have | Tag::Modal)
                    && (token.tag != Tag::Preposition || token.lower != "past")
            });
        if !gone && words::BODY.contains(&noun) && self.meanwhile(part + 1) {
            return Verdict::Acts;
        }
        if gone || mind {
            return if words::BODY.contains(&noun) {
                Verdict::Doubtful
            } else {
                Verdict::Excused(Excuse::Mention)
            };
        }
        let front = before.map_or(Tag::End, |at| self.tag(at));
        let shifted = before.is_some_and(|at| self.pluperfect_before(at));
        if let Some(at) = before.filter(|_| !shifted) {
            let word = self.word(at);
            let sensed = words::SENSED
                .iter()
                .any(|(of, parts)| of.contains(&word) && parts.contains(&noun));
            let still = at > 0
                && self.is(
                    at - 1,
                    &["still", "almost", "nearly", "could", "can", "would"],
                );
            if sensed && !still {
                return Verdict::Acts;
            }
            // `"No," was Chen's only answer`, `The voice on the stairs was Chen's`.
            let said = !self.is(
                part,
                &[
                    "motto", "rule", "creed", "word", "words", "phrase", "saying",
                ],
            ) && self.tag(part + 1).is_mark();
            if self.tag(at) == Tag::Be
                && (words::BODY.contains(&noun) || said)
                && (self.follows_quote(at) || at > 0 && self.tag(at - 1) == Tag::Quote)
            {
                return Verdict::Acts;
            }
            let ends = self.tag(self.at + 2).is_mark() || self.at + 2 >= self.tokens.len();
            let moving = self.tokens[..at].iter().any(|token| {
                token.tag == Tag::Past && !token.is(words::LIMP)
                    || token.is(&["voice", "footsteps", "steps", "laugh", "cough"])
            });
            if ends
                && (self.tag(at) == Tag::Be || self.word(at) == ":")
                && self.tokens[..at].iter().any(|token| token.is(words::BODY))
                && moving
            {
                return Verdict::Acts;
            }
            // `felt Chen's thumb press into her palm`.
            let perceives = (words::LETS.contains(&word) || words::PIVOTS.contains(&word))
                && words::BODY.contains(&noun)
                && !words::WORN.contains(&noun)
                && !matches!(self.tag(part + 1), Tag::Past | Tag::Participle)
                && matches!(self.tag(part + 1), Tag::Noun | Tag::Ing | Tag::Base)
                && !self.is(part + 1, words::LIFELESS);
            if perceives
                && !(at > 0
                    && self.is(
                        at - 1,
                        &["still", "almost", "nearly", "could", "can", "would"],
                    ))
            {
                return Verdict::Acts;
            }
            // `"In the bath," came Chen's voice`.
            if self.is(
                at,
                &[
                    "came", "drifted", "floated", "rang", "boomed", "appeared", "rose",
                ],
            ) && words::BODY.contains(&noun)
                && at > 0
            {
                return Verdict::Acts;
            }
        }
        if !words::BODY.contains(&noun) {
            return if self.meanwhile(self.at + 3) {
                Verdict::Acts
            } else {
                Verdict::Excused(Excuse::Mention)
            };
        }
        if self.meanwhile(part + 1) || self.reacts(part + 1) && !shifted {
            return Verdict::Acts;
        }
        let begins = front.is_mark()
            || matches!(front, Tag::Coordinator | Tag::Subordinator | Tag::Adverb)
            || self.is(before.unwrap_or_default(), &["for"])
            || before.is_some_and(|at| {
                let segment = self.segment_start(at + 1);
                matches!(self.tag(segment), Tag::Preposition | Tag::Ing)
                    && !self.has_verb(segment, at + 1)
                    && matches!(self.tag(at), Tag::Noun)
            });
        let compared = before.is_some_and(|at| self.is(at, &["than", "like", "if"]));
        let Some(verb) = self.verb_of(part + 1).filter(|_| begins && !compared) else {
            return Verdict::Doubtful;
        };
        let next = self.skip_adverbs(verb + 1);
        let acts = match self.tag(verb) {
            Tag::Past | Tag::Present if words::WORN.contains(&noun) => self.is(verb, words::MOVES),
            Tag::Past | Tag::Present | Tag::Noun => {
                self.is(verb, &["fell", "passed", "rested"]) || self.moves(verb, noun)
            }
            // `Chen's nod was so slight`.
            Tag::Be
                if words::GIVEN_AT_ONCE.contains(&noun)
                    && self.is(
                        next,
                        &[
                            "so", "too", "barely", "hardly", "quick", "brief", "short", "slow",
                        ],
                    ) =>
            {
                true
            }
            Tag::Be => {
                self.tag(next) == Tag::Ing && !self.is(next, words::LIFELESS)
                    || words::LIMBS.contains(&noun) && self.is(next, words::WHERE)
            }
            Tag::Have => {
                words::FACES.contains(&noun)
                    && self.tokens[next..].iter().take(3).any(|token| {
                        token.is(&["gone", "turned", "flushed", "darkened", "reddened"])
                    })
            }
            _ => false,
        };
        if acts && (self.tag(verb) == Tag::Have || !self.is(verb, words::IN_MIND)) {
            Verdict::Acts
        } else {
            Verdict::Doubtful
        }
    }

    /// Whether a verb of a part of the body is no death and no mere look.
    fn moves(&self, verb: usize, part: &str) -> bool {
        let looks = self.is(verb, &["looked"]) && words::FACES.contains(&part);
        let seems = self.is(
            verb,
            &[
                "seemed", "appeared", "remained", "lived", "became", "meant", "belonged",
            ],
        );
        !looks && !seems && !self.is(verb, words::DEATH_VERBS) && !self.is(verb, words::LIMP)
    }

    /// Whom something is done to does something: `Chen, who pocketed it`, `Chen, and he blushed`.
    pub(super) fn reacts(&self, after: usize) -> bool {
        // `Chen, by whom it was sniffed`.
        if self.tag(after) == Tag::Comma
            && self.word(after + 1) == "by"
            && self.word(after + 2) == "whom"
        {
            return !self.is_of_grave()
                && self.tokens[after..]
                    .iter()
                    .any(|token| token.is(&["was", "were"]));
        }
        if self.tag(after) == Tag::Comma && self.is(after + 1, &["who", "whose"]) {
            return self.relative(after) == Verdict::Acts;
        }
        // `caught Chen in the ribs, and he yelped`.
        let mut at = (after..(after + 8).min(self.tokens.len()))
            .find(|at| {
                self.tag(*at).is_mark()
                    || self.tag(*at).is_finite()
                    || matches!(self.tag(*at), Tag::Name | Tag::Coordinator)
            })
            .unwrap_or(after);
        let answers = self.tag(at) == Tag::Coordinator
            && self.is(at + 1, &["he", "she"])
            && self.at > 0
            && self.is(
                self.at - 1,
                &[
                    "asked", "ask", "asks", "told", "tell", "tells", "handed", "gave",
                ],
            );
        if self.tag(at) == Tag::Coordinator && at > after && !answers {
            return false;
        }
        let stop = matches!(self.word(at), ";" | "—" | "–");
        if stop || self.tag(at) == Tag::Comma {
            at += 1;
        }
        if self.is(at, &["and", "but"]) {
            at += 1;
        } else if !stop {
            return false;
        }
        let same: &[&str] = match self.word(at) {
            "he" | "his" => &["he", "his", "him", "he'd"],
            "she" | "her" => &["she", "her", "she'd"],
            _ => return false,
        };
        // `; but his gloved hand was at her waist`.
        let part = (at + 1..at + 4).find(|part| self.is(*part, words::BODY));
        let verb = match (self.tag(at), part) {
            (Tag::Possessive, Some(part)) => part + 1,
            (Tag::Possessive | Tag::Pronoun, _) => return false,
            _ => self.skip_adverbs(at + 1),
        };
        let next = self.skip_adverbs(verb + 1);
        let does = match self.tag(verb) {
            Tag::Past | Tag::Present => self.is_plain(verb),
            Tag::Be => {
                self.tag(next) == Tag::Ing && !self.is(next, words::LIFELESS)
                    || part.is_some() && self.is(next, words::WHERE)
            }
            _ => false,
        };
        let held = self.tag(verb) == Tag::Be;
        does && !self.tokens[..self.at].iter().any(|token| token.is(same))
            && !self.is_of_grave()
            && (stop && held || !self.pluperfect_before(self.at))
    }

    /// `Chen's chair went over as he leapt up`: a pronoun that nobody before the name has.
    pub(super) fn meanwhile(&self, from: usize) -> bool {
        (from..self.tokens.len().saturating_sub(1)).any(|at| {
            let same: &[&str] = match self.word(at + 1) {
                "he" => &["he", "his", "him"],
                "she" => &["she", "her"],
                _ => return false,
            };
            let verb = self.skip_adverbs(at + 2);
            self.is(at, &["as", "while", "until", "till"])
                && (self.tag(verb) == Tag::Past && self.is_plain(verb)
                    || self.tag(verb) == Tag::Be && self.is_progressive(verb))
                && !self.tokens[..self.at].iter().any(|token| token.is(same))
                && !self.tokens[from..at]
                    .iter()
                    .any(|token| token.tag == Tag::Name)
                && !self.is_of_grave()
        })
    }
}
