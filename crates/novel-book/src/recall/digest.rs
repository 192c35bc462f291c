//! A chapter made ready to be looked through: its sentences and their terms.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError, files::GeneratedChapter, layout,
};
use novel_text::{TermHash, for_each_run_hash, sentences};

/// A sentence of a chapter.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) text: Range<usize>,
    pub(super) paragraph: usize,
    terms: Range<usize>,
    matter: Range<usize>,
}

/// A chapter as its sentences.
#[derive(Debug, Default)]
pub(super) struct Digest {
    pub(super) text: String,
    pub(super) sentences: Vec<Sentence>,
    /// Every term, sentence by sentence.
    terms: Vec<TermHash>,
    /// Terms that carry matter, sentence by sentence, sorted in each.
    matter: Vec<TermHash>,
}

impl Digest {
    fn of(chapter: &GeneratedChapter) -> Self {
        let mut digest = Self::default();
        for scene in &chapter.scenes {
            digest.text.push_str(scene.content.trim_end());
            digest.text.push('\n');
        }
        let mut at = 0;
        for (paragraph, line) in digest.text.split_inclusive('\n').enumerate() {
            let mut from = 0;
            for sentence in sentences(line) {
                // A slice of the line, after the one before it.
                let Some(start) = line[from..].find(sentence) else {
                    continue;
                };
                let begin = from + start;
                from = begin + sentence.len();
                let (first_term, first) = (digest.terms.len(), digest.matter.len());
                for_each_run_hash(sentence, |term, has_matter| {
                    digest.terms.push(term);
                    if has_matter {
                        digest.matter.push(term);
                    }
                });
                digest.matter[first..].sort_unstable();
                digest.sentences.push(Sentence {
                    text: at + begin..at + from,
                    paragraph,
                    terms: first_term..digest.terms.len(),
                    matter: first..digest.matter.len(),
                });
            }
            at += line.len();
        }
        digest
    }

    /// Where the terms of `sieve` stand: each with its sentence, sorted.
    fn places(&self, sieve: &Sieve) -> Vec<(TermHash, u32)> {
        let mut places = Vec::new();
        for (number, sentence) in (0_u32..).zip(&self.sentences) {
            let terms = self.terms[sentence.terms.clone()].iter();
            places.extend(
                terms
                    .filter(|term| sieve.has(**term))
                    .map(|term| (*term, number)),
            );
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The terms of a sentence that carry matter.
    pub(super) fn matter(&self, sentence: usize) -> &[TermHash] {
        let range = self.sentences.get(sentence).map(|it| it.matter.clone());
        range.map_or(&[], |range| &self.matter[range])
    }

    /// The text of a sentence.
    pub(super) fn sentence(&self, sentence: usize) -> &str {
        let range = self.sentences.get(sentence).map(|it| it.text.clone());
        range.map_or("", |range| &self.text[range])
    }

    /// The next sentence of the same paragraph.
    pub(super) fn next_in_paragraph(&self, sentence: usize) -> Option<usize> {
        let (this, next) = (
            self.sentences.get(sentence)?,
            self.sentences.get(sentence + 1)?,
        );
        (this.paragraph == next.paragraph).then_some(sentence + 1)
    }
}

/// The terms that are looked for: a book has a million, a plan some hundreds.
pub(super) struct Sieve {
    /// A bit for the lowest bits of each term, which tells most others apart at once.
    bits: Vec<u64>,
    terms: Vec<TermHash>,
}

impl Sieve {
    const BITS: u32 = 1 << 16;

    pub(super) fn new(mut terms: Vec<TermHash>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        let mut bits = vec![0; (Self::BITS / u64::BITS) as usize];
        for term in &terms {
            let (word, bit) = Self::place(*term);
            bits[word] |= bit;
        }
        Self { bits, terms }
    }

    fn place(term: TermHash) -> (usize, u64) {
        let low = term % Self::BITS;
        ((low / u64::BITS) as usize, 1 << (low % u64::BITS))
    }

    fn has(&self, term: TermHash) -> bool {
        let (word, bit) = Self::place(term);
        self.bits[word] & bit != 0 && self.terms.binary_search(&term).is_ok()
    }
}

/// A chapter before the one at hand, and where the terms that are looked for stand in it.
pub(super) struct Earlier {
    pub(super) chapter: ChapterNo,
    pub(super) digest: Arc<Digest>,
    /// Each term with the sentence it stands in, sorted.
    places: Vec<(TermHash, u32)>,
}

impl Earlier {
    pub(super) fn new(chapter: ChapterNo, digest: Arc<Digest>, sieve: &Sieve) -> Self {
        let places = digest.places(sieve);
        Self {
            chapter,
            digest,
            places,
        }
    }

    /// The sentences a term stands in, in order.
    fn places(&self, term: TermHash) -> impl Iterator<Item = usize> + '_ {
        let from = self.places.partition_point(|(other, _)| *other < term);
        let run = self.places[from..].iter();
        run.take_while(move |(other, _)| *other == term)
            .map(|(_, place)| *place as usize)
    }

    /// Whether a term stands in it.
    pub(super) fn has(&self, term: TermHash) -> bool {
        self.places(term).next().is_some()
    }

    /// The sentences all `terms` stand in.
    pub(super) fn with_all(&self, terms: &[TermHash]) -> Vec<usize> {
        let Some((first, others)) = terms.split_first() else {
            return Vec::new();
        };
        let mut found: Vec<usize> = self.places(*first).collect();
        for term in others {
            if found.is_empty() {
                break;
            }
            let here: Vec<usize> = self.places(*term).collect();
            found.retain(|place| here.binary_search(place).is_ok());
        }
        found
    }
}

/// Digests by the bytes they were made from, so that a long run makes each of them once. Whoever opens a
/// book holds them; the same bytes always give the same digest.
#[derive(Debug, Default)]
pub struct Digests {
    made: Mutex<BTreeMap<ContentHash, Arc<Digest>>>,
}

impl Digests {
    /// Chapters that are held at most.
    const MOST: usize = 8_192;

    /// The digest of a committed chapter; `None` where there is none.
    pub(super) fn of(
        &self,
        reader: &dyn BookReader,
        chapter: ChapterNo,
    ) -> Result<Option<Arc<Digest>>, FileError> {
        let path = layout::chapter_json(chapter);
        let Some(bytes) = reader.read(&path)? else {
            return Ok(None);
        };
        let hash = ContentHash::of(&bytes);
        if let Some(made) = self.made().get(&hash) {
            return Ok(Some(Arc::clone(made)));
        }
        let loaded = Document::<GeneratedChapter>::load_value(reader, &path)?;
        let digest = Arc::new(loaded.as_ref().map(Digest::of).unwrap_or_default());
        let mut made = self.made();
        if made.len() >= Self::MOST {
            made.clear();
        }
        made.insert(hash, Arc::clone(&digest));
        Ok(Some(digest))
    }

    fn made(&self) -> std::sync::MutexGuard<'_, BTreeMap<ContentHash, Arc<Digest>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
