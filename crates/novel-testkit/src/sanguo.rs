//! A long novel for the tests of import and analysis.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::skip;

/// 三国演义, if `scripts/novel-texts.sh` has fetched it.
pub struct Sanguo {
    /// Its 120 chapters, heading and text.
    pub chapters: Vec<String>,
    /// People and what they are called.
    pub names: BTreeMap<String, Vec<String>>,
}

impl Sanguo {
    /// The text; a test without it is skipped.
    #[must_use]
    pub fn fetched() -> Option<Self> {
        let cache = env::var_os("NOVEL_TEXTS").map(PathBuf::from).or_else(|| {
            let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
            Some(cache.or(home)?.join("novel-texts"))
        })?;
        let read = |name: &str| fs::read(cache.join(name)).ok();
        let (Some(text), Some(names)) = (read("sanguo.json"), read("sanguo-names.json")) else {
            skip("the text that scripts/novel-texts.sh fetches");
            return None;
        };
        let names: Value = serde_json::from_slice(&names).unwrap();
        Some(Self {
            chapters: serde_json::from_slice(&text).unwrap(),
            names: serde_json::from_value(names["mention"].clone()).unwrap(),
        })
    }

    /// As one text.
    #[must_use]
    pub fn text(&self) -> String {
        self.chapters.join("\n\n")
    }

    /// Heading and text of a chapter.
    #[must_use]
    pub fn parts(chapter: &str) -> (&str, &str) {
        let (heading, text) = chapter.split_once('\n').unwrap();
        (heading.trim(), text)
    }
}
