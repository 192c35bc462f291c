//! Ids that parse and print the same text.

use std::{fmt, num::NonZeroU32, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{Explain, Kind, Message, message};

/// A text that is not the id it was meant to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IdError {
    message: Message,
    hint: Message,
}

impl Explain for IdError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BAD_ID"
    }

    fn message(&self) -> Message {
        self.message.clone()
    }

    fn hint(&self) -> Option<Message> {
        Some(self.hint.clone())
    }
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident, width = $width:literal, en = $en:literal, zh = $zh:literal, example = $example:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id with this number; zero is none.
            #[must_use]
            pub const fn new(number: u32) -> Option<Self> {
                match NonZeroU32::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// The first one.
            #[must_use]
            pub const fn first() -> Self {
                Self(NonZeroU32::MIN)
            }

            /// The plain number.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0.get()
            }

            /// The one after this (the largest number is its own successor).
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }

            /// The one before this, if there is one.
            #[must_use]
            pub const fn previous(self) -> Option<Self> {
                Self::new(self.get() - 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{:0", $width, "}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                digits.then(|| text.parse().ok()).flatten().and_then(Self::new).ok_or_else(|| IdError {
                    message: Message {
                        en: format!(concat!("`{}` is not a ", $en, " number"), text),
                        zh: format!(concat!("`{}` 不是有效的", $zh), text),
                    },
                    hint: message!(
                        en: "use a whole number from 1 to 4294967295, such as {}",
                        zh: "请使用 1 到 4294967295 的整数，例如 {}", $example
                    ),
                })
            }
        }
    };
}

number_id!(
    /// The number of a chapter, counted through the whole book from one.
    ChapterNo, width = 3, en = "chapter", zh = "章号", example = "48"
);
number_id!(
    /// The number of a volume, counted from one.
    VolumeNo, width = 2, en = "volume", zh = "卷号", example = "2"
);
number_id!(
    /// The number of a scene, counted through its chapter from one.
    SceneNo, width = 2, en = "scene", zh = "场景号", example = "2"
);
number_id!(
    /// The number of a run, counted from one; the name of its log.
    RunId, width = 4, en = "run", zh = "运行编号", example = "7"
);

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, format = $format:literal, pattern = $pattern:literal, valid = $valid:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let valid: fn(&str) -> bool = $valid;
                if valid(text) {
                    return Ok(Self(text.to_owned()));
                }
                let shown: String = text.chars().flat_map(char::escape_debug).take(80).collect();
                Err(IdError {
                    message: message!(en: "`{shown}` is not a valid id", zh: "`{shown}` 不是有效的 id"),
                    hint: message!(en: "an id must match {}", zh: "id 必须符合 {}", $pattern),
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "format": $format, "pattern": $pattern, "maxLength": MAX_ID_BYTES})
            }
        }
    };
}

/// Longest id accepted: it becomes a file name.
const MAX_ID_BYTES: usize = 100;

text_id!(
    /// Id of a character or a storyline; safe as a file name.
    Slug, format = "slug", pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", valid = |text| {
        text.len() <= MAX_ID_BYTES
            && text.split('-').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            })
    }
);
text_id!(
    /// Id of a foreshadowing item.
    ForeshadowId, format = "foreshadow-id", pattern = "^[a-z0-9][a-z0-9_-]*$", valid = |text| {
        let alphanumeric = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        text.len() <= MAX_ID_BYTES
            && text.bytes().next().is_some_and(alphanumeric)
            && text.bytes().all(|b| alphanumeric(b) || b == b'_' || b == b'-')
    }
);

macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in a step id.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }
    };
}

word_enum!(
    /// What is to be done with a chapter.
    ChapterStage {
        /// Write the draft, or revise it.
        Draft = "draft",
        /// Write summary, delta, cross-references and memory.
        Summarize = "summarize",
        /// Polish the style.
        Refine = "refine",
        /// Judge the text.
        Judge = "judge",
        /// Move everything into the book.
        Commit = "commit",
        /// Logic review after the commit.
        Review = "review",
        /// Full consistency audit after the commit.
        Audit = "audit",
    }
);
word_enum!(
    /// What is to be done with a volume.
    VolumeStage {
        /// Plan it.
        Plan = "plan",
        /// Move the approved plan into the book.
        Commit = "commit",
        /// Look back on it.
        Review = "review",
    }
);
word_enum!(
    /// Phases of the quick start.
    QuickstartPhase {
        /// World and its first rules.
        World = "world",
        /// Protagonist and companions.
        Characters = "characters",
        /// Style profile.
        Style = "style",
        /// Trial chapters.
        Trial = "trial",
        /// The author accepts or adjusts.
        Results = "results",
    }
);

/// The next action, as text: `chapter:048:draft`, `volume:02:plan`, `quickstart:world`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub enum StepId {
    /// A step of a chapter.
    Chapter(ChapterNo, ChapterStage),
    /// A step of a volume.
    Volume(VolumeNo, VolumeStage),
    /// A phase of the quick start.
    Quickstart(QuickstartPhase),
}

impl StepId {
    /// What the step makes, in words.
    #[must_use]
    pub fn title(self) -> Message {
        match self {
            Self::Chapter(chapter, stage) => {
                let n = chapter.get();
                let (en, zh) = match stage {
                    ChapterStage::Draft => ("draft", "草稿"),
                    ChapterStage::Summarize => ("summary", "摘要"),
                    ChapterStage::Refine => ("refined text", "润色稿"),
                    ChapterStage::Judge => ("verdict", "评审"),
                    ChapterStage::Commit => ("commit", "提交"),
                    ChapterStage::Review => ("logic review", "逻辑审查"),
                    ChapterStage::Audit => ("audit", "一致性审计"),
                };
                message!(en: "the {en} of chapter {n}", zh: "第 {n} 章的{zh}")
            }
            Self::Volume(volume, stage) => {
                let n = volume.get();
                let (en, zh) = match stage {
                    VolumeStage::Plan | VolumeStage::Commit => ("plan", "规划"),
                    VolumeStage::Review => ("review", "回顾"),
                };
                message!(en: "the {en} of volume {n}", zh: "第 {n} 卷的{zh}")
            }
            Self::Quickstart(phase) => match phase {
                QuickstartPhase::World => message!(en: "the world", zh: "世界设定"),
                QuickstartPhase::Characters => message!(en: "the cast", zh: "人物设定"),
                QuickstartPhase::Style => message!(en: "the style", zh: "文风设定"),
                QuickstartPhase::Trial => message!(en: "the plan of the trial", zh: "试写的规划"),
                QuickstartPhase::Results => message!(en: "the trial", zh: "试写"),
            },
        }
    }

    /// The id with `-` for `:`, for file names: `chapter-048-draft`.
    #[must_use]
    pub fn file_stem(self) -> String {
        self.to_string().replace(':', "-")
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter(chapter, stage) => write!(f, "chapter:{chapter}:{}", stage.word()),
            Self::Volume(volume, stage) => write!(f, "volume:{volume}:{}", stage.word()),
            Self::Quickstart(phase) => write!(f, "quickstart:{}", phase.word()),
        }
    }
}

impl From<StepId> for String {
    fn from(step: StepId) -> Self {
        step.to_string()
    }
}

impl TryFrom<String> for StepId {
    type Error = <Self as FromStr>::Err;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for StepId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts.as_slice() {
            ["chapter", number, stage] => Ok(Self::Chapter(
                number
                    .parse()
                    .map_err(|error: IdError| in_step(text, error))?,
                stage_word(
                    text,
                    stage,
                    ChapterStage::from_word(stage),
                    ChapterStage::ALL.iter().map(|s| s.word()),
                )?,
            )),
            ["volume", number, stage] => Ok(Self::Volume(
                number
                    .parse()
                    .map_err(|error: IdError| in_step(text, error))?,
                stage_word(
                    text,
                    stage,
                    VolumeStage::from_word(stage),
                    VolumeStage::ALL.iter().map(|s| s.word()),
                )?,
            )),
            ["quickstart", phase] => Ok(Self::Quickstart(stage_word(
                text,
                phase,
                QuickstartPhase::from_word(phase),
                QuickstartPhase::ALL.iter().map(|s| s.word()),
            )?)),
            _ => Err(IdError {
                message: message!(en: "`{text}` is not a step id", zh: "`{text}` 不是步骤 id"),
                hint: expected_forms(),
            }),
        }
    }
}

fn expected_forms() -> Message {
    message!(
        en: "expected `chapter:048:draft|summarize|refine|judge|commit|review|audit`, `volume:02:plan|commit|review` or `quickstart:world|characters|style|trial|results`; `novel next` prints the current one",
        zh: "应为 `chapter:048:draft|summarize|refine|judge|commit|review|audit`、`volume:02:plan|commit|review` 或 `quickstart:world|characters|style|trial|results`；`novel next` 会给出当前步骤"
    )
}

fn in_step(step: &str, error: IdError) -> IdError {
    IdError {
        message: Message {
            en: format!("{} in step `{step}`", error.message.en),
            zh: format!("步骤 `{step}` 中，{}", error.message.zh),
        },
        hint: expected_forms(),
    }
}

fn stage_word<T>(
    step: &str,
    word: &str,
    found: Option<T>,
    known: impl Iterator<Item = &'static str>,
) -> Result<T, IdError> {
    found.ok_or_else(|| {
        let nearest = nearest(word, known);
        let forms = expected_forms();
        IdError {
            message: message!(en: "unknown phase `{word}` in step `{step}`", zh: "步骤 `{step}` 中有未知阶段 `{word}`"),
            hint: match nearest {
                Some(nearest) => Message {
                    en: format!("did you mean `{nearest}`? {}", forms.en),
                    zh: format!("是否想写 `{nearest}`？{}", forms.zh),
                },
                None => forms,
            },
        }
    })
}

/// The known word most like `word`, if any is near enough to suggest.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
#[path = "ids_tests.rs"]
mod tests;
