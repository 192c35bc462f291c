use novel_text::parse_chapter;

use super::*;
use crate::{
    ExportFormat,
    sample::{Chapters, bytes, chapter, chinese, english, range},
};

fn text(format: ExportFormat, book: (BookInfo, Chapters), last: u32) -> String {
    let (bytes, report) = bytes(format, book, range(1, last));
    assert_eq!(report.bytes, bytes.len() as u64);
    assert_eq!(report.chapters, last);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn golden_text() {
    insta::assert_snapshot!("chinese_txt", text(ExportFormat::Txt, chinese(), 4));
    insta::assert_snapshot!("english_txt", text(ExportFormat::Txt, english(), 2));
}

#[test]
fn golden_markdown() {
    insta::assert_snapshot!("chinese_md", text(ExportFormat::Md, chinese(), 4));
    insta::assert_snapshot!("english_md", text(ExportFormat::Md, english(), 2));
}

#[test]
fn markdown_prose_goes_through_untouched() {
    let prose = "# not a heading of ours\n> quote\n- item *a* \\* <b> &amp; `x`\n    code\n_u_";
    let (info, _) = english();
    let book = Chapters(vec![chapter(1, "T", &[prose, "end"])]);
    let markdown = text(ExportFormat::Md, (info, book), 1);
    assert!(markdown.contains(&format!("\n\n{prose}\n\n* * *\n\nend\n")));
}

#[test]
fn markdown_scenes_read_back_as_scenes() {
    let (_, chapters) = chinese();
    let markdown = text(ExportFormat::Md, chinese(), 4);
    let from_heading = &markdown[markdown.find("### 第 1 章").unwrap() + 2..];
    let until_next = &from_heading[..from_heading.find("\n### ").unwrap()];
    let parsed = parse_chapter(until_next);
    let scenes: Vec<&str> = chapters.0[0]
        .scenes
        .iter()
        .map(|scene| scene.content.as_str())
        .collect();
    assert_eq!(parsed.title(), "夜雨");
    assert_eq!(parsed.scenes, scenes);
}

#[test]
fn empty_scenes_leave_no_separator() {
    let (info, _) = chinese();
    let book = Chapters(vec![chapter(1, "空", &["", "甲", " \n", "乙", ""])]);
    let markdown = text(ExportFormat::Md, (info, book), 1);
    assert!(markdown.ends_with("### 第 1 章 空\n\n甲\n\n* * *\n\n乙\n"));
}
