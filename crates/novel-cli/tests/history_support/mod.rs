//! The demo book, written by the offline author through the binary, and its history.
#![allow(
    dead_code,
    reason = "every test binary uses its own part of the support"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support fails loudly"
)]
#![allow(unreachable_pub, reason = "a module of several test binaries")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use novel_app::setup::demo;
use novel_model::Lang;
use novel_store::Store;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{EPOCH, Node, Run, Tree, binary, pretty, run, tree};

/// The demo book in a directory of its own.
pub struct Demo {
    home: TempDir,
}

impl Demo {
    /// Planned, not a chapter written.
    #[must_use]
    pub fn planned() -> Self {
        let home = home();
        let store = Store::create(&home.path().join("book")).unwrap();
        demo::create(&store, Lang::Zh).unwrap();
        Self { home }
    }

    /// With its first chapters.
    #[must_use]
    pub fn with(chapters: u32) -> Self {
        let book = Self::planned();
        book.write_to(chapters);
        book
    }

    /// Another book with the same files.
    #[must_use]
    pub fn copy(&self) -> Self {
        let home = home();
        let copied = Command::new("cp")
            .arg("-a")
            .args([self.root(), home.path().join("book")])
            .status();
        assert!(copied.unwrap().success());
        Self { home }
    }

    /// A book with these files.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let book = Self { home: home() };
        fs::create_dir(book.root()).unwrap();
        // A directory stands before what is in it.
        for (path, node) in tree {
            match node {
                Node::Dir => fs::create_dir(book.path(path)).unwrap(),
                Node::File(bytes) => fs::write(book.path(path), bytes).unwrap(),
                Node::Link(_) => panic!("{path} is a link"),
            }
        }
        book
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.home.path().join("book")
    }

    /// The directory around it.
    #[must_use]
    pub fn outside(&self) -> &Path {
        self.home.path()
    }

    /// A file of the book.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// The text of a file.
    #[track_caller]
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The JSON of a file.
    #[track_caller]
    #[must_use]
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Changes a JSON file behind the program's back.
    #[track_caller]
    pub fn edit(&self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.json(path);
        change(&mut value);
        self.write(path, pretty(&value));
    }

    /// Writes a file behind the program's back.
    #[track_caller]
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Whether something stands at a path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// Writes up to a chapter.
    #[track_caller]
    pub fn write_to(&self, chapter: u32) {
        let data = self.novel(&["run", "--to", &chapter.to_string()]).ok();
        let last = data["finished"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["chapter"], chapter, "{data:#}");
    }

    /// Puts the draft of the next chapter into staging and has it accepted.
    #[track_caller]
    pub fn begin(&self, chapter: u32) {
        let (last, step) = (chapter - 1, format!("chapter:{chapter:03}:draft"));
        let text = fs::read_to_string(self.path(&format!("chapters/chapter-{last:03}.md")));
        let heading = |number: u32| format!("# 第 {number} 章");
        let draft = text.unwrap().replacen(&heading(last), &heading(chapter), 1);
        let path = self.home.path().join("draft.md");
        fs::write(&path, draft).unwrap();
        let _ = self.novel(&["submit", &step, path.to_str().unwrap()]).ok();
        let _ = self.novel(&["advance", &step]).ok();
    }

    /// A sealed command in the book.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .env_clear()
            .env("HOME", self.home.path())
            .env("TZ", "UTC")
            .env("NOVEL_LANG", "en")
            .env("SOURCE_DATE_EPOCH", EPOCH)
            .env("STUB_KEY", "stub-key-0123456789")
            .current_dir(self.root());
        command
    }

    /// Runs it with `--json`.
    #[track_caller]
    pub fn novel(&self, args: &[&str]) -> Run {
        let mut command = self.command(args);
        command.arg("--json");
        run(command, b"")
    }

    /// Runs it for a person.
    #[must_use]
    pub fn told(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Every file whose history is not its own subject.
    #[must_use]
    pub fn files(&self) -> Tree {
        content(tree(&self.root()))
    }

    /// Appends to a file behind the program's back.
    pub fn tamper(&self, path: &str) {
        let path = self.path(path);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice("\n改动\n".as_bytes());
        fs::write(path, bytes).unwrap();
    }
}

/// In memory where there is such a place: the books here are many and short-lived.
fn home() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// The files of a tree, without those that grow with every operation: what was replaced, the log of
/// operations and the ledger of calls.
#[must_use]
pub fn content(tree: Tree) -> Tree {
    let grows = |path: &str| {
        path.starts_with("archive/")
            || path.starts_with("logs/calls/")
            || path == "logs/operations.jsonl"
    };
    tree.into_iter()
        .filter(|(path, node)| *node != Node::Dir && !grows(path))
        .collect()
}
