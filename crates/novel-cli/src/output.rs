//! What a command answers.

use novel_app::Writer;
use novel_contract::Answer;
use novel_model::{Failure, Lang, Message, Warning};

use serde_json::Value;

/// What a command returns.
pub(crate) type CommandResult = Result<Output, Failure>;

/// The answer of a command, for people and for programs.
#[derive(Debug)]
pub(crate) struct Output {
    /// The `data` of `--json`.
    data: Box<dyn Answer>,
    /// Standard output for people; ends with a line end unless empty.
    pub(crate) text: String,
    /// Standard error for people, one line each.
    pub(crate) notes: Vec<Message>,
    /// What the author should know.
    pub(crate) warnings: Vec<Warning>,
    /// Warnings that `data` does not hold yet.
    extra: Vec<Warning>,
    /// The lock of the command, released once the answer is printed.
    lock: Option<Writer>,
}

impl Output {
    /// An answer that prints nothing for people yet.
    pub(crate) fn new(data: impl Answer + 'static) -> Self {
        Self {
            data: Box::new(data),
            text: String::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            extra: Vec::new(),
            lock: None,
        }
    }

    /// With a lock that is held until the answer is printed: whoever finds it left behind knows that
    /// nobody was told.
    pub(crate) fn until_printed(mut self, lock: Writer) -> Self {
        self.lock = Some(lock);
        self
    }

    /// Takes the lock out, to be dropped once the answer is printed.
    pub(crate) fn take_lock(&mut self) -> Option<Writer> {
        self.lock.take()
    }

    /// With this text on standard output.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// With one more line on standard error.
    pub(crate) fn note(mut self, note: Message) -> Self {
        self.notes.push(note);
        self
    }

    /// With warnings that `data` holds already.
    pub(crate) fn warnings(mut self, warnings: &[Warning]) -> Self {
        self.warnings.extend_from_slice(warnings);
        self
    }

    /// With warnings about the project's configuration, which no report holds.
    pub(crate) fn about_config(mut self, warnings: &[Warning]) -> Self {
        self.extra.extend_from_slice(warnings);
        self.warnings.extend_from_slice(warnings);
        self
    }

    /// With warnings no report holds that were printed already.
    pub(crate) fn shown_already(mut self, warnings: impl IntoIterator<Item = Warning>) -> Self {
        self.extra.extend(warnings);
        self
    }

    /// The `data` of `--json`.
    pub(crate) fn into_data(mut self, lang: Lang) -> serde_json::Result<Value> {
        if let Some(warnings) = self.data.warnings_mut() {
            warnings.extend(novel_contract::warnings(&self.extra, lang));
        }
        self.data.to_value()
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
