//! Takes tables of contents and repeated headings out of the headings of a source.

use std::collections::{BTreeMap, BTreeSet};

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
    let last = LastPlaces::of(marks);
    let again = |mark: &Mark, end: usize| last.of_same(mark).is_some_and(|at| at >= end);
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
    let last = LastPlaces::of(marks);
    let mut kept: Vec<Mark> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let next = marks.get(index + 1);
        let bare = next.is_some_and(|next| is_bare(lines, mark, next));
        let announced = bare
            && mark.part != Part::Volume
            && last.of_identical(mark).is_some_and(|at| at > index);
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

/// Whether two headings are equal, apart from a shorter title or a page number.
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

/// Where each heading stands for the last time: a book has as many headings as chapters, and all of
/// them once more in its table of contents.
#[derive(Default)]
struct LastPlaces {
    by_number: BTreeMap<(Part, u32), usize>,
    by_title: BTreeMap<(Part, String), usize>,
    unnumbered: BTreeMap<(Part, String), usize>,
    /// By number and title.
    by_both: BTreeMap<(Part, u32, String), usize>,
}

impl LastPlaces {
    fn of(marks: &[Mark]) -> Self {
        let mut last = Self::default();
        for (at, mark) in marks.iter().enumerate() {
            let title = bare_title(&mark.title);
            match mark.number {
                Some(number) => {
                    last.by_number.insert((mark.part, number), at);
                    last.by_both.insert((mark.part, number, title.clone()), at);
                }
                None => {
                    last.unnumbered.insert((mark.part, title.clone()), at);
                }
            }
            last.by_title.insert((mark.part, title), at);
        }
        last
    }

    /// The last heading that [`is_same`].
    fn of_same(&self, mark: &Mark) -> Option<usize> {
        let title = || (mark.part, bare_title(&mark.title));
        match mark.number {
            Some(number) => {
                let numbered = self.by_number.get(&(mark.part, number));
                numbered.max(self.unnumbered.get(&title())).copied()
            }
            None => self.by_title.get(&title()).copied(),
        }
    }

    /// The last heading that [`is_identical`].
    fn of_identical(&self, mark: &Mark) -> Option<usize> {
        let title = bare_title(&mark.title);
        match mark.number {
            Some(number) => {
                let both = self.by_both.get(&(mark.part, number, title.clone()));
                both.max(self.unnumbered.get(&(mark.part, title))).copied()
            }
            None => self.by_title.get(&(mark.part, title)).copied(),
        }
    }
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
