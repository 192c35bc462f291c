//! Answers that were used are put together and compressed.
//!
//! It happens in the transaction that uses them, so an answer in a file of its own is one that nothing
//! came of yet: after a crash the same command finds it and asks nobody, and a wish for another answer
//! does not find the used ones.

use std::collections::BTreeMap;

use novel_book::edit::Changes;
use novel_model::{BookReader, ChapterNo, ChapterStage, RelPath, StepId, files::StageLog, layout};
use novel_store::{StoreError, compressed};

use super::entry::{self, Entry, Place, Recorded};

use crate::BookError;

/// The stages whose answers make a chapter.
const WRITING: [ChapterStage; 4] = [
    ChapterStage::Draft,
    ChapterStage::Summarize,
    ChapterStage::Refine,
    ChapterStage::Judge,
];

/// Puts the answers of some calls away.
pub(crate) fn calls(
    reader: &dyn BookReader,
    step: StepId,
    calls: &[StageLog],
) -> Result<Changes, BookError> {
    put_away(reader, [step], |call| is_among(call, calls))
}

/// Puts the answers of some calls for a chapter in flight away.
pub(crate) fn calls_of_chapter(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    calls: &[StageLog],
) -> Result<Changes, BookError> {
    let steps = WRITING.map(|stage| StepId::Chapter(chapter, stage));
    put_away(reader, steps, |call| is_among(call, calls))
}

fn is_among(call: &Recorded, calls: &[StageLog]) -> bool {
    let mut ids = calls.iter().filter_map(|call| call.call.as_ref());
    ids.any(|id| *id == call.id)
}

/// Puts all answers of a step away.
pub(crate) fn step(reader: &dyn BookReader, step: StepId) -> Result<Changes, BookError> {
    put_away(reader, [step], |_| true)
}

/// Puts the answers away that a chapter was made of. Those of the ten chapters before it come into one
/// file, which is much smaller than ten.
pub(crate) fn chapter(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Changes, BookError> {
    let steps = WRITING.map(|stage| StepId::Chapter(chapter, stage));
    let mut changes = put_away(reader, steps, |_| true)?;
    changes.extend(together(reader, chapter)?);
    Ok(changes)
}

fn put_away(
    reader: &dyn BookReader,
    steps: impl IntoIterator<Item = StepId>,
    is_meant: impl Fn(&Recorded) -> bool,
) -> Result<Changes, BookError> {
    let mut changes = Changes::default();
    let mut lines: BTreeMap<RelPath, String> = BTreeMap::new();
    for step in steps {
        for Entry { call, place } in entry::of_step(reader, step, |_| false)? {
            if place == Place::Used || !is_meant(&call) {
                continue;
            }
            changes.remove(layout::call(step, &call.id));
            changes.remove(layout::rejected_call(step, &call.id));
            changes.remove(layout::fresh_call(step, &call.id));
            let lines = lines.entry(layout::used_calls(step)).or_default();
            lines.push_str(&serde_json::to_string(&call).map_err(StoreError::from)?);
            lines.push('\n');
        }
    }
    for (path, lines) in lines {
        let frame = compressed::compress(&path, &lines)?;
        changes.append(path, frame);
    }
    Ok(changes)
}

/// Puts the used answers of ten chapters into one file once the next ten begin.
fn together(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Changes, BookError> {
    let mut changes = Changes::default();
    let mut lines = String::new();
    let mut file = None;
    for earlier in layout::chapters_together_before(chapter) {
        let path = layout::used_calls(StepId::Chapter(earlier, ChapterStage::Draft));
        // A damaged file stays where it is: `doctor` names it, and no chapter waits for it.
        let Ok(text) = entry::used_text(reader, &path) else {
            continue;
        };
        if !text.is_empty() {
            lines.push_str(&text);
            changes.remove(path);
            file = Some(layout::used_calls_together(earlier));
        }
    }
    if let Some(file) = file {
        let frame = compressed::compress(&file, &lines)?;
        changes.append(file, frame);
    }
    Ok(changes)
}
