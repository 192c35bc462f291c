//! What a chapter's plan speaks of: the names the book knows, and phrases of the plan that occur in
//! earlier chapters.

use novel_text::{TermHash, for_each_run_hash, name_terms, terms};

use super::digest::Earlier;

/// Phrases of the plan beside the names the book knows.
const MOST_PHRASES: usize = 10;
/// Names the book knows; more than any plan has.
const MOST_NAMED: usize = 40;
/// Two neighbouring terms are one phrase when the rarer of them occurs at least this often beside the
/// other.
const COHESION: f64 = 0.6;

/// Something the plan speaks of.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// As passages are marked with it.
    pub(super) label: Option<String>,
    /// Any of these is it: the terms of a name, and the name itself where it must stand word for word.
    forms: Vec<(Vec<TermHash>, Option<String>)>,
    /// How much it counts beside others.
    pub(super) weight: f64,
    /// Where it is mentioned: chapter and sentence.
    pub(super) mentions: Vec<(usize, usize)>,
    /// In how many chapters.
    pub(super) chapters: usize,
    /// In which one last, as a place in the list of chapters.
    pub(super) last: usize,
}

impl Subject {
    fn find(&mut self, earlier: &[Earlier]) {
        for (at, chapter) in earlier.iter().enumerate() {
            let mut here: Vec<usize> = Vec::new();
            for (terms, name) in &self.forms {
                let found = chapter.with_all(terms).into_iter();
                here.extend(found.filter(|sentence| {
                    name.as_deref()
                        .is_none_or(|name| is_named(chapter.digest.sentence(*sentence), name))
                }));
            }
            here.sort_unstable();
            here.dedup();
            if !here.is_empty() {
                self.chapters += 1;
                self.last = at;
            }
            self.mentions
                .extend(here.into_iter().map(|sentence| (at, sentence)));
        }
    }

    /// The terms it is recognised by.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermHash> + '_ {
        self.forms
            .iter()
            .flat_map(|(terms, _)| terms.iter().copied())
    }
}

/// Whether `name` stands in `text`; a Latin name not inside a longer word.
fn is_named(text: &str, name: &str) -> bool {
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
    })
}

/// The terms by which names and plan are looked for.
pub(super) fn asked_terms(named: &[Vec<String>], plan: &str) -> Vec<TermHash> {
    let names = named.iter().take(MOST_NAMED).flatten();
    let mut asked: Vec<TermHash> = names.flat_map(|name| name_terms(name.trim())).collect();
    asked.extend(terms(plan));
    for line in plan.lines() {
        for_each_run_hash(line, |term, _| asked.push(term));
    }
    asked
}

/// What is named and what is spoken of, with every mention of it.
pub(super) fn subjects(named: &[Vec<String>], plan: &str, earlier: &[Earlier]) -> Vec<Subject> {
    let mut subjects = Vec::new();
    let mut taken: Vec<TermHash> = Vec::new();
    for names in named.iter().take(MOST_NAMED) {
        let forms: Vec<(Vec<TermHash>, Option<String>)> = names
            .iter()
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
            .map(|name| (name_terms(name), Some(name.to_owned())))
            .filter(|(terms, _)| !terms.is_empty())
            .collect();
        let mut subject = Subject {
            label: names.first().map(|name| name.trim().to_owned()),
            forms,
            weight: 1.0,
            mentions: Vec::new(),
            chapters: 0,
            last: 0,
        };
        taken.extend(subject.terms());
        subject.find(earlier);
        subjects.push(subject);
    }
    subjects.extend(phrases(plan, &taken, earlier));
    subjects.retain(|subject| subject.chapters > 0);
    let chapters = earlier.len() as f64;
    for subject in &mut subjects {
        // A rare thing says more than somebody who is in every chapter.
        subject.weight *= (1.0 + chapters / subject.chapters as f64).ln();
        let away = earlier.len() - 1 - subject.last;
        subject.weight *= match away {
            0..=2 => 1.0,
            3..=9 => 1.3,
            10..=49 => 1.6,
            _ => 2.0,
        };
    }
    subjects
}

/// Runs of the plan whose terms occur together in earlier chapters, so that a thing nobody has
/// registered is found too.
fn phrases(plan: &str, taken: &[TermHash], earlier: &[Earlier]) -> Vec<Subject> {
    let mut run: Vec<(TermHash, bool)> = Vec::new();
    for line in plan.lines() {
        for_each_run_hash(line, |term, has_matter| run.push((term, has_matter)));
        run.push((0, false));
    }
    let count = |terms: &[TermHash]| {
        let has = |chapter: &&Earlier| {
            terms.iter().all(|term| chapter.has(*term))
                && (terms.len() == 1 || !chapter.with_all(terms).is_empty())
        };
        earlier.iter().filter(has).count()
    };
    let mut found: Vec<(Vec<TermHash>, usize)> = Vec::new();
    let mut at = 0;
    while at < run.len() {
        let (term, has_matter) = run[at];
        at += 1;
        if !has_matter || taken.contains(&term) {
            continue;
        }
        let mut terms = vec![term];
        let mut chapters = count(&terms);
        while chapters > 0
            && let Some((next, true)) = run.get(at).copied()
            && !taken.contains(&next)
        {
            let longer: Vec<TermHash> = terms.iter().copied().chain([next]).collect();
            let together = count(&longer);
            let rarer = chapters.min(count(&[next]));
            if together == 0 || (together as f64) < COHESION * rarer as f64 {
                break;
            }
            (terms, chapters) = (longer, together);
            at += 1;
        }
        if chapters > 0 && !found.iter().any(|(other, _)| *other == terms) {
            found.push((terms, chapters));
        }
    }
    let all = earlier.len() as f64;
    let worth = |(terms, chapters): &(Vec<TermHash>, usize)| {
        let length = if terms.len() > 1 { 1.0 } else { 0.5 };
        length * (1.0 + all / *chapters as f64).ln()
    };
    found.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.0.cmp(&b.0)));
    found.truncate(MOST_PHRASES);
    found
        .into_iter()
        .map(|(terms, _)| {
            let mut subject = Subject {
                label: None,
                weight: if terms.len() > 1 { 0.7 } else { 0.35 },
                forms: vec![(terms, None)],
                mentions: Vec::new(),
                chapters: 0,
                last: 0,
            };
            subject.find(earlier);
            subject
        })
        .collect()
}
