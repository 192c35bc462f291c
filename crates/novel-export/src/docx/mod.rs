//! DOCX: a manuscript as publishers and competitions want it. Title page, every volume and chapter on a
//! new page under a heading of the word processor's own, double-spaced paragraphs set in, page numbers.
//!
//! Office Open XML with the parts every reader needs and no others. No clock but the book's, no random
//! id: equal input gives equal bytes.

mod parts;

use std::{io::Write, ops::RangeInclusive};

use novel_model::{ChapterNo, files::GeneratedChapter};
use novel_text::normalize_scene;

use crate::{
    BookInfo, ChapterSource, ExportError, ExportReport, VolumeInfo,
    archive::Archive,
    headings::{author_line, chapter_heading, is_xml_char, push_xml, volume_heading},
    inline::{self, Piece, Tag},
    walk::{Sink, walk},
};

/// What stands between two scenes.
const SCENE_BREAK: &str = "＊　＊　＊";
const SCENE_BREAK_EN: &str = "#";

/// Writes the book.
pub(crate) fn export<W: Write + ?Sized>(
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    out: &mut W,
) -> Result<ExportReport, ExportError> {
    let modified = info.modified_to_the_second()?;
    let mut book = Book {
        info,
        body: title_page(info),
    };
    let walked = walk(info, range, source, &mut book)?;
    let mut archive = Archive::new();
    archive.text("[Content_Types].xml", parts::CONTENT_TYPES)?;
    archive.text("_rels/.rels", parts::RELATIONSHIPS)?;
    archive.text("docProps/core.xml", &parts::core(info, &modified))?;
    archive.text(
        "word/_rels/document.xml.rels",
        parts::DOCUMENT_RELATIONSHIPS,
    )?;
    archive.text("word/styles.xml", &parts::styles(info.language))?;
    archive.text("word/footer1.xml", parts::FOOTER)?;
    archive.text("word/document.xml", &parts::document(&book.body))?;
    Ok(ExportReport {
        chapters: walked.chapters,
        words: walked.words,
        bytes: archive.finish(out)?,
    })
}

struct Book<'a> {
    info: &'a BookInfo,
    body: String,
}

impl Sink for Book<'_> {
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError> {
        let language = self.info.language;
        let heading = volume_heading(volume.number, volume.title.as_deref(), language);
        paragraph(&mut self.body, Some("Heading1"), &heading);
        Ok(())
    }

    fn no_volume(&mut self) {}

    fn chapter(&mut self, chapter: &GeneratedChapter) -> Result<(), ExportError> {
        let language = self.info.language;
        let heading = chapter_heading(chapter.chapter_number, &chapter.chapter_title, language);
        paragraph(&mut self.body, Some("Heading2"), &heading);
        let mut first = true;
        for scene in &chapter.scenes {
            let lines = lines(&scene.content);
            if lines.is_empty() {
                continue;
            }
            if !std::mem::take(&mut first) {
                let mark = match language {
                    novel_model::Lang::Zh => SCENE_BREAK,
                    novel_model::Lang::En => SCENE_BREAK_EN,
                };
                paragraph(&mut self.body, Some("SceneBreak"), mark);
            }
            for line in &lines {
                prose(&mut self.body, line);
            }
        }
        Ok(())
    }
}

fn title_page(info: &BookInfo) -> String {
    let mut body = String::new();
    paragraph(&mut body, Some("Title"), &info.shown_title());
    if let Some(author) = info.shown_author() {
        let line = author_line(&author, info.language);
        paragraph(&mut body, Some("Subtitle"), &line);
    }
    body
}

/// The paragraphs of a scene; spaces typed to set them in would double it.
fn lines(scene: &str) -> Vec<String> {
    let legal: String = scene.chars().filter(|char| is_xml_char(*char)).collect();
    let scene = normalize_scene(&legal);
    let lines = scene.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

fn paragraph(body: &mut String, style: Option<&str>, text: &str) {
    body.push_str("<w:p>");
    if let Some(style) = style {
        body.push_str(&format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>"));
    }
    run(body, text, Emphasis::default());
    body.push_str("</w:p>\n");
}

/// How a run of text is set.
#[derive(Clone, Copy, Default)]
struct Emphasis {
    soft: bool,
    strong: bool,
}

fn prose(body: &mut String, line: &str) {
    body.push_str("<w:p>");
    let mut emphasis = Emphasis::default();
    for piece in inline::parse(line) {
        match piece {
            Piece::Text(text) => run(body, text, emphasis),
            Piece::Open(Tag::Em) => emphasis.soft = true,
            Piece::Open(Tag::Strong) => emphasis.strong = true,
            Piece::Close(Tag::Em) => emphasis.soft = false,
            Piece::Close(Tag::Strong) => emphasis.strong = false,
        }
    }
    body.push_str("</w:p>\n");
}

fn run(body: &mut String, text: &str, emphasis: Emphasis) {
    body.push_str("<w:r>");
    if emphasis.soft || emphasis.strong {
        body.push_str("<w:rPr>");
        if emphasis.strong {
            body.push_str("<w:b/>");
        }
        if emphasis.soft {
            body.push_str("<w:i/>");
        }
        body.push_str("</w:rPr>");
    }
    body.push_str("<w:t xml:space=\"preserve\">");
    push_xml(body, text);
    body.push_str("</w:t></w:r>");
}

#[cfg(test)]
#[path = "docx_tests.rs"]
mod tests;
