//! Plain text and Markdown.
//!
//! Markdown prose goes through as it is: the scenes of a chapter are Markdown
//! already. Plain text is the same without the marks of emphasis, because it
//! has no other way to show them.

use std::{io::Write, ops::RangeInclusive};

use novel_model::{ChapterNo, Lang, files::GeneratedChapter};
use novel_text::{SCENE_SEPARATOR, normalize_scene};

use crate::{
    BookInfo, ChapterSource, ExportError, ExportReport, VolumeInfo,
    headings::{author_line, chapter_heading, volume_heading},
    inline,
    walk::{Sink, walk},
};

/// Which of the two.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    Text,
    Markdown,
}

/// Writes the book.
pub(crate) fn export<W: Write + ?Sized>(
    style: Style,
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    out: &mut W,
) -> Result<ExportReport, ExportError> {
    let mut writer = Writer {
        style,
        lang: info.language,
        out,
        bytes: 0,
    };
    writer.title_page(info)?;
    let walked = walk(info, range, source, &mut writer)?;
    let bytes = writer.bytes;
    out.flush()?;
    Ok(ExportReport {
        chapters: walked.chapters,
        words: walked.words,
        bytes,
    })
}

struct Writer<'a, W: ?Sized> {
    style: Style,
    lang: Lang,
    out: &'a mut W,
    bytes: u64,
}

impl<W: Write + ?Sized> Writer<'_, W> {
    fn title_page(&mut self, info: &BookInfo) -> Result<(), ExportError> {
        let mut text = self.heading(Level::Book, &info.shown_title());
        if let Some(author) = info.shown_author() {
            text.push('\n');
            text.push_str(&author_line(&author, self.lang));
            text.push('\n');
        }
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<(), ExportError> {
        self.out.write_all(text.as_bytes())?;
        self.bytes += text.len() as u64;
        Ok(())
    }

    /// A heading and its line end, with what sets it off from the text before.
    fn heading(&self, level: Level, text: &str) -> String {
        let (space, marks) = match (self.style, level) {
            (Style::Text, Level::Book) => ("", ""),
            (Style::Text, Level::Volume | Level::Chapter) => ("\n\n", ""),
            (Style::Markdown, Level::Book) => ("", "# "),
            (Style::Markdown, Level::Volume) => ("\n", "## "),
            (Style::Markdown, Level::Chapter) => ("\n", "### "),
        };
        format!("{space}{marks}{text}\n")
    }

    fn separator(&self) -> &'static str {
        match (self.style, self.lang) {
            (Style::Markdown, _) => SCENE_SEPARATOR,
            // Set in to about the middle of a line of forty characters.
            (Style::Text, Lang::Zh) => "　　　　　　　　＊　＊　＊",
            (Style::Text, Lang::En) => "                *  *  *",
        }
    }
}

#[derive(Clone, Copy)]
enum Level {
    Book,
    Volume,
    Chapter,
}

impl<W: Write + ?Sized> Sink for Writer<'_, W> {
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError> {
        let heading = volume_heading(volume.number, volume.title.as_deref(), self.lang);
        self.put(&self.heading(Level::Volume, &heading))
    }

    fn no_volume(&mut self) {}

    fn chapter(&mut self, chapter: &GeneratedChapter) -> Result<(), ExportError> {
        let heading = chapter_heading(chapter.chapter_number, &chapter.chapter_title, self.lang);
        let mut text = self.heading(Level::Chapter, &heading);
        let mut between = String::new();
        for scene in &chapter.scenes {
            let scene = normalize_scene(&scene.content);
            if scene.is_empty() {
                continue;
            }
            text.push_str(&between);
            text.push('\n');
            match self.style {
                Style::Markdown => text.push_str(&scene),
                Style::Text => text.push_str(&without_emphasis(&scene)),
            }
            text.push('\n');
            between = format!("\n{}\n", self.separator());
        }
        self.put(&text)
    }
}

fn without_emphasis(scene: &str) -> String {
    let lines: Vec<String> = scene
        .split('\n')
        .map(|line| {
            inline::parse(line)
                .iter()
                .filter_map(|piece| match piece {
                    inline::Piece::Text(text) => Some(*text),
                    inline::Piece::Open(_) | inline::Piece::Close(_) => None,
                })
                .collect()
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
