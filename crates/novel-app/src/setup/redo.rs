//! The author's word on set-up and plans: do a part again, with a note, or plan anew.
//!
//! A note is for that one time: the step that is done again is told of it, and it is kept in
//! `logs/notes.jsonl`. The brief stays as the author wrote it.

use novel_book::{edit::Changes, operations::OperationLog};
use novel_contract::setup as contract;
use novel_model::{
    BookReader, ChapterNo, Document, ErrorTable, Kind, Lang, QuickstartPhase, RelPath, Row, StepId,
    VolumeNo, VolumeStage,
    files::{Checkpoint, NewCharacters, OrchestratorState},
    layout, message,
};
use novel_steps::quickstart;
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_story::plan;
use novel_text::parse_outline;
use serde_json::json;

use crate::{
    Book, BookError, Project, Refusal,
    error::use_case_error,
    history,
    revise::revision::RewriteRefused,
    work::rewritten,
    write::advance::{self, stamp_checkpoint},
    write::anew::note_text,
    write::volume,
};

/// What the author's word led to.
#[derive(Debug)]
pub struct DirectionReport {
    /// What comes next.
    pub next: StepId,
    /// The new checkpoint.
    pub checkpoint: Document<Checkpoint>,
}

impl DirectionReport {
    fn unchanged(next: StepId, view: &Book<'_>) -> Self {
        let checkpoint = view.checkpoint.clone();
        Self { next, checkpoint }
    }
}

/// The author accepts the trial chapters; the first volume is planned next.
///
/// # Errors
/// When they are not written yet.
pub fn accept_trial(project: &Project) -> Result<DirectionReport, BookError> {
    let step = StepId::Quickstart(QuickstartPhase::Results);
    // There must be something to accept: a trial that is to be written again is not a trial.
    project.look(|view| {
        let next = view.next()?.step;
        if next == step {
            Ok(())
        } else {
            Err(BookError::from(Refusal::NotNow { asked: step, next }))
        }
    })?;
    let checkpoint = advance::advance(project, step)?.checkpoint;
    Ok(DirectionReport {
        next: StepId::Volume(checkpoint.get().current_volume, VolumeStage::Plan),
        checkpoint,
    })
}

/// A part of the set-up is done again. What it made goes to `archive/`, and so do the trial
/// chapters, which were written from it.
///
/// # Errors
/// When the book is no longer being set up.
pub fn redo_quickstart(
    project: &Project,
    phase: QuickstartPhase,
    note: Option<&str>,
) -> Result<DirectionReport, BookError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let old = view.checkpoint.get();
    let set_up = matches!(
        old.working_state(),
        OrchestratorState::Init | OrchestratorState::QuickStart
    ) || old.trial_until.is_some();
    let step = StepId::Quickstart(phase);
    if !set_up {
        return Err(Refusal::NotNow {
            asked: step,
            next: view.next()?.step,
        }
        .into());
    }
    if is_asked_already(&writer, &view, step, note)? {
        return Ok(DirectionReport::unchanged(step, &view));
    }
    let volume = old.current_volume;
    let mut changes = if old.trial_until.is_some() {
        let mut changes = history::rolled_back(project, &reader, &view.checkpoint, 0)?;
        remove_trial_plan(&reader, volume, &mut changes)?;
        changes
    } else {
        Changes::default()
    };
    // A plan that was made from what is made again goes with it.
    let plan = quickstart::made(QuickstartPhase::Trial, volume);
    for part in &plan {
        remove_all(&reader, &layout::staged(part), &mut changes)?;
    }
    for part in quickstart::made(phase, volume) {
        remove_all(&reader, &layout::staged(&part), &mut changes)?;
        // The cast is only noted in the storylines, which the world made; a style has a template.
        let shared = phase == QuickstartPhase::Characters && part == layout::storylines();
        if !shared && phase != QuickstartPhase::Style {
            remove_all(&reader, &part, &mut changes)?;
        }
    }
    if phase == QuickstartPhase::Style {
        blank_style(project, &mut changes);
    }
    write_note(project, &writer, &view, step, note, &mut changes)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.last_completed_chapter = 0;
        checkpoint.pipeline_stage = None;
        checkpoint.inflight_chapter = None;
        checkpoint.revision_count = 0;
        checkpoint.trial_until = None;
        checkpoint.go_to(OrchestratorState::QuickStart);
    });
    finish(project, &writer, step, changes, checkpoint)
}

/// Removes the plan of the trial and the people it brought.
fn remove_trial_plan(
    reader: &dyn BookReader,
    volume: VolumeNo,
    changes: &mut Changes,
) -> Result<(), BookError> {
    let brought = Document::<NewCharacters>::load(reader, &layout::new_characters(volume))?;
    let people = brought.map(|brought| brought.into_value().characters);
    for person in people.unwrap_or_default() {
        for path in [
            layout::character(&person.id),
            layout::character_profile(&person.id),
        ] {
            if reader.exists(&path)? {
                changes.remove(path);
            }
        }
    }
    remove_all(reader, &layout::volume_dir(volume), changes)
}

/// The plan of the current volume is made again. The staged one goes to `archive/`.
///
/// # Errors
/// When no volume is being planned.
pub fn redo_plan(project: &Project, note: Option<&str>) -> Result<DirectionReport, BookError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let number = view.checkpoint.get().current_volume;
    let step = StepId::Volume(number, VolumeStage::Plan);
    if view.checkpoint.get().working_state() != OrchestratorState::VolPlanning {
        return Err(Refusal::NotNow {
            asked: step,
            next: view.next()?.step,
        }
        .into());
    }
    view.check_step_not_blocked(step)?;
    if is_asked_already(&writer, &view, step, note)? {
        return Ok(DirectionReport::unchanged(step, &view));
    }
    end_given_up(project, &writer, step)?;
    let mut changes = Changes::default();
    for part in volume::parts(number) {
        remove_all(&reader, &layout::staged(&part), &mut changes)?;
    }
    write_note(project, &writer, &view, step, note, &mut changes)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| checkpoint.go_to(OrchestratorState::VolPlanning));
    finish(project, &writer, step, changes, checkpoint)
}

/// Whether a call that died asked for the same, and what it asked for is still to come. Its answers
/// are used then: asking once more would have them paid for twice. One that the author stopped left
/// no lock behind: what it made may be what the author wants anew.
fn is_asked_already(
    writer: &Writer,
    view: &Book<'_>,
    step: StepId,
    note: Option<&str>,
) -> Result<bool, BookError> {
    let failed = view.checkpoint.get().orchestrator_state == OrchestratorState::ErrorRetry;
    if writer.taken_over().is_none() || failed {
        return Ok(false);
    }
    let log = OperationLog::read(view.reader())?;
    let before_the_work = log.standing().into_iter().rev().find(|operation| {
        !matches!(
            operation.kind,
            TxnKind::Advance | TxnKind::Submit | TxnKind::Lifecycle | TxnKind::Commit { .. }
        )
    });
    let is_same = before_the_work.is_some_and(|found| {
        let is_again = found.kind == TxnKind::Again { step };
        is_again && found.note() == wanted(note)
    });
    if !is_same {
        return Ok(false);
    }
    Ok(match view.next()?.step {
        StepId::Quickstart(QuickstartPhase::Results) => false,
        // The people a plan brings are asked for once the plan is whole.
        StepId::Volume(volume, VolumeStage::Commit) => plan::is_unwoven(view.reader(), volume)?,
        _ => true,
    })
}

/// Keeps what the author asks of the plan that is about to be made.
///
/// # Errors
/// When no plan is to be made.
pub fn note_plan(project: &Project, note: &str) -> Result<(), BookError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let step = StepId::Volume(view.checkpoint.get().current_volume, VolumeStage::Plan);
    let next = view.next()?.step;
    if next != step {
        return Err(Refusal::NotNow { asked: step, next }.into());
    }
    let staged = reader.text(&layout::author_note(step))?;
    if staged.as_deref() == Some(note_text(note).as_str()) {
        return Ok(());
    }
    let mut changes = Changes::default();
    write_note(project, &writer, &view, step, Some(note), &mut changes)?;
    write_again(project, &writer, step, changes)
}

/// Why the rest of a volume is not planned anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReplanned {
    /// The chapter is written, or not a chapter of the current volume.
    #[error("chapter {from} is not an unwritten chapter of the volume")]
    NotUnwritten {
        /// Chapter given with `--from`.
        from: ChapterNo,
        /// The first one that may be planned anew.
        first: ChapterNo,
        /// The last one of the volume.
        last: ChapterNo,
    },
    /// The volume has no plan yet.
    #[error("the volume has no plan")]
    NoPlan,
}

impl ErrorTable for NotReplanned {
    fn row(&self) -> Row<'_> {
        let row = |message| Row::new(Kind::Input, "NOTHING_TO_REPLAN", message);
        match self {
            Self::NotUnwritten { from, first, last } => {
                let (from, first, last) = (from.get(), first.get(), last.get());
                row(message!(
                    en: "chapter {from} cannot be replanned; the unwritten chapters of this volume are {first} to {last}",
                    zh: "第 {from} 章不能重新规划；本卷尚未写的是第 {first} 至 {last} 章"
                ))
                .hint(message!(
                    en: "`novel plan revise --from {first}` replans everything not yet written; \
                        change a written chapter with `novel rewrite N`",
                    zh: "`novel plan revise --from {first}` 重新规划全部未写部分；已写的章用 `novel rewrite N` 修改"
                ))
            }
            Self::NoPlan => row(message!(
                en: "no plan of a volume is in effect, so there is nothing to revise",
                zh: "当前没有生效的卷规划，无可修订"
            ))
            .hint(message!(
                en: "`novel start` shows what comes next", zh: "用 `novel start` 查看下一步"
            )),
        }
    }
}

use_case_error! {
    /// Why the rest of a volume is not planned anew.
    pub enum ReplanError {
        /// The book cannot be read or written, or a chapter waits.
        Book(BookError),
        /// A chapter is being written.
        Rewrite(RewriteRefused),
        /// There is nothing to plan anew.
        Refused(NotReplanned),
    }
}

/// Has the unwritten rest of the current volume planned anew, from the book as it is. Written chapters
/// stay, and so does the plan of the chapters before `from`.
///
/// # Errors
/// When `from` is not an unwritten chapter of the volume, it is being written, or a chapter waits for
/// the author.
pub fn revise_plan(
    project: &Project,
    from: ChapterNo,
    note: Option<&str>,
) -> Result<DirectionReport, ReplanError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let old = view.checkpoint.get();
    let number = old.current_volume;
    let step = StepId::Volume(number, VolumeStage::Plan);
    let again =
        old.working_state() == OrchestratorState::VolPlanning && old.plan_from == Some(from);
    let writing = matches!(
        old.working_state(),
        OrchestratorState::Writing | OrchestratorState::ChapterRewrite
    );
    if let Some(chapter) = rewritten(old) {
        return Err(RewriteRefused::UnderWay { chapter }.into());
    }
    let bounds = view.volume_bounds()?;
    let Some(bounds) = bounds.filter(|_| (writing || again) && old.trial_until.is_none()) else {
        return Err(NotReplanned::NoPlan.into());
    };
    let first = old
        .inflight_chapter
        .map_or(old.next_chapter(), ChapterNo::next);
    if from < first || from > bounds.last {
        if old.inflight_chapter == Some(from) {
            return Err(RewriteRefused::InFlight { chapter: from }.into());
        }
        return Err(NotReplanned::NotUnwritten {
            from,
            first,
            last: bounds.last,
        }
        .into());
    }
    view.check_step_not_blocked(step)?;
    if again && is_asked_already(&writer, &view, step, note)? {
        return Ok(DirectionReport::unchanged(step, &view));
    }
    end_given_up(project, &writer, step)?;
    let mut changes = Changes::default();
    for part in volume::parts(number) {
        remove_all(&reader, &layout::staged(&part), &mut changes)?;
    }
    write_note(project, &writer, &view, step, note, &mut changes)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::VolPlanning);
        checkpoint.plan_from = Some(from);
    });
    Ok(finish(project, &writer, step, changes, checkpoint)?)
}

/// A book that is being written without an outline, or without the block or the contract of the chapter
/// that is due, is planned again; `false` when it has them.
///
/// # Errors
/// When the checkpoint cannot be read or written.
pub fn reopen_planning(project: &Project) -> Result<bool, BookError> {
    if !project.look(lacks_outline)? {
        return Ok(false);
    }
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    if !lacks_outline(&view)? {
        return Ok(false);
    }
    let step = StepId::Volume(view.checkpoint.get().current_volume, VolumeStage::Plan);
    view.check_step_not_blocked(step)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| checkpoint.go_to(OrchestratorState::VolPlanning));
    finish(project, &writer, step, Changes::default(), checkpoint)?;
    Ok(true)
}

/// Whether a chapter is to be begun although the current volume has no outline, or nothing of that
/// chapter in it, or no contract for it.
pub(crate) fn lacks_outline(view: &Book<'_>) -> Result<bool, BookError> {
    let checkpoint = view.checkpoint.get();
    let writing = matches!(
        checkpoint.working_state(),
        OrchestratorState::Writing | OrchestratorState::ChapterRewrite
    );
    if !writing || checkpoint.inflight_chapter.is_some() || checkpoint.trial_until.is_some() {
        return Ok(false);
    }
    let (volume, chapter) = (checkpoint.current_volume, checkpoint.next_chapter());
    let Some(outline) = view.reader().text(&layout::outline(volume))? else {
        return Ok(true);
    };
    let planned = parse_outline(&outline);
    // After its last chapter a volume is reviewed, and the next one planned.
    let is_over = planned
        .bounds()
        .is_some_and(|(_, last)| last < chapter.get());
    let lacks = planned.block(chapter.get()).is_none()
        || !view.reader().exists(&layout::contract(volume, chapter))?;
    Ok(lacks && !is_over)
}

fn finish(
    project: &Project,
    writer: &Writer,
    step: StepId,
    mut changes: Changes,
    mut checkpoint: Document<Checkpoint>,
) -> Result<DirectionReport, BookError> {
    stamp_checkpoint(project.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    write_again(project, writer, step, changes)?;
    Ok(DirectionReport {
        next: step,
        checkpoint,
    })
}

fn again_label(step: StepId) -> TxnLabel {
    let target = match step {
        StepId::Volume(volume, _) => format!("vol-{volume}"),
        step => format!("redo-{step}"),
    };
    TxnLabel::new(TxnKind::Again { step }, target)
}

/// Writes what a wish for another result changes. A plan that is made again is one operation with it, so
/// that one stays open until the plan is whole.
fn write_again(
    project: &Project,
    writer: &Writer,
    step: StepId,
    changes: Changes,
) -> Result<(), BookError> {
    let label = again_label(step);
    if !matches!(step, StepId::Volume(..)) {
        project.write(writer, label, changes)?;
        return Ok(());
    }
    let begun = TxnLabel::new(TxnKind::Checkpoint, label.target.clone());
    writer.operation(label, None)?;
    project.write(writer, begun, changes)?;
    Ok(())
}

/// Ends a plan that was asked for in the same way and given up, so that its answers are not taken for
/// those of the plan that is wanted now.
fn end_given_up(project: &Project, writer: &Writer, step: StepId) -> Result<(), BookError> {
    let label = again_label(step);
    if writer.open_operation()?.as_ref() == Some(&label) {
        writer.operation(label, None)?;
        writer.finish_operation(project.now())?;
    }
    Ok(())
}

/// Puts the template of a style profile back, so that the style is worked out again.
fn blank_style(project: &Project, changes: &mut Changes) {
    let path = layout::style_profile();
    for (template, text) in crate::setup::init::templates(project.config().lang()) {
        if template == path {
            changes.write(template, text);
        }
    }
}

/// All files at or below a path.
pub(super) fn remove_all(
    reader: &dyn BookReader,
    path: &RelPath,
    changes: &mut Changes,
) -> Result<(), BookError> {
    match reader.read(path) {
        Ok(Some(_)) => changes.remove(path.clone()),
        Ok(None) => {}
        Err(novel_model::ReadError::NotAFile { .. }) => {
            for name in reader.list(path)? {
                remove_all(reader, &path.join(&name)?, changes)?;
            }
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// A note that says something.
fn wanted(note: Option<&str>) -> Option<&str> {
    note.map(str::trim).filter(|note| !note.is_empty())
}

fn write_note(
    project: &Project,
    writer: &Writer,
    view: &Book<'_>,
    step: StepId,
    note: Option<&str>,
    changes: &mut Changes,
) -> Result<(), BookError> {
    let path = layout::author_note(step);
    let Some(note) = wanted(note) else {
        // What was wanted the time before is not wanted again.
        if view.reader().exists(&path)? {
            changes.remove(path);
        }
        return Ok(());
    };
    writer.record_note(note);
    changes.write(path, format!("{note}\n"));
    let log = layout::notes();
    let kept = view.reader().text(&log)?.unwrap_or_default();
    let line = json!({"at": project.now(), "step": step.to_string(), "note": note});
    changes.write(log, format!("{kept}{line}\n"));
    Ok(())
}

/// A staged plan, for the author to look at.
#[derive(Debug)]
pub struct PlanReport {
    /// The volume.
    pub volume: VolumeNo,
    /// The staged outline.
    pub outline: String,
    /// The staged files.
    pub files: Vec<RelPath>,
    /// What the checks say.
    pub findings: novel_book::validate::Findings,
}

/// The staged plan of the current volume.
///
/// # Errors
/// When none is staged.
pub fn show_plan(project: &Project) -> Result<PlanReport, BookError> {
    project.look(|view| {
        let number = view.checkpoint.get().current_volume;
        let outline = view
            .reader()
            .text(&layout::staged(&layout::outline(number)))?;
        let Some(outline) = outline else {
            return Err(Refusal::NoPlan { volume: number }.into());
        };
        let span = volume::span(view, number)?;
        let check = volume::check_plan(project.config(), view.reader(), number, &span)?;
        Ok(PlanReport {
            volume: number,
            outline,
            files: check.files.keys().map(layout::staged).collect(),
            findings: check.findings,
        })
    })
}

impl DirectionReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::DirectionAnswer {
        contract::DirectionAnswer {
            next: self.next.to_string(),
            checkpoint: self.checkpoint.raw().clone(),
            warnings: Vec::new(),
        }
    }
}

impl PlanReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::PlanAnswer {
        let problem = |problem| novel_contract::Problem::new(problem, lang);
        contract::PlanAnswer {
            volume: self.volume,
            outline: self.outline.clone(),
            files: self.files.iter().map(RelPath::to_string).collect(),
            problems: self.findings.problems.iter().map(problem).collect(),
            warnings: novel_contract::warnings(&self.findings.warnings, lang),
        }
    }
}
