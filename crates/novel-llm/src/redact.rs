//! Takes keys out of whatever comes from outside, in every form it may have there.
//!
//! A key is known plain in any case, in hexadecimal, and in base64 wherever in a longer text it begins; and
//! each character of these may be escaped as JSON (also JSON in JSON), URLs and HTML escape it. What
//! comes in pieces is looked through as one text: the end of a piece that may be the beginning of a key
//! is held back until more comes.

use std::sync::Arc;

use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{GeneralPurpose, general_purpose::NO_PAD},
};

const MASK: &[u8] = b"***";
/// Longest escape of one character: more is no escape, and a piece is never held back for long.
const LONGEST_ESCAPE: usize = 24;
/// A text that ends within a key shows no more than this many characters of it.
const LONGEST_BEGINNING: usize = 8;

/// Keys and all their forms. A copy costs nothing.
#[derive(Clone, Default)]
pub struct Redactor {
    patterns: Arc<[Pattern]>,
}

/// One form of a key, in ASCII.
#[derive(Clone, PartialEq, Eq)]
struct Pattern {
    text: Vec<u8>,
    case: Case,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Matters,
    Ignored,
}

/// What a pattern says to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    No,
    /// As far as there are bytes, yes: so many characters.
    Perhaps(usize),
    /// It ends before this byte.
    Yes(usize),
}

impl Redactor {
    /// Of several keys; those shorter than `least` bytes are ordinary words and stay.
    pub fn of<'k>(keys: impl IntoIterator<Item = &'k str>, least: usize) -> Self {
        let mut patterns: Vec<Pattern> = Vec::new();
        let keys = keys.into_iter().filter(|key| key.len() >= least.max(1));
        for pattern in keys.flat_map(forms) {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        Self {
            patterns: patterns.into(),
        }
    }

    /// A text without the keys.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let mut stream = RedactingStream::new(self.clone());
        let mut clean = stream.feed(text.as_bytes());
        clean.extend(stream.finish());
        // Only whole ASCII characters are taken out.
        String::from_utf8(clean).unwrap_or_default()
    }

    fn at(&self, bytes: &[u8]) -> Found {
        let found = self.patterns.iter().map(|pattern| pattern.at(bytes));
        found
            .max_by_key(|found| match found {
                Found::No => (0, 0),
                Found::Perhaps(count) => (1, *count),
                Found::Yes(end) => (2, *end),
            })
            .unwrap_or(Found::No)
    }

    /// Whether a key may begin with this byte.
    fn may_begin(&self, byte: u8) -> bool {
        matches!(byte, b'\\' | b'%' | b'&')
            || self.patterns.iter().any(|pattern| {
                let first = pattern.text.first();
                first.is_some_and(|first| pattern.case.are_same(*first, byte))
            })
    }
}

impl Case {
    fn are_same(self, a: u8, b: u8) -> bool {
        match self {
            Self::Matters => a == b,
            Self::Ignored => a.eq_ignore_ascii_case(&b),
        }
    }
}

impl Pattern {
    /// Whether the bytes begin with this form of the key.
    fn at(&self, bytes: &[u8]) -> Found {
        let mut at = 0;
        for (count, wanted) in self.text.iter().enumerate() {
            match self.character(*wanted, &bytes[at..]) {
                Found::Yes(length) => at += length,
                Found::Perhaps(_) => return Found::Perhaps(count),
                Found::No => return Found::No,
            }
        }
        Found::Yes(at)
    }

    /// Whether the bytes begin with this character, plain or escaped.
    fn character(&self, wanted: u8, bytes: &[u8]) -> Found {
        let backslashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
        let is = |found: Option<u8>| found.is_some_and(|found| self.case.are_same(wanted, found));
        let escape = match bytes.get(backslashes..).unwrap_or_default() {
            [] => Escape::Cut,
            [b'u', digits @ ..] if backslashes > 0 => hex(digits, 4, 1),
            [b'x', digits @ ..] if backslashes > 0 => hex(digits, 2, 1),
            [b'%', rest @ ..] => {
                // Escaped again, a percent sign is `%25`.
                let pairs = rest.chunks(2).take(LONGEST_ESCAPE / 2);
                let again = pairs.take_while(|pair| pair == b"25").count();
                let code = hex(&rest[2 * again..], 2, 1 + 2 * again);
                let sign = hex(rest, 2, 1);
                if wanted == b'%' && again > 0 {
                    sign
                } else {
                    code
                }
            }
            [b'&', b'#', b'x' | b'X', digits @ ..] => entity(digits, 16, 3),
            [b'&', b'#', digits @ ..] => entity(digits, 10, 2),
            [b'&'] => Escape::Cut,
            _ => Escape::None,
        };
        let plain = bytes.get(backslashes).copied();
        match escape {
            _ if backslashes > LONGEST_ESCAPE => Found::No,
            Escape::Of(code, length) if is(Some(code)) => Found::Yes(backslashes + length),
            _ if is(plain) => Found::Yes(backslashes + 1),
            Escape::Cut => Found::Perhaps(0),
            Escape::Of(..) | Escape::None => Found::No,
        }
    }
}

/// What an escape stands for.
enum Escape {
    /// The character, and the bytes of the escape.
    Of(u8, usize),
    /// The bytes end within it.
    Cut,
    None,
}

/// A number of hexadecimal digits after `before` bytes.
fn hex(bytes: &[u8], digits: usize, before: usize) -> Escape {
    let there = &bytes[..bytes.len().min(digits)];
    if !there.iter().all(u8::is_ascii_hexdigit) {
        return Escape::None;
    }
    if there.len() < digits {
        return Escape::Cut;
    }
    match code(there, 16) {
        Some(code) => Escape::Of(code, before + digits),
        None => Escape::None,
    }
}

/// `115;` after `before` bytes.
fn entity(bytes: &[u8], radix: u32, before: usize) -> Escape {
    let end = bytes
        .iter()
        .take(LONGEST_ESCAPE)
        .position(|byte| *byte == b';');
    match end {
        Some(end) => match code(&bytes[..end], radix) {
            Some(code) => Escape::Of(code, before + end + 1),
            None => Escape::None,
        },
        None if bytes.len() < LONGEST_ESCAPE && bytes.iter().all(u8::is_ascii_hexdigit) => {
            Escape::Cut
        }
        None => Escape::None,
    }
}

fn code(digits: &[u8], radix: u32) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    let code = u32::from_str_radix(digits, radix).ok()?;
    u8::try_from(code).ok().filter(u8::is_ascii)
}

/// All forms of a key.
fn forms(key: &str) -> impl Iterator<Item = Pattern> {
    let plain = Pattern {
        text: key.as_bytes().to_vec(),
        case: Case::Ignored,
    };
    let digits: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
    let digits = Pattern {
        text: digits.into_bytes(),
        case: Case::Ignored,
    };
    let packed = [STANDARD, URL_SAFE].into_iter().flat_map(move |alphabet| {
        let engine = GeneralPurpose::new(&alphabet, NO_PAD);
        let key = key.to_owned();
        (0..3).map(move |offset| base64_within(&engine, key.as_bytes(), offset))
    });
    [plain, digits].into_iter().chain(packed)
}

/// The characters that the key alone decides in the base64 of a text in which `offset` bytes of a group
/// of three stand before it.
fn base64_within(engine: &GeneralPurpose, key: &[u8], offset: usize) -> Pattern {
    let text = [&vec![0; offset], key].concat();
    let first = (8 * offset).div_ceil(6);
    let last = 8 * text.len() / 6;
    let packed = engine.encode(&text).into_bytes();
    Pattern {
        text: packed[first..last].to_vec(),
        case: Case::Matters,
    }
}

/// Takes keys out of a text that comes in pieces.
pub struct RedactingStream {
    redactor: Redactor,
    /// What may be the beginning of a key.
    held: Vec<u8>,
}

impl RedactingStream {
    /// A text that has not begun.
    #[must_use]
    pub fn new(redactor: Redactor) -> Self {
        let held = Vec::new();
        Self { redactor, held }
    }

    /// The next piece; what may be the beginning of a key comes with a later one.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.redactor.patterns.is_empty() {
            return piece.to_vec();
        }
        self.held.extend(piece);
        self.scan(|_| None)
    }

    /// What was held back. The beginning of a key is taken out too, if it is long.
    pub fn finish(&mut self) -> Vec<u8> {
        self.scan(|count| Some(count > LONGEST_BEGINNING))
    }

    /// Looks through what is held; `cut` says whether a key that the bytes end within is taken out, or
    /// is held back.
    fn scan(&mut self, cut: impl Fn(usize) -> Option<bool>) -> Vec<u8> {
        let mut clean = Vec::with_capacity(self.held.len());
        let mut at = 0;
        while let Some(byte) = self.held.get(at) {
            let found = if self.redactor.may_begin(*byte) {
                self.redactor.at(&self.held[at..])
            } else {
                Found::No
            };
            let length = match found {
                Found::No => None,
                Found::Yes(length) => Some(length),
                Found::Perhaps(count) => match cut(count) {
                    Some(true) => Some(self.held.len() - at),
                    Some(false) => None,
                    None => break,
                },
            };
            match length {
                Some(_) => clean.extend(MASK),
                None => clean.push(*byte),
            }
            at += length.unwrap_or(1);
        }
        self.held.drain(..at);
        clean
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
