//! The outline of a volume: one block per chapter.
//!
//! A block runs from its heading to the next line that starts with `### `.
//! Lines inside a closed code fence are neither headings nor fields; a fence
//! that is never closed hides nothing, so one stray line cannot swallow the
//! chapters after it.

use std::collections::BTreeMap;

use crate::normalize_newlines;

/// The keys every block must have.
pub const OUTLINE_KEYS: [&str; 8] = [
    "Storyline",
    "POV",
    "Location",
    "Conflict",
    "Arc",
    "Foreshadowing",
    "StateChanges",
    "TransitionHint",
];

/// An outline: its chapter blocks in file order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The blocks, also those with a number that occurs twice.
    pub blocks: Vec<OutlineBlock>,
}

/// The part of an outline about one chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineBlock {
    /// Chapter number; never zero.
    pub number: u32,
    /// Title, possibly empty.
    pub title: String,
    /// Line of the heading, from one.
    pub line: usize,
    /// The block as it stands in the file, heading included.
    pub text: String,
    /// The `- **Key**: value` lines in file order.
    pub fields: Vec<OutlineField>,
}

/// One `- **Key**: value` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineField {
    /// The key.
    pub key: String,
    /// The value, trimmed; the indented lines below when the line itself has none.
    pub value: String,
    /// Its line in the file, from one.
    pub line: usize,
}

impl Outline {
    /// The first block of this chapter.
    #[must_use]
    pub fn block(&self, chapter: u32) -> Option<&OutlineBlock> {
        self.blocks.iter().find(|block| block.number == chapter)
    }

    /// Chapters with more than one block, by number, each with the lines of its headings.
    #[must_use]
    pub fn duplicates(&self) -> Vec<(u32, Vec<usize>)> {
        let mut lines: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for block in &self.blocks {
            lines.entry(block.number).or_default().push(block.line);
        }
        lines
            .into_iter()
            .filter(|(_, lines)| lines.len() > 1)
            .collect()
    }

    /// The smallest and the largest chapter number.
    #[must_use]
    pub fn bounds(&self) -> Option<(u32, u32)> {
        let numbers = || self.blocks.iter().map(|block| block.number);
        Some((numbers().min()?, numbers().max()?))
    }
}

impl OutlineBlock {
    /// The value of the first line with this key; `None` when missing or empty.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.key == key)?;
        Some(field.value.as_str()).filter(|value| !value.is_empty())
    }

    /// The required keys that are missing or empty.
    #[must_use]
    pub fn missing_keys(&self) -> Vec<&'static str> {
        OUTLINE_KEYS
            .into_iter()
            .filter(|key| self.field(key).is_none())
            .collect()
    }
}

/// Reads an outline. Any text is one; what is no chapter block is passed over.
#[must_use]
pub fn parse_outline(text: &str) -> Outline {
    let text = normalize_newlines(text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let fenced = fenced_lines(&lines);
    let mut blocks: Vec<OutlineBlock> = Vec::new();
    let mut open = false;
    for (index, line) in lines.iter().enumerate() {
        if !fenced[index] && line.starts_with("### ") {
            let heading = chapter_heading(line);
            open = heading.is_some();
            if let Some((number, title)) = heading {
                blocks.push(OutlineBlock {
                    number,
                    title: title.to_owned(),
                    line: index + 1,
                    text: String::new(),
                    fields: Vec::new(),
                });
            }
        }
        let Some(block) = blocks.last_mut().filter(|_| open) else {
            continue;
        };
        block.text.push_str(line);
        if fenced[index] {
            continue;
        }
        if let Some((key, value)) = field(line) {
            let value = if value.is_empty() {
                nested(&lines[index + 1..])
            } else {
                value.into()
            };
            block.fields.push(OutlineField {
                key: key.to_owned(),
                value,
                line: index + 1,
            });
        }
    }
    Outline { blocks }
}

/// The smallest and the largest chapter number of an outline, without reading its blocks.
#[must_use]
pub fn outline_bounds(text: &str) -> Option<(u32, u32)> {
    let text = normalize_newlines(text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let numbers = headings(&lines).filter_map(|(_, heading)| Some(heading?.0));
    numbers.fold(None, |bounds, number| match bounds {
        None => Some((number, number)),
        Some((first, last)) => Some((number.min(first), number.max(last))),
    })
}

/// The first block of a chapter in an outline, without reading the others.
#[must_use]
pub fn outline_block(text: &str, chapter: u32) -> Option<OutlineBlock> {
    // Nearly every outline is of other chapters.
    if !text.contains(&chapter.to_string()) {
        return None;
    }
    let text = normalize_newlines(text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut headings = headings(&lines);
    let (first, _) = headings.find(|(_, heading)| heading.is_some_and(|it| it.0 == chapter))?;
    let end = headings.next().map_or(lines.len(), |(index, _)| index);
    let mut block = parse_outline(&lines[first..end].concat())
        .blocks
        .into_iter()
        .next()?;
    block.line += first;
    for field in &mut block.fields {
        field.line += first;
    }
    Some(block)
}

/// The lines `### …` outside of fences, each with its chapter if it has one.
fn headings<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, Option<(u32, &'a str)>)> {
    let fenced = fenced_lines(lines);
    lines
        .iter()
        .enumerate()
        .filter(move |(index, line)| !fenced[*index] && line.starts_with("### "))
        .map(|(index, line)| (index, chapter_heading(line)))
}

/// Number and title of `### 第 C 章: title` or `### Chapter C: title`.
fn chapter_heading(line: &str) -> Option<(u32, &str)> {
    let text = line.strip_prefix("### ")?.trim();
    let rest = match text.strip_prefix('第') {
        Some(rest) => rest.trim_start(),
        None => text
            .strip_prefix("Chapter")?
            .strip_prefix([' ', '\t'])?
            .trim_start(),
    };
    let end = rest
        .find(|char: char| !char.is_ascii_digit())
        .unwrap_or(rest.len());
    let number: u32 = rest[..end].parse().ok().filter(|number| *number != 0)?;
    let rest = match text.starts_with('第') {
        true => rest[end..].trim_start().strip_prefix('章')?,
        false => &rest[end..],
    };
    let title = rest.trim_start();
    match title.strip_prefix([':', '：']) {
        Some(title) => Some((number, title.trim_start())),
        // Without a colon only white space ends the prefix.
        None => (title.is_empty() || title.len() < rest.len()).then_some((number, title)),
    }
}

/// Key and value of `- **Key**: value`; the colon may also stand before the closing stars.
fn field(line: &str) -> Option<(&str, &str)> {
    let text = line
        .strip_prefix(['-', '*'])?
        .strip_prefix([' ', '\t'])?
        .trim();
    let (key, rest) = text.strip_prefix("**")?.split_once("**")?;
    let (key, value) = match key.trim().strip_suffix([':', '：']) {
        Some(key) => (key, rest),
        None => (key, rest.trim_start().strip_prefix([':', '：'])?),
    };
    let key = key.trim();
    (!key.is_empty()).then_some((key, value.trim()))
}

/// The indented lines right below a field.
fn nested(lines: &[&str]) -> String {
    let indented = |line: &&&str| line.starts_with([' ', '\t']) && !line.trim().is_empty();
    let nested: String = lines.iter().take_while(indented).copied().collect();
    nested.trim().to_owned()
}

/// For each line whether it belongs to a closed code fence.
fn fenced_lines(lines: &[&str]) -> Vec<bool> {
    let mut fenced = vec![false; lines.len()];
    // Shortest fence of each kind known to be open to the end: what is longer need not be tried.
    let mut unclosed: BTreeMap<char, usize> = BTreeMap::new();
    let mut index = 0;
    while index < lines.len() {
        let opening = fence(lines[index]).filter(|(mark, length, info)| {
            !(*mark == '`' && info.contains('`'))
                && unclosed.get(mark).is_none_or(|shortest| length < shortest)
        });
        if let Some((mark, length, _)) = opening {
            let closing = lines[index + 1..].iter().position(|line| {
                fence(line).is_some_and(|(other, long, info)| {
                    other == mark && long >= length && info.is_empty()
                })
            });
            match closing {
                Some(offset) => {
                    let last = index + 1 + offset;
                    fenced[index..=last].fill(true);
                    index = last;
                }
                None => {
                    unclosed.insert(mark, length);
                }
            }
        }
        index += 1;
    }
    fenced
}

/// Mark, length and info text of a line that opens or closes a fence.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let text = line.trim_start_matches(' ');
    let mark = text
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3 && line.len() - text.len() <= 3).then_some((mark, length, rest.trim()))
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
