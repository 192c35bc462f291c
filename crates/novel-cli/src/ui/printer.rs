//! The only place that writes to standard output and standard error.
//!
//! Standard output is data, standard error is talk. All of it passes one door, [`visible_styled`]: text
//! that comes from a file or a model cannot steer the terminal, nor hide in it. Whoever puts such text
//! beside styles of our own makes it [`visible`] first, so that it brings no styles of its own.

use std::{
    env,
    io::{self, IsTerminal, Write},
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use novel_model::{Explain, Kind, Lang, Message, Warning};
use serde::Serialize;
use serde_json::Value;

pub(crate) use super::visible::visible;
use super::visible::{visible_json, visible_styled};
use crate::{args::ColorWhen, error, ui::wrap};

/// Style of errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Style of warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Style of hints.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();

/// For whom the output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// People.
    Text,
    /// Programs: one JSON object.
    Json,
}

/// How much is said on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talk {
    /// Notes, warnings and errors.
    Normal,
    /// Errors only.
    Quiet,
}

/// Who follows a long command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watching {
    /// A person at a terminal.
    Person,
    /// A file or a pipe: one line for each thing done.
    Log,
    /// Nobody.
    Nobody,
}

/// Writes to both streams.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    /// For whom.
    pub(crate) format: Format,
    /// How much.
    pub(crate) talk: Talk,
    /// In which colours.
    pub(crate) color: ColorWhen,
    /// In which language.
    pub(crate) lang: Lang,
}

impl Printer {
    /// Prints data for people; on a terminal whole lines are broken where it ends.
    pub(crate) fn data(&self, text: &str) -> io::Result<()> {
        let text = visible(text);
        match wrap::columns(io::stdout()) {
            Some(columns) if text.ends_with('\n') => {
                self.styled_data(&wrap::wrapped(&text, columns, 2))
            }
            _ => self.styled_data(&text),
        }
    }

    /// Prints the help of a command, on a terminal broken at words to its width.
    pub(crate) fn help(&self, text: &str) -> io::Result<()> {
        match wrap::columns(io::stdout()) {
            Some(columns) => self.styled_data(&wrap::wrapped_help(text, columns)),
            None => self.styled_data(text),
        }
    }

    /// Prints data for people that brings its own styles.
    pub(crate) fn styled_data(&self, text: &str) -> io::Result<()> {
        let stream = io::stdout().lock();
        let choice = self.choice(stream.is_terminal());
        let mut stream = AutoStream::new(stream, choice);
        unless_broken_pipe(
            stream
                .write_all(visible_styled(text).as_bytes())
                .and_then(|()| stream.flush()),
        )
    }

    /// Where a command writes its data itself, byte for byte.
    pub(crate) fn bytes(&self) -> impl Write {
        Patient {
            stream: io::stdout().lock(),
            broken: false,
        }
    }

    /// Prints the one JSON object.
    pub(crate) fn json(&self, object: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_string(object)?;
        line.push('\n');
        let mut stream = io::stdout().lock();
        unless_broken_pipe(
            stream
                .write_all(visible_json(&line).as_bytes())
                .and_then(|()| stream.flush()),
        )
    }

    /// Says something to the person, unless it should be quiet.
    pub(crate) fn note(&self, note: &Message) {
        if self.says_more_than_errors() {
            self.say_wrapped(&format!("{}\n", visible(note.get(self.lang))));
        }
    }

    /// Warns the person, unless it should be quiet.
    pub(crate) fn warning(&self, warning: &Warning) {
        if self.says_more_than_errors() {
            let word = self.pick("warning", "警告");
            let (code, text) = (warning.code, visible(warning.message.get(self.lang)));
            let colon = self.pick(": ", "：");
            self.say_wrapped(&format!(
                "{WARNING}{word}[{code}]{WARNING:#}{colon}{text}\n"
            ));
        }
    }

    /// Reports progress to the person; whoever calls has seen to it that it is wanted.
    pub(crate) fn progress(&self, text: &str) {
        self.say(&visible(text));
    }

    /// Whether progress is wanted, and in which form.
    pub(crate) fn watching(&self) -> Watching {
        let on_terminal = io::stderr().is_terminal() && can_draw();
        match (self.talk, self.format, on_terminal) {
            (Talk::Quiet, _, _) | (Talk::Normal, Format::Json, false) => Watching::Nobody,
            (Talk::Normal, _, true) => Watching::Person,
            (Talk::Normal, Format::Text, false) => Watching::Log,
        }
    }

    /// Whether standard error is coloured.
    pub(crate) fn is_colourful(&self) -> bool {
        self.choice(io::stderr().is_terminal()) == anstream::ColorChoice::AlwaysAnsi
    }

    /// Explains a failure to the person.
    pub(crate) fn failure(&self, failure: &dyn Explain) {
        self.say_wrapped(&self.render(failure));
    }

    /// Says whole lines, broken where the terminal ends.
    fn say_wrapped(&self, text: &str) {
        match wrap::columns(io::stderr()) {
            Some(columns) => self.say(&wrap::wrapped(text, columns, 2)),
            None => self.say(text),
        }
    }

    /// Prints text with styles, such as help, to standard error.
    pub(crate) fn say(&self, text: &str) {
        let stream = io::stderr().lock();
        let choice = self.choice(stream.is_terminal());
        let mut stream = AutoStream::new(stream, choice);
        // Nothing is left to be done when standard error is closed.
        let _ = stream
            .write_all(visible_styled(text).as_bytes())
            .and_then(|()| stream.flush());
    }

    /// Error, causes, problems, verdict, and after a blank line the hint.
    fn render(&self, failure: &dyn Explain) -> String {
        let colon = self.pick(": ", "：");
        let word = match failure.kind() {
            Kind::Gate | Kind::Interrupted => self.pick("stopped", "已停止"),
            _ => self.pick("error", "错误"),
        };
        let message = failure.message();
        let text = visible(message.get(self.lang));
        let mut shown = format!("{ERROR}{word}[{}]{ERROR:#}{colon}{text}\n", failure.code());
        for cause in error::causes(failure) {
            let label = self.pick("caused by", "原因");
            shown.push_str(&format!("  {label}{colon}{}\n", visible(&cause)));
        }
        let hint_word = self.pick("hint", "提示");
        for problem in failure.problems() {
            let (place, text) = (problem.location(), problem.message.get(self.lang));
            let (place, text) = (visible(&place), visible(text));
            shown.push_str(&format!("  {PLACE}{place}{PLACE:#}{colon}{text}\n"));
            if let Some(hint) = &problem.hint {
                let hint = visible(hint.get(self.lang));
                shown.push_str(&format!("    {HINT}{hint_word}{HINT:#}{colon}{hint}\n"));
            }
        }
        shown.push_str(&verdict(failure, self.lang));
        if let Some(hint) = failure.hint() {
            let hint = visible(hint.get(self.lang));
            shown.push_str(&format!("\n{HINT}{hint_word}{HINT:#}{colon}{hint}\n"));
        }
        shown
    }

    fn says_more_than_errors(&self) -> bool {
        self.format == Format::Text && self.talk == Talk::Normal
    }

    fn pick<'a>(&self, en: &'a str, zh: &'a str) -> &'a str {
        match self.lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn choice(&self, is_terminal: bool) -> anstream::ColorChoice {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let colourful = match self.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb(),
        };
        if colourful {
            anstream::ColorChoice::AlwaysAnsi
        } else {
            anstream::ColorChoice::Never
        }
    }
}

/// Whether a terminal can draw a line anew; one without a name cannot be told.
fn can_draw() -> bool {
    env::var_os("TERM").is_some() && !is_dumb()
}

/// A terminal that cannot move its cursor.
fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The verdict a gate looked at, in the judge's words: an author who has to decide wants to read it.
fn verdict(failure: &dyn Explain, lang: Lang) -> String {
    let details = failure.details(lang);
    let lines = details.get("verdict").and_then(Value::as_array);
    let lines = lines.into_iter().flatten().filter_map(Value::as_str);
    lines
        .map(|line| format!("  - {}\n", visible(line)))
        .collect()
}

/// A stream whose reader may have seen enough.
struct Patient<W> {
    stream: W,
    broken: bool,
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.broken {
            return Ok(bytes.len());
        }
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.broken = true;
                Ok(bytes.len())
            }
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_broken_pipe(self.stream.flush())
    }
}

/// A reader that has seen enough is no failure.
fn unless_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
#[path = "printer_tests.rs"]
mod tests;
