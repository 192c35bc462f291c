//! A ZIP archive, written from front to back.
//!
//! Each entry is packed in memory and then written with its sizes in front,
//! so the output need not seek, and readers that do not seek either can follow.
//! Entries carry no time of their own: equal entries give equal bytes.
//!
//! Nothing is written on drop: an archive that was not finished has no
//! directory and can not be taken for a whole one.

use std::io::{self, Write};

use flate2::{Compression, Crc, write::DeflateEncoder};

use crate::ExportError;

/// The largest count and the largest offset that the format holds without its 64-bit extension.
const MAX_ENTRIES: usize = 0xFFFE;
const MAX_OFFSET: u64 = 0xFFFF_FFFE;

/// First of January 1980, the zero of the format.
const DATE: u16 = 1 << 5 | 1;
/// Deflate, and no flag: names are ASCII.
const VERSION: u16 = 20;
/// An ordinary file that all may read, as Unix writes it.
const MADE_BY_UNIX: u16 = 3 << 8 | VERSION;
const ORDINARY_FILE: u32 = 0o100_644 << 16;

/// How an entry is packed.
#[derive(Clone, Copy)]
pub(super) enum Packing {
    Stored = 0,
    Deflated = 8,
}

/// An archive that is being written.
pub(super) struct Archive<'a, W: Write + ?Sized> {
    out: &'a mut W,
    written: u64,
    entries: usize,
    directory: Vec<u8>,
    /// Kept from entry to entry: its tables are larger than most chapters.
    encoder: DeflateEncoder<Vec<u8>>,
}

impl<'a, W: Write + ?Sized> Archive<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Self {
            out,
            written: 0,
            entries: 0,
            directory: Vec::new(),
            encoder: DeflateEncoder::new(Vec::new(), Compression::new(6)),
        }
    }

    /// Adds a file. `name` is an ASCII path with `/`.
    pub(super) fn add(
        &mut self,
        name: &str,
        bytes: &[u8],
        packing: Packing,
    ) -> Result<(), ExportError> {
        if self.entries == MAX_ENTRIES {
            return Err(ExportError::TooLarge);
        }
        let deflated;
        let packed = match packing {
            Packing::Stored => bytes,
            Packing::Deflated => {
                self.encoder.write_all(bytes)?;
                deflated = self.encoder.reset(Vec::new())?;
                &deflated
            }
        };
        let mut crc = Crc::new();
        crc.update(bytes);

        // The same fields stand before the entry and in the directory.
        let mut fields = Vec::with_capacity(26);
        put16(&mut fields, VERSION);
        put16(&mut fields, 0); // flags
        put16(&mut fields, packing as u16);
        put16(&mut fields, 0); // time of day
        put16(&mut fields, DATE);
        put32(&mut fields, crc.sum());
        put32(&mut fields, fit(packed.len() as u64)?);
        put32(&mut fields, fit(bytes.len() as u64)?);
        put16(
            &mut fields,
            u16::try_from(name.len()).map_err(|_| ExportError::TooLarge)?,
        );
        put16(&mut fields, 0); // extra fields

        let offset = fit(self.written)?;
        self.put(&[b"PK\x03\x04", &fields[..], name.as_bytes()].concat())?;
        self.put(packed)?;

        self.entries += 1;
        self.directory.extend(b"PK\x01\x02");
        put16(&mut self.directory, MADE_BY_UNIX);
        self.directory.extend(fields);
        put16(&mut self.directory, 0); // comment
        put16(&mut self.directory, 0); // disk
        put16(&mut self.directory, 0); // internal attributes
        put32(&mut self.directory, ORDINARY_FILE);
        put32(&mut self.directory, offset);
        self.directory.extend(name.as_bytes());
        Ok(())
    }

    /// Writes the directory; gives the size of the archive.
    pub(super) fn finish(mut self) -> Result<u64, ExportError> {
        let (offset, size) = (fit(self.written)?, fit(self.directory.len() as u64)?);
        let entries = u16::try_from(self.entries).map_err(|_| ExportError::TooLarge)?;
        let mut end = std::mem::take(&mut self.directory);
        end.extend(b"PK\x05\x06");
        put16(&mut end, 0); // this disk
        put16(&mut end, 0); // disk of the directory
        put16(&mut end, entries); // on this disk
        put16(&mut end, entries);
        put32(&mut end, size);
        put32(&mut end, offset);
        put16(&mut end, 0); // comment
        self.put(&end)?;
        self.out.flush()?;
        Ok(self.written)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

fn fit(size: u64) -> Result<u32, ExportError> {
    u32::try_from(size)
        .ok()
        .filter(|_| size <= MAX_OFFSET)
        .ok_or(ExportError::TooLarge)
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
