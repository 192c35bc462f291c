//! Headings as the author describes them: `--heading "ADVENTURE {number}. {title}"`.
//!
//! A pattern is the heading as it stands on its line, with `{number}` (or `{n}`) for a number in any
//! spelling and `{title}` for a title. It needs one of them; white space in it is any white space.

use std::str::FromStr;

use novel_model::{ErrorTable, Kind, Row, message};

use crate::{lines::trimmed, numerals};

/// A pattern of headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingPattern(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Exactly this.
    Text(String),
    /// Some white space.
    Space,
    /// A number.
    Number,
    /// The rest, or what stands before the next text.
    Title,
}

/// A text that is no pattern of headings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is no pattern of headings")]
pub struct BadPattern {
    /// What was given.
    pub pattern: String,
}

impl ErrorTable for BadPattern {
    fn row(&self) -> Row<'_> {
        let pattern = &self.pattern;
        Row::new(
            Kind::Input,
            "IMPORT_HEADING",
            message!(
                en: "`{pattern}` cannot describe a chapter heading", zh: "`{pattern}` 不能用来描述章节标题"
            ),
        )
        .hint(message!(
            en: "write a heading as in the file, with {{number}} for the number and {{title}} for \
                the title, each at most once: `ADVENTURE {{number}}. {{title}}`",
            zh: "照文件里的标题写，用 {{number}} 代表序号、{{title}} 代表标题，各最多一次：`第{{number}}节 {{title}}`"
        ))
    }
}

impl FromStr for HeadingPattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadPattern {
            pattern: text.to_owned(),
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = trimmed(text);
        while let Some(first) = rest.chars().next() {
            if let Some(after) = rest
                .strip_prefix("{number}")
                .or_else(|| rest.strip_prefix("{n}"))
            {
                pieces.push(Piece::Number);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("{title}") {
                pieces.push(Piece::Title);
                rest = after;
            } else if first.is_whitespace() {
                pieces.push(Piece::Space);
                rest = rest.trim_start();
            } else {
                match pieces.last_mut() {
                    Some(Piece::Text(known)) => known.push(first),
                    _ => pieces.push(Piece::Text(first.to_string())),
                }
                rest = &rest[first.len_utf8()..];
            }
        }
        let count = |wanted: &Piece| pieces.iter().filter(|piece| *piece == wanted).count();
        let (numbers, titles) = (count(&Piece::Number), count(&Piece::Title));
        let is_pattern = numbers + titles > 0 && numbers <= 1 && titles <= 1 && pieces.len() > 1
            || (numbers == 1 && pieces.len() == 1);
        if is_pattern {
            Ok(Self(pieces))
        } else {
            Err(bad())
        }
    }
}

impl HeadingPattern {
    /// Number and title of a line that looks like this.
    pub(crate) fn find(&self, line: &str) -> Option<(Option<u32>, String)> {
        let (mut number, mut title) = (None, String::new());
        let mut rest = trimmed(line);
        for (at, piece) in self.0.iter().enumerate() {
            match piece {
                Piece::Text(text) => rest = rest.strip_prefix(text.as_str())?,
                Piece::Space => {
                    let after = rest.trim_start();
                    if after.len() == rest.len() && !rest.is_empty() {
                        return None;
                    }
                    rest = after;
                }
                Piece::Number => {
                    let (found, after) = any_number(rest)?;
                    (number, rest) = (Some(found), after);
                }
                Piece::Title => {
                    let end = match self.0.get(at + 1..) {
                        Some([Piece::Text(next), ..]) => rest.find(next.as_str())?,
                        Some([Piece::Space, Piece::Text(next), ..]) => {
                            rest[..rest.find(next.as_str())?].trim_end().len()
                        }
                        Some([Piece::Space, Piece::Number]) => rest.rfind(char::is_whitespace)?,
                        _ => rest.len(),
                    };
                    trimmed(&rest[..end]).clone_into(&mut title);
                    rest = &rest[end..];
                }
            }
        }
        let has_title = self.0.contains(&Piece::Title);
        (rest.is_empty() && (!has_title || number.is_some() || !title.is_empty()))
            .then_some((number, title))
    }
}

/// A number at the start, in Chinese or in any English spelling.
fn any_number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|char| !numerals::is_chinese_part(char))
        .unwrap_or(text.len());
    if end > 0 {
        return Some((numerals::chinese(&text[..end])?, &text[end..]));
    }
    numerals::english(text)
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
