//! Lines of a source, with the level of those that are marked as headings.

use novel_text::SCENE_SEPARATOR;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// As it stands in the source.
    pub(crate) text: String,
    /// Level of a heading that is marked as one, from one.
    pub(crate) level: Option<u8>,
}

impl Line {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            level: None,
        }
    }

    /// What a heading says, without the marks around it.
    pub(crate) fn words(&self) -> &str {
        let text = trimmed(&self.text);
        match self.level {
            Some(_) => text.trim_matches(|char: char| char == '#' || char.is_whitespace()),
            None => text,
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        trimmed(&self.text).is_empty()
    }
}

/// Without white space and the invisible characters files carry around.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(|char: char| {
        char.is_whitespace() || matches!(char, '\u{FEFF}' | '\u{200B}' | '\u{200C}' | '\u{200D}')
    })
}

/// Lines of plain text; rows of ornaments become scene separators.
pub(crate) fn plain(text: &str) -> Vec<Line> {
    split(text)
        .map(|line| {
            if is_ornament(line) {
                Line::plain(SCENE_SEPARATOR)
            } else {
                Line::plain(line)
            }
        })
        .collect()
}

/// Lines of Markdown, headings outside code fences with their level.
pub(crate) fn markdown(text: &str) -> Vec<Line> {
    let mut fenced = false;
    split(text)
        .map(|line| {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
            }
            let level = if fenced { None } else { atx_level(line) };
            Line {
                text: line.to_owned(),
                level,
            }
        })
        .collect()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    // `\r\n`, `\n` and `\r` all end a line; so do ends of pages, and of lines on other systems.
    text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split(['\r', '\u{0B}', '\u{0C}', '\u{85}'])
    })
}

fn atx_level(line: &str) -> Option<u8> {
    let hashes = line.len() - line.trim_start_matches('#').len();
    let rest = &line[hashes..];
    let marked = (1..=6).contains(&hashes) && rest.starts_with([' ', '\t', '\u{3000}']);
    u8::try_from(hashes)
        .ok()
        .filter(|_| marked && !rest.trim().is_empty())
}

/// Three or more of one ornament that is no Markdown separator already.
fn is_ornament(line: &str) -> bool {
    let mut marks = line.chars().filter(|char| !char.is_whitespace());
    let Some(first) = marks.next().filter(|char| "＊☆★◆●○=＝~～".contains(*char))
    else {
        return false;
    };
    let mut count = 1;
    marks.all(|mark| {
        count += 1;
        mark == first
    }) && count >= 3
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
