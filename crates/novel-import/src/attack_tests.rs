//! Sources that nobody wrote to be read.

use std::{
    io::{Cursor, Write},
    time::{Duration, Instant},
};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{ImportError, import};

const SENTENCES: &str = "雨下了一夜。他推开门，看见院子里的灯还亮着。\n";

/// Headings of a source whose every heading must not be compared with every other.
const COUNT: u32 = 20_000;

/// What takes a second or two here would take many minutes if it grew with the square of the source.
const BOUND: Duration = Duration::from_secs(60);

#[expect(clippy::disallowed_methods, reason = "measures how time grows")]
fn timed<T>(act: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = act();
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
    done
}

fn read(source: &str) -> u32 {
    let book = timed(|| import("a.txt", source.as_bytes(), None).unwrap());
    u32::try_from(book.chapters.len()).unwrap()
}

#[test]
fn chapters_take_time_with_their_number_not_its_square() {
    let numbers = 1..=COUNT;
    let heading = |number| format!("第{number}章 标题{number}\n");
    let contents: String = numbers.clone().map(heading).collect();
    let chapters: String = numbers
        .clone()
        .map(|number| format!("{}\n{SENTENCES}\n", heading(number)))
        .collect();
    assert_eq!(read(&chapters), COUNT);
    assert_eq!(read(&format!("目录\n{contents}\n{chapters}")), COUNT);
    // Headings alone, and a volume for each chapter.
    assert_eq!(read(&format!("{contents}{SENTENCES}")), COUNT);
    let volumes: String = numbers
        .map(|number| format!("第{number}卷 卷\n{}{SENTENCES}\n", heading(number)))
        .collect();
    assert_eq!(read(&volumes), COUNT);
}

/// An EPUB of these pages, with a table of contents.
fn epub(pages: impl Iterator<Item = String>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let mut put = |name: &str, bytes: &str| {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes.as_bytes()).unwrap();
    };
    put(
        "META-INF/container.xml",
        r#"<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>"#,
    );
    let (mut items, mut spine, mut nav) = (String::new(), String::new(), String::new());
    for (at, page) in pages.enumerate() {
        put(&format!("p{at}.xhtml"), &page);
        items += &format!("<item id=\"i{at}\" href=\"p{at}.xhtml\"/>");
        spine += &format!("<itemref idref=\"i{at}\"/>");
        nav += &format!("<a href=\"p{at}.xhtml\">页{at}</a>");
    }
    put("nav.xhtml", &format!("<nav>{nav}</nav>"));
    items += "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/>";
    put(
        "a.opf",
        &format!("<package><manifest>{items}</manifest><spine>{spine}</spine></package>"),
    );
    zip.finish().unwrap().into_inner()
}

#[test]
fn an_epub_of_many_pages_takes_time_with_their_number() {
    let pages = (0..COUNT / 4).map(|at| format!("<p>第{at}夜。{SENTENCES}</p>"));
    let bytes = epub(pages);
    let book = timed(|| import("a.epub", &bytes, None).unwrap());
    assert_eq!(book.chapters.len(), COUNT as usize / 4);
}

#[test]
fn a_page_of_nothing_but_marks_takes_time_with_its_length() {
    for mark in ["&", "<", "<!--", "&#", "<p", "<![CDATA["] {
        let page = format!(
            "<p>{}</p><p>{}</p>",
            SENTENCES.repeat(40),
            mark.repeat(100_000)
        );
        let bytes = epub([page].into_iter());
        let read = timed(|| import("a.epub", &bytes, None));
        assert!(read.is_ok(), "{mark}");
    }
}

#[test]
fn an_epub_that_unpacks_to_more_than_any_book_is_refused() {
    let page = "夜".repeat(3 * 1024 * 1024);
    let bytes = epub(vec![page; 16].into_iter());
    assert!(bytes.len() < 2 * 1024 * 1024, "{}", bytes.len());
    let refused = import("a.epub", &bytes, None);
    assert!(matches!(refused, Err(ImportError::BrokenEpub { .. })));
}

#[test]
fn entities_that_grow_without_end_and_elements_without_bottom_are_refused() {
    let mut entities = String::from("<!ENTITY a0 \"夜夜夜夜夜夜夜夜夜夜\">");
    for at in 1..12 {
        let before = format!("&a{};", at - 1).repeat(10);
        entities += &format!("<!ENTITY a{at} \"{before}\">");
    }
    let laughs = format!("<!DOCTYPE x [{entities}]><container>&a11;</container>");
    let deep = format!("<container>{}", "<a>".repeat(200_000));
    for container in [laughs, deep] {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        zip.start_file("META-INF/container.xml", options).unwrap();
        zip.write_all(container.as_bytes()).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let refused = import("a.epub", &bytes, None);
        assert!(matches!(refused, Err(ImportError::BrokenEpub { .. })));
    }
}

#[test]
fn a_nul_never_becomes_prose() {
    let text = format!("第一章 夜\n\n{}", SENTENCES.repeat(300));
    let named = crate::EncodingName::parse("utf-8").unwrap();
    let nul = text.replacen('门', "\0", 1);
    // Past the part that is looked at to tell binary data.
    let late = format!("{text}\0");
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [nul.as_bytes(), late.as_bytes()] {
        for encoding in [None, Some(named)] {
            let refused = import("a.txt", bytes, encoding);
            let is_refused = matches!(
                refused,
                Err(ImportError::Nul { .. } | ImportError::NotText { .. })
            );
            assert!(is_refused, "{refused:?}");
        }
    }
    // UTF-16 that is said to be something else.
    let refused = import("a.txt", &units, Some(named));
    assert!(
        matches!(refused, Err(ImportError::Nul { .. })),
        "{refused:?}"
    );
    for page in ["<h1>第一章</h1><p>夜\0</p>", "<h1>第一章</h1><p>夜&#0;</p>"] {
        let refused = import("a.epub", &epub([page.to_owned()].into_iter()), None);
        assert!(
            matches!(refused, Err(ImportError::Nul { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn other_control_characters_are_left_out_and_counted() {
    let text = format!(
        "第一章 夜\n\n{}他\u{8}说\u{1b}[31m好。\u{7f}\u{9b}\u{1a}\n",
        SENTENCES.repeat(20)
    );
    let book = import("a.txt", text.as_bytes(), None).unwrap();
    assert!(book.chapters[0].text.ends_with("他说[31m好。"));
    let told = book
        .warnings
        .iter()
        .find(|it| it.code == "control_characters");
    let told = told.map(|it| it.message.en.as_str());
    assert_eq!(told, Some("left out 5 control characters"));
}

#[test]
fn a_line_without_end_is_text_like_any_other() {
    let text = format!("第一章 夜\n\n{}", "夜".repeat(4_000_000));
    assert_eq!(read(&text), 1);
    let heading = format!(
        "第一章{}\n\n{SENTENCES}第二章 雨\n\n{SENTENCES}",
        "夜".repeat(1_000_000)
    );
    assert_eq!(read(&heading), 2);
}
