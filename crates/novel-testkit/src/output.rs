//! What a run of the binary gave.

use std::{
    borrow::BorrowMut,
    ffi::OsStr,
    fmt,
    path::Path,
    process::{self, Command},
};

use serde_json::Value;

/// Exit code and both streams of a finished command.
///
/// It must be used: snapshot it, or call [`Output::success`], [`Output::data`] or [`Output::fails`].
#[must_use = "snapshot the output, or call `success`, `data` or `fails`"]
#[derive(Debug, Clone)]
pub struct Output {
    /// The arguments, for messages.
    pub args: String,
    /// Exit code; -1 after a signal.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Output {
    /// Runs a command as it is set up and waits for its end.
    pub fn of(mut command: impl BorrowMut<Command>) -> Self {
        let command = command.borrow_mut();
        let output = command.output().unwrap();
        Self::new(command, output)
    }

    /// Takes over what the system reports about a command.
    pub fn new(command: &Command, output: process::Output) -> Self {
        let args: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        Self {
            args: args.join(" "),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Standard output followed by standard error.
    #[must_use]
    pub fn both(&self) -> String {
        self.stdout.clone() + &self.stderr
    }

    /// Fails unless the exit code is 0.
    #[track_caller]
    pub fn success(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// The one JSON object on standard output; nothing else was printed.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        assert_eq!(self.stderr, "", "{self:#?}");
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:#?}");
        let value: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON object ({error}): {self:#?}"));
        assert!(value.is_object(), "{self:#?}");
        value
    }

    /// `data` of a command that succeeded with `--json`.
    #[track_caller]
    pub fn data(self) -> Value {
        assert_eq!(self.code, 0, "{self:#?}");
        let mut json = self.json();
        assert_eq!(json["ok"], true, "{self:#?}");
        json["data"].take()
    }

    /// `error` of a command that failed with `--json` and this exit code.
    #[track_caller]
    pub fn fails(self, code: i32) -> Value {
        assert_eq!(self.code, code, "{self:#?}");
        let mut json = self.json();
        assert_eq!(json["ok"], false, "{self:#?}");
        let error = json["error"].take();
        for field in ["code", "message", "hint", "details"] {
            assert!(error.get(field).is_some(), "no {field}: {self:#?}");
        }
        error
    }

    /// The output with `[HOME]` in place of the temporary home directory.
    pub fn without(self, home: &Path) -> Self {
        let home = home.to_str().unwrap();
        Self {
            stdout: self.stdout.replace(home, "[HOME]"),
            stderr: self.stderr.replace(home, "[HOME]"),
            ..self
        }
    }
}

/// The form of snapshots: exit code, then each stream that is not empty.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit: {}", self.code)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "\n----- {name} -----")?;
            }
            for line in text.lines() {
                // A snapshot in a source file keeps no spaces at the ends of lines.
                write!(f, "\n{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}
