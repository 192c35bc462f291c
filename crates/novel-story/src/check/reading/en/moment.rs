//! Verbs of the living and the dead as the act of a moment, and what the same subject goes on to do.

use super::{
    Parsed, Verdict,
    token::{Tag, is_present},
    words,
};

impl Parsed<'_> {
    /// Whether what follows a verb is a definite thing or place, or a way: `left his glass`, `built up the
    /// fire`, not `kept bees` or `built a house`.
    pub(super) fn is_definite(&self, verb: usize) -> bool {
        const LASTING: &[&str] = &[
            "founded",
            "owned",
            "loved",
            "married",
            "taught",
            "lived",
            "served",
            "ruled",
            "reigned",
            "governed",
            "invented",
            "designed",
            "composed",
            "painted",
            "bequeathed",
            "belonged",
            "commissioned",
            "wrote",
            "established",
            "hated",
            "adored",
            "despised",
            "inherited",
            "published",
            "possessed",
            "built",
            "became",
            "survived",
            "outlived",
            "betrayed",
            "saved",
            "rescued",
            "discovered",
            "earned",
        ];
        let first = verb + 1;
        let particle = self.is(first, &["up", "out", "down", "off", "back"]);
        if self.is(verb, LASTING) && !(particle && self.is(verb, &["built", "wrote"])) {
            return false;
        }
        particle
            || self.is(
                first,
                &[
                    "the", "his", "her", "him", "them", "it", "one", "both", "no",
                ],
            )
            || matches!(self.tag(first), Tag::Preposition | Tag::To | Tag::Comma)
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
        // `gave Mara the key`.
        let name = (verb + 1..end)
            .find(|at| self.tag(*at) != Tag::Name)
            .filter(|at| *at > verb + 1)
            .unwrap_or(verb + 2);
        let whom = somebody || name > verb + 2 || self.tag(verb + 1) == Tag::Name;
        let own_body = (verb + 1..end.min(verb + 6)).any(|at| {
            self.is(at, words::BODY) && self.is(at - 1, &["his", "her", "one", "both", "own"])
        });
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
                soon(words::GIVEN_AT_ONCE) && !self.is(verb + 2, &["name"])
                    || whom
                        && self.is(name, &["the", "a", "an", "his", "her", "back"])
                        && !soon(&[
                            "name", "life", "love", "first", "start", "house", "farm", "land",
                            "money", "fortune", "job", "chance", "child", "son", "daughter",
                        ])
            }
            // `made for the stairs`, `made Mara wait`.
            "made" | "makes"
                if matches!(first, "for" | "off" | "towards" | "toward" | "after" | "to")
                    || whom
                        && self.is(name, words::DENIED)
                        && !self.is(name, &["like", "want", "need", "laugh", "smile"]) =>
            {
                true
            }
            "planted" | "needed" | "made" | "wrote" if own_body => true,
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
                ) || soon(&["heel", "halt", "roll", "order"])
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
                        | "quickly"
                        | "quietly"
                        | "them"
                        | "her"
                        | "him"
                ) && !soon(&["alone", "money", "house", "will", "nothing", "everything"])
                    && !(somebody && matches!(second, "the" | "a" | "his" | "her"))
                    || first == "the" && matches!(second, "room" | "table" | "tent" | "kitchen")
                    || first == "at"
                        && matches!(second, "noon" | "dawn" | "dusk" | "once" | "midnight")
            }
            "carried" | "carries" | "bore" => soon(&[
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
                self.tag(follows) == Tag::Be
                    && (self.is_progressive(follows)
                        || self.is(follows + 1, &["now", "already", "still"])
                            && self.one(follows) == Verdict::Acts)
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

    /// `was quicker, and he poured`.
    pub(super) fn pours_next(&self, from: usize) -> bool {
        (from..self.tokens.len().saturating_sub(2)).any(|at| {
            self.tag(at) == Tag::Coordinator
                && self.is(at + 1, &["he", "she"])
                && self.tag(at + 2) == Tag::Past
                && self.is_plain(at + 2)
        })
    }
}
