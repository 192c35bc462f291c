use proptest::prelude::*;
use roxmltree::{Document, Node, ParsingOptions};

use super::*;
use crate::sample::{chapter as sample_chapter, chinese};

pub(crate) fn xml(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn all_text(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter_map(|node| node.text().filter(|_| node.is_text()))
        .collect()
}

fn page(title: &str, scenes: &[&str]) -> String {
    let chapter_file = sample_chapter(1, title, scenes);
    chapter(&chinese().0, title, &chapter_file.scenes)
}

/// The paragraphs of a page, as tag names and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let document = xml(page);
    let section = document
        .descendants()
        .find(|node| node.has_tag_name("section"))
        .unwrap();
    section
        .children()
        .filter(Node::is_element)
        .map(|node| (node.tag_name().name().to_owned(), all_text(node)))
        .collect()
}

#[test]
fn lines_are_paragraphs_and_scenes_are_set_apart() {
    let page = page("T", &["　　甲\n乙\r\n\r\n\t丙　", " \n", "丁"]);
    let expected = [
        ("h1", "T"),
        ("p", "甲"),
        ("p", "乙"),
        ("p", "丙"),
        ("hr", ""),
        ("p", "丁"),
    ];
    let shown = blocks(&page);
    let shown: Vec<(&str, &str)> = shown
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(shown, expected);
    assert!(page.contains("<hr class=\"scene\"/>"));
}

#[test]
fn markup_in_prose_is_text() {
    let page = page(
        "T",
        &["<script>alert('x')</script> &amp; ]]> <!-- **<b>** -->"],
    );
    let document = xml(&page);
    assert!(
        !document
            .descendants()
            .any(|node| node.has_tag_name("script"))
    );
    let strong = document
        .descendants()
        .find(|node| node.has_tag_name("strong"))
        .unwrap();
    assert_eq!(all_text(strong), "<b>");
    assert_eq!(
        blocks(&page)[1].1,
        "<script>alert('x')</script> &amp; ]]> <!-- <b> -->"
    );
}

#[test]
fn a_chapter_without_text_is_a_page_too() {
    assert_eq!(blocks(&page("T", &[])), [("h1".to_owned(), "T".to_owned())]);
}

proptest! {
    #[test]
    fn any_text_gives_a_well_formed_page_and_loses_nothing(
        title in any::<String>(),
        scenes in proptest::collection::vec("(\\PC|[\\x00-\\x20<>&*\"'\\]\\\\\u{85}\u{2028}\u{FEFF}\u{FFFE}\u{FFFF}]){0,60}", 0..4),
    ) {
        let scenes: Vec<&str> = scenes.iter().map(String::as_str).collect();
        let shown = blocks(&page(&title, &scenes));
        let legal = |text: &str| -> String { text.chars().filter(|c| is_xml_char(*c)).collect() };
        // What emphasis may take away, and nothing else, is left out of the comparison.
        let plain = |text: &str| text.replace(['*', '\\'], "");
        let paragraphs: Vec<String> = shown
            .iter()
            .filter(|(tag, _)| tag == "p")
            .map(|(_, text)| plain(text))
            .collect();
        let lines: Vec<String> = scenes
            .iter()
            .flat_map(|scene| {
                let scene = legal(scene).replace("\r\n", "\n");
                scene.split(['\n', '\r']).map(|line| plain(line.trim())).collect::<Vec<_>>()
            })
            .collect();
        let filled = |texts: Vec<String>| -> Vec<String> {
            texts.into_iter().filter(|text| !text.is_empty()).collect()
        };
        prop_assert_eq!(filled(paragraphs), filled(lines));
    }
}
