//! Packs: where replaced contents are kept.
//!
//! A pack only grows. It is a row of entries, each a skippable Zstandard frame with a description in
//! JSON, followed by a Zstandard frame with the content, so that `zstd -dc` reads what has no base.
//! Every [`MAX_RUN`]th version of a file is kept whole; the ones between are compressed against an
//! earlier version of the run (their base), so chosen that a version is reached from the whole one in
//! a few steps ([`base_of`]). An entry depends on earlier entries alone, never on the file itself,
//! which the author may edit.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
};

use novel_book::operations::{Fingerprint, Kept};
use novel_model::{RelPath, layout};
use serde::{Deserialize, Serialize};

use crate::{
    error::StoreError,
    fs::{FileSystem, FsError},
};

/// A pack of this size is full; the next one is begun.
const PACK_SIZE: u64 = 64 * 1024 * 1024;

/// Versions of a file that build on each other, the whole one included.
const MAX_RUN: u32 = 16;

/// Bytes that are read of an entry at once: its description, and the content of most.
const FIRST_PIECE: usize = 1024;

/// Largest description of an entry.
const MAX_DESCRIPTION: usize = 64 * 1024;

/// First byte group of a skippable frame (format of Zstandard).
const SKIPPABLE: [u8; 4] = 0x184D_2A50_u32.to_le_bytes();

/// Bytes before the description: the magic number and the length.
const HEAD: usize = 8;

/// Compression level: texts of a few kilobytes against a version that is nearly the same.
const LEVEL: i32 = 3;

/// The description of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The operation that replaced the content.
    operation: u64,
    /// The file it was the content of.
    path: RelPath,
    /// The entry this one builds on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<Kept>,
    /// Its number in the run, from the whole one, which is zero. Older entries have none: each builds
    /// on the one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nth: Option<u32>,
    /// Bytes of the compressed content.
    length: u64,
    /// Bytes of the content.
    size: u64,
    /// Hash of the compressed content.
    sum: Fingerprint,
    /// Hash of all of the above. Not in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<Fingerprint>,
}

impl Entry {
    /// The entry with its own hash in `head`.
    fn sealed(self) -> Result<Self, serde_json::Error> {
        let head = Some(self.own_sum()?);
        Ok(Self { head, ..self })
    }

    fn is_as_written(&self) -> bool {
        let Some(head) = &self.head else {
            return true;
        };
        self.own_sum().is_ok_and(|sum| sum == *head)
    }

    fn own_sum(&self) -> Result<Fingerprint, serde_json::Error> {
        let bare = Self {
            head: None,
            ..self.clone()
        };
        Ok(Fingerprint::of(serde_json::to_vec(&bare)?))
    }
}

/// A kept content.
#[derive(Debug)]
struct Version {
    at: Kept,
    /// Its number in the run.
    nth: u32,
    bytes: Vec<u8>,
}

/// Versions of a file that later ones may build on, from the whole one of the run on.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    versions: Vec<Version>,
    /// The number that the next version of the file has in its run.
    next: u32,
}

impl Chain {
    /// The versions that the one after `newest` may build on.
    ///
    /// # Errors
    /// When one of them is damaged.
    pub(crate) fn after(files: &(impl ReadAt + ?Sized), newest: Kept) -> Result<Self, StoreError> {
        let mut entries = entries_up_to(files, newest)?;
        let next = entries.last().map_or(0, |(_, nth, _)| (nth + 1) % MAX_RUN);
        entries.retain(|(_, nth, _)| next > 0 && *nth <= base_of(next));
        Ok(Self {
            versions: expanded(entries)?,
            next,
        })
    }

    /// Bytes in memory.
    pub(crate) fn size(&self) -> usize {
        let sizes = self.versions.iter().map(|version| version.bytes.len());
        sizes.sum()
    }

    /// The version that the next one builds on; `None` when that is kept whole.
    fn base(&self) -> Option<&Version> {
        self.versions.last()
    }

    /// Adds the next version.
    fn push(&mut self, at: Kept, bytes: Vec<u8>) {
        let nth = self.next;
        self.versions.push(Version { at, nth, bytes });
        self.next = (nth + 1) % MAX_RUN;
        let next = self.next;
        let is_of_use = |version: &Version| next > 0 && version.nth <= base_of(next);
        self.versions.retain(is_of_use);
    }
}

/// The number of the version that the `nth` one builds on: its lowest binary digit cleared. So it is
/// always one that the version before builds on, or that version itself, and no chain has more links
/// than the number has digits.
fn base_of(nth: u32) -> u32 {
    nth & nth.saturating_sub(1)
}

/// Reads a piece of a file.
pub(crate) trait ReadAt {
    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError>;
}

impl ReadAt for dyn FileSystem + '_ {
    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError> {
        FileSystem::read_at(self, path, offset, len)
    }
}

/// The kept content at a place.
pub(crate) fn read(files: &(impl ReadAt + ?Sized), at: Kept) -> Result<Vec<u8>, StoreError> {
    let versions = expanded(entries_up_to(files, at)?)?;
    Ok(versions
        .into_iter()
        .last()
        .map_or_else(Vec::new, |version| version.bytes))
}

/// The entry at a place and all it builds on, from the whole one on, with their numbers in the run.
fn entries_up_to(
    files: &(impl ReadAt + ?Sized),
    at: Kept,
) -> Result<Vec<(Kept, u32, Stored)>, StoreError> {
    let mut entries = Vec::new();
    let mut next = Some(at);
    while let Some(place) = next {
        let stored = stored(files, place)?;
        next = stored.entry.base;
        if next.is_some_and(|base| base >= place) {
            return Err(damaged(place, "an entry builds on a later one"));
        }
        entries.push((place, stored));
    }
    let entries = entries.into_iter().rev().zip(0..);
    let numbered = entries.map(|((at, stored), number)| {
        let nth = stored.entry.nth.unwrap_or(number);
        (at, nth, stored)
    });
    Ok(numbered.collect())
}

fn expanded(entries: Vec<(Kept, u32, Stored)>) -> Result<Vec<Version>, StoreError> {
    let mut versions: Vec<Version> = Vec::new();
    for (
        at,
        nth,
        Stored {
            entry, compressed, ..
        },
    ) in entries
    {
        let base = versions.last().map_or(&[][..], |version| &version.bytes);
        let bytes = expand(&compressed, base)
            .ok()
            .filter(|found| found.len() as u64 == entry.size)
            .ok_or_else(|| damaged(at, "the content cannot be unpacked"))?;
        versions.push(Version { at, nth, bytes });
    }
    Ok(versions)
}

/// An entry as it is stored.
struct Stored {
    entry: Entry,
    compressed: Vec<u8>,
    /// Where the next entry begins.
    end: u64,
}

/// The entry at a place, its compressed bytes checked.
fn stored(files: &(impl ReadAt + ?Sized), at: Kept) -> Result<Stored, StoreError> {
    let path = layout::pack(at.pack);
    let mut bytes = files.read_at(&path, at.offset, FIRST_PIECE)?;
    let mut read_up_to = |end: usize| -> Result<Vec<u8>, StoreError> {
        if bytes.len() < end {
            let from = at.offset + bytes.len() as u64;
            bytes.extend(files.read_at(&path, from, end - bytes.len())?);
        }
        let read = bytes.get(..end).map(<[u8]>::to_vec);
        read.ok_or_else(|| damaged(at, "the pack ends too early"))
    };
    let head = read_up_to(HEAD)?;
    let (magic, length) = head.split_at(SKIPPABLE.len());
    let length = length.try_into().map_or(0, u32::from_le_bytes) as usize;
    if magic != SKIPPABLE || length > MAX_DESCRIPTION {
        return Err(damaged(at, "no entry begins there"));
    }
    let content = HEAD + length;
    let entry: Entry = serde_json::from_slice(&read_up_to(content)?[HEAD..])
        .map_err(|error| damaged(at, &format!("its description is damaged: {error}")))?;
    if !entry.is_as_written() {
        return Err(damaged(at, "its description is damaged"));
    }
    let size = usize::try_from(entry.length).unwrap_or(usize::MAX);
    if entry.length > PACK_SIZE.max(entry.size.saturating_mul(2)) {
        return Err(damaged(at, "its length is impossible"));
    }
    let compressed = read_up_to(content.saturating_add(size))?.split_off(content);
    if Fingerprint::of(&compressed) == entry.sum {
        let end = at.offset + content as u64 + entry.length;
        Ok(Stored {
            entry,
            compressed,
            end,
        })
    } else {
        let operation = entry.operation;
        let reason = format!("the content kept for operation {operation} is damaged");
        Err(damaged(at, &reason))
    }
}

/// What lies in a pack, as far as it is known from its entries.
pub(crate) struct Content {
    /// The file that each entry kept, by its place.
    pub(crate) entries: BTreeMap<u64, RelPath>,
    /// Why no more is known.
    pub(crate) damage: Option<StoreError>,
}

/// Checks every entry of a pack.
pub(crate) fn content(files: &(impl ReadAt + ?Sized), pack: u32, size: u64) -> Content {
    let (mut offset, mut entries) = (0, BTreeMap::new());
    while offset < size {
        match stored(files, Kept { pack, offset }) {
            Ok(stored) => {
                entries.insert(offset, stored.entry.path);
                offset = stored.end;
            }
            Err(error) => {
                let damage = Some(error);
                return Content { entries, damage };
            }
        }
    }
    Content {
        entries,
        damage: None,
    }
}

/// Collects the entries of one transaction.
pub(crate) struct Packer {
    /// The operation that replaces the contents.
    pub(crate) operation: u64,
    pack: u32,
    /// Bytes of the pack before.
    start: u64,
    /// What is added to it.
    pub(crate) bytes: Vec<u8>,
}

impl Packer {
    /// A packer at the end of the newest pack.
    pub(crate) fn open(fs: &dyn FileSystem, operation: u64) -> Result<Self, FsError> {
        let mut pack = 1;
        let mut start = length(fs, pack)?;
        while let Some(next) = Some(length(fs, pack + 1)?).filter(|next| *next > 0) {
            (pack, start) = (pack + 1, next);
        }
        if start >= PACK_SIZE {
            (pack, start) = (pack + 1, 0);
        }
        Ok(Self {
            operation,
            pack,
            start,
            bytes: Vec::new(),
        })
    }

    /// The pack.
    pub(crate) fn path(&self) -> RelPath {
        layout::pack(self.pack)
    }

    /// Adds a content as the newest version of a file; `chain` holds the ones before.
    pub(crate) fn add_version(
        &mut self,
        path: &RelPath,
        bytes: Vec<u8>,
        chain: &mut Chain,
    ) -> Result<Kept, StoreError> {
        let base = chain.base().map(|base| (base, chain.next));
        let kept = self.add(path, &bytes, base)?;
        chain.push(kept, bytes);
        Ok(kept)
    }

    /// Adds a content that nothing builds on.
    pub(crate) fn add_alone(&mut self, path: &RelPath, bytes: &[u8]) -> Result<Kept, StoreError> {
        self.add(path, bytes, None)
    }

    fn add(
        &mut self,
        path: &RelPath,
        bytes: &[u8],
        base: Option<(&Version, u32)>,
    ) -> Result<Kept, StoreError> {
        let before = base.map_or(&[][..], |(version, _)| &version.bytes);
        let failed = |source| {
            StoreError::from(FsError::new(
                crate::fs::Operation::Write,
                path,
                crate::fs::Fault::Io(source),
            ))
        };
        let compressed = compress(bytes, before).map_err(failed)?;
        let entry = Entry {
            operation: self.operation,
            path: path.clone(),
            base: base.map(|(version, _)| version.at),
            nth: base.map(|(_, nth)| nth),
            length: compressed.len() as u64,
            size: bytes.len() as u64,
            sum: Fingerprint::of(&compressed),
            head: None,
        };
        let entry = entry.sealed()?;
        let described = serde_json::to_vec(&entry)?;
        let kept = Kept {
            pack: self.pack,
            offset: self.start + self.bytes.len() as u64,
        };
        let length = u32::try_from(described.len()).unwrap_or(u32::MAX);
        self.bytes.extend(SKIPPABLE);
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(described);
        self.bytes.extend(compressed);
        Ok(kept)
    }
}

fn length(fs: &dyn FileSystem, pack: u32) -> Result<u64, FsError> {
    Ok(fs.metadata(&layout::pack(pack))?.map_or(0, |meta| meta.len))
}

fn compress(bytes: &[u8], base: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::with_ref_prefix(Vec::new(), LEVEL, base)?;
    encoder.set_pledged_src_size(Some(bytes.len() as u64))?;
    encoder.window_log(window(bytes.len() + base.len()))?;
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn expand(compressed: &[u8], base: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut decoder = zstd::Decoder::with_ref_prefix(compressed, base)?;
    decoder.window_log_max(MAX_WINDOW)?;
    let mut bytes = Vec::new();
    decoder.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Largest window of a frame, as a power of two.
const MAX_WINDOW: u32 = 27;

/// The window that reaches over the base and the content.
fn window(size: usize) -> u32 {
    let reach = size.max(1).next_power_of_two().trailing_zeros();
    reach.clamp(10, MAX_WINDOW)
}

fn damaged(at: Kept, reason: &str) -> StoreError {
    StoreError::PackDamaged {
        path: layout::pack(at.pack),
        offset: at.offset,
        reason: reason.to_owned(),
    }
}
