//! Policies of the gates after a commit (spec 04), from `novel.toml` or the environment.
//!
//! The defaults are the seeds' "existing project": a report is written, no text is changed, nothing
//! is blocked.

use novel_model::{Explain, Kind, Message, message};
use serde::{Deserialize, Serialize};

use super::Config;

/// An enum whose words stand in files, in the environment and in messages.
macro_rules! policy {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// Every word, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in files.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

policy! {
    /// What is done with issues the consistency check can have fixed.
    RevisionPolicy {
        /// They are reported.
        #[default]
        None = "none",
        /// A revision becomes the text at once.
        AutoApply = "auto_apply",
        /// A revision waits for the author.
        ManualConfirm = "manual_confirm",
    }
}

policy! {
    /// Whether a chapter is reviewed for its logic after it is committed.
    LogicReviewPolicy {
        /// It is not.
        #[default]
        Off = "off",
        /// It is, and a bad review stops the book.
        Blocking = "blocking",
    }
}

policy! {
    /// How a committed chapter is checked for contradictions.
    ConsistencyCheck {
        /// Not at all.
        Off = "off",
        /// By the program, from the files.
        #[default]
        Deterministic = "deterministic",
        /// By the program and by an agent.
        Full = "full",
    }
}

/// A score from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64")]
pub struct MinScore(u32);

impl MinScore {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for MinScore {
    fn default() -> Self {
        Self(75)
    }
}

impl TryFrom<i64> for MinScore {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        u32::try_from(number)
            .ok()
            .filter(|score| *score <= 100)
            .map(Self)
            .ok_or_else(|| format!("{number} is not a score; allowed: 0 to 100"))
    }
}

/// A key the environment may override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Override {
    /// `revision_policy`.
    RevisionPolicy,
    /// `logic_review_policy`.
    LogicReviewPolicy,
    /// `logic_review_min_score`.
    LogicReviewMinScore,
    /// `consistency_check`.
    ConsistencyCheck,
}

impl Override {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::RevisionPolicy,
        Self::LogicReviewPolicy,
        Self::LogicReviewMinScore,
        Self::ConsistencyCheck,
    ];

    /// The key in `novel.toml`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::RevisionPolicy => "revision_policy",
            Self::LogicReviewPolicy => "logic_review_policy",
            Self::LogicReviewMinScore => "logic_review_min_score",
            Self::ConsistencyCheck => "consistency_check",
        }
    }

    /// The environment variable.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Self::RevisionPolicy => "NOVEL_REVISION_POLICY",
            Self::LogicReviewPolicy => "NOVEL_LOGIC_REVIEW_POLICY",
            Self::LogicReviewMinScore => "NOVEL_LOGIC_REVIEW_MIN_SCORE",
            Self::ConsistencyCheck => "NOVEL_CONSISTENCY_CHECK",
        }
    }

    /// The values it may have, for people.
    fn allowed(self) -> String {
        match self {
            Self::RevisionPolicy => RevisionPolicy::WORDS.join(", "),
            Self::LogicReviewPolicy => LogicReviewPolicy::WORDS.join(", "),
            Self::LogicReviewMinScore => "0 - 100".to_owned(),
            Self::ConsistencyCheck => ConsistencyCheck::WORDS.join(", "),
        }
    }
}

impl Config {
    /// Puts the value of an environment variable above the file's.
    ///
    /// # Errors
    /// When the value is not one of the allowed ones, which are listed.
    pub fn set(&mut self, key: Override, value: &str) -> Result<(), BadEnvironment> {
        let known = match key {
            Override::RevisionPolicy => {
                RevisionPolicy::from_word(value).map(|policy| self.revision_policy = policy)
            }
            Override::LogicReviewPolicy => {
                LogicReviewPolicy::from_word(value).map(|policy| self.logic_review_policy = policy)
            }
            Override::LogicReviewMinScore => value
                .parse::<i64>()
                .ok()
                .and_then(|number| MinScore::try_from(number).ok())
                .map(|score| self.logic_review_min_score = score),
            Override::ConsistencyCheck => {
                ConsistencyCheck::from_word(value).map(|check| self.consistency_check = check)
            }
        };
        known.ok_or_else(|| BadEnvironment {
            key,
            value: value.to_owned(),
        })
    }
}

/// An environment variable whose value is not one of the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be used", key.variable())]
pub struct BadEnvironment {
    key: Override,
    value: String,
}

impl Explain for BadEnvironment {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BAD_ENVIRONMENT"
    }

    fn message(&self) -> Message {
        let (variable, allowed, value) = (self.key.variable(), self.key.allowed(), &self.value);
        message!(
            en: "the environment variable {variable} is `{value}`; allowed: {allowed}",
            zh: "环境变量 {variable} 的值是 `{value}`；可用的值：{allowed}"
        )
    }

    fn hint(&self) -> Option<Message> {
        let variable = self.key.variable();
        Some(message!(
            en: "set {variable} to one of them, or unset it",
            zh: "请将 {variable} 设为其中之一，或取消设置"
        ))
    }
}
