//! The heading of a chapter: number prefix and title.
//!
//! Invariant: reading what [`render`] wrote gives the number and the title
//! back, whatever the title is, because the written form always puts exactly
//! one separator between prefix and title (a space after `章`, a colon after
//! `Chapter N`) and reading removes exactly one.

use novel_model::{ChapterNo, Lang};

use crate::numeral::{decimal_digit, is_numeral_char, parse_numeral};

/// What the first level-one heading of a chapter says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The chapter number, when the heading has a prefix such as `第 48 章`; never zero.
    pub number: Option<u32>,
    /// The title without the prefix: one line, trimmed, possibly empty.
    pub title: String,
}

/// The title as a heading can hold it: one line, trimmed.
#[must_use]
pub fn normalize_title(title: &str) -> String {
    title
        .replace("\r\n", " ")
        .replace(['\n', '\r'], " ")
        .trim()
        .to_owned()
}

/// Writes the heading line, without a line end.
pub(crate) fn render(number: ChapterNo, title: &str, lang: Lang) -> String {
    let number = number.get();
    let title = normalize_title(title);
    match (lang, title.is_empty()) {
        (Lang::Zh, true) => format!("# 第 {number} 章"),
        (Lang::Zh, false) => format!("# 第 {number} 章 {title}"),
        (Lang::En, true) => format!("# Chapter {number}"),
        (Lang::En, false) => format!("# Chapter {number}: {title}"),
    }
}

/// Reads a line as a level-one heading.
pub(crate) fn parse(line: &str) -> Option<Heading> {
    let text = line
        .strip_prefix('#')
        .filter(|rest| rest.starts_with([' ', '\t']))?
        .trim();
    let (number, title) = match chinese_prefix(text).or_else(|| english_prefix(text)) {
        Some((number, title)) => (Some(number), title),
        None => (None, text),
    };
    Some(Heading {
        number,
        title: title.trim().to_owned(),
    })
}

/// Longest line that is a heading without a mark of Markdown.
const LONGEST_PLAIN: usize = 40;

/// Titles that stand for a title.
const PLACEHOLDERS: [&str; 9] = [
    "章名",
    "标题",
    "章标题",
    "章节名",
    "章节标题",
    "title",
    "chapter title",
    "无题",
    "untitled",
];

/// Reads a line as the heading of a chapter in whatever form a model gives it: any level, in bold,
/// or without a mark where it begins with a chapter number. A placeholder is no title.
#[must_use]
pub fn loose_heading(line: &str) -> Option<Heading> {
    let line = line.trim();
    let hashes = line.len() - line.trim_start_matches('#').len();
    let is_marked = (1..=6).contains(&hashes);
    let text = line
        .trim_matches('#')
        .trim()
        .trim_matches(|char: char| "*_".contains(char))
        .trim();
    let prefixed = chinese_prefix(text).or_else(|| english_prefix(text));
    let is_plain = prefixed.is_some()
        && line.chars().count() <= LONGEST_PLAIN
        && !text.ends_with(['。', '！', '？', '.', '!', '?', '，', '；', '…', '”', '：']);
    if text.is_empty() || !(is_marked || is_plain) {
        return None;
    }
    let (number, title) = match prefixed {
        Some((number, title)) => (Some(number), title),
        None => (None, text),
    };
    let title = title.trim_matches(|char: char| {
        char.is_whitespace() || "*_《》「」『』【】[]：:、-—·".contains(char)
    });
    let is_placeholder = PLACEHOLDERS
        .iter()
        .any(|placeholder| title.eq_ignore_ascii_case(placeholder));
    Some(Heading {
        number,
        title: if is_placeholder {
            String::new()
        } else {
            title.to_owned()
        },
    })
}

/// `第 N 章`, then a colon if one follows at once.
fn chinese_prefix(text: &str) -> Option<(u32, &str)> {
    let rest = text.strip_prefix('第')?.trim_start();
    let (number, rest) = number_at_start(rest, is_numeral_char)?;
    let rest = rest.trim_start();
    let title = match rest.strip_prefix('章') {
        Some(title) => title,
        // `第一回合` and `第一节课` are words, so these two need a visible end.
        None => rest.strip_prefix(['回', '节', '節']).filter(|title| {
            title
                .chars()
                .next()
                .is_none_or(|next| next.is_whitespace() || is_colon(next))
        })?,
    };
    Some((number, title.strip_prefix(is_colon).unwrap_or(title)))
}

/// `Chapter N`, then a colon, full stop or dash, also after white space.
fn english_prefix(text: &str) -> Option<(u32, &str)> {
    const WORD: &str = "chapter";
    let word = text
        .get(..WORD.len())
        .filter(|word| word.eq_ignore_ascii_case(WORD))?;
    let rest = text[word.len()..]
        .strip_prefix(char::is_whitespace)?
        .trim_start();
    let (number, rest) = number_at_start(rest, |char| decimal_digit(char).is_some())?;
    let trimmed = rest.trim_start();
    let Some(title) = trimmed.strip_prefix(|char| is_colon(char) || ".-–—".contains(char))
    else {
        // `Chapter 48th` and the like are words of a title.
        return (trimmed.is_empty() || trimmed.len() < rest.len()).then_some((number, trimmed));
    };
    // `Chapter 4.5` and `Chapter 4-5` name something else than chapter 4.
    let joins_digits =
        !trimmed.starts_with(is_colon) && title.starts_with(|char| decimal_digit(char).is_some());
    (!joins_digits).then_some((number, title))
}

fn number_at_start(text: &str, part: fn(char) -> bool) -> Option<(u32, &str)> {
    let end = text.find(|char| !part(char)).unwrap_or(text.len());
    let number = parse_numeral(&text[..end]).filter(|number| *number != 0)?;
    Some((number, &text[end..]))
}

fn is_colon(char: char) -> bool {
    matches!(char, ':' | '：')
}

#[cfg(test)]
#[path = "heading_tests.rs"]
mod tests;
