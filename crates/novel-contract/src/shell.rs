//! Answers about the program itself: `help`, `version`, `completions` and `man`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::answers;

/// The help of a command; any command with `--help` answers so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HelpAnswer {
    /// The help.
    pub help: String,
}

/// The version of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VersionAnswer {
    /// The version.
    pub version: String,
}

/// Completions for a shell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompletionsAnswer {
    /// The shell.
    pub shell: String,
    /// The script.
    pub script: String,
}

/// Manual pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ManAnswer {
    /// All pages in one text.
    Page {
        /// The pages.
        page: String,
    },
    /// Files of the pages, with `--out`.
    Written {
        /// The files as they were named.
        written: Vec<String>,
    },
}

/// Answer of `studio`, once it is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudioAnswer {
    /// Where it was.
    pub address: String,
}

answers!(
    StudioAnswer {},
    HelpAnswer {},
    VersionAnswer {},
    CompletionsAnswer {},
    ManAnswer {},
);
