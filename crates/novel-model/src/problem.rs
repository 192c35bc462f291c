//! What is wrong, where, and what to do about it.

use std::error::Error;

use serde_json::{Map, Value};

use crate::{Lang, Message, RelPath, RelPathError, message};

/// The place of a problem inside a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line and, where known, a column; both count from one.
    Line {
        /// Line number.
        line: usize,
        /// Column in characters.
        column: Option<usize>,
    },
    /// A JSON pointer, such as `/objectives/0/required`.
    Pointer(String),
}

/// One thing that is wrong with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable machine code, lower snake case.
    pub code: &'static str,
    /// The file, relative to the project.
    pub path: RelPath,
    /// Where in the file.
    pub place: Place,
    /// What was found and what was expected.
    pub message: Message,
    /// How to repair it.
    pub hint: Option<Message>,
}

impl Problem {
    /// A problem of the file as a whole, without a hint.
    #[must_use]
    pub fn new(code: &'static str, path: &RelPath, message: Message) -> Self {
        Self {
            code,
            path: path.clone(),
            place: Place::File,
            message,
            hint: None,
        }
    }

    /// The same problem at a JSON pointer.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.place = Place::Pointer(pointer.into());
        self
    }

    /// The same problem at a line.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.place = Place::Line { line, column: None };
        self
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn hint(mut self, hint: Message) -> Self {
        self.hint = Some(hint);
        self
    }

    /// `path`, `path:line:column` or `path#/pointer`.
    #[must_use]
    pub fn location(&self) -> String {
        match &self.place {
            Place::File => self.path.to_string(),
            Place::Line { line, column: None } => format!("{}:{line}", self.path),
            Place::Line {
                line,
                column: Some(column),
            } => format!("{}:{line}:{column}", self.path),
            Place::Pointer(pointer) => format!("{}#{pointer}", self.path),
        }
    }
}

/// Something the author should know that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable machine code, lower snake case.
    pub code: &'static str,
    /// What was noticed.
    pub message: Message,
}

impl Warning {
    /// A warning.
    #[must_use]
    pub fn new(code: &'static str, message: Message) -> Self {
        Self { code, message }
    }
}

/// Who or what is at fault; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A fault of the program or the machine: 1.
    Internal,
    /// Bad usage, bad input, a broken project file: 2.
    Input,
    /// A gate stops the book or waits for the author: 3.
    Gate,
    /// The lock is held: 4.
    Locked,
    /// An executor or provider failed: 5.
    Provider,
    /// The author stopped it; nothing is lost: 130.
    Interrupted,
}

/// An error that can explain itself to a person and to a machine.
pub trait Explain: Error + Send + Sync + 'static {
    /// Decides the exit code.
    fn kind(&self) -> Kind;
    /// Stable machine code, upper snake case.
    fn code(&self) -> &'static str;
    /// What happened and where.
    fn message(&self) -> Message;
    /// What to type next.
    fn hint(&self) -> Option<Message> {
        None
    }
    /// All single problems, where the error collects several.
    fn problems(&self) -> &[Problem] {
        &[]
    }
    /// Further machine-readable facts; `problems` are added by the front end.
    fn details(&self, _lang: Lang) -> Map<String, Value> {
        Map::new()
    }
}

/// Any error that can explain itself, as use cases return it.
#[derive(Debug)]
pub struct Failure(Box<dyn Explain>);

impl Failure {
    /// The error inside, if it is a `T`.
    #[must_use]
    pub fn downcast_ref<T: Explain>(&self) -> Option<&T> {
        let error: &(dyn Error + 'static) = self.0.as_ref();
        error.downcast_ref()
    }

    /// Whether the error inside is a `T`.
    #[must_use]
    pub fn is<T: Explain>(&self) -> bool {
        self.downcast_ref::<T>().is_some()
    }

    /// The error inside.
    #[must_use]
    pub fn explain(&self) -> &dyn Explain {
        self.0.as_ref()
    }
}

impl<E: Explain> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl Explain for RelPathError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BAD_PATH"
    }

    fn message(&self) -> Message {
        message!(en: "`{}` is not a path inside the project", zh: "`{}` 不是项目内的路径", self.0)
    }
}
