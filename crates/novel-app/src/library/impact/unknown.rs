//! Things the book does not have.

use novel_model::{Explain, Kind, Message, message, nearest};

/// Why nothing can be said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoImpact {
    /// No character has this id, name or alias.
    #[error("there is no character `{name}`")]
    NoCharacter {
        /// Name or id given on the command line.
        name: String,
        /// The ids and names there are.
        known: Vec<String>,
    },
    /// `world/rules.json` has no rule with this id.
    #[error("there is no rule `{id}`")]
    NoRule {
        /// Rule id given on the command line.
        id: String,
        /// The ids there are.
        known: Vec<String>,
    },
    /// No chapter has said anything about it.
    #[error("no chapter has changed `{path}`")]
    NoFact {
        /// State path given on the command line.
        path: String,
        /// The paths chapters have changed.
        known: Vec<String>,
    },
}

impl Explain for NoImpact {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoCharacter { .. } => "NO_SUCH_CHARACTER",
            Self::NoRule { .. } => "NO_SUCH_RULE",
            Self::NoFact { .. } => "NO_SUCH_FACT",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoCharacter { name, .. } => message!(
                en: "there is no character `{name}`", zh: "没有角色 `{name}`"
            ),
            Self::NoRule { id, .. } => message!(
                en: "there is no rule `{id}` in `world/rules.json`",
                zh: "`world/rules.json` 中没有规则 `{id}`"
            ),
            Self::NoFact { path, .. } => message!(
                en: "no chapter has changed `{path}`", zh: "没有哪一章改动过 `{path}`"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        let (said, known) = match self {
            Self::NoCharacter { name, known } => (name, known),
            Self::NoRule { id, known } => (id, known),
            Self::NoFact { path, known } => (path, known),
        };
        let all = match self {
            Self::NoCharacter { .. } => message!(
                en: "`novel character list` shows the cast", zh: "`novel character list` 列出角色"
            ),
            Self::NoRule { .. } => message!(
                en: "the ids are in `world/rules.json`, such as W-001",
                zh: "规则编号见 `world/rules.json`，如 W-001"
            ),
            Self::NoFact { .. } => message!(
                en: "use a path from `state/current-state.json`, such as `characters.lin-feng.location`",
                zh: "请用 `state/current-state.json` 中的路径，如 `characters.lin-feng.location`"
            ),
        };
        let Some(similar) = nearest(said, known.iter().map(String::as_str)) else {
            return Some(all);
        };
        Some(Message {
            en: format!("did you mean `{similar}`? {}", all.en),
            zh: format!("是否想写 `{similar}`？{}", all.zh),
        })
    }
}
