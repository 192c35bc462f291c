//! How likely a sentence contradicts a fact.

use std::ops::Range;

use novel_model::Lang;
use novel_text::parse_numeral;

use super::{
    super::{
        prose::{Scene, Sentence},
        rules::{Kin, Scope, is_feature, shows_use},
    },
    facts::{About, Fact, Facts, Thing, ThingIs},
    handles::kin_words,
    named::{How, Seen},
    terms::Touched,
    words::{Class, Classes},
};
use crate::ledger::{kin_of, number_word};

/// A sentence with what was found in it.
pub(super) struct Line<'s> {
    pub(super) sentence: Sentence,
    /// In small letters.
    pub(super) text: String,
    pub(super) classes: Classes,
    pub(super) people: &'s [Seen<'s>],
    pub(super) is_quoted: bool,
    /// Its number in the scene, and what it has of secrets and rules.
    pub(super) number: usize,
    pub(super) touched: &'s Touched,
    /// Whether a flashback may cover it.
    pub(super) is_covered: bool,
}

/// A question that may be asked about a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) weight: u32,
    /// Whether the sentence only names whom the fact is about.
    pub(super) only_names: bool,
    /// Whether the reading takes the sentence for a memory, a report or a supposition.
    pub(super) is_excused: bool,
    pub(super) focus: Range<usize>,
}

/// A word of the slot itself: a number with the thing, another rank, a lost part in use.
const SLOT: u32 = 45;
/// A word that leads to the slot.
const NEAR: u32 = 28;
/// The sentence says what the record says.
const SAME: u32 = 8;
/// The chapter itself changes the fact.
const TOUCHED: u32 = 20;
/// Somebody says it.
const SAID: u32 = 12;
/// It may be a memory.
const PAST: u32 = 30;

/// What the sentence has against a fact about somebody it speaks of.
pub(super) fn of_person(
    scope: &Scope<'_>,
    facts: &Facts,
    fact: &Fact,
    line: &Line<'_>,
    seen: &Seen<'_>,
) -> Option<Question> {
    let slot = match &fact.about {
        About::Gone => return Some(gone(line, seen)),
        About::Lives => weight_of(line, &[Class::Death], &[]),
        About::Body(troubles) => {
            let shown = troubles
                .iter()
                .filter_map(|trouble| shows_use(*trouble, &line.text, scope.lang));
            match shown.max() {
                Some(true) => SLOT + 5,
                Some(false) => NEAR + 6,
                None if line.classes.has(Class::Part) && line.classes.has(Class::Act) => NEAR + 4,
                None if troubles.is_empty() => 0,
                None => weight_of(line, &[], &[Class::Act, Class::Part]) / 2,
            }
        }
        About::Age(age) => {
            let told = weight_of(line, &[Class::Age], &[Class::Stage]);
            match age {
                Some(age) if told > 0 && says_number(&line.text, *age) => SAME,
                _ => told,
            }
        }
        About::Kin(kin) => family(scope, line, kin, seen),
        About::Family => weight_of(line, &[Class::Kin], &[]),
        About::Tie(other) => tie(line, fact, other, seen),
        About::Rank(known) => {
            let told = weight_of(line, &[Class::Rank], &[Class::Office]);
            match known {
                Some(word) if told == SLOT && is_only_rank(line, word) => SAME,
                _ => told,
            }
        }
        About::Place(here) => place(scope, facts, line, here),
        About::Look(field) => {
            if !is_feature(field, &line.text) {
                0
            } else if line.classes.has(Class::Colour) {
                SLOT
            } else {
                NEAR
            }
        }
        About::Rule(laws) => laws
            .iter()
            .map(|law| facts.terms.share(line.touched, line.number, *law).0 * 6 / 10)
            .max()
            .map_or(0, |share| share + 10),
        About::Thing(_) | About::Secret(_) | About::Day | About::NearName => return None,
    };
    // A sentence that may be about somebody else is asked about only for what it says of the slot.
    if slot == 0 && seen.how > How::Pronoun {
        return None;
    }
    Some(Question {
        weight: weaken(slot, fact, line) + seen.how.weight(),
        only_names: slot <= SAME,
        is_excused: false,
        focus: seen.range.clone(),
    })
}

fn weaken(weight: u32, fact: &Fact, line: &Line<'_>) -> u32 {
    let less = [
        (line.is_quoted, SAID),
        (line.is_covered, PAST),
        (fact.is_touched, TOUCHED),
    ];
    let less = less.iter().filter(|(is_so, _)| *is_so);
    weight.saturating_sub(less.map(|(_, less)| less).sum())
}

fn weight_of(line: &Line<'_>, slot: &[Class], near: &[Class]) -> u32 {
    let has = |classes: &[Class]| classes.iter().any(|class| line.classes.has(*class));
    if has(slot) {
        SLOT
    } else if has(near) {
        NEAR
    } else {
        0
    }
}

/// Whoever is gone is asked about wherever they are named.
fn gone(line: &Line<'_>, seen: &Seen<'_>) -> Question {
    let base = match seen.how {
        How::Acts => 75,
        How::Doubtful => 65,
        How::Named | How::Called => 52,
        How::Pronoun | How::Quoted => 46,
        How::Speaks | How::Kin | How::LeftOut => 40,
        How::Framed => 36,
        How::Perhaps => 20,
    };
    // The sentence tells of the death itself.
    let told = if line.classes.has(Class::Death) && seen.how != How::Acts {
        15
    } else {
        0
    };
    let covered = if line.is_covered { PAST } else { 0 };
    Question {
        weight: (base + seen.how.weight() - told).saturating_sub(covered),
        only_names: seen.how == How::Perhaps,
        is_excused: seen.how == How::Framed,
        focus: seen.range.clone(),
    }
}

fn family(scope: &Scope<'_>, line: &Line<'_>, kin: &Kin, seen: &Seen<'_>) -> u32 {
    let other = if kin.a == seen.id { &kin.b } else { &kin.a };
    let both = line.people.iter().any(|seen| seen.id == other);
    if !line.classes.has(Class::Kin) {
        return if both { NEAR / 2 } else { 0 };
    }
    let same = kin_words(scope.lang).iter().any(|word| {
        line.text.contains(word) && kin_of(word).is_some_and(|(kind, _)| kin.is_kind(kind))
    });
    match (both, same) {
        (true, false) => SLOT + 4,
        (true, true) => NEAR,
        (false, false) => NEAR + 6,
        (false, true) => NEAR / 2,
    }
}

fn tie(line: &Line<'_>, fact: &Fact, other: &str, seen: &Seen<'_>) -> u32 {
    let other = if fact.subject == seen.id {
        other
    } else {
        &fact.subject
    };
    let both = line.people.iter().any(|seen| seen.id == other);
    let told = weight_of(line, &[Class::Bond], &[Class::Deed]);
    match (both, told) {
        (true, 0) => NEAR / 2,
        (true, told) => told,
        (false, SLOT) => NEAR / 2,
        (false, _) => 0,
    }
}

/// Whether the only rank of a sentence is the recorded one.
fn is_only_rank(line: &Line<'_>, word: &str) -> bool {
    let rest = line.text.replace(word, "");
    rest.len() < line.text.len()
        && !super::super::rules::rank_words().any(|other| rest.contains(other))
}

fn place(scope: &Scope<'_>, facts: &Facts, line: &Line<'_>, here: &str) -> u32 {
    let lower = here.to_lowercase();
    let mut known = facts
        .places
        .iter()
        .filter(|(name, _)| line.text.contains(name.as_str()))
        .map(|(name, place)| {
            // The record may say more than the name: `locked in the Moon Tower`.
            lower.contains(name.as_str()) || scope.places.same(place, here).unwrap_or(place == here)
        })
        .peekable();
    if known.peek().is_some() {
        return if known.all(|same| same) { SAME } else { SLOT };
    }
    weight_of(line, &[], &[Class::Place]) * 2 / 3
}

/// Whether a text says a number and no other.
fn says_number(text: &str, number: u32) -> bool {
    let mut found = numbers(text).peekable();
    found.peek().is_some() && found.all(|told| told == number)
}

/// The numbers a text says, in figures or in words.
fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    let is_number =
        |char: char| char.is_ascii_digit() || "〇零一二三四五六七八九十百千万两".contains(char);
    let figures = text
        .split(move |char| !is_number(char))
        .filter(|run| !run.is_empty())
        .filter_map(parse_numeral);
    let words = text
        .split(|char: char| !(char.is_ascii_alphabetic() || char == '-'))
        .filter(|word| !word.is_empty())
        .filter_map(number_word);
    figures.chain(words)
}

/// What the sentence has against a fact that no person is needed for.
pub(super) fn of_free(
    scope: &Scope<'_>,
    facts: &Facts,
    scene: &Scene<'_>,
    fact: &Fact,
    line: &Line<'_>,
) -> Option<Question> {
    let whole = line.sentence.start..line.sentence.end;
    let question = |weight: u32, focus| Question {
        weight: weaken(weight, fact, line),
        only_names: false,
        is_excused: false,
        focus,
    };
    match &fact.about {
        About::Thing(thing) => of_thing(scope, scene, fact, line, thing),
        About::Secret(terms) => {
            const LEAST: u32 = 25;
            let (share, hits) = facts.terms.share(line.touched, line.number, *terms);
            let told = line.classes.has(Class::Know) || line.is_quoted;
            let bonus = if told { 10 } else { 0 };
            (share >= LEAST || hits > 1 && share * 2 >= LEAST).then(|| Question {
                weight: 15 + share * 6 / 10 + bonus,
                only_names: false,
                is_excused: false,
                focus: whole,
            })
        }
        About::Rule(laws) => {
            const LEAST: u32 = 34;
            let shares = laws
                .iter()
                .map(|law| facts.terms.share(line.touched, line.number, *law));
            let (share, hits) = shares.max()?;
            let somebody = if line.people.is_empty() { 0 } else { 8 };
            let enough = share >= LEAST || hits > 1;
            enough.then(|| question(15 + share * 6 / 10 + somebody, whole))
        }
        About::Day => {
            let told = weight_of(line, &[Class::Day], &[Class::Hour]);
            (told > 0).then(|| {
                let both = line.classes.has(Class::Hour) && line.classes.has(Class::Number);
                let weight = match (told, both) {
                    (SLOT, true) => SLOT + 12,
                    (SLOT, false) => SLOT,
                    (_, true) => NEAR,
                    _ => NEAR / 2,
                };
                Question {
                    only_names: weight < NEAR,
                    ..question(weight, whole)
                }
            })
        }
        _ => None,
    }
}

fn of_thing(
    scope: &Scope<'_>,
    scene: &Scene<'_>,
    fact: &Fact,
    line: &Line<'_>,
    thing: &Thing,
) -> Option<Question> {
    let full = find_word(&line.text, &thing.name, scope.lang);
    let (at, length, named) = match full {
        Some(at) => (at, thing.name.len(), 42),
        None => {
            let head = thing.head.as_deref()?;
            (find_word(&line.text, head, scope.lang)?, head.len(), 20)
        }
    };
    let classes = line.classes;
    let slot = match &thing.is {
        ThingIs::Counted(count) if classes.has(Class::Number) => {
            if says_number(&line.text, *count) {
                0
            } else {
                26
            }
        }
        ThingIs::Counted(_) => 4,
        ThingIs::Broken | ThingIs::Given if classes.has(Class::Use) => 18,
        ThingIs::Whole if classes.has(Class::State) => 22,
        ThingIs::Held(holder) => {
            let others = line.people.iter().any(|seen| {
                seen.id != holder && !matches!(seen.how, How::Perhaps | How::LeftOut | How::Framed)
            });
            let own = line.people.iter().any(|seen| seen.id == holder);
            match (others, own) {
                (true, false) => 20,
                (true, true) => 10,
                (false, true) => 0,
                (false, false) => 8,
            }
        }
        _ => 6,
    };
    let start = line.sentence.start + at;
    // Small letters may be longer than the capitals of the text.
    let focus = scene
        .content
        .get(start..start + length)
        .filter(|_| line.text.len() == line.sentence.end - line.sentence.start)
        .map_or(line.sentence.start..line.sentence.end, |_| {
            start..start + length
        });
    Some(Question {
        weight: weaken(named + slot, fact, line),
        only_names: named + slot < 25,
        is_excused: false,
        focus,
    })
}

/// Where a word stands in a text; a Latin word may have an ending.
fn find_word(text: &str, word: &str, lang: Lang) -> Option<usize> {
    match lang {
        Lang::Zh => text.find(word),
        Lang::En => {
            let stem = word
                .strip_suffix('s')
                .filter(|stem| stem.len() > 3)
                .unwrap_or(word);
            text.match_indices(stem).map(|(at, _)| at).find(|at| {
                let rest = text[at + stem.len()..].trim_start_matches('s');
                !text[..*at].ends_with(char::is_alphanumeric)
                    && !rest.starts_with(char::is_alphanumeric)
            })
        }
    }
}
