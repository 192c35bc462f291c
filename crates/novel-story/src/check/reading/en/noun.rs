//! A name behind another noun: in a list, after the noun of a person, after a fronted phrase.

use super::{super::Excuse, Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// Where `the cartographer` or `Quartermaster` before the name begins: a noun of a person, which no
    /// relative clause without a pronoun follows (`the letter Chen wrote came too late`).
    pub(super) fn apposed_noun(&self, start: usize) -> Option<usize> {
        let noun = start.checked_sub(1)?;
        let word = self.word(noun);
        let strong = words::PERSON_ENDS[..words::PERSON_ENDS.len() - 3]
            .iter()
            .any(|end| word.ends_with(end));
        let is_person = word.len() > 4
            && words::PERSON_ENDS.iter().any(|end| word.ends_with(end))
            && !words::NAMED_THINGS.contains(&word)
            && !words::TIME_UNITS.contains(&word)
            && !words::TIME_NOUNS.contains(&word);
        if !is_person || !matches!(self.tag(noun), Tag::Noun | Tag::Name) {
            return None;
        }
        if strong && (noun == 0 || self.tag(noun - 1).is_boundary() || self.tag(noun) == Tag::Name)
        {
            return Some(noun);
        }
        let mut first = noun;
        while first > 0 && self.tag(first - 1) == Tag::Noun && noun - first < 3 {
            first -= 1;
        }
        let opens = first.checked_sub(1)?;
        if !matches!(self.tag(opens), Tag::Determiner | Tag::Possessive) {
            return None;
        }
        let before = opens
            .checked_sub(1)
            .map_or(Tag::End, |before| self.tag(before));
        let after = self.at + 1;
        let told = self.tag(after).is_mark() && before == Tag::Past;
        let verb = self.verb_of(after);
        let ends = verb.map_or(after, |verb| {
            (verb + 1..self.tokens.len())
                .find(|at| self.tag(*at).is_boundary())
                .unwrap_or(self.tokens.len())
        });
        let relative = verb.is_some_and(|verb| {
            (verb + 1..ends).any(|at| self.tag(at).is_finite())
                || !strong && self.tag(self.skip_adverbs(verb + 1)).is_mark()
        });
        let begins = before.is_mark()
            || matches!(before, Tag::Coordinator | Tag::Subordinator | Tag::Adverb)
            || strong;
        (told && strong || verb.is_some() && begins && !relative).then_some(first)
    }

    /// `Mara and Chen rode`, `met Mara and Chen`, `Mara sat and Chen stood`.
    pub(super) fn coordinated(&self, joint: usize, start: usize) -> Verdict {
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
            if self.relative(after) == Verdict::Acts || self.trails(self.at) {
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
        while member > 0 && matches!(self.tag(member - 1), Tag::Noun | Tag::Name | Tag::Pronoun) {
            member -= 1;
        }
        // `By noon she and Chen`.
        if member == first && member > 0 && self.tag(member - 1) == Tag::Subject {
            member -= 1;
        }
        while member > 0 && matches!(self.tag(member - 1), Tag::Determiner | Tag::Possessive) {
            member -= 1;
        }
        let front = member.checked_sub(1).map(|at| self.tag(at));
        let named = member < first;
        let segment = self.segment_start(member);
        let in_phrase = matches!(front, Some(Tag::Preposition | Tag::To))
            && named
            && self.tag(member) != Tag::Subject;
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
        // `The two of them, Mara and Chen, dragged the sledge`.
        let aside = member > 0
            && self.tag(member - 1) == Tag::Comma
            && self.tag(after) == Tag::Comma
            && self.tag(after + 1) == Tag::Past;
        if aside && !clause_joint && named {
            return self.group(after + 1);
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

    /// After a noun: a fronted phrase, or a relative clause without a pronoun.
    pub(super) fn after_noun(&self, noun: usize) -> Verdict {
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
}
