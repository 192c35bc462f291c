//! Volumes: the staged plan, its commit, and the review at the end.

use std::collections::BTreeMap;

use novel_book::{context::VolumeBounds, validate::Findings};
use novel_contract::write as contract;
use novel_model::{
    BookReader, ChapterNo, Document, Failure, Lang, ReadError, RelPath, StepId, VolumeNo,
    VolumeStage, Warning,
    files::{Checkpoint, NewCharacters, OrchestratorState},
    layout,
};
use novel_store::{Transaction, TxnKind, TxnLabel, Writer};
use novel_story::{
    plan::{
        self, PlanSpan,
        check::{Extent, PlanOf},
    },
    report::{self, Facts, Report, Span},
};
use novel_text::parse_outline;

use crate::{
    Project, View,
    shadow::Shadow,
    write::advance::{expect_next, stamp_checkpoint},
    write::commit::{Change, Changes, CommitMode},
};

/// What the commit of a volume's plan did.
#[derive(Debug)]
pub struct VolumeCommitReport {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter.
    pub chapters: (ChapterNo, ChapterNo),
    /// The files that changed, or would.
    pub changes: Vec<Change>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A staged plan, looked over.
pub(crate) struct PlanCheck {
    pub(crate) findings: Findings,
    bounds: Option<VolumeBounds>,
    new_characters: NewCharacters,
    /// The staged files, by the path they are meant for.
    pub(crate) files: BTreeMap<RelPath, Vec<u8>>,
}

/// Whether a plan of the volume lies in staging.
pub(crate) fn is_staged(reader: &dyn BookReader, volume: VolumeNo) -> Result<bool, ReadError> {
    Ok(reader
        .read(&layout::staged(&layout::outline(volume)))?
        .is_some())
}

/// What a plan stages.
pub(crate) fn parts(volume: VolumeNo) -> Vec<RelPath> {
    vec![
        layout::volume_dir(volume),
        layout::storylines(),
        layout::relationships(),
    ]
}

/// Looks a plan over that is staged in `base`. Problems are shown at the staged files.
pub(crate) fn check_plan(
    project: &Project,
    base: &dyn BookReader,
    volume: VolumeNo,
    span: &PlanSpan,
) -> Result<PlanCheck, Failure> {
    let shadow = Shadow::new(base, parts(volume));
    let files = shadow.staged_files()?;
    let extent = if plan::is_complete(base, volume)? {
        Extent::Whole
    } else {
        Extent::Begun
    };
    let of = PlanOf {
        volume,
        volume_first: span.volume_first,
        first: span.plan_first,
        extent,
        lang: project.config().lang(),
    };
    let mut report = plan::check::check_plan(&shadow, of);
    for problem in &mut report.findings.problems {
        if files.contains_key(&problem.path) {
            problem.path = layout::staged(&problem.path);
        }
    }
    Ok(PlanCheck {
        findings: report.findings,
        bounds: report.bounds,
        new_characters: report.new_characters,
        files,
    })
}

/// The chapters the plan of a volume is about.
pub(crate) fn span(
    project: &Project,
    view: &View<'_>,
    volume: VolumeNo,
) -> Result<PlanSpan, Failure> {
    let next = view.checkpoint.get().next_chapter();
    let config = &project.config().plan;
    Ok(PlanSpan::of(view.reader(), volume, next, config)?)
}

/// Moves the staged plan of a volume into the book.
///
/// # Errors
/// When it is not the next thing to do, or the plan is not sound; nothing is written then.
pub fn commit_volume(
    project: &Project,
    volume: VolumeNo,
    mode: CommitMode,
) -> Result<VolumeCommitReport, Failure> {
    match mode {
        CommitMode::DryRun => project.look(|view| Ok(prepare(project, view, volume)?.1)),
        CommitMode::Apply => {
            let writer = project.store().acquire(None)?;
            commit_with(project, &writer, volume)
        }
    }
}

/// The same under a lock that is held already.
pub(crate) fn commit_with(
    project: &Project,
    writer: &Writer,
    volume: VolumeNo,
) -> Result<VolumeCommitReport, Failure> {
    let reader = writer.reader()?;
    let (changes, report) = prepare(project, &project.view(&reader)?, volume)?;
    let label = TxnLabel::new(TxnKind::CommitVolume { volume }, format!("vol-{volume}"));
    let mut txn = writer.begin(label);
    txn.at(project.now());
    changes.stage(&mut txn);
    txn.commit()?;
    Ok(report)
}

fn prepare(
    project: &Project,
    view: &View<'_>,
    volume: VolumeNo,
) -> Result<(Changes, VolumeCommitReport), Failure> {
    let step = StepId::Volume(volume, VolumeStage::Commit);
    expect_next(view, step)?;
    let span = span(project, view, volume)?;
    let PlanCheck {
        findings,
        bounds,
        new_characters,
        files,
    } = check_plan(project, view.reader(), volume, &span)?;
    let findings = findings.accept(step)?;
    let mut changes = Changes::default();
    for (path, bytes) in files {
        let staged = layout::staged(&path);
        // The answers the plan was made from are its scaffold, not a part of the book.
        if staged != layout::plan_draft(volume) {
            changes.write(path, bytes);
        }
        changes.remove(staged);
    }
    for person in &new_characters.characters {
        if view
            .reader()
            .read(&layout::character(&person.id))?
            .is_none()
        {
            for (path, text) in plan::character_files(person, span.plan_first) {
                changes.write(path, text);
            }
        }
    }
    keep_written_blocks(view, volume, &mut changes)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::Writing);
        checkpoint.current_volume = volume;
    });
    stamp_checkpoint(project, &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    let first = view.checkpoint.get().next_chapter();
    let report = VolumeCommitReport {
        volume,
        chapters: bounds.map_or((first, first), |bounds| (bounds.first, bounds.last)),
        changes: changes.list(view.reader())?,
        warnings: findings.warnings,
    };
    Ok((changes, report))
}

/// A plan begins after the newest chapter. What the outline in place says about chapters of this
/// volume that are written already stays in front of it.
fn keep_written_blocks(
    view: &View<'_>,
    volume: VolumeNo,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let path = layout::outline(volume);
    let (Some(old), Some(new)) = (
        view.reader().text(&path)?,
        view.reader().text(&layout::staged(&path))?,
    ) else {
        return Ok(());
    };
    let last = view.checkpoint.get().last_completed_chapter;
    let planned = parse_outline(&new);
    let written: String = parse_outline(&old)
        .blocks
        .iter()
        .filter(|block| block.number <= last && planned.block(block.number).is_none())
        .map(|block| format!("{}\n\n", block.text.trim_end()))
        .collect();
    if written.is_empty() {
        return Ok(());
    }
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let first = planned.blocks.iter().map(|block| block.line).min();
    let (head, blocks) = lines.split_at(first.map_or(lines.len(), |line| line - 1));
    let text = [head.concat(), written, blocks.concat()].concat();
    changes.write(path, text);
    Ok(())
}

/// Looks a staged review over: the advice that will stand below the program's reports.
pub(crate) fn check_review(view: &View<'_>, volume: VolumeNo) -> Result<Findings, Failure> {
    let path = layout::staged_volume_review(volume);
    Ok(match view.reader().text(&path)? {
        Some(text) => report::check_advice(&path, &text),
        None => crate::write::validate::missing(&path),
    })
}

/// Puts reports and advice into the book, keeps the state of that moment, and opens the next
/// volume.
pub(crate) fn accept_review(
    project: &Project,
    view: &View<'_>,
    volume: VolumeNo,
    checkpoint: &mut Document<Checkpoint>,
    txn: &mut Transaction<'_>,
) -> Result<(), Failure> {
    let staged = layout::staged_volume_review(volume);
    if let Some(advice) = view.reader().text(&staged)? {
        let review = with_reports(project, view, volume, &advice)?;
        txn.write(layout::volume_review(volume), review);
        txn.remove(staged);
    }
    if let Some(state) = view.reader().read(&layout::state())? {
        txn.write(layout::state_snapshot(volume), state);
    }
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::VolPlanning);
        checkpoint.current_volume = volume.next();
    });
    Ok(())
}

/// The whole review. A volume without an outline has no bounds, and so no reports.
fn with_reports(
    project: &Project,
    view: &View<'_>,
    volume: VolumeNo,
    advice: &str,
) -> Result<String, Failure> {
    let (reader, lang) = (view.reader(), project.config().lang());
    let outline = reader.text(&layout::outline(volume))?;
    let bounds = outline.and_then(|text| VolumeBounds::of(&parse_outline(&text)));
    let Some(bounds) = bounds else {
        return Ok(advice.to_owned());
    };
    let written = view.checkpoint.get().last_completed_chapter;
    let span = Span::volume(volume, bounds, written);
    let report = Report::of(&Facts::gather(reader, project.config(), span)?);
    let reports = report::volume_review(volume, &report, lang);
    Ok(report::compose(&reports, advice, lang))
}

impl VolumeCommitReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::VolumeCommit {
        contract::VolumeCommit {
            volume: self.volume,
            chapters: self.chapters,
            changes: self.changes.iter().map(Change::answer).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
