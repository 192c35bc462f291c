//! A chapter made ready for recall: its sentences, and where its terms stand.

use std::ops::Range;

use novel_model::files::GeneratedChapter;
use novel_text::{TermHash, for_each_name_hash, sentences};

/// A sentence of a chapter.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) text: Range<usize>,
    pub(super) paragraph: usize,
}

/// A chapter as its sentences.
#[derive(Debug, Default)]
pub(super) struct Sentences {
    pub(super) text: String,
    pub(super) sentences: Vec<Sentence>,
}

impl Sentences {
    pub(super) fn of(chapter: &GeneratedChapter) -> Self {
        let mut found = Self::default();
        for scene in &chapter.scenes {
            found.text.push_str(scene.content.trim_end());
            found.text.push('\n');
        }
        let mut at = 0;
        for (paragraph, line) in found.text.split_inclusive('\n').enumerate() {
            for sentence in sentences(line) {
                // A slice of the line.
                let begin = sentence.as_ptr().addr() - line.as_ptr().addr();
                found.sentences.push(Sentence {
                    text: at + begin..at + begin + sentence.len(),
                    paragraph,
                });
            }
            at += line.len();
        }
        found
    }

    /// The text of a sentence.
    pub(super) fn sentence(&self, sentence: usize) -> &str {
        let range = self.sentences.get(sentence).map(|it| it.text.clone());
        range.map_or("", |range| &self.text[range])
    }

    /// Whether two sentences are of one paragraph.
    pub(super) fn is_same_paragraph(&self, one: usize, other: usize) -> bool {
        let paragraph = |at: usize| self.sentences.get(at).map(|it| it.paragraph);
        paragraph(one).is_some() && paragraph(one) == paragraph(other)
    }
}

/// Where the terms of a chapter stand.
#[derive(Debug, Default)]
pub(super) struct ChapterTerms {
    /// For each sentence whether the next one is of the same paragraph.
    pub(super) goes_on: Vec<bool>,
    /// Each term once for each of its sentences, sorted.
    pub(super) postings: Vec<Posting>,
}

/// A term in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) term: TermHash,
    pub(super) sentence: u32,
    /// Whether the term carries matter there.
    pub(super) has_matter: bool,
}

impl ChapterTerms {
    pub(super) fn of(chapter: &GeneratedChapter) -> Self {
        let text = Sentences::of(chapter);
        let mut terms = Self::default();
        for (at, sentence) in (0_u32..).zip(0..text.sentences.len()) {
            terms
                .goes_on
                .push(text.is_same_paragraph(sentence, sentence + 1));
            for_each_name_hash(text.sentence(sentence), |term, has_matter| {
                terms.postings.push(Posting {
                    term,
                    sentence: at,
                    has_matter,
                });
            });
        }
        terms.postings.sort_unstable();
        // Of two in one sentence the one with matter stays.
        terms.postings.dedup_by(|later, earlier| {
            let is_same = (later.term, later.sentence) == (earlier.term, earlier.sentence);
            earlier.has_matter |= is_same && later.has_matter;
            is_same
        });
        terms
    }
}
