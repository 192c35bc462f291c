use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::{
    ExportFormat,
    sample::{bytes, chinese, english, range},
};

fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// Style and text of every paragraph.
fn paragraphs(document: &str) -> Vec<(String, String)> {
    let tree = roxmltree::Document::parse(document).unwrap();
    let paragraphs = tree
        .descendants()
        .filter(|node| node.tag_name().name() == "p");
    paragraphs
        .map(|paragraph| {
            let style = paragraph
                .descendants()
                .find(|node| node.tag_name().name() == "pStyle")
                .and_then(|node| {
                    node.attributes()
                        .next()
                        .map(|value| value.value().to_owned())
                });
            let text = paragraph
                .descendants()
                .filter(|node| node.tag_name().name() == "t")
                .filter_map(|node| node.text())
                .collect();
            (style.unwrap_or_default(), text)
        })
        .collect()
}

#[test]
fn a_manuscript_has_title_volumes_chapters_and_scenes() {
    let (bytes, report) = bytes(ExportFormat::Docx, chinese(), range(1, 4));
    assert_eq!(report.chapters, 4);
    assert_eq!(report.bytes, bytes.len() as u64);
    let shown = paragraphs(&part(&bytes, "word/document.xml"));
    let shown: Vec<(&str, &str)> = shown
        .iter()
        .map(|(style, text)| (style.as_str(), text.as_str()))
        .collect();
    assert_eq!(
        shown[..8],
        [
            ("Title", "雾城"),
            ("Subtitle", "作者：林深"),
            ("Heading1", "第一卷 雨夜来客"),
            ("Heading2", "第 1 章 夜雨"),
            ("", "雨下了一夜。"),
            ("", "“走吧。”他说，再不走就来不及了。"),
            ("SceneBreak", "＊　＊　＊"),
            ("", "天亮时，城门上多了一行字：<我回来了 & 不走了>。"),
        ]
    );
    assert_eq!(shown.last(), Some(&("", "雾散了。")));
}

#[test]
fn every_part_is_well_formed_and_the_bytes_are_the_same_every_time() {
    for book in [chinese, english] {
        let last = book().0.volumes.last().unwrap().last.get();
        let (one, _) = bytes(ExportFormat::Docx, book(), range(1, last));
        let (other, _) = bytes(ExportFormat::Docx, book(), range(1, last));
        assert_eq!(one, other);
        let mut archive = ZipArchive::new(Cursor::new(&one)).unwrap();
        let names: Vec<String> = archive
            .file_names()
            .map(|name| name.unwrap().into_owned())
            .collect();
        assert!(names.contains(&"[Content_Types].xml".to_owned()));
        for name in names {
            let mut text = String::new();
            archive
                .by_name(&name)
                .unwrap()
                .read_to_string(&mut text)
                .unwrap();
            roxmltree::Document::parse(&text).unwrap();
        }
    }
}

#[test]
fn emphasis_is_set_and_text_is_no_markup() {
    let (bytes, _) = bytes(ExportFormat::Docx, english(), range(1, 2));
    let document = part(&bytes, "word/document.xml");
    assert!(document.contains("<w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">Now</w:t>"));
    assert!(document.contains("<w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">Now</w:t>"));
    assert!(document.contains("&lt;b&gt;Don&#39;t"));
    assert!(document.contains("<w:pStyle w:val=\"SceneBreak\"/>"));
}
