//! Staged Markdown and chapter JSON: two forms of one text.

use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError, Lang,
    files::{GeneratedChapter, GeneratedScene},
    layout,
};
use novel_text::{ParsedChapter, TextMetrics, count_words, measure, parse_chapter, render_chapter};

/// A chapter in both forms, always equal: `markdown == render(chapter)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Manuscript {
    /// The truth.
    pub chapter: GeneratedChapter,
    /// Its rendering.
    pub markdown: String,
    /// Hash of the rendering.
    pub hash: ContentHash,
}

impl Manuscript {
    /// Brings Markdown to normal form. The number is the caller's; a heading with another number is
    /// the validator's business.
    #[must_use]
    pub fn from_markdown(number: ChapterNo, markdown: &str, lang: Lang) -> Self {
        Self::from_parsed(number, &parse_chapter(markdown), lang)
    }

    /// Brings a parsed chapter to normal form, as [`Self::from_markdown`] does.
    #[must_use]
    pub fn from_parsed(number: ChapterNo, parsed: &ParsedChapter, lang: Lang) -> Self {
        let chapter = chapter_of(number, parsed.title(), &parsed.scenes);
        Self::from_chapter(chapter, lang)
    }

    /// A chapter of the book.
    #[must_use]
    pub fn from_chapter(chapter: GeneratedChapter, lang: Lang) -> Self {
        let markdown = render(&chapter, lang);
        let hash = ContentHash::of(&markdown);
        Self {
            chapter,
            markdown,
            hash,
        }
    }

    /// Whether there is anything to read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chapter.total_words == 0
    }
}

/// A chapter with counted words.
#[must_use]
pub fn chapter_of(number: ChapterNo, title: &str, scenes: &[String]) -> GeneratedChapter {
    let scenes: Vec<GeneratedScene> = (1..)
        .zip(scenes)
        .map(|(scene_number, content)| GeneratedScene {
            scene_number,
            content: content.clone(),
            word_count: count_words(content) as u64,
        })
        .collect();
    let total_words = scenes.iter().map(|scene| scene.word_count).sum();
    GeneratedChapter {
        chapter_number: number,
        chapter_title: title.to_owned(),
        scenes,
        total_words,
    }
}

/// Whether the Markdown of a chapter of the book was edited by hand and not adopted: it is no longer what the
/// JSON says.
///
/// # Errors
/// When the chapter is damaged.
pub fn has_edit(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    lang: Lang,
) -> Result<bool, FileError> {
    let json = layout::chapter_json(chapter);
    let Some(text) = Document::<GeneratedChapter>::load_value(reader, &json)? else {
        return Ok(false);
    };
    let markdown = reader.text(&layout::chapter_markdown(chapter))?;
    Ok(markdown.is_some_and(|markdown| markdown != render(&text, lang)))
}

/// The rendering of a chapter.
#[must_use]
pub fn render(chapter: &GeneratedChapter, lang: Lang) -> String {
    let scenes: Vec<String> = chapter
        .scenes
        .iter()
        .map(|scene| scene.content.clone())
        .collect();
    render_chapter(
        chapter.chapter_number,
        &chapter.chapter_title,
        &scenes,
        lang,
    )
}

/// Text metrics over all scenes.
#[must_use]
pub fn metrics(chapter: &GeneratedChapter) -> TextMetrics {
    let parts: Vec<TextMetrics> = chapter
        .scenes
        .iter()
        .map(|scene| measure(&scene.content))
        .collect();
    TextMetrics::sum(&parts)
}
