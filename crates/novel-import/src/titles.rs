//! Titles that stand on a line of their own under the heading of their chapter.
//!
//! `CHAPTER XII`, and two lines below `The Red Room`. Such a line is set apart, is no sentence, and is followed
//! by the text. One in small letters is a title only where it is the habit of the book.

use std::collections::BTreeSet;

use crate::{
    heading::{Part, classify, is_capitalised},
    lines::{Line, trimmed},
    marks::Mark,
};

/// Longest title of a chapter, in characters.
const LONGEST: usize = 60;
/// Longest title of Han characters.
const LONGEST_HAN: usize = 20;

/// How much a line looks like a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looks {
    /// Marked as a heading, or in capitals.
    Sure,
    /// Like a title, and like the start of a text.
    Likely,
}

/// Gives chapters without a title the one that stands below their heading; its line belongs to the heading
/// then.
pub(crate) fn settle(lines: &[Line], marks: &mut [Mark], taken: &mut BTreeSet<usize>) {
    let mut found = Vec::new();
    let mut bare = 0;
    for index in 0..marks.len() {
        let mark = &marks[index];
        let has_title = !mark.title.is_empty() || mark.is_text;
        if has_title || !matches!(mark.part, Part::Chapter | Part::Volume) {
            continue;
        }
        bare += usize::from(mark.part == Part::Chapter);
        let end = marks.get(index + 1).map_or(lines.len(), |next| next.line);
        if let Some((at, looks)) = below(lines, mark, end, taken) {
            found.push((index, at, looks));
        }
    }
    // What stands between the heading of a volume and its first chapter is hardly a text.
    let of_volume = |index: usize| marks[index].part == Part::Volume;
    let likely = found
        .iter()
        .filter(|(index, ..)| !of_volume(*index))
        .count();
    let is_habit = likely >= 2 && likely * 2 > bare;
    found.retain(|(index, _, looks)| *looks == Looks::Sure || is_habit || of_volume(*index));
    for (index, at, _) in found {
        marks[index].title = bare_words(&lines[at]).to_owned();
        taken.insert(at);
    }
}

/// The first line below a heading, if it looks like a title; below that of a chapter, if text follows it.
fn below(
    lines: &[Line],
    heading: &Mark,
    end: usize,
    taken: &BTreeSet<usize>,
) -> Option<(usize, Looks)> {
    let is_said = |at: &usize| !lines[*at].is_blank() && !taken.contains(at);
    let mut said = (heading.line + 1..end).filter(is_said);
    let at = said.next()?;
    let text = said
        .next()
        .or((heading.part == Part::Volume).then_some(end + 1))?;
    let looks = looks(&lines[at])?;
    // Set apart from the text by a blank line, or by the text being set in.
    let is_set_in = |at: usize| {
        let line = lines.get(at);
        line.is_some_and(|line| line.text.starts_with(char::is_whitespace))
    };
    let is_apart = text > at + 1 || is_set_in(text) && !is_set_in(at);
    (is_apart && classify(&lines[at].text).is_none()).then_some((at, looks))
}

fn looks(line: &Line) -> Option<Looks> {
    let title = bare_words(line);
    let letters = || title.chars().filter(|char| char.is_alphabetic());
    let (length, has_letters) = (title.chars().count(), letters().next().is_some());
    if !has_letters || length > LONGEST || title.starts_with(['“', '"', '「', '『', '‘', '—', '-'])
    {
        return None;
    }
    if line.level.is_some() {
        return Some(Looks::Sure);
    }
    if letters().any(|char| !char.is_ascii()) {
        let is_sentence = title.contains(|char: char| "，。；：！？…”」』,.;:!?".contains(char));
        return (!is_sentence && length <= LONGEST_HAN).then_some(Looks::Likely);
    }
    let is_shouted = letters().all(|char| char.is_ascii_uppercase()) && letters().count() > 1;
    if is_shouted {
        return (!title.ends_with([',', ';', ':'])).then_some(Looks::Sure);
    }
    let is_sentence = title.ends_with(['.', ',', ';', ':', '!', '?', '"', '”']);
    (!is_sentence && is_capitalised(title)).then_some(Looks::Likely)
}

/// What a line says, without the marks of emphasis around it.
fn bare_words(line: &Line) -> &str {
    trimmed(line.words().trim_matches(['*', '_']))
}

#[cfg(test)]
#[path = "titles_tests.rs"]
mod tests;
