//! The binary in a sealed box: empty environment, own home, fixed clock.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A directory of its own with a home and, usually, a book.
pub(crate) struct Sandbox {
    dir: tempfile::TempDir,
}

/// What a command did.
#[must_use]
pub(crate) struct Ran {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Sandbox {
    /// Without a book.
    pub(crate) fn empty() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// With a Chinese book in `book/`.
    pub(crate) fn with_book() -> Self {
        let sandbox = Self::empty();
        let made = sandbox.run(&["init", "book", "--title", "雾城"]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        sandbox
    }

    /// The directory commands run in: the book, or else the sandbox.
    pub(crate) fn here(&self) -> PathBuf {
        let book = self.dir.path().join("book");
        if book.is_dir() {
            book
        } else {
            self.dir.path().to_owned()
        }
    }

    /// The sandbox itself.
    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Writes a file of the book.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.here().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The sealed command; English unless the test sets something else.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("novel"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("LANG", "en_US.UTF-8")
            .env("SOURCE_DATE_EPOCH", "1772323200")
            .current_dir(self.here())
            .stdin(Stdio::null());
        command
    }

    /// Runs a sealed command.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Runs it with `--json`; there must be one object on standard output and nothing else at all.
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = Ran::of(self.command(arguments).arg("--json").output().unwrap());
        assert_eq!(ran.stderr, "", "{arguments:?}");
        assert_eq!(
            ran.stdout.matches('\n').count(),
            1,
            "{arguments:?}: {}",
            ran.stdout
        );
        let value: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert!(value.is_object(), "{arguments:?}: {value}");
        (ran.code, value)
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
