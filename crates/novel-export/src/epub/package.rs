//! The files that tell a reader what the book consists of: package document
//! and both tables of contents.

use novel_model::Lang;

use crate::{BookInfo, Cover};

use super::page::{document, escape, language_tag};

/// A page of the table of contents.
pub(super) struct Entry {
    /// Names the page and its file.
    pub(super) id: String,
    pub(super) heading: String,
}

impl Entry {
    fn file(&self) -> String {
        format!("{}.xhtml", self.id)
    }

    /// The place of the page in the archive.
    pub(super) fn path(&self) -> String {
        format!("EPUB/{}", self.file())
    }
}

/// A volume with its chapters, or chapters that belong to none.
#[derive(Default)]
pub(super) struct Part {
    pub(super) volume: Option<Entry>,
    pub(super) chapters: Vec<Entry>,
}

/// The pages of the book, in order.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) parts: Vec<Part>,
}

impl Contents {
    /// Number of volumes so far.
    pub(super) fn volumes(&self) -> usize {
        self.parts
            .iter()
            .filter(|part| part.volume.is_some())
            .count()
    }

    fn pages(&self) -> impl Iterator<Item = &Entry> {
        self.parts
            .iter()
            .flat_map(|part| part.volume.iter().chain(&part.chapters))
    }
}

/// The name of the cover picture.
pub(super) fn cover_file(cover: &Cover) -> String {
    format!("cover.{}", cover.image_type().extension())
}

/// `nav.xhtml`, the table of contents of EPUB 3.
pub(super) fn nav(info: &BookInfo, contents: &Contents) -> String {
    let (label, start) = match info.language {
        Lang::Zh => ("目录", "正文"),
        Lang::En => ("Contents", "Start of the book"),
    };
    let link = |entry: &Entry| {
        format!(
            "<a href=\"{}\">{}</a>",
            entry.file(),
            escape(&entry.heading)
        )
    };
    let mut list = String::new();
    for part in &contents.parts {
        let chapters = part
            .chapters
            .iter()
            .map(|chapter| format!("<li>{}</li>\n", link(chapter)))
            .collect::<String>();
        match &part.volume {
            Some(volume) => {
                let volume = link(volume);
                list.push_str(&format!("<li>{volume}\n<ol>\n{chapters}</ol>\n</li>\n"));
            }
            None => list.push_str(&chapters),
        }
    }
    let first = contents.pages().next().map(Entry::file).unwrap_or_default();
    let body = format!(
        r#"<nav epub:type="toc" id="toc">
<h1>{label}</h1>
<ol>
{list}</ol>
</nav>
<nav epub:type="landmarks" hidden="hidden">
<ol>
<li><a epub:type="bodymatter" href="{first}">{start}</a></li>
</ol>
</nav>
"#
    );
    document(info.language, label, &body)
}

/// `toc.ncx`, the table of contents of EPUB 2.
pub(super) fn ncx(info: &BookInfo, contents: &Contents) -> String {
    let mut order = 0;
    let mut open_point = |entry: &Entry| {
        order += 1;
        format!(
            "<navPoint id=\"{}\" playOrder=\"{order}\">\n<navLabel><text>{}</text></navLabel>\n<content src=\"{}\"/>\n",
            entry.id,
            escape(&entry.heading),
            entry.file(),
        )
    };
    let mut points = String::new();
    for part in &contents.parts {
        if let Some(volume) = &part.volume {
            points.push_str(&open_point(volume));
        }
        for chapter in &part.chapters {
            points.push_str(&open_point(chapter));
            points.push_str("</navPoint>\n");
        }
        if part.volume.is_some() {
            points.push_str("</navPoint>\n");
        }
    }
    let depth = if contents.volumes() == 0 { 1 } else { 2 };
    let (tag, identifier) = (language_tag(info.language), escape(&info.identifier));
    let title = escape(&info.shown_title());
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="{tag}">
<head>
<meta name="dtb:uid" content="{identifier}"/>
<meta name="dtb:depth" content="{depth}"/>
<meta name="dtb:totalPageCount" content="0"/>
<meta name="dtb:maxPageNumber" content="0"/>
</head>
<docTitle><text>{title}</text></docTitle>
<navMap>
{points}</navMap>
</ncx>
"#
    )
}

/// `package.opf`: metadata, every file, reading order.
pub(super) fn opf(info: &BookInfo, modified: &str, contents: &Contents) -> String {
    let (tag, identifier) = (language_tag(info.language), escape(&info.identifier));
    let mut metadata = format!(
        "<dc:identifier id=\"book-id\">{identifier}</dc:identifier>\n\
         <dc:title>{}</dc:title>\n\
         <dc:language>{tag}</dc:language>\n",
        escape(&info.shown_title()),
    );
    if let Some(author) = info.shown_author() {
        metadata.push_str(&format!("<dc:creator>{}</dc:creator>\n", escape(&author)));
    }
    metadata.push_str(&format!(
        "<meta property=\"dcterms:modified\">{modified}</meta>\n"
    ));

    let mut manifest = String::new();
    let mut spine = String::new();
    let mut add_page = |id: &str| {
        manifest.push_str(&format!(
            "<item id=\"{id}\" href=\"{id}.xhtml\" media-type=\"application/xhtml+xml\"/>\n"
        ));
        spine.push_str(&format!("<itemref idref=\"{id}\"/>\n"));
    };
    if info.cover.is_some() {
        add_page("cover");
    }
    add_page("title");
    for entry in contents.pages() {
        add_page(&entry.id);
    }
    if let Some(cover) = &info.cover {
        // Readers of EPUB 2 know the picture by this line.
        metadata.push_str("<meta name=\"cover\" content=\"cover-image\"/>\n");
        manifest.push_str(&format!(
            "<item id=\"cover-image\" href=\"{}\" media-type=\"{}\" properties=\"cover-image\"/>\n",
            cover_file(cover),
            cover.image_type().media_type(),
        ));
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="{tag}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{metadata}</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
{manifest}</manifest>
<spine toc="ncx">
{spine}</spine>
</package>
"#
    )
}
