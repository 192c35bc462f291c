//! Headings of chapters and volumes, as every format shows them.

use novel_model::{ChapterNo, Lang, VolumeNo};
use novel_text::normalize_title;

/// `第 12 章 夜雨` or `Chapter 12: Night Rain`, as in the chapter's own Markdown.
pub(crate) fn chapter_heading(number: ChapterNo, title: &str, lang: Lang) -> String {
    let number = number.get();
    let title = one_line(title);
    match (lang, title.is_empty()) {
        (Lang::Zh, true) => format!("第 {number} 章"),
        (Lang::Zh, false) => format!("第 {number} 章 {title}"),
        (Lang::En, true) => format!("Chapter {number}"),
        (Lang::En, false) => format!("Chapter {number}: {title}"),
    }
}

/// `第二卷 雾城` or `Volume 2: City of Mist`.
pub(crate) fn volume_heading(number: VolumeNo, title: Option<&str>, lang: Lang) -> String {
    let number = number.get();
    let title = title.map(one_line).unwrap_or_default();
    let prefix = match lang {
        Lang::Zh => format!("第{}卷", chinese_number(number)),
        Lang::En => format!("Volume {number}"),
    };
    match (lang, title.is_empty()) {
        (_, true) => prefix,
        (Lang::Zh, false) => format!("{prefix} {title}"),
        (Lang::En, false) => format!("{prefix}: {title}"),
    }
}

/// `作者：林深` or `by Lin Shen`.
pub(crate) fn author_line(author: &str, lang: Lang) -> String {
    match lang {
        Lang::Zh => format!("作者：{author}"),
        Lang::En => format!("by {author}"),
    }
}

/// A title as any format can hold it: one line, trimmed, no character that XML forbids.
pub(crate) fn one_line(title: &str) -> String {
    let legal: String = title.chars().filter(|char| is_xml_char(*char)).collect();
    normalize_title(&legal)
}

/// True for the characters that an XML 1.0 file may hold.
pub(crate) fn is_xml_char(char: char) -> bool {
    match char {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        _ => char >= ' ',
    }
}

/// Adds text as it stands in an element or an attribute: no markup, no character that XML forbids.
pub(crate) fn push_xml(out: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            char if is_xml_char(char) => out.push(char),
            _ => {}
        }
    }
}

/// `十二`; in digits, set off by spaces, where the words would get long.
fn chinese_number(number: u32) -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    const UNITS: [(u32, &str); 4] = [(1000, "千"), (100, "百"), (10, "十"), (1, "")];
    if number == 0 || number >= 10_000 {
        return format!(" {number} ");
    }
    let mut words = String::new();
    let mut skipped = false;
    for (unit, name) in UNITS {
        let digit = number / unit % 10;
        if digit == 0 {
            skipped = !words.is_empty();
            continue;
        }
        if skipped {
            words.push_str(DIGITS[0]);
            skipped = false;
        }
        // 十二, not 一十二; but 一百一十二.
        if !(unit == 10 && digit == 1 && words.is_empty()) {
            words.push_str(DIGITS[digit as usize]);
        }
        words.push_str(name);
    }
    words
}

#[cfg(test)]
#[path = "headings_tests.rs"]
mod tests;
