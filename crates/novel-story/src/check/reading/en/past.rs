//! Times that are past, ghosts, and dreams somebody wakes from.

use super::{
    Parsed, Scene, Sentence,
    token::{Tag, Token},
    words,
};

/// `ten years ago`, `three winters earlier`, `the summer before the war`: of the clause of the name, not
/// of another one, as in `sat in the chair they had bought two years ago`.
pub(super) fn long_ago(parsed: &Parsed<'_>) -> bool {
    let tokens = &parsed.tokens;
    tokens.windows(2).enumerate().any(|(at, pair)| {
        let past = pair[0].is(words::TIME_UNITS)
            && match pair[1].lower.as_str() {
                "ago" | "previously" => true,
                // `Forty years back`, not `two days back at sea`.
                "back" => {
                    pair[0].lower.ends_with('s')
                        && tokens.get(at + 2).is_none_or(|token| token.tag.is_mark())
                }
                "earlier" => !pair[0].is(&["day", "days", "hours"]),
                "before" => {
                    let article = at > 0
                        && tokens[at - 1].is(&["the", "very"])
                        && !(at > 1 && tokens[at - 2].is(&["in", "until", "through", "all", "of"]));
                    let ends = tokens.get(at + 2).is_none_or(|token| token.tag.is_mark());
                    article || ends
                }
                _ => false,
            };
        past && !parsed.is_of_another_clause(at)
    })
}

/// `the last time`, but not `for the last time`.
pub(super) fn last_time(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).enumerate().any(|(at, words)| {
        words[0].is(&["the"])
            && words[1].is(&["last"])
            && words[2].is(&["time"])
            && !(at > 0 && tokens[at - 1].is(&["for"]))
    })
}

/// `a ghost`, but not `pale as a ghost` or `had seen a ghost`.
pub(super) fn ghost(tokens: &[Token<'_>]) -> bool {
    (0..tokens.len()).any(|at| {
        tokens[at].is(&["ghost"]) && at > 0 && tokens[at - 1].is(&["a"]) && !is_idiom(tokens, at)
    })
}

pub(super) fn is_idiom(tokens: &[Token<'_>], ghost: usize) -> bool {
    ghost > 1
        && tokens[ghost].is(&["ghost"])
        && tokens[ghost - 1].is(&["a"])
        && tokens[ghost - 2].is(&["as", "like", "seen"])
}

/// `When she was nine`, `When he was a boy`.
pub(super) fn young(before: &[Token<'_>]) -> bool {
    before.windows(4).enumerate().any(|(at, words)| {
        words[0].is(&["when", "since", "while"])
            && words[2].is(&["was", "were"])
            && (crate::ledger::read_age(&words[3].lower).is_some()
                || words[3].is(&["young", "little", "small", "still"])
                || before.get(at + 4).is_some_and(|word| {
                    word.is(&[
                        "boy", "girl", "child", "baby", "lad", "student", "boys", "girls",
                        "children",
                    ])
                }))
    })
}

/// `was six again`, `was a boy again`.
pub(super) fn young_again(before: &[Token<'_>]) -> bool {
    before.windows(2).any(|pair| {
        pair[1].is(&["again"])
            && (crate::ledger::read_age(&pair[0].lower).is_some()
                || pair[0].is(&[
                    "boy", "girl", "child", "young", "small", "little", "children",
                ]))
    })
}

/// `Then Mara woke`: what came before was a dream.
pub(super) fn wakes(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).any(|words| {
        words[0] == "then"
            && words[1..]
                .iter()
                .any(|word| matches!(*word, "woke" | "awoke"))
    })
}

/// Whoever dreamt is awake again.
pub(super) fn woke(before: &[Token<'_>]) -> bool {
    before
        .iter()
        .any(|token| token.is(&["woke", "awoke", "wake", "opened", "woken"]))
}

/// `robbed the bank in '88`, `in 1821`.
pub(super) fn dated(after: &[Token<'_>]) -> bool {
    after.windows(2).any(|pair| {
        let digits = pair[1].lower.chars().all(|char| char.is_ascii_digit());
        pair[0].is(&["in", "of", "'", "’", "since"])
            && digits
            && (pair[1].lower.len() == 4 || pair[0].is(&["'", "’"]) && pair[1].lower.len() == 2)
    })
}

/// `Chen used to sit here`, `where she used to see Chen`.
pub(super) fn used_to(parsed: &Parsed<'_>) -> bool {
    let from = parsed.tokens[..parsed.at]
        .iter()
        .rposition(|token| token.tag.is_mark())
        .unwrap_or_default();
    let to = (parsed.at + 6).min(parsed.tokens.len());
    parsed.tokens[from..to]
        .windows(2)
        .any(|pair| pair[0].lower == "used" && pair[1].tag == Tag::To)
}

/// The sentence before, in the same paragraph, tells of the same person as past.
pub(super) fn told_before(scene: &Scene<'_>, sentence: Sentence, parsed: &Parsed<'_>) -> bool {
    let name = parsed.tokens[parsed.at].text;
    scene
        .previous_in_paragraph(sentence)
        .is_some_and(|previous| {
            let told = scene.narrated(previous.start..previous.end);
            told.find(name).is_some_and(|at| {
                let rest: Vec<&str> = told[at + name.len()..].split_whitespace().take(4).collect();
                let had = rest
                    .iter()
                    .position(|word| matches!(*word, "had" | "would"));
                had.is_some_and(|had| {
                    !rest.get(had + 1).is_some_and(|next| {
                        matches!(*next, "his" | "her" | "a" | "the" | "to" | "just")
                    })
                })
            })
        })
}

impl Parsed<'_> {
    /// Whether a time belongs to another clause than the name's: one that a subject of its own, `had` or
    /// a relative word begins, and that ends before the name.
    fn is_of_another_clause(&self, time: usize) -> bool {
        let begins = |from: usize| {
            (from..time).any(|at| {
                matches!(self.tag(at), Tag::Subject | Tag::Relative | Tag::Have)
                    || self.is(at, &["which"])
            })
        };
        if time > self.at {
            return self
                .verb_of(self.at + 1)
                .is_some_and(|verb| verb < time && begins(verb + 1));
        }
        let clause = self.tokens[..time]
            .iter()
            .rposition(|token| token.tag.is_mark())
            .map_or(0, |mark| mark + 1);
        let goes_on = (time + 2..self.at).any(|at| self.tag(at).is_finite());
        goes_on && (clause + 1..time).any(|at| self.tag(at).is_finite()) && begins(clause + 1)
    }
}
