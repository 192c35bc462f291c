//! The demo book in a directory of its own, written by the real binary in a sealed environment.
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

pub mod model;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Of the stub's key; it must never be seen anywhere but in a request.
pub const KEY: &str = "sk-live-2c1f7a90-never-print-this";

/// What a command did.
#[must_use]
#[derive(Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// From what the system says.
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It went well.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// The one JSON object; nothing else was said.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        assert_eq!(self.stderr, "", "{self:#?}");
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:#?}");
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// A directory with a home, and perhaps a book in `book`.
pub struct Home {
    dir: TempDir,
}

impl Home {
    /// Without a book.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// With the planned demo book and its first chapter.
    #[must_use]
    pub fn with_book() -> Self {
        static MADE: OnceLock<Home> = OnceLock::new();
        let made = MADE.get_or_init(|| {
            let home = Self::empty();
            let _ = home.run(&["demo", "book", "--chapters", "1"]).ok();
            home
        });
        let home = Self::empty();
        copy(&made.path().join("book"), &home.path().join("book"));
        home
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A file of the book.
    #[must_use]
    pub fn file(&self, path: &str) -> PathBuf {
        self.dir.path().join("book").join(path)
    }

    /// The JSON of a file of the book.
    #[must_use]
    pub fn read(&self, path: &str) -> Value {
        serde_json::from_slice(&fs::read(self.file(path)).unwrap()).unwrap()
    }

    /// Writes `novel.toml`.
    pub fn configure(&self, text: &str) {
        fs::write(self.file("novel.toml"), text).unwrap();
    }

    /// Puts a line before the rest of `novel.toml`.
    pub fn configure_more(&self, line: &str) {
        let old = fs::read_to_string(self.file("novel.toml")).unwrap();
        self.configure(&format!("{line}\n{old}"));
    }

    /// A sealed command in the book, or else in the home; in English.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let book = self.dir.path().join("book");
        let here = if book.is_dir() {
            &book
        } else {
            self.dir.path()
        };
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("novel"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("PATH", "/usr/bin:/bin")
            .env("LANG", "en_US.UTF-8")
            .env("STUB_KEY", KEY)
            .env("SOURCE_DATE_EPOCH", "1772323200")
            .current_dir(here)
            .stdin(Stdio::null());
        command
    }

    /// Runs a sealed command.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Starts a sealed command.
    #[must_use]
    pub fn start(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(command.spawn().unwrap())
    }

    /// Files below the home whose bytes contain this.
    #[must_use]
    pub fn files_with(&self, needle: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut waiting = vec![self.dir.path().to_owned()];
        while let Some(dir) = waiting.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    if String::from_utf8_lossy(&bytes).contains(needle) {
                        found.push(path);
                    }
                }
            }
        }
        found
    }

    /// Whether the book is locked by anyone.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.file(".novel.lock").exists()
    }
}

/// Copies a directory.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// A command at work.
pub struct Running(Child);

impl Running {
    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Waits for its end.
    pub fn end(self) -> Ran {
        Ran::of(self.0.wait_with_output().unwrap())
    }
}
