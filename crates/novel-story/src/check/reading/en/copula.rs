//! A name behind `be`: `it was Chen who`, `there was Chen, asleep`, `the first to speak was Chen`.

use super::{Parsed, Verdict, token::Tag, words};

impl Parsed<'_> {
    /// `It was Chen who`, `There was Chen, asleep`, `The first to speak was Chen`.
    pub(super) fn after_be(&self, be: usize, segment: usize) -> Verdict {
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
        // `for half a second it was Chen`.
        let seemed = self.tokens[..be].windows(2).any(|pair| {
            pair[0].is(&["a", "an", "half"])
                && pair[1].is(&["second", "moment", "instant", "heartbeat"])
        }) && self.tokens[..be].iter().any(|token| token.is(&["for"]));
        if seemed {
            return Verdict::Doubtful;
        }
        if self.is_pictured(after) && !gone && !self.pluperfect_near(be) {
            return Verdict::Acts;
        }
        if front.last().is_some_and(|token| token.is(&["it", "this"]))
            || front.is_empty() && be > 0 && self.is(be - 1, &["it"])
        {
            if self.is(self.skip_adverbs(after), &["who", "that"])
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
            // `It was only Chen on the step`.
            let placed = self.is(after, &["at", "on", "in", "by", "under", "behind"])
                && self.is(after + 1, &["the", "his", "her"])
                && !gone
                && !self.tokens.iter().any(|token| token.is(words::FRAME_NOUNS));
            return if placed && !self.pluperfect_near(be)
                || (self.tag(after) == Tag::Comma || doing) && here && !self.pluperfect_near(be)
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
        let what = said(&["what", "all"]) && doing && !said(&["looked", "remembered", "thought"]);
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
        let there = [front.first(), front.last()]
            .into_iter()
            .flatten()
            .any(|token| token.is(&["there", "here"]))
            && (here
                || self.tag(after) == Tag::Comma && self.trails(self.at)
                || self.tag(after) == Tag::Comma
                    && self.is(next, words::WHERE)
                    && self.is(next + 1, words::OTHERS));
        let fronted = front
            .first()
            .is_some_and(|token| matches!(token.tag, Tag::Preposition | Tag::To | Tag::Ing))
            && (self.tag(after) == Tag::Comma && here);
        // `The only one laughing was Chen`.
        let doing_one = whole.windows(2).any(|pair| {
            pair[0].is(&["one", "person"])
                && pair[1].tag == Tag::Ing
                && !pair[1].is(words::LIFELESS)
        });
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
            || ends && doing_one && said(&["only", "last", "first", "one"])
            || self.word(be) == "be" && said(&["turned", "proved"]) && !told_of
        {
            return Verdict::Acts;
        }
        Verdict::Doubtful
    }

    /// `it's Chen, barefoot, who is dragging them`.
    pub(super) fn cleft(&self, after: usize) -> Verdict {
        let who =
            (after..self.tokens.len().min(after + 12)).find(|at| self.is(*at, &["who", "that"]));
        match who {
            Some(who) => self.predicate(who + 1),
            None => Verdict::Doubtful,
        }
    }
}
