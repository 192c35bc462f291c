//! Novels to import, and a place to import them to.
#![allow(
    dead_code,
    reason = "every test binary uses its own part of the support"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "test support fails and skips loudly"
)]
#![allow(unreachable_pub, reason = "a module of several test binaries")]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{EPOCH, Run, Tree, binary, run, tree};

/// A directory with files to import.
pub struct Shelf {
    home: TempDir,
}

impl Shelf {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// With one file.
    #[must_use]
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let shelf = Self::new();
        shelf.put(name, bytes);
        shelf
    }

    /// One more file.
    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.home.path()
    }

    /// A file of it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Everything in it.
    #[must_use]
    pub fn tree(&self) -> Tree {
        tree(self.root())
    }

    /// The binary in a sealed environment.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .env_clear()
            .env("HOME", self.root())
            .env("SOURCE_DATE_EPOCH", EPOCH)
            .env("STUB_KEY", "stub-key-0123456789")
            .current_dir(self.root());
        command
    }

    /// Runs the binary with `--json`, in English.
    #[track_caller]
    pub fn novel(&self, args: &[&str]) -> Run {
        let args = [args, &["--json", "--lang", "en"]].concat();
        run(self.command(&args), b"")
    }

    /// Runs the binary for people.
    #[track_caller]
    pub fn told(&self, args: &[&str]) -> Run {
        run(self.command(args), b"")
    }

    /// A JSON file of it.
    #[track_caller]
    #[must_use]
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// The chapters of a project: title and scenes.
    #[must_use]
    pub fn chapters(&self, project: &str) -> Vec<(String, Vec<String>)> {
        (1..)
            .map(|number| format!("{project}/chapters/chapter_{number:03}.json"))
            .take_while(|name| self.path(name).exists())
            .map(|name| {
                let chapter = self.json(&name);
                let scenes = chapter["scenes"].as_array().unwrap().iter();
                let scenes = scenes.map(|scene| scene["content"].as_str().unwrap().to_owned());
                (
                    chapter["chapter_title"].as_str().unwrap().to_owned(),
                    scenes.collect(),
                )
            })
            .collect()
    }
}

/// 三国演义, if `scripts/novel-texts.sh` has fetched it.
pub struct Sanguo {
    /// Its 120 chapters, heading and text.
    pub chapters: Vec<String>,
    /// People and what they are called.
    pub names: BTreeMap<String, Vec<String>>,
}

impl Sanguo {
    /// Loudly skips without it.
    #[must_use]
    pub fn fetched() -> Option<Self> {
        let cache = env::var_os("NOVEL_TEXTS").map(PathBuf::from).or_else(|| {
            let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
            Some(cache.or(home)?.join("novel-texts"))
        })?;
        let read = |name: &str| fs::read(cache.join(name)).ok();
        let (Some(text), Some(names)) = (read("sanguo.json"), read("sanguo-names.json")) else {
            eprintln!("SKIPPED: needs scripts/novel-texts.sh to be run first");
            assert!(
                env::var_os("NOVEL_NO_SKIP").is_none(),
                "must not be skipped here"
            );
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
