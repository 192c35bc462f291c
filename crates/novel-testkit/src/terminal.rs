//! The binary in a pseudo-terminal, as a person sees it.

use std::{
    fs::File,
    io::{Read, Write},
    num::NonZero,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

use crate::output::Output;

/// Rows and columns of every terminal.
const SIZE: (u16, u16) = (24, 100);
/// Longest wait for something to appear; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the reader waits for bytes before it checks whether the person has left.
const GLANCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// A new terminal: the side the person sees and the side the program sees.
fn pair() -> (File, File) {
    pair_of(SIZE.1)
}

/// A new terminal of so many columns.
fn pair_of(columns: u16) -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let person = openpt(flags).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    let program = File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize {
        ws_row: SIZE.0,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&program, size).unwrap();
    (person.into(), program)
}

/// Runs a command that reads from a terminal and writes its errors there; standard error of the
/// output is every byte the terminal got.
pub fn with_errors_shown(mut command: Command) -> Output {
    let (mut person, program) = pair();
    let child = command
        .stdin(program.try_clone().unwrap())
        .stderr(program)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The child holds the last copies of the program's side; then reading ends.
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let reader = thread::spawn(move || {
        let mut shown = Vec::new();
        // The end of a terminal is an error.
        let _ = person.read_to_end(&mut shown);
        shown
    });
    let mut output = child.wait_with_output().unwrap();
    output.stderr = reader.join().unwrap();
    Output::new(&command, output)
}

/// What a command shows on its standard output in a terminal of so many columns, without colours.
#[must_use]
pub fn shown_at(columns: u16, mut command: Command) -> String {
    let (mut person, program) = pair_of(columns);
    let mut child = command
        .env("NO_COLOR", "1")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(program)
        .spawn()
        .unwrap();
    // The child holds the last copy of the program's side; then reading ends.
    command.stdout(Stdio::null());
    let mut shown = Vec::new();
    // The end of a terminal is an error.
    let _ = person.read_to_end(&mut shown);
    child.wait().unwrap();
    String::from_utf8(shown).unwrap().replace("\r\n", "\n")
}

/// A program in a pseudo-terminal, as a person sees it.
pub struct Terminal {
    child: Child,
    keys: File,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Reads what the program shows, until it ends or the person leaves.
    reader: JoinHandle<()>,
    has_left: Arc<AtomicBool>,
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
        let (mut person, program) = pair();
        let child = command
            .stdin(program.try_clone().unwrap())
            .stdout(program.try_clone().unwrap())
            .stderr(program)
            .spawn()
            .unwrap();
        // The child holds the last copies of the program's side; then reading ends.
        drop(command);
        let keys = person.try_clone().unwrap();
        let (sender, bytes) = mpsc::channel();
        let has_left = Arc::new(AtomicBool::new(false));
        let leaves = Arc::clone(&has_left);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while !leaves.load(Ordering::Relaxed) {
                let mut watched = [PollFd::new(&person, PollFlags::IN)];
                if poll(&mut watched, Some(&GLANCE)).unwrap() == 0 {
                    continue;
                }
                let Ok(count @ 1..) = person.read(&mut buffer) else {
                    break;
                };
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
                NonZero::new(SIZE.0).unwrap(),
                NonZero::new(SIZE.1).unwrap(),
                0,
            ),
            reader,
            has_left,
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

    /// Closes the terminal without asking the program; gives its exit code once it has ended.
    #[track_caller]
    pub fn closes(mut self) -> Option<i32> {
        self.has_left.store(true, Ordering::Relaxed);
        self.reader.join().unwrap();
        drop(self.keys);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                panic!("the program goes on without its terminal");
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn shown(&self) -> String {
        let contents = self.screen.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }
}
