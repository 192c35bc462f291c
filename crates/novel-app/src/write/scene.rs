//! `novel scene plan|generate|merge`: a chapter drafted scene by scene.

pub use novel_book::scenes::Standing;
use novel_book::{
    edit::Changes,
    run::Goal,
    scenes::{NotMergeable, SceneDraft},
};
use novel_contract::write as contract;
use novel_model::{BookReader, ChapterNo, Lang, SceneNo, Warning, layout};
use novel_store::{TxnKind, TxnLabel};

use crate::{
    Project,
    runner::{Runner, Spent},
    write::anew::note_text,
    write::chapter::{Existing, expect_unwritten},
    write::run::{FromError, RunError, write_merged},
};

/// The scenes of a chapter after something was done to them.
#[derive(Debug)]
pub struct SceneReport {
    /// The scenes.
    pub draft: SceneDraft,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Plans the scenes of the next chapter; a plan that is there is kept unless it is to be replaced.
///
/// # Errors
/// When the draft of `chapter` is not the next step, or no usable plan was answered.
pub fn plan(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    existing: Existing,
) -> Result<SceneReport, RunError> {
    write(runner, chapter, Goal::ScenePlan(chapter), existing)
}

/// Writes one scene, or all that are missing or were written for another plan.
///
/// # Errors
/// When the draft of `chapter` is not the next step, there is no plan, or a scene was not answered.
pub fn generate(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    scene: Option<SceneNo>,
    existing: Existing,
    note: Option<&str>,
) -> Result<SceneReport, RunError> {
    if let Some(note) = note {
        put_note(runner.project, chapter, scene, note)?;
    }
    write(runner, chapter, Goal::Scenes(chapter, scene), existing)
}

/// Keeps what the author asks for: with the scene until it is written, or with the chapter.
fn put_note(
    project: &Project,
    chapter: ChapterNo,
    scene: Option<SceneNo>,
    note: &str,
) -> Result<(), RunError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = project.at_work(&writer)?;
    expect_unwritten(&project.view(&reader)?, chapter)?;
    let path = match scene {
        Some(scene) => layout::staged_scene_note(chapter, scene),
        None => layout::staged_note(chapter),
    };
    let text = note_text(note);
    if reader.text(&path)?.as_deref() == Some(text.as_str()) {
        return Ok(());
    }
    let mut changes = Changes::default();
    changes.write(path, text);
    writer.record_note(note.trim());
    let target = scene.map_or_else(
        || format!("chapter-{chapter}-note"),
        |scene| format!("chapter-{chapter}-scene-{scene}-note"),
    );
    let label = TxnLabel::new(TxnKind::Scene { chapter }, target);
    project.write(&writer, label, changes)?;
    Ok(())
}

fn write(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    goal: Goal,
    existing: Existing,
) -> Result<SceneReport, RunError> {
    // Naming the chapter is asking for another try.
    let report = match existing {
        Existing::Reuse => runner.run(goal, FromError::Retry),
        Existing::Replace => runner.run_again(goal, FromError::Retry),
    }?;
    let store = runner.project.store();
    let draft = store.look(|reader| Ok::<_, RunError>(SceneDraft::read(reader, chapter)?))?;
    Ok(SceneReport {
        draft: draft.ok_or(NotMergeable::NoPlan { chapter })?,
        spent: report.spent,
        warnings: report.warnings,
    })
}

/// Makes the scenes of the next chapter its accepted draft, in one transaction.
///
/// # Errors
/// When the draft of `chapter` is not the next step, a scene is missing or was written for another
/// plan, or the text is not valid; nothing is written then.
pub fn merge(project: &Project, chapter: ChapterNo) -> Result<SceneReport, RunError> {
    let writer = project.store().acquire(Some(chapter))?;
    let merged = write_merged(project, &writer, chapter, TxnKind::Merge { chapter })?;
    Ok(SceneReport {
        draft: merged.draft,
        spent: Spent::default(),
        warnings: merged.warnings,
    })
}

impl SceneReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::SceneAnswer {
        let chapter = self.draft.chapter;
        contract::SceneAnswer {
            chapter,
            title: self.draft.plan.get().chapter_title.clone(),
            plan: layout::staged_scene_plan(chapter).to_string(),
            scenes: self.draft.answer(),
            spent: self.spent.answer(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
