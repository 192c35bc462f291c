//! Volumes: the staged plan, its commit, and the review at the end.

use std::collections::BTreeMap;

use novel_engine::{
    context::{ChapterContext, VolumeBounds},
    validate::{Findings, file_problems, read_problem},
};
use novel_model::{
    BookReader, ChapterNo, Document, Failure, Lang, Problem, ReadError, RelPath, StepId, VolumeNo,
    VolumeStage, Warning,
    files::{Checkpoint, ForeshadowPlan, OrchestratorState, StorylineSchedule},
    layout, message,
};
use novel_store::{Transaction, TxnKind, TxnLabel, Writer};
use novel_text::{Outline, parse_outline};
use serde_json::{Value, json};

use crate::{
    Project, View,
    advance::{expect_next, stamp_checkpoint},
    commit::{Change, Changes, CommitMode},
    shadow::Shadow,
    warnings_json,
};

/// Storylines on stage at once above which the author is warned.
const MANY_STORYLINES: usize = 4;

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
    /// The staged files, by the path they are meant for.
    pub(crate) files: BTreeMap<RelPath, Vec<u8>>,
}

/// Whether a plan of the volume lies in staging.
pub(crate) fn is_staged(reader: &dyn BookReader, volume: VolumeNo) -> Result<bool, ReadError> {
    Ok(reader
        .read(&layout::staged(&layout::outline(volume)))?
        .is_some())
}

/// Looks a staged plan over: every chapter has a sound block and a contract that fits it.
pub(crate) fn check_plan(
    project: &Project,
    view: &View<'_>,
    volume: VolumeNo,
) -> Result<PlanCheck, Failure> {
    let shadow = Shadow::new(view.reader(), vec![layout::volume_dir(volume)]);
    let files = shadow.staged_files()?;
    let mut findings = Findings::default();
    let path = layout::outline(volume);
    let outline = match shadow.text(&path) {
        Ok(Some(text)) => parse_outline(&text),
        Ok(None) => {
            let findings = crate::validate::missing(&layout::staged(&path));
            return Ok(PlanCheck {
                findings,
                bounds: None,
                files,
            });
        }
        Err(error) => {
            findings.problems.push(read_problem(&error));
            return Ok(PlanCheck {
                findings,
                bounds: None,
                files,
            });
        }
    };
    let bounds = VolumeBounds::of(&outline);
    check_numbers(
        &path,
        &outline,
        view.checkpoint.get().next_chapter(),
        &mut findings,
    );
    let lang = project.config().lang();
    for block in &outline.blocks {
        let Some(chapter) = ChapterNo::new(block.number) else {
            continue;
        };
        if let Err(error) = ChapterContext::load(&shadow, volume, chapter, lang) {
            findings.problems.extend(error.into_problems());
        }
    }
    check_strays(&shadow, volume, &outline, &mut findings)?;
    match Document::<StorylineSchedule>::load(&shadow, &layout::schedule(volume)) {
        Ok(Some(schedule)) => warn_crowded(schedule.get(), &mut findings),
        Ok(None) => {}
        Err(error) => findings.problems.extend(file_problems(&error)),
    }
    if let Err(error) =
        Document::<ForeshadowPlan>::load(&shadow, &layout::foreshadowing_plan(volume))
    {
        findings.problems.extend(file_problems(&error));
    }
    dedup(&mut findings.problems);
    Ok(PlanCheck {
        findings,
        bounds,
        files,
    })
}

fn dedup(problems: &mut Vec<Problem>) {
    let mut seen: Vec<Problem> = Vec::new();
    problems.retain(|problem| {
        let new = !seen.contains(problem);
        if new {
            seen.push(problem.clone());
        }
        new
    });
}

/// Chapters follow the newest committed one without a gap.
fn check_numbers(path: &RelPath, outline: &Outline, first: ChapterNo, findings: &mut Findings) {
    if outline.blocks.is_empty() {
        findings.problems.push(Problem::new(
            "no_chapters",
            path,
            message!(en: "the outline has no chapter headings", zh: "大纲中没有章标题"),
        ));
    }
    let mut expected = first.get();
    for block in &outline.blocks {
        if block.number != expected {
            let found = block.number;
            findings.problems.push(
                Problem::new(
                    "chapter_gap",
                    path,
                    message!(
                        en: "chapter {found} stands where chapter {expected} should",
                        zh: "此处应为第 {expected} 章，实际是第 {found} 章"
                    ),
                )
                .at_line(block.line),
            );
        }
        expected = block.number.saturating_add(1);
    }
}

/// Contracts for chapters the outline does not have.
fn check_strays(
    shadow: &Shadow<'_>,
    volume: VolumeNo,
    outline: &Outline,
    findings: &mut Findings,
) -> Result<(), ReadError> {
    let directory = layout::contracts_dir(volume);
    for name in shadow.list(&directory)? {
        let number = name
            .strip_prefix("chapter-")
            .and_then(|rest| rest.strip_suffix(".json"))
            .and_then(|digits| digits.parse::<ChapterNo>().ok());
        let planned = number.is_some_and(|number| outline.block(number.get()).is_some());
        if let (false, Ok(path)) = (planned, directory.join(&name)) {
            findings.problems.push(Problem::new(
                "stray_contract",
                &path,
                message!(
                    en: "the outline has no chapter for this contract",
                    zh: "大纲中没有与该契约对应的章"
                ),
            ));
        }
    }
    Ok(())
}

fn warn_crowded(schedule: &StorylineSchedule, findings: &mut Findings) {
    let count = schedule.active_storylines.len();
    if count > MANY_STORYLINES {
        findings.warnings.push(Warning::new(
            "many_storylines",
            message!(
                en: "{count} storylines are active at once; more than {MANY_STORYLINES} are hard to follow",
                zh: "同时有 {count} 条故事线活跃，超过 {MANY_STORYLINES} 条读者难以跟上"
            ),
        ));
    }
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
        CommitMode::DryRun => {
            let reader = project.store().reader()?;
            Ok(prepare(project, &project.view(&reader)?, volume)?.1)
        }
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
    let PlanCheck {
        findings,
        bounds,
        files,
    } = check_plan(project, view, volume)?;
    let findings = findings.accept(step)?;
    let mut changes = Changes::default();
    for (path, bytes) in files {
        changes.remove(layout::staged(&path));
        changes.write(path, bytes);
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

/// Looks a staged review over.
pub(crate) fn check_review(view: &View<'_>, volume: VolumeNo) -> Result<Findings, Failure> {
    let path = layout::staged_volume_review(volume);
    match view.reader().text(&path)? {
        Some(text) if !text.trim().is_empty() => Ok(Findings::default()),
        _ => Ok(crate::validate::missing(&path)),
    }
}

/// Moves a review into the book, keeps the state of that moment, and opens the next volume.
pub(crate) fn accept_review(
    view: &View<'_>,
    volume: VolumeNo,
    checkpoint: &mut Document<Checkpoint>,
    txn: &mut Transaction<'_>,
) -> Result<(), Failure> {
    let staged = layout::staged_volume_review(volume);
    if let Some(review) = view.reader().read(&staged)? {
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

impl VolumeCommitReport {
    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Value {
        let changes: Vec<Value> = self.changes.iter().map(Change::to_json).collect();
        json!({
            "volume": self.volume,
            "chapters": self.chapters,
            "changes": changes,
            "warnings": warnings_json(&self.warnings, lang),
        })
    }
}
