use novel_text::{parse_numeral, render_chapter};

use super::*;
use crate::sample::{no, volume};

#[test]
fn chapter_headings_are_those_of_the_chapters_own_markdown() {
    for lang in [Lang::Zh, Lang::En] {
        for (number, title) in [
            (1, "夜雨"),
            (999, ""),
            (1000, "  two\nlines "),
            (12_345, "<&>"),
        ] {
            let markdown = render_chapter(no(number), title, &[], lang);
            let heading = chapter_heading(no(number), title, lang);
            assert_eq!(markdown, format!("# {heading}\n"));
        }
    }
}

#[test]
fn volume_headings_in_both_languages() {
    let named = volume(12, Some("雾城"), 1, 2);
    let bare = volume(1, Some(" \u{0}"), 1, 2);
    assert_eq!(
        volume_heading(named.number, named.title.as_deref(), Lang::Zh),
        "第十二卷 雾城"
    );
    assert_eq!(
        volume_heading(named.number, named.title.as_deref(), Lang::En),
        "Volume 12: 雾城"
    );
    assert_eq!(
        volume_heading(bare.number, bare.title.as_deref(), Lang::Zh),
        "第一卷"
    );
    assert_eq!(
        volume_heading(bare.number, bare.title.as_deref(), Lang::En),
        "Volume 1"
    );
}

#[test]
fn chinese_numbers_read_back() {
    for number in 1..10_000 {
        let words = chinese_number(number);
        assert_eq!(parse_numeral(&words), Some(number), "{words}");
    }
    assert_eq!(chinese_number(10), "十");
    assert_eq!(chinese_number(112), "一百一十二");
    assert_eq!(chinese_number(1005), "一千零五");
    assert_eq!(chinese_number(10_000), " 10000 ");
}

#[test]
fn titles_lose_what_xml_forbids_and_nothing_else() {
    assert_eq!(one_line("\u{8}a\u{0}b\u{FFFF}\u{B}"), "ab");
    assert_eq!(one_line("a\r\nb\tc <&\"'> 𠮷"), "a b\tc <&\"'> 𠮷");
}
