//! JSON out of a model's prose.
//!
//! Strict first: text that is JSON is returned as it is. Then the JSON is looked for
//! inside reasoning, code fences and chatter, and read with a closed list of repairs
//! ([`Repair`]), each of which is reported.
//!
//! Invariant: a repair never drops or invents a member, but for what was still open when
//! the text ended: half a sentence is none, and an item that was being written is not in
//! its list. A key is a quoted text with a colon behind it, in the answer as the model
//! wrote it; where a quote may be read in two ways the result is an error, and the caller
//! asks again.

mod reader;

use std::fmt;

use novel_model::{ErrorTable, Kind, Message, Row, message};
use serde_json::Value;

use crate::growing::{Salvaged, salvage};
use reader::Reader;

/// Something that was put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repair {
    /// Reasoning (`<think>…</think>`) before the answer was left out.
    StrippedThinking,
    /// A code fence around the answer was left out.
    StrippedFence,
    /// Chatter around the answer was left out.
    StrippedProse,
    /// A comma before a closing bracket.
    TrailingComma,
    /// No comma between two members.
    MissingComma,
    /// Raw newlines, tabs or other control characters in a string.
    RawControl,
    /// Comments.
    Comment,
    /// `True`, `False`, `None`.
    PythonLiteral,
    /// Strings in single quotes.
    SingleQuotes,
    /// Unescaped quotes inside a string, in pairs.
    InnerQuotes,
    /// `：` and `，` between members.
    FullWidthPunctuation,
    /// The text ended early; what was whole was closed. Later members are missing.
    ClosedTail,
    /// The text ended early within a list; later items are missing.
    CutList,
    /// The text went round in circles; what it repeated was left out. Later members are missing.
    LeftOutRepeats,
}

/// Why there is no JSON in a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonishError {
    /// Nothing that begins like an object or a list.
    #[error("there is no JSON in the text")]
    NoJson,
    /// Several different values; which one is the answer is not known.
    #[error("there are {count} different JSON values in the text")]
    Several {
        /// How many.
        count: usize,
    },
    /// A place that no safe repair covers.
    #[error("line {line}, column {column}: {problem}, found `{found}`")]
    Broken {
        /// Line in the text, from one.
        line: usize,
        /// Column in characters, from one.
        column: usize,
        /// What is wrong there.
        problem: Flaw,
        /// The text at this place.
        found: String,
    },
}

/// What is wrong at a place, in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.en)
    }
}

impl ErrorTable for JsonishError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Provider, code, message);
        match self {
            Self::NoJson => row("ANSWER_WITHOUT_JSON", message!(
                en: "the model's answer contains no JSON",
                zh: "模型的回答中没有 JSON"
            )).hint(message!(
            en: "ask again, or choose a model or endpoint that can answer by JSON Schema",
            zh: "请重试，或换用支持 JSON Schema 输出的模型或服务"
        )),
            Self::Several { count } => row("ANSWER_WITH_SEVERAL_JSON", message!(
                en: "the model's answer contains {count} different JSON values; exactly one is expected",
                zh: "模型的回答中有 {count} 个不同的 JSON 值，应当只有一个"
            )).hint(message!(
            en: "ask again, or choose a model or endpoint that can answer by JSON Schema",
            zh: "请重试，或换用支持 JSON Schema 输出的模型或服务"
        )),
            Self::Broken { line, column, problem, found } => row("ANSWER_JSON_BROKEN", Message {
                en: format!(
                    "the JSON in the model's answer is broken at line {line}, column {column}: {}, found `{found}`",
                    problem.en
                ),
                zh: format!(
                    "模型回答中的 JSON 在第 {line} 行第 {column} 列有误：{}，此处为 `{found}`",
                    problem.zh
                ),
            }).hint(message!(
            en: "ask again, or choose a model or endpoint that can answer by JSON Schema",
            zh: "请重试，或换用支持 JSON Schema 输出的模型或服务"
        )),
        }
    }
}

/// The JSON value in `text` and what had to be repaired, in a fixed order.
///
/// # Errors
/// When there is none, or none that can be read without guessing.
pub fn extract_json(text: &str) -> Result<(Value, Vec<Repair>), JsonishError> {
    if let Ok(value) = serde_json::from_str(text.trim_start_matches('\u{FEFF}').trim()) {
        return Ok((value, Vec::new()));
    }
    let mut repairs = Vec::new();
    let (offset, body) = without_thinking(text);
    if offset > 0 {
        repairs.push(Repair::StrippedThinking);
    }
    let found = match find(body) {
        Ok(found) if !found.repairs.contains(&Repair::ClosedTail) => found,
        Err(error) if !error.is_at_end(body) => return Err(error.placed(text, offset)),
        cut => match (salvaged(body, &cut), cut) {
            (Some(salvaged), cut) => {
                repairs.push(if salvaged.went_round {
                    Repair::LeftOutRepeats
                } else {
                    Repair::ClosedTail
                });
                if salvaged.in_list && !salvaged.went_round {
                    repairs.push(Repair::CutList);
                }
                let mut found = cut.unwrap_or_else(|_| Found::none(body));
                found.repairs.retain(|repair| *repair != Repair::ClosedTail);
                Found {
                    value: salvaged.value,
                    ..found
                }
            }
            (None, cut) => cut.map_err(|error| error.placed(text, offset))?,
        },
    };
    repairs.extend(found.repairs);
    let around = [&body[..found.start], &body[found.end..]];
    if around.iter().any(|part| part.contains("```")) {
        repairs.push(Repair::StrippedFence);
    }
    if around.iter().any(|part| is_prose(part)) {
        repairs.push(Repair::StrippedProse);
    }
    repairs.sort_unstable();
    repairs.dedup();
    Ok((found.value, repairs))
}

/// What is whole of a text that ended early; of one that was not readable otherwise, something must be.
fn salvaged(text: &str, read: &Result<Found, Failure>) -> Option<Salvaged> {
    let start = match read {
        Ok(found) => found.start,
        Err(_) => next_start(text, 0)?,
    };
    let is_something = |value: &Value| match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    salvage(&text[start..]).filter(|salvaged| read.is_ok() || is_something(&salvaged.value))
}

/// A failure at a byte of the text.
struct Failure {
    at: usize,
    kind: FailureKind,
}

enum FailureKind {
    NoJson,
    Several(usize),
    Broken(Flaw),
}

impl Failure {
    /// Whether the text ended where something was missing.
    fn is_at_end(&self, text: &str) -> bool {
        let FailureKind::Broken(flaw) = &self.kind else {
            return false;
        };
        let rest = text[self.at..].trim();
        let is_word = ["true", "false", "null"]
            .iter()
            .any(|word| word.starts_with(rest));
        // A quote inside may be the end of a text whose neighbour was cut.
        flaw.en == "the text ends inside a string with quotes in it"
            || (is_word || flaw.en.starts_with("the text ends"))
                && !rest.contains(['"', '\'', '{', '}', '[', ']', ','])
    }

    fn placed(self, text: &str, offset: usize) -> JsonishError {
        match self.kind {
            FailureKind::NoJson => JsonishError::NoJson,
            FailureKind::Several(count) => JsonishError::Several { count },
            FailureKind::Broken(problem) => {
                let at = offset + self.at;
                let before = &text[..at];
                let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
                JsonishError::Broken {
                    line: 1 + before.matches('\n').count(),
                    column: 1 + before[line_start..].chars().count(),
                    problem,
                    found: text[at..].chars().take(16).collect(),
                }
            }
        }
    }
}

struct Found {
    value: Value,
    start: usize,
    end: usize,
    repairs: Vec<Repair>,
}

impl Found {
    /// Nothing, in a text that ends within its value.
    fn none(text: &str) -> Self {
        Self {
            value: Value::Null,
            start: text.find('{').unwrap_or_default(),
            end: text.len(),
            repairs: Vec::new(),
        }
    }
}

/// Where the text after the reasoning begins. A text that begins with JSON or a
/// fence has none before it; the tag may then stand inside a string.
fn without_thinking(text: &str) -> (usize, &str) {
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) || trimmed.starts_with("```") {
        return (0, text);
    }
    for tag in ["</think>", "</thinking>"] {
        if let Some(at) = text.find(tag) {
            let offset = at + tag.len();
            return (offset, &text[offset..]);
        }
    }
    (0, text)
}

fn is_prose(part: &str) -> bool {
    part.lines()
        .any(|line| !line.trim().is_empty() && !line.trim_start().starts_with("```"))
}

/// The one value in the text: an object, or a list with objects in it; if there is
/// none of these, another list.
fn find(text: &str) -> Result<Found, Failure> {
    let mut candidates: Vec<Found> = Vec::new();
    let mut from = 0;
    while let Some(start) = next_start(text, from) {
        let found = read_at(text, start)?;
        from = found.end;
        candidates.push(found);
    }
    if candidates.iter().any(|found| is_structure(&found.value)) {
        candidates.retain(|found| is_structure(&found.value));
    }
    let count = candidates.len();
    let Some(last) = candidates.pop() else {
        return Err(Failure {
            at: 0,
            kind: FailureKind::NoJson,
        });
    };
    if candidates.iter().any(|found| found.value != last.value) {
        return Err(Failure {
            at: 0,
            kind: FailureKind::Several(count),
        });
    }
    Ok(last)
}

fn is_structure(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(is_structure),
        _ => false,
    }
}

/// The next bracket that begins like JSON; `[注]` and `{name}` in chatter do not.
fn next_start(text: &str, from: usize) -> Option<usize> {
    text[from..]
        .char_indices()
        .map(|(at, c)| (from + at, c))
        .filter(|(_, c)| matches!(c, '{' | '['))
        .find(|&(at, bracket)| {
            let next = text[at + 1..].trim_start();
            let begins = |signs: &[char]| next.starts_with(signs);
            let comment = next.starts_with("//") || next.starts_with("/*") || begins(&['#']);
            match bracket {
                '{' => comment || begins(&['"', '\'', '}']),
                _ => {
                    comment
                        || begins(&['"', '\'', '{', '[', ']', '-'])
                        || next.starts_with(|c: char| c.is_ascii_digit())
                        || ["true", "false", "null", "True", "False", "None"]
                            .iter()
                            .any(|word| next.starts_with(word))
                }
            }
        })
        .map(|(at, _)| at)
}

/// The value that begins at `start`, strictly or with repairs.
fn read_at(text: &str, start: usize) -> Result<Found, Failure> {
    let mut strict = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        return Ok(Found {
            value,
            start,
            end: start + strict.byte_offset(),
            repairs: Vec::new(),
        });
    }
    // In a fence that was closed, the answer ends before the closing fence.
    let end = if text[..start].contains("```") {
        text.rfind("\n```").filter(|end| *end > start)
    } else {
        None
    }
    .unwrap_or(text.len());
    let mut reader = Reader::new(&text[..end], start);
    match reader.document() {
        Ok(value) => Ok(Found {
            value,
            start,
            end: reader.at(),
            repairs: reader.into_repairs(),
        }),
        Err(broken) => Err(Failure {
            at: broken.at,
            kind: FailureKind::Broken(broken.problem),
        }),
    }
}

#[cfg(test)]
#[path = "jsonish_tests.rs"]
mod tests;
