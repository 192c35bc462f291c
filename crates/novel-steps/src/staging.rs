//! Which files in staging belong to a chapter.

use novel_model::{BookReader, ChapterNo, ReadError, RelPath, layout};

/// Staged artefacts that describe or judge a text; they go when the text changes.
pub fn descriptions(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Vec<RelPath>, ReadError> {
    let mut paths = vec![
        layout::staged_summary(chapter),
        layout::staged_delta(chapter),
        layout::staged_crossref(chapter),
        layout::staged_claims(chapter),
        layout::staged_evaluation(chapter),
        layout::staged_primary_evaluation(chapter),
    ];
    paths.extend(staged_memories(reader)?);
    Ok(paths)
}

/// Everything in staging that belongs to a chapter.
pub fn everything(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Vec<RelPath>, ReadError> {
    let mut paths = descriptions(reader, chapter)?;
    paths.extend([
        layout::staged_chapter(chapter),
        layout::staged_draft(chapter),
        layout::staged_refined(chapter),
        layout::staged_hints(chapter),
        layout::staged_bindings(chapter),
        layout::staged_note(chapter),
    ]);
    let drafts = layout::staged_drafts_dir();
    let others = format!("chapter-{chapter}-draft-");
    for name in reader.list(&drafts)? {
        if name.starts_with(&others) {
            paths.extend(drafts.join(&name).ok());
        }
    }
    let notes = layout::notes_dir();
    let of_scenes = format!("chapter-{chapter}-scene-");
    for name in reader.list(&notes)? {
        if name.starts_with(&of_scenes) {
            paths.extend(notes.join(&name).ok());
        }
    }
    let scenes = layout::staged_scenes_dir(chapter);
    for name in reader.list(&scenes)? {
        paths.extend(scenes.join(&name).ok());
    }
    let manifests = layout::manifests_dir();
    let prefix = format!("chapter-{chapter}-");
    for name in reader.list(&manifests)? {
        if name.starts_with(&prefix) {
            paths.extend(manifests.join(&name).ok());
        }
    }
    Ok(paths)
}

/// One chapter is in flight at a time, so every staged memory is its.
fn staged_memories(reader: &dyn BookReader) -> Result<Vec<RelPath>, ReadError> {
    let mut paths = Vec::new();
    for name in reader.list(&layout::staged_storylines_dir())? {
        if let Ok(storyline) = name.parse() {
            paths.push(layout::staged_memory(&storyline));
        }
    }
    Ok(paths)
}
