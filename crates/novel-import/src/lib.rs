//! A novel somebody has already: from bytes to chapters.
//!
//! Pure: bytes in, chapters out. Invariant (property-tested): every line of the source with
//! something to read on it is a heading, a line of the table of contents, a line that names title
//! or author, a line of the frame Project Gutenberg puts around its texts, or stands in exactly one of
//! [`Imported::front`] and the chapters, in the order of the source. Nothing is invented and nothing is
//! lost. Lines that were broken to a width are joined into paragraphs again.

mod book;
mod contents;
mod decode;
mod epub;
mod error;
mod frame;
mod heading;
mod html;
mod lines;
mod marks;
mod numerals;
mod odd;
mod pattern;
mod titles;
mod utf32;
mod volumes;
mod wrapped;

use novel_model::Warning;

pub use decode::EncodingName;
pub use error::ImportError;
pub use odd::{Odd, oddities};
pub use pattern::{BadPattern, HeadingPattern};

/// A novel, split into chapters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// Its title, where the source says so.
    pub title: Option<String>,
    /// Its author, where the source says so.
    pub author: Option<String>,
    /// The lines that said so; they are in no chapter.
    pub metadata: Vec<String>,
    /// What stands before the first chapter and is no heading: a blurb, a note.
    pub front: String,
    /// The volumes, in order; none when the source has none.
    pub volumes: Vec<ImportedVolume>,
    /// The chapters, in order; at least one.
    pub chapters: Vec<ImportedChapter>,
    /// How the bytes were read.
    pub encoding: String,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A volume of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedVolume {
    /// Its heading as it stands in the source.
    pub heading: String,
    /// The heading without its number.
    pub title: String,
}

/// A chapter of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedChapter {
    /// Its volume, by place in [`Imported::volumes`].
    pub volume: Option<usize>,
    /// Its heading as it stands in the source; empty when there is none.
    pub heading: String,
    /// The number in the heading.
    pub number: Option<u32>,
    /// The heading without its number.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// How a source is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The encoding; found out without it.
    pub encoding: Option<EncodingName>,
    /// What the headings of chapters look like; known by what they say without it.
    pub heading: Option<HeadingPattern>,
}

/// Reads one file whose headings are known by what they say.
///
/// # Errors
/// When the bytes are no text, cannot be decoded, or are text but no novel.
pub fn import(
    name: &str,
    bytes: &[u8],
    encoding: Option<EncodingName>,
) -> Result<Imported, ImportError> {
    let heading = None;
    import_as(name, bytes, &Reading { encoding, heading })
}

/// Reads one file.
///
/// # Errors
/// As [`import`].
pub fn import_as(name: &str, bytes: &[u8], reading: &Reading) -> Result<Imported, ImportError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ImportError::Empty {
            name: name.to_owned(),
        });
    }
    if epub::is_zip(bytes) {
        return epub::import(name, bytes, reading.heading.as_ref());
    }
    let decoded = decode::decode(name, bytes, reading.encoding)?;
    let lines = if is_markdown(name) {
        lines::markdown(&decoded.text)
    } else {
        lines::plain(&decoded.text)
    };
    let (lines, frame) = frame::take_out(lines);
    let hints = marks::Hints {
        title: frame.as_ref().and_then(|frame| frame.title.clone()),
        author: frame.as_ref().and_then(|frame| frame.author.clone()),
        heading: reading.heading.clone(),
        ..marks::Hints::default()
    };
    let mut imported = book::assemble(name, lines, &hints)?;
    imported.encoding = decoded.encoding;
    imported.warnings.extend(decoded.warning);
    if let Some(frame) = frame {
        imported.warnings.push(frame.warning());
    }
    wrapped::unwrap(&mut imported);
    Ok(imported)
}

/// Several files as one book, in the order given.
///
/// # Errors
/// The first file that cannot be read.
pub fn import_all(files: &[(String, Vec<u8>)], reading: &Reading) -> Result<Imported, ImportError> {
    let mut parts = Vec::new();
    for (name, bytes) in files {
        parts.push((name.as_str(), import_as(name, bytes, reading)?));
    }
    let mut imported = book::join(parts);
    volumes::divide_long(&mut imported);
    Ok(imported)
}

fn is_markdown(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        ["md", "markdown", "mkd"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "attack_tests.rs"]
mod attack_tests;
