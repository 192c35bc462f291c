//! Volumes: the staged plan, its commit, and the review at the end.

use std::collections::BTreeMap;

use novel_book::{
    config::Config,
    context::VolumeBounds,
    edit::{Changes, Edit, FileEffect, staged_files},
    validate::Findings,
};
use novel_contract::write as contract;
use novel_model::{
    BookReader, ChapterNo, Document, Lang, RelPath, StepId, VolumeNo, VolumeStage, Warning,
    files::{Checkpoint, NewCharacters, OrchestratorState},
    layout,
};
use novel_story::{
    plan::{
        self, PlanSpan,
        check::{Extent, PlanOf},
    },
    report::{self, Facts, Report, Span},
};
use novel_text::parse_outline;

use crate::{Book, StepError, answer::effect_answer, expect_next, stamp_checkpoint, walls};

/// What the commit of a volume's plan did.
#[derive(Debug)]
pub struct VolumeCommitReport {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter.
    pub chapters: (ChapterNo, ChapterNo),
    /// The files that changed, or would.
    pub changes: Vec<FileEffect>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A staged plan, looked over.
pub struct PlanCheck {
    /// What the checks say.
    pub findings: Findings,
    bounds: Option<VolumeBounds>,
    /// The people the plan brings.
    pub new_characters: NewCharacters,
    /// The staged files, by the path they are meant for.
    pub files: BTreeMap<RelPath, Vec<u8>>,
}

/// What a plan stages.
pub fn parts(volume: VolumeNo) -> Vec<RelPath> {
    vec![
        layout::volume_dir(volume),
        layout::storylines(),
        layout::relationships(),
    ]
}

/// Looks a plan over that is staged in `base`. Problems are shown at the staged files.
pub fn check_plan(
    config: &Config,
    base: &dyn BookReader,
    volume: VolumeNo,
    span: &PlanSpan,
) -> Result<PlanCheck, StepError> {
    let extent = if plan::is_complete(base, volume)? {
        Extent::Whole
    } else {
        Extent::Begun
    };
    check_extent(config, base, volume, span, extent)
}

/// Looks the staged plan of the trial over: it ends no volume.
pub fn check_trial(
    config: &Config,
    base: &dyn BookReader,
    volume: VolumeNo,
) -> Result<PlanCheck, StepError> {
    let span = PlanSpan::trial(&config.plan);
    check_extent(config, base, volume, &span, Extent::Begun)
}

fn check_extent(
    config: &Config,
    base: &dyn BookReader,
    volume: VolumeNo,
    span: &PlanSpan,
    extent: Extent,
) -> Result<PlanCheck, StepError> {
    let files = staged_files(base, &parts(volume))?;
    let mut planned = Edit::on(base);
    for (path, bytes) in &files {
        planned.write(path.clone(), bytes.clone());
    }
    // What an older plan says of the rest goes with the new one, chunk by chunk.
    let outline = planned.text(&layout::outline(volume))?.unwrap_or_default();
    if let Some((_, last)) = parse_outline(&outline).bounds() {
        for (chapter, path) in contracts(base, volume)? {
            if chapter >= span.plan_first && chapter.get() > last && !files.contains_key(&path) {
                planned.remove(path);
            }
        }
    }
    let of = PlanOf {
        volume,
        volume_first: span.volume_first,
        first: span.plan_first,
        extent,
        lang: config.lang(),
    };
    let mut report = plan::check::check_plan(&planned, of);
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
pub fn span(view: &Book<'_>, volume: VolumeNo) -> Result<PlanSpan, StepError> {
    let next = view.checkpoint.get().plan_first();
    let config = &view.config().plan;
    Ok(PlanSpan::of(view.reader(), volume, next, config)?)
}

/// Works out the commit of a staged plan.
///
/// # Errors
/// When it is not the next thing to do, or the plan is not sound.
pub fn prepare(
    view: &Book<'_>,
    volume: VolumeNo,
) -> Result<(Changes, VolumeCommitReport), StepError> {
    let step = StepId::Volume(volume, VolumeStage::Commit);
    expect_next(view, step)?;
    let span = span(view, volume)?;
    let PlanCheck {
        findings,
        bounds,
        new_characters,
        files,
    } = check_plan(view.config(), view.reader(), volume, &span)?;
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
    write_people(view, &new_characters, span.plan_first, &mut changes)?;
    walls::told_planner(view.reader(), volume, &mut changes)?;
    let note = layout::author_note(StepId::Volume(volume, VolumeStage::Plan));
    if view.reader().exists(&note)? {
        changes.remove(note);
    }
    keep_written_blocks(view, volume, &mut changes)?;
    drop_old_contracts(view, volume, bounds, &mut changes)?;
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::Writing);
        checkpoint.current_volume = volume;
        checkpoint.plan_from = None;
    });
    stamp_checkpoint(view.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    let first = view.checkpoint.get().next_chapter();
    let report = VolumeCommitReport {
        volume,
        chapters: bounds.map_or((first, first), |bounds| (bounds.first, bounds.last)),
        changes: Edit::with(view.reader(), changes.clone()).effects()?,
        warnings: findings.warnings,
    };
    Ok((changes, report))
}

/// Writes the files of the people a plan brings, unless they exist.
pub fn write_people(
    view: &Book<'_>,
    people: &NewCharacters,
    since: ChapterNo,
    changes: &mut Changes,
) -> Result<(), StepError> {
    for person in &people.characters {
        let path = layout::character(&person.id);
        if view.reader().read(&path)?.is_none() {
            for (path, text) in plan::character_files(person, since) {
                changes.write(path, text);
            }
        }
    }
    Ok(())
}

/// Contracts of an older plan of the volume go, where the new one ends before them.
fn drop_old_contracts(
    view: &Book<'_>,
    volume: VolumeNo,
    bounds: Option<VolumeBounds>,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let Some(bounds) = bounds else {
        return Ok(());
    };
    let written = view.checkpoint.get().last_completed_chapter;
    for (chapter, path) in contracts(view.reader(), volume)? {
        if chapter > bounds.last && chapter.get() > written {
            changes.remove(path);
        }
    }
    Ok(())
}

/// The contracts of a volume that are in the book, by chapter.
fn contracts(
    reader: &dyn BookReader,
    volume: VolumeNo,
) -> Result<Vec<(ChapterNo, RelPath)>, StepError> {
    let names = reader.list(&layout::contracts_dir(volume))?;
    let number = |name: &str| -> Option<ChapterNo> {
        let digits = name.strip_prefix("chapter-")?.strip_suffix(".json")?;
        digits.parse().ok()
    };
    Ok(names
        .iter()
        .filter_map(|name| number(name))
        .map(|chapter| (chapter, layout::contract(volume, chapter)))
        .collect())
}

/// A plan begins after the newest chapter. What the outline in place says about chapters of this
/// volume that are written already stays in front of it.
fn keep_written_blocks(
    view: &Book<'_>,
    volume: VolumeNo,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let path = layout::outline(volume);
    let (Some(old), Some(new)) = (
        view.reader().text(&path)?,
        view.reader().text(&layout::staged(&path))?,
    ) else {
        return Ok(());
    };
    let last = view.checkpoint.get().plan_first().get() - 1;
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
pub fn check_review(view: &Book<'_>, volume: VolumeNo) -> Result<Findings, StepError> {
    let path = layout::staged_volume_review(volume);
    Ok(match view.reader().text(&path)? {
        Some(text) => report::check_advice(&path, &text),
        None => Findings::missing(&path),
    })
}

/// Puts reports and advice into the book, keeps the state of that moment, and opens the next
/// volume.
pub fn accept_review(
    view: &Book<'_>,
    volume: VolumeNo,
    checkpoint: &mut Document<Checkpoint>,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let staged = layout::staged_volume_review(volume);
    if let Some(advice) = view.reader().text(&staged)? {
        let review = with_reports(view, volume, &advice)?;
        changes.write(layout::volume_review(volume), review);
        changes.remove(staged);
    }
    if let Some(state) = view.reader().read(&layout::state())? {
        changes.write(layout::state_snapshot(volume), state);
    }
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::VolPlanning);
        checkpoint.current_volume = volume.next();
    });
    Ok(())
}

/// The whole review. A volume without an outline has no bounds, and so no reports.
fn with_reports(view: &Book<'_>, volume: VolumeNo, advice: &str) -> Result<String, StepError> {
    let (reader, lang) = (view.reader(), view.config().lang());
    let outline = reader.text(&layout::outline(volume))?;
    let bounds = outline.and_then(|text| VolumeBounds::of(&parse_outline(&text)));
    let Some(bounds) = bounds else {
        return Ok(advice.to_owned());
    };
    let written = view.checkpoint.get().last_completed_chapter;
    let span = Span::volume(volume, bounds, written);
    let report = Report::of(&Facts::gather(reader, view.config(), span)?);
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
            changes: self.changes.iter().map(effect_answer).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
