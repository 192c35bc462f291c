//! The pages a reader sees, as XHTML.
//!
//! Every text passes through [`escape`]: prose cannot become markup, apart
//! from emphasis, and a page is well-formed whatever a chapter holds.

use novel_model::{Lang, files::GeneratedScene};
use novel_text::normalize_scene;

use crate::{
    BookInfo, Cover,
    headings::{author_line, is_xml_char, push_xml},
    inline::{self, Piece, Tag},
};

use super::package::cover_file;

/// The language of the book as the standard writes it.
pub(super) fn language_tag(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    }
}

/// A chapter: every line that is not blank is a paragraph.
pub(super) fn chapter(info: &BookInfo, heading: &str, scenes: &[GeneratedScene]) -> String {
    let mut body = format!(
        "<section class=\"chapter\" epub:type=\"chapter\">\n<h1>{}</h1>\n",
        escape(heading)
    );
    let scenes = scenes.iter().map(|scene| paragraphs(&scene.content));
    let shown: Vec<String> = scenes.filter(|scene| !scene.is_empty()).collect();
    body.push_str(&shown.join("<hr class=\"scene\"/>\n"));
    body.push_str("</section>\n");
    document(info.language, heading, &body)
}

/// The page that opens a volume.
pub(super) fn part(info: &BookInfo, heading: &str) -> String {
    let body = format!(
        "<section class=\"part\" epub:type=\"part\">\n<h1>{}</h1>\n</section>\n",
        escape(heading)
    );
    document(info.language, heading, &body)
}

/// The page with title and author.
pub(super) fn title(info: &BookInfo) -> String {
    let title = info.shown_title();
    let author = info.shown_author().map(|author| {
        let line = author_line(&author, info.language);
        format!("<p>{}</p>\n", escape(&line))
    });
    let body = format!(
        "<section class=\"title\" epub:type=\"titlepage\">\n<h1>{}</h1>\n{}</section>\n",
        escape(&title),
        author.unwrap_or_default(),
    );
    document(info.language, &title, &body)
}

/// The page with the cover picture.
pub(super) fn cover(info: &BookInfo, cover: &Cover) -> String {
    let title = info.shown_title();
    let body = format!(
        "<section class=\"cover\" epub:type=\"cover\">\n<img src=\"{}\" alt=\"{}\"/>\n</section>\n",
        cover_file(cover),
        escape(&title),
    );
    document(info.language, &title, &body)
}

/// A page with this body.
pub(super) fn document(lang: Lang, title: &str, body: &str) -> String {
    let (tag, title) = (language_tag(lang), escape(title));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{tag}" xml:lang="{tag}">
<head>
<meta charset="UTF-8"/>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}</body>
</html>
"#
    )
}

/// Text as it stands in an element or an attribute: no markup, no character that XML forbids.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    push_escaped(&mut escaped, text);
    escaped
}

fn push_escaped(out: &mut String, text: &str) {
    push_xml(out, text);
}

fn paragraphs(scene: &str) -> String {
    let legal: String = scene.chars().filter(|char| is_xml_char(*char)).collect();
    let scene = normalize_scene(&legal);
    let mut html = String::with_capacity(scene.len() + scene.len() / 8);
    // The style sheet sets paragraphs in: spaces typed for that would double it.
    for line in scene.lines().map(str::trim).filter(|line| !line.is_empty()) {
        html.push_str("<p>");
        for piece in inline::parse(line) {
            match piece {
                Piece::Text(text) => push_escaped(&mut html, text),
                Piece::Open(Tag::Em) => html.push_str("<em>"),
                Piece::Open(Tag::Strong) => html.push_str("<strong>"),
                Piece::Close(Tag::Em) => html.push_str("</em>"),
                Piece::Close(Tag::Strong) => html.push_str("</strong>"),
            }
        }
        html.push_str("</p>\n");
    }
    html
}

#[cfg(test)]
#[path = "page_tests.rs"]
pub(super) mod tests;
