//! Why a file could not be imported.

use novel_model::{ErrorTable, Kind, Message, Row, message};

/// Why a file could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is nothing in it.
    #[error("`{name}` is empty")]
    Empty {
        /// The file.
        name: String,
    },
    /// It is something else than text.
    #[error("`{name}` is {what}, not text")]
    NotText {
        /// The file.
        name: String,
        /// What it is, such as `a PNG image`.
        what: Message,
    },
    /// Its bytes are not of the encoding the rest of it is in.
    #[error("`{name}` is {encoding}, but not at byte {offset}")]
    Undecodable {
        /// The file.
        name: String,
        /// What the rest is.
        encoding: String,
        /// First byte that does not belong, from zero.
        offset: usize,
        /// The line it is on, from one.
        line: usize,
    },
    /// It has a character that no text has.
    #[error("`{name}` has a NUL on line {line}")]
    Nul {
        /// The file.
        name: String,
        /// The line it is on, from one.
        line: usize,
    },
    /// No such encoding.
    #[error("unknown encoding `{label}`")]
    UnknownEncoding {
        /// What was asked for.
        label: String,
    },
    /// It is text, but no novel.
    #[error("`{name}` is no novel: no chapter heading, {words} words")]
    NotANovel {
        /// The file.
        name: String,
        /// Counted words in it.
        words: usize,
    },
    /// The archive is no EPUB, or a broken one.
    #[error("`{name}` cannot be read as an EPUB: {why}")]
    BrokenEpub {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: Message,
    },
}

impl ErrorTable for ImportError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::Empty { name } => row("IMPORT_EMPTY", {
                message!(en: "`{name}` is empty", zh: "`{name}` 是空的")
            }).hint(message!(
                en: "check that it is the file you meant", zh: "请确认文件无误"
            )).fact("file", name),
            Self::NotText { name, what } => row("IMPORT_NOT_TEXT", Message {
                en: format!("`{name}` is {}, not a text", what.en),
                zh: format!("`{name}` 是{}，不是文本", what.zh),
            }).hint(message!(
                en: "import a txt, Markdown or EPUB file", zh: "请导入 txt、Markdown 或 EPUB 文件"
            )).fact("file", name),
            Self::Undecodable { name, encoding, offset, line } => row("IMPORT_UNDECODABLE", message!(
                en: "`{name}` reads as {encoding}, but the bytes at offset {offset} (line {line}) are not {encoding}",
                zh: "`{name}` 按 {encoding} 读取，但偏移 {offset}（第 {line} 行）处的字节不是 {encoding}"
            )).hint(message!(
                en: "name the right encoding with `--encoding NAME` (such as gb18030, big5, \
                    utf-16le); bytes that do not fit it then become �",
                zh: "用 `--encoding NAME` 指定正确的编码（如 gb18030、big5、utf-16le）；指定之后，无法解码的字节会变成 �"
            )).fact("file", name).fact("encoding", encoding).fact("offset", offset).fact("line", line),
            Self::Nul { name, line } => row("IMPORT_NUL", message!(
                en: "`{name}` has a NUL character on line {line}: it is damaged, or read in a wrong encoding",
                zh: "`{name}` 第 {line} 行有 NUL 字符：文件已损坏，或编码不对"
            )).hint(message!(
                en: "name the right encoding with `--encoding NAME`, or take the characters out of a copy of the file",
                zh: "请用 `--encoding NAME` 指定正确的编码，或在文件副本中删去这些字符"
            )).fact("file", name).fact("line", line),
            Self::UnknownEncoding { label } => row("UNKNOWN_ENCODING", message!(
                en: "unknown encoding `{label}`", zh: "没有名为 `{label}` 的编码"
            )).hint(message!(
                en: "known encodings are utf-8, gb18030, gbk, big5, utf-16le, utf-16be, utf-32le, \
                    utf-32be, shift_jis, windows-1252 and the other names of the web",
                zh: "可用 utf-8、gb18030、gbk、big5、utf-16le、utf-16be、utf-32le、utf-32be、shift_jis、windows-1252 等通行名称"
            )).fact("encoding", label),
            Self::NotANovel { name, words } => row("IMPORT_NOT_A_NOVEL", message!(
                en: "`{name}` does not look like a novel: no chapter heading and {words} words",
                zh: "`{name}` 不像小说：没有章节标题，共 {words} 字"
            )).hint(message!(
                en: "if it is one, put a heading such as `Chapter 1` or `第一章` on a line of its own before the text",
                zh: "如果确实是小说，请在正文之前单独写一行标题，例如 `第一章` 或 `Chapter 1`"
            )).fact("file", name).fact("words", words),
            Self::BrokenEpub { name, why } => row("IMPORT_BROKEN_EPUB", Message {
                en: format!("`{name}` cannot be read as an EPUB: {}", why.en),
                zh: format!("`{name}` 无法作为 EPUB 读取：{}", why.zh),
            }).hint(message!(
                en: "import a txt, Markdown or EPUB file", zh: "请导入 txt、Markdown 或 EPUB 文件"
            )).fact("file", name),
        }
    }
}
