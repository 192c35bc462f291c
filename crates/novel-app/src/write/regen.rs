//! `novel regen N`: a chapter is taken out of the book and written anew, in one operation. What goes
//! is in `archive/`.

use novel_book::{operations::OperationLog, run::Goal};
use novel_model::{ChapterNo, RelPath, files::OrchestratorState, layout, to_json_text};
use novel_steps::volumes::Volumes;
use novel_steps::{commit::count_progress, stamp_checkpoint};
use novel_store::{StoreError, TxnKind, TxnLabel, Writer};

use crate::{
    BookError, Project, history,
    revise::revision::RewriteRefused,
    revise::rewrite,
    runner::{Runner, UnderLock},
    work::rewritten,
    write::anew,
    write::run::{FromError, RunError, RunReport},
};

/// What happens to chapters after the one that is written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Later {
    /// There may be none.
    Refuse,
    /// They go to `archive/` first.
    TakeAway,
}

/// Writes a chapter of the book anew. Interrupted at any moment, the same call goes on.
///
/// # Errors
/// When an earlier chapter waits for the author, later chapters would be lost without asking, or the
/// writing stops; the old chapter is in `archive/` then, and `novel undo` brings it back.
pub fn regen(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    later: Later,
    note: Option<&str>,
) -> Result<UnderLock<RunReport>, RunError> {
    runner.check_prices()?;
    let project = runner.project;
    // Where an older chapter waits for its revision, writing it anew takes no later one away.
    if later == Later::Refuse && is_older_and_pending(project, chapter)? {
        return anew::write_anew(runner, chapter, note);
    }
    let lock = project.store().acquire(Some(chapter))?;
    let report = match progress(&lock, chapter)? {
        Progress::Done => anew::written_before(project, &lock, chapter)?,
        Progress::TakenAway => run(runner, &lock, chapter)?,
        Progress::None => {
            let replaced = anew::replaced_edit(&lock, chapter)?;
            take_away(project, &lock, chapter, later, note)?;
            let mut report = run(runner, &lock, chapter)?;
            report.warnings.extend(replaced);
            report
        }
    };
    Ok(UnderLock { report, lock })
}

fn is_older_and_pending(project: &Project, chapter: ChapterNo) -> Result<bool, RunError> {
    project.look(|view| {
        let newest = view.checkpoint.get().last_completed_chapter;
        let under_way = rewritten(view.checkpoint.get()) == Some(chapter);
        let waits = view.survey()?.chapters().contains(&chapter);
        Ok(newest > chapter.get() && (waits || under_way))
    })
}

fn run(runner: &Runner<'_>, writer: &Writer, chapter: ChapterNo) -> Result<RunReport, RunError> {
    runner.run_holding(writer, Goal::Until(chapter), FromError::Retry)
}

/// How far an interrupted call came.
enum Progress {
    None,
    /// The chapter is out of the book and not written yet.
    TakenAway,
    /// It is written; only nobody was told.
    Done,
}

fn progress(writer: &Writer, chapter: ChapterNo) -> Result<Progress, BookError> {
    let label = label(chapter);
    if writer.open_operation()?.as_ref() == Some(&label) {
        return Ok(Progress::TakenAway);
    }
    let holder = writer.taken_over();
    let Some(before) = holder.and_then(|holder| holder.last_operation) else {
        return Ok(Progress::None);
    };
    let log = OperationLog::read(&writer.reader()?)?;
    let last = log.operations.last();
    let is_done = last.is_some_and(|last| last.operation > before && last.kind == label.kind);
    Ok(if is_done {
        Progress::Done
    } else {
        Progress::None
    })
}

fn label(chapter: ChapterNo) -> TxnLabel {
    TxnLabel::new(TxnKind::Regen { chapter }, format!("chapter-{chapter}"))
}

/// Takes the chapter, and those after it, out of the book; the plan of its volume stays.
fn take_away(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
    later: Later,
    note: Option<&str>,
) -> Result<(), RunError> {
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    let checkpoint = &view.checkpoint;
    if let Some(chapter) = rewritten(checkpoint.get()) {
        return Err(RewriteRefused::UnderWay { chapter }.into());
    }
    rewrite::committed(&reader, checkpoint.get(), chapter)?;
    let newest = checkpoint.get().last_completed_chapter;
    if newest > chapter.get() && later == Later::Refuse {
        return Err(RewriteRefused::NotNewest { chapter, newest }.into());
    }
    let last = chapter.get() - 1;
    let volumes = Volumes::load(&reader, checkpoint.get().current_volume)?;
    let (volume, _) = volumes.of(chapter.get());
    let mut changes = history::back_to(project, &reader, checkpoint, last)?;
    let (plan, review) = (layout::volume_dir(volume), layout::volume_review(volume));
    changes.retain(|path| !path.is_under(&plan) || *path == review);
    // Totals that the book did not have at that moment go.
    if !changes.removes(&layout::progress()) {
        changes.write(
            layout::progress(),
            to_json_text(&count_progress(&reader, last)?),
        );
    }
    let log = OperationLog::read(&reader)?;
    let past = history::Past {
        reader: &reader,
        log: &log,
    };
    let mut restored = history::checkpoint_after(project, past, checkpoint, last)?;
    restored.edit(|checkpoint| {
        checkpoint.current_volume = volume;
        checkpoint.orchestrator_state = OrchestratorState::Writing;
    });
    stamp_checkpoint(project.now(), &mut restored);
    changes.write(layout::checkpoint(), restored.to_text());
    anew::put_note(writer, chapter, note, &mut changes);
    let guard = writer.guard();
    guard
        .name_last_operation(writer.last_operation()?)
        .map_err(StoreError::from)?;
    // What lies in staging now, of this chapter or of one in flight, is not the operation's own.
    let mut staged = history::staged(&reader, chapter)?;
    let in_staging =
        |path: &&RelPath| changes.removes(path) && path.is_under(&layout::staging_dir());
    staged.extend(changes.paths().filter(in_staging).cloned());
    staged.sort();
    staged.dedup();
    writer.operation(label(chapter), Some(staged))?;
    let kind = TxnKind::Rollback { last };
    let label = TxnLabel::new(kind, format!("to-{last:03}"));
    project.write(writer, label, changes)?;
    Ok(())
}
