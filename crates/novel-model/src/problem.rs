//! What is wrong, where, and what to do about it.

use std::error::Error;

use serde::Serialize;
use serde_json::{Map, Value, json};

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

/// Machine-readable facts about an error, by name.
pub type Details = Map<String, Value>;

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
    fn details(&self, _lang: Lang) -> Details {
        Map::new()
    }
}

/// An error whose explanation is one row per variant: kind, code, message, hint and facts together.
pub trait ErrorTable: Error + Send + Sync + 'static {
    /// The row of this value.
    fn row(&self) -> Row<'_>;
}

/// What an error says about itself.
pub struct Row<'a> {
    kind: Kind,
    code: &'static str,
    message: Message,
    hint: Option<Message>,
    facts: Details,
    inner: Option<&'a dyn Explain>,
}

impl<'a> Row<'a> {
    /// A row without a hint and without facts.
    #[must_use]
    pub fn new(kind: Kind, code: &'static str, message: Message) -> Self {
        Self {
            kind,
            code,
            message,
            hint: None,
            facts: Details::new(),
            inner: None,
        }
    }

    /// The row of another error.
    #[must_use]
    pub fn of(error: &'a dyn Explain) -> Self {
        Self {
            kind: error.kind(),
            code: error.code(),
            message: error.message(),
            hint: error.hint(),
            facts: Details::new(),
            inner: Some(error),
        }
    }

    /// The row with this kind.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// The row with this hint.
    #[must_use]
    pub fn hint(mut self, hint: Message) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The row with the facts of a JSON object.
    #[must_use]
    pub fn facts(mut self, facts: Value) -> Self {
        if let Value::Object(facts) = facts {
            self.facts.extend(facts);
        }
        self
    }

    /// The row with one more fact.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Serialize) -> Self {
        self.facts.insert(name.to_owned(), json!(value));
        self
    }
}

impl<T: ErrorTable> Explain for T {
    fn kind(&self) -> Kind {
        self.row().kind
    }

    fn code(&self) -> &'static str {
        self.row().code
    }

    fn message(&self) -> Message {
        self.row().message
    }

    fn hint(&self) -> Option<Message> {
        self.row().hint
    }

    fn problems(&self) -> &[Problem] {
        self.row().inner.map_or(&[], Explain::problems)
    }

    fn details(&self, lang: Lang) -> Details {
        let row = self.row();
        let mut details = row
            .inner
            .map_or_else(Details::new, |inner| inner.details(lang));
        details.extend(row.facts);
        details
    }
}

/// Any error that can explain itself, as a front end prints it. Use cases return their own enums.
#[derive(Debug)]
pub struct Failure(Box<dyn Explain>);

impl Failure {
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

impl ErrorTable for RelPathError {
    fn row(&self) -> Row<'_> {
        let message = message!(
            en: "`{}` is not a path inside the project", zh: "`{}` 不是项目内的路径", self.0
        );
        Row::new(Kind::Input, "BAD_PATH", message)
    }
}

/// Defines an error that is one of several others: each variant holds one of them and explains itself
/// as it does. `from [A, B]` after a variant lets `?` take in the errors its inner type is made from.
///
/// ```
/// novel_model::error_sum! {
///     /// Why a page cannot be shown.
///     pub enum PageError {
///         /// Its file is missing or broken.
///         File(novel_model::FileError) from [novel_model::BrokenFile],
///         /// Its number is none.
///         Number(novel_model::IdError),
///     }
/// }
/// ```
#[macro_export]
macro_rules! error_sum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident($inner:ty) $(from [$($via:ty),+ $(,)?])?),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis enum $name {
            $($(#[$doc])* $variant($inner)),+
        }

        $(
            impl ::std::convert::From<$inner> for $name {
                fn from(error: $inner) -> Self {
                    Self::$variant(error)
                }
            }

            $($(
                impl ::std::convert::From<$via> for $name {
                    fn from(error: $via) -> Self {
                        Self::$variant(error.into())
                    }
                }
            )+)?
        )+

        impl $name {
            fn inner(&self) -> &dyn $crate::Explain {
                match self {
                    $(Self::$variant(error) => error),+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self.inner(), f)
            }
        }

        impl ::std::error::Error for $name {
            fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)> {
                self.inner().source()
            }
        }

        $crate::explain_as!($name, inner);
    };
}

/// Implements [`Explain`] for a type whose method `$inner` returns the error that explains it.
#[macro_export]
macro_rules! explain_as {
    ($name:ty, $inner:ident) => {
        impl $crate::Explain for $name {
            fn kind(&self) -> $crate::Kind {
                self.$inner().kind()
            }

            fn code(&self) -> &'static str {
                self.$inner().code()
            }

            fn message(&self) -> $crate::Message {
                self.$inner().message()
            }

            fn hint(&self) -> ::std::option::Option<$crate::Message> {
                self.$inner().hint()
            }

            fn problems(&self) -> &[$crate::Problem] {
                self.$inner().problems()
            }

            fn details(&self, lang: $crate::Lang) -> $crate::Details {
                self.$inner().details(lang)
            }
        }
    };
}
