//! A name behind a preposition or a verb: agent of a passive, seen, given to, told to, object.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// After a preposition: agent of a passive, somebody one does something with, or an object.
    pub(super) fn prepositional(&self, at: usize, start: usize) -> Verdict {
        let after = self.at + 1;
        let word = self.word(at);
        let next = self.skip_adverbs(after);
        let doing = self.tag(next) == Tag::Ing
            && !self.is(next, words::LIFELESS)
            && !self.is(next, words::NO_ACTS);
        let grave = self.is_of_grave();
        // `when they ran out Chen pulled off her ring`.
        let segment = self.segment_start(at);
        // `Off Chen went, whistling`.
        let fronted = self.is(at, words::PARTICLES) && segment == at;
        if fronted
            && self.is(after, words::INVERTS)
            && (self.tag(after + 1).is_mark() || self.tag(after + 1) == Tag::Adverb)
        {
            return Verdict::Acts;
        }
        let particle = self.is(at, words::PARTICLES)
            && segment > 0
            && self.tag(segment - 1) == Tag::Subordinator
            && self.tag(at - 1).is_finite();
        if particle && self.verb_of(after).is_some() {
            return self.subject(after, start);
        }
        // `The beam picked out Chen, waving both arms`.
        if word == "out" && self.is(at.saturating_sub(1), &["picked", "made"]) && !grave {
            let doing = self.skip_adverbs(after + usize::from(self.tag(after) == Tag::Comma));
            if self.tag(doing) == Tag::Ing
                && !self.is(doing, words::LIFELESS)
                && !self.pluperfect_before(at)
            {
                return Verdict::Acts;
            }
        }
        // `It fell to Chen to break the news`.
        if word == "to"
            && self.is(at.saturating_sub(1), &["fell", "up", "left"])
            && self.tag(after) == Tag::To
            && !self.is(after + 1, words::DIES)
            && !grave
            && !self.pluperfect_near(at)
        {
            return Verdict::Acts;
        }
        // `As for Chen, he was under the table`.
        if word == "for" && at == 1 && self.word(0) == "as" && self.is(after + 1, &["he", "she"]) {
            return self.predicate(after + 2);
        }
        // `They came upon Chen changing a tyre`.
        if matches!(word, "on" | "upon" | "across") && !grave && !self.pluperfect_near(at) {
            let doing = self.skip_adverbs(after + usize::from(self.tag(after) == Tag::Comma));
            let came = self.tokens[segment..at].iter().any(|token| {
                token.is(&[
                    "came", "opened", "happened", "stumbled", "chanced", "closed", "fell",
                    "walked", "burst", "barged",
                ])
            });
            if came && self.tag(doing) == Tag::Ing && !self.is(doing, words::LIFELESS) {
                return Verdict::Acts;
            }
        }
        if word == "to"
            && self.is(at.saturating_sub(1), &["belonged"])
            && self.tokens[..at].iter().any(|token| token.is(words::BODY))
            && !grave
        {
            return Verdict::Acts;
        }
        // `"Go." This from Chen.`
        if word == "from" && at == 1 && self.is(0, &["this", "that"]) && self.tag(after).is_mark() {
            return Verdict::Acts;
        }
        // `Instead of answering Chen wiped his hands`, `looked for Chen and found him asleep`.
        let found = (after..after + 3).find(|at| {
            self.is(*at, &["found", "saw", "spotted", "heard"])
                && self.is(*at + 1, &["him", "her"])
                && matches!(self.tag(*at + 2), Tag::Ing)
                && !self.is(*at + 2, words::LIFELESS)
        });
        if found.is_some() && !grave && !self.pluperfect_near(at) {
            return Verdict::Acts;
        }
        // `The lock cycled open on Chen, helmet under her arm`.
        if matches!(
            word,
            "on" | "upon" | "to" | "at" | "past" | "beside" | "toward" | "towards"
        ) && self.is_pictured(after)
            && !grave
            && !self.pluperfect_near(at)
        {
            return Verdict::Acts;
        }
        // `woke to Chen drawing the curtains`.
        if word == "to"
            && doing
            && self.is(at.saturating_sub(1), &["woke", "awoke", "returned"])
            && !grave
        {
            return Verdict::Acts;
        }
        // `At a sign from Chen the singing stopped`.
        if word == "from"
            && self.is(
                at.saturating_sub(1),
                &[
                    "sign", "signal", "nod", "gesture", "glance", "wave", "shout", "whistle",
                    "cue", "grunt", "nudge", "yell", "shove", "push", "kick",
                ],
            )
            && self.is(segment, &["at", "with", "after", "on"])
            && !grave
        {
            return Verdict::Acts;
        }
        // `the voice of Chen`.
        if word == "of" && self.is(at.saturating_sub(1), words::BODY) && at > 1 {
            let begins = self.segment_start(at - 1);
            let said =
                begins > 0 && self.tag(begins - 1) == Tag::Quote && self.tag(begins) == Tag::Past;
            let moves = matches!(self.tag(begins), Tag::Determiner)
                && begins + 2 == at
                && self.verb_of(after).is_some_and(|verb| {
                    matches!(self.tag(verb), Tag::Past | Tag::Present)
                        && !self.is(verb, words::LIMP)
                        && !self.is(verb, words::IN_MIND)
                        && !self.is(verb, words::DEATH_VERBS)
                        && self.is_plain(verb)
                        && verb == after
                })
                && self.is(at - 1, words::LIMBS);
            if (said || moves) && !grave {
                return Verdict::Acts;
            }
        }
        match word {
            // `…, for Chen was asleep`.
            "for" if self.tag(after).is_finite() && at > 0 && self.tag(at - 1).is_mark() => {
                return self.subject(after, start);
            }
            "by" if self.is_agent(at) || self.is_led(at) => return Verdict::Acts,
            "with" => {
                let segment = self.segment_start(at);
                let absolute = doing
                    || self.tag(next) == Tag::Preposition
                        && self.is(next, words::WHERE)
                        && self.is(next + 1, words::OTHERS)
                        && self.tokens[next..]
                            .iter()
                            .take(5)
                            .any(|token| token.is(words::BESIDE));
                let together = self.tokens[segment..at]
                    .iter()
                    .rev()
                    .take(6)
                    .any(|token| token.is(words::TOGETHER));
                let often = self
                    .tokens
                    .iter()
                    .any(|token| token.is(words::HABITS) || token.is(&["once", "like"]));
                if (absolute || together && !often) && !grave && !self.pluperfect_before(at) {
                    return Verdict::Acts;
                }
            }
            "of" if doing
                && self.is(at.saturating_sub(1), &["sound", "sight", "noise"])
                && !self.pluperfect_before(at)
                && self.tokens.iter().any(|token| token.tag == Tag::Past) =>
            {
                return Verdict::Acts;
            }
            // `walked straight into Chen`.
            "into"
                if self.tokens[..at]
                    .iter()
                    .rev()
                    .take(2)
                    .any(|token| token.is(words::RUNS_INTO))
                    && !self.pluperfect_before(at) =>
            {
                return Verdict::Acts;
            }
            "to" if !grave && !self.pluperfect_before(at) => {
                let segment = self.segment_start(at);
                if self.tokens[segment..at]
                    .iter()
                    .any(|token| token.is(words::HANDS_ON))
                {
                    return Verdict::Acts;
                }
            }
            "but" | "except" => {
                return match self.relative(after) {
                    Verdict::Acts => Verdict::Acts,
                    _ => Verdict::Excused(Excuse::Mention),
                };
            }
            _ => {}
        }
        // `From Chen there came a grunt`.
        let comes = self.tokens[self.at..]
            .iter()
            .take(4)
            .any(|token| token.is(&["came"]));
        if word == "from"
            && comes
            && self.tokens[after..]
                .iter()
                .any(|token| token.is(words::BODY))
        {
            return Verdict::Acts;
        }
        let who = self.tag(after) == Tag::Comma && self.is(after + 1, &["who", "whose"]);
        let doing_who = who && self.is_progressive(self.skip_adverbs(after + 2));
        let part_of = word == "of"
            && who
            && (self.is(at.saturating_sub(1), words::BODY)
                || self.is(at.saturating_sub(1), words::COMPANY)
                || self.tokens[..at].iter().rev().take(4).any(|token| {
                    token.is(&["asked", "inquired", "demanded", "begged", "ahead", "front"])
                }));
        if self.reacts(after) && (words::NEAR.contains(&word) || doing_who || part_of) && !grave {
            return Verdict::Acts;
        }
        Verdict::Excused(Excuse::Mention)
    }

    /// After a verb: spoken, inverted, perceived, given to, an object.
    pub(super) fn after_verb(&self, verb: usize) -> Verdict {
        let after = self.at + 1;
        let word = self.word(verb);
        let finite = self.tag(verb).is_finite();
        if finite && self.follows_quote(verb) {
            return Verdict::Acts;
        }
        let segment = self.segment_start(verb);
        let front = &self.tokens[segment..verb];
        match self.tag(verb) {
            _ if word == "be" => return self.after_be(verb, segment),
            Tag::Clitic if word == "it's" => return self.cleft(after),
            Tag::Be => return self.after_be(verb, segment),
            Tag::Do => {
                let ends = self.tag(after).is_mark();
                let does = self.tag(after) != Tag::Coordinator
                    && !self.is(after, words::DIES)
                    && !self.is(after, &["not", "have", "ever"]);
                let affirms = front.first().is_some_and(|token| {
                    token.is(&["only", "not", "so", "neither", "nor", "once", "twice"])
                }) || segment > 0 && self.is(segment - 1, &["nor", "until", "when"])
                    || self
                        .tokens
                        .first()
                        .is_some_and(|token| token.is(&["only", "not"]));
                return if affirms
                    && (ends || does)
                    && self.tokens.last().is_none_or(|token| token.text != "?")
                {
                    Verdict::Acts
                } else {
                    Verdict::Doubtful
                };
            }
            Tag::Have
                if word == "had" && (front.is_empty() || self.tag(after) == Tag::Participle) =>
            {
                return Verdict::Excused(Excuse::Hypothesis);
            }
            Tag::Modal => return Verdict::Doubtful,
            _ => {}
        }
        let shifted = self.pluperfect_before(verb)
            || front
                .iter()
                .zip(std::iter::once(None).chain(front.iter().map(Some)))
                .any(|(token, last)| {
                    token.is(&["once", "often", "never"])
                        && !last.is_some_and(|last| last.is(&["at"]))
                })
            || front
                .iter()
                .any(|token| token.tag == Tag::Modal && !token.is(&["could", "can"]));
        let grave = self.is_of_grave();
        // `Down got Chen`.
        let particle =
            front.len() == 1 && self.is(segment, words::PARTICLES) && self.is(verb, words::INVERTS);
        if particle && !shifted {
            return Verdict::Acts;
        }
        // `helped Chen into the boat`.
        if self.is(
            verb,
            &[
                "helped", "ushered", "escorted", "steered", "hurried", "bundled",
            ],
        ) && self.is(after, words::WAYS)
            && !grave
            && !shifted
        {
            return Verdict::Acts;
        }
        if words::PIVOTS.contains(&word)
            || words::LETS.contains(&word)
            || self.tag(verb) == Tag::Have
        {
            let half = front.iter().any(|token| {
                token.is(&[
                    "almost",
                    "nearly",
                    "half",
                    "practically",
                    "still",
                    "without",
                ])
            });
            return if half || shifted {
                Verdict::Doubtful
            } else {
                self.perceived(after, !words::PIVOTS.contains(&word))
            };
        }
        if self.is(verb, &["took", "cost"])
            && verb > 0
            && self.word(verb - 1) == "it"
            && !self.pluperfect_near(verb)
        {
            let to = self.tokens[after..]
                .iter()
                .position(|token| token.tag == Tag::To);
            return if to.is_some_and(|to| !self.is(after + to + 1, words::DIES)) && !grave {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
        }
        if shifted {
            return Verdict::Excused(Excuse::Mention);
        }
        if finite
            && words::INVERTS.contains(&word)
            && self.is_fronted(segment, verb)
            && !self.tag(after).is_nominal()
            || !grave && self.is_inverted(segment, verb)
        {
            return Verdict::Acts;
        }
        // `Instead of answering Chen wiped his hands`.
        if self.tag(verb) == Tag::Ing
            && verb > 0
            && self.tag(verb - 1) == Tag::Preposition
            && !self.has_verb(segment, verb)
            && segment + 3 > verb
            && self.tag(after).is_finite()
            && self.tag(after) != Tag::Clitic
        {
            return self.subject(after, segment.max(1));
        }
        if words::GIVES.contains(&word)
            && (matches!(self.tag(after), Tag::Determiner | Tag::Possessive)
                || self.is(after, &["one", "two", "another"]))
            && !grave
        {
            return Verdict::Acts;
        }
        let somebody = front.iter().any(|token| {
            matches!(token.tag, Tag::Name | Tag::Subject | Tag::Noun) || token.tag == Tag::Pronoun
        });
        if words::DONE_TO_THE_LIVING.contains(&word)
            && somebody
            && !grave
            && !self.is(after, &["silently", "flowers", "prayer", "back"])
        {
            return Verdict::Acts;
        }
        if words::SENDS.contains(&word) && self.tag(after) == Tag::To && !grave {
            return Verdict::Acts;
        }
        if self.is(
            verb,
            &["followed", "trailed", "chased", "pursued", "accompanied"],
        ) && self.is(after, words::WAYS)
            && !grave
        {
            return Verdict::Acts;
        }
        if self.reacts(after) {
            return Verdict::Acts;
        }
        Verdict::Excused(Excuse::Mention)
    }

    /// `with a spanner in her teeth`.
    fn carries(&self, from: usize) -> bool {
        (from..self.clause_end(from)).any(|with| {
            self.word(with) == "with"
                && (with + 2..with + 5).any(|place| {
                    self.is(place, words::WHERE)
                        && self.is(place + 1, &["his", "her"])
                        && self.is(place + 2, words::BODY)
                })
        })
    }

    /// `, helmet under her arm`: how somebody looks who is there.
    pub(super) fn is_pictured(&self, comma: usize) -> bool {
        let first = comma + 1;
        let place =
            first + 1 + usize::from(matches!(self.tag(first), Tag::Determiner | Tag::Possessive));
        self.tag(comma) == Tag::Comma
            && self.is(place, words::WHERE)
            && matches!(self.tag(place - 1), Tag::Noun)
            && self.is(place + 1, &["his", "her", "one", "both", "either", "each"])
            && (self.is(place + 2, words::BODY) || self.is(place + 2, words::CLOTHES))
    }

    /// After a verb of perception or of bringing about: `saw Chen turn`, `found Chen waiting`; a bare
    /// verb follows only some of them.
    pub(super) fn perceived(&self, after: usize, is_bare: bool) -> Verdict {
        let next = self.skip_adverbs(after);
        let Some(token) = self.tokens.get(next) else {
            return Verdict::Doubtful;
        };
        let grave = self.tokens[self.at..]
            .iter()
            .any(|token| token.is(words::GRAVES));
        let acts = match token.tag {
            _ if token.is(words::LIFELESS) || token.is(words::DIES) || token.is(words::GONE) => {
                false
            }
            Tag::Ing => !token.is(words::NO_ACTS),
            _ if token.is(words::PRESENT_STATES) => !token.is(&["up", "back", "out"]),
            Tag::Noun | Tag::Base | Tag::Present => is_bare && !token.is(&["home", "face", "safe"]),
            Tag::Past => token.is(words::POSTURES) || is_bare && token.is(words::BARE_PASTS),
            Tag::Adverb => false,
            // `could hear Chen three streets away, selling tickets`.
            Tag::Determiner => self.trails(self.at),
            Tag::To => {
                self.tag(next + 1) == Tag::Base
                    && !self.is(next + 1, words::DIES)
                    && self.is(
                        self.at.saturating_sub(1),
                        &[
                            "leaving", "left", "got", "getting", "helping", "helped", "sending",
                            "sent",
                        ],
                    )
            }
            Tag::Preposition => {
                token.is(&["at", "in", "on", "by", "beside", "behind", "up", "under"])
                    && (self.busy(next) || self.trails(next) || self.carries(next))
                    || token.is(&["off"])
            }
            Tag::Coordinator => {
                // `saw Chen and Mara cross the yard`.
                let verb = (next + 1..self.tokens.len())
                    .find(|at| !self.tag(*at).is_nominal() || self.tag(*at) == Tag::Noun);
                verb.is_some_and(|at| {
                    self.tag(at) == Tag::Noun && self.tag(at - 1) == Tag::Name
                        || self.tag(at) == Tag::Ing && !self.is(at, words::LIFELESS)
                })
            }
            _ => false,
        };
        if acts && !grave || self.reacts(after) {
            Verdict::Acts
        } else {
            Verdict::Doubtful
        }
    }

    /// `found Chen in the kitchen, up to his elbows in flour`.
    pub(super) fn busy(&self, from: usize) -> bool {
        let end = self.clause_end(from);
        let first = end + 1;
        let near = self.tokens[from..end]
            .iter()
            .enumerate()
            .any(|(at, token)| token.tag == Tag::Ing && at > 1 && !token.is(words::LIFELESS));
        self.tag(end) == Tag::Comma
            && (self.is(first, &["busy", "asleep", "awake", "bent"])
                || self.word(first) == "up" && self.word(first + 1) == "to"
                || self.tag(first) == Tag::Ing && !self.is(first, words::LIFELESS))
            || near
    }
}
