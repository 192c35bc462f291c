//! The index of recall in the project's cache, and what stands in its place where it cannot be believed.
//!
//! The index only says where to look. A chapter of a block counts when its file is as it was when it was
//! compared with the block, by its stamp or else by the hash of its bytes; any other is read anew, and a
//! block that is missing, damaged or of other chapters is made anew in memory. So passages are the same
//! with an index, without one, and with a wrong one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError, ReadError, RelPath, decode,
    files::GeneratedChapter, layout,
};

use novel_text::TermHash;

use super::{
    block::{Block, CHAPTERS, ChapterHash},
    chapter::{ChapterTerms, Sentences},
    places::Places,
};
use crate::plans::Plans;

/// What was made of chapters, by the bytes it was made from, so that a long run makes it once. Whoever
/// opens a book holds it; the same bytes always give the same.
#[derive(Debug, Default)]
pub struct Digests {
    /// What outlines and contracts say.
    pub plans: Plans,
    chapters: Mutex<BTreeMap<ChapterHash, Arc<ChapterTerms>>>,
    blocks: Mutex<BTreeMap<[u8; 32], Arc<Block>>>,
}

/// Chapters that are held at most.
const MOST_CHAPTERS: usize = 1_024;
/// Blocks that are held at most.
const MOST_BLOCKS: usize = 256;

/// A chapter of the book as a block must have it.
struct Present {
    chapter: ChapterNo,
    hash: ChapterHash,
    /// Its file's state, where that was told before the file was compared.
    stamp: Option<u64>,
    /// Its terms, where the block on disk does not have them.
    terms: Option<Arc<ChapterTerms>>,
}

impl Digests {
    /// Where the terms that are asked for stand in the chapters before `before`. What the index says of
    /// `distrusted` chapters is not believed without reading them.
    pub(super) fn places(
        &self,
        reader: &dyn BookReader,
        before: ChapterNo,
        distrusted: &BTreeSet<ChapterNo>,
        asked: Vec<TermHash>,
    ) -> Result<Places, FileError> {
        let stamps = Stamps::read(reader)?;
        let mut places = Places::new(asked);
        // Block by block, so that one lies where the last one lay.
        for first in firsts(before.get() - 1) {
            let file = on_disk(reader, first)?;
            let chapters = chapters_from(first, before.get() - 1);
            let present = self.present(reader, file.as_ref(), chapters, &stamps, distrusted)?;
            match file {
                Some(file) if is_of(&file, &present) => places.add(&file),
                file => places.add(&self.made(first, file.as_ref(), &present)),
            }
        }
        Ok(places)
    }

    /// The chapters that are there, compared with a block on disk.
    fn present(
        &self,
        reader: &dyn BookReader,
        file: Option<&Block>,
        chapters: impl Iterator<Item = ChapterNo>,
        stamps: &Stamps,
        distrusted: &BTreeSet<ChapterNo>,
    ) -> Result<Vec<Present>, FileError> {
        let mut present = Vec::new();
        for chapter in chapters {
            let path = layout::chapter_json(chapter);
            let known = file.and_then(|file| file.row(chapter)).map(|row| row.hash);
            let known = known.filter(|_| !distrusted.contains(&chapter));
            let stamp = reader.stamp(&path);
            if let (Some(hash), Some(stamp)) = (known, stamp)
                && stamps.chapter(chapter) == Some((stamp, begin_of(&hash)))
            {
                present.push(Present {
                    chapter,
                    hash,
                    stamp: Some(stamp),
                    terms: None,
                });
                continue;
            }
            let Some(bytes) = reader.read(&path)? else {
                continue;
            };
            let hash = ContentHash::raw(&bytes);
            let terms = match known {
                Some(known) if known == hash => None,
                _ => Some(self.terms_of(&path, hash, bytes)?),
            };
            present.push(Present {
                chapter,
                hash,
                stamp,
                terms,
            });
        }
        Ok(present)
    }

    /// Whether something was made in memory that the index does not have.
    #[must_use]
    pub fn has_made(&self) -> bool {
        !held(&self.blocks).is_empty() || self.plans.has_new()
    }

    fn terms_of(
        &self,
        path: &RelPath,
        hash: ChapterHash,
        bytes: Vec<u8>,
    ) -> Result<Arc<ChapterTerms>, FileError> {
        if let Some(made) = held(&self.chapters).get(&hash) {
            return Ok(Arc::clone(made));
        }
        let chapter = parse(path, bytes)?;
        let made = Arc::new(ChapterTerms::of(&chapter));
        hold(&self.chapters, MOST_CHAPTERS, hash, &made);
        Ok(made)
    }

    /// The block of the chapters that are there, made of the one on disk as far as that is right.
    fn made(&self, first: ChapterNo, file: Option<&Block>, present: &[Present]) -> Arc<Block> {
        let mut key = first.get().to_le_bytes().to_vec();
        for it in present {
            key.extend(it.chapter.get().to_le_bytes());
            key.extend(it.hash);
        }
        let key = ContentHash::raw(key);
        if let Some(made) = held(&self.blocks).get(&key) {
            return Arc::clone(made);
        }
        let made = Arc::new(built(first, file, present));
        hold(&self.blocks, MOST_BLOCKS, key, &made);
        made
    }
}

fn held<K, V>(memory: &Mutex<BTreeMap<K, V>>) -> MutexGuard<'_, BTreeMap<K, V>> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hold<K: Ord, V>(memory: &Mutex<BTreeMap<K, Arc<V>>>, most: usize, key: K, value: &Arc<V>) {
    let mut held = held(memory);
    if held.len() >= most {
        held.clear();
    }
    held.insert(key, Arc::clone(value));
}

fn built(first: ChapterNo, file: Option<&Block>, present: &[Present]) -> Block {
    let kept: Vec<ChapterNo> = present
        .iter()
        .filter(|it| it.terms.is_none())
        .map(|it| it.chapter)
        .collect();
    let new: Vec<(ChapterNo, ChapterHash, &ChapterTerms)> = present
        .iter()
        .filter_map(|it| Some((it.chapter, it.hash, &**it.terms.as_ref()?)))
        .collect();
    Block::build(first, file.map(|file| (file, &kept[..])), &new)
}

/// A chapter's text for a passage; `None` where its file is no longer the one with this hash.
pub(super) fn text_of(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    hash: &ChapterHash,
) -> Result<Option<Sentences>, FileError> {
    let path = layout::chapter_json(chapter);
    match reader.read(&path)? {
        Some(bytes) if ContentHash::raw(&bytes) == *hash => {
            Ok(Some(Sentences::of(&parse(&path, bytes)?)))
        }
        _ => Ok(None),
    }
}

fn parse(path: &RelPath, bytes: Vec<u8>) -> Result<GeneratedChapter, FileError> {
    let text = decode(path, bytes)?;
    Ok(Document::<GeneratedChapter>::parse_value(path, &text)?)
}

/// The first chapters of all blocks up to `last`.
fn firsts(last: u32) -> impl Iterator<Item = ChapterNo> {
    (1..=last)
        .step_by(CHAPTERS as usize)
        .filter_map(ChapterNo::new)
}

/// The chapters of a block up to `last`.
fn chapters_from(first: ChapterNo, last: u32) -> impl Iterator<Item = ChapterNo> {
    let end = last.min(first.get() + (CHAPTERS - 1));
    (first.get()..=end).filter_map(ChapterNo::new)
}

/// The block on disk; `None` where there is none that can be used. A disk that fails is an error.
fn on_disk(reader: &dyn BookReader, first: ChapterNo) -> Result<Option<Block>, ReadError> {
    let bytes = cached(reader, &layout::recall_block(first))?;
    Ok(bytes.and_then(|bytes| Block::parse(bytes, first)))
}

fn cached(reader: &dyn BookReader, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
    match reader.read(path) {
        Err(error @ ReadError::Io { .. }) => Err(error),
        // Whatever stands there, it is no index.
        Err(_) => Ok(None),
        read => read,
    }
}

/// Whether a block is of exactly these chapters.
fn is_of(block: &Block, present: &[Present]) -> bool {
    block.rows.len() == present.len()
        && block
            .rows
            .iter()
            .zip(present)
            .all(|(row, it)| row.chapter == it.chapter && row.hash == it.hash && it.terms.is_none())
}

/// In which states files were when chapters and index were compared.
#[derive(Default)]
struct Stamps {
    /// For each block the state of its file and how many chapters it is of.
    blocks: Vec<(u64, u64)>,
    /// For each chapter the state of its file and the beginning of its hash.
    chapters: Vec<(u64, u64)>,
}

/// The beginning of the file; the last digit is the version of its form.
const STAMPS: &[u8; 8] = b"NSTAMPS1";

impl Stamps {
    fn read(reader: &dyn BookReader) -> Result<Self, ReadError> {
        let bytes = cached(reader, &layout::recall_stamps())?.unwrap_or_default();
        Ok(Self::parse(&bytes).unwrap_or_default())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (rest, sum) = bytes.split_last_chunk::<4>()?;
        let numbers = rest.strip_prefix(STAMPS)?;
        if crc32fast::hash(rest).to_le_bytes() != *sum || numbers.len() % 8 != 0 {
            return None;
        }
        let numbers = numbers.chunks_exact(8).filter_map(|it| it.try_into().ok());
        let numbers: Vec<u64> = numbers.map(u64::from_le_bytes).collect();
        let (blocks, pairs) = numbers.split_first()?;
        let mut pairs = pairs.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        let blocks = pairs
            .by_ref()
            .take(usize::try_from(*blocks).ok()?)
            .collect();
        Some(Self {
            blocks,
            chapters: pairs.collect(),
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = STAMPS.to_vec();
        bytes.extend((self.blocks.len() as u64).to_le_bytes());
        for (one, other) in self.blocks.iter().chain(&self.chapters) {
            bytes.extend(one.to_le_bytes());
            bytes.extend(other.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn chapter(&self, chapter: ChapterNo) -> Option<(u64, u64)> {
        self.chapters.get(chapter.get() as usize - 1).copied()
    }

    fn block(&self, first: ChapterNo) -> Option<(u64, u64)> {
        self.blocks.get((first.get() / CHAPTERS) as usize).copied()
    }
}

/// The first bytes of a hash.
fn begin_of(hash: &ChapterHash) -> u64 {
    let mut begin = [0; 8];
    begin.copy_from_slice(&hash[..8]);
    u64::from_le_bytes(begin)
}

/// The files of the index, with their new content, that differ from what the chapters up to `last` say. A chapter
/// whose file is in a known state is not read.
///
/// # Errors
/// When a chapter is damaged or a file cannot be read.
pub fn outdated(
    reader: &dyn BookReader,
    digests: &Digests,
    last: Option<ChapterNo>,
) -> Result<Vec<(RelPath, Vec<u8>)>, FileError> {
    let last = last.map_or(0, ChapterNo::get);
    let known = Stamps::read(reader)?;
    let mut found = Vec::new();
    let mut stamps = Stamps::default();
    for first in firsts(last) {
        let path = layout::recall_block(first);
        if is_unchanged(reader, &known, first, last, &mut stamps) {
            continue;
        }
        let state = reader.stamp(&path);
        let file = on_disk(reader, first)?;
        let base = file.as_ref();
        let chapters = chapters_from(first, last);
        let present = digests.present(reader, base, chapters, &known, &BTreeSet::new())?;
        for chapter in chapters_from(first, last) {
            let at = present.binary_search_by_key(&chapter, |it| it.chapter).ok();
            let seen = at.and_then(|at| Some((present[at].stamp?, begin_of(&present[at].hash))));
            stamps.chapters.push(seen.unwrap_or_default());
        }
        let mut is_right = base.is_some_and(|base| is_of(base, &present));
        if !is_right {
            let block = digests.made(first, base, &present);
            is_right = file.is_some_and(|file| file.bytes() == block.bytes());
            if !is_right {
                found.push((path, block.bytes().to_vec()));
            }
        }
        let seen = state
            .filter(|_| is_right)
            .map(|it| (it, present.len() as u64));
        stamps.blocks.push(seen.unwrap_or_default());
    }
    let bytes = stamps.to_bytes();
    if cached(reader, &layout::recall_stamps())?.as_ref() != Some(&bytes) {
        found.push((layout::recall_stamps(), bytes));
    }
    found.extend(digests.plans.outdated());
    Ok(found)
}

/// Whether a block and all its chapters are in the states in which they were right; what is known of them
/// is taken over then.
fn is_unchanged(
    reader: &dyn BookReader,
    known: &Stamps,
    first: ChapterNo,
    last: u32,
    stamps: &mut Stamps,
) -> bool {
    let chapters = chapters_from(first, last).count() as u64;
    let block = known.block(first).filter(|(state, of)| {
        *of == chapters && reader.stamp(&layout::recall_block(first)) == Some(*state)
    });
    let seen = chapters_from(first, last).map(|chapter| {
        let state = reader.stamp(&layout::chapter_json(chapter))?;
        known.chapter(chapter).filter(|seen| seen.0 == state)
    });
    let (Some(block), Some(mut seen)) = (block, seen.collect::<Option<Vec<_>>>()) else {
        return false;
    };
    stamps.blocks.push(block);
    stamps.chapters.append(&mut seen);
    true
}
