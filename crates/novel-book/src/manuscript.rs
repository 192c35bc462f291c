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

/// Whether the Markdown of a chapter of the book was edited by hand and not adopted: it no longer says what
/// the JSON says. Line ends, blank lines and the like are no edit, and neither is a heading in the words of
/// another language; a Markdown that is missing is none either.
///
/// # Errors
/// When the chapter is damaged.
pub fn has_edit(reader: &dyn BookReader, chapter: ChapterNo) -> Result<bool, FileError> {
    let json = layout::chapter_json(chapter);
    match Document::<GeneratedChapter>::load_value(reader, &json)? {
        Some(text) => differs(reader, &text),
        None => Ok(false),
    }
}

/// Like [`has_edit`], with the chapter JSON in hand.
///
/// # Errors
/// When the Markdown cannot be read.
pub fn differs(reader: &dyn BookReader, text: &GeneratedChapter) -> Result<bool, FileError> {
    let Some(markdown) = reader.text(&layout::chapter_markdown(text.chapter_number))? else {
        return Ok(false);
    };
    if [Lang::Zh, Lang::En]
        .iter()
        .any(|lang| markdown == render(text, *lang))
    {
        return Ok(false);
    }
    let parsed = parse_chapter(&markdown);
    let normal = chapter_of(text.chapter_number, parsed.title(), &parsed.scenes);
    Ok(normal.chapter_title != text.chapter_title || contents(&normal) != contents(text))
}

fn contents(text: &GeneratedChapter) -> Vec<&str> {
    let scenes = text.scenes.iter();
    scenes.map(|scene| scene.content.as_str()).collect()
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
