//! `novel regen N`: a chapter is taken out of the book and written anew, in one operation. What goes
//! is in `archive/`.

use novel_book::{operations::OperationLog, run::Goal};
use novel_model::{ChapterNo, Failure, files::OrchestratorState, layout, to_json_text};
use novel_steps::volumes::Volumes;
use novel_steps::{commit::count_progress, stamp_checkpoint};
use novel_store::{TxnKind, TxnLabel};

use crate::{
    Project, history,
    revise::revision::RewriteRefused,
    revise::rewrite,
    write::run::{FromError, RunReport, Runner},
};

/// What happens to chapters after the one that is written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Later {
    /// There may be none.
    Refuse,
    /// They go to `archive/` first.
    TakeAway,
}

/// Writes a chapter of the book anew.
///
/// # Errors
/// When an earlier chapter waits for the author, later chapters would be lost without asking, or the
/// writing stops; the old chapter is in `archive/` then, and `novel undo` brings it back.
pub fn regen(runner: &Runner<'_>, chapter: ChapterNo, later: Later) -> Result<RunReport, Failure> {
    take_away(runner.project, chapter, later)?;
    runner.run(Goal::Until(chapter), FromError::Retry)
}

/// Takes the chapter, and those after it, out of the book; the plan of its volume stays.
fn take_away(project: &Project, chapter: ChapterNo, later: Later) -> Result<(), Failure> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    let checkpoint = &view.checkpoint;
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
    let target = format!("chapter-{chapter}");
    let whole = TxnLabel::new(TxnKind::Regen { chapter }, target);
    writer.operation(whole, Some(history::staged(&reader, chapter)?))?;
    let kind = TxnKind::Rollback { last };
    let label = TxnLabel::new(kind, format!("to-{last:03}"));
    project.write(&writer, label, changes)?;
    Ok(())
}
