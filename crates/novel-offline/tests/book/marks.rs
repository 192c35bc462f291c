//! Nothing of the wordings' own markup reaches a reader.

use novel_model::Lang;
use novel_text::parse_chapter;

use super::{
    pipeline::{Desk, blacklist},
    planner,
};

const CHAPTERS: u32 = 60;
const QUOTATION_MARKS: [(char, char); 4] = [('“', '”'), ('「', '」'), ('『', '』'), ('（', '）')];

/// What is wrong with a paragraph, if anything is.
fn fault(paragraph: &str) -> Option<String> {
    if let Some(mark) = paragraph.chars().find(|char| "[]{}|".contains(*char)) {
        return Some(format!("`{mark}`"));
    }
    for (open, close) in QUOTATION_MARKS {
        let mut depth = 0_i32;
        for char in paragraph.chars() {
            depth += i32::from(char == open) - i32::from(char == close);
            if depth < 0 {
                return Some(format!("`{close}` without `{open}`"));
            }
        }
        if depth > 0 {
            return Some(format!("`{open}` without `{close}`"));
        }
    }
    let straight = paragraph.matches('"').count();
    (straight % 2 == 1).then(|| "an odd number of `\"`".to_owned())
}

#[test]
fn a_fault_is_seen() {
    for paragraph in [
        "满意。|好。",
        "x]",
        "{pov} went",
        "“去吧。",
        "去吧。”",
        "”去“",
        "a \" b",
    ] {
        assert!(fault(paragraph).is_some(), "{paragraph}");
    }
    assert_eq!(fault("“去吧。”“好。” \"a\""), None);
}

/// Drafts, refined texts and titles of sixty chapters.
#[test]
fn no_chapter_of_sixty_holds_template_marks() {
    for (lang, genre) in [(Lang::Zh, "- 题材：玄幻"), (Lang::En, "- Genre: mystery")] {
        let book = planner::planned(lang, genre, CHAPTERS);
        let mut desk = Desk::new(book.with("ai-blacklist.json", blacklist(lang)));
        for chapter in 1..=CHAPTERS {
            let written = desk.write_and_commit();
            let title = parse_chapter(&written.refined).title().to_owned();
            let texts = [&written.draft, &written.refined, &title];
            for paragraph in texts.into_iter().flat_map(|text| text.lines()) {
                let fault = fault(paragraph);
                assert_eq!(fault, None, "chapter {chapter}: {paragraph}");
            }
        }
    }
}
