//! Where the terms that are asked for stand in the chapters before the one at hand.
//!
//! Sentences are numbered through, over all chapters; a chapter is known by its place among those that
//! are there.

use std::ops::Range;

use novel_model::ChapterNo;
use novel_text::TermHash;

use super::block::{Block, ChapterHash, Worth, count_below};

/// A chapter that is there.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    pub(super) chapter: ChapterNo,
    pub(super) hash: ChapterHash,
    pub(super) sentences: Range<u32>,
}

/// What the blocks say of the terms that are asked for.
pub(super) struct Places {
    pub(super) chapters: Vec<Earlier>,
    /// The chapter of each sentence.
    chapter_of: Vec<u32>,
    worths: Vec<Worth>,
    asked: Vec<TermHash>,
    found: Vec<Found>,
}

/// Where a term stands.
#[derive(Debug, Clone, Default)]
struct Found {
    sentences: Vec<u32>,
    /// How many chapters these are of.
    chapters: usize,
}

impl Places {
    pub(super) fn new(mut asked: Vec<TermHash>) -> Self {
        asked.sort_unstable();
        asked.dedup();
        Self {
            chapters: Vec::new(),
            chapter_of: Vec::new(),
            worths: Vec::new(),
            found: vec![Found::default(); asked.len()],
            asked,
        }
    }

    /// Adds the block of the chapters that follow.
    pub(super) fn add(&mut self, block: &Block) {
        let base = self.chapter_of.len() as u32;
        for row in &block.rows {
            let chapter = self.chapters.len() as u32;
            self.chapters.push(Earlier {
                chapter: row.chapter,
                hash: row.hash,
                sentences: base + row.sentences.start..base + row.sentences.end,
            });
            let sentences = self.chapter_of.len() + row.sentences.len();
            self.chapter_of.resize(sentences, chapter);
        }
        self.worths.extend(block.worths());
        let found = &mut self.found;
        let known: Vec<usize> = found.iter().map(|it| it.sentences.len()).collect();
        block.places(&self.asked, |term, sentence| {
            found[term].sentences.push(base + sentence);
        });
        for (found, known) in self.found.iter_mut().zip(known) {
            found.chapters += count_chapters(&self.chapter_of, &found.sentences[known..]);
        }
    }

    pub(super) fn sentence_count(&self) -> usize {
        self.chapter_of.len()
    }

    fn found(&self, term: TermHash) -> Option<&Found> {
        let at = self.asked.binary_search(&term);
        at.ok().map(|at| &self.found[at])
    }

    /// The sentences a term stands in, in order; of a term that was not asked for, none.
    pub(super) fn of_term(&self, term: TermHash) -> &[u32] {
        self.found(term).map_or(&[], |found| &found.sentences)
    }

    /// In how many chapters a term stands.
    pub(super) fn chapters_of_term(&self, term: TermHash) -> usize {
        self.found(term).map_or(0, |found| found.chapters)
    }

    /// The sentences all `terms` stand in.
    pub(super) fn with_all(&self, terms: &[TermHash]) -> Vec<u32> {
        let mut lists: Vec<&[u32]> = terms.iter().map(|term| self.of_term(*term)).collect();
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else {
            return Vec::new();
        };
        let mut common = first.to_vec();
        for list in others {
            let mut rest = *list;
            common.retain(|sentence| {
                rest = &rest[count_below(rest, *sentence, |it| *it)..];
                rest.first() == Some(sentence)
            });
        }
        common
    }

    /// Which chapter a sentence is of.
    pub(super) fn chapter_of(&self, sentence: u32) -> usize {
        chapter_of(&self.chapter_of, sentence)
    }

    /// In how many chapters some sentences stand, which are in order.
    pub(super) fn count_chapters(&self, sentences: &[u32]) -> usize {
        count_chapters(&self.chapter_of, sentences)
    }

    /// How much of a sentence is said nowhere else, from 0 to 1.
    pub(super) fn news(&self, sentence: u32) -> f32 {
        let worth = self.worths.get(sentence as usize);
        worth.map_or(0.0, |worth| worth.news())
    }

    /// Whether the next sentence is of the same paragraph.
    pub(super) fn goes_on(&self, sentence: u32) -> bool {
        let worth = self.worths.get(sentence as usize);
        worth.is_some_and(|worth| worth.goes_on())
    }
}

fn chapter_of(chapters: &[u32], sentence: u32) -> usize {
    chapters.get(sentence as usize).map_or(0, |it| *it as usize)
}

fn count_chapters(chapters: &[u32], sentences: &[u32]) -> usize {
    let (mut count, mut before) = (0, None);
    for sentence in sentences {
        let chapter = Some(chapter_of(chapters, *sentence));
        count += usize::from(chapter != before);
        before = chapter;
    }
    count
}
