//! A JSON file of a project: what is written, and what it means.
//!
//! Invariant: the raw document always decodes to the typed value. Unknown fields
//! and key order survive an edit; a damaged file is an error, never a default.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::{
    BookReader, ErrorTable, Explain, Format, Kind, Message, Problem, ReadError, RelPath, Row,
    decoded, json, merge, message, schema,
};

/// A JSON file that was read (or is to be written) as a `T`. A copy costs nothing until it is changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<T: Format> {
    raw: Arc<Value>,
    value: Arc<T>,
}

impl<T: Format> Document<T> {
    /// A fresh document.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self {
            raw: Arc::new(to_value(&value)),
            value: Arc::new(value),
        }
    }

    /// Reads JSON text. `path` is named in the problems.
    ///
    /// # Errors
    /// With every problem of the file, not only the first.
    pub fn parse(path: &RelPath, text: &str) -> Result<Self, BrokenFile> {
        let mut problems = Vec::new();
        let raw = json::read(path, text, &mut problems);
        match raw {
            Some(raw) => Self::accept(path, raw, problems),
            None => Err(BrokenFile { problems }),
        }
    }

    /// Takes a JSON value, such as a part of an answer. `path` is named in the problems.
    ///
    /// # Errors
    /// With every problem of the value, not only the first.
    pub fn from_value(path: &RelPath, raw: Value) -> Result<Self, BrokenFile> {
        Self::accept(path, raw, Vec::new())
    }

    fn accept(path: &RelPath, raw: Value, mut problems: Vec<Problem>) -> Result<Self, BrokenFile> {
        let value = match schema::decode_directly::<T>(&raw) {
            Some(value) => Some(value),
            None => {
                let before = problems.len();
                schema::check::<T>(path, &raw, &mut problems);
                // Decoding would only repeat, in worse words, what the schema has found.
                (problems.len() == before)
                    .then(|| schema::decode::<T>(path, &raw, &mut problems))
                    .flatten()
            }
        };
        if let Some(value) = &value {
            value.check(path, &mut problems);
        }
        match value {
            Some(value) if problems.is_empty() => Ok(Self {
                raw: Arc::new(raw),
                value: Arc::new(value),
            }),
            _ => Err(BrokenFile { problems }),
        }
    }

    /// Reads the file at `path`; `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is broken.
    pub fn load(reader: &dyn BookReader, path: &RelPath) -> Result<Option<Self>, FileError> {
        let text = reader.text(path)?;
        Ok(text.map(|text| Self::parse(path, &text)).transpose()?)
    }

    /// Reads the file at `path` for whoever can do without it; `None` when there is none, or it is
    /// damaged. A disk that does not answer says neither.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn load_if_sound(
        reader: &dyn BookReader,
        path: &RelPath,
    ) -> Result<Option<Self>, FileError> {
        match Self::load(reader, path) {
            Err(FileError::Read(error @ ReadError::Io { .. })) => Err(error.into()),
            Err(_) => Ok(None),
            loaded => loaded,
        }
    }

    /// What the file at `path` means, for whoever does not change it; `None` when there is none.
    ///
    /// A format with [`Format::OBJECT_LISTS`] is decoded from its text at once, several times faster
    /// than [`Document::load`], which also keeps what is written. Unknown keys are skipped unread here,
    /// and an array passes for an object; `load` and `doctor` are stricter.
    ///
    /// # Errors
    /// When it cannot be read, or is broken.
    pub fn load_value(reader: &dyn BookReader, path: &RelPath) -> Result<Option<T>, FileError> {
        let Some(text) = reader.text(path)? else {
            return Ok(None);
        };
        Ok(Some(Self::parse_value(path, &text)?))
    }

    /// Like [`Document::load_value`], decoded once where the reader holds what it decoded: for files that a
    /// command looks at again and again.
    ///
    /// # Errors
    /// As [`Document::load_value`].
    pub fn load_shared(
        reader: &dyn BookReader,
        path: &RelPath,
    ) -> Result<Option<Arc<T>>, FileError> {
        let Some(text) = reader.text(path)? else {
            return Ok(None);
        };
        Ok(Some(Self::parse_shared(reader, path, &text)?))
    }

    /// What the text of a file means, as [`Document::load_shared`] reads it.
    ///
    /// # Errors
    /// As [`Document::parse_value`].
    pub fn parse_shared(
        reader: &dyn BookReader,
        path: &RelPath,
        text: &str,
    ) -> Result<Arc<T>, BrokenFile> {
        decoded(reader.decoded(), path, text, |text| {
            Self::parse_value(path, text)
        })
    }

    /// What JSON text means, as [`Document::load_value`] reads it.
    ///
    /// # Errors
    /// With every problem of the text, not only the first.
    pub fn parse_value(path: &RelPath, text: &str) -> Result<T, BrokenFile> {
        if T::OBJECT_LISTS.is_some()
            && let Ok(value) = serde_json::from_str::<T>(text)
        {
            let mut problems = Vec::new();
            value.check(path, &mut problems);
            if problems.is_empty() {
                return Ok(value);
            }
        }
        Ok(Self::parse(path, text)?.into_value())
    }

    /// Reads the file at `path`, which must be there.
    ///
    /// # Errors
    /// When it is missing (with `hint`), cannot be read, or is broken.
    pub fn require(
        reader: &dyn BookReader,
        path: &RelPath,
        hint: Message,
    ) -> Result<Self, FileError> {
        Self::load(reader, path)?.ok_or_else(|| FileError::Missing {
            path: path.clone(),
            hint,
        })
    }

    /// What the file means.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.value
    }

    /// What the file means, alone.
    #[must_use]
    pub fn into_value(self) -> T {
        Arc::unwrap_or_clone(self.value)
    }

    /// What is written, unknown fields included.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// Changes the value; only what `change` touched changes in the file.
    pub fn edit(&mut self, change: impl FnOnce(&mut T)) {
        let before = to_value(self.get());
        change(Arc::make_mut(&mut self.value));
        let after = to_value(self.get());
        let raw = Arc::make_mut(&mut self.raw);
        merge::merge(raw, &before, &after, T::ALIASES);
    }

    /// The text of the file: two-space indented, key order kept, a newline at the end.
    #[must_use]
    pub fn to_text(&self) -> String {
        json::layout(&self.raw)
    }
}

/// The text of a fresh JSON file: two-space indented, a newline at the end.
#[must_use]
pub fn to_json_text(value: &impl Serialize) -> String {
    json::layout(&to_value(value))
}

/// Only a map with keys that are no texts could fail here, and no type of ours has one.
fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A file that is there but damaged; lists everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.first().map_or_else(String::new, |first| format!("{}: {}", first.location(), first.message)))]
pub struct BrokenFile {
    problems: Vec<Problem>,
}

impl BrokenFile {
    /// A file with one problem.
    #[must_use]
    pub fn new(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }

    /// An error, if there is any problem.
    ///
    /// # Errors
    /// With `problems`, unless there are none.
    pub fn unless_sound(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self { problems })
        }
    }
}

impl Explain for BrokenFile {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BROKEN_FILE"
    }

    fn message(&self) -> Message {
        let Some(first) = self.problems.first() else {
            return Message::default();
        };
        let place = first.location();
        let Message { en, zh } = &first.message;
        match self.problems.len() - 1 {
            0 => message!(en: "broken file: {place}: {en}", zh: "文件已损坏：{place}：{zh}"),
            more => message!(
                en: "broken file: {place}: {en} (and {more} more)",
                zh: "文件已损坏：{place}：{zh}（另有 {more} 处）"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        let first = self.problems.first().and_then(|first| first.hint.clone());
        first.or_else(|| {
            Some(message!(
                en: "correct the file, or put back an earlier version (see archive/)",
                zh: "请改正该文件，或恢复早先的版本（见 archive/）"
            ))
        })
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Why a file could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is damaged.
    #[error(transparent)]
    Broken(#[from] BrokenFile),
    /// It is not there.
    #[error("`{path}` is missing")]
    Missing {
        /// The file.
        path: RelPath,
        /// How to get one.
        hint: Message,
    },
}

impl ErrorTable for FileError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::Read(error) => Row::of(error),
            Self::Broken(error) => Row::of(error),
            Self::Missing { path, hint } => Row::new(Kind::Input, "MISSING_FILE", {
                message!(en: "`{path}` is missing", zh: "缺少 `{path}`")
            })
            .hint(hint.clone()),
        }
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
