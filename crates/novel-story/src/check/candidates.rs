//! Sentences that may contradict the record, for the closed question.
//!
//! From the ledger: a sentence that names somebody who is gone, a thing that changed hands or is no
//! more, an injured person, words of a secret, a name that is nearly one of the cast, words of a rule.
//! A candidate is no finding. At most [`MOST`] a chapter, the likeliest first.

use std::collections::BTreeSet;

use novel_model::{ChapterNo, Lang, VolumeNo};
use novel_text::{coverage, term_set};
use serde_json::Value;

use super::{
    CheckInput, Checker,
    finding::Side,
    prose::{Scene, holds},
    reading::{Excuse, Reading},
    rules::{Scope, gone, kin_words, subject, things_in_doubt, troubles},
};
use novel_book::context::ContextError;

/// The most candidates of a chapter.
pub const MOST: usize = 10;

/// Why a sentence is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// It names somebody who is dead, away or retired.
    Gone,
    /// It names a thing that changed hands, is no more or is counted.
    Thing,
    /// It names somebody who is injured.
    Body,
    /// It has words of a secret.
    Secret,
    /// It has a name that is nearly one of the cast.
    NearName,
    /// It has words of a hard rule.
    Rule,
    /// It tells an age or a family tie of somebody the record knows.
    Told,
    /// It has somebody at another place than the record.
    Place,
}

impl Doubt {
    /// Its name in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Thing => "thing",
            Self::Body => "body",
            Self::Secret => "secret",
            Self::NearName => "near_name",
            Self::Rule => "rule",
            Self::Told => "told",
            Self::Place => "place",
        }
    }
}

/// A sentence that may contradict the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its number in the chapter, from one.
    pub number: usize,
    /// Why it is asked about.
    pub doubt: Doubt,
    /// Id or name of whom or what it is about.
    pub subject: String,
    /// The sentence.
    pub place: Side,
    /// The record.
    pub fact: Side,
    /// Whether the frame of the sentence excuses it: no answer makes a finding of it.
    pub excused: bool,
    weight: u32,
}

/// The candidates of a chapter.
///
/// # Errors
/// When a file the check needs is missing or damaged.
pub fn candidates(input: CheckInput<'_>) -> Result<Vec<Candidate>, ContextError> {
    let mut checker = Checker::new(input.reader, input.config)?;
    checker.with_scope(input.chapter, input.volume, collect)
}

/// The candidates of many chapters, one after the other.
///
/// # Errors
/// When a file the check needs is missing or damaged.
pub fn candidates_in<'a>(
    reader: &'a dyn novel_model::BookReader,
    config: &'a novel_book::config::Config,
    chapters: impl Iterator<Item = (ChapterNo, VolumeNo)> + 'a,
) -> Result<
    impl Iterator<Item = (ChapterNo, Result<Vec<Candidate>, ContextError>)> + 'a,
    ContextError,
> {
    let mut checker = Checker::new(reader, config)?;
    Ok(chapters
        .map(move |(chapter, volume)| (chapter, checker.with_scope(chapter, volume, collect))))
}

fn collect(scope: &Scope<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        people(scope, at, scene, &mut found);
        things(scope, at, scene, &mut found);
        secrets(scope, scene, &mut found);
        near_names(scope, scene, &mut found);
        rules(scope, scene, &mut found);
    }
    // One question per sentence and subject, the weightiest.
    found.sort_by(|a, b| {
        b.weight
            .cmp(&a.weight)
            .then_with(|| a.place.spot.cmp(&b.place.spot))
    });
    let mut seen = BTreeSet::new();
    found
        .retain(|candidate| seen.insert((candidate.place.spot.clone(), candidate.subject.clone())));
    found.truncate(MOST);
    found.sort_by(|a, b| a.place.spot.cmp(&b.place.spot));
    for (at, candidate) in found.iter_mut().enumerate() {
        candidate.number = at + 1;
    }
    found
}

fn candidate(doubt: Doubt, subject: &str, place: Side, fact: Side, weight: u32) -> Candidate {
    Candidate {
        number: 0,
        doubt,
        subject: subject.to_owned(),
        place,
        fact,
        excused: false,
        weight,
    }
}

/// People who are gone, hurt, elsewhere, of an age, of a family.
fn people(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let kin = kin_words(scope);
    for mention in scope.mentions(at) {
        let Some(sentence) = scene.sentence_at(mention.start) else {
            continue;
        };
        let reading = scope.read(at, *mention);
        let place = || scope.text.side(scene, sentence, mention.start..mention.end);
        if let Some((_, fact)) = gone(scope, mention.id) {
            let weight = match reading {
                Reading::Acts(_) => 100,
                Reading::Doubtful => 80,
                Reading::Excused(Excuse::Mention) => 40,
                Reading::Excused(Excuse::State) => 35,
                Reading::Excused(Excuse::Past | Excuse::Hypothesis | Excuse::Report) => 30,
                Reading::Excused(Excuse::Quotation) => 20,
            };
            let told_otherwise = matches!(
                reading,
                Reading::Excused(
                    Excuse::Quotation | Excuse::Past | Excuse::Hypothesis | Excuse::Report
                )
            );
            found.push(Candidate {
                excused: told_otherwise,
                ..candidate(Doubt::Gone, mention.id, place(), fact, weight)
            });
            continue;
        }
        let weight = match reading {
            Reading::Acts(_) => 20,
            Reading::Doubtful => 10,
            Reading::Excused(_) => 0,
        };
        let Some(record) = scope.past.character(mention.id) else {
            continue;
        };
        let text = scene.text(sentence);
        if let Some((field, value, hurt)) = troubles(record) {
            let fact = scope.past.source(
                &format!("characters.{}.{field}", mention.id),
                super::rules::member(field, value),
            );
            let uses = hurt
                .iter()
                .any(|trouble| super::rules::used(*trouble, text, scope.lang).is_some());
            let parts = holds(
                &text.to_lowercase(),
                &[
                    "手", "臂", "腿", "脚", "眼", "目", "看", "望", "听", "耳", "说", "道", "跑",
                    "走", "站", "hand", "arm", "leg", "foot", "feet", "eye", "saw", "look", "hear",
                    "said", "ran", "walk",
                ],
            );
            let bonus = if uses {
                55
            } else if parts {
                35
            } else {
                0
            };
            if weight + bonus > 0 {
                found.push(candidate(
                    Doubt::Body,
                    mention.id,
                    place(),
                    fact,
                    weight + bonus,
                ));
            }
        }
        for (field, value) in record.as_object().into_iter().flatten() {
            let path = format!("characters.{}.{field}", mention.id);
            let fact = || scope.past.source(&path, super::rules::member(field, value));
            match crate::ledger::Slot::of_field(field) {
                Some(crate::ledger::Slot::Age | crate::ledger::Slot::Birth)
                    if holds(
                        text,
                        &[
                            "岁",
                            "年方",
                            "years old",
                            "year-old",
                            " aged ",
                            "turned ",
                            "十了",
                            " of age",
                            "豆蔻",
                            "弱冠",
                            "而立",
                            "花甲",
                        ],
                    ) =>
                {
                    found.push(candidate(
                        Doubt::Told,
                        mention.id,
                        place(),
                        fact(),
                        45 + weight,
                    ));
                }
                Some(crate::ledger::Slot::Kinship | crate::ledger::Slot::Relation)
                    if kin.iter().any(|word| text.contains(word)) =>
                {
                    found.push(candidate(
                        Doubt::Told,
                        mention.id,
                        place(),
                        fact(),
                        30 + weight,
                    ));
                }
                Some(crate::ledger::Slot::Place) => {
                    let here = value.as_str().unwrap_or_default();
                    let elsewhere = scope.places.iter().any(|known| {
                        let names = known.aliases.iter().chain([&known.name]);
                        names.filter(|name| name.chars().count() > 1).any(|name| {
                            text.contains(name.as_str())
                                && scope.places.same(name, here) == Some(false)
                        })
                    });
                    if elsewhere {
                        found.push(candidate(
                            Doubt::Place,
                            mention.id,
                            place(),
                            fact(),
                            40 + weight,
                        ));
                    }
                }
                _ => {}
            }
        }
    }
}

fn things(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    for (name, fact) in things_in_doubt(scope) {
        for (start, _) in scene.content.match_indices(name.as_str()) {
            let Some(sentence) = scene.sentence_at(start) else {
                continue;
            };
            let acts = subject(scope, at, sentence).is_some();
            let weight = if scene.is_quoted(start) {
                25
            } else if acts {
                70
            } else {
                50
            };
            let place = scope.text.side(scene, sentence, start..start + name.len());
            found.push(candidate(Doubt::Thing, &name, place, fact.clone(), weight));
        }
    }
}

fn secrets(scope: &Scope<'_>, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    const ENOUGH: f64 = 0.4;
    for secret in scope.secrets {
        let terms = term_set(&secret.fact);
        if terms.is_empty() {
            continue;
        }
        for sentence in scene.sentences.iter().copied() {
            let share = coverage(&terms, &term_set(scene.text(sentence)));
            if share < ENOUGH {
                continue;
            }
            let place = scope
                .text
                .side(scene, sentence, sentence.start..sentence.end);
            let quotation = super::rules::member("fact", &Value::from(secret.fact.as_str()));
            let fact = Side::pointer(
                novel_model::layout::truth(),
                secret.pointer.clone(),
                quotation,
            );
            found.push(candidate(Doubt::Secret, &secret.id, place, fact, 50));
        }
    }
}

/// A name that differs from one of the cast in one letter.
fn near_names(scope: &Scope<'_>, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let known: Vec<(&str, &str, Vec<char>)> = scope
        .people
        .everybody()
        .flat_map(|(id, person)| {
            person
                .names
                .iter()
                .map(move |name| (id, name.as_str(), name.chars().collect()))
        })
        .collect();
    let mut report = |start: usize, end: usize, id: &str| {
        if let (Some(sentence), Some(person)) = (scene.sentence_at(start), scope.people.get(id)) {
            let place = scope.text.side(scene, sentence, start..end);
            let quotation =
                super::rules::member("display_name", &Value::from(person.display.as_str()));
            let fact = Side::pointer(person.path.clone(), "/display_name".to_owned(), quotation);
            found.push(candidate(
                Doubt::NearName,
                &scene.content[start..end],
                place,
                fact,
                60,
            ));
        }
    };
    match scope.lang {
        Lang::Zh => {
            let chars: Vec<(usize, char)> = scene.content.char_indices().collect();
            for (id, name, letters) in &known {
                if letters.len() < 2 {
                    continue;
                }
                for window in chars.windows(letters.len() + 1) {
                    let (here, next) = (&window[..letters.len()], window[letters.len()].1);
                    let same = here
                        .iter()
                        .zip(letters)
                        .filter(|((_, a), b)| a == *b)
                        .count();
                    if same + 1 != letters.len() || here[0].1 != letters[0] {
                        continue;
                    }
                    let (start, end) = (here[0].0, window[letters.len()].0);
                    let text = &scene.content[start..end];
                    // A family name and another given name is somebody else; only who stands as a
                    // speaker or an actor is asked about.
                    let acts = "道说笑问答喊叫喝叹点摇抬站走坐看望伸拔转推".contains(next);
                    let registered = known.iter().any(|(_, other, _)| {
                        other.contains(text) || text.contains(other) && *other != *name
                    });
                    let word = text.chars().any(|char| {
                        "的了着是在不一这那他她它我你们也就都又还很和与中里上下外间边人们头手"
                            .contains(char)
                    });
                    // Three letters of which two are the same are seldom chance.
                    let long = letters.len() >= 3;
                    if (acts || long) && !registered && !word {
                        report(start, end, id);
                    }
                }
            }
        }
        Lang::En => {
            for (start, word) in latin_words(scene.content) {
                if word.chars().count() < 4 || !word.starts_with(char::is_uppercase) {
                    continue;
                }
                let registered = known
                    .iter()
                    .any(|(_, name, _)| name.split(' ').any(|part| part == word));
                if registered {
                    continue;
                }
                let near = known.iter().find(|(_, name, _)| {
                    name.split(' ')
                        .any(|part| part.chars().count() >= 4 && one_letter_apart(part, word))
                });
                if let Some((id, ..)) = near {
                    report(start, start + word.len(), id);
                }
            }
        }
    }
}

fn latin_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|char: char| !char.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// One letter changed, added or left out.
fn one_letter_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    let front = short
        .iter()
        .zip(long.iter())
        .take_while(|(x, y)| x == y)
        .count();
    let back = short
        .iter()
        .rev()
        .zip(long.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    match long.len() - short.len() {
        0 => a != b && front + back + 1 >= short.len(),
        // The plural of a family is the family.
        1 => front + back >= short.len() && !(long.last() == Some(&'s') && front == short.len()),
        _ => false,
    }
}

fn rules(scope: &Scope<'_>, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    for (world, words) in scope
        .world_rules
        .iter()
        .flat_map(|world| world.words().map(move |words| (world, words)))
    {
        let (at, rule) = (world.at, &world.rule);
        for sentence in scene.sentences.iter().copied() {
            let text = scene.text(sentence).to_lowercase();
            let hits = words.iter().filter(|word| text.contains(**word)).count();
            if hits == 0 || hits * 2 < words.len() {
                continue;
            }
            let place = scope
                .text
                .side(scene, sentence, sentence.start..sentence.end);
            let quotation = super::rules::member("rule", &Value::from(rule.rule.as_str()));
            let fact = Side::pointer(
                novel_model::layout::world_rules(),
                format!("/rules/{at}/rule"),
                quotation,
            );
            let weight = if hits == words.len() { 75 } else { 40 };
            found.push(candidate(Doubt::Rule, &rule.id, place, fact, weight));
        }
    }
}
