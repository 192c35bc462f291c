//! What a chapter's plan speaks of: the names the book knows, and phrases of the plan that occur in
//! earlier chapters.

use novel_text::{TermHash, for_each_name_hash, for_each_run_hash, name_terms, terms};

use super::places::Places;

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
    /// Sentences with all terms of a form, in order. Whether a name stands there word for word only the
    /// text says.
    pub(super) mentions: Vec<u32>,
    /// In how many chapters.
    chapters: usize,
}

impl Subject {
    fn find(&mut self, places: &Places) {
        for (terms, _) in &self.forms {
            self.mentions.extend(places.with_all(terms));
        }
        self.mentions.sort_unstable();
        self.mentions.dedup();
        self.chapters = places.count_chapters(&self.mentions);
    }

    /// The terms it is recognised by.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermHash> + '_ {
        let forms = self.forms.iter();
        forms.flat_map(|(terms, name)| {
            let mut all = terms.clone();
            if let Some(name) = name {
                for_each_name_hash(name, |term, _| all.push(term));
            }
            all
        })
    }

    /// Whether a sentence with its terms speaks of it: a name must stand there word for word.
    pub(super) fn is_in(&self, sentence: &str) -> bool {
        let names = self.forms.iter().map(|(_, name)| name.as_deref());
        names
            .into_iter()
            .any(|name| name.is_none_or(|name| is_named(sentence, name)))
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
    asked
}

/// What is named and what is spoken of, with every mention of it.
pub(super) fn subjects(named: &[Vec<String>], plan: &str, places: &Places) -> Vec<Subject> {
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
        };
        taken.extend(subject.terms());
        subject.find(places);
        subjects.push(subject);
    }
    subjects.extend(phrases(plan, &taken, places));
    subjects.retain(|subject| subject.chapters > 0);
    let chapters = places.chapters.len();
    for subject in &mut subjects {
        // A rare thing says more than somebody who is in every chapter.
        subject.weight *= (1.0 + chapters as f64 / subject.chapters as f64).ln();
        let last = subject
            .mentions
            .last()
            .map_or(0, |it| places.chapter_of(*it));
        subject.weight *= match chapters - 1 - last {
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
fn phrases(plan: &str, taken: &[TermHash], places: &Places) -> Vec<Subject> {
    let mut run: Vec<(TermHash, bool)> = Vec::new();
    for line in plan.lines() {
        for_each_run_hash(line, |term, has_matter| run.push((term, has_matter)));
        run.push((0, false));
    }
    let count = |terms: &[TermHash]| match terms {
        [term] => places.chapters_of_term(*term),
        terms => places.count_chapters(&places.with_all(terms)),
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
    let all = places.chapters.len() as f64;
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
            };
            subject.find(places);
            subject
        })
        .collect()
}
