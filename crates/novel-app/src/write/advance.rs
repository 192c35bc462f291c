//! `novel advance STEP`: accept what lies in staging and move the checkpoint.

use novel_model::{ChapterStage, StepId, VolumeStage};
pub use novel_steps::accept::AdvanceReport;
pub(crate) use novel_steps::accept::{Work, acceptance};
pub(crate) use novel_steps::{expect_next, stamp_checkpoint};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{
    BookError, Project,
    write::{commit, submit, volume},
};

/// Accepts the outputs of the next step.
///
/// # Errors
/// When `step` is not the next one, or its outputs are not valid; nothing is written then.
pub fn advance(project: &Project, step: StepId) -> Result<AdvanceReport, BookError> {
    let chapter = match step {
        StepId::Chapter(chapter, _) => Some(chapter),
        StepId::Volume(..) | StepId::Quickstart(_) => None,
    };
    let writer = project.store().acquire(chapter)?;
    accept_outputs(project, &writer, step, Work::default())
}

/// Accepts the outputs of a step, or commits it, as one transaction of `writer`.
pub(crate) fn accept_outputs(
    project: &Project,
    writer: &Writer,
    step: StepId,
    work: Work,
) -> Result<AdvanceReport, BookError> {
    match step {
        StepId::Chapter(chapter, ChapterStage::Commit) => {
            let report = commit::write_commit(project, writer, chapter)?;
            let checkpoint = crate::read_checkpoint(&writer.reader()?)?;
            return Ok(AdvanceReport {
                checkpoint,
                gate: None,
                scored_by: None,
                warnings: report.warnings,
            });
        }
        StepId::Volume(number, VolumeStage::Commit) => {
            let report = volume::write_commit(project, writer, number)?;
            let checkpoint = crate::read_checkpoint(&writer.reader()?)?;
            return Ok(AdvanceReport {
                checkpoint,
                gate: None,
                scored_by: None,
                warnings: report.warnings,
            });
        }
        StepId::Chapter(..) | StepId::Volume(..) | StepId::Quickstart(_) => {}
    }
    let reader = project.at_work(writer)?;
    let view = project.view(&reader)?;
    let (changes, report) = acceptance(&view, step, work)?;
    project.write(writer, label(step), changes)?;
    Ok(report)
}

/// The name of the transaction that accepts the outputs of a step. What enters the book is an
/// operation that can be undone; the rest only moves the checkpoint.
pub(crate) fn label(step: StepId) -> TxnLabel {
    let kind = match step {
        StepId::Quickstart(_) | StepId::Volume(_, VolumeStage::Review) => TxnKind::Lifecycle,
        StepId::Chapter(_, ChapterStage::Review | ChapterStage::Audit) => {
            return submit::label(step);
        }
        StepId::Chapter(..) | StepId::Volume(..) => TxnKind::Advance,
    };
    TxnLabel::new(kind, step.to_string())
}
