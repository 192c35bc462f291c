//! JSON text to a value, with explanations a person can act on.
//!
//! Keeps key order. What would be lost silently is a problem: one of two values
//! under the same key, the last digits of a number beyond 64 bits.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};

use crate::{Message, Place, Problem, RelPath, message};

/// Reads `text`; `None` when it is not JSON at all. Problems are appended.
pub(crate) fn read(path: &RelPath, text: &str, problems: &mut Vec<Problem>) -> Option<Value> {
    let losses = RefCell::new(Vec::new());
    let root = Node {
        parent: None,
        token: Token::Root,
        losses: &losses,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = root
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    match read {
        Ok(value) => {
            problems.extend(
                losses
                    .into_inner()
                    .into_iter()
                    .map(|loss| loss.problem(path)),
            );
            Some(value)
        }
        Err(error) => {
            problems.push(syntax_problem(path, text, &error));
            None
        }
    }
}

/// Appends one segment to a JSON pointer.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// The two-space layout of project files, with a newline at the end.
pub(crate) fn layout(value: &Value) -> String {
    // A `Value` has text keys only, so that printing it cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

enum Token<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

/// A place in the document while it is read.
struct Node<'a> {
    parent: Option<&'a Node<'a>>,
    token: Token<'a>,
    losses: &'a RefCell<Vec<Loss>>,
}

impl Node<'_> {
    fn child<'a>(&'a self, token: Token<'a>) -> Node<'a> {
        Node {
            parent: Some(self),
            token,
            losses: self.losses,
        }
    }

    fn lose(&self, loss: fn(String) -> Loss) {
        self.losses.borrow_mut().push(loss(self.pointer()));
    }

    fn pointer(&self) -> String {
        let mut pointer = self.parent.map_or_else(String::new, Node::pointer);
        match self.token {
            Token::Root => {}
            Token::Key(key) => push_token(&mut pointer, key),
            Token::Index(index) => push_token(&mut pointer, &index.to_string()),
        }
        pointer
    }
}

impl<'de> DeserializeSeed<'de> for &Node<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        // Such a number may have been written with more digits than a float keeps.
        if value.abs() >= TOO_LARGE {
            self.lose(Loss::Digits);
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(&self.child(Token::Index(items.len())))? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(&self.child(Token::Key(&key)))?;
            match object.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(value);
                }
                Entry::Occupied(first) => {
                    self.child(Token::Key(first.key())).lose(Loss::Duplicate);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

/// 2^63: whole numbers below are read exactly.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// What reading the text into a value would lose, with its pointer.
enum Loss {
    Duplicate(String),
    Digits(String),
}

impl Loss {
    fn problem(self, path: &RelPath) -> Problem {
        match self {
            Self::Duplicate(pointer) => {
                let token = pointer.rsplit('/').next().unwrap_or_default();
                let key = token.replace("~1", "/").replace("~0", "~");
                let message = message!(
                    en: "the key `{key}` appears more than once in the same object",
                    zh: "同一对象中键 `{key}` 出现了不止一次"
                );
                let hint = message!(
                    en: "keep one of them and delete the others",
                    zh: "请保留其中一个，删除其余的"
                );
                Problem::new("duplicate_key", path, message)
                    .at(pointer)
                    .hint(hint)
            }
            Self::Digits(pointer) => {
                let message = message!(
                    en: "the number is too large to be kept exactly",
                    zh: "数字过大，无法精确保存"
                );
                let hint = message!(
                    en: "write it as text, in quotation marks",
                    zh: "请加上引号，写成文本"
                );
                Problem::new("number_too_large", path, message)
                    .at(pointer)
                    .hint(hint)
            }
        }
    }
}

fn syntax_problem(path: &RelPath, text: &str, error: &serde_json::Error) -> Problem {
    let (column, found) = locate(text, error.line(), error.column());
    let (message, hint) = explain(text, &error.to_string(), error.is_eof(), found);
    Problem {
        code: "json_syntax",
        path: path.clone(),
        place: Place::Line {
            line: error.line().max(1),
            column: Some(column),
        },
        message,
        hint: Some(hint),
    }
}

/// The column in characters and the character there; the parser counts bytes.
fn locate(text: &str, line: usize, byte_column: usize) -> (usize, Option<char>) {
    let line = text
        .split('\n')
        .nth(line.saturating_sub(1))
        .unwrap_or_default();
    let offset = byte_column.saturating_sub(1);
    let before = line
        .char_indices()
        .take_while(|(start, c)| start + c.len_utf8() <= offset)
        .count();
    (before + 1, line.chars().nth(before))
}

fn explain(text: &str, error: &str, is_eof: bool, found: Option<char>) -> (Message, Message) {
    if text.trim().is_empty() {
        return (
            message!(en: "the file is empty; JSON was expected", zh: "文件是空的，应为 JSON"),
            message!(
                en: "put back an earlier version of the file (see archive/)",
                zh: "请恢复该文件的早先版本（见 archive/）"
            ),
        );
    }
    if is_eof {
        return (
            message!(
                en: "the JSON ends too early: the file is cut off, or a closing bracket or quotation mark is missing",
                zh: "JSON 提前结束：文件被截断，或缺少右括号或引号"
            ),
            message!(
                en: "complete the file, or put back an earlier version (see archive/)",
                zh: "请补全文件，或恢复早先的版本（见 archive/）"
            ),
        );
    }
    if let Some(plain) = found.and_then(half_width) {
        let found = found.unwrap_or_default();
        return (
            message!(en: "full-width `{found}` where JSON syntax is expected", zh: "JSON 语法处出现了全角字符 `{found}`"),
            message!(en: "write the half-width `{plain}` instead", zh: "请改用半角 `{plain}`"),
        );
    }
    let shown = found.map_or_else(String::new, |c| c.escape_debug().to_string());
    if error.starts_with("trailing comma") {
        (
            message!(en: "there is a comma before the closing bracket", zh: "右括号前多了一个逗号"),
            message!(en: "delete the last comma", zh: "请删除最后一个逗号"),
        )
    } else if error.starts_with("trailing characters") {
        (
            message!(en: "there is more text after the end of the JSON, starting with `{shown}`", zh: "JSON 结束之后还有内容，以 `{shown}` 开头"),
            message!(en: "delete everything after the last closing bracket", zh: "请删除最后一个右括号之后的内容"),
        )
    } else if error.starts_with("recursion limit") {
        (
            message!(en: "the JSON is nested too deeply", zh: "JSON 嵌套过深"),
            message!(en: "at most 127 levels are read; make it flatter", zh: "最多读取 127 层，请减少嵌套"),
        )
    } else if error.starts_with("control character") {
        (
            message!(en: "a string contains a raw line break, tab or other control character", zh: "文本中直接出现了换行、制表符或其他控制字符"),
            message!(en: "write a line break as \\n and a tab as \\t, or close the quotation mark on the line before", zh: "换行请写成 \\n，制表符写成 \\t；或检查前面的引号是否已闭合"),
        )
    } else if error.starts_with("key must be a string") {
        (
            message!(en: "a key must be in double quotation marks, found `{shown}`", zh: "键必须用双引号括起，实际为 `{shown}`"),
            message!(en: "write \"key\": value", zh: "请写成 \"键\": 值"),
        )
    } else if error.starts_with("expected `,` or") {
        (
            message!(en: "a comma or a closing bracket is missing before `{shown}`", zh: "`{shown}` 之前缺少逗号或右括号"),
            message!(
                en: "add the comma; if the place is inside a string, write its quotation marks as \\\"",
                zh: "请补上逗号；若此处在文本之内，其中的双引号应写成 \\\""
            ),
        )
    } else if error.starts_with("expected `:`") {
        (
            message!(en: "a colon is missing before `{shown}`", zh: "`{shown}` 之前缺少冒号"),
            message!(en: "write \"key\": value", zh: "请写成 \"键\": 值"),
        )
    } else if error.starts_with("number out of range") || error.starts_with("invalid number") {
        (
            message!(en: "a number is malformed or too large", zh: "数字格式不正确或过大"),
            message!(en: "write it as 12 or 1.5, without leading zeros", zh: "请写成 12 或 1.5 的形式，不要有前导零"),
        )
    } else if error.contains("escape") || error.contains("unicode code point") {
        (
            message!(en: "a string contains a bad backslash sequence", zh: "文本中有不正确的反斜杠转义"),
            message!(en: "write a backslash as \\\\ and a quotation mark as \\\"", zh: "反斜杠请写成 \\\\，双引号写成 \\\""),
        )
    } else {
        (
            message!(en: "unexpected character `{shown}`", zh: "出现了意外的字符 `{shown}`"),
            unexpected_hint(found),
        )
    }
}

fn unexpected_hint(found: Option<char>) -> Message {
    match found {
        Some('/' | '#') => {
            message!(en: "JSON knows no comments: delete this one", zh: "JSON 不支持注释，请删除")
        }
        Some('\'') => message!(en: "write text in double quotation marks", zh: "文本请使用双引号"),
        Some('`') => message!(
            en: "keep the JSON only: delete the Markdown fence around it",
            zh: "请只保留 JSON，删除外面的 Markdown 代码围栏"
        ),
        _ => message!(
            en: "a value is text in double quotation marks, a number, true, false, null, [list] or {{object}}",
            zh: "值应为双引号文本、数字、true、false、null、[列表] 或 {{对象}}"
        ),
    }
}

fn half_width(c: char) -> Option<char> {
    Some(match c {
        '，' | '、' => ',',
        '：' => ':',
        '“' | '”' | '＂' => '"',
        '｛' => '{',
        '｝' => '}',
        '［' | '【' => '[',
        '］' | '】' => ']',
        _ => return None,
    })
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
