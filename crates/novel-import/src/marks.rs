//! Which lines are headings, over a whole source.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    heading::{self, Found, Part},
    lines::Line,
    pattern::HeadingPattern,
};

/// What a container of the text knows about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hints {
    /// The title of the book.
    pub(crate) title: Option<String>,
    /// The author of the book.
    pub(crate) author: Option<String>,
    /// What headings of chapters look like, as the author says.
    pub(crate) heading: Option<HeadingPattern>,
    /// Where its documents begin, each with the title its table of contents gives it.
    pub(crate) documents: Vec<(usize, Option<String>)>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) part: Part,
    pub(crate) number: Option<u32>,
    pub(crate) title: String,
    /// As it stands in the source.
    pub(crate) heading: String,
    /// The volume on the same line: its heading and its title.
    pub(crate) volume: Option<(String, String)>,
    /// Whether the line is text too, because the source has no line for the heading.
    pub(crate) is_text: bool,
}

impl Mark {
    fn of(line: usize, words: &str, found: Found) -> Self {
        Self {
            line,
            part: found.part,
            number: found.number,
            title: found.title,
            heading: words.to_owned(),
            volume: found.volume,
            is_text: false,
        }
    }

    fn unnumbered(line: usize, words: &str, part: Part) -> Self {
        Self {
            line,
            part,
            number: None,
            title: words.to_owned(),
            heading: words.to_owned(),
            volume: None,
            is_text: false,
        }
    }
}

/// The headings of a source.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) marks: Vec<Mark>,
    /// The line that is the title of the book.
    pub(crate) title: Option<usize>,
    /// Lines that are headings of nothing, such as the title repeated or `目录`.
    pub(crate) idle: BTreeSet<usize>,
}

pub(crate) fn find(lines: &[Line], hints: &Hints) -> Marks {
    if let Some(pattern) = &hints.heading {
        return patterned(lines, pattern);
    }
    let levelled = levelled(lines, hints);
    if !levelled.marks.is_empty() {
        return levelled;
    }
    let mut plain = plain(lines);
    plain.idle.extend(levelled.idle);
    if plain.marks.is_empty() && hints.documents.len() > 1 {
        plain.marks = documents(lines, hints);
    }
    plain
}

/// Headings the author described; volumes are still known by what they say.
fn patterned(lines: &[Line], pattern: &HeadingPattern) -> Marks {
    let mut result = Marks::default();
    for (at, line) in lines.iter().enumerate() {
        let words = line.words();
        if let Some((number, title)) = pattern.find(words) {
            result.marks.push(Mark {
                number,
                title,
                ..Mark::unnumbered(at, words, Part::Chapter)
            });
        } else if let Some(found) = heading::classify(&line.text)
            && found.part == Part::Volume
        {
            result.marks.push(Mark::of(at, words, found));
        }
    }
    if !result.marks.iter().any(|mark| mark.part == Part::Chapter) {
        result.marks.clear();
    }
    result
}

/// Headings nobody has marked: known by what they say.
fn plain(lines: &[Line]) -> Marks {
    let mut marks = Vec::new();
    let mut idle = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        if heading::is_contents(&line.text) {
            idle.insert(at);
        } else if let Some(found) = heading::classify(&line.text) {
            marks.push(Mark::of(at, line.words(), found));
        }
    }
    let has = |part| marks.iter().any(|mark: &Mark| mark.part == part);
    if has(Part::Chapter) {
        marks.retain(|mark| mark.part != Part::Section);
    } else if has(Part::Section) {
        for mark in marks.iter_mut().filter(|mark| mark.part == Part::Section) {
            mark.part = Part::Chapter;
        }
    } else if !has(Part::Volume) && marks.len() == 1 && marks[0].line > 0 {
        // A lone `尾声` somewhere does not make a book of chapters.
        marks.clear();
    }
    Marks {
        marks,
        title: None,
        idle,
    }
}

/// Headings that are marked as such: the level of the chapters decides what the others are.
fn levelled(lines: &[Line], hints: &Hints) -> Marks {
    let mut result = Marks::default();
    let mut headings: Vec<(usize, u8)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(level) = line.level else { continue };
        let is_title = hints.title.as_deref() == Some(line.words());
        if is_title || heading::is_contents(line.words()) {
            result.idle.insert(at);
        } else {
            headings.push((at, level));
        }
    }
    let Some(chapters) = chapter_level(lines, &headings) else {
        return result;
    };
    for (at, level) in headings {
        let words = lines[at].words();
        let found = heading::classify(words);
        let is_volume = found
            .as_ref()
            .is_some_and(|found| found.part == Part::Volume);
        if level > chapters {
            continue;
        }
        let first = result.marks.is_empty() && result.title.is_none();
        if level < chapters && first && !is_volume && found.is_none() {
            result.title = Some(at);
            continue;
        }
        let part = if level < chapters || is_volume {
            Part::Volume
        } else {
            Part::Chapter
        };
        let mark = match found {
            Some(found) if found.part == Part::Special && level == chapters => {
                Mark::of(at, words, found)
            }
            Some(found) => Mark {
                part,
                ..Mark::of(at, words, found)
            },
            None => Mark::unnumbered(at, words, part),
        };
        result.marks.push(mark);
    }
    result
}

/// The level on which the chapters stand.
fn chapter_level(lines: &[Line], headings: &[(usize, u8)]) -> Option<u8> {
    let mut known: BTreeMap<u8, usize> = BTreeMap::new();
    let mut all: BTreeMap<u8, usize> = BTreeMap::new();
    for (at, level) in headings {
        *all.entry(*level).or_default() += 1;
        let found = heading::classify(lines[*at].words());
        if found.is_some_and(|found| found.part == Part::Chapter) {
            *known.entry(*level).or_default() += 1;
        }
    }
    let most = known
        .iter()
        .max_by_key(|(level, count)| (**count, u8::MAX - **level));
    if let Some((level, _)) = most {
        return Some(*level);
    }
    let mut repeated = all.iter().filter(|(_, count)| **count > 1);
    let Some((&first, _)) = repeated.next() else {
        return all.keys().next_back().copied();
    };
    // Headings with nothing under them but deeper headings are volumes.
    let deeper = repeated.next().map(|(level, _)| *level);
    let has_text = headings.iter().enumerate().any(|(index, (at, level))| {
        let end = headings
            .get(index + 1)
            .map_or(lines.len(), |(next, _)| *next);
        *level == first && lines[at + 1..end].iter().any(|line| !line.is_blank())
    });
    Some(match deeper {
        Some(deeper) if !has_text => deeper,
        _ => first,
    })
}

/// One chapter for each document of a container.
fn documents(lines: &[Line], hints: &Hints) -> Vec<Mark> {
    let starts = hints.documents.iter().enumerate();
    starts
        .filter_map(|(index, (start, title))| {
            let next = hints.documents.get(index + 1);
            let end = next.map_or(lines.len(), |(next, _)| *next);
            let line = (*start..end).find(|at| !lines[*at].is_blank())?;
            let words = lines[line].words();
            let title = title.clone().unwrap_or_default();
            Some(Mark {
                is_text: title != words,
                heading: title.clone(),
                ..Mark::unnumbered(line, &title, Part::Chapter)
            })
        })
        .collect()
}
