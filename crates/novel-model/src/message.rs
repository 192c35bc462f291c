//! Text for people, in both languages at once.
//!
//! A message is built where the fact is known, in Chinese and English side by
//! side, so that neither can be forgotten. Only a front end picks one.

use std::fmt;

/// Language of messages (and of a book's fixed headings).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Simplified Chinese.
    Zh,
    /// English.
    En,
}

impl Lang {
    /// Reads a language tag or a locale name: `zh-CN`, `zh_CN.UTF-8`, `en`, ….
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Zh),
            "en" => Some(Self::En),
            _ => None,
        }
    }
}

/// One sentence (or a few) in Chinese and English.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// English text.
    pub en: String,
    /// Chinese text.
    pub zh: String,
}

impl Message {
    /// The text in `lang`.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Zh => &self.zh,
            Lang::En => &self.en,
        }
    }

    /// The same text in both languages: a command, a path, a code.
    #[must_use]
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            en: text.clone(),
            zh: text,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

/// A number and its English noun in the right form: `1 file`, `2 files`, `2 people`.
#[must_use]
pub fn counted(count: impl fmt::Display, noun: &str) -> String {
    match (count.to_string().as_str(), noun) {
        (one @ "1", noun) => format!("{one} {noun}"),
        (count, "person") => format!("{count} people"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

/// A passage in quotation marks; those inside it are single ones.
#[must_use]
pub fn quoted(passage: &str) -> String {
    let mut inner = String::new();
    for char in passage.trim().chars() {
        let opens = inner.chars().next_back().is_none_or(char::is_whitespace);
        inner.push(match char {
            '“' => '‘',
            '"' if opens => '‘',
            '”' | '"' => '’',
            other => other,
        });
    }
    format!("“{inner}”")
}

/// Builds a [`Message`]: `message!(en: "chapter {c}", zh: "第 {c} 章")`.
#[macro_export]
macro_rules! message {
    (en: $en:literal, zh: $zh:literal $(, $($arg:tt)*)?) => {
        $crate::Message { en: format!($en $(, $($arg)*)?), zh: format!($zh $(, $($arg)*)?) }
    };
}
