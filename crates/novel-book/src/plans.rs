//! What outlines and contracts say of chapters far back: line, point of view, and who is counted on.
//!
//! A prompt asks it of a hundred chapters, so it is kept in the project's cache, each answer with the state
//! its file was in. An answer is given only while the file is in that state; else the file is read. So it is
//! the same with the cache, without it, and with a wrong one. The form is written down in `docs/files.md`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use novel_model::{
    BookReader, ChapterNo, Document, FileError, ReadError, RelPath, VolumeNo,
    files::ChapterContract, layout,
};
use novel_text::{OutlineBlock, parse_outline};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::{RawValue, to_raw_value};

/// The first line of the file, before the CRC-32 of what follows; its number is the version of the form and of
/// what is read from outlines and contracts.
const HEAD: &str = "novel plans 1 ";

/// What an outline says of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The volume whose outline it is.
    pub volume: VolumeNo,
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline: String,
    /// Whose eyes it is told through, as it is written.
    pub pov: String,
}

/// What outlines and contracts say, by their files.
#[derive(Debug, Default)]
pub struct Plans(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Whether the file in the cache was read.
    is_read: bool,
    /// Whether there is something the cache does not have.
    has_new: bool,
    files: BTreeMap<String, Said>,
}

/// What a file says, and the state it was in.
type Said = (u64, Box<RawValue>);

impl Plans {
    /// What the outline of a volume says of its chapters, in its order; nothing where there is none.
    ///
    /// # Errors
    /// When the outline cannot be read.
    pub fn heads(&self, reader: &dyn BookReader, volume: VolumeNo) -> Result<Vec<Head>, ReadError> {
        let path = layout::outline(volume);
        let said: Vec<(ChapterNo, String, String)> = self.said(reader, &path, || {
            let text = reader.text(&path)?.unwrap_or_default();
            let blocks = parse_outline(&text).blocks;
            Ok::<_, ReadError>(blocks.iter().filter_map(head_of).collect())
        })?;
        let heads = said.into_iter().map(|(chapter, storyline, pov)| Head {
            volume,
            chapter,
            storyline,
            pov,
        });
        Ok(heads.collect())
    }

    /// Whom the contract of a chapter counts on, as it names them; nobody where there is none.
    ///
    /// # Errors
    /// When the contract is damaged or cannot be read.
    pub fn counted_on(
        &self,
        reader: &dyn BookReader,
        volume: VolumeNo,
        chapter: ChapterNo,
    ) -> Result<Vec<String>, FileError> {
        let path = layout::contract(volume, chapter);
        self.said(reader, &path, || {
            let contract = Document::<ChapterContract>::load_value(reader, &path)?;
            let Some(contract) = contract else {
                return Ok::<_, FileError>(Vec::new());
            };
            let before = contract.preconditions.character_states.unwrap_or_default();
            let after = contract.postconditions.state_changes;
            let mut names: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
            names.sort_unstable();
            names.dedup();
            Ok(names)
        })
    }

    /// Reads what is not known yet of the chapters of a volume up to `last`. What cannot be read is left to whoever
    /// needs it.
    pub fn learn(&self, reader: &dyn BookReader, volume: VolumeNo, last: Option<ChapterNo>) {
        let heads = self.heads(reader, volume).unwrap_or_default();
        for head in heads.iter().filter(|head| Some(head.chapter) <= last) {
            let _ = self.counted_on(reader, volume, head.chapter);
        }
    }

    /// Whether something was read that the cache does not have.
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.kept().has_new
    }

    /// The file of the cache with its new content, where that is another one.
    pub(crate) fn outdated(&self) -> Option<(RelPath, Vec<u8>)> {
        let mut kept = self.kept();
        if !std::mem::take(&mut kept.has_new) {
            return None;
        }
        let text = serde_json::to_string(&kept.files).ok()?;
        let sum = crc32fast::hash(text.as_bytes());
        let bytes = format!("{HEAD}{sum}\n{text}").into_bytes();
        Some((layout::kept_plans(), bytes))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a file says: as it is kept, or as `read` finds it.
    fn said<T: Serialize + DeserializeOwned, E>(
        &self,
        reader: &dyn BookReader,
        path: &RelPath,
        read: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // Told before the file is read: what changes it meanwhile changes its state.
        let state = reader.stamp(path);
        let mut kept = self.kept();
        if !std::mem::replace(&mut kept.is_read, true) {
            kept.files = read_kept(reader).unwrap_or_default();
        }
        let known = kept.files.get(path.as_str());
        let known = known.filter(|(then, _)| state == Some(*then));
        if let Some(said) = known.and_then(|(_, said)| serde_json::from_str(said.get()).ok()) {
            return Ok(said);
        }
        drop(kept);
        let said = read()?;
        if let (Some(state), Ok(text)) = (state, to_raw_value(&said)) {
            let mut kept = self.kept();
            kept.files.insert(path.to_string(), (state, text));
            kept.has_new = true;
        }
        Ok(said)
    }
}

/// What the cache has; nothing where its file is missing or damaged.
fn read_kept(reader: &dyn BookReader) -> Option<BTreeMap<String, Said>> {
    let bytes = reader.read(&layout::kept_plans()).ok().flatten()?;
    let (sum, text) = str::from_utf8(&bytes)
        .ok()?
        .strip_prefix(HEAD)?
        .split_once('\n')?;
    let is_whole = sum.parse() == Ok(crc32fast::hash(text.as_bytes()));
    is_whole.then(|| serde_json::from_str(text).ok()).flatten()
}

/// Chapter, line and point of view of a block.
fn head_of(block: &OutlineBlock) -> Option<(ChapterNo, String, String)> {
    let field = |key| block.field(key).unwrap_or_default().trim().to_owned();
    let chapter = ChapterNo::new(block.number)?;
    Some((chapter, field("Storyline"), field("POV")))
}

/// The outlines of the volumes, newest first, read as far back as is asked for.
pub struct Heads<'a> {
    reader: &'a dyn BookReader,
    plans: &'a Plans,
    /// The next volume to read.
    volume: Option<VolumeNo>,
    outlines: Vec<Vec<Head>>,
}

impl<'a> Heads<'a> {
    /// The outlines of `volume` and the ones before it.
    #[must_use]
    pub fn new(reader: &'a dyn BookReader, plans: &'a Plans, volume: VolumeNo) -> Self {
        Self {
            reader,
            plans,
            volume: Some(volume),
            outlines: Vec::new(),
        }
    }

    /// What the outlines say of a chapter: the newest that has it, and in that its first block.
    ///
    /// # Errors
    /// When an outline cannot be read.
    pub fn of(&mut self, chapter: ChapterNo) -> Result<Option<Head>, ReadError> {
        self.first(|heads| heads.iter().find(|head| head.chapter == chapter).cloned())
    }

    /// The newest chapter before `chapter` that is `wanted`.
    ///
    /// # Errors
    /// When an outline cannot be read.
    pub fn newest(
        &mut self,
        chapter: ChapterNo,
        wanted: impl Fn(&Head) -> bool,
    ) -> Result<Option<Head>, ReadError> {
        self.first(|heads| {
            let heads = heads.iter().filter(|head| head.chapter < chapter);
            let heads = heads.filter(|head| wanted(head));
            heads.max_by_key(|head| head.chapter).cloned()
        })
    }

    /// What is found in the newest outline that has it.
    fn first(&mut self, find: impl Fn(&[Head]) -> Option<Head>) -> Result<Option<Head>, ReadError> {
        for at in 0.. {
            if self.outlines.len() <= at {
                let Some(volume) = self.volume else {
                    break;
                };
                self.volume = volume.previous();
                self.outlines.push(self.plans.heads(self.reader, volume)?);
            }
            let found = find(&self.outlines[at]);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
#[path = "plans_tests.rs"]
mod tests;
