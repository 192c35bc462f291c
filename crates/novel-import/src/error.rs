//! Why a file could not be imported.

use novel_model::{Explain, Kind, Lang, Message, message};
use serde_json::{Map, Value, json};

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
    #[error("no encoding is called `{label}`")]
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
    #[error("`{name}` can not be read as an EPUB: {why}")]
    BrokenEpub {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: Message,
    },
}

impl Explain for ImportError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "IMPORT_EMPTY",
            Self::NotText { .. } => "IMPORT_NOT_TEXT",
            Self::Undecodable { .. } => "IMPORT_UNDECODABLE",
            Self::Nul { .. } => "IMPORT_NUL",
            Self::UnknownEncoding { .. } => "UNKNOWN_ENCODING",
            Self::NotANovel { .. } => "IMPORT_NOT_A_NOVEL",
            Self::BrokenEpub { .. } => "IMPORT_BROKEN_EPUB",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Empty { name } => {
                message!(en: "`{name}` has nothing in it", zh: "`{name}` 是空的")
            }
            Self::NotText { name, what } => Message {
                en: format!("`{name}` is {}, not a text", what.en),
                zh: format!("`{name}` 是{}，不是文本", what.zh),
            },
            Self::Undecodable {
                name,
                encoding,
                offset,
                line,
            } => message!(
                en: "`{name}` reads as {encoding}, but the bytes at offset {offset} (line {line}) are not {encoding}",
                zh: "`{name}` 按 {encoding} 读取，但偏移 {offset}（第 {line} 行）处的字节不是 {encoding}"
            ),
            Self::Nul { name, line } => message!(
                en: "`{name}` has a NUL character on line {line}: it is damaged, or read in a wrong encoding",
                zh: "`{name}` 第 {line} 行有 NUL 字符：文件已损坏，或编码不对"
            ),
            Self::UnknownEncoding { label } => message!(
                en: "no encoding is called `{label}`", zh: "没有名为 `{label}` 的编码"
            ),
            Self::NotANovel { name, words } => message!(
                en: "`{name}` does not look like a novel: no chapter heading and {words} words",
                zh: "`{name}` 不像小说：没有章节标题，共 {words} 字"
            ),
            Self::BrokenEpub { name, why } => Message {
                en: format!("`{name}` can not be read as an EPUB: {}", why.en),
                zh: format!("`{name}` 无法作为 EPUB 读取：{}", why.zh),
            },
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Empty { .. } => message!(
                en: "check that it is the file you meant", zh: "请确认文件无误"
            ),
            Self::NotText { .. } | Self::BrokenEpub { .. } => message!(
                en: "import a txt, Markdown or EPUB file", zh: "请导入 txt、Markdown 或 EPUB 文件"
            ),
            Self::Undecodable { .. } => message!(
                en: "name the right encoding with `--encoding NAME` (such as gb18030, big5, utf-16le); with it named, bytes that do not belong become �",
                zh: "用 `--encoding NAME` 指定正确的编码（如 gb18030、big5、utf-16le）；指定之后，无法解码的字节会变成 �"
            ),
            Self::Nul { .. } => message!(
                en: "name the right encoding with `--encoding NAME`, or take the characters out of a copy of the file",
                zh: "请用 `--encoding NAME` 指定正确的编码，或在文件副本中删去这些字符"
            ),
            Self::UnknownEncoding { .. } => message!(
                en: "known are utf-8, gb18030, gbk, big5, utf-16le, utf-16be, utf-32le, utf-32be, shift_jis, windows-1252 and the other names of the web",
                zh: "可用 utf-8、gb18030、gbk、big5、utf-16le、utf-16be、utf-32le、utf-32be、shift_jis、windows-1252 等通行名称"
            ),
            Self::NotANovel { .. } => message!(
                en: "if it is one, put a heading such as `Chapter 1` or `第一章` on a line of its own before the text",
                zh: "如果确实是小说，请在正文之前单独写一行标题，例如 `第一章` 或 `Chapter 1`"
            ),
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        match self {
            Self::UnknownEncoding { label } => {
                details.insert("encoding".into(), json!(label));
            }
            Self::Undecodable {
                name,
                encoding,
                offset,
                line,
            } => {
                details.insert("file".into(), json!(name));
                details.insert("encoding".into(), json!(encoding));
                details.insert("offset".into(), json!(offset));
                details.insert("line".into(), json!(line));
            }
            Self::Nul { name, line } => {
                details.insert("file".into(), json!(name));
                details.insert("line".into(), json!(line));
            }
            Self::NotANovel { name, words } => {
                details.insert("file".into(), json!(name));
                details.insert("words".into(), json!(words));
            }
            Self::Empty { name } | Self::NotText { name, .. } | Self::BrokenEpub { name, .. } => {
                details.insert("file".into(), json!(name));
            }
        }
        details
    }
}
