//! The ZIP container of an EPUB or a DOCX.
//!
//! Entries are packed in memory, a few megabytes for a thousand chapters: an entry then has its
//! sizes in front of it, as readers that cannot seek need it, and `out` sees nothing of a book that
//! fails half way. Entries carry no time of their own: equal entries give equal bytes.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipError, write::SimpleFileOptions};

use crate::ExportError;

/// The largest count and the largest offset that the format holds without its 64-bit extension.
const MAX_ENTRIES: usize = 0xFFFE;
const MAX_SIZE: u64 = 0xFFFF_FFFE;

/// How an entry is packed.
#[derive(Clone, Copy)]
pub(crate) enum Packing {
    Stored,
    Deflated,
}

/// An archive that is being written.
pub(crate) struct Archive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    entries: usize,
}

impl Archive {
    pub(crate) fn new() -> Self {
        Self {
            zip: ZipWriter::new(Cursor::new(Vec::new())),
            entries: 0,
        }
    }

    /// Adds a file. `name` is an ASCII path with `/`.
    pub(crate) fn add(
        &mut self,
        name: &str,
        bytes: &[u8],
        packing: Packing,
    ) -> Result<(), ExportError> {
        if self.entries == MAX_ENTRIES {
            return Err(ExportError::TooLarge);
        }
        self.entries += 1;
        let options = SimpleFileOptions::default()
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let options = match packing {
            Packing::Stored => options.compression_method(CompressionMethod::Stored),
            Packing::Deflated => options
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(6)),
        };
        self.zip.start_file(name, options).map_err(not_packed)?;
        self.zip.write_all(bytes)?;
        Ok(())
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, path: &str, text: &str) -> Result<(), ExportError> {
        self.add(path, text.as_bytes(), Packing::Deflated)
    }

    /// Writes the archive to `out`; gives its size.
    pub(crate) fn finish<W: Write + ?Sized>(self, out: &mut W) -> Result<u64, ExportError> {
        let bytes = self.zip.finish().map_err(not_packed)?.into_inner();
        let size = bytes.len() as u64;
        if size > MAX_SIZE {
            return Err(ExportError::TooLarge);
        }
        out.write_all(&bytes)?;
        out.flush()?;
        Ok(size)
    }
}

/// Memory takes every write, so what the library refuses is a size the format does not hold.
fn not_packed(error: ZipError) -> ExportError {
    match error {
        ZipError::Io(source) => source.into(),
        _ => ExportError::TooLarge,
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
