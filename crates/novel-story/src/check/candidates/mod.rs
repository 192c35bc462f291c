//! Sentences that may contradict the record, for the closed question.
//!
//! Selected from the ledger, not by the reading: every sentence that speaks of somebody or something
//! the record has a fact about, by name, alias, title, kin or pronoun, or with words of a secret, a rule
//! or a day, is eligible. The reading and the words of the slot only rank them. Left out is what a
//! flashback goes on with and what the checker proves. A candidate is no finding. At most [`MOST`] a chapter.

mod facts;
#[rustfmt::skip]
mod handles;
#[rustfmt::skip]
mod lists;
mod named;
mod near_names;
mod terms;
mod weigh;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{ChapterNo, Lang, VolumeNo};

use super::{
    CheckInput, Checker,
    finding::{FindingCode, Side, Spot},
    rules::{self, Scope},
};
use facts::{Fact, Facts};
use named::Handles;
use novel_book::context::ContextError;
use weigh::{Line, Question};

/// The most candidates of a chapter.
pub const MOST: usize = 10;

/// The most candidates about one fact while others wait.
const MOST_OF_ONE: usize = 3;

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

/// A question with the sentence it is about.
struct Asked {
    fact: usize,
    scene: usize,
    line: usize,
    question: Question,
}

fn collect(scope: &Scope<'_>) -> Vec<Candidate> {
    let mut facts = Facts::of(scope);
    let asked = ask(scope, &mut facts);
    let proved = proved(scope, &asked);
    let chosen = choose(scope, &facts, asked, &proved);
    let mut found: Vec<Candidate> = chosen
        .into_iter()
        .filter_map(|asked| {
            let fact = facts.all.get(asked.fact)?;
            let scene = scope.text.scenes.get(asked.scene)?;
            let sentence = *scene.sentences.get(asked.line)?;
            Some(Candidate {
                number: 0,
                doubt: fact.doubt,
                subject: fact.subject.clone(),
                place: scope.text.side(scene, sentence, asked.question.focus),
                fact: fact.side(scope),
                excused: asked.question.is_excused,
            })
        })
        .collect();
    found.sort_by(|a, b| {
        (&a.place.spot, a.doubt, &a.subject).cmp(&(&b.place.spot, b.doubt, &b.subject))
    });
    for (at, candidate) in found.iter_mut().enumerate() {
        candidate.number = at + 1;
    }
    found
}

/// Every question a chapter gives cause to.
fn ask(scope: &Scope<'_>, facts: &mut Facts) -> Vec<Asked> {
    let mut asked = Vec::new();
    let mut near: BTreeMap<&str, usize> = BTreeMap::new();
    let handles = Handles::of(scope, &facts.watched(), &facts.kin);
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        let people = named::people(scope, at, scene, &handles);
        let classes = words::classes(scene, scope.lang);
        let touched = facts.terms.touched(scene);
        let lines = scene.sentences.iter().zip(classes).zip(&people);
        for (number, ((sentence, classes), people)) in lines.enumerate() {
            let covers = |place: usize| {
                let flashbacks = scope.flashbacks.get(at);
                flashbacks.is_none_or(|flashbacks| flashbacks.covers(place))
            };
            let is_covered = covers(sentence.start);
            // What goes on with the flashback of the paragraph before is surely one.
            let before = sentence.paragraph.checked_sub(1);
            let before = before.and_then(|before| scene.paragraphs.get(before));
            if is_covered && before.is_some_and(|before| covers(before.start)) {
                continue;
            }
            let text = scene.text(*sentence);
            let line = Line {
                sentence: *sentence,
                text: match scope.lang {
                    Lang::Zh => text.to_owned(),
                    Lang::En => text.to_lowercase(),
                },
                classes,
                people,
                is_quoted: scene.is_quoted(sentence.start),
                number,
                touched: &touched,
                is_covered,
            };
            let mut add = |fact: usize, question: Question| {
                asked.push(Asked {
                    fact,
                    scene: at,
                    line: number,
                    question,
                });
            };
            for seen in people {
                for fact in facts.of_person(seen.id) {
                    if let Some(question) =
                        weigh::of_person(scope, facts, &facts.all[fact], &line, seen)
                    {
                        add(fact, question);
                    }
                }
            }
            for fact in facts.free.iter().copied() {
                if let Some(question) = weigh::of_free(scope, facts, scene, &facts.all[fact], &line)
                {
                    add(fact, question);
                }
            }
        }
        near_names::collect(scope, scene, |sentence, focus, side| {
            const LIKELY: u32 = 60;
            let name = &scene.content[focus.clone()];
            let line = scene
                .sentences
                .partition_point(|other| other.start < sentence.start);
            let known = near.get(name).copied();
            let fact = known.unwrap_or(facts.all.len());
            asked.push(Asked {
                fact,
                scene: at,
                line,
                question: Question {
                    weight: LIKELY,
                    only_names: false,
                    is_excused: false,
                    focus,
                },
            });
            if known.is_none() {
                near.insert(name, fact);
                facts.all.push(Fact::near_name(name, side));
            }
        });
    }
    asked
}

/// The sentences the checker has proved something in, each with what it is about.
fn proved(scope: &Scope<'_>, asked: &[Asked]) -> BTreeSet<(Spot, Doubt)> {
    if asked.is_empty() {
        return BTreeSet::new();
    }
    let mut findings = Vec::new();
    rules::plain(scope, &mut findings);
    findings
        .into_iter()
        .filter_map(|finding| Some((finding.place.spot, doubt_of(finding.code)?)))
        .collect()
}

/// The question a finding has answered.
const fn doubt_of(code: FindingCode) -> Option<Doubt> {
    Some(match code {
        FindingCode::DeadCharacterActs
        | FindingCode::RetiredCharacterActs
        | FindingCode::AbsentCharacterActs
        | FindingCode::LifeContradicted => Doubt::Gone,
        FindingCode::ItemUsedAfterGivenAway
        | FindingCode::ItemUsedAfterDestroyed
        | FindingCode::ItemHeldByAnother
        | FindingCode::ItemCountMismatch => Doubt::Thing,
        FindingCode::BodyContradicted => Doubt::Body,
        FindingCode::PlaceContradicted | FindingCode::TravelTooFast => Doubt::Place,
        FindingCode::AgeContradicted
        | FindingCode::KinshipContradicted
        | FindingCode::RankContradicted => Doubt::Told,
        FindingCode::RelationContradicted => Doubt::Tie,
        FindingCode::KnownBeforeRevealed => Doubt::Secret,
        FindingCode::WorldRuleBroken => Doubt::Rule,
        FindingCode::DayContradicted | FindingCode::TimeRunsBackwards => Doubt::Day,
        _ => return None,
    })
}

/// The likeliest questions: the heaviest first, no fact more than [`MOST_OF_ONE`] times while another
/// waits, and sentences that only name somebody never more often.
fn choose(
    scope: &Scope<'_>,
    facts: &Facts,
    mut asked: Vec<Asked>,
    proved: &BTreeSet<(Spot, Doubt)>,
) -> Vec<Asked> {
    asked.sort_by(|a, b| {
        b.question
            .weight
            .cmp(&a.question.weight)
            .then_with(|| (a.scene, a.line, a.fact).cmp(&(b.scene, b.line, b.fact)))
    });
    let mut of_fact: BTreeMap<usize, usize> = BTreeMap::new();
    let mut of_line: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let (mut chosen, mut waiting) = (Vec::new(), Vec::new());
    for asked in asked {
        if chosen.len() == MOST {
            break;
        }
        let fact = &facts.all[asked.fact];
        let known = of_line.entry((asked.scene, asked.line)).or_default();
        // One question a sentence about one subject and slot, and few about one sentence.
        let asked_already = known.iter().any(|other| {
            let other = &facts.all[*other];
            other.subject == fact.subject && other.doubt == fact.doubt
        });
        let is_weak = asked.question.only_names && !known.is_empty();
        if asked_already
            || is_weak
            || known.len() >= MOST_OF_ONE
            || is_proved(scope, &asked, fact, proved)
        {
            continue;
        }
        let count = of_fact.entry(asked.fact).or_default();
        if *count < MOST_OF_ONE {
            *count += 1;
            known.push(asked.fact);
            chosen.push(asked);
        } else if !asked.question.only_names {
            waiting.push(asked);
        }
    }
    let room = MOST - chosen.len();
    chosen.extend(waiting.into_iter().take(room));
    chosen
}

fn is_proved(
    scope: &Scope<'_>,
    asked: &Asked,
    fact: &Fact,
    proved: &BTreeSet<(Spot, Doubt)>,
) -> bool {
    let Some(scene) = scope.text.scenes.get(asked.scene) else {
        return true;
    };
    let Some(sentence) = scene.sentences.get(asked.line) else {
        return true;
    };
    !proved.is_empty() && proved.contains(&(scope.text.spot(scene, *sentence), fact.doubt))
}
