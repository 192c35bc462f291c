//! `novel submit STEP`: an agent's answer goes into staging, checked first.

use novel_model::{ChapterStage, StepId};
pub use novel_steps::answer::{Origin, SubmitReport};
pub(crate) use novel_steps::hand_in::{completed_summary, hand_in, planning};
use novel_steps::review::stage_word;
use novel_store::{TxnKind, TxnLabel};

use crate::{BookError, Project, revise::review::review_label};

/// Checks an answer and puts it into staging.
///
/// # Errors
/// When `step` is not the next one, or the answer is not valid; nothing is written then.
pub fn submit(
    project: &Project,
    step: StepId,
    answer: &[u8],
    origin: &Origin,
) -> Result<SubmitReport, BookError> {
    let chapter = match step {
        StepId::Chapter(chapter, _) => Some(chapter),
        StepId::Volume(..) | StepId::Quickstart(_) => None,
    };
    let writer = project.store().acquire(chapter)?;
    let reader = project.at_work(&writer)?;
    let view = project.view(&reader)?;
    let (changes, report) = hand_in(&view, step, answer, origin)?;
    project.write(&writer, label(step), changes)?;
    Ok(report)
}

/// The name of the transaction that puts the answer to a step into staging.
pub(crate) fn label(step: StepId) -> TxnLabel {
    match step {
        StepId::Chapter(chapter, stage @ (ChapterStage::Review | ChapterStage::Audit)) => {
            review_label(chapter, stage_word(stage))
        }
        _ => TxnLabel::new(TxnKind::Submit, step.to_string()),
    }
}
