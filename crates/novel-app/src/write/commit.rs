//! `novel commit --chapter N`: one chapter becomes part of the book, all of it or none of it.

pub use novel_book::{
    drift::DriftAction,
    edit::{FileAction, FileEffect},
};
use novel_model::ChapterNo;
pub use novel_steps::commit::{Briefing, CommitReport, Consistency};
use novel_steps::commit::{CommitPlan, committed_report, is_committed, prepare, prepare_in_place};
pub(crate) use novel_steps::commit::{add_progress, count_progress, current_progress};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{BookError, Project, revise::rewrite, runner::ledger::put_away};

/// Whether to write or only to say what would be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitMode {
    /// Write.
    Apply,
    /// Print the plan.
    DryRun,
}

/// Commits a chapter. Committing it again changes nothing.
///
/// # Errors
/// When the chapter is not ready, a gate stops it, or the files cannot be written; the project is
/// unchanged then.
pub fn commit(
    project: &Project,
    chapter: ChapterNo,
    mode: CommitMode,
) -> Result<CommitReport, BookError> {
    match mode {
        CommitMode::DryRun => project.look_at_work(|view| {
            if is_committed(view, chapter) {
                return Ok(committed_report(view, chapter)?);
            }
            Ok(prepare(view, chapter)?.report)
        }),
        CommitMode::Apply => {
            let writer = project.store().acquire(Some(chapter))?;
            write_commit(project, &writer, chapter)
        }
    }
}

/// Writes the commit of a chapter as one transaction of `writer`.
pub(crate) fn write_commit(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
) -> Result<CommitReport, BookError> {
    let reader = project.at_work(writer)?;
    let view = project.view(&reader)?;
    if is_committed(&view, chapter) {
        return Ok(committed_report(&view, chapter)?);
    }
    let in_place = view.checkpoint.get().is_during_rewrite();
    let CommitPlan {
        mut changes,
        report,
    } = if in_place {
        prepare_in_place(&view, reader.files(), chapter)?
    } else {
        prepare(&view, chapter)?
    };
    changes.extend(put_away::chapter(&reader, chapter)?);
    if in_place {
        let own = crate::read_checkpoint(reader.files())?;
        rewrite::write(project, writer, own.get(), chapter, changes)?;
    } else {
        project.write(writer, label(chapter), changes)?;
    }
    Ok(report)
}

/// The operation that writes a chapter.
pub(crate) fn label(chapter: ChapterNo) -> TxnLabel {
    TxnLabel::new(TxnKind::Commit { chapter }, format!("chapter-{chapter}"))
}
