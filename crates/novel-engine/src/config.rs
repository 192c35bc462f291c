//! `novel.toml`: every key optional, an empty file valid, an unknown key a warning.

use std::collections::BTreeSet;

use novel_model::{
    Explain, Kind, Lang, Message, Place, Problem, Warning, layout, message, nearest,
};
use serde::{Deserialize, Serialize};

use crate::gate::Weights;

/// The configuration of a book.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Title of the book.
    pub title: Option<String>,
    /// Name of the author.
    pub author: Option<String>,
    /// Language of the book, such as `zh-CN` or `en`.
    pub language: Option<String>,
    /// Length of a chapter.
    pub chapter: ChapterConfig,
}

/// Length of a chapter, in counted words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterConfig {
    /// Shorter chapters are reported.
    pub min_words: Option<u64>,
    /// Longer chapters are reported.
    pub max_words: Option<u64>,
    /// Whether a length out of bounds refuses the chapter or only warns.
    pub length_policy: LengthPolicy,
}

/// What a length out of bounds does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthPolicy {
    /// Warn.
    #[default]
    Warn,
    /// Refuse the chapter.
    Refuse,
}

const KNOWN_KEYS: [&str; 8] = [
    "title",
    "author",
    "language",
    "chapter",
    "min_words",
    "max_words",
    "length_policy",
    "pipeline",
];

/// A `novel.toml` that can not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("novel.toml can not be used")]
pub struct ConfigError {
    problems: Vec<Problem>,
}

impl Config {
    /// Reads the text of `novel.toml`.
    ///
    /// # Errors
    /// When it is not TOML, or a value has the wrong type.
    pub fn parse(text: &str) -> Result<(Self, Vec<Warning>), ConfigError> {
        let mut unknown = BTreeSet::new();
        let deserializer = toml::Deserializer::parse(text).map_err(|error| broken(text, &error))?;
        let config: Self = serde_ignored::deserialize(deserializer, |path| {
            unknown.insert(path.to_string());
        })
        .map_err(|error| broken(text, &error))?;
        let warnings = unknown.iter().map(|key| unknown_key(key)).collect();
        Ok((config, warnings))
    }

    /// The language of the book's fixed headings.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.language
            .as_deref()
            .and_then(Lang::from_tag)
            .unwrap_or(Lang::Zh)
    }

    /// The weights of the eight dimensions.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights::default()
    }
}

fn unknown_key(key: &str) -> Warning {
    let last = key.rsplit('.').next().unwrap_or(key);
    let text = match nearest(last, KNOWN_KEYS.into_iter()) {
        Some(known) => message!(
            en: "novel.toml: unknown key `{key}`; did you mean `{known}`?",
            zh: "novel.toml：未知的键 `{key}`，是否想写 `{known}`？"
        ),
        None => message!(en: "novel.toml: unknown key `{key}`", zh: "novel.toml：未知的键 `{key}`"),
    };
    Warning::new("unknown_config_key", text)
}

fn broken(text: &str, error: &toml::de::Error) -> ConfigError {
    let reason = error.message();
    let place = error.span().map_or(Place::File, |span| {
        let before = &text[..text.floor_char_boundary(span.start)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place::Line {
            line: before.matches('\n').count() + 1,
            column: Some(before[line_start..].chars().count() + 1),
        }
    });
    ConfigError {
        problems: vec![Problem {
            code: "bad_config",
            path: layout::config(),
            place,
            message: message!(en: "{reason}", zh: "{reason}"),
            hint: Some(message!(
                en: "see docs/files.md for all keys; every key may be left out",
                zh: "全部键见 docs/files.md；任何键都可以省略"
            )),
        }],
    }
}

impl Explain for ConfigError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BROKEN_CONFIG"
    }

    fn message(&self) -> Message {
        message!(en: "novel.toml can not be used", zh: "novel.toml 无法使用")
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}
