//! How pure code sees the files of a book.

use crate::{Decoded, ErrorTable, Kind, RelPath, Row, message};

/// Read access to a project. The store implements it on disk; tests in memory.
pub trait BookReader: Sync {
    /// The bytes of a file, or `None` when there is none.
    ///
    /// # Errors
    /// When something is there that cannot be read as a file.
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError>;

    /// The sorted names in a directory; a missing directory has none.
    ///
    /// # Errors
    /// When something is there that cannot be read as a directory.
    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError>;

    /// The sorted names in a directory that end with `suffix`; cheaper than [`BookReader::list`]
    /// in a directory of thousands.
    ///
    /// # Errors
    /// As [`BookReader::list`].
    fn list_ending(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let mut names = self.list(directory)?;
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }

    /// The last line of a log, without its line end; cheaper than [`BookReader::read`] where the
    /// log is long.
    ///
    /// # Errors
    /// As [`BookReader::read`].
    fn last_line(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        let bytes = self.read(path)?.unwrap_or_default();
        Ok(last_line_of(&bytes).map(<[u8]>::to_vec))
    }

    /// The beginning of a log whose older lines were moved out of the file at `path`; empty where none
    /// were.
    ///
    /// # Errors
    /// As [`BookReader::text`].
    fn older_lines(&self, _path: &RelPath) -> Result<String, ReadError> {
        Ok(String::new())
    }

    /// A number that tells the state of a file from every other state of it, without reading it. `None` where
    /// there is none, where that cannot be told, and where the file changed so short a time ago that it
    /// may change again and keep its number.
    fn stamp(&self, _path: &RelPath) -> Option<u64> {
        None
    }

    /// What was made of files and is held; `None` where nothing is.
    fn decoded(&self) -> Option<&Decoded> {
        None
    }

    /// Whether there is a file; cheaper than [`BookReader::read`] where the file is large.
    ///
    /// # Errors
    /// As [`BookReader::read`].
    fn exists(&self, path: &RelPath) -> Result<bool, ReadError> {
        Ok(self.read(path)?.is_some())
    }

    /// A file as text: UTF-8, no byte order mark, LF line ends.
    ///
    /// # Errors
    /// As [`BookReader::read`], and when the bytes are not such text.
    fn text(&self, path: &RelPath) -> Result<Option<String>, ReadError> {
        self.read(path)?
            .map(|bytes| decode(path, bytes))
            .transpose()
    }
}

/// Why a file could not be read. Damaged is never the same as missing.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A directory (or something else) stands where a file should be.
    #[error("`{path}` is not a regular file")]
    NotAFile {
        /// The place.
        path: RelPath,
    },
    /// A file stands where a directory should be.
    #[error("`{path}` is not a directory")]
    NotADirectory {
        /// The place.
        path: RelPath,
    },
    /// A symbolic link leads out of the project.
    #[error("`{path}` is a symbolic link that leaves the project")]
    LeavesProject {
        /// The link.
        path: RelPath,
    },
    /// The file is larger than any file of this kind may be.
    #[error("`{path}` has {size} bytes; at most {limit} are read")]
    TooLarge {
        /// The file.
        path: RelPath,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The bytes are not UTF-8.
    #[error("`{path}` is not UTF-8 at byte {offset} (line {line})")]
    NotUtf8 {
        /// The file.
        path: RelPath,
        /// First bad byte.
        offset: usize,
        /// Its line.
        line: usize,
    },
    /// The file starts with a byte order mark.
    #[error("`{path}` starts with a byte order mark")]
    ByteOrderMark {
        /// The file.
        path: RelPath,
    },
    /// The file has CRLF or CR line ends.
    #[error("`{path}` has Windows line ends (line {line})")]
    CarriageReturn {
        /// The file.
        path: RelPath,
        /// First line with one.
        line: usize,
    },
    /// The operating system refused.
    #[error("`{path}` cannot be read")]
    Io {
        /// The file.
        path: RelPath,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// The last line that is not empty, without its line end.
#[must_use]
pub fn last_line_of(bytes: &[u8]) -> Option<&[u8]> {
    let text = bytes.trim_ascii_end();
    let line = text.rsplit(|byte| *byte == b'\n').next().unwrap_or(text);
    (!line.is_empty()).then_some(line)
}

/// Turns the bytes of a project file into text.
///
/// # Errors
/// When they are not UTF-8, or carry a byte order mark or CR line ends.
pub fn decode(path: &RelPath, bytes: Vec<u8>) -> Result<String, ReadError> {
    let line_of = |bytes: &[u8]| 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    if bytes.starts_with(&[0xEF, 0xBB, 0xBF])
        || bytes.starts_with(&[0xFF, 0xFE])
        || bytes.starts_with(&[0xFE, 0xFF])
    {
        return Err(ReadError::ByteOrderMark { path: path.clone() });
    }
    let text = match simdutf8::basic::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        // Slower, and knows where.
        Err(_) => String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            ReadError::NotUtf8 {
                path: path.clone(),
                offset,
                line: line_of(&error.as_bytes()[..offset]),
            }
        })?,
    };
    match text.find('\r') {
        Some(offset) => Err(ReadError::CarriageReturn {
            path: path.clone(),
            line: line_of(&text.as_bytes()[..offset]),
        }),
        None => Ok(text),
    }
}

impl ReadError {
    /// The file it is about.
    #[must_use]
    pub fn path(&self) -> &RelPath {
        match self {
            Self::NotAFile { path }
            | Self::NotADirectory { path }
            | Self::LeavesProject { path }
            | Self::TooLarge { path, .. }
            | Self::NotUtf8 { path, .. }
            | Self::ByteOrderMark { path }
            | Self::CarriageReturn { path, .. }
            | Self::Io { path, .. } => path,
        }
    }
}

impl ErrorTable for ReadError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::NotAFile { path } => row("NOT_A_FILE", message!(
                en: "`{path}` should be a file, but something else (a directory?) is there",
                zh: "`{path}` 应为文件，但那里是别的东西（目录？）"
            )).hint(message!(
                en: "move `{path}` out of the way and run the command again",
                zh: "请移走 `{path}` 后重新运行命令"
            )),
            Self::NotADirectory { path } => row("NOT_A_DIRECTORY", message!(
                en: "`{path}` should be a directory, but something else is there",
                zh: "`{path}` 应为目录，但那里是别的东西"
            )).hint(message!(
                en: "move `{path}` out of the way and run the command again",
                zh: "请移走 `{path}` 后重新运行命令"
            )),
            Self::LeavesProject { path } => row("LINK_LEAVES_PROJECT", message!(
                en: "`{path}` is a symbolic link that leads out of the project",
                zh: "`{path}` 是指向项目之外的符号链接"
            )).hint(message!(
                en: "replace the link `{path}` with a copy of the file",
                zh: "请用文件副本替换链接 `{path}`"
            )),
            Self::TooLarge { path, size, limit } => row("FILE_TOO_LARGE", message!(
                en: "`{path}` has {size} bytes; at most {limit} are accepted",
                zh: "`{path}` 有 {size} 字节，最多接受 {limit} 字节"
            )).hint(message!(
                en: "split `{path}`, or put back the version you meant",
                zh: "请拆分 `{path}`，或换回正确的版本"
            )),
            Self::NotUtf8 { path, offset, line } => row("NOT_UTF8", message!(
                en: "`{path}` is not UTF-8: line {line}, byte {offset}",
                zh: "`{path}` 不是 UTF-8 编码：第 {line} 行，字节 {offset}"
            )).hint(message!(
                en: "save it as UTF-8; `novel doctor --fix` converts GBK/GB18030 files and keeps the old bytes in archive/",
                zh: "请另存为 UTF-8；`novel doctor --fix` 可转换 GBK/GB18030 文件，并在 archive/ 保留原字节"
            )),
            Self::ByteOrderMark { path } => row("BYTE_ORDER_MARK", message!(
                en: "`{path}` starts with a byte order mark (BOM)",
                zh: "`{path}` 以字节顺序标记（BOM）开头"
            )).hint(message!(
                en: "save it as UTF-8 without BOM and with LF line ends, or run `novel doctor --fix`",
                zh: "请存为无 BOM、LF 换行的 UTF-8，或运行 `novel doctor --fix`"
            )),
            Self::CarriageReturn { path, line } => row("CARRIAGE_RETURN", message!(
                en: "`{path}` has Windows line ends (CRLF), first on line {line}",
                zh: "`{path}` 使用 Windows 换行（CRLF），首次出现在第 {line} 行"
            )).hint(message!(
                en: "save it as UTF-8 without BOM and with LF line ends, or run `novel doctor --fix`",
                zh: "请存为无 BOM、LF 换行的 UTF-8，或运行 `novel doctor --fix`"
            )),
            Self::Io { path, source } => row("UNREADABLE", message!(
                en: "`{path}` cannot be read: {source}",
                zh: "无法读取 `{path}`：{source}"
            )).hint(message!(
                en: "check the file's permissions and the disk, then run the command again",
                zh: "请检查文件权限与磁盘，然后重新运行命令"
            )),
        }
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
