//! Takes tables of contents and repeated headings out of the headings of a source.

use std::collections::BTreeSet;

use crate::{
    heading::Part,
    lines::Line,
    marks::{Mark, Marks},
};

/// The text begins with one of this many first entries of its table of contents: a volume, a
/// prologue, a chapter.
const FIRST_ENTRIES: usize = 3;

/// Headings of chapters stay; the lines of the others are returned.
pub(crate) fn settle(lines: &[Line], found: &mut Marks) -> BTreeSet<usize> {
    let mut idle = std::mem::take(&mut found.idle);
    let top = top_entries(lines, &found.marks);
    idle.extend(found.marks.drain(..top).map(|mark| mark.line));
    take_out(lines, &mut found.marks, &mut idle);
    idle
}

/// How many of the first headings are a table of contents: they follow each other with nothing in
/// between, and nearly all of them come again.
fn top_entries(lines: &[Line], marks: &[Mark]) -> usize {
    let mut run = 0;
    while run + 1 < marks.len() && is_bare(lines, &marks[run], &marks[run + 1]) {
        run += 1;
    }
    // The last of a run may have text after it: that of the first chapter, or what stands between
    // the contents and the first chapter.
    let mut end = (run + 1).min(marks.len());
    let again = |mark: &Mark, end: usize| marks[end..].iter().any(|later| is_same(mark, later));
    while end > 0 && !again(&marks[end - 1], end) {
        end -= 1;
    }
    let entries = &marks[..end];
    let repeated = entries.iter().filter(|mark| again(mark, end)).count();
    let distinct = entries
        .first()
        .is_some_and(|first| entries.iter().any(|mark| !is_same(first, mark)));
    // The text begins where the contents begin.
    let begins = marks.get(end).is_some_and(|text| {
        let mut first = entries.iter().take(FIRST_ENTRIES);
        first.any(|entry| is_same(entry, text))
    });
    if distinct && begins && repeated * 10 >= end * 8 {
        end
    } else {
        0
    }
}

/// A heading without text that comes again word for word was announced, not begun; the heading of
/// the chapter under way is a page header.
fn take_out(lines: &[Line], marks: &mut Vec<Mark>, idle: &mut BTreeSet<usize>) {
    let mut kept: Vec<Mark> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let next = marks.get(index + 1);
        let bare = next.is_some_and(|next| is_bare(lines, mark, next));
        let announced = bare
            && mark.part != Part::Volume
            && marks[index + 1..]
                .iter()
                .any(|later| is_identical(mark, later));
        let header = kept.last().is_some_and(|open| is_identical(open, mark));
        if announced || header {
            idle.insert(mark.line);
        } else {
            kept.push(mark.clone());
        }
    }
    *marks = kept;
}

/// Whether nothing stands between two headings.
fn is_bare(lines: &[Line], mark: &Mark, next: &Mark) -> bool {
    !mark.is_text && lines[mark.line + 1..next.line].iter().all(Line::is_blank)
}

/// The same heading, perhaps with a shorter title or a page number.
fn is_same(a: &Mark, b: &Mark) -> bool {
    a.part == b.part
        && match (a.number, b.number) {
            (Some(a), Some(b)) => a == b,
            _ => bare_title(&a.title) == bare_title(&b.title),
        }
}

fn is_identical(a: &Mark, b: &Mark) -> bool {
    is_same(a, b) && bare_title(&a.title) == bare_title(&b.title)
}

/// The letters of a title, without dots and page numbers after it.
fn bare_title(title: &str) -> String {
    let title = match title.find(['…', '.', '·', '\t']) {
        Some(at) if title[at..].chars().all(|char| !char.is_alphabetic()) => &title[..at],
        _ => title,
    };
    title
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
}
