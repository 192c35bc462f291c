//! English: a small reader of clauses. Words get a coarse part of speech, the name a part in its
//! clause, the verb group that belongs to it is read for tense and mood, and frames that excuse are
//! looked for around both.

mod clause;
mod copula;
mod dependent;
mod frame;
mod group;
mod inverted;
mod moment;
mod noun;
mod object;
mod owner;
mod past;
mod state;
mod token;
mod verb;

use self::token::{Tag, Token, tokens};
use super::{
    super::prose::{Mention, Scene, Sentence},
    Excuse, Reading, en_words as words,
};

/// What a clause says of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Acts,
    Doubtful,
    Excused(Excuse),
}

/// A sentence in tokens, and which of them is the name.
struct Parsed<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl Parsed<'_> {
    fn tag(&self, at: usize) -> Tag {
        self.tokens.get(at).map_or(Tag::End, |token| token.tag)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    fn is(&self, at: usize, list: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(list))
    }

    fn skip_adverbs(&self, mut at: usize) -> usize {
        while self.tag(at) == Tag::Adverb {
            at += 1;
        }
        at
    }
}

/// `"Marcus?" Joanna called. — "In the bath," he called back`: somebody called by name in a quotation
/// answers with the next one.
pub(super) fn replies(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> bool {
    const APART: &[&str] = &[
        "grave",
        "stone",
        "tomb",
        "portrait",
        "photo",
        "dead",
        "phone",
        "mirror",
        "letter",
        "dream",
        "tape",
        "coffin",
        "ghost",
        "prayer",
        "prayed",
        "remember",
        "rehears",
        "empty",
        "nobody",
        "no one",
        "ashes",
        "urn",
        "corpse",
        "statue",
        "screen",
        "recording",
        "played",
        "medium",
        "stage",
        "imagin",
        "murmured to herself",
    ];
    let content = scene.content;
    let (before, after) = (&content[..mention.start], &content[mention.end..]);
    let called = before.ends_with(['"', '“', '‘']) || before.ends_with(", ");
    let ends = after.starts_with(['?', '!', ',', '.', '”', '"']);
    // A list or a subject of the speech is no address: `Marcus, Paul and I`.
    let marked = after
        .chars()
        .take(3)
        .any(|char| matches!(char, '?' | '!' | '”' | '"'));
    let addressed = marked || before.ends_with(['"', '“']);
    if !(called && ends && addressed) {
        return false;
    }
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return false;
    };
    let Some(reply) = scene.paragraphs.get(sentence.paragraph + 1) else {
        return false;
    };
    let both = content[paragraph.start..reply.end].to_lowercase();
    let said = content[reply.clone()].trim_start();
    if !said.starts_with(['"', '“']) || APART.iter().any(|word| both.contains(word)) {
        return false;
    }
    let told = scene.narrated(reply.clone()).to_lowercase();
    let words: Vec<&str> = told
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let Some(pronoun) = words.first().filter(|word| matches!(**word, "he" | "she")) else {
        return false;
    };
    let said = said.to_lowercase();
    let quoted = said.split(['"', '“', '”']).nth(1).unwrap_or_default();
    let speaker = scene.narrated(paragraph.clone()).to_lowercase();
    let is = |text: &str, word: &str| {
        text.split(|char: char| !char.is_alphanumeric())
            .any(|other| other == word)
    };
    let third = ["he", "him", "his", "she", "her"]
        .iter()
        .any(|word| is(quoted, word));
    !third && !is(&speaker, pronoun)
}

pub(super) fn read(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> Reading {
    // A full stop of the name itself may end the sentence.
    let mut sentence = sentence;
    sentence.end = sentence.end.max(mention.end);
    let rest = &scene.content[mention.end..sentence.end];
    // `Chen-like`, `Reyes Street`.
    let is_part = rest.starts_with('-') && rest[1..].starts_with(char::is_alphabetic)
        || rest
            .strip_prefix(' ')
            .is_some_and(|rest| rest.starts_with(char::is_uppercase) && !rest.starts_with("I "));
    if is_part {
        return Reading::Excused(Excuse::Mention);
    }
    let (tokens, at) = tokens(scene, sentence.start..sentence.end, mention);
    let parsed = Parsed { tokens, at };
    let verdict = match frame::framed(scene, sentence, &parsed) {
        Some(Some(excuse)) => Verdict::Excused(excuse),
        Some(None) => Verdict::Doubtful,
        None => match parsed.role() {
            Verdict::Doubtful | Verdict::Excused(Excuse::Mention | Excuse::Past)
                if answers(scene, sentence, &parsed) =>
            {
                Verdict::Acts
            }
            verdict => verdict,
        },
    };
    match verdict {
        Verdict::Acts => {
            let end = parsed.tokens[at + 1..]
                .iter()
                .find(|token| token.tag.is_mark() && token.tag != Tag::Other)
                .map_or(sentence.end, |token| token.range.start)
                .max(mention.end);
            let end = mention.end + scene.content[mention.end..end].trim_end().len();
            Reading::Acts(mention.start..end)
        }
        Verdict::Doubtful => Reading::Doubtful,
        Verdict::Excused(excuse) => Reading::Excused(excuse),
    }
}

/// `she asked Chen. "Like a stone," he said`: the sentence after goes on with a pronoun that can only
/// mean the name, for whoever comes before it in this one is called by another.
fn answers(scene: &Scene<'_>, sentence: Sentence, parsed: &Parsed<'_>) -> bool {
    let (before, after) = (&parsed.tokens[..parsed.at], &parsed.tokens[parsed.at + 1..]);
    // `Chen had not drawn. He leaned on the rail.`
    let denied = parsed.denied() && !after.iter().any(|token| token.tag == Tag::Name);
    if !denied
        && after.iter().any(|token| {
            token.tag == Tag::Name || token.tag.is_finite() || token.tag == Tag::Genitive
        })
        || parsed.is_of_grave()
    {
        return false;
    }
    let Some(next) = scene.next_in_paragraph(sentence) else {
        return false;
    };
    let told = scene.narrated(next.start..next.end);
    let Some(pronoun) = told
        .split_whitespace()
        .next()
        .filter(|word| matches!(*word, "he" | "she" | "He" | "She"))
    else {
        return false;
    };
    let is_he = pronoun.eq_ignore_ascii_case("he");
    let same: &[&str] = if is_he {
        &["he", "his", "him"]
    } else {
        &["she", "her"]
    };
    let other: &[&str] = if is_he {
        &["she", "her", "i", "we"]
    } else {
        &["he", "his", "i", "we"]
    };
    let says = |list: &[&str]| before.iter().any(|token| token.is(list));
    let named = before
        .iter()
        .any(|token| token.tag == Tag::Name && !token.is(other));
    if !denied && (!says(other) || says(same) || named) {
        return false;
    }
    let text = scene.text(next);
    let Some(at) = text
        .match_indices(pronoun)
        .map(|(at, _)| next.start + at)
        .find(|at| {
            let rest = &scene.content[at + pronoun.len()..next.end];
            !scene.is_quoted(*at) && !rest.starts_with(char::is_alphanumeric)
        })
    else {
        return false;
    };
    let stand_in = Mention {
        start: at,
        end: at + pronoun.len(),
        id: "",
    };
    let (tokens, at) = tokens(scene, next.start..next.end, stand_in);
    let reply = Parsed { tokens, at };
    frame::framed(scene, next, &reply).is_none() && reply.role() == Verdict::Acts
}
