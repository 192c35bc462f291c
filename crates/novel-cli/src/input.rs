//! Reads what the person names or pipes in. Files of the project are the store's.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
};

use novel_model::{ErrorTable, Kind, Row, StepId, message};

/// No chapter, answer or list of phrases is larger.
const LIMIT: u64 = 16 * 1024 * 1024;

/// No novel is larger.
pub(crate) const LARGE: u64 = 256 * 1024 * 1024;

/// Why an input could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// Neither a file nor a pipe.
    #[error("nothing was handed in for {step}")]
    Nothing {
        /// The step.
        step: StepId,
    },
    /// No such file.
    #[error("`{name}` is not there")]
    Missing {
        /// The file.
        name: String,
    },
    /// Not a file.
    #[error("`{name}` is a directory")]
    Directory {
        /// The directory.
        name: String,
    },
    /// Larger than any honest input.
    #[error("`{name}` is larger than {limit} bytes")]
    TooLarge {
        /// The file.
        name: String,
        /// The most it may have.
        limit: u64,
    },
    /// Not text.
    #[error("`{name}` is not UTF-8 on line {line}")]
    NotUtf8 {
        /// The file.
        name: String,
        /// First line that is not.
        line: usize,
    },
    /// Nothing is said.
    #[error("`{name}` is empty")]
    Empty {
        /// The file or option.
        name: String,
    },
    /// More than a wish.
    #[error("`{name}` is longer than {limit} characters")]
    LongNote {
        /// The file or option.
        name: String,
        /// The most it may have.
        limit: usize,
    },
    /// The operating system refused.
    #[error("`{name}` cannot be read")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// `-`.
    Stdin,
    /// A file anywhere.
    File(PathBuf),
}

impl Source {
    /// The source a path argument names.
    pub(crate) fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(path.to_owned())
        }
    }

    /// The source of an answer: without a path it is what is piped in.
    pub(crate) fn of_answer(path: Option<&Path>, step: StepId) -> Result<Self, InputError> {
        match path {
            Some(path) => Ok(Self::of(path)),
            None if io::stdin().is_terminal() => Err(InputError::Nothing { step }),
            None => Ok(Self::Stdin),
        }
    }

    /// How it is called in messages and reports.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// All of its bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, InputError> {
        self.bytes_within(LIMIT)
    }

    /// All of its bytes, if there are no more than `limit`.
    pub(crate) fn bytes_within(&self, limit: u64) -> Result<Vec<u8>, InputError> {
        let mut bytes = Vec::new();
        let read = match self {
            Self::Stdin => io::stdin().lock().take(limit + 1).read_to_end(&mut bytes),
            Self::File(path) => File::open(path).and_then(|file| {
                // What is known to be too large is not read first.
                let size = file.metadata()?.len();
                match usize::try_from(size) {
                    Ok(size) if size as u64 > limit => Ok(size),
                    _ => file.take(limit + 1).read_to_end(&mut bytes),
                }
            }),
        };
        let name = self.name();
        match read {
            Ok(size) if size as u64 > limit => Err(InputError::TooLarge { name, limit }),
            Ok(_) => Ok(bytes),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::NotFound => InputError::Missing { name },
                io::ErrorKind::IsADirectory => InputError::Directory { name },
                _ => InputError::Unreadable {
                    name,
                    source: error,
                },
            }),
        }
    }

    /// Its text; a byte order mark is left out.
    pub(crate) fn text(&self) -> Result<String, InputError> {
        let text = String::from_utf8(self.bytes()?).map_err(|error| {
            let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + sound.iter().filter(|byte| **byte == b'\n').count();
            let name = self.name();
            InputError::NotUtf8 { name, line }
        })?;
        Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }
}

impl ErrorTable for InputError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::Nothing { step } => row("NO_INPUT", message!(
                en: "nothing was handed in for {step}", zh: "没有为 {step} 提交任何内容"
            )).hint(message!(
                en: "name a file: `novel submit {step} FILE`, or pipe the answer in: `COMMAND | novel submit {step} -`",
                zh: "请给出文件：`novel submit {step} FILE`，或用管道输入：`COMMAND | novel submit {step} -`"
            )),
            Self::Missing { name } => row("FILE_NOT_FOUND", message!(
                en: "there is no file `{name}`", zh: "没有文件 `{name}`"
            )).hint(message!(
                en: "check the path; it is relative to the current directory",
                zh: "请检查路径；它相对于当前目录"
            )),
            Self::Directory { name } => row("NOT_A_FILE", message!(
                en: "`{name}` is a directory, not a file", zh: "`{name}` 是目录，不是文件"
            )).hint(message!(
                en: "name a file in it, such as `{name}/chapter-001.md`",
                zh: "请指定其中的文件，例如 `{name}/chapter-001.md`"
            )),
            Self::TooLarge { name, limit } => row("FILE_TOO_LARGE", {
                let limit = limit / 1024 / 1024;
                message!(
                    en: "`{name}` is larger than {limit} MiB", zh: "`{name}` 超过 {limit} MiB"
                )
            }).hint(message!(
                en: "check that it is the file you meant; a chapter has a few thousand characters",
                zh: "请确认文件无误；一章通常只有数千字"
            )),
            Self::NotUtf8 { name, line } => row("NOT_UTF8", message!(
                en: "`{name}` is not UTF-8, first on line {line}",
                zh: "`{name}` 不是 UTF-8 编码，首次出现在第 {line} 行"
            )).hint(message!(
                en: "convert it first: `iconv -f GB18030 -t UTF-8 {name}`",
                zh: "请先转换编码：`iconv -f GB18030 -t UTF-8 {name}`"
            )),
            Self::Empty { name } => row("EMPTY_NOTE", message!(
                en: "the note in `{name}` is empty", zh: "`{name}` 的要求是空的"
            )).hint(message!(
                en: "say what should be different, or leave the option out",
                zh: "请写明要改什么，或去掉该选项"
            )),
            Self::LongNote { name, limit } => row("NOTE_TOO_LONG", message!(
                en: "the note in `{name}` is longer than {limit} characters",
                zh: "`{name}` 的要求超过 {limit} 个字符"
            )).hint(message!(
                en: "say what should be different in a few sentences; what always applies belongs in `brief.md`",
                zh: "用几句话写明要改什么；长期有效的要求请写进 `brief.md`"
            )),
            Self::Unreadable { name, source } => row("UNREADABLE", message!(
                en: "`{name}` cannot be read: {source}", zh: "无法读取 `{name}`：{source}"
            )).hint(message!(
                en: "check the file's permissions", zh: "请检查文件权限"
            )),
        }
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
