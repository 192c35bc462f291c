//! Summaries of the chapters right before a chapter.

use novel_model::{BookReader, ChapterNo, RelPath, layout};

use super::ContextError;

/// Summaries given to the writer.
pub const RECENT_SUMMARIES: u32 = 3;

/// Summaries searched for a character's last appearance.
pub const RECENT_APPEARANCES: u32 = 10;

/// The summaries there are of the last [`RECENT_SUMMARIES`] chapters before `chapter`, oldest first.
///
/// # Errors
/// When one of them cannot be read.
pub fn recent_summaries(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Vec<RelPath>, ContextError> {
    let mut paths = Vec::new();
    for earlier in before(chapter, RECENT_SUMMARIES) {
        let path = layout::summary(earlier);
        if reader.text(&path)?.is_some() {
            paths.push(path);
        }
    }
    paths.reverse();
    Ok(paths)
}

/// The summary of the chapter right before `chapter`, if there is one.
#[must_use]
pub fn previous_summary(chapter: ChapterNo) -> Option<RelPath> {
    chapter.previous().map(layout::summary)
}

/// The texts of the last [`RECENT_APPEARANCES`] summaries before `chapter`, newest first.
pub(super) fn newest_first(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Vec<(ChapterNo, String)>, ContextError> {
    let mut texts = Vec::new();
    for earlier in before(chapter, RECENT_APPEARANCES) {
        if let Some(text) = reader.text(&layout::summary(earlier))? {
            texts.push((earlier, text));
        }
    }
    Ok(texts)
}

/// The `count` chapters before `chapter`, newest first.
fn before(chapter: ChapterNo, count: u32) -> impl Iterator<Item = ChapterNo> {
    (1..=count).map_while(move |back| chapter.get().checked_sub(back).and_then(ChapterNo::new))
}
