//! A JSON reader that puts a closed list of mistakes right.

use serde_json::{Map, Value};

use super::{Flaw, Repair};

const MAX_DEPTH: usize = 96;
/// Keys are short; looking further for one would only find one by accident.
const MAX_KEY_BYTES: usize = 128;

/// A place that cannot be read.
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) problem: Flaw,
}

type Read<T> = Result<T, Broken>;

pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    repairs: Vec<Repair>,
}

/// What a string is part of; decides which quote ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Object,
    List,
}

/// What follows a member.
enum Next {
    Member,
    Close,
    /// The text is over.
    End,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            depth: 0,
            repairs: Vec::new(),
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn into_repairs(self) -> Vec<Repair> {
        self.repairs
    }

    /// The object or list at the reader's place.
    pub(super) fn document(&mut self) -> Read<Value> {
        self.value(Within::List)
    }

    fn value(&mut self, within: Within) -> Read<Value> {
        match self.peek() {
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::list),
            Some(quote @ ('"' | '\'')) => Ok(Value::String(self.string(quote, within)?)),
            Some(_) => self.scalar(),
            None => self.broken("the text ends before a value", "文本在值之前结束"),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Read<Value>) -> Read<Value> {
        if self.depth == MAX_DEPTH {
            return self.broken("the value is nested too deep", "嵌套过深");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Read<Value> {
        let mut members = Map::new();
        if matches!(self.first('}')?, Next::Member) {
            loop {
                let key_at = self.at;
                let key = self.key()?;
                self.skip()?;
                match self.peek() {
                    Some(':') => {}
                    Some('：') => self.repairs.push(Repair::FullWidthPunctuation),
                    // A key without a value can neither be kept nor dropped.
                    _ => {
                        return self.broken("a colon is missing after a key", "键后缺少冒号");
                    }
                }
                self.bump();
                self.skip()?;
                let value = self.value(Within::Object)?;
                if members.insert(key, value).is_some() {
                    self.at = key_at;
                    return self.broken(
                        "the same key is in one object twice",
                        "同一对象中有重复的键",
                    );
                }
                if !matches!(self.next(Within::Object)?, Next::Member) {
                    break;
                }
            }
        }
        Ok(Value::Object(members))
    }

    fn list(&mut self) -> Read<Value> {
        let mut items = Vec::new();
        if matches!(self.first(']')?, Next::Member) {
            loop {
                items.push(self.value(Within::List)?);
                if !matches!(self.next(Within::List)?, Next::Member) {
                    break;
                }
            }
        }
        Ok(Value::Array(items))
    }

    /// What stands behind an opening bracket.
    fn first(&mut self, close: char) -> Read<Next> {
        self.skip()?;
        Ok(match self.peek() {
            None => self.closed_tail(),
            Some(c) if c == close => {
                self.bump();
                Next::Close
            }
            Some(_) => Next::Member,
        })
    }

    /// What stands behind a member.
    fn next(&mut self, within: Within) -> Read<Next> {
        let close = match within {
            Within::Object => '}',
            Within::List => ']',
        };
        self.skip()?;
        match self.peek() {
            None => return Ok(self.closed_tail()),
            Some(c) if c == close => {
                self.bump();
                return Ok(Next::Close);
            }
            Some(comma @ (',' | '，')) => {
                if comma == '，' {
                    self.repairs.push(Repair::FullWidthPunctuation);
                }
                self.bump();
                self.skip()?;
                match self.peek() {
                    None => return Ok(self.closed_tail()),
                    Some(c) if c == close => {
                        self.repairs.push(Repair::TrailingComma);
                        self.bump();
                        return Ok(Next::Close);
                    }
                    Some(_) => {}
                }
            }
            // Two members side by side: only where the next one is plain to see.
            Some('"' | '\'') if within == Within::List || self.is_key(self.at) => {
                self.repairs.push(Repair::MissingComma);
            }
            Some('{') if within == Within::List => self.repairs.push(Repair::MissingComma),
            Some(_) => {
                return self.broken(
                    "a comma or a closing bracket is missing",
                    "缺少逗号或右括号",
                );
            }
        }
        Ok(Next::Member)
    }

    fn closed_tail(&mut self) -> Next {
        self.repairs.push(Repair::ClosedTail);
        Next::End
    }

    /// A number or a word.
    fn scalar(&mut self) -> Read<Value> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "True" | "False" | "None" => {
                self.repairs.push(Repair::PythonLiteral);
                match word {
                    "True" => Value::Bool(true),
                    "False" => Value::Bool(false),
                    _ => Value::Null,
                }
            }
            _ => match serde_json::from_str(word) {
                // 12 at the end of the text may have been about to become 123.
                Ok(Value::Number(_)) if length == rest.len() => {
                    return self.broken("the text ends inside a number", "文本在数字中间结束");
                }
                Ok(value) => value,
                Err(_) => {
                    return self.broken("this is not a value", "这不是合法的值");
                }
            },
        };
        self.at += length;
        Ok(value)
    }

    /// A key: its first quote must be its last, with a colon behind it.
    fn key(&mut self) -> Read<String> {
        let Some(quote @ ('"' | '\'')) = self.peek() else {
            return self.broken("a key in quotes is missing", "缺少带引号的键");
        };
        if quote == '\'' {
            self.repairs.push(Repair::SingleQuotes);
        }
        self.bump();
        let mut key = String::new();
        loop {
            match self.peek() {
                Some(c) if c == quote => {
                    self.bump();
                    return Ok(key);
                }
                Some('\\') => key.extend(self.escape()?),
                Some(c) if c.is_control() => {
                    return self.broken("a key goes over a line's end", "键跨行");
                }
                Some(c) => {
                    key.push(c);
                    self.bump();
                }
                None => {
                    return self.broken("the text ends inside a key", "文本在键中间结束");
                }
            }
        }
    }

    /// A string that is a value.
    fn string(&mut self, quote: char, within: Within) -> Read<String> {
        let start = self.at;
        if quote == '\'' {
            self.repairs.push(Repair::SingleQuotes);
        }
        self.bump();
        let mut value = String::new();
        let mut inner = 0_usize;
        loop {
            match self.peek() {
                Some(c) if c == quote => {
                    if self.ends_string(self.at + 1, within) {
                        self.bump();
                        break;
                    }
                    inner += 1;
                    value.push(c);
                    self.bump();
                }
                Some('\\') => value.extend(self.escape()?),
                Some(c) => {
                    if c < ' ' {
                        self.repairs.push(Repair::RawControl);
                    }
                    value.push(c);
                    self.bump();
                }
                None => {
                    self.repairs.push(Repair::ClosedTail);
                    break;
                }
            }
        }
        if inner > 0 {
            // Where the text was cut, a quote may be inside or be the end of a member
            // whose neighbour is missing.
            if self.blank(self.at) == self.text.len() {
                self.at = start;
                return self.broken(
                    "the text ends inside a string with quotes in it",
                    "文本在含引号的字符串中间结束",
                );
            }
            // Quotations come in pairs. An apostrophe (the same sign in a string of
            // single quotes) does not.
            if quote == '"' && inner % 2 == 1 {
                self.at = start;
                return self.broken(
                    "the quotes inside this string do not pair up",
                    "字符串内的引号不成对",
                );
            }
            self.repairs.push(Repair::InnerQuotes);
        }
        Ok(value)
    }

    /// The character of an escape; none where the text ends inside it.
    fn escape(&mut self) -> Read<Option<char>> {
        let start = self.at;
        self.bump();
        let Some(sign) = self.peek() else {
            return Ok(None);
        };
        self.bump();
        let c = match sign {
            '"' | '\\' | '/' => sign,
            '\'' => {
                self.repairs.push(Repair::SingleQuotes);
                sign
            }
            'b' => '\u{8}',
            'f' => '\u{C}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(start),
            _ => {
                self.at = start;
                return self.broken("an unknown escape", "未知的转义");
            }
        };
        Ok(Some(c))
    }

    /// `\uXXXX`, or two of them for one character.
    fn unicode(&mut self, start: usize) -> Read<Option<char>> {
        let Some(first) = self.hex() else {
            return self.cut_escape(start);
        };
        if let Some(c) = char::from_u32(first) {
            return Ok(Some(c));
        }
        if !self.rest().starts_with("\\u") {
            return self.cut_escape(start);
        }
        self.at += 2;
        match self.hex() {
            Some(second)
                if (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second) =>
            {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                Ok(char::from_u32(code))
            }
            _ => self.cut_escape(start),
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// An incomplete escape is nothing at the end of the text and wrong elsewhere.
    fn cut_escape(&mut self, start: usize) -> Read<Option<char>> {
        // `\uD83D\uDE00` has twelve bytes; a cut one has fewer and nothing behind it.
        let rest = &self.text[start..];
        if rest.len() < 12
            && rest
                .bytes()
                .all(|b| b.is_ascii_hexdigit() || b"\\u".contains(&b))
        {
            self.at = self.text.len();
            return Ok(None);
        }
        self.at = start;
        self.broken("a broken unicode escape", "损坏的 Unicode 转义")
    }

    /// Whether a quote before `at` ends a string: what follows must be what follows
    /// a member, and not merely a comma, which also follows a quotation in a sentence.
    fn ends_string(&self, at: usize, within: Within) -> bool {
        let after = self.blank(at);
        let Some(c) = self.text[after..].chars().next() else {
            return true;
        };
        match (c, within) {
            ('}', Within::Object) | (']', Within::List) => true,
            (',' | '，', _) => {
                let next = self.blank(after + c.len_utf8());
                match (self.text[next..].chars().next(), within) {
                    (None, _) | (Some('}'), Within::Object) | (Some(']'), Within::List) => true,
                    (Some(_), Within::Object) => self.is_key(next),
                    (Some(c), Within::List) => {
                        matches!(c, '"' | '\'' | '{' | '[' | '-')
                            || c.is_ascii_digit()
                            || ["true", "false", "null", "True", "False", "None"]
                                .iter()
                                .any(|word| self.text[next..].starts_with(word))
                    }
                }
            }
            // A missing comma: the next member stands on a line of its own, or is a
            // key with its colon.
            ('"' | '\'', Within::Object) => after > at && self.is_key(after),
            ('"' | '{', Within::List) => self.text[at..after].contains('\n'),
            _ => false,
        }
    }

    /// Whether a quoted text with a colon behind it stands at `at`.
    fn is_key(&self, at: usize) -> bool {
        let mut chars = self.text[at..].char_indices();
        let Some((_, quote @ ('"' | '\''))) = chars.next() else {
            return false;
        };
        let mut escaped = false;
        for (offset, c) in chars {
            if escaped || c == '\\' {
                escaped = !escaped;
                continue;
            }
            if c == quote {
                let colon = self.blank(at + offset + 1);
                return self.text[colon..].starts_with([':', '：']);
            }
            if offset > MAX_KEY_BYTES || c.is_control() {
                return false;
            }
        }
        false
    }

    /// The place behind white space and comments; where a comment is not closed, its
    /// beginning.
    fn blank(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            match comment(trimmed) {
                Some(length) => at += length,
                None => return at,
            }
        }
    }

    fn skip(&mut self) -> Read<()> {
        let after = self.blank(self.at);
        if self.text[self.at..after].trim_start() != "" {
            self.repairs.push(Repair::Comment);
        }
        self.at = after;
        if self.rest().starts_with("/*") {
            return self.broken("a comment is not closed", "注释未闭合");
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn broken<T>(&self, en: &'static str, zh: &'static str) -> Read<T> {
        Err(Broken {
            at: self.at,
            problem: Flaw { en, zh },
        })
    }
}

/// The length of the comment at the beginning of `text`.
fn comment(text: &str) -> Option<usize> {
    if let Some(body) = text.strip_prefix("/*") {
        return body.find("*/").map(|end| end + 4);
    }
    if text.starts_with("//") || text.starts_with('#') {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    None
}
