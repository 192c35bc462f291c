//! An API key that does not show itself.

use std::fmt;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use novel_model::{ErrorTable, Kind, Row, message};

use crate::Redactor;

const MASK: &str = "***";
/// Shorter keys (`dummy`, `x`) are ordinary words; hiding them would change answers.
const MIN_LEN_IN_ANSWERS: usize = 16;
const MIN_LEN_IN_ERRORS: usize = 4;
/// Bytes that are read of a key file.
const LONGEST_FILE: u64 = 64 * 1024;

/// A key; `Debug` and `Display` print `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    value: String,
    origin: Origin,
}

#[derive(Clone, PartialEq, Eq)]
enum Origin {
    Given,
    Variable(String),
    File(PathBuf),
}

impl Secret {
    /// A key from somewhere else.
    ///
    /// # Errors
    /// When it is empty or cannot stand in a header.
    pub fn new(value: &str) -> Result<Self, SecretError> {
        Self::checked(value, Origin::Given)
    }

    /// The key in an environment variable.
    ///
    /// # Errors
    /// When the variable is not set, empty, or no usable key.
    pub fn from_env(name: &str) -> Result<Self, SecretError> {
        let value = std::env::var(name).map_err(|error| match error {
            std::env::VarError::NotPresent => SecretError::VariableMissing { name: name.into() },
            std::env::VarError::NotUnicode(_) => SecretError::Unusable {
                origin: format!("${name}"),
            },
        })?;
        Self::checked(&value, Origin::Variable(name.into()))
    }

    /// The key in a file, without the white space around it.
    ///
    /// # Errors
    /// When the file cannot be read, is empty, or holds no usable key.
    pub fn from_file(path: &Path) -> Result<Self, SecretError> {
        let mut value = String::new();
        // One that is longer has more on its line than a key, and is refused for it.
        std::fs::File::open(path)
            .and_then(|file| file.take(LONGEST_FILE).read_to_string(&mut value))
            .map_err(|source| SecretError::File {
                path: path.into(),
                source,
            })?;
        Self::checked(&value, Origin::File(path.into()))
    }

    /// Writes the key to a file that only its owner can read; a file that is there is replaced.
    ///
    /// # Errors
    /// When the file cannot be written; the one that was there stays.
    pub fn write_file(&self, path: &Path) -> Result<(), SecretError> {
        let not_written = |source| SecretError::NotWritten {
            path: path.into(),
            source,
        };
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let new = PathBuf::from(name);
        let write = || -> io::Result<()> {
            if let Some(directory) = path.parent() {
                let mut builder = DirBuilder::new();
                builder.recursive(true).mode(0o700).create(directory)?;
            }
            // A link or another's file at this place is refused.
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&new)?;
            writeln!(file, "{}", self.value)?;
            file.sync_all()?;
            fs::rename(&new, path)
        };
        write().map_err(|source| {
            // What could not be finished is of no use; the error is already told.
            let _ = fs::remove_file(&new);
            not_written(source)
        })
    }

    fn checked(value: &str, origin: Origin) -> Result<Self, SecretError> {
        let value = value.trim();
        let secret = Self {
            value: value.into(),
            origin,
        };
        if value.is_empty() {
            return Err(match secret.origin {
                Origin::Variable(name) => SecretError::VariableMissing { name },
                Origin::File(_) | Origin::Given => SecretError::Empty {
                    origin: secret.origin(),
                },
            });
        }
        let is_key = value.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_key || value.len() as u64 >= LONGEST_FILE {
            return Err(SecretError::Unusable {
                origin: secret.origin(),
            });
        }
        Ok(secret)
    }

    /// Where the key came from, for messages: `$NAME`, a path, or nothing to name.
    #[must_use]
    pub fn origin(&self) -> String {
        match &self.origin {
            Origin::Given => "the given key".into(),
            Origin::Variable(name) => format!("${name}"),
            Origin::File(path) => path.display().to_string(),
        }
    }

    /// The key itself, for a request header and nothing else.
    pub(crate) fn expose(&self) -> &str {
        &self.value
    }

    /// `text` for an error or a log, without the key.
    pub(crate) fn redact_message(&self, text: &str) -> String {
        Redactor::of([self.value.as_str()], MIN_LEN_IN_ERRORS).redact(text)
    }

    /// Takes the key out of answers.
    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::of([self.value.as_str()], MIN_LEN_IN_ANSWERS)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The variable is not set, or empty.
    #[error("environment variable `{name}` is not set")]
    VariableMissing {
        /// Its name.
        name: String,
    },
    /// The key file cannot be read.
    #[error("key file `{path}` cannot be read")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The key file cannot be written.
    #[error("key file `{path}` cannot be written")]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Nothing but white space.
    #[error("{origin} holds no key")]
    Empty {
        /// Where it was looked for.
        origin: String,
    },
    /// White space or other signs inside that no key has.
    #[error("{origin} holds no usable key")]
    Unusable {
        /// Where it was looked for.
        origin: String,
    },
}

impl ErrorTable for SecretError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Provider, code, message);
        match self {
            Self::VariableMissing { name } => row("KEY_MISSING", message!(
                en: "no API key: the environment variable `{name}` is not set",
                zh: "没有 API 密钥：环境变量 `{name}` 未设置"
            )).hint(message!(
                en: "set it in this shell with `export {name}=…`; keys never belong in novel.toml",
                zh: "请在当前终端执行 `export {name}=…`；密钥不要写进 novel.toml"
            )),
            Self::File { path, source } => row("KEY_FILE_UNREADABLE", message!(
                en: "the key file `{}` cannot be read: {source}",
                zh: "无法读取密钥文件 `{}`：{source}",
                path.display()
            )).hint(message!(
                en: "create `{}` outside the project with the key as its only line",
                zh: "请在项目之外创建 `{}`，只写一行密钥",
                path.display()
            )),
            Self::NotWritten { path, source } => row("KEY_FILE_UNWRITABLE", message!(
                en: "the key file `{}` cannot be written: {source}",
                zh: "无法写入密钥文件 `{}`：{source}",
                path.display()
            )).hint(message!(
                en: "make its directory writable, or name another file with `--key-file`",
                zh: "请让其目录可写，或用 `--key-file` 指定另一文件"
            )),
            Self::Empty { origin } => row("KEY_UNUSABLE", message!(
                en: "no API key: {origin} is empty",
                zh: "没有 API 密钥：{origin} 为空"
            )).hint(message!(
                en: "copy the key again, alone and on one line, to {origin}",
                zh: "请重新复制密钥，单独一行，放入 {origin}"
            )),
            Self::Unusable { origin } => row("KEY_UNUSABLE", message!(
                en: "{origin} does not hold a valid API key (it has whitespace or non-ASCII characters)",
                zh: "{origin} 的内容不是有效的 API 密钥（含空白或非 ASCII 字符）"
            )).hint(message!(
                en: "copy the key again, alone and on one line, to {origin}",
                zh: "请重新复制密钥，单独一行，放入 {origin}"
            )),
        }
    }
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
