//! The part a name has in its clause, by the words before it: subject, agent, whom somebody sees or
//! hands something, object, owner.

use super::{
    super::{super::short_names::is_title, Excuse},
    Parsed, Verdict,
    token::Tag,
    words,
};

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
            && !self.is(
                self.at - 1,
                &["both", "all", "half", "neither", "either", "what"],
            )
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
    pub(super) fn phrase_start(&self) -> usize {
        let mut start = self.at;
        while start > 0 && self.is_title(start - 1)
            || start > 1 && self.word(start - 1) == "." && self.is_title(start - 2)
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
        } else if let Some(noun) = self.apposed_noun(start) {
            start = noun;
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

    fn is_title(&self, at: usize) -> bool {
        self.is(at, words::TITLES)
            || matches!(self.tag(at), Tag::Noun | Tag::Name) && is_title(self.word(at))
    }

    /// The reading of a noun phrase that begins at `start`.
    pub(super) fn place(&self, start: usize) -> Verdict {
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
            .any(|token| token.is(&["away", "back", "later", "along", "ahead", "apart"]))
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
        ) || self.word(mark) == "by" && self.is(mark + 2, &["time"])
            || self.word(mark) == "the"
                && self.is(mark + 1, &["moment", "instant", "minute", "second"]);
        if depends
            && before > mark
            && matches!(
                self.tag(before),
                Tag::Past | Tag::Noun | Tag::Pronoun | Tag::Participle
            )
            && !self.is(before, words::LETS)
            && !self.is(before, words::PIVOTS)
            && (!self.is(before, words::SAYS) || self.word(before) == "went")
            && self.has_verb(mark, before + 1)
            && matches!(self.tag(after), Tag::Be | Tag::Past | Tag::Modal | Tag::Do)
        {
            return self.subject(after, start);
        }
        // `It was not Chen who opened the door`.
        if self.tag(before) == Tag::Be && adverbs.iter().any(|token| token.is(&["not", "never"]))
            || self.is(before, &["wasn't", "isn't", "weren't", "aren't"])
        {
            return Verdict::Doubtful;
        }
        // `All Chen did was shrug`.
        if self.is(before, &["all", "what"]) && self.word(after) == "did" {
            let does = (after + 1..self.tokens.len().min(after + 4))
                .find(|at| self.tag(*at) == Tag::Be)
                .is_some_and(|be| {
                    let base = be + 1 + usize::from(self.tag(be + 1) == Tag::To);
                    matches!(self.tag(base), Tag::Noun | Tag::Base)
                        && !self.is(base, words::DIES)
                        && !self.is(base, words::LEGACY_BASE)
                });
            return if does {
                Verdict::Acts
            } else {
                Verdict::Doubtful
            };
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
    pub(super) fn subject(&self, after: usize, start: usize) -> Verdict {
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
            && (self.tag(start - 2).is_nominal() || self.is(start - 2, &["one"]))
            && self.tag(after) == Tag::Comma;
        if named && self.is(start - 2, words::NAMED_THINGS) {
            return Verdict::Excused(Excuse::Mention);
        }
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
        // `A cough made Ben turn: Chen, in her coat, jingling her keys`.
        let modal = self.tokens[..start]
            .iter()
            .any(|token| token.is(&["must", "might", "would", "may", "if"]));
        if begun && modal {
            return self.relative(after);
        }
        if begun
            && told
            && self.word(start - 1) == ":"
            && self.tag(after) == Tag::Comma
            && self.trails(self.at)
            && !self.is_of_grave()
        {
            return Verdict::Acts;
        }
        // `Chen leading, they crossed the yard`.
        let comma = self.clause_end(next);
        if !begun
            && doing
            && next == self.skip_adverbs(after)
            && self.tag(comma) == Tag::Comma
            && matches!(
                self.tag(comma + 1),
                Tag::Subject | Tag::Name | Tag::Determiner | Tag::Possessive
            )
            && self.has_verb(comma, self.tokens.len())
            && !self.is_of_grave()
        {
            return Verdict::Acts;
        }
        // `Chen, quietly: "Go."`
        let says = self.skip_adverbs(next + usize::from(self.tag(next) == Tag::Comma));
        if !begun
            && matches!(self.word(says), ":" | ",")
            && self.tag(says + 1) == Tag::Quote
            && !self.tokens.iter().any(|token| token.is(words::FRAME_NOUNS))
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
    pub(super) fn segment_start(&self, end: usize) -> usize {
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
    pub(super) fn has_verb(&self, from: usize, to: usize) -> bool {
        self.tokens[from..to]
            .iter()
            .any(|token| token.tag.is_finite())
    }

    /// Whether the clauses before, up to a semicolon, have a pluperfect or `would`.
    pub(super) fn pluperfect_before(&self, at: usize) -> bool {
        let stop = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag == Tag::Stop);
        let from = stop.map_or(0, |stop| stop + 1);
        // `Under the wing, where he had left his bag, he found Chen`: the relative clause has ended.
        let restarts = (from..at)
            .rev()
            .find(|mark| self.tag(*mark) == Tag::Comma && self.tag(mark + 1) == Tag::Subject)
            .filter(|mark| {
                (from..*mark).any(|word| self.is(word, &["where", "which", "who", "that"]))
            });
        let from = restarts.unwrap_or(from);
        self.tokens[from..at]
            .iter()
            .any(|token| token.is(&["had", "hadn't", "would", "wouldn't", "he'd", "she'd"]))
    }

    /// Whether the clause before a token has a pluperfect or `would`.
    pub(super) fn pluperfect_near(&self, at: usize) -> bool {
        let from = self.tokens[..at]
            .iter()
            .rposition(|token| token.tag.is_mark())
            .map_or(0, |mark| mark + 1);
        let from = from.max(self.segment_start(at));
        self.tokens[from..at]
            .iter()
            .any(|token| token.is(&["had", "hadn't", "would", "might", "he'd", "she'd"]))
    }
}
