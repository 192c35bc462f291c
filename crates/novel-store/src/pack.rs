//! Packs: where replaced contents are kept.
//!
//! A pack only grows. It is a row of entries, each a skippable Zstandard frame with a description in
//! JSON, followed by a Zstandard frame with the content, so that `zstd -dc` reads what has no base.
//! An entry is compressed against the version of the same file kept before it (its base); after
//! [`MAX_LINKS`] links a version is kept whole. An entry depends on earlier entries alone, never on
//! the file itself, which the author may edit.

use std::io::{Read, Write};

use novel_book::operations::{Fingerprint, Kept};
use novel_model::{RelPath, layout};
use serde::{Deserialize, Serialize};

use crate::{
    error::StoreError,
    fs::{FileSystem, FsError},
};

/// A pack of this size is full; the next one is begun.
const PACK_SIZE: u64 = 64 * 1024 * 1024;

/// Versions of a file that build on each other before one is kept whole.
pub(crate) const MAX_LINKS: u32 = 16;

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
    /// Bytes of the compressed content.
    length: u64,
    /// Bytes of the content.
    size: u64,
    /// Hash of the compressed content.
    sum: Fingerprint,
}

/// A content that is kept, and how many entries it builds on.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) bytes: Vec<u8>,
    pub(crate) links: u32,
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
pub(crate) fn read(files: &(impl ReadAt + ?Sized), at: Kept) -> Result<Version, StoreError> {
    let mut chain = Vec::new();
    let mut next = Some(at);
    while let Some(place) = next {
        let Stored {
            entry, compressed, ..
        } = stored(files, place)?;
        next = entry.base;
        if next.is_some_and(|base| base >= place) {
            return Err(damaged(place, "an entry builds on a later one"));
        }
        chain.push((place, entry, compressed));
    }
    let links = u32::try_from(chain.len())
        .unwrap_or(u32::MAX)
        .saturating_sub(1);
    let mut bytes = Vec::new();
    for (place, entry, compressed) in chain.into_iter().rev() {
        bytes = expand(&compressed, &bytes)
            .ok()
            .filter(|found| found.len() as u64 == entry.size)
            .ok_or_else(|| damaged(place, "the content can not be unpacked"))?;
    }
    Ok(Version { bytes, links })
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
    let read = |offset, len| {
        let bytes = files.read_at(&path, offset, len)?;
        if bytes.len() == len {
            Ok(bytes)
        } else {
            Err(damaged(at, "the pack ends too early"))
        }
    };
    let head = read(at.offset, HEAD)?;
    let (magic, length) = head.split_at(SKIPPABLE.len());
    let length = length.try_into().map_or(0, u32::from_le_bytes) as usize;
    if magic != SKIPPABLE || length > MAX_DESCRIPTION {
        return Err(damaged(at, "no entry begins there"));
    }
    let described = at.offset + HEAD as u64;
    let entry: Entry = serde_json::from_slice(&read(described, length)?)
        .map_err(|error| damaged(at, &format!("its description is damaged: {error}")))?;
    let size = usize::try_from(entry.length).unwrap_or(usize::MAX);
    if entry.length > PACK_SIZE.max(entry.size.saturating_mul(2)) {
        return Err(damaged(at, "its length is impossible"));
    }
    let content = described + length as u64;
    let compressed = read(content, size)?;
    if Fingerprint::of(&compressed) == entry.sum {
        let end = content + entry.length;
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

/// Checks every entry of a pack; returns how many there are.
pub(crate) fn verify(
    files: &(impl ReadAt + ?Sized),
    pack: u32,
    size: u64,
) -> Result<u64, StoreError> {
    let (mut offset, mut entries) = (0, 0);
    while offset < size {
        offset = stored(files, Kept { pack, offset })?.end;
        entries += 1;
    }
    Ok(entries)
}

/// Collects the entries of one transaction.
pub(crate) struct Packer {
    operation: u64,
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

    /// Adds a content; `base` is the version of the same file kept before it.
    pub(crate) fn add(
        &mut self,
        path: &RelPath,
        bytes: &[u8],
        base: Option<(Kept, &Version)>,
    ) -> Result<Kept, StoreError> {
        let before = base.map_or(&[][..], |(_, version)| &version.bytes);
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
            base: base.map(|(at, _)| at),
            length: compressed.len() as u64,
            size: bytes.len() as u64,
            sum: Fingerprint::of(&compressed),
        };
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
