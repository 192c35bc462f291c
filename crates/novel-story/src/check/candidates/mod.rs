//! Sentences that may contradict the record, for the closed question.
//!
//! From the ledger: a sentence that names somebody who is gone, a thing that changed hands or is no
//! more, an injured person, somebody's age, family, rank or looks, two people and how they stand, a day,
//! words of a secret, a name that is nearly one of the cast, words of a rule.
//! A candidate is no finding. At most [`MOST`] a chapter, the likeliest first.

mod day;
mod near_names;
mod people;
mod told;

use std::collections::BTreeSet;

use novel_model::{ChapterNo, VolumeNo};
use novel_text::{coverage, term_set};
use serde_json::Value;

use super::{
    CheckInput, Checker,
    finding::Side,
    prose::Scene,
    rules::{Scope, subject, things_in_doubt},
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
    /// It tells an age, a family tie, a rank or a colour of somebody the record knows.
    Told,
    /// It tells how two people stand to each other.
    Tie,
    /// It tells a day.
    Day,
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
            Self::Tie => "tie",
            Self::Day => "day",
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
        people::collect(scope, at, scene, &mut found);
        things(scope, at, scene, &mut found);
        secrets(scope, scene, &mut found);
        near_names::collect(scope, scene, &mut found);
        day::collect(scope, at, scene, &mut found);
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
