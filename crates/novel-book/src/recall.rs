//! Passages of earlier chapters a chapter needs: what was written about the people, places, things and
//! promises its plan names.
//!
//! Every sentence that names one of them is a candidate. It is worth more the more it says that its
//! neighbouring chapters do not say, the more it shares with the plan beside the name, and the longer its
//! subject was away. Deterministic; within a budget; nothing twice.
//!
//! Candidates are found in an index by terms ([`index`]); the text is opened for the passages that are
//! chosen, and only what stands there is told.

mod block;
mod chapter;
mod index;
mod places;
mod subjects;

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

use novel_model::{BookReader, ChapterNo};
use novel_text::{TermHash, coverage, estimate_tokens, term_set, terms};

use crate::context::ContextError;
use chapter::Sentences;
pub use index::{Digests, outdated};
use places::Places;
use subjects::{Subject, asked_terms, subjects};

/// Characters of a passage.
const LONGEST: usize = 160;
/// Candidates of one subject that stand for a place.
const MOST_CANDIDATES: usize = 150;
/// Chapters that are opened at most.
const MOST_OPENED: usize = 32;
/// Chapters whose end and summary the agent has anyway.
const NEAR: usize = 3;
/// What each further passage about the same subject is worth, beside the one before.
const AGAIN: f64 = 0.88;
/// Two passages that share more than this say the same.
const SAME: f64 = 0.6;
/// A passage that has so much of a secret tells it.
const TELLS: f64 = 0.5;
/// What a heading of a passage costs.
const HEADING_TOKENS: u64 = 7;
/// With fewer tokens left, no passage is looked for.
const FEWEST_TOKENS: u64 = 40;
/// Passages that may be too long for the rest of the budget before it is left.
const MOST_MISFITS: usize = 3;

/// What is looked for.
pub struct Wanted<'a> {
    /// The chapter to be written.
    pub chapter: ChapterNo,
    /// What its contract and outline say.
    pub plan: &'a str,
    /// Who and what is named in the plan, each by all its names.
    pub named: Vec<Vec<String>>,
    /// What the agent is given word for word already.
    pub given: &'a [String],
    /// What no passage may tell: secrets that are kept from the agent.
    pub withheld: &'a [String],
    /// Most tokens of all passages together.
    pub tokens: u64,
}

/// A passage of an earlier chapter, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands.
    pub chapter: ChapterNo,
    /// What of the plan it speaks of, where that has a name.
    pub about: Vec<String>,
    /// The text.
    pub text: String,
}

/// The passages that are wanted most, best first, as many as the budget holds. `may_know` says of a
/// chapter whether what stands in it may be told.
///
/// # Errors
/// When an earlier chapter is damaged, or `may_know` fails.
pub fn recall(
    reader: &dyn BookReader,
    digests: &Digests,
    wanted: &Wanted<'_>,
    mut may_know: impl FnMut(ChapterNo) -> Result<bool, ContextError>,
) -> Result<Vec<Passage>, ContextError> {
    if wanted.tokens == 0 {
        return Ok(Vec::new());
    }
    let mut distrusted: BTreeSet<ChapterNo> = BTreeSet::new();
    loop {
        let asked = asked_terms(&wanted.named, wanted.plan);
        let places = digests.places(reader, wanted.chapter, &distrusted, asked)?;
        if places.chapters.is_empty() {
            return Ok(Vec::new());
        }
        let mut chooser = Chooser::new(reader, wanted, &places);
        match chooser.choose(&mut may_know)? {
            Chosen::Passages(passages) => return Ok(passages),
            // Said to be as it was, and is not: everything is weighed again without that word.
            Chosen::Changed(chapter) if distrusted.insert(chapter) => {}
            Chosen::Changed(_) => return Ok(Vec::new()),
        }
    }
}

/// What came of choosing.
enum Chosen {
    Passages(Vec<Passage>),
    /// A chapter is not the one the index is of.
    Changed(ChapterNo),
}

/// A sentence that may become a passage.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    sentence: u32,
    score: f64,
    /// The subject it scores highest for.
    best: usize,
    /// How many passages about that subject there were when it was weighed.
    times: i32,
}

impl Candidate {
    fn worth(&self) -> f64 {
        self.score * AGAIN.powi(self.times)
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By worth; of equal ones the earlier is more.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let worth = self.worth().total_cmp(&other.worth());
        worth.then_with(|| other.sentence.cmp(&self.sentence))
    }
}

/// Chooses passages among the candidates.
struct Chooser<'a> {
    reader: &'a dyn BookReader,
    wanted: &'a Wanted<'a>,
    places: &'a Places,
    subjects: Vec<Subject>,
    opened: BTreeMap<usize, Sentences>,
}

impl<'a> Chooser<'a> {
    fn new(reader: &'a dyn BookReader, wanted: &'a Wanted<'a>, places: &'a Places) -> Self {
        Self {
            reader,
            wanted,
            places,
            subjects: subjects(&wanted.named, wanted.plan, places),
            opened: BTreeMap::new(),
        }
    }

    fn choose(
        &mut self,
        may_know: &mut impl FnMut(ChapterNo) -> Result<bool, ContextError>,
    ) -> Result<Chosen, ContextError> {
        let wanted = self.wanted;
        let mut candidates = BinaryHeap::from(candidates(&self.subjects, wanted.plan, self.places));
        let withheld = wanted.withheld.iter();
        let secrets: Vec<BTreeSet<TermHash>> = withheld.map(|it| term_set(it)).collect();
        let mut known: BTreeMap<usize, bool> = BTreeMap::new();
        let mut chosen: Vec<Passage> = Vec::new();
        let mut said: Vec<BTreeSet<TermHash>> = Vec::new();
        let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut times = vec![0_i32; self.subjects.len()];
        let mut left = wanted.tokens;
        let mut misfits = 0;
        while left >= FEWEST_TOKENS
            && misfits < MOST_MISFITS
            && let Some(mut candidate) = candidates.pop()
        {
            if candidate.times != times[candidate.best] {
                // Worth less by now; perhaps others are worth more.
                candidate.times = times[candidate.best];
                candidates.push(candidate);
                continue;
            }
            let at = self.places.chapter_of(candidate.sentence);
            let earlier = &self.places.chapters[at];
            let may = match known.get(&at) {
                Some(may) => *may,
                None => {
                    let may = may_know(earlier.chapter)?;
                    known.insert(at, may);
                    may
                }
            };
            let sentence = (candidate.sentence - earlier.sentences.start) as usize;
            if !may || taken.contains(&(at, sentence)) {
                continue;
            }
            if !self.opened.contains_key(&at) {
                if self.opened.len() >= MOST_OPENED {
                    continue;
                }
                let text = index::text_of(self.reader, earlier.chapter, &earlier.hash)?;
                let Some(text) = text.filter(|it| it.sentences.len() == earlier.sentences.len())
                else {
                    return Ok(Chosen::Changed(earlier.chapter));
                };
                self.opened.insert(at, text);
            }
            let Some(text) = self.opened.get(&at) else {
                continue;
            };
            let about: Vec<usize> = (0..self.subjects.len())
                .filter(|it| {
                    let subject = &self.subjects[*it];
                    subject.mentions.binary_search(&candidate.sentence).is_ok()
                        && subject.is_in(text.sentence(sentence))
                })
                .collect();
            if !about.contains(&candidate.best) {
                continue;
            }
            let (passage, sentences) = passage(text, sentence);
            let price = estimate_tokens(&passage) + HEADING_TOKENS;
            if price > left {
                misfits += 1;
                continue;
            }
            let terms = term_set(&passage);
            let is_given = wanted.given.iter().any(|given| given.contains(&passage));
            let is_said = said
                .iter()
                .any(|other| coverage(&terms, other) > SAME || coverage(other, &terms) > SAME);
            let tells = secrets.iter().any(|it| coverage(it, &terms) >= TELLS);
            if is_given || is_said || tells {
                continue;
            }
            left -= price;
            taken.extend(sentences.map(|sentence| (at, sentence)));
            times[candidate.best] += 1;
            said.push(terms);
            chosen.push(Passage {
                chapter: earlier.chapter,
                about: about
                    .into_iter()
                    .filter_map(|subject| self.subjects[subject].label.clone())
                    .collect(),
                text: passage,
            });
        }
        Ok(Chosen::Passages(chosen))
    }
}

/// The sentences that mention a subject, of each subject those that are worth most.
fn candidates(subjects: &[Subject], plan: &str, places: &Places) -> Vec<Candidate> {
    let shared = shared_worth(subjects, plan, places);
    // What all subjects that a sentence mentions weigh together.
    let mut weights = vec![0.0_f64; places.sentence_count()];
    for subject in subjects {
        for sentence in &subject.mentions {
            weights[*sentence as usize] += subject.weight;
        }
    }
    let mut found: Vec<Candidate> = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        let mut scored: Vec<(f64, u32)> = subject
            .mentions
            .iter()
            .map(|sentence| {
                let at = *sentence as usize;
                let others = weights[at] - subject.weight;
                let near = if places.chapter_of(*sentence) + NEAR >= places.chapters.len() {
                    0.5
                } else {
                    1.0
                };
                let news = f64::from(places.news(*sentence));
                let score = subject.weight * (0.1 + news)
                    + f64::from(shared[at]).min(2.0)
                    + (0.25 * others).min(1.0);
                (near * score, *sentence)
            })
            .collect();
        let better =
            |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1));
        if scored.len() > MOST_CANDIDATES {
            scored.select_nth_unstable_by(MOST_CANDIDATES, better);
            scored.truncate(MOST_CANDIDATES);
        }
        found.extend(scored.into_iter().map(|(score, sentence)| Candidate {
            sentence,
            score,
            best: number,
            times: 0,
        }));
    }
    // Each sentence once, for the subject it scores highest for; of equal ones the first.
    found.sort_unstable_by(|a, b| {
        let score = || b.score.total_cmp(&a.score);
        let place = a.sentence.cmp(&b.sentence);
        place.then_with(score).then_with(|| a.best.cmp(&b.best))
    });
    found.dedup_by_key(|it| it.sentence);
    found
}

/// For each sentence what the terms of the plan that are no names are worth in it and in the one after it,
/// which often says what the first names.
fn shared_worth(subjects: &[Subject], plan: &str, places: &Places) -> Vec<f32> {
    let names: BTreeSet<TermHash> = subjects
        .iter()
        .filter(|subject| subject.label.is_some())
        .flat_map(Subject::terms)
        .collect();
    let all = places.chapters.len() as f64;
    let most = (1.0 + all).ln();
    let mut shared = vec![0.0_f32; places.sentence_count()];
    let own: BTreeSet<TermHash> = terms(plan).into_iter().collect();
    for term in own.difference(&names) {
        let chapters = places.chapters_of_term(*term);
        if chapters == 0 {
            continue;
        }
        let worth = (0.5 * (1.0 + all / chapters as f64).ln() / most) as f32;
        let mut before = None;
        for sentence in places.of_term(*term) {
            shared[*sentence as usize] += worth;
            let previous = sentence.checked_sub(1);
            if let Some(previous) = previous.filter(|it| before != Some(*it))
                && places.goes_on(previous)
            {
                shared[previous as usize] += worth;
            }
            before = Some(*sentence);
        }
    }
    shared
}

/// The paragraph of a sentence where it is short, else the sentences around it; and which they are.
fn passage(text: &Sentences, sentence: usize) -> (String, std::ops::RangeInclusive<usize>) {
    let range =
        |first: usize, last: usize| text.sentences[first].text.start..text.sentences[last].text.end;
    let length = |first: usize, last: usize| text.text[range(first, last)].chars().count();
    let same = |at: usize| text.is_same_paragraph(at, sentence);
    let (mut first, mut last) = (sentence, sentence);
    loop {
        if same(last + 1) && length(first, last + 1) <= LONGEST {
            last += 1;
        } else if first > 0 && same(first - 1) && length(first - 1, last) <= LONGEST {
            first -= 1;
        } else {
            break;
        }
    }
    // A line of talk says little without the one that answers it.
    const SHORT: usize = 24;
    let is_talk = text.sentence(first).starts_with(['“', '「', '『', '"']);
    if is_talk
        && length(first, last) < SHORT
        && last + 1 < text.sentences.len()
        && length(first, last + 1) <= LONGEST
    {
        last += 1;
    }
    (text.text[range(first, last)].to_owned(), first..=last)
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod tests;
