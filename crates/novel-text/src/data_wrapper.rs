//! Wrapping of file contents as data.
//!
//! Invariant: under a lenient reading (any case, full-width forms, white
//! space and invisible characters anywhere inside the tag) a wrapped text has
//! exactly one opening and one closing tag: those of the wrapper.

use std::fmt::Write as _;

/// What a wrapped text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataKind {
    /// Text of a chapter.
    ChapterContent,
    /// A sample of the wanted style.
    StyleSample,
    /// Research notes.
    Research,
    /// A character's profile.
    CharacterProfile,
    /// A document about the world.
    WorldDoc,
    /// A summary or an outline.
    Summary,
    /// Anything else to look up.
    Reference,
}

impl DataKind {
    /// The word in the `type` attribute.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChapterContent => "chapter_content",
            Self::StyleSample => "style_sample",
            Self::Research => "research",
            Self::CharacterProfile => "character_profile",
            Self::WorldDoc => "world_doc",
            Self::Summary => "summary",
            Self::Reference => "reference",
        }
    }
}

/// Wraps `content`, which came from `source` (a project path).
///
/// In the content only a `<` that opens something reading as a `DATA` tag is
/// changed (to `&lt;`); nothing undoes that anywhere.
#[must_use]
pub fn wrap_data(kind: DataKind, source: &str, content: &str) -> String {
    format!(
        "<DATA type=\"{}\" source=\"{}\" readonly=\"true\">\n{}\n</DATA>",
        kind.as_str(),
        neutralize_tags(&escape_attribute(source)),
        neutralize_tags(content)
    )
}

fn escape_attribute(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for char in value.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{2028}' | '\u{2029}' => push_reference(&mut escaped, char),
            _ if char.is_control() => push_reference(&mut escaped, char),
            _ => escaped.push(char),
        }
    }
    escaped
}

fn push_reference(text: &mut String, char: char) {
    // Writing to a string cannot fail.
    let _ = write!(text, "&#x{:X};", u32::from(char));
}

fn neutralize_tags(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut done = 0;
    for (at, sign) in text.match_indices(is_less_than) {
        let after = at + sign.len();
        if opens_tag(&text[after..]) {
            safe.push_str(&text[done..at]);
            safe.push_str("&lt;");
            done = after;
        }
    }
    safe.push_str(&text[done..]);
    safe
}

/// Whether the text after a `<` reads as `DATA` or `/DATA`.
fn opens_tag(rest: &str) -> bool {
    let mut seen = rest
        .chars()
        .filter(|char| !is_invisible(*char))
        .skip_while(|char| is_slash(*char));
    "data"
        .chars()
        .all(|expected| seen.next().map(fold) == Some(expected))
}

fn is_less_than(char: char) -> bool {
    matches!(char, '<' | '＜' | '﹤')
}

fn is_slash(char: char) -> bool {
    matches!(char, '/' | '／' | '\\' | '＼' | '∕' | '⁄' | '⧸')
}

/// Full-width letters become plain, capitals small.
fn fold(char: char) -> char {
    let plain = match char {
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(u32::from(char) - 0xFEE0).unwrap_or(char),
        _ => char,
    };
    plain.to_ascii_lowercase()
}

/// White space, control and format characters, and marks that sit on another character.
fn is_invisible(char: char) -> bool {
    char.is_whitespace()
        || char.is_control()
        || matches!(char,
            '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}'
            | '\u{70F}' | '\u{890}'..='\u{891}' | '\u{8E2}' | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{20D0}'..='\u{20FF}' | '\u{2800}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
#[path = "data_wrapper_tests.rs"]
mod tests;
