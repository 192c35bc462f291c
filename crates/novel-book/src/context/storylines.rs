//! Which storyline memories a chapter is given (step 2.5).

use novel_model::{
    BookReader, ChapterNo, Document, RelPath, Slug, VolumeNo,
    files::{ChapterContract, StorylineSchedule},
    layout,
};

use super::ContextError;

/// Memory files, as far as they exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memories {
    /// Of the chapter's own line.
    pub current: Option<RelPath>,
    /// Of its neighbours: the line that comes next, then the lines of the convergence, in the
    /// order of the schedule, each once.
    pub adjacent: Vec<RelPath>,
}

/// The volume's schedule, if there is one.
///
/// # Errors
/// When it is there but broken.
pub fn load_schedule(
    reader: &dyn BookReader,
    volume: VolumeNo,
) -> Result<Option<Document<StorylineSchedule>>, ContextError> {
    Ok(Document::load(reader, &layout::schedule(volume))?)
}

/// The memories for a chapter: its own line always, its neighbours unless they are dormant. Of a
/// dormant line only the sentence in the contract's `concurrent_state` is known.
///
/// # Errors
/// When a memory cannot be read.
pub fn memories(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    contract: &ChapterContract,
    schedule: Option<&StorylineSchedule>,
) -> Result<Memories, ContextError> {
    let current = &contract.storyline_id;
    let next = contract
        .transition_hint
        .iter()
        .filter_map(|hint| hint.next_storyline.as_ref());
    let meeting = schedule
        .into_iter()
        .flat_map(|schedule| &schedule.convergence_events)
        .filter(|event| event.contains(chapter))
        .flat_map(|event| &event.involved_storylines);
    let dormant =
        |line: &Slug| schedule.is_some_and(|schedule| schedule.dormant_storylines.contains(line));
    let mut neighbours: Vec<&Slug> = Vec::new();
    for line in next.chain(meeting) {
        if line != current && !dormant(line) && !neighbours.contains(&line) {
            neighbours.push(line);
        }
    }
    let existing = |line: &Slug| -> Result<Option<RelPath>, ContextError> {
        let path = layout::memory(line);
        Ok(reader.text(&path)?.map(|_| path))
    };
    let mut memories = Memories {
        current: existing(current)?,
        adjacent: Vec::new(),
    };
    for line in neighbours {
        memories.adjacent.extend(existing(line)?);
    }
    Ok(memories)
}
