//! JSON that carries a sum of itself as its last key, `sum`, so that damage shows although the text is
//! still JSON. The lines of a log are a chain: the sum of each covers the sum of the line before it,
//! so that a line that is gone shows too. Text without a sum is of an older version.

use crate::ContentHash;

/// Hexadecimal digits of a sum: 16 bytes of BLAKE3.
const DIGITS: usize = 32;

/// What the sum of a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seal<'a> {
    /// The text is as it was written; its sum.
    Sound(&'a str),
    /// There is no sum.
    Unsealed,
    /// The text is not as it was written.
    Broken,
}

/// A JSON object on one line, with a sum; `before` is the sum of the line before it.
#[must_use]
pub fn seal_line(json: &str, before: Option<&str>) -> String {
    let body = json.strip_suffix('}').unwrap_or(json);
    format!("{body},\"sum\":\"{}\"}}", sum(body, before))
}

/// What the sum of a line says.
#[must_use]
pub fn check_line<'a>(line: &'a str, before: Option<&str>) -> Seal<'a> {
    check(line, ",\"sum\":\"", "\":\"", "\"}", before)
}

/// The sum that a line carries, true or not.
#[must_use]
pub fn sum_of_line(line: &str) -> Option<&str> {
    let (_, rest) = line.rsplit_once(",\"sum\":\"")?;
    rest.strip_suffix("\"}")
}

/// A JSON object as a file has it, with a sum.
#[must_use]
pub fn seal_document(json: &str) -> String {
    let body = json.strip_suffix("\n}\n").unwrap_or(json);
    format!("{body},\n  \"sum\": \"{}\"\n}}\n", sum(body, None))
}

/// What the sum of a file says.
#[must_use]
pub fn check_document(text: &str) -> Seal<'_> {
    check(text, ",\n  \"sum\": \"", "\": \"", "\"\n}\n", None)
}

fn sum(body: &str, before: Option<&str>) -> String {
    let hash = ContentHash::of(format!("{}{body}", before.unwrap_or_default()));
    let digits = hash.as_str().chars().skip("blake3:".len());
    digits.take(DIGITS).collect()
}

fn check<'a>(text: &'a str, begin: &str, any: &str, end: &str, before: Option<&str>) -> Seal<'a> {
    let found = text.rsplit_once(begin).and_then(|(body, rest)| {
        let found = rest.strip_suffix(end)?;
        Some((body, found))
    });
    match found {
        Some((body, found)) if found == sum(body, before) => Seal::Sound(found),
        Some(_) => Seal::Broken,
        // A sum whose name is damaged.
        None if ends_with_sum(text, any, end) => Seal::Broken,
        None => Seal::Unsealed,
    }
}

fn ends_with_sum(text: &str, any: &str, end: &str) -> bool {
    let last = text
        .strip_suffix(end)
        .and_then(|text| text.rsplit_once(any));
    last.is_some_and(|(_, value)| {
        value.len() == DIGITS && value.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
#[path = "seal_tests.rs"]
mod tests;
