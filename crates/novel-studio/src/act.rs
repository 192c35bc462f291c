//! Acts. Every act is a command of `novel`, run as a process of its own: the button and the command
//! cannot differ, and what was begun goes on when the Studio ends.

use std::{
    io::{self, Read, Seek, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Command as Process, Stdio},
    time::{Duration, Instant},
};

use novel_contract::{ErrorAnswer, Failed};
use novel_model::{Explain, Kind, Lang, Message, message};
use serde_json::Value;

use crate::studio::Studio;

/// A command, without `novel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    words: Vec<String>,
}

impl Command {
    /// From its words; blanks part them.
    pub(crate) fn new(words: &str) -> Self {
        Self {
            words: words.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// With one more word, as it is.
    pub(crate) fn word(mut self, word: impl Into<String>) -> Self {
        self.words.push(word.into());
        self
    }

    /// With an option that has a value; the value cannot be taken for an option.
    pub(crate) fn option(self, name: &str, value: &str) -> Self {
        self.word(format!("{name}={value}"))
    }

    /// As a person would type it.
    pub(crate) fn typed(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        format!("novel {}", words.join(" "))
    }
}

impl Command {
    /// An answer of the command that is not what it should be.
    pub(crate) fn unreadable(&self, error: serde_json::Error) -> NotRun {
        NotRun {
            typed: self.typed(),
            source: io::Error::other(error),
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What came of an act.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It is done; what the command answered.
    Done(Value),
    /// It was refused, and nothing changed.
    Refused(Box<ErrorAnswer>),
}

/// The program could not be run, or its answer could not be read.
#[derive(Debug, thiserror::Error)]
#[error("`{typed}` could not be run")]
pub(crate) struct NotRun {
    typed: String,
    source: io::Error,
}

impl Explain for NotRun {
    fn kind(&self) -> Kind {
        Kind::Internal
    }

    fn code(&self) -> &'static str {
        "STUDIO_ACT"
    }

    fn message(&self) -> Message {
        let (typed, source) = (&self.typed, &self.source);
        message!(en: "`{typed}` could not be run: {source}", zh: "无法运行 `{typed}`：{source}")
    }

    fn hint(&self) -> Option<Message> {
        let typed = &self.typed;
        Some(message!(en: "type `{typed}` in a terminal", zh: "请在终端运行 `{typed}`"))
    }
}

/// Where a command is run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// In a book.
    Book(&'a Path),
    /// In a directory that may hold books.
    Directory(&'a Path),
}

fn process(studio: &Studio, place: Place<'_>, lang: Lang, command: &Command) -> Process {
    let mut process = Process::new(studio.program());
    process.arg("--lang").arg(match lang {
        Lang::Zh => "zh",
        Lang::En => "en",
    });
    match place {
        Place::Book(root) => process.arg("--project").arg(root).current_dir(root),
        Place::Directory(directory) => process.current_dir(directory),
    };
    // A group of its own: Ctrl-C at the Studio's terminal does not reach it.
    process.arg("--json").args(&command.words).process_group(0);
    process
}

/// What a command reads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Input<'a> {
    Nothing,
    /// By a file without a name: a command whose Studio is killed reads all of it or was never started. A
    /// pipe would end where the Studio ended, and the command would take a part for the whole.
    Text(&'a str),
    /// By a pipe, so that no file ever holds it. It is small enough for a pipe to take it at once.
    Secret(&'a str),
}

impl Input<'_> {
    fn stdin(self) -> io::Result<Stdio> {
        match self {
            Self::Nothing => Ok(Stdio::null()),
            Self::Secret(_) => Ok(Stdio::piped()),
            Self::Text(text) => {
                let mut file = tempfile::tempfile()?;
                file.write_all(text.as_bytes())?;
                file.rewind()?;
                Ok(file.into())
            }
        }
    }
}

/// Runs a command to its end.
pub(crate) fn perform(
    studio: &Studio,
    place: Place<'_>,
    lang: Lang,
    command: &Command,
    input: Input<'_>,
) -> Result<Outcome, NotRun> {
    let not_run = |source| NotRun {
        typed: command.typed(),
        source,
    };
    let mut process = process(studio, place, lang, command);
    process
        .stdin(input.stdin().map_err(not_run)?)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = process.spawn().map_err(not_run)?;
    if let (Input::Secret(secret), Some(mut stdin)) = (input, child.stdin.take()) {
        stdin.write_all(secret.as_bytes()).map_err(not_run)?;
    }
    let output = child.wait_with_output().map_err(not_run)?;
    outcome(command, &output.stdout)
}

/// The outcome an answer tells.
fn outcome(command: &Command, answer: &[u8]) -> Result<Outcome, NotRun> {
    let read = |error| command.unreadable(error);
    let answer: Value = serde_json::from_slice(answer).map_err(read)?;
    if answer["ok"] == Value::Bool(true) {
        return Ok(Outcome::Done(answer["data"].clone()));
    }
    let failed: Failed = serde_json::from_value(answer).map_err(read)?;
    Ok(Outcome::Refused(Box::new(failed.error)))
}

/// How often a command that was started is looked at.
const PACE: Duration = Duration::from_millis(20);
/// How long a command is waited for that neither ends nor shows its work.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts a command that goes on by itself, and waits until `begun` sees its work or it has ended.
/// Nothing where it goes on.
pub(crate) fn launch(
    studio: &Studio,
    place: Place<'_>,
    lang: Lang,
    command: &Command,
    mut begun: impl FnMut() -> bool,
) -> Result<Option<Outcome>, NotRun> {
    let not_run = |source| NotRun {
        typed: command.typed(),
        source,
    };
    // A file without a name: the process may write its answer when nobody is left to read it.
    let mut answer = tempfile::tempfile().map_err(not_run)?;
    let mut process = process(studio, place, lang, command);
    process
        .stdin(Stdio::null())
        .stdout(answer.try_clone().map_err(not_run)?)
        .stderr(Stdio::null());
    let mut child = process.spawn().map_err(not_run)?;
    let started = Instant::now();
    loop {
        let ended = child.try_wait().map_err(not_run)?.is_some();
        if ended {
            let mut bytes = Vec::new();
            answer.rewind().map_err(not_run)?;
            answer.read_to_end(&mut bytes).map_err(not_run)?;
            return outcome(command, &bytes).map(Some);
        }
        if begun() || started.elapsed() > PATIENCE {
            break;
        }
        std::thread::sleep(PACE);
    }
    // Whoever ends must be waited for, or it stays in the table of processes.
    std::thread::spawn(move || child.wait());
    Ok(None)
}
