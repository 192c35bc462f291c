//! A name behind a word that makes its clause depend on another: `when`, `if`, `as`, `that`.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// After `when`, `as`, `before`, `if`, `where`.
    pub(super) fn subordinate(&self, at: usize, start: usize) -> Verdict {
        let after = self.at + 1;
        let word = self.word(at);
        // After `after Chen,` another clause begins.
        let verb = self.verb_of(after).filter(|_| {
            self.tag(after) != Tag::Comma
                || !matches!(
                    word,
                    "after" | "before" | "than" | "as" | "since" | "until" | "till"
                )
        });
        // `turned out to be none other than Chen, and he counted the silver`.
        if word == "than"
            && self.word(at.saturating_sub(1)) == "other"
            && self.is(at.saturating_sub(2), &["none", "no"])
            && self.reacts(after)
        {
            return Verdict::Acts;
        }
        // `the boy cast as Chen`.
        if word == "as"
            && at > 0
            && self.is(
                at - 1,
                &[
                    "cast",
                    "dressed",
                    "disguised",
                    "posing",
                    "posed",
                    "billed",
                    "costumed",
                    "masquerading",
                    "known",
                ],
            )
        {
            return Verdict::Excused(Excuse::Report);
        }
        let supposed = self.word(at + 1) == "if" || matches!(word, "whether" | "unless" | "lest");
        if word == "though" && at > 0 && self.word(at - 1) == "as" || supposed {
            return Verdict::Excused(Excuse::Hypothesis);
        }
        let Some(verb) = verb else {
            // `than Chen`, `after Chen`: no clause.
            if self.tag(after) == Tag::Comma
                && self.relative(after) == Verdict::Acts
                && !self.is_of_grave()
            {
                return Verdict::Acts;
            }
            return if matches!(word, "while" | "when") {
                Verdict::Doubtful
            } else {
                Verdict::Excused(Excuse::Mention)
            };
        };
        match word {
            // `No sooner had Mara spoken than Chen rose`.
            "than" if self.word(0) == "no" && self.word(1) == "sooner" => {
                if self.tag(verb) == Tag::Have && !self.speaks_of_death(verb, self.tokens.len()) {
                    Verdict::Acts
                } else {
                    self.group(verb)
                }
            }
            "if" => {
                if at > 0 && self.word(at - 1) == "as" {
                    return Verdict::Excused(Excuse::Hypothesis);
                }
                // `If Chen minded, he gave no sign of it`.
                let main = (verb + 1..self.tokens.len())
                    .find(|next| self.is(*next, &["he", "she"]))
                    .map_or(0, |next| self.skip_adverbs(next + 1));
                let begins = at == 0 || self.tag(at - 1).is_mark();
                let real = begins
                    && matches!(self.tag(verb), Tag::Past | Tag::Be)
                    && main > verb
                    && matches!(self.tag(main), Tag::Past | Tag::Do)
                    && (self.is_plain(main) || self.is(main + 1, &["no", "nothing", "little"]))
                    && !self.speaks_of_death(0, self.tokens.len());
                if real {
                    Verdict::Acts
                } else {
                    Verdict::Excused(Excuse::Hypothesis)
                }
            }
            "as" | "than" | "like" => {
                let compared = matches!(self.tag(verb), Tag::Have | Tag::Do | Tag::Modal)
                    || self.is(verb, &["used", "was"])
                        && self.tag(self.skip_adverbs(verb + 1)) != Tag::Ing
                    || verb > after && self.is(verb - 1, words::HABITS)
                    || at > 0 && self.is(at - 1, &["just", "exactly", "precisely", "much", "same"])
                    || word != "as"
                    // `cooked it as Chen cooked it`.
                    || self.tokens[..at]
                        .iter()
                        .any(|token| token.lower == self.word(verb))
                    || self.tokens[..at]
                        .iter()
                        .any(|token| token.is(&["as", "so", "such", "same"]));
                if compared {
                    Verdict::Excused(Excuse::Hypothesis)
                } else {
                    self.group(verb)
                }
            }
            "where" | "why" | "how" | "what" | "whatever" | "wherever"
                if at > 0 && self.governs(at) =>
            {
                Verdict::Doubtful
            }
            _ if self.told_of_past(at) => Verdict::Doubtful,
            _ => self.subject(after, start),
        }
    }

    /// Whether the word before asks, tells or knows.
    pub(super) fn governs(&self, at: usize) -> bool {
        self.tokens[at.saturating_sub(3)..at]
            .iter()
            .any(|token| token.is(words::KNOWS))
    }

    /// The main clause before a subordinate one is a pluperfect that no `just` brings up to now.
    pub(super) fn told_of_past(&self, at: usize) -> bool {
        let from = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag == Tag::Stop)
            .map_or(0, |mark| mark + 1);
        let main = &self.tokens[from..at];
        // `had her hand on the door` is no pluperfect.
        let had = main.iter().enumerate().any(|(word, token)| {
            token.is(&["hadn't", "would", "he'd", "she'd", "they'd", "i'd"])
                || token.is(&["had"])
                    && main[word + 1..]
                        .iter()
                        .find(|next| next.tag != Tag::Adverb)
                        .is_none_or(|next| !next.tag.opens_noun_phrase())
        });
        let now = main
            .iter()
            .any(|token| token.is(words::JUST_NOW) || token.is(&["hadn't"]))
            || main
                .windows(2)
                .any(|pair| pair[0].lower == "been" && pair[1].tag == Tag::Ing)
            || main
                .windows(2)
                .any(|pair| pair[0].lower == "had" && pair[1].is(words::REACHED))
            || main.iter().any(|token| token.tag == Tag::Coordinator);
        had && !now
    }

    /// After `that`, `who`, `which`.
    pub(super) fn after_relative_word(&self, at: usize) -> Verdict {
        let after = self.at + 1;
        // `It was only then that Chen slid the passport across`.
        let it = self.tokens[..at]
            .windows(2)
            .rposition(|pair| pair[0].lower == "it" && pair[1].tag == Tag::Be);
        let timed = at > 0
            && (self.tag(at - 1) == Tag::Adverb
                || self.is(at - 1, words::TIME_NOUNS)
                || self.is(at - 1, words::TIME_UNITS));
        let reason = it.is_some_and(|it| {
            !self.tokens[it + 2..at].iter().any(|token| {
                token.tag.is_finite() || token.is(words::SAYS) || token.is(words::KNOWS)
            }) && self.is(
                it + 2,
                &["for", "with", "in", "from", "because", "then", "only"],
            )
        });
        if (timed || reason) && it.is_some_and(|it| at - it < 9) {
            return self.predicate(after);
        }
        if self.governs(at)
            || at > 0
                && self.tokens[at.saturating_sub(2)..at]
                    .iter()
                    .any(|token| token.is(words::SAYS))
        {
            let saw = self.tokens[at.saturating_sub(2)..at]
                .iter()
                .any(|token| token.is(words::NOTICES));
            let negated = self.tokens[..at]
                .iter()
                .any(|token| token.is(&["not", "never", "nobody"]));
            return match self.predicate(after) {
                Verdict::Acts if saw && !negated && !self.pluperfect_before(at) => Verdict::Acts,
                Verdict::Acts => Verdict::Excused(Excuse::Report),
                verdict => verdict,
            };
        }
        self.object_relative(after)
    }

    /// `the tune Chen was whistling`, `the knife Chen had given him`.
    pub(super) fn object_relative(&self, after: usize) -> Verdict {
        let Some(verb) = self.verb_of(after) else {
            return Verdict::Excused(Excuse::Mention);
        };
        let next = self.skip_adverbs(verb + 1);
        let doing = self.tag(verb) == Tag::Be
            && self.tag(next) == Tag::Ing
            && !self.is(next, words::LIFELESS);
        let held = self.is(
            verb,
            &["held", "offered", "handed", "poured", "passed", "pushed"],
        ) && self.tokens[..self.at].iter().any(|token| {
            token.is(&[
                "took", "accepted", "caught", "ignored", "shook", "refused", "drank",
            ])
        });
        match (doing || held, self.group(verb)) {
            (true, Verdict::Acts) => Verdict::Acts,
            (_, Verdict::Acts) => Verdict::Doubtful,
            (_, verdict) => verdict,
        }
    }
}
