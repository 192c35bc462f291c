//! The text of a chapter in an author's hands: what differs, what waits, and saving an edit of it.

use novel_book::{edit::Changes, manuscript};
use novel_contract::revise as contract;
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, Explain, Kind, Lang, Message, ReadError,
    files::{Evaluation, GeneratedChapter, PipelineStage},
    layout, message,
};
use novel_store::{StoreError, TxnKind, TxnLabel};
use novel_text::word_diff;
pub use novel_text::{Piece, PieceKind};

use crate::{BookError, Project, write::chapter};

/// The largest text of a chapter that is saved, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// A chapter whose Markdown was edited.
#[derive(Debug)]
pub struct Edited {
    /// Its title in the book.
    pub title: String,
    /// From the book's text to the edited one.
    pub difference: Vec<Piece>,
}

/// What an author changed in the Markdown of a chapter.
///
/// # Errors
/// When the chapter is not in the book, or a file is damaged.
pub fn edited(project: &Project, chapter: ChapterNo) -> Result<Edited, BookError> {
    let shown = chapter::show(project, chapter, None)?;
    let rendered = shown.markdown(project.config().lang());
    let markdown = project
        .store()
        .look(|reader| Ok::<_, BookError>(reader.text(&layout::chapter_markdown(chapter))?))?;
    Ok(Edited {
        title: shown.chapter.chapter_title,
        difference: word_diff(&rendered, &markdown.unwrap_or_default()),
    })
}

/// From one text to another.
#[must_use]
pub fn difference(old: &str, new: &str) -> Vec<Piece> {
    word_diff(old, new)
}

/// A staged text the author may be asked about.
#[derive(Debug)]
pub struct StagedText {
    /// The text.
    pub chapter: GeneratedChapter,
    /// What the judge said of it.
    pub verdict: Option<Evaluation>,
}

/// The text in flight, once it is judged.
///
/// # Errors
/// When a file is damaged.
pub fn staged_newest(project: &Project) -> Result<Option<StagedText>, BookError> {
    project.look(|view| {
        let checkpoint = view.checkpoint.get();
        let judged = checkpoint.pipeline_stage == Some(PipelineStage::Judged);
        let Some(number) = checkpoint.inflight_chapter.filter(|_| judged) else {
            return Ok(None);
        };
        let reader = view.reader();
        let Some(markdown) = reader.text(&layout::staged_chapter(number))? else {
            return Ok(None);
        };
        let lang = project.config().lang();
        let path = layout::staged_evaluation(number);
        Ok(Some(StagedText {
            chapter: manuscript::Manuscript::from_markdown(number, &markdown, lang).chapter,
            verdict: Document::<Evaluation>::load_value(reader, &path)?,
        }))
    })
}

/// An edit that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The hash of its Markdown now.
    pub hash: ContentHash,
    /// Whether the file had this text already.
    pub unchanged: bool,
}

impl SaveReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::SaveAnswer {
        contract::SaveAnswer {
            chapter: self.chapter,
            hash: self.hash.clone(),
            unchanged: self.unchanged,
            warnings: Vec::new(),
        }
    }
}

/// Why an edit was not saved; nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The chapter is not in the book.
    #[error("chapter {chapter} is not in the book")]
    NotWritten {
        /// Requested chapter, which is not in the book.
        chapter: ChapterNo,
    },
    /// The file is not what the edit began with.
    #[error("the Markdown of chapter {chapter} has changed since the edit began")]
    Changed {
        /// Chapter whose Markdown changed since the edit began.
        chapter: ChapterNo,
        /// The hash of what is there.
        found: ContentHash,
    },
    /// The text is empty or too long to be a chapter.
    #[error("the text of chapter {chapter} is empty or too long")]
    NoText {
        /// Chapter whose new text is empty or too long.
        chapter: ChapterNo,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The book cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The chapter is published or locked.
    #[error(transparent)]
    Book(#[from] BookError),
}

impl Explain for SaveError {
    fn kind(&self) -> Kind {
        match self {
            Self::NotWritten { .. } | Self::Changed { .. } | Self::NoText { .. } => Kind::Input,
            Self::Read(source) => source.kind(),
            Self::Store(source) => source.kind(),
            Self::Book(source) => source.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotWritten { .. } => "NO_SUCH_CHAPTER",
            Self::Changed { .. } => "EDIT_CONFLICT",
            Self::NoText { .. } => "EMPTY_EDIT",
            Self::Read(source) => source.code(),
            Self::Store(source) => source.code(),
            Self::Book(source) => source.code(),
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NotWritten { chapter } => {
                let n = chapter.get();
                message!(en: "chapter {n} is not in the book", zh: "第 {n} 章不在书中")
            }
            Self::Changed { chapter, .. } => {
                let n = chapter.get();
                message!(
                    en: "the text of chapter {n} has changed since this edit began; nothing was saved",
                    zh: "第 {n} 章的正文在编辑期间已被改动，没有保存"
                )
            }
            Self::NoText { chapter } => {
                let n = chapter.get();
                message!(en: "the text of chapter {n} is empty or too long", zh: "第 {n} 章的正文为空或过长")
            }
            Self::Read(source) => source.message(),
            Self::Store(source) => source.message(),
            Self::Book(source) => source.message(),
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::NotWritten { .. } => Some(message!(
                en: "`novel status` shows what is written", zh: "`novel status` 查看已写章节"
            )),
            Self::Changed { chapter, found } => {
                let n = chapter.get();
                Some(message!(
                    en: "compare the two, then `novel chapter save {n} --base {found}`",
                    zh: "对照两份文本后运行 `novel chapter save {n} --base {found}`"
                ))
            }
            Self::NoText { .. } => None,
            Self::Read(source) => source.hint(),
            Self::Store(source) => source.hint(),
            Self::Book(source) => source.hint(),
        }
    }

    fn details(&self, lang: Lang) -> serde_json::Map<String, serde_json::Value> {
        match self {
            Self::Changed { found, .. } => {
                let mut facts = serde_json::Map::new();
                facts.insert("found".to_owned(), found.as_str().into());
                facts
            }
            Self::NotWritten { .. } | Self::NoText { .. } => serde_json::Map::new(),
            Self::Read(source) => source.details(lang),
            Self::Store(source) => source.details(lang),
            Self::Book(source) => source.details(lang),
        }
    }
}

/// Saves the Markdown of a chapter an author edited: one operation, which `novel undo` reverts.
/// `base` is the hash the edit began with. The text of the book follows by `novel adopt`.
///
/// # Errors
/// When the chapter is not in the book, or its Markdown is not what the edit began with.
pub fn save(
    project: &Project,
    chapter: ChapterNo,
    base: &ContentHash,
    markdown: &str,
) -> Result<SaveReport, SaveError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = writer.reader()?;
    let path = layout::chapter_markdown(chapter);
    let Some(old) = reader.read(&path)? else {
        return Err(SaveError::NotWritten { chapter });
    };
    if !reader.exists(&layout::chapter_json(chapter))? {
        return Err(SaveError::NotWritten { chapter });
    }
    let text = normal(markdown);
    if text.trim().is_empty() || text.len() > LARGEST {
        return Err(SaveError::NoText { chapter });
    }
    let (found, hash) = (ContentHash::of(&old), ContentHash::of(&text));
    if found == hash {
        // Said twice, or the file has it already: nothing is left to write.
        return Ok(SaveReport {
            chapter,
            hash,
            unchanged: true,
        });
    }
    if found != *base {
        return Err(SaveError::Changed { chapter, found });
    }
    let mut changes = Changes::default();
    changes.write(path, text);
    let label = TxnLabel::new(TxnKind::Edit { chapter }, format!("chapter-{chapter}"));
    project.write(&writer, label, changes)?;
    Ok(SaveReport {
        chapter,
        hash,
        unchanged: false,
    })
}

/// A form sends CR LF and may begin with a byte order mark; a file of the book has neither.
fn normal(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let text = text.replace('\r', "\n");
    let text = text.trim_end();
    format!("{text}\n")
}
