//! EPUB 3, with the table of contents of EPUB 2 beside it for old readers.
//!
//! Page after page is packed as its chapter comes in; the archive is written
//! when it is whole. `mimetype` comes first and uncompressed, as the standard asks; the package
//! document comes last, because only then all chapters are known.
//! No clock, no random id: equal input gives equal bytes.

mod package;
mod page;

use std::{io::Write, ops::RangeInclusive};

use novel_model::{ChapterNo, files::GeneratedChapter};

use crate::{
    BookInfo, ChapterSource, ExportError, ExportReport, VolumeInfo,
    archive::{Archive, Packing},
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
pub(crate) fn export<W: Write + ?Sized>(
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    out: &mut W,
) -> Result<ExportReport, ExportError> {
    let modified = info.modified_to_the_second()?;
    let mut archive = Archive::new();
    archive.add("mimetype", MIMETYPE.as_bytes(), Packing::Stored)?;
    archive.text("META-INF/container.xml", CONTAINER)?;
    archive.text("EPUB/style.css", STYLE)?;
    if let Some(cover) = &info.cover {
        archive.add(
            &format!("EPUB/{}", package::cover_file(cover)),
            cover.bytes(),
            Packing::Stored,
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
        bytes: archive.finish(out)?,
    })
}

struct Book<'a> {
    info: &'a BookInfo,
    archive: Archive,
    contents: Contents,
}

impl Sink for Book<'_> {
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError> {
        // Counted, not named after the volume: no two pages may have one name.
        let index = 1 + self.contents.volumes();
        let entry = Entry {
            id: format!("part-{index:02}"),
            heading: volume_heading(volume.number, volume.title.as_deref(), self.info.language),
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

#[cfg(test)]
#[path = "epub_tests.rs"]
mod tests;
