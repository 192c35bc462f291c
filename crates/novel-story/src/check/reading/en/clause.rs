//! The part a name has in its clause, by the words before it: subject, agent, whom somebody sees or
//! hands something, object, owner.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// How the clause of the name speaks of it.
    pub(super) fn role(&self) -> Verdict {
        let after = self.at + 1;
        if self.tag(after) == Tag::Genitive {
            return self.owner();
        }
        let start = self.phrase_start();
        if self.tokens[start..self.at]
            .iter()
            .any(|token| token.is(words::DEAD_TITLES))
        {
            return Verdict::Excused(Excuse::State);
        }
        // `the Magpie` is a ship or an inn, `another Chen` somebody else.
        if start == self.at
            && self.at > 0
            && self.tag(self.at - 1) == Tag::Determiner
            && !self.is(self.at - 1, &["both", "all", "half", "neither", "either"])
        {
            return Verdict::Excused(Excuse::Mention);
        }
        if start > 1
            && self.tag(start - 1) == Tag::Comma
            && self.is(start - 2, &["dead", "alive", "living"])
        {
            return Verdict::Excused(Excuse::State);
        }
        self.place(start)
    }

    /// Where the noun phrase of the name begins: titles and `her uncle` belong to it.
    fn phrase_start(&self) -> usize {
        let mut start = self.at;
        while start > 0 && self.is(start - 1, words::TITLES)
            || start > 1 && self.word(start - 1) == "." && self.is(start - 2, words::TITLES)
        {
            start -= 1;
        }
        if start > 0 && self.tag(start - 1) == Tag::Noun && self.is(start - 1, words::PERSONS) {
            start -= 1;
            while start > 0
                && self.tag(start - 1) == Tag::Noun
                && self.is(start - 1, words::PLAIN_ADJECTIVES)
            {
                start -= 1;
            }
        }
        while start > 0
            && start < self.at
            && matches!(self.tag(start - 1), Tag::Determiner | Tag::Possessive)
        {
            start -= 1;
        }
        if start > 0 && self.is(start - 1, words::DEAD_TITLES) {
            start -= 1;
        }
        start
    }

    /// The reading of a noun phrase that begins at `start`.
    fn place(&self, start: usize) -> Verdict {
        let after = self.at + 1;
        let mut last = start;
        // Adverbs before a subject: `Slowly Chen rose`.
        while last > 0
            && (self.tag(last - 1) == Tag::Adverb
                || self.is(last - 1, &["both", "neither", "either"]))
        {
            last -= 1;
        }
        let adverbs = &self.tokens[last..start];
        if adverbs.iter().any(|token| {
            token.is(&[
                "once",
                "perhaps",
                "maybe",
                "supposedly",
                "allegedly",
                "reportedly",
            ]) && !self.tokens[last..start]
                .iter()
                .any(|other| other.is(&["at", "only", "just"]))
        }) {
            return Verdict::Excused(Excuse::Past);
        }
        // `Three doors away Chen was singing`, `Every so often Chen stopped`.
        if adverbs
            .iter()
            .any(|token| token.is(&["away", "later", "along", "ahead", "apart"]))
            || last > 0 && self.word(last - 1) == "every" && !adverbs.is_empty()
        {
            return self.subject(after, start);
        }
        let Some(before) = last.checked_sub(1) else {
            return self.subject(after, start);
        };
        // `By then Chen was two valleys off`.
        if self.tag(before) == Tag::Preposition
            && adverbs
                .iter()
                .any(|token| token.is(&["then", "now", "there", "here", "today"]))
        {
            return self.subject(after, start);
        }
        // `By the time she had the fire lit Chen was asleep`.
        let mark = self.tokens[..start]
            .iter()
            .rposition(|token| token.tag.is_mark())
            .map_or(0, |mark| mark + 1);
        let depends = matches!(
            self.word(mark),
            "when"
                | "while"
                | "as"
                | "once"
                | "after"
                | "before"
                | "until"
                | "because"
                | "since"
                | "where"
        ) || self.word(mark) == "by" && self.is(mark + 2, &["time"]);
        if depends
            && before > mark
            && matches!(
                self.tag(before),
                Tag::Past | Tag::Noun | Tag::Pronoun | Tag::Participle
            )
            && !self.is(before, words::LETS)
            && !self.is(before, words::PIVOTS)
            && !self.is(before, words::SAYS)
            && self.has_verb(mark, before + 1)
            && matches!(self.tag(after), Tag::Be | Tag::Past | Tag::Modal | Tag::Do)
        {
            return self.subject(after, start);
        }
        match self.tag(before) {
            Tag::Stop
            | Tag::Quote
            | Tag::Open
            | Tag::Close
            | Tag::End
            | Tag::Other
            | Tag::Comma => self.subject(after, start),
            Tag::Coordinator => self.coordinated(before, start),
            Tag::Subordinator => self.subordinate(before, start),
            Tag::Relative => self.after_relative_word(before),
            Tag::To | Tag::Preposition => self.prepositional(before, start),
            Tag::Past
            | Tag::Present
            | Tag::Participle
            | Tag::Base
            | Tag::Ing
            | Tag::Be
            | Tag::Have
            | Tag::Do
            | Tag::Modal
            | Tag::Clitic => self.after_verb(before),
            // `In walked Chen`, `turned it Chen`.
            Tag::Adverb => Verdict::Doubtful,
            Tag::Noun
            | Tag::Name
            | Tag::Pronoun
            | Tag::Determiner
            | Tag::Possessive
            | Tag::Subject
            | Tag::Genitive => self.after_noun(before),
        }
    }

    /// The name begins its clause.
    fn subject(&self, after: usize, start: usize) -> Verdict {
        let begun = start > 0;
        // `I, Isaac Bell, being of sound mind`: a document.
        if start > 1 && self.tag(start - 1) == Tag::Comma && self.word(start - 2) == "i" {
            return Verdict::Doubtful;
        }
        // `Chen it was who carried her out`.
        if self.word(after) == "it" && self.tag(after + 1) == Tag::Be {
            return self.predicate(after + 3);
        }
        // `The blacksmith, Chen, wiped his hands`.
        let named = start > 1
            && self.tag(start - 1) == Tag::Comma
            && self.tag(start - 2).is_nominal()
            && self.tag(after) == Tag::Comma;
        let verb = self.skip_adverbs(after + 1);
        if named && self.tag(verb).is_finite() && self.tag(verb) != Tag::Clitic {
            return self.group(verb);
        }
        if let Some(verb) = self.verb_of(after) {
            let verdict = self.group(verb);
            if verdict != Verdict::Acts && self.relative(after) == Verdict::Acts {
                return Verdict::Acts;
            }
            return verdict;
        }
        let next = self.skip_adverbs(after);
        let told = self.tokens[..start]
            .iter()
            .any(|token| token.tag.is_finite())
            && !self.tokens[..start]
                .windows(2)
                .any(|pair| pair[0].lower == "had" && pair[1].lower == "been");
        // `…: Chen getting out of bed`, `the rest filed in, Chen at their head`.
        let next = if begun
            && self.tag(next) == Tag::Comma
            && self.tag(self.skip_adverbs(next + 1)) == Tag::Ing
        {
            self.skip_adverbs(next + 1)
        } else {
            next
        };
        let doing = self.tag(next) == Tag::Ing
            && !self.is(next, words::LIFELESS)
            && !self.is(next, words::NO_ACTS);
        let placed = self.tag(next) == Tag::Preposition
            && self.is(next, words::WHERE)
            && self.is(next + 1, words::OTHERS)
            && self.tag(start.saturating_sub(1)) != Tag::Quote
            && !self.is_of_grave()
            && !self.tokens.iter().any(|token| token.is(words::FRAME_NOUNS));
        let tells = told || next == after && self.has_verb(after, self.tokens.len());
        if begun
            && (told && (doing || placed) || tells && doing && next == self.skip_adverbs(after))
        {
            return Verdict::Acts;
        }
        // `first the mothers, then Chen with the radio under his coat`.
        let listed = start > 1
            && self.is(start - 1, &["then", "finally", "lastly"])
            && self.tag(start - 2).is_mark();
        if listed
            && told
            && (self.word(after) == "with" || self.tag(after).is_mark())
            && !self.is_of_grave()
        {
            return Verdict::Acts;
        }
        // `, picking at an olive dish, Chen.`
        if (self.tag(after) == Tag::End || after >= self.tokens.len())
            && start > 1
            && self.tag(start - 1) == Tag::Comma
        {
            let from = self.segment_start(start - 1);
            if self.tag(from) == Tag::Ing && !self.is(from, words::LIFELESS) && from > 1 {
                return Verdict::Acts;
            }
        }
        self.relative(after)
    }

    /// The first token of the part between marks and joining words that ends before `end`.
    fn segment_start(&self, end: usize) -> usize {
        self.tokens[..end]
            .iter()
            .rposition(|token| token.tag.is_boundary())
            .map_or(0, |at| at + 1)
    }

    /// Whether the sentence has words of a death, a grave or a likeness.
    pub(super) fn is_of_grave(&self) -> bool {
        let all = self.tokens.len();
        self.speaks_of_death(0, all) || self.tokens.iter().any(|token| token.is(words::GRAVES))
    }

    /// Whether a finite verb stands in a range.
    fn has_verb(&self, from: usize, to: usize) -> bool {
        self.tokens[from..to]
            .iter()
            .any(|token| token.tag.is_finite())
    }

    /// `Mara and Chen rode`, `met Mara and Chen`, `Mara sat and Chen stood`.
    fn coordinated(&self, joint: usize, start: usize) -> Verdict {
        let after = self.at + 1;
        if self.word(joint) == "but"
            && joint > 0
            && self.tokens[joint.saturating_sub(3)..joint]
                .iter()
                .any(|token| {
                    token.is(&[
                        "all",
                        "everyone",
                        "everybody",
                        "nobody",
                        "none",
                        "one",
                        "nothing",
                        "them",
                    ])
                })
            && !self.tag(joint - 1).is_mark()
        {
            if self.relative(after) == Verdict::Acts {
                return Verdict::Acts;
            }
            return Verdict::Excused(Excuse::Mention);
        }
        let verb = self.verb_of(after);
        let mut first = joint;
        // The other members of the list.
        while first > 0 && matches!(self.tag(first - 1), Tag::Comma | Tag::Coordinator) {
            first -= 1;
        }
        let clause_joint = first < joint;
        let mut member = first;
        while member > 0
            && matches!(
                self.tag(member - 1),
                Tag::Noun | Tag::Name | Tag::Pronoun | Tag::Subject
            )
        {
            member -= 1;
        }
        while member > 0 && matches!(self.tag(member - 1), Tag::Determiner | Tag::Possessive) {
            member -= 1;
        }
        let front = member.checked_sub(1).map(|at| self.tag(at));
        let named = member < first;
        let segment = self.segment_start(member);
        let in_phrase = matches!(front, Some(Tag::Preposition | Tag::To)) && named;
        let object = named
            && front.is_some_and(|tag| {
                tag.is_finite() || matches!(tag, Tag::Ing | Tag::Base | Tag::Participle)
            });
        if verb.is_some() {
            // `the mother of Mara and Chen laughed`.
            let between = member > 0 && self.word(member - 1) == "between";
            if in_phrase && !clause_joint && (between || !self.has_verb(segment, member)) {
                return Verdict::Excused(Excuse::Mention);
            }
            return self.subject(after, start);
        }
        if object && !clause_joint {
            return match front {
                Some(tag) if tag.is_finite() || tag == Tag::Ing => self.after_verb(member - 1),
                _ => Verdict::Excused(Excuse::Mention),
            };
        }
        if in_phrase && !(clause_joint && self.tag(after) == Tag::Comma) {
            return match self.relative(after) {
                Verdict::Acts if self.tag(after) == Tag::Comma && !self.is_of_grave() => {
                    Verdict::Acts
                }
                _ => Verdict::Excused(Excuse::Mention),
            };
        }
        self.subject(after, start)
    }

    /// After `when`, `as`, `before`, `if`, `where`.
    fn subordinate(&self, at: usize, start: usize) -> Verdict {
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
            _ => {
                let verdict = self.subject(after, start);
                // `When Chen had finished his soup, she cleared the bowls.`
                verdict
            }
        }
    }

    /// Whether the word before asks, tells or knows.
    fn governs(&self, at: usize) -> bool {
        self.tokens[at.saturating_sub(3)..at]
            .iter()
            .any(|token| token.is(words::KNOWS))
    }

    /// The main clause before a subordinate one is a pluperfect that no `just` brings up to now.
    fn told_of_past(&self, at: usize) -> bool {
        let from = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag == Tag::Stop)
            .map_or(0, |mark| mark + 1);
        let main = &self.tokens[from..at];
        let had = main
            .iter()
            .any(|token| token.is(&["had", "hadn't", "would", "he'd", "she'd", "they'd", "i'd"]));
        let now = main.iter().any(|token| token.is(words::JUST_NOW))
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
    fn after_relative_word(&self, at: usize) -> Verdict {
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
    fn object_relative(&self, after: usize) -> Verdict {
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

    /// Whether the clauses before, up to a semicolon, have a pluperfect or `would`.
    fn pluperfect_before(&self, at: usize) -> bool {
        let stop = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag == Tag::Stop);
        let from = stop.map_or(0, |stop| stop + 1);
        self.tokens[from..at]
            .iter()
            .any(|token| token.is(&["had", "hadn't", "would", "wouldn't", "he'd", "she'd"]))
    }

    /// Whether the clause before a token has a pluperfect or `would`.
    fn pluperfect_near(&self, at: usize) -> bool {
        let from = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag.is_mark())
            .map_or(0, |mark| mark + 1);
        let from = from.max(self.segment_start(at));
        self.tokens[from..at]
            .iter()
            .any(|token| token.is(&["had", "hadn't", "would", "might", "he'd", "she'd"]))
    }

    /// After a preposition: agent of a passive, somebody one does something with, or an object.
    fn prepositional(&self, at: usize, start: usize) -> Verdict {
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
        if word == "out" && self.is(at - 1, &["picked", "made"]) && !grave {
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
        match word {
            // `…, for Chen was asleep`.
            "for" if self.tag(after).is_finite() && at > 0 && self.tag(at - 1).is_mark() => {
                return self.subject(after, start);
            }
            "by" if self.is_agent(at) => return Verdict::Acts,
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
                && self.is(at - 1, &["sound", "sight", "noise"])
                && !self.pluperfect_before(at)
                && self.tokens[..at].iter().any(|token| token.tag == Tag::Past) =>
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
                    && !self.is(after, &["'s"])
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
        if word == "from"
            && self.tokens[..after.min(self.tokens.len())].len() == after
            && self.tokens[self.at..]
                .iter()
                .take(3)
                .any(|token| token.is(&["came"]))
        {
            return Verdict::Acts;
        }
        let who = self.tag(after) == Tag::Comma && self.word(after + 1) == "who";
        let doing_who = who && self.is_progressive(self.skip_adverbs(after + 2));
        let part_of = word == "of"
            && who
            && (self.is(at - 1, words::BODY)
                || self.is(at - 1, words::COMPANY)
                || self.tokens[..at].iter().rev().take(4).any(|token| {
                    token.is(&["asked", "inquired", "demanded", "begged", "ahead", "front"])
                }));
        if self.reacts(after) && (words::NEAR.contains(&word) || doing_who || part_of) && !grave {
            return Verdict::Acts;
        }
        Verdict::Excused(Excuse::Mention)
    }

    /// `The rope was cut by Chen`.
    fn is_agent(&self, at: usize) -> bool {
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

    /// `it's Chen, barefoot, who is dragging them`.
    fn cleft(&self, after: usize) -> Verdict {
        let who =
            (after..self.tokens.len().min(after + 12)).find(|at| self.is(*at, &["who", "that"]));
        match who {
            Some(who) => self.predicate(who + 1),
            None => Verdict::Doubtful,
        }
    }

    /// After a verb: spoken, inverted, perceived, given to, an object.
    fn after_verb(&self, verb: usize) -> Verdict {
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
                    && !self.tokens.last().is_some_and(|token| token.text == "?")
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
        if words::PIVOTS.contains(&word)
            || words::LETS.contains(&word)
            || self.tag(verb) == Tag::Have
        {
            let half = front
                .iter()
                .any(|token| token.is(&["almost", "nearly", "half", "practically", "still"]));
            return if half || shifted {
                Verdict::Doubtful
            } else {
                self.perceived(after, !words::PIVOTS.contains(&word))
            };
        }
        if word == "took" && verb > 0 && self.word(verb - 1) == "it" && !self.pluperfect_near(verb)
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
        {
            return Verdict::Acts;
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

    /// `"Go," growled Chen`.
    fn follows_quote(&self, verb: usize) -> bool {
        let before = self.tokens[..verb]
            .iter()
            .rposition(|token| token.tag != Tag::Adverb);
        before.is_some_and(|at| self.tag(at) == Tag::Quote) && !self.is(verb, words::DEATH_VERBS)
    }

    /// The clause begins with a phrase and has no subject before its verb.
    fn is_fronted(&self, segment: usize, verb: usize) -> bool {
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

    /// `It was Chen who`, `There was Chen, asleep`, `The first to speak was Chen`.
    fn after_be(&self, be: usize, segment: usize) -> Verdict {
        let after = self.at + 1;
        let front = &self.tokens[segment..be];
        let has = |list: &[&str]| front.iter().any(|token| token.is(list));
        let next = if self.tag(after) == Tag::Comma {
            after + 1
        } else {
            after
        };
        let gone = self.is_of_grave();
        let doing = self.tag(next) == Tag::Ing && !self.is(next, words::LIFELESS);
        let here = doing || self.is(next, words::PRESENT_STATES) || self.is(next, words::ARRIVES);
        if front.last().is_some_and(|token| token.is(&["it", "this"]))
            || front.is_empty() && be > 0 && self.is(be - 1, &["it"])
        {
            if self.is(after, &["who", "that"])
                || self.tag(after) == Tag::Comma
                    && (after..after + 12).any(|at| self.is(at, &["who"]))
                    && !here
            {
                return self.cleft(after);
            }
            let shown = self.tokens[..segment].iter().any(|token| {
                token.is(words::SHOWN) || token.is(words::WHO) || token.is(&["somebody", "someone"])
            }) && !self.pluperfect_before(be)
                && !self.is_of_grave();
            return if (self.tag(after) == Tag::Comma || doing) && here && !self.pluperfect_near(be)
                || shown && self.tag(after).is_mark()
            {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
        }
        if gone || self.pluperfect_near(be) {
            return Verdict::Doubtful;
        }
        let whole = &self.tokens[..be];
        let said = |list: &[&str]| whole.iter().any(|token| token.is(list));
        let what = said(&["what", "all"]) && doing;
        let ends = self.tag(after) == Tag::End || after >= self.tokens.len();
        let ranked = front.windows(2).any(|pair| {
            pair[0].is(&[
                "first", "second", "third", "fourth", "fifth", "last", "next", "one", "only",
                "nearest",
            ]) && pair[1].is(&["to", "who", "person", "one", "thing", "face"])
        });
        let spoke = said(words::FIRST_TO);
        let someone = (has(words::WHO) || front.is_empty() && said(words::WHO))
            && whole.iter().any(|token| {
                token.is(words::WHERE) || token.is(words::PRESENT_STATES) || token.tag == Tag::Ing
            });
        let told_of = self
            .tokens
            .iter()
            .any(|token| token.is(words::LEGACY_VERBS));
        let there = front
            .first()
            .is_some_and(|token| token.is(&["there", "here"]))
            && (here
                || self.tag(after) == Tag::Comma && self.trails(self.at)
                || self.tag(after) == Tag::Comma
                    && self.is(next, words::WHERE)
                    && self.is(next + 1, words::OTHERS));
        let fronted = front
            .first()
            .is_some_and(|token| matches!(token.tag, Tag::Preposition | Tag::To | Tag::Ing))
            && (self.tag(after) == Tag::Comma && here);
        let relative = self.relative(after) == Verdict::Acts;
        let first = self.tokens[..be]
            .iter()
            .rposition(|token| matches!(token.tag, Tag::Stop | Tag::Quote))
            .map_or(0, |mark| mark + 1);
        let place = self.is(first, words::WHERE) && ends && !self.has_verb(first, be);
        if place
            || what
            || there
            || fronted
            || ranked
                && (here
                    || relative
                    || ends && spoke
                    || self.tag(after) == Tag::Comma && said(&["to"]))
            || someone && (ends && !told_of || self.tag(after) == Tag::Comma && here)
            || ends && spoke && ranked
            || self.word(be) == "be" && said(&["turned", "proved"]) && !told_of
        {
            return Verdict::Acts;
        }
        Verdict::Doubtful
    }

    /// After a verb of perception or of bringing about: `saw Chen turn`, `found Chen waiting`; a bare
    /// verb follows only some of them.
    fn perceived(&self, after: usize, is_bare: bool) -> Verdict {
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
            _ if token.is(words::PRESENT_STATES) => true,
            Tag::Noun | Tag::Base | Tag::Present => is_bare && !token.is(&["home", "face", "safe"]),
            Tag::Past => token.is(words::POSTURES) || is_bare && token.is(words::BARE_PASTS),
            Tag::Adverb => false,
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
                    && (self.busy(next) || self.trails(next))
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
    fn busy(&self, from: usize) -> bool {
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
        if self.tag(after) == Tag::Comma && self.word(after + 1) == "who" {
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
        if self.tag(at) == Tag::Coordinator && at > after {
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
            Tag::Past => self.is_plain(verb),
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
    fn meanwhile(&self, from: usize) -> bool {
        (from..self.tokens.len().saturating_sub(1)).any(|at| {
            let same: &[&str] = match self.word(at + 1) {
                "he" => &["he", "his", "him"],
                "she" => &["she", "her"],
                _ => return false,
            };
            let verb = self.skip_adverbs(at + 2);
            self.is(at, &["as", "while", "until", "till"])
                && self.tag(verb) == Tag::Past
                && self.is_plain(verb)
                && !self.tokens[..self.at].iter().any(|token| token.is(same))
                && !self.tokens[from..at]
                    .iter()
                    .any(|token| token.tag == Tag::Name)
                && !self.is_of_grave()
        })
    }

    /// After a noun: a fronted phrase, or a relative clause without a pronoun.
    fn after_noun(&self, noun: usize) -> Verdict {
        let after = self.at + 1;
        let segment = self.segment_start(noun);
        let first = &self.tokens[segment];
        let word = self.word(noun);
        let subordinate = segment > 0 && self.tag(segment - 1) == Tag::Subordinator;
        if word == "way" {
            return Verdict::Excused(Excuse::Hypothesis);
        }
        if self.is(noun, &["moment", "instant", "minute", "second"])
            && self.is(noun - usize::from(noun > 0), &["the", "very"])
        {
            return self.subject(after, segment);
        }
        if self.is(noun, words::TIME_UNITS)
            && noun > 0
            && self.is(noun - 1, &["the", "very"])
            && !matches!(first.tag, Tag::Preposition)
        {
            return Verdict::Excused(Excuse::Past);
        }
        if self.has_verb(segment, noun + 1) {
            // `When she turned the corner Chen was waiting`.
            if subordinate && !matches!(self.tag(noun), Tag::Determiner | Tag::Possessive) {
                return self.subject(after, segment);
            }
            // `was all Chen said`.
            if word == "all"
                && self.follows_quote(noun - usize::from(noun > 0))
                && self.is(after, &["said"])
            {
                return Verdict::Acts;
            }
            return self.object_relative(after);
        }
        let timed = self.tokens[segment..=noun]
            .iter()
            .any(|token| token.is(words::TIME_UNITS) || token.is(words::TIME_NOUNS));
        let fronted = matches!(
            first.tag,
            Tag::Preposition | Tag::To | Tag::Adverb | Tag::Ing | Tag::Past | Tag::Participle
        ) || timed
            || self.tokens[segment..=noun].iter().any(|token| {
                token.is(&[
                    "away", "down", "up", "later", "along", "over", "back", "ahead",
                ])
            })
            || subordinate && first.tag != Tag::Determiner;
        let repeated = first.is(&["every", "each"]) && timed
            || self.tokens[segment..=noun]
                .iter()
                .any(|token| token.is(words::HABITS));
        if self.is(noun, &["night"]) && self.is(segment, &["last"]) {
            return Verdict::Excused(Excuse::Past);
        }
        if matches!(self.tag(noun), Tag::Determiner) && !self.is(noun, &["this", "that", "all"]) {
            return Verdict::Excused(Excuse::Mention);
        }
        if !fronted {
            return self.object_relative(after);
        }
        match self.subject(after, segment.max(1)) {
            Verdict::Acts if repeated && !self.is(segment + 1, &["so", "now", "few"]) => {
                Verdict::Doubtful
            }
            verdict => verdict,
        }
    }

    /// `Chen's voice came from the stairs` is an act, `Chen's sword` is none.
    fn owner(&self) -> Verdict {
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
            .any(|token| token.is(words::IN_MIND) && token.tag != Tag::Have);
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
        let compared = before.is_some_and(|at| {
            self.is(at, &["as", "than", "like", "if"]) && self.is(at, &["than", "like", "if"])
        });
        let Some(verb) = self.verb_of(part + 1).filter(|_| begins && !compared) else {
            return Verdict::Doubtful;
        };
        let next = self.skip_adverbs(verb + 1);
        let acts = match self.tag(verb) {
            Tag::Modal => false,
            Tag::Past | Tag::Present if words::WORN.contains(&noun) => self.is(verb, words::MOVES),
            Tag::Past | Tag::Present | Tag::Noun => {
                self.is(verb, &["fell", "passed", "rested"])
                    || !self.is(verb, words::DEATH_VERBS)
                        && !(self.is(verb, &["looked"]) && words::FACES.contains(&noun))
                        && !self.is(
                            verb,
                            &[
                                "seemed", "appeared", "remained", "lived", "became", "meant",
                                "belonged",
                            ],
                        )
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
}
