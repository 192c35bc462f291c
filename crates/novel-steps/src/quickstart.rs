//! Quick-start phases: checked, accepted, done again.

use novel_book::{
    context::Cast,
    edit::{Changes, Edit, staged_files},
    validate::{Findings, file_problems, missing},
};
use novel_model::{
    BookReader, ChapterNo, Document, Explain, Format, Lang, Problem, QuickstartPhase, RelPath,
    StepId,
    files::{Checkpoint, OrchestratorState, Storylines, StyleProfile, WorldRules},
    layout, message, to_json_text,
};
use novel_story::{styles, trial::TrialPlan};

use crate::{Book, StepError};

/// What a phase makes.
pub fn made(phase: QuickstartPhase) -> Vec<RelPath> {
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
        QuickstartPhase::Trial | QuickstartPhase::Results => Vec::new(),
    }
}

/// What is wrong with the outputs of a phase, staged in `base` or in place.
pub fn check(base: &dyn BookReader, phase: QuickstartPhase) -> Result<Findings, StepError> {
    let book = Edit::with_staged(base, &made(phase))?;
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
            if let Err(error) = TrialPlan::of(&book, Lang::Zh) {
                findings.problems.extend(error.problems().to_vec());
            }
        }
        QuickstartPhase::Results => {}
    }
    Ok(findings)
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
    for (path, bytes) in staged_files(view.reader(), &made(phase))? {
        changes.remove(layout::staged(&path));
        changes.write(path, bytes);
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
        trial = Some(stage_trial(view, changes)?);
    }
    if phase == QuickstartPhase::Results {
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

/// Writes the light plan of the trial; returns its last chapter.
fn stage_trial(view: &Book<'_>, changes: &mut Changes) -> Result<ChapterNo, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let plan = TrialPlan::of(view.reader(), view.config().lang())?;
    changes.write(layout::outline(volume), plan.outline);
    let mut last = ChapterNo::first();
    for contract in plan.contracts {
        last = last.max(contract.chapter);
        changes.write(
            layout::contract(volume, contract.chapter),
            to_json_text(&contract),
        );
    }
    Ok(last)
}
