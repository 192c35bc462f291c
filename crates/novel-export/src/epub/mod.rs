//! EPUB 3, with the table of contents of EPUB 2 beside it for old readers.
//!
//! The archive is written by `zip`, entry after entry, rather than by an EPUB
//! library: those at hand build the whole book in memory before the first byte
//! goes out. `mimetype` comes first and uncompressed, as the standard asks;
//! the package document comes last, because only then all chapters are known.
//! No clock, no random id: equal input gives equal bytes.

mod package;
mod page;

use std::{
    io::{self, Seek, Write},
    ops::RangeInclusive,
};

use novel_model::{ChapterNo, files::GeneratedChapter};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::{
    BookInfo, ChapterSource, ExportError, ExportReport, Output, VolumeInfo,
    headings::{chapter_heading, volume_heading},
    walk::{Sink, walk},
};

use package::{Contents, Entry, Part};

const MIMETYPE: &str = "application/epub+zip";
const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"#;
const STYLE: &str = include_str!("style.css");

/// Writes the book.
pub(crate) fn export(
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    out: &mut dyn Output,
) -> Result<ExportReport, ExportError> {
    let modified = info.modified_to_the_second()?;
    let mut archive = Archive::begin(out)?;
    archive.text("META-INF/container.xml", CONTAINER)?;
    archive.text("EPUB/style.css", STYLE)?;
    if let Some(cover) = &info.cover {
        archive.image(
            &format!("EPUB/{}", package::cover_file(cover)),
            cover.bytes(),
        )?;
        archive.text("EPUB/cover.xhtml", &page::cover(info, cover))?;
    }
    archive.text("EPUB/title.xhtml", &page::title(info))?;

    let mut book = Book {
        info,
        archive,
        contents: Contents::default(),
    };
    let walked = walk(info, range, source, &mut book)?;

    let Book {
        mut archive,
        contents,
        ..
    } = book;
    archive.text("EPUB/nav.xhtml", &package::nav(info, &contents))?;
    archive.text("EPUB/toc.ncx", &package::ncx(info, &contents))?;
    archive.text(
        "EPUB/package.opf",
        &package::opf(info, &modified, &contents),
    )?;
    Ok(ExportReport {
        chapters: walked.chapters,
        words: walked.words,
        bytes: archive.finish()?,
    })
}

struct Book<'a, W: Write + Seek> {
    info: &'a BookInfo,
    archive: Archive<W>,
    contents: Contents,
}

impl<W: Write + Seek> Sink for Book<'_, W> {
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError> {
        // Counted, not named after the volume: no two pages may have one name.
        let index = 1 + self.contents.volumes();
        let entry = Entry {
            id: format!("part-{index:02}"),
            heading: volume_heading(volume, self.info.language),
        };
        self.archive
            .text(&entry.path(), &page::part(self.info, &entry.heading))?;
        self.contents.parts.push(Part {
            volume: Some(entry),
            chapters: Vec::new(),
        });
        Ok(())
    }

    fn no_volume(&mut self) {
        self.contents.parts.push(Part::default());
    }

    fn chapter(&mut self, chapter: &GeneratedChapter) -> Result<(), ExportError> {
        let entry = Entry {
            id: format!("chapter-{}", chapter.chapter_number),
            heading: chapter_heading(
                chapter.chapter_number,
                &chapter.chapter_title,
                self.info.language,
            ),
        };
        let page = page::chapter(self.info, &entry.heading, &chapter.scenes);
        self.archive.text(&entry.path(), &page)?;
        if self.contents.parts.is_empty() {
            self.no_volume();
        }
        if let Some(part) = self.contents.parts.last_mut() {
            part.chapters.push(entry);
        }
        Ok(())
    }
}

/// The archive that is being written.
struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Archive<W> {
    fn begin(out: W) -> io::Result<Self> {
        let mut archive = Self {
            zip: ZipWriter::new(out),
        };
        archive.entry("mimetype", MIMETYPE.as_bytes(), CompressionMethod::Stored)?;
        Ok(archive)
    }

    fn text(&mut self, path: &str, text: &str) -> io::Result<()> {
        self.entry(path, text.as_bytes(), CompressionMethod::Deflated)
    }

    /// Pictures are compressed already.
    fn image(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.entry(path, bytes, CompressionMethod::Stored)
    }

    fn entry(&mut self, path: &str, bytes: &[u8], method: CompressionMethod) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.zip.start_file(path, options)?;
        self.zip.write_all(bytes)
    }

    /// Writes the directory of the archive; gives the size of the file.
    fn finish(self) -> io::Result<u64> {
        let mut out = self.zip.finish()?;
        out.flush()?;
        out.stream_position()
    }
}

#[cfg(test)]
#[path = "epub_tests.rs"]
mod tests;
