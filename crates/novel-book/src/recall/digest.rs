//! A chapter made ready to be looked through: its sentences, and in which of them a term stands.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, LazyLock, Mutex, PoisonError},
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
    matter: Range<usize>,
}

/// A chapter as its sentences.
#[derive(Debug, Default)]
pub(super) struct Digest {
    pub(super) text: String,
    pub(super) sentences: Vec<Sentence>,
    /// Terms that carry matter, sentence by sentence, sorted in each.
    matter: Vec<TermHash>,
    /// Every term with the sentence it stands in, sorted.
    places: Vec<(TermHash, u32)>,
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
                let number = u32::try_from(digest.sentences.len()).unwrap_or(u32::MAX);
                let first = digest.matter.len();
                for_each_run_hash(sentence, |term, has_matter| {
                    digest.places.push((term, number));
                    if has_matter {
                        digest.matter.push(term);
                    }
                });
                digest.matter[first..].sort_unstable();
                digest.sentences.push(Sentence {
                    text: at + begin..at + from,
                    paragraph,
                    matter: first..digest.matter.len(),
                });
            }
            at += line.len();
        }
        digest.places.sort_unstable();
        digest.places.dedup();
        digest
    }

    /// The sentences a term stands in, in order.
    pub(super) fn places(&self, term: TermHash) -> impl Iterator<Item = usize> + '_ {
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

/// Chapters kept in memory at most.
const MOST_KEPT: usize = 8_192;

type Kept = BTreeMap<ContentHash, Arc<Digest>>;

/// Digests by the bytes they were made from, so that a long run makes each of them once. What is kept
/// cannot be seen from outside: the same bytes always give the same digest.
static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(|| Mutex::new(BTreeMap::new()));

/// The digest of a committed chapter; `None` where there is none.
pub(super) fn digest(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<Arc<Digest>>, FileError> {
    let path = layout::chapter_json(chapter);
    let Some(bytes) = reader.read(&path)? else {
        return Ok(None);
    };
    let hash = ContentHash::of(&bytes);
    if let Some(kept) = kept().get(&hash) {
        return Ok(Some(Arc::clone(kept)));
    }
    let loaded = Document::<GeneratedChapter>::load_value(reader, &path)?;
    let made = Arc::new(loaded.as_ref().map(Digest::of).unwrap_or_default());
    let mut kept = kept();
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    kept.insert(hash, Arc::clone(&made));
    Ok(Some(made))
}

fn kept() -> std::sync::MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
