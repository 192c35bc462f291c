//! Passages of earlier chapters a chapter needs: what was written about the people, places, things and
//! promises its plan names.
//!
//! Every sentence that names one of them is a candidate. It is worth more the more it says that no
//! other sentence about the same subject says, the more it shares with the plan beside the name, and
//! the longer its subject was away. Deterministic; within a budget; nothing twice.

mod digest;
mod subjects;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    hash::{BuildHasherDefault, Hasher},
};

use novel_model::{BookReader, ChapterNo};
use novel_text::{TermHash, coverage, estimate_tokens, term_set, terms};

use crate::context::ContextError;
pub use digest::Digests;
use digest::{Digest, Earlier, Sieve};
use subjects::{Subject, asked_terms, subjects};

/// Characters of a passage.
const LONGEST: usize = 160;
/// Sentences about one subject that are looked at closely; of more, the oldest are thinned out.
const MOST_MENTIONS: usize = 6_000;
/// Candidates of one subject that stand for a place.
const MOST_CANDIDATES: usize = 150;
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

/// A sentence that may become a passage.
struct Candidate {
    chapter: usize,
    sentence: usize,
    /// The subjects it mentions.
    about: Vec<usize>,
    score: f64,
    /// The subject it scores highest for.
    best: usize,
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
    let sieve = Sieve::new(asked_terms(&wanted.named, wanted.plan));
    let mut earlier: Vec<Earlier> = Vec::new();
    for number in 1..wanted.chapter.get() {
        if let Some(chapter) = ChapterNo::new(number)
            && let Some(digest) = digests.of(reader, chapter)?
        {
            earlier.push(Earlier::new(chapter, digest, &sieve));
        }
    }
    if earlier.is_empty() {
        return Ok(Vec::new());
    }
    let subjects = subjects(&wanted.named, wanted.plan, &earlier);
    let mut candidates = candidates(&subjects, wanted.plan, &earlier);
    let secrets: Vec<BTreeSet<TermHash>> = wanted.withheld.iter().map(|it| term_set(it)).collect();
    let mut known: BTreeMap<ChapterNo, bool> = BTreeMap::new();
    let mut chosen: Vec<Passage> = Vec::new();
    let mut said: Vec<BTreeSet<TermHash>> = Vec::new();
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut times = vec![0_i32; subjects.len()];
    let mut left = wanted.tokens;
    while let Some(next) = best(&candidates, &times) {
        let candidate = candidates.swap_remove(next);
        let Earlier {
            chapter, digest, ..
        } = &earlier[candidate.chapter];
        let may = match known.get(chapter) {
            Some(may) => *may,
            None => {
                let may = may_know(*chapter)?;
                known.insert(*chapter, may);
                may
            }
        };
        if !may || taken.contains(&(candidate.chapter, candidate.sentence)) {
            continue;
        }
        let (text, sentences) = passage(digest, candidate.sentence);
        let price = estimate_tokens(&text) + HEADING_TOKENS;
        if price > left {
            if left < 30 {
                break;
            }
            continue;
        }
        let terms = term_set(&text);
        let is_given = wanted.given.iter().any(|given| given.contains(&text));
        let is_said = said
            .iter()
            .any(|other| coverage(&terms, other) > SAME || coverage(other, &terms) > SAME);
        let tells = secrets.iter().any(|it| coverage(it, &terms) >= TELLS);
        if is_given || is_said || tells {
            continue;
        }
        left -= price;
        taken.extend(sentences.map(|sentence| (candidate.chapter, sentence)));
        times[candidate.best] += 1;
        said.push(terms);
        let about = candidate.about.iter();
        chosen.push(Passage {
            chapter: *chapter,
            about: about
                .filter_map(|subject| subjects[*subject].label.clone())
                .collect(),
            text,
        });
    }
    Ok(chosen)
}

/// The candidate that is worth most now, of equal ones the first.
fn best(candidates: &[Candidate], times: &[i32]) -> Option<usize> {
    let worth = |candidate: &Candidate| candidate.score * AGAIN.powi(times[candidate.best]);
    let mut best: Option<(usize, f64)> = None;
    for (at, candidate) in candidates.iter().enumerate() {
        let worth = worth(candidate);
        let is_better = best.is_none_or(|(other, most)| {
            let place = |candidate: &Candidate| (candidate.chapter, candidate.sentence);
            worth > most || (worth == most && place(candidate) < place(&candidates[other]))
        });
        if is_better {
            best = Some((at, worth));
        }
    }
    best.map(|(at, _)| at)
}

/// Term hashes are spread already.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u32(&mut self, term: u32) {
        self.0 = u64::from(term).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

type Counts = HashMap<TermHash, u32, BuildHasherDefault<Spread>>;

fn candidates(subjects: &[Subject], plan: &str, earlier: &[Earlier]) -> Vec<Candidate> {
    let names: BTreeSet<TermHash> = subjects
        .iter()
        .filter(|subject| subject.label.is_some())
        .flat_map(Subject::terms)
        .collect();
    let shared = shared_worth(plan, &names, earlier);
    let mut mentioned: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, subject) in subjects.iter().enumerate() {
        for place in thinned(&subject.mentions) {
            mentioned.entry(place).or_default().push(number);
        }
    }
    let mut found: BTreeMap<(usize, usize), Candidate> = BTreeMap::new();
    for (number, subject) in subjects.iter().enumerate() {
        let places: Vec<(usize, usize)> = thinned(&subject.mentions).collect();
        let mut counts = Counts::default();
        for (chapter, sentence) in &places {
            for term in around(&earlier[*chapter].digest, *sentence) {
                *counts.entry(term).or_default() += 1;
            }
        }
        let all = places.len() as f64;
        let mut scored: Vec<(f64, (usize, usize))> = places
            .iter()
            .map(|place| {
                let digest = &earlier[place.0].digest;
                let news = news(digest, place.1, &counts, all, &names);
                let worth: f64 = around(digest, place.1)
                    .collect::<BTreeSet<_>>()
                    .iter()
                    .filter_map(|term| shared.get(term))
                    .sum();
                let others: f64 = mentioned[place]
                    .iter()
                    .filter(|other| **other != number)
                    .map(|other| subjects[*other].weight)
                    .sum();
                let near = if place.0 + NEAR >= earlier.len() {
                    0.5
                } else {
                    1.0
                };
                let score =
                    subject.weight * (0.1 + news) + worth.min(2.0) + (0.25 * others).min(1.0);
                (near * score, *place)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        scored.truncate(MOST_CANDIDATES);
        for (score, place) in scored {
            let entry = found.entry(place).or_insert_with(|| Candidate {
                chapter: place.0,
                sentence: place.1,
                about: mentioned[&place].clone(),
                score,
                best: number,
            });
            if score > entry.score {
                (entry.score, entry.best) = (score, number);
            }
        }
    }
    found.into_values().collect()
}

/// Mentions in a number that can be looked at.
fn thinned(mentions: &[(usize, usize)]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let step = mentions.len().div_ceil(MOST_MENTIONS).max(1);
    mentions.iter().rev().step_by(step).copied()
}

/// The terms of a sentence and of the one after it, which often says what the first names.
fn around(digest: &Digest, sentence: usize) -> impl Iterator<Item = TermHash> + '_ {
    let next = digest.next_in_paragraph(sentence);
    let next = next.map_or(&[][..], |next| digest.matter(next));
    digest.matter(sentence).iter().chain(next).copied()
}

/// How much of a sentence is said of its subject nowhere else, from 0 to 1.
fn news(
    digest: &Digest,
    sentence: usize,
    counts: &Counts,
    mentions: f64,
    names: &BTreeSet<TermHash>,
) -> f64 {
    // A few terms prove little, however rare.
    const LEAST: f64 = 4.0;
    let most = (mentions + 1.0).ln();
    let mean = |terms: &mut dyn Iterator<Item = TermHash>| {
        let (mut sum, mut count) = (0.0, 0.0);
        for term in terms.filter(|term| !names.contains(term)) {
            let seen = counts.get(&term).copied().unwrap_or(1).max(1);
            sum += ((mentions + 1.0) / f64::from(seen)).ln();
            count += 1.0;
        }
        sum / (count + LEAST) / most
    };
    let alone = mean(&mut digest.matter(sentence).iter().copied());
    alone.max(mean(&mut around(digest, sentence)))
}

/// What a term of the plan that is no name is worth where a passage has it too.
fn shared_worth(
    plan: &str,
    names: &BTreeSet<TermHash>,
    earlier: &[Earlier],
) -> BTreeMap<TermHash, f64> {
    let all = earlier.len() as f64;
    let most = (1.0 + all).ln();
    let own: BTreeSet<TermHash> = terms(plan).into_iter().collect();
    own.into_iter()
        .filter(|term| !names.contains(term))
        .filter_map(|term| {
            let chapters = earlier.iter().filter(|it| it.has(term)).count();
            (chapters > 0).then(|| (term, 0.5 * (1.0 + all / chapters as f64).ln() / most))
        })
        .collect()
}

/// The paragraph of a sentence where it is short, else the sentences around it; and which they are.
fn passage(digest: &Digest, sentence: usize) -> (String, std::ops::RangeInclusive<usize>) {
    let paragraph = digest.sentences[sentence].paragraph;
    let length = |first: usize, last: usize| {
        let range = digest.sentences[first].text.start..digest.sentences[last].text.end;
        digest.text[range].chars().count()
    };
    let same = |at: usize| {
        let other = digest.sentences.get(at);
        other.is_some_and(|other| other.paragraph == paragraph)
    };
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
    let is_talk = digest.sentence(first).starts_with(['“', '「', '『', '"']);
    if is_talk
        && length(first, last) < SHORT
        && last + 1 < digest.sentences.len()
        && length(first, last + 1) <= LONGEST
    {
        last += 1;
    }
    let range = digest.sentences[first].text.start..digest.sentences[last].text.end;
    (digest.text[range].to_owned(), first..=last)
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod tests;
