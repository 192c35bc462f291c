//! `novel commit --volume V`: the staged plan of a volume enters the book.

use novel_model::{StepId, VolumeNo, VolumeStage};
pub use novel_steps::volume::VolumeCommitReport;
use novel_steps::volume::prepare;
pub(crate) use novel_steps::volume::{check_plan, parts, span};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{BookError, Project, runner::ledger::put_away, write::commit::CommitMode};

/// Moves the staged plan of a volume into the book.
///
/// # Errors
/// When it is not the next thing to do, or the plan is not sound; nothing is written then.
pub fn commit_volume(
    project: &Project,
    volume: VolumeNo,
    mode: CommitMode,
) -> Result<VolumeCommitReport, BookError> {
    match mode {
        CommitMode::DryRun => project.look(|view| Ok(prepare(view, volume)?.1)),
        CommitMode::Apply => {
            let writer = project.store().acquire(None)?;
            write_commit(project, &writer, volume)
        }
    }
}

/// Writes the plan of a volume into the book as one transaction of `writer`.
pub(crate) fn write_commit(
    project: &Project,
    writer: &Writer,
    volume: VolumeNo,
) -> Result<VolumeCommitReport, BookError> {
    let reader = writer.reader()?;
    let (mut changes, report) = prepare(&project.view(&reader)?, volume)?;
    let plan = StepId::Volume(volume, VolumeStage::Plan);
    changes.extend(put_away::step(&reader, plan)?);
    project.write(writer, label(volume), changes)?;
    Ok(report)
}

/// The operation that brings the plan of a volume into the book.
pub(crate) fn label(volume: VolumeNo) -> TxnLabel {
    TxnLabel::new(TxnKind::CommitVolume { volume }, format!("vol-{volume}"))
}

/// The operation that plans a volume, and the transaction that completes it.
pub(crate) fn plan_label(volume: VolumeNo) -> TxnLabel {
    TxnLabel::new(TxnKind::Plan { volume }, format!("vol-{volume}"))
}
