//! Quick-start phases: checked, accepted, done again.

use novel_book::{
    context::Cast,
    edit::{Changes, Edit, staged_files},
    validate::{Findings, file_problems, missing},
};
use novel_model::{
    BookReader, ChapterNo, Document, Explain, Format, Problem, QuickstartPhase, RelPath, StepId,
    VolumeNo,
    files::{Checkpoint, OrchestratorState, Storylines, StyleProfile, WorldRules},
    layout, message,
};
use novel_story::{plan::TRIAL_CHAPTERS, styles};
use novel_text::parse_outline;

use crate::{
    Book, StepError,
    volume::{self, PlanCheck},
};

/// What a phase makes. The trial's plan is the beginning of the plan of `volume`.
pub fn made(phase: QuickstartPhase, volume: VolumeNo) -> Vec<RelPath> {
    match phase {
        QuickstartPhase::World => vec![
            layout::world_dir(),
            layout::storylines(),
            layout::storyline_spec(),
        ],
        QuickstartPhase::Characters => vec![
            layout::characters_dir(),
            layout::relationships(),
            layout::storylines(),
        ],
        QuickstartPhase::Style => vec![layout::style_profile()],
        QuickstartPhase::Trial => vec![layout::volume_dir(volume)],
        QuickstartPhase::Results => Vec::new(),
    }
}

/// What is wrong with the outputs of a phase, staged in `base` or in place.
pub fn check(
    view: &Book<'_>,
    base: &dyn BookReader,
    phase: QuickstartPhase,
) -> Result<Findings, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let book = Edit::with_staged(base, &made(phase, volume))?;
    let mut findings = Findings::default();
    match phase {
        QuickstartPhase::World => {
            required::<WorldRules>(&book, &layout::world_rules(), &mut findings);
            if let Err(error) = Document::<Storylines>::load(&book, &layout::storylines()) {
                findings.problems.extend(file_problems(&error));
            }
        }
        QuickstartPhase::Characters => match Cast::load(&book) {
            Ok(cast) if cast.members().next().is_none() => findings.problems.push(Problem::new(
                "missing",
                &layout::characters_dir(),
                message!(en: "there is no character", zh: "没有任何角色"),
            )),
            Ok(_) => {}
            Err(error) => findings.problems.extend(error.problems().to_vec()),
        },
        QuickstartPhase::Style => {
            let path = layout::style_profile();
            let profile = required::<StyleProfile>(&book, &path, &mut findings);
            if profile.is_some_and(|profile| profile.get().source_type.is_none()) {
                findings.problems.push(
                    Problem::new(
                        "missing_key",
                        &path,
                        message!(
                            en: "`source_type` is not set: `original`, `reference`, `template` or `write_then_extract`",
                            zh: "未设置 `source_type`：`original`、`reference`、`template` 或 `write_then_extract`"
                        ),
                    )
                    .at("/source_type"),
                );
            }
        }
        QuickstartPhase::Trial => {
            return Ok(trial_plan(view, base)?.findings);
        }
        QuickstartPhase::Results => {}
    }
    Ok(findings)
}

/// The staged plan of the trial, looked over: sound as a plan, and for all chapters of the trial.
fn trial_plan(view: &Book<'_>, base: &dyn BookReader) -> Result<PlanCheck, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let path = layout::staged(&layout::outline(volume));
    let mut check = volume::check_trial(view.config(), base, volume)?;
    let outline = base.text(&path)?.unwrap_or_default();
    let last = parse_outline(&outline).bounds().map(|(_, last)| last);
    if let Some(last) = last.filter(|last| *last != TRIAL_CHAPTERS) {
        let what = message!(
            en: "the outline ends with chapter {last}; the trial has chapters 1 to {TRIAL_CHAPTERS}",
            zh: "大纲到第 {last} 章为止，试写是第 1 至 {TRIAL_CHAPTERS} 章"
        );
        let problem = Problem::new("wrong_chapters", &path, what);
        check.findings.problems.push(problem);
    }
    Ok(check)
}

fn required<T: Format>(
    book: &dyn BookReader,
    path: &RelPath,
    findings: &mut Findings,
) -> Option<Document<T>> {
    match Document::load(book, path) {
        Ok(Some(document)) => return Some(document),
        Ok(None) => findings.problems.push(missing(path)),
        Err(error) => findings.problems.extend(file_problems(&error)),
    }
    None
}

/// Moves what a phase staged into the book; the last phase leads to the first volume.
pub fn accept(
    view: &Book<'_>,
    phase: QuickstartPhase,
    checkpoint: &mut Document<Checkpoint>,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let volume = view.checkpoint.get().current_volume;
    for (path, bytes) in staged_files(view.reader(), &made(phase, volume))? {
        let staged = layout::staged(&path);
        // The answer the plan was made from is its scaffold, not a part of the book.
        if staged != layout::plan_draft(volume) {
            changes.write(path, bytes);
        }
        changes.remove(staged);
    }
    // What the author wanted of the trial goes with it until the author is content.
    let done = match phase {
        QuickstartPhase::Trial => None,
        QuickstartPhase::Results => Some(QuickstartPhase::Trial),
        phase => Some(phase),
    };
    if let Some(done) = done {
        let note = layout::author_note(StepId::Quickstart(done));
        if view.reader().exists(&note)? {
            changes.remove(note);
        }
    }
    let mut trial = None;
    if phase == QuickstartPhase::Trial {
        let people = trial_plan(view, view.reader())?.new_characters;
        volume::write_people(view, &people, ChapterNo::first(), changes)?;
        trial = ChapterNo::new(TRIAL_CHAPTERS);
    }
    if phase == QuickstartPhase::Results {
        // The plan handed in for a trial that is skipped is no plan of the volume. One that was made by
        // hand has no draft and is the author's own.
        let is_handed_in = view.reader().exists(&layout::plan_draft(volume))?;
        if view.checkpoint.get().trial_until.is_none() && is_handed_in {
            let trial = made(QuickstartPhase::Trial, volume);
            for path in staged_files(view.reader(), &trial)?.keys() {
                changes.remove(layout::staged(path));
            }
        }
        extract_style(view, changes)?;
    }
    checkpoint.edit(|checkpoint| {
        checkpoint.trial_until = trial;
        checkpoint.go_to(match phase {
            QuickstartPhase::Results => OrchestratorState::VolPlanning,
            _ => OrchestratorState::QuickStart,
        });
    });
    Ok(())
}

/// A style without a sample is measured on what was written.
fn extract_style(view: &Book<'_>, changes: &mut Changes) -> Result<(), StepError> {
    let path = layout::style_profile();
    let Some(mut profile) = Document::<StyleProfile>::load(view.reader(), &path)? else {
        return Ok(());
    };
    let written = view.checkpoint.get().last_completed_chapter;
    if let Some(measured) = styles::extracted(view.reader(), profile.get(), written)? {
        profile.edit(|profile| *profile = measured);
        changes.write(path, profile.to_text());
    }
    Ok(())
}
