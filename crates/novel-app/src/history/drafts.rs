//! Undoing in the middle of a chapter: what was done at a draft, and what came after it.

use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, FileError, RelPath, StepId, files::Bindings,
    layout,
};
use novel_store::PastOperation;

use super::changed_since;

/// The chapter whose draft an operation worked at.
fn drafted_chapter(operation: &PastOperation) -> Option<ChapterNo> {
    let rest = operation.target.strip_prefix("chapter-")?;
    let digits = rest.split('-').next()?;
    match operation.kind.as_str() {
        "scene" | "merge" | "redraft" => digits.parse().ok(),
        _ => None,
    }
}

/// Work at a draft is no longer there to be taken back when the chapter is not in flight any more,
/// and a scene when the draft was accepted: it has become part of something larger.
pub(super) fn is_passed(
    reader: &dyn BookReader,
    operation: &PastOperation,
) -> Result<bool, FileError> {
    let Some(chapter) = drafted_chapter(operation) else {
        return Ok(false);
    };
    if crate::read_checkpoint(reader)?.get().inflight_chapter != Some(chapter) {
        // A draft that was thrown away, and nothing was begun since.
        return Ok(operation.kind != "redraft" || !changed_since(reader, operation)?.is_empty());
    }
    let bindings = Document::<Bindings>::load(reader, &layout::staged_bindings(chapter))?;
    let accepted = bindings.is_some_and(|bindings| bindings.get().draft.is_some());
    Ok(operation.kind == "scene" && accepted)
}

/// Work at a chapter that came after an operation and goes to the archive with its undoing.
pub(super) struct WorkSince {
    pub(super) chapter: ChapterNo,
    /// What stays although it belongs to the chapter.
    kept: Option<RelPath>,
}

impl WorkSince {
    pub(super) fn owns(&self, path: &RelPath) -> bool {
        let calls = [
            ChapterStage::Draft,
            ChapterStage::Summarize,
            ChapterStage::Refine,
            ChapterStage::Judge,
        ]
        .map(|stage| layout::calls_of(StepId::Chapter(self.chapter, stage)));
        let kept = self.kept.as_ref().is_some_and(|dir| path.is_under(dir));
        !kept
            && (path.is_under(&layout::staging_dir())
                || calls.iter().any(|calls| path.is_under(calls)))
    }
}

/// The chapter begun after an operation, which left the book with the newest chapter it has, or gone
/// on with after its draft was merged or thrown away.
pub(super) fn work_since(
    reader: &dyn BookReader,
    operation: &PastOperation,
) -> Result<Option<WorkSince>, FileError> {
    let checkpoint = crate::read_checkpoint(reader)?;
    let checkpoint = checkpoint.get();
    let last = checkpoint.last_completed_chapter;
    let begun = match operation.kind.as_str() {
        "commit-volume" | "lifecycle" => true,
        "commit" | "import" => operation.target == format!("chapter-{last:03}"),
        "rollback" => operation.target == format!("to-{last:03}"),
        _ => false,
    };
    let drafted = matches!(operation.kind.as_str(), "merge" | "redraft");
    let scenes = |chapter| {
        let merged = operation.kind == "merge";
        merged.then(|| layout::staged_scenes_dir(chapter))
    };
    Ok(checkpoint
        .inflight_chapter
        .filter(|chapter| begun || (drafted && drafted_chapter(operation) == Some(*chapter)))
        .map(|chapter| WorkSince {
            chapter,
            kept: scenes(chapter),
        }))
}
