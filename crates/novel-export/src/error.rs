//! Why a book could not be exported.

use std::{error::Error, fmt, io};

use novel_model::{ChapterNo, Explain, Kind, Lang, Message, Problem, message};
use serde_json::{Map, Value};

/// Why a chapter could not be had: the error of whoever reads the chapters.
#[derive(Debug)]
pub struct ChapterFault(Box<dyn Explain>);

impl ChapterFault {
    /// The error inside.
    #[must_use]
    pub fn explain(&self) -> &dyn Explain {
        self.0.as_ref()
    }
}

impl fmt::Display for ChapterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for ChapterFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Why a book could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No such format.
    #[error("unknown export format `{text}`")]
    UnknownFormat {
        /// What was asked for.
        text: String,
    },
    /// The range holds no chapter.
    #[error("no chapter from {first} to {last}")]
    EmptyRange {
        /// Where it begins.
        first: ChapterNo,
        /// Where it ends.
        last: ChapterNo,
    },
    /// A chapter is missing or damaged.
    #[error("chapter {chapter} cannot be exported")]
    Chapter {
        /// Its number.
        chapter: ChapterNo,
        /// What is wrong with it.
        #[source]
        source: ChapterFault,
    },
    /// A file holds another chapter than its name says.
    #[error("chapter {asked} says that it is chapter {found}")]
    OtherChapter {
        /// The chapter asked for.
        asked: ChapterNo,
        /// The number in the file.
        found: ChapterNo,
    },
    /// The cover is no image that readers of EPUB must know.
    #[error("the cover is neither JPEG, PNG, GIF nor WebP")]
    UnknownCover,
    /// The time of the last change is not written as EPUB wants it.
    #[error("`{text}` is no time in UTC")]
    BadTime {
        /// What was given.
        text: String,
    },
    /// The book does not fit into one file.
    #[error("the book is too large for one file")]
    TooLarge,
    /// The file could not be written.
    #[error("the book cannot be written")]
    Write(#[from] io::Error),
}

impl ExportError {
    /// A chapter that could not be had, and why.
    #[must_use]
    pub fn chapter(chapter: ChapterNo, fault: impl Explain) -> Self {
        Self::Chapter {
            chapter,
            source: ChapterFault(Box::new(fault)),
        }
    }
}

impl Explain for ExportError {
    fn kind(&self) -> Kind {
        match self {
            Self::UnknownFormat { .. }
            | Self::EmptyRange { .. }
            | Self::OtherChapter { .. }
            | Self::UnknownCover
            | Self::TooLarge => Kind::Input,
            Self::Chapter { source, .. } => source.0.kind(),
            Self::BadTime { .. } | Self::Write(_) => Kind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::UnknownFormat { .. } => "EXPORT_FORMAT",
            Self::EmptyRange { .. } => "EXPORT_RANGE",
            Self::Chapter { source, .. } => source.0.code(),
            Self::OtherChapter { .. } => "EXPORT_OTHER_CHAPTER",
            Self::UnknownCover => "EXPORT_COVER",
            Self::BadTime { .. } => "EXPORT_TIME",
            Self::TooLarge => "EXPORT_TOO_LARGE",
            Self::Write(_) => "EXPORT_WRITE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::UnknownFormat { text } => message!(
                en: "`{text}` is not an export format",
                zh: "`{text}` 不是导出格式"
            ),
            Self::EmptyRange { first, last } => message!(
                en: "there are no chapters from {} to {}", zh: "第 {} 章到第 {} 章之间没有章节",
                first.get(), last.get()
            ),
            Self::Chapter { chapter, source } => {
                let (chapter, fault) = (chapter.get(), source.0.message());
                Message {
                    en: format!("chapter {chapter} cannot be exported: {}", fault.en),
                    zh: format!("无法导出第 {chapter} 章：{}", fault.zh),
                }
            }
            Self::OtherChapter { asked, found } => message!(
                en: "the file of chapter {} says that it is chapter {}",
                zh: "第 {} 章的文件里写的却是第 {} 章",
                asked.get(), found.get()
            ),
            Self::UnknownCover => message!(
                en: "the cover is neither JPEG, PNG, GIF nor WebP",
                zh: "封面不是 JPEG、PNG、GIF 或 WebP 图片"
            ),
            Self::BadTime { text } => message!(
                en: "`{text}` is not a UTC time such as 2026-08-01T12:00:00Z",
                zh: "`{text}` 不是 2026-08-01T12:00:00Z 这样的 UTC 时间"
            ),
            Self::TooLarge => message!(
                en: "the book is too large for one EPUB file (4 GB or 65,000 pages)",
                zh: "全书超出单个 EPUB 文件的上限（4 GB 或 65,000 页）"
            ),
            Self::Write(error) => message!(
                en: "the book cannot be written: {error}", zh: "无法写出成书：{error}"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::UnknownFormat { .. } => message!(
                en: "use `--format txt`, `--format md` or `--format epub`",
                zh: "请使用 `--format txt`、`--format md` 或 `--format epub`"
            ),
            Self::EmptyRange { .. } => message!(
                en: "name the first chapter before the last", zh: "请把较小的章号写在前面"
            ),
            Self::Chapter { source, .. } => return source.0.hint(),
            Self::OtherChapter { .. } => message!(
                en: "`novel doctor` shows which file is wrong", zh: "`novel doctor` 会指出是哪个文件有误"
            ),
            Self::UnknownCover => message!(
                en: "convert the cover to JPEG or PNG, or export without it",
                zh: "请把封面转换为 JPEG 或 PNG，或不带封面导出"
            ),
            Self::TooLarge => message!(
                en: "export a range of chapters at a time", zh: "请分段导出章节"
            ),
            Self::Write(_) => message!(
                en: "check the free space and the rights at the place of the file",
                zh: "请检查目标位置的剩余空间和权限"
            ),
            Self::BadTime { .. } => return None,
        })
    }

    fn problems(&self) -> &[Problem] {
        match self {
            Self::Chapter { source, .. } => source.0.problems(),
            _ => &[],
        }
    }

    fn details(&self, lang: Lang) -> Map<String, Value> {
        match self {
            Self::Chapter { source, .. } => source.0.details(lang),
            _ => Map::new(),
        }
    }
}
