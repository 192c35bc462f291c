//! `novel volume review`: reports, one agent's advice, and the step to the next volume.
//!
//! The advice goes the way of every answer: ledger, `submit`, `advance` of `volume:VV:review`. The
//! reports are computed when the step is accepted, from the same files the agent was told about.

use novel_book::{
    edit::{Changes, Edit},
    validate::Rejected,
};
use novel_contract::write as contract;
use novel_model::{
    BookReader, Document, Lang, RelPath, StepId, VolumeNo, VolumeStage, Warning, files::Checkpoint,
    layout,
};
use novel_steps::volumes::Volumes;
use novel_story::report::{Facts, Finding, Report, Span, check_advice};

use crate::{
    Book, Refusal,
    runner::{AskError, Inquiry, Runner, Spent},
    write::advance::{self, AdvanceReport, Work, accept_outputs},
    write::run::strip_wrapping,
    write::submit::{self, Origin, SubmitReport},
};

/// What a review did.
#[derive(Debug)]
pub struct VolumeReviewReport {
    /// The volume.
    pub volume: VolumeNo,
    /// The review.
    pub review: RelPath,
    /// The state as it was kept.
    pub snapshot: Option<RelPath>,
    /// Where the book stands now.
    pub checkpoint: Document<Checkpoint>,
    /// What the reports found.
    pub findings: Vec<Finding>,
    /// Who advised; nobody when the advice lay in staging already.
    pub model: Option<String>,
    /// Whether the volume had been reviewed before.
    pub already_reviewed: bool,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Reviews a finished volume: the current one unless another is named. Reviewing a reviewed volume
/// changes nothing.
///
/// # Errors
/// When the review is not the next thing to do, or no usable advice came; nothing but the kept
/// answers is written then.
pub fn volume_review(
    runner: &Runner<'_>,
    volume: Option<VolumeNo>,
) -> Result<VolumeReviewReport, AskError> {
    let writer = runner.project.store().acquire(None)?;
    let _alive = writer.heartbeat();
    let mut spent = Spent::default();
    let project = runner.project;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let current = view.checkpoint.get().current_volume;
    let next = view.next()?.step;
    let volume = match (volume, next) {
        (Some(volume), _) => volume,
        // The next volume is not begun: the one that is over is meant.
        (None, StepId::Volume(_, VolumeStage::Plan)) => current.previous().unwrap_or(current),
        (None, _) => current,
    };
    let review = layout::volume_review(volume);
    let mut report = VolumeReviewReport {
        volume,
        snapshot: None,
        checkpoint: view.checkpoint.clone(),
        findings: Vec::new(),
        model: None,
        already_reviewed: false,
        spent: spent.clone(),
        warnings: Vec::new(),
        review,
    };
    if volume < current && reader.read(&report.review)?.is_some() {
        report.already_reviewed = true;
        return Ok(report);
    }
    let step = StepId::Volume(volume, VolumeStage::Review);
    view.check_step_not_blocked(step)?;
    if next != step {
        return Err(Refusal::NotNow { asked: step, next }.into());
    }
    report.findings = findings(runner, &view, volume)?;
    let staged = layout::staged_volume_review(volume);
    let there = reader.text(&staged)?;
    let sound = |text: &String| check_advice(&staged, text).problems.is_empty();
    let advanced = if there.as_ref().is_some_and(sound) {
        accept_outputs(project, &writer, step, Work::default())?
    } else {
        let inquiry = Inquiry::of_step(runner, &reader, view.checkpoint.get(), step)?;
        let consulted = runner.consult(&writer, &mut spent, &inquiry, |text, _| {
            let advice = strip_wrapping(text);
            let problems = check_advice(&staged, advice).problems;
            if problems.is_empty() {
                Ok(advice.to_owned())
            } else {
                Err(Rejected::new(step, problems).into())
            }
        })?;
        report.model = consulted
            .stages
            .last()
            .and_then(|stage| stage.model.clone());
        let origin = Origin {
            model: report.model.clone(),
            ..Origin::default()
        };
        let (mut changes, submitted, advanced) =
            acceptance(runner, &reader, step, &consulted.answer, &origin)?;
        changes.extend(consulted.put_away);
        project.write(&writer, advance::label(step), changes)?;
        report.warnings.extend(submitted.warnings);
        advanced
    };
    // What was said about the advice when it was handed in is not said again.
    let known = |warning: &Warning| report.warnings.contains(warning);
    let new: Vec<Warning> = advanced
        .warnings
        .into_iter()
        .filter(|w| !known(w))
        .collect();
    report.warnings.extend(new);
    report.checkpoint = advanced.checkpoint;
    let snapshot = layout::state_snapshot(volume);
    report.snapshot = writer.reader()?.read(&snapshot)?.map(|_| snapshot);
    report.spent = spent;
    Ok(report)
}

/// The hand-in of the advice and its acceptance as one operation: taken back, it leaves no advice
/// behind that was not there before.
fn acceptance(
    runner: &Runner<'_>,
    reader: &dyn BookReader,
    step: StepId,
    advice: &str,
    origin: &Origin,
) -> Result<(Changes, SubmitReport, AdvanceReport), AskError> {
    let project = runner.project;
    let view = project.view(reader)?;
    let (handed, submitted) = submit::hand_in(&view, step, advice.as_bytes(), origin)?;
    let mut book = Edit::with(reader, handed);
    let view = project.view(&book)?;
    let (accepted, advanced) = advance::acceptance(&view, step, Work::default())?;
    drop(view);
    book.extend(accepted);
    Ok((book.into_changes(), submitted, advanced))
}

fn findings(
    runner: &Runner<'_>,
    view: &Book<'_>,
    volume: VolumeNo,
) -> Result<Vec<Finding>, AskError> {
    let (reader, checkpoint) = (view.reader(), view.checkpoint.get());
    let volumes = Volumes::load(reader, checkpoint.current_volume)?;
    let Some(bounds) = volumes.bounds_of(volume) else {
        return Ok(Vec::new());
    };
    let span = Span::volume(volume, bounds, checkpoint.last_completed_chapter);
    let facts = Facts::gather(reader, runner.project.config(), span)?;
    Ok(Report::of(&facts).findings())
}

impl VolumeReviewReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(
        &self,
        executor: novel_book::config::ExecutorKind,
        lang: Lang,
    ) -> contract::VolumeReviewAnswer {
        let finding = |found: &Finding| found.answer(lang);
        contract::VolumeReviewAnswer {
            volume: self.volume,
            review: self.review.to_string(),
            snapshot: self.snapshot.as_ref().map(RelPath::to_string),
            checkpoint: self.checkpoint.raw().clone(),
            findings: self.findings.iter().map(finding).collect(),
            model: self.model.clone(),
            already_reviewed: self.already_reviewed,
            spent: self.spent.answer(),
            warnings: novel_contract::warnings(&self.warnings, lang),
            executor: executor.answer(),
        }
    }
}
