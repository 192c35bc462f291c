//! Key chapters get two judges.

use novel_book::context::{VolumeBounds, is_key_chapter, load_schedule};
use novel_model::{ChapterNo, Document, layout};
use novel_text::parse_outline;

use crate::{Book, StepError};

/// Whether `chapter` is first or last of its volume, or lies in a convergence.
pub fn is_key(view: &Book<'_>, chapter: ChapterNo) -> Result<bool, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let Some(bounds) = bounds(view)? else {
        return Ok(false);
    };
    let schedule = load_schedule(view.reader(), volume)?;
    Ok(is_key_chapter(
        chapter,
        bounds,
        schedule.as_ref().map(Document::get),
    ))
}

/// First and last chapter of the current volume; `None` without an outline.
pub fn bounds(view: &Book<'_>) -> Result<Option<VolumeBounds>, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let text = view.reader().text(&layout::outline(volume))?;
    Ok(text.and_then(|text| VolumeBounds::of(&parse_outline(&text))))
}
