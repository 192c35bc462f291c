//! The index of up to 64 neighbouring chapters: where each term stands, and how much of each sentence is said
//! nowhere else among them.
//!
//! A block is a pure function of its chapters: the same chapters give the same bytes, whether they were
//! added one by one or all at once. Its form is written down in `docs/files.md`.

use std::ops::Range;

use novel_model::ChapterNo;
use novel_text::TermHash;

use super::chapter::{ChapterTerms, Posting};

/// Chapters of a block.
pub(super) const CHAPTERS: u32 = 64;
/// The beginning of the file; the last digit is the version of the form and of what is counted as a term.
const MAGIC: &[u8; 8] = b"NRECALL1";
/// Bytes of a chapter in the table of chapters.
const ROW: usize = 40;
/// What is said nowhere else among some thousand sentences is worth one.
const MOST_NEWS: f64 = 8.0;

/// The hash of the bytes of a chapter's file.
pub(super) type ChapterHash = [u8; 32];

/// A chapter in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) chapter: ChapterNo,
    pub(super) hash: ChapterHash,
    /// Its sentences, by their numbers in the block.
    pub(super) sentences: Range<u32>,
}

/// What a sentence is worth, in one byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth(u8);

impl Worth {
    /// How much of it, or of it and the next, is said nowhere else in the block, from 0 to 1.
    pub(super) fn news(self) -> f32 {
        f32::from(self.0 & 0x7F) / 127.0
    }

    /// Whether the next sentence is of the same paragraph.
    pub(super) fn goes_on(self) -> bool {
        self.0 & 0x80 != 0
    }
}

/// A whole block, read where it lies.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Vec<u8>,
    pub(super) rows: Vec<Row>,
    /// Where the parts lie in `bytes`.
    worth: usize,
    terms: usize,
    term_count: usize,
    ends: usize,
    postings: usize,
}

/// The first chapter of the block that has a chapter.
pub(super) fn first_of(chapter: ChapterNo) -> ChapterNo {
    let first = (chapter.get() - 1) / CHAPTERS * CHAPTERS + 1;
    ChapterNo::new(first).unwrap_or(chapter)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

impl Block {
    /// A block from its file; `None` where the bytes are not a whole block that begins with `first`.
    pub(super) fn parse(bytes: Vec<u8>, first: ChapterNo) -> Option<Self> {
        let end = bytes.len().checked_sub(4)?;
        let is_sound = bytes.starts_with(MAGIC)
            && number(&bytes, end)? == crc32fast::hash(&bytes[..end])
            && number(&bytes, 8)? == first.get();
        if !is_sound {
            return None;
        }
        let row_count = number(&bytes, 12)?;
        let mut rows: Vec<Row> = Vec::new();
        let (mut at, mut sentence) = (16, 0_u32);
        for _ in 0..row_count {
            let chapter = ChapterNo::new(number(&bytes, at)?)?;
            let hash = bytes.get(at + 4..at + 36)?.try_into().ok()?;
            let end = sentence.checked_add(number(&bytes, at + 36)?)?;
            let is_next = rows.last().is_none_or(|row| row.chapter < chapter);
            if !is_next || first_of(chapter) != first {
                return None;
            }
            rows.push(Row {
                chapter,
                hash,
                sentences: sentence..end,
            });
            (at, sentence) = (at + ROW, end);
        }
        let worth = at;
        let counted = worth.checked_add(sentence as usize)?;
        let term_count = number(&bytes, counted)? as usize;
        let terms = counted + 4;
        let ends = terms.checked_add(term_count.checked_mul(4)?)?;
        let postings = ends.checked_add(term_count.checked_mul(4)?)?;
        (postings <= end).then_some(Self {
            bytes,
            rows,
            worth,
            terms,
            term_count,
            ends,
            postings,
        })
    }

    /// The block of some chapters, each with the hash of its file: those of `known` that are in `kept`, and
    /// `new` ones after or between them.
    pub(super) fn build(
        first: ChapterNo,
        known: Option<(&Self, &[ChapterNo])>,
        new: &[(ChapterNo, ChapterHash, &ChapterTerms)],
    ) -> Self {
        enum From<'a> {
            Known(&'a Row),
            New(&'a ChapterTerms),
        }
        let mut parts: Vec<(ChapterNo, ChapterHash, From<'_>)> = Vec::new();
        if let Some((block, kept)) = known {
            let rows = block.rows.iter();
            let rows = rows.filter(|row| kept.contains(&row.chapter));
            parts.extend(rows.map(|row| (row.chapter, row.hash, From::Known(row))));
        }
        let new = new.iter();
        parts.extend(new.map(|(chapter, hash, terms)| (*chapter, *hash, From::New(terms))));
        parts.sort_by_key(|(chapter, ..)| *chapter);

        let mut table = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut goes_on: Vec<bool> = Vec::new();
        let mut postings: Vec<Posting> = Vec::new();
        // For each sentence of the known block its number in this one.
        let mut moved: Vec<Option<u32>> = Vec::new();
        if let Some((block, _)) = known {
            moved.resize(block.sentence_count(), None);
        }
        for (chapter, hash, from) in &parts {
            let begin = goes_on.len();
            match from {
                From::Known(row) => {
                    for (to, sentence) in (begin as u32..).zip(row.sentences.clone()) {
                        if let (Some(place), Some((block, _))) =
                            (moved.get_mut(sentence as usize), known)
                        {
                            *place = Some(to);
                            goes_on.push(block.goes_on(sentence));
                        }
                    }
                }
                From::New(terms) => {
                    goes_on.extend(&terms.goes_on);
                    postings.extend(terms.postings.iter().map(|posting| Posting {
                        sentence: posting.sentence + begin as u32,
                        ..*posting
                    }));
                }
            }
            table.extend(chapter.get().to_le_bytes());
            table.extend(hash);
            table.extend(((goes_on.len() - begin) as u32).to_le_bytes());
            rows.push(Row {
                chapter: *chapter,
                hash: *hash,
                sentences: begin as u32..goes_on.len() as u32,
            });
        }
        if let Some((block, _)) = known {
            block.for_each_posting(|posting| {
                if let Some(Some(sentence)) = moved.get(posting.sentence as usize) {
                    postings.push(Posting {
                        sentence: *sentence,
                        ..posting
                    });
                }
            });
        }
        // Made of sorted runs, which this sort finds.
        postings.sort();

        let mut bytes = Vec::with_capacity(16 + table.len() + 3 * postings.len());
        bytes.extend(MAGIC);
        bytes.extend(first.get().to_le_bytes());
        bytes.extend((parts.len() as u32).to_le_bytes());
        bytes.extend(table);
        let worth = bytes.len();
        bytes.extend(worths(&goes_on, &postings));
        let mut terms: Vec<u8> = Vec::new();
        let mut ends: Vec<u8> = Vec::new();
        let mut lists: Vec<u8> = Vec::new();
        for list in postings.chunk_by(|a, b| a.term == b.term) {
            let mut before = 0;
            for posting in list {
                let step = posting.sentence - before;
                before = posting.sentence;
                push_number(
                    u64::from(step) << 1 | u64::from(posting.has_matter),
                    &mut lists,
                );
            }
            terms.extend(list[0].term.to_le_bytes());
            ends.extend((lists.len() as u32).to_le_bytes());
        }
        let term_count = terms.len() / 4;
        bytes.extend((term_count as u32).to_le_bytes());
        let (terms_at, ends_at) = (bytes.len(), bytes.len() + terms.len());
        bytes.extend(terms);
        bytes.extend(ends);
        let postings_at = bytes.len();
        bytes.extend(lists);
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        Self {
            bytes,
            rows,
            worth,
            terms: terms_at,
            term_count,
            ends: ends_at,
            postings: postings_at,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn row(&self, chapter: ChapterNo) -> Option<&Row> {
        let at = self.rows.binary_search_by_key(&chapter, |row| row.chapter);
        at.ok().map(|at| &self.rows[at])
    }

    pub(super) fn sentence_count(&self) -> usize {
        self.rows.last().map_or(0, |row| row.sentences.end as usize)
    }

    /// What each sentence is worth.
    pub(super) fn worths(&self) -> impl Iterator<Item = Worth> + '_ {
        let bytes = &self.bytes[self.worth..self.worth + self.sentence_count()];
        bytes.iter().map(|byte| Worth(*byte))
    }

    fn goes_on(&self, sentence: u32) -> bool {
        let byte = self.bytes.get(self.worth + sentence as usize);
        byte.is_some_and(|byte| Worth(*byte).goes_on())
    }

    /// The sentences each of some terms stands in, in order; `take` gets the number of the term. The terms are
    /// sorted as those of the block, so each is looked for after the one before.
    pub(super) fn places(&self, asked: &[TermHash], mut take: impl FnMut(usize, u32)) {
        let (terms, _) = self.bytes[self.terms..self.ends].as_chunks::<4>();
        let mut at = 0;
        for (number, term) in asked.iter().enumerate() {
            at += count_below(&terms[at..], *term, |it| u32::from_le_bytes(*it));
            if terms
                .get(at)
                .is_some_and(|it| u32::from_le_bytes(*it) == *term)
            {
                self.list(at, |sentence, _| take(number, sentence));
            }
        }
    }

    fn list(&self, at: usize, mut take: impl FnMut(u32, bool)) {
        let end_of = |at: usize| number(&self.bytes, self.ends + 4 * at).unwrap_or(0) as usize;
        let begin = at.checked_sub(1).map_or(0, end_of);
        let lists = &self.bytes[self.postings..self.bytes.len() - 4];
        let mut rest = lists.get(begin..end_of(at)).unwrap_or_default();
        let (mut sentence, most) = (0_u64, self.sentence_count() as u64);
        while let Some(step) = take_number(&mut rest) {
            sentence += step >> 1;
            if sentence >= most {
                return;
            }
            take(sentence as u32, step & 1 != 0);
        }
    }

    fn for_each_posting(&self, mut take: impl FnMut(Posting)) {
        for at in 0..self.term_count {
            let term = number(&self.bytes, self.terms + 4 * at).unwrap_or(0);
            self.list(at, |sentence, has_matter| {
                take(Posting {
                    term,
                    sentence,
                    has_matter,
                });
            });
        }
    }
}

/// For each sentence how much of it, or of it and the next, is said nowhere else, in seven bits; and whether
/// the next is of the same paragraph.
fn worths(goes_on: &[bool], postings: &[Posting]) -> Vec<u8> {
    // A few terms prove little, however rare.
    const LEAST: f32 = 4.0;
    let all = goes_on.len() as f64 + 1.0;
    let mut sums: Vec<(f32, f32)> = vec![(0.0, 0.0); goes_on.len()];
    for list in postings.chunk_by(|a, b| a.term == b.term) {
        let seen = list.iter().filter(|posting| posting.has_matter).count();
        let rare = (all / seen.max(1) as f64).ln() as f32;
        for posting in list.iter().filter(|posting| posting.has_matter) {
            if let Some((sum, count)) = sums.get_mut(posting.sentence as usize) {
                *sum += rare;
                *count += 1.0;
            }
        }
    }
    let mean = |(sum, count): (f32, f32)| sum / (count + LEAST) / MOST_NEWS as f32;
    goes_on
        .iter()
        .enumerate()
        .map(|(at, goes_on)| {
            let mut news = mean(sums[at]);
            if *goes_on && let Some(next) = sums.get(at + 1) {
                news = news.max(mean((sums[at].0 + next.0, sums[at].1 + next.1)));
            }
            let bits = (news * 127.0).round().clamp(0.0, 127.0) as u8;
            bits | u8::from(*goes_on) << 7
        })
        .collect()
}

/// How many of some numbers in order are below `least`; the fewer, the sooner it is told.
pub(super) fn count_below<T>(numbers: &[T], least: u32, number: impl Fn(&T) -> u32) -> usize {
    let is_below = |it: &T| number(it) < least;
    let mut reach = 1;
    while numbers.get(reach - 1).is_some_and(is_below) {
        reach *= 2;
    }
    let (known, end) = (reach / 2, reach.min(numbers.len()));
    known + numbers[known..end].partition_point(is_below)
}

/// Seven bits a byte, the lowest first.
fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
        if shift > 35 {
            return None;
        }
    }
}
