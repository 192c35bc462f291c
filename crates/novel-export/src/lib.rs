//! A book as `txt`, Markdown, EPUB 3 or DOCX.
//!
//! Invariants:
//! - Text comes from [`ChapterSource`] alone, one chapter at a time. Of an EPUB
//!   or a DOCX the packed pages stay in memory until the last is known, else nothing does.
//! - The same chapters and the same [`BookInfo`] give the same bytes.
//! - A chapter that cannot be had ends the export with an error that names
//!   it; what was written until then is to be thrown away by the caller.

mod archive;
mod docx;
mod epub;
mod error;
mod headings;
mod info;
mod inline;
mod plain;
mod walk;

use std::{fmt, io::Write, ops::RangeInclusive, str::FromStr};

use novel_model::{ChapterNo, files::GeneratedChapter};

pub use error::{ChapterFault, ExportError};
pub use info::{BookInfo, Cover, ImageType, VolumeInfo};

/// What a book can be exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportFormat {
    /// Plain text.
    Txt,
    /// Markdown.
    Md,
    /// EPUB 3.
    Epub,
    /// A manuscript for a word processor.
    Docx,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Txt, Self::Md, Self::Epub, Self::Docx];

    /// The word on the command line, which is also the end of the file name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Md => "md",
            Self::Epub => "epub",
            Self::Docx => "docx",
        }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for ExportFormat {
    type Err = ExportError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.word() == text)
            .ok_or_else(|| ExportError::UnknownFormat {
                text: text.to_owned(),
            })
    }
}

/// Where the chapters come from: `chapters/chapter_NNN.json`, read and checked by the caller.
pub trait ChapterSource {
    /// The chapter with this number.
    ///
    /// # Errors
    /// When it is missing or damaged: [`ExportError::chapter`].
    fn chapter(&mut self, number: ChapterNo) -> Result<GeneratedChapter, ExportError>;
}

/// What was exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportReport {
    /// Number of chapters.
    pub chapters: u32,
    /// Sum of the chapters' word counts.
    pub words: u64,
    /// Size of the file.
    pub bytes: u64,
}

/// Writes the chapters in `range` as one book.
///
/// # Errors
/// When the range is empty, a chapter cannot be had or is another one than
/// asked for, or `out` cannot be written. EPUB only: when [`BookInfo::modified`]
/// is no time in UTC, or the book has more than 4 GB or some 65,000 pages.
pub fn export(
    format: ExportFormat,
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    out: &mut dyn Write,
) -> Result<ExportReport, ExportError> {
    match format {
        ExportFormat::Txt => plain::export(plain::Style::Text, info, range, source, out),
        ExportFormat::Md => plain::export(plain::Style::Markdown, info, range, source, out),
        ExportFormat::Epub => epub::export(info, range, source, out),
        ExportFormat::Docx => docx::export(info, range, source, out),
    }
}

#[cfg(test)]
mod sample;

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
