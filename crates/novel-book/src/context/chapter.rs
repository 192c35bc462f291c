//! What every step of a chapter needs to know first.

use novel_model::{
    BookReader, ChapterNo, Document, Lang, VolumeNo,
    files::{ChapterContract, StorylineSchedule},
};
use novel_text::{Outline, outline_bounds};

use super::{ChapterOutline, ContextError, load_contract, load_schedule, outline_block};

/// First and last chapter of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VolumeBounds {
    /// The smallest chapter number of the outline.
    pub first: ChapterNo,
    /// The largest chapter number of the outline.
    pub last: ChapterNo,
}

impl VolumeBounds {
    /// The bounds of an outline; `None` without any chapter.
    #[must_use]
    pub fn of(outline: &Outline) -> Option<Self> {
        Self::new(outline.bounds()?)
    }

    /// The bounds of the outline in a text; `None` without any chapter.
    #[must_use]
    pub fn in_text(text: &str) -> Option<Self> {
        Self::new(outline_bounds(text)?)
    }

    fn new((first, last): (u32, u32)) -> Option<Self> {
        Some(Self {
            first: ChapterNo::new(first)?,
            last: ChapterNo::new(last)?,
        })
    }
}

/// Outline block, contract and schedule of a chapter, checked against each other.
#[derive(Debug, Clone)]
pub struct ChapterContext {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its volume.
    pub volume: VolumeNo,
    /// Its block of the outline.
    pub outline: ChapterOutline,
    /// Its contract.
    pub contract: Document<ChapterContract>,
    /// The volume's schedule, if there is one.
    pub schedule: Option<Document<StorylineSchedule>>,
}

impl ChapterContext {
    /// Reads and checks all three.
    ///
    /// # Errors
    /// With every problem of the three files.
    pub fn load(
        reader: &dyn BookReader,
        volume: VolumeNo,
        chapter: ChapterNo,
        lang: Lang,
    ) -> Result<Self, ContextError> {
        let outline = outline_block(reader, volume, chapter, lang);
        let contract = load_contract(reader, volume, chapter, outline.as_ref().ok());
        let schedule = load_schedule(reader, volume);
        match (outline, contract, schedule) {
            (Ok(outline), Ok(contract), Ok(schedule)) => Ok(Self {
                chapter,
                volume,
                outline,
                contract,
                schedule,
            }),
            (outline, contract, schedule) => {
                let errors = [outline.err(), contract.err(), schedule.err()];
                let problems: Vec<_> = errors
                    .into_iter()
                    .flatten()
                    .flat_map(ContextError::into_problems)
                    .collect();
                Err(ContextError::new(problems))
            }
        }
    }

    /// Whether the chapter gets two judges.
    #[must_use]
    pub fn is_key_chapter(&self) -> bool {
        let schedule = self.schedule.as_ref().map(Document::get);
        is_key_chapter(self.chapter, self.outline.bounds, schedule)
    }
}

/// Key chapters: first and last of a volume, and every chapter of a convergence, bounds included.
/// An event without a range is passed over.
#[must_use]
pub fn is_key_chapter(
    chapter: ChapterNo,
    bounds: VolumeBounds,
    schedule: Option<&StorylineSchedule>,
) -> bool {
    chapter == bounds.first
        || chapter == bounds.last
        || schedule.is_some_and(|schedule| {
            schedule
                .convergence_events
                .iter()
                .any(|event| event.contains(chapter))
        })
}
