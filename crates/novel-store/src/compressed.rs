//! Texts that are kept compressed: Zstandard frames, one after the other, which `zstdcat` reads.
//!
//! A frame carries a hash of its content, so that damage is found when it is read.

use std::io::{self, Read, Write};

use novel_model::RelPath;

use crate::{
    error::StoreError,
    fs::{Fault, FsError, Operation},
};

/// Compression level: a little better than the usual one and nearly as fast.
const LEVEL: i32 = 6;

/// Largest content that is read; a larger one is no work of this program.
const LIMIT: u64 = 1 << 30;

/// A frame with a text, for the file at `path`.
///
/// # Errors
/// When there is no memory for it.
pub fn compress(path: &RelPath, text: &str) -> Result<Vec<u8>, StoreError> {
    let compressed = || -> io::Result<Vec<u8>> {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(text.len() as u64))?;
        encoder.write_all(text.as_bytes())?;
        encoder.finish()
    };
    let failed = |source| FsError::new(Operation::Write, path, Fault::Io(source));
    Ok(compressed().map_err(failed)?)
}

/// The text of some frames.
///
/// # Errors
/// When they are damaged, or hold no text.
pub fn expand(frames: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    if frames.is_empty() {
        return Ok(text);
    }
    let read = zstd::Decoder::new(frames)?
        .take(LIMIT)
        .read_to_string(&mut text)?;
    if read as u64 == LIMIT {
        return Err(io::Error::other(format!("more than {LIMIT} bytes")));
    }
    Ok(text)
}
