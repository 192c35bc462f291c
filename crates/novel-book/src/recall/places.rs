//! Where the terms that are asked for stand in the chapters before the one at hand.
//!
//! Sentences are numbered through, over all chapters; a chapter is known by its place among those that
//! are there.

use std::{ops::Range, sync::Arc};

use novel_model::ChapterNo;
use novel_text::TermHash;

use super::block::{Block, ChapterHash};

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
    /// How much of each sentence is said nowhere else, and whether the next goes on.
    news: Vec<f32>,
    goes_on: Vec<bool>,
    asked: Vec<TermHash>,
    found: Vec<Vec<u32>>,
}

impl Places {
    pub(super) fn of(blocks: &[Arc<Block>], mut asked: Vec<TermHash>) -> Self {
        asked.sort_unstable();
        asked.dedup();
        let all = blocks.iter().map(|block| block.sentence_count()).sum();
        let mut places = Self {
            chapters: Vec::new(),
            chapter_of: Vec::with_capacity(all),
            news: Vec::with_capacity(all),
            goes_on: Vec::with_capacity(all),
            found: vec![Vec::new(); asked.len()],
            asked,
        };
        for block in blocks {
            places.add(block);
        }
        places
    }

    fn add(&mut self, block: &Block) {
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
        for (news, goes_on) in block.worths() {
            self.news.push(news);
            self.goes_on.push(goes_on);
        }
        for (term, found) in self.asked.iter().zip(&mut self.found) {
            block.places(*term, |sentence| found.push(base + sentence));
        }
    }

    pub(super) fn sentence_count(&self) -> usize {
        self.chapter_of.len()
    }

    /// The sentences a term stands in, in order; of a term that was not asked for, none.
    pub(super) fn of_term(&self, term: TermHash) -> &[u32] {
        let at = self.asked.binary_search(&term);
        at.map_or(&[], |at| &self.found[at])
    }

    /// The sentences all `terms` stand in.
    pub(super) fn with_all(&self, terms: &[TermHash]) -> Vec<u32> {
        let mut lists: Vec<&[u32]> = terms.iter().map(|term| self.of_term(*term)).collect();
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else {
            return Vec::new();
        };
        let mut found = first.to_vec();
        for list in others {
            found.retain(|sentence| list.binary_search(sentence).is_ok());
        }
        found
    }

    /// Which chapter a sentence is of.
    pub(super) fn chapter_of(&self, sentence: u32) -> usize {
        self.chapter_of
            .get(sentence as usize)
            .map_or(0, |it| *it as usize)
    }

    /// In how many chapters some sentences stand, which are in order.
    pub(super) fn count_chapters(&self, sentences: &[u32]) -> usize {
        let (mut count, mut before) = (0, None);
        for sentence in sentences {
            let chapter = Some(self.chapter_of(*sentence));
            count += usize::from(chapter != before);
            before = chapter;
        }
        count
    }

    /// How much of a sentence is said nowhere else, from 0 to 1.
    pub(super) fn news(&self, sentence: u32) -> f32 {
        self.news.get(sentence as usize).copied().unwrap_or(0.0)
    }

    /// Whether the next sentence is of the same paragraph.
    pub(super) fn goes_on(&self, sentence: u32) -> bool {
        self.goes_on
            .get(sentence as usize)
            .copied()
            .unwrap_or(false)
    }
}
