//! A directory without a book, commands in it, and a real pseudo-terminal to type them in.
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
    fs::{self, File},
    io::{Read, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{EPOCH, Run, binary, run};

/// Rows and columns of every terminal here.
const SIZE: (u16, u16) = (24, 100);
/// Longest wait for something to appear; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A directory of its own.
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

    /// With a book whose author wants to be asked.
    #[must_use]
    pub fn with_book() -> Self {
        let home = Self::empty();
        let made = home.novel(&["init", "--title", "雾港", "--genre", "悬疑"]);
        let _ = made.ok();
        home
    }

    /// With a book whose trial is accepted, so that its first volume is to be planned.
    #[must_use]
    pub fn planning() -> Self {
        let home = Self::with_book();
        let _ = home.novel(&["quickstart"]).ok();
        let _ = home.novel(&["quickstart", "accept"]).ok();
        assert_eq!(home.state(), "VOL_PLANNING");
        home
    }

    /// Another directory with the same files.
    #[must_use]
    pub fn copy(&self) -> Self {
        let home = Self::empty();
        let from = self.path(".");
        let copied = Command::new("cp")
            .arg("-a")
            .args([&from, home.root()])
            .status();
        assert!(copied.unwrap().success());
        home
    }

    /// Has its agents asked at this address.
    pub fn ask_model(&self, base_url: &str) {
        let config = self.text("novel.toml");
        let model = format!(
            "[models]\ndefault = \"stub-model\"\n\n[llm]\nbase_url = \"{base_url}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n"
        );
        let text = format!("executor = \"llm\"\n{config}\n{model}");
        fs::write(self.path("novel.toml"), text).unwrap();
    }

    /// The JSON of a file.
    #[track_caller]
    #[must_use]
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The next step.
    #[track_caller]
    #[must_use]
    pub fn next(&self) -> String {
        let data = self.novel(&["next"]).ok();
        data["step"].as_str().unwrap().to_owned()
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    /// A file in it.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Whether a file is there.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The text of a file.
    #[track_caller]
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The checkpoint.
    #[must_use]
    pub fn checkpoint(&self) -> Value {
        serde_json::from_str(&self.text(".checkpoint.json")).unwrap()
    }

    /// The state in the checkpoint.
    #[must_use]
    pub fn state(&self) -> String {
        let checkpoint = self.checkpoint();
        checkpoint["orchestrator_state"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// A sealed command.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .env_clear()
            .env("HOME", self.root())
            .env("TZ", "UTC")
            .env("NOVEL_LANG", "en")
            .env("NO_COLOR", "1")
            .env("TERM", "xterm")
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

    /// Types it in a terminal.
    #[must_use]
    pub fn terminal(&self, args: &[&str]) -> Terminal {
        Terminal::open(self.command(args))
    }
}

/// A program in a pseudo-terminal, as a person sees it.
pub struct Terminal {
    child: Child,
    keys: File,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

/// Keys of a keyboard.
pub mod key {
    /// Enter.
    pub const ENTER: &str = "\r";
    /// Arrow down.
    pub const DOWN: &str = "\u{1b}[B";
    /// Ctrl-C.
    pub const CTRL_C: &str = "\u{3}";
}

impl Terminal {
    /// Runs a command in it.
    #[must_use]
    pub fn open(mut command: Command) -> Self {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let program = File::options().read(true).write(true).open(name).unwrap();
        let (rows, columns) = SIZE;
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&program, size).unwrap();
        let child = command
            .stdin(program.try_clone().unwrap())
            .stdout(program.try_clone().unwrap())
            .stderr(program)
            .spawn()
            .unwrap();
        // The child holds the last copies of the program's side; then reading ends.
        drop(command);
        let mut person = File::from(person);
        let keys = person.try_clone().unwrap();
        let (sender, bytes) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = person.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            keys,
            bytes,
            screen: vt100::Parser::new(
                NonZero::new(rows).unwrap(),
                NonZero::new(columns).unwrap(),
                0,
            ),
        }
    }

    /// Waits until the person sees this, and gives the screen.
    #[track_caller]
    pub fn sees(&mut self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        while !self.shown().contains(text) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => panic!("`{text}` never appeared:\n{}", self.shown()),
            }
        }
        self.shown()
    }

    /// Types.
    pub fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; the exit code and the last screen.
    pub fn ends(mut self) -> (i32, String) {
        while let Ok(bytes) = self.bytes.recv() {
            self.screen.process(&bytes);
        }
        let code = self.child.wait().unwrap().code().unwrap();
        (code, self.shown())
    }

    fn shown(&self) -> String {
        let contents = self.screen.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

/// The recommended choice and the ids of all.
pub fn offers(data: &Value) -> (String, Vec<String>) {
    let id = |choice: &Value| choice["id"].as_str().unwrap().to_owned();
    let ids: Vec<String> = data["choices"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(data["recommended"], ids[0].as_str(), "{data:#}");
    (ids[0].clone(), ids)
}

/// The command of a choice.
pub fn command_of<'a>(data: &'a Value, id: &str) -> &'a str {
    let choices = data["choices"].as_array().unwrap();
    let choice = choices.iter().find(|choice| choice["id"] == id);
    choice.unwrap()["command"].as_str().unwrap()
}
