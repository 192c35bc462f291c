//! Which chapters a plan is about, and which of them come next.

use novel_model::{BookReader, ChapterNo, Document, FileError, VolumeNo, files::PlanDraft, layout};
use novel_text::parse_outline;

use novel_book::config::PlanConfig;

/// A rest smaller than this is planned with the chunk before it.
const SMALLEST_REST: u32 = 3;

/// Chapters of a trial.
pub const TRIAL_CHAPTERS: u32 = 3;

/// The chapters of a volume and those to plan now.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanSpan {
    /// First chapter of the volume, written or not.
    pub volume_first: ChapterNo,
    /// First chapter of the plan; the ones before it are written.
    pub plan_first: ChapterNo,
    /// First chapter to plan now.
    pub first: ChapterNo,
    /// Last chapter to plan now.
    pub last: ChapterNo,
    /// Last chapter of the volume.
    pub volume_last: ChapterNo,
    /// What was planned before, when this is not the first chunk.
    pub draft: Option<PlanDraft>,
}

impl PlanSpan {
    /// The trial: the first chapters of the first volume, which goes on after them.
    #[must_use]
    pub fn trial(config: &PlanConfig) -> Self {
        let first = ChapterNo::first();
        let number = |chapter: u32| ChapterNo::new(chapter).unwrap_or(first);
        Self {
            volume_first: first,
            plan_first: first,
            first,
            last: number(TRIAL_CHAPTERS),
            volume_last: number(config.chapters().max(TRIAL_CHAPTERS + 1)),
            draft: None,
        }
    }

    /// What `volume` still lacks, `next` being the first chapter that is not written.
    ///
    /// # Errors
    /// When the outline or the draft of the plan cannot be read.
    pub fn of(
        reader: &dyn BookReader,
        volume: VolumeNo,
        next: ChapterNo,
        config: &PlanConfig,
    ) -> Result<Self, FileError> {
        let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
        let blocks = parse_outline(&outline).blocks;
        let written = blocks.iter().map(|block| block.number);
        let volume_first = written.filter(|number| *number < next.get()).min();
        let volume_first = volume_first.and_then(ChapterNo::new).unwrap_or(next);
        let draft = Document::<PlanDraft>::load(reader, &layout::plan_draft(volume))?
            .map(Document::into_value)
            .filter(|draft| draft.first_chapter == next && !draft_is_complete(draft));
        // A volume whose rest is planned anew keeps its length.
        let planned_last = blocks.iter().map(|block| block.number).max();
        let planned_last = planned_last.filter(|last| *last >= next.get());
        let volume_last = match (&draft, planned_last) {
            (Some(draft), _) => draft.last_chapter.get(),
            (None, Some(last)) => last,
            (None, None) => (volume_first.get() + config.chapters() - 1).max(next.get()),
        };
        let planned = draft.as_ref().and_then(last_planned);
        let first = planned.map_or(next.get(), |last| last.get() + 1);
        let mut last = (first + config.chunk() - 1).min(volume_last);
        if volume_last - last < SMALLEST_REST {
            last = volume_last;
        }
        let number = |chapter: u32| ChapterNo::new(chapter).unwrap_or(next);
        Ok(Self {
            volume_first,
            plan_first: next,
            first: number(first),
            last: number(last),
            volume_last: number(volume_last),
            draft,
        })
    }
}

/// Whether the staged plan of a volume reaches its end. A plan made by hand has no draft and is
/// what it is.
///
/// # Errors
/// When the draft of the plan cannot be read.
pub fn is_complete(reader: &dyn BookReader, volume: VolumeNo) -> Result<bool, FileError> {
    let draft = Document::<PlanDraft>::load(reader, &layout::plan_draft(volume))?;
    Ok(draft.is_none_or(|draft| draft_is_complete(draft.get())))
}

fn last_planned(draft: &PlanDraft) -> Option<ChapterNo> {
    draft.plan.chapters.iter().map(|entry| entry.chapter).max()
}

fn draft_is_complete(draft: &PlanDraft) -> bool {
    last_planned(draft).is_some_and(|last| last >= draft.last_chapter)
}
