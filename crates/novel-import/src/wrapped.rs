//! Lines that were broken to a width, joined into paragraphs again.
//!
//! A text is taken as broken where paragraphs of several lines are the rule and nearly all lines but the
//! last of each are about equally long. Verse and lists keep their lines: a short line inside a paragraph
//! stands for itself, and so does one that is set in.

use novel_model::{Warning, message};
use unicode_width::UnicodeWidthStr;

use crate::Imported;

/// Lines inside paragraphs that a broken text has at least.
const LEAST_LINES: usize = 30;

/// Widths people break lines to.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=100;

/// Of ten lines inside paragraphs so many are nearly full.
const FULL_OF_TEN: usize = 8;

/// A line is nearly full from this part of the width on, in hundredths; a longer word did not fit.
const NEARLY_FULL: usize = 75;

/// Joins the lines of every chapter, where the source was broken to a width.
pub(crate) fn unwrap(imported: &mut Imported) {
    let texts = imported
        .chapters
        .iter()
        .map(|chapter| chapter.text.as_str());
    let Some(width) = width_of(texts) else {
        return;
    };
    for chapter in &mut imported.chapters {
        chapter.text = join(&chapter.text, width);
    }
    imported.front = join(&imported.front, width);
    imported.warnings.push(Warning::new(
        "lines_joined",
        message!(
            en: "lines were broken at about {width} columns; they are joined into paragraphs",
            zh: "原文按约 {width} 列折行，已重新合并成段落"
        ),
    ));
}

/// The width a text is broken to, if it is.
fn width_of<'a>(texts: impl Iterator<Item = &'a str>) -> Option<usize> {
    let mut inner: Vec<usize> = Vec::new();
    let mut lone = 0;
    for text in texts {
        for paragraph in paragraphs(text) {
            match paragraph.as_slice() {
                [_] => lone += 1,
                [before @ .., _] => inner.extend(before.iter().map(|line| line.trim_end().width())),
                [] => {}
            }
        }
    }
    if inner.len() < LEAST_LINES || inner.len() < lone {
        return None;
    }
    inner.sort_unstable();
    // The usual longest line, not one that stands out.
    let width = inner[inner.len() * 9 / 10];
    let full = inner
        .iter()
        .filter(|line| **line * 100 >= width * NEARLY_FULL)
        .count();
    (WIDTHS.contains(&width) && full * 10 >= inner.len() * FULL_OF_TEN).then_some(width)
}

/// The lines of a text by paragraph.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut paragraphs = vec![Vec::new()];
    for line in text.lines() {
        if line.trim().is_empty() {
            paragraphs.push(Vec::new());
        } else if let Some(last) = paragraphs.last_mut() {
            last.push(line);
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

fn join(text: &str, width: usize) -> String {
    let joined: Vec<String> = paragraphs(text)
        .iter()
        .map(|paragraph| join_paragraph(paragraph, width))
        .collect();
    joined.join("\n\n")
}

fn join_paragraph(lines: &[&str], width: usize) -> String {
    let mut text = String::new();
    let mut before: Option<&str> = None;
    for line in lines {
        if let Some(before) = before {
            let is_full = before.trim_end().width() * 100 >= width * NEARLY_FULL / 2;
            let is_set_in = line.starts_with(char::is_whitespace);
            let is_verse = !is_full || (is_set_in && before.starts_with(char::is_whitespace));
            if is_verse {
                text.push('\n');
            } else if needs_space(before, line) {
                text.push(' ');
            }
        }
        text.push_str(match before {
            Some(_) => line.trim(),
            None => line.trim_end(),
        });
        before = Some(line);
    }
    text
}

/// Between two words, but not inside a Chinese sentence.
fn needs_space(before: &str, after: &str) -> bool {
    let is_wide = |char: char| char > '\u{2E7F}';
    let last = before.trim_end().chars().next_back();
    let first = after.trim_start().chars().next();
    !(last.is_some_and(is_wide) && first.is_some_and(is_wide))
}

#[cfg(test)]
#[path = "wrapped_tests.rs"]
mod tests;
