//! `novel rewrite N`: a chapter of the book is written anew in its place.
//!
//! The agents see the book as it stood right before the chapter; the chapter goes through all stages,
//! the gate and the reviews; later chapters stay. The checkpoint says what is under way, and the old
//! text stays the book's until the new one is committed: interrupted at any moment, the same call goes
//! on, and `novel undo` drops what was begun.

use novel_book::{
    edit::{Changes, Edit},
    manuscript,
    run::{Goal, Stop},
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, StepId, Warning, layout, message,
};
use novel_prompt::packet::{self, Request};
use novel_steps::{commit::committed_report, staging, stamp_checkpoint, volumes::Volumes};
use novel_store::{StoreError, TxnKind, TxnLabel, Writer};

use crate::{
    Project, history,
    revise::{revision::RewriteRefused, rewrite},
    runner::{Runner, Spent, UnderLock, ledger::is_told_nobody},
    work::rewritten,
    write::run::{FromError, RunError, RunReport, finished},
};

/// Writes a chapter of the book anew in its place, as the author's note says.
///
/// # Errors
/// When the book has no such chapter, an earlier one waits for the author, another one is being
/// written, or the writing stops; the old text stands then.
pub fn write_anew(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    note: Option<&str>,
) -> Result<UnderLock<RunReport>, RunError> {
    runner.check_prices()?;
    let project = runner.project;
    let lock = project.store().acquire(Some(chapter))?;
    let checkpoint = crate::read_checkpoint(&lock.reader()?)?;
    let replaced = replaced_edit(&lock, chapter)?;
    let mut report = match rewritten(checkpoint.get()) {
        Some(other) if other != chapter => {
            return Err(RewriteRefused::UnderWay { chapter: other }.into());
        }
        Some(_) => {
            if is_new_note(&lock, chapter, note)? {
                begin(project, &lock, chapter, note)?;
            }
            run(runner, &lock, chapter)?
        }
        None if is_told_nobody(&lock, &label(chapter))? => written_before(project, &lock, chapter)?,
        None => {
            begin(project, &lock, chapter, note)?;
            run(runner, &lock, chapter)?
        }
    };
    report.warnings.extend(replaced);
    Ok(UnderLock { report, lock })
}

/// A hand edit that was not adopted stands beside the old text and goes with it: the author is told how to
/// have it back.
pub(super) fn replaced_edit(
    writer: &Writer,
    chapter: ChapterNo,
) -> Result<Option<Warning>, RunError> {
    let edited = manuscript::has_edit(&writer.reader()?, chapter)?;
    let n = chapter.get();
    Ok(edited.then(|| {
        Warning::new(
            "hand_edit_replaced",
            message!(
                en: "the Markdown of chapter {n} had a hand edit that was not adopted; the new text replaced it, and `novel undo` restores the edit",
                zh: "第 {n} 章的 Markdown 有未采纳的手工改动，已被新稿取代；`novel undo` 可以找回"
            ),
        )
    }))
}

/// The operation, from the first line of the checkpoint to the commit.
pub(crate) fn label(chapter: ChapterNo) -> TxnLabel {
    TxnLabel::new(TxnKind::InPlace { chapter }, format!("chapter-{chapter}"))
}

fn run(runner: &Runner<'_>, writer: &Writer, chapter: ChapterNo) -> Result<RunReport, RunError> {
    runner.run_holding(writer, Goal::Until(chapter), FromError::Retry)
}

/// Whether the author says something else than what the chapter is being written for.
fn is_new_note(writer: &Writer, chapter: ChapterNo, note: Option<&str>) -> Result<bool, RunError> {
    let staged = writer.reader()?.text(&layout::staged_note(chapter))?;
    Ok(note.is_some_and(|note| staged.as_deref() != Some(note_text(note).as_str())))
}

/// The report of a call that died after it wrote the chapter, before it could tell.
pub(super) fn written_before(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
) -> Result<RunReport, RunError> {
    let reader = writer.reader()?;
    let found = committed_report(&project.view(&reader)?, chapter)?;
    Ok(RunReport {
        finished: vec![finished(&found)],
        steps: Vec::new(),
        stop: Stop::GoalReached,
        spent: Spent::default(),
        later: Vec::new(),
        candidates: Vec::new(),
        warnings: Vec::new(),
    })
}

/// The checkpoint says that the chapter is being written anew, before anyone is called for it.
fn begin(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
    note: Option<&str>,
) -> Result<(), RunError> {
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    project.check_walls(&reader, [chapter])?;
    rewrite::committed(&reader, view.checkpoint.get(), chapter)?;
    if let Some(chapter) = view.checkpoint.get().inflight_chapter {
        return Err(RewriteRefused::InFlight { chapter }.into());
    }
    let mut changes = Changes::default();
    for path in staging::everything(&reader, chapter)? {
        changes.remove(path);
    }
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| checkpoint.begin_rewrite(chapter));
    stamp_checkpoint(project.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    put_note(writer, chapter, note, &mut changes);
    expect_prompt(project, writer, &checkpoint, chapter, &changes)?;
    let guard = writer.guard();
    guard
        .name_last_operation(writer.last_operation()?)
        .map_err(StoreError::from)?;
    let label = label(chapter);
    let target = label.target.clone();
    writer.operation(label, Some(history::staged(&reader, chapter)?))?;
    project.write(writer, TxnLabel::new(TxnKind::Checkpoint, target), changes)?;
    Ok(())
}

/// What the writer needs must be there before the book says that it is written.
fn expect_prompt(
    project: &Project,
    writer: &Writer,
    checkpoint: &Document<novel_model::files::Checkpoint>,
    chapter: ChapterNo,
    changes: &Changes,
) -> Result<(), RunError> {
    let reader = writer.reader()?;
    let (volume, _) = Volumes::load(&reader, checkpoint.get().current_volume)?.of(chapter.get());
    let mut past = history::moment_before(project, &reader, checkpoint, chapter, volume)?;
    past.extend(changes.clone());
    let book = Edit::with(&reader, past);
    let moment = checkpoint.get().during_rewrite(volume);
    packet::build(
        project.files(&book, &moment),
        Request::new(StepId::Chapter(chapter, ChapterStage::Draft)),
    )?;
    Ok(())
}

/// Keeps what the author asks for with the chapter that is being begun, and with the operation.
pub(crate) fn put_note(
    writer: &Writer,
    chapter: ChapterNo,
    note: Option<&str>,
    changes: &mut Changes,
) {
    if let Some(note) = note {
        changes.write(layout::staged_note(chapter), note_text(note));
        writer.record_note(note.trim());
    }
}

/// A note as a file.
pub(crate) fn note_text(note: &str) -> String {
    format!("{}\n", note.trim())
}
