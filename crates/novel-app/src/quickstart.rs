//! Quick-start phases handed in by an outside driver.

use novel_engine::{
    context::Cast,
    validate::{Findings, file_problems},
};
use novel_model::{
    Document, Explain, Failure, Format, Problem, QuickstartPhase, RelPath,
    files::{Checkpoint, OrchestratorState, Storylines, StyleProfile, WorldRules},
    layout, message,
};
use novel_store::Transaction;

use crate::{View, shadow::Shadow};

fn parts(phase: QuickstartPhase) -> Vec<RelPath> {
    match phase {
        QuickstartPhase::World => vec![layout::world_dir(), layout::storylines()],
        QuickstartPhase::Characters => vec![layout::characters_dir(), layout::relationships()],
        QuickstartPhase::Style => vec![layout::style_profile()],
        QuickstartPhase::Trial | QuickstartPhase::Results => Vec::new(),
    }
}

/// What is wrong with the outputs of a phase, staged or in place.
pub(crate) fn check(view: &View<'_>, phase: QuickstartPhase) -> Result<Findings, Failure> {
    let shadow = Shadow::new(view.reader(), parts(phase));
    let mut findings = Findings::default();
    match phase {
        QuickstartPhase::World => {
            required::<WorldRules>(&shadow, &layout::world_rules(), &mut findings);
            if let Err(error) = Document::<Storylines>::load(&shadow, &layout::storylines()) {
                findings.problems.extend(file_problems(&error));
            }
        }
        QuickstartPhase::Characters => match Cast::load(&shadow) {
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
            let profile = required::<StyleProfile>(&shadow, &path, &mut findings);
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
        QuickstartPhase::Trial | QuickstartPhase::Results => {}
    }
    Ok(findings)
}

fn required<T: Format>(
    shadow: &Shadow<'_>,
    path: &RelPath,
    findings: &mut Findings,
) -> Option<Document<T>> {
    match Document::load(shadow, path) {
        Ok(Some(document)) => return Some(document),
        Ok(None) => findings
            .problems
            .extend(crate::validate::missing(path).problems),
        Err(error) => findings.problems.extend(file_problems(&error)),
    }
    None
}

/// Moves what a phase staged into the book; the last phase leads to the first volume.
pub(crate) fn accept(
    view: &View<'_>,
    phase: QuickstartPhase,
    checkpoint: &mut Document<Checkpoint>,
    txn: &mut Transaction<'_>,
) -> Result<(), Failure> {
    let shadow = Shadow::new(view.reader(), parts(phase));
    for (path, bytes) in shadow.staged_files()? {
        txn.remove(layout::staged(&path));
        txn.write(path, bytes);
    }
    checkpoint.edit(|checkpoint| {
        checkpoint.orchestrator_state = match phase {
            QuickstartPhase::Results => OrchestratorState::VolPlanning,
            _ => OrchestratorState::QuickStart,
        };
    });
    Ok(())
}
