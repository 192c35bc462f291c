//! EPUB: the pages of the spine, in order, as lines.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};

use novel_model::{Message, Warning, counted, message};
use roxmltree::{Document, Node, ParsingOptions};
use zip::ZipArchive;

use crate::{
    ImportError, Imported, book, html,
    lines::{Line, trimmed},
    marks::Hints,
    pattern::HeadingPattern,
};

/// All pages of a book together are not larger; an archive that unpacks to more is refused.
const LIMIT: u64 = 128 * 1024 * 1024;

pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

pub(crate) fn import(
    name: &str,
    bytes: &[u8],
    heading: Option<&HeadingPattern>,
) -> Result<Imported, ImportError> {
    let broken = |why: Message| ImportError::BrokenEpub {
        name: name.to_owned(),
        why,
    };
    let mut package = Package::open(bytes).map_err(broken)?;
    let (lines, mut hints, images) = package.pages().map_err(broken)?;
    hints.heading = heading.cloned();
    let mut imported = book::assemble(name, lines, &hints)?;
    imported.encoding = "EPUB".to_owned();
    if images > 0 {
        let counted = counted(images, "image");
        imported.warnings.push(Warning::new(
            "images_left_out",
            message!(
                en: "left out {counted}", zh: "略去了 {images} 张图片"
            ),
        ));
    }
    Ok(imported)
}

/// An opened EPUB.
struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Path of the package document.
    path: String,
    /// The package document.
    opf: String,
    left: u64,
}

impl<'a> Package<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, Message> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(
            |error| message!(en: "the archive is damaged ({error})", zh: "压缩包已损坏（{error}）"),
        )?;
        let mut package = Self {
            archive,
            path: String::new(),
            opf: String::new(),
            left: LIMIT,
        };
        let Ok(container) = package.read("META-INF/container.xml") else {
            return Err(message!(
                en: "it is an archive of something else", zh: "它是其他内容的压缩包"
            ));
        };
        let container = parse("META-INF/container.xml", &container)?;
        let path = container
            .descendants()
            .find(|node| node.tag_name().name() == "rootfile")
            .and_then(|node| node.attribute("full-path"))
            .map(str::to_owned);
        package.path =
            path.ok_or_else(|| message!(en: "it names no package document", zh: "没有指明包文档"))?;
        package.opf = package.read(&package.path.clone())?;
        Ok(package)
    }

    fn read(&mut self, path: &str) -> Result<String, Message> {
        let missing = || message!(en: "`{path}` is not in it", zh: "其中没有 `{path}`");
        let file = self.archive.by_name(path).map_err(|_| missing())?;
        let mut bytes = Vec::new();
        let read = file.take(self.left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| {
            message!(en: "`{path}` cannot be unpacked ({error})", zh: "`{path}` 无法解压（{error}）")
        })?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(
            || message!(en: "it unpacks to more than any book has", zh: "解压后的内容远超一部书"),
        )?;
        let text = String::from_utf8(bytes)
            .map_err(|_| message!(en: "`{path}` is not UTF-8", zh: "`{path}` 不是 UTF-8 编码"))?;
        Ok(match text.strip_prefix('\u{FEFF}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }

    /// The lines of all pages, what the package knows about them, and the number of images.
    fn pages(&mut self) -> Result<(Vec<Line>, Hints, usize), Message> {
        let text = self.opf.clone();
        let opf = parse(&self.path, &text)?;
        let titles = self.titles(&opf);
        let mut items: BTreeMap<&str, Node<'_, '_>> = BTreeMap::new();
        for node in opf.descendants().filter(|node| is(node, "item")) {
            if let Some(id) = node.attribute("id") {
                items.entry(id).or_insert(node);
            }
        }
        let mut hints = Hints {
            title: metadata(&opf, "title"),
            author: metadata(&opf, "creator"),
            heading: None,
            documents: Vec::new(),
        };
        let (mut lines, mut images) = (Vec::new(), 0);
        for reference in opf.descendants().filter(|node| is(node, "itemref")) {
            let idref = reference.attribute("idref");
            let Some(entry) = idref.and_then(|id| items.get(id)) else {
                continue;
            };
            let properties = entry.attribute("properties").unwrap_or_default();
            let (Some(href), false) = (
                entry.attribute("href"),
                properties.split_whitespace().any(|word| word == "nav"),
            ) else {
                continue;
            };
            let path = beside(&self.path, href);
            let page = self.read(&path)?;
            let title = titles.get(&path).cloned();
            hints.documents.push((lines.len(), title));
            let (more, pictures) = html::lines(&page);
            lines.extend(more);
            lines.push(Line::plain(""));
            images += pictures;
        }
        if hints.documents.is_empty() {
            return Err(message!(en: "its reading order is empty", zh: "阅读顺序为空"));
        }
        Ok((lines, hints, images))
    }

    /// Pages and their titles, from the table of contents of either kind; the first title wins.
    fn titles(&mut self, opf: &Document<'_>) -> BTreeMap<String, String> {
        let mut titles = BTreeMap::new();
        for entry in opf.descendants().filter(|node| is(node, "item")) {
            let kind = entry.attribute("media-type").unwrap_or_default();
            let properties = entry.attribute("properties").unwrap_or_default();
            let is_contents = kind == "application/x-dtbncx+xml" || properties.contains("nav");
            let Some(href) = entry.attribute("href").filter(|_| is_contents) else {
                continue;
            };
            let path = beside(&self.path, href);
            // A book can be read without its table of contents.
            let Ok(text) = self.read(&path) else { continue };
            let Ok(contents) = parse(&path, &text) else {
                continue;
            };
            for node in contents.descendants() {
                let (target, label) = if is(&node, "a") {
                    (node.attribute("href"), words(node))
                } else if is(&node, "navPoint") {
                    let content = node.descendants().find(|node| is(node, "content"));
                    let label = node.descendants().find(|node| is(node, "navLabel"));
                    (
                        content.and_then(|content| content.attribute("src")),
                        label.map(words).unwrap_or_default(),
                    )
                } else {
                    continue;
                };
                let target = target
                    .unwrap_or_default()
                    .split('#')
                    .next()
                    .unwrap_or_default();
                let page = beside(&path, target);
                if !label.is_empty() {
                    titles.entry(page).or_insert(label);
                }
            }
        }
        titles
    }
}

fn parse<'a>(path: &str, text: &'a str) -> Result<Document<'a>, Message> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(
        |error| message!(en: "`{path}` is not XML ({error})", zh: "`{path}` 不是 XML（{error}）"),
    )
}

fn is(node: &Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

fn words(node: Node<'_, '_>) -> String {
    let text: String = node
        .descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn metadata(opf: &Document<'_>, name: &str) -> Option<String> {
    let node = opf.descendants().find(|node| is(node, name))?;
    let text = words(node);
    (!trimmed(&text).is_empty()).then_some(text)
}

/// `href` as seen from the file at `path`; percent signs and dots resolved.
fn beside(path: &str, href: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    let href = percent_decoded(href);
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
