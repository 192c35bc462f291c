//! Drafting in scenes: which part comes next, how it is kept, how the parts become a draft.
//!
//! Every part is asked for, kept in the ledger and accepted like any other answer. What is in
//! staging decides what comes next, so a run goes on at the first scene that is missing.

use novel_book::{
    config::Drafting,
    edit::{Changes, Edit},
    next::{Next, Round},
    run::{Event, Goal, Task},
    scenes::{NotMergeable, Part, SceneDraft, length_warning, scene_from},
    validate::Rejected,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Explain, RelPath, SceneNo, StepId, Warning,
    files::{JudgeRole, ScenePlan, StageLog},
    layout, to_json_text,
};
use novel_prompt::prompt::scene_plan_schema;
use novel_store::{TxnKind, TxnLabel, Writer};
use serde_json::json;

use super::{
    Drive, StopCause,
    accept::{Structured, object_in, strip_wrapping, with_key},
    ask::judge_key,
    newcomers::with_newcomers,
    task_at, work_of,
};
use crate::{
    Book, BookError, Project, Refusal,
    runner::{
        Extent, Reuse,
        ledger::{Recorded, put_away},
    },
    write::advance::{self, expect_next},
    write::chapter::expect_unwritten,
    write::submit::{self, Origin},
    write::volume,
};

/// What is ahead in a run.
pub(super) enum Ahead {
    /// Something to be done.
    Work(Task),
    /// All scenes of this chapter are there and become its draft.
    Merge(ChapterNo),
    /// What was asked for is there.
    Nothing,
}

impl Drive<'_> {
    /// A run for one chapter is for the one that comes next.
    pub(super) fn expect_goal(&self) -> Result<(), BookError> {
        let (Goal::Draft(chapter) | Goal::ScenePlan(chapter) | Goal::Scenes(chapter, _)) =
            self.goal
        else {
            return Ok(());
        };
        let reader = self.reader()?;
        let view = self.runner.project.view(&reader)?;
        expect_unwritten(&view, chapter)?;
        let (step, next) = (draft_step(chapter), view.next()?);
        if matches!(self.goal, Goal::Draft(_)) {
            return match next.step {
                StepId::Chapter(other, _) if other == chapter => Ok(()),
                next => Err(Refusal::NotNow { asked: step, next }.into()),
            };
        }
        if next.step != step {
            let next = next.step;
            return Err(Refusal::NotNow { asked: step, next }.into());
        }
        if next.round == Round::Revision {
            return Err(Refusal::RevisionIsWhole { chapter }.into());
        }
        Ok(())
    }

    /// What to do about the next step.
    pub(super) fn ahead(&self, view: &Book<'_>, next: &Next) -> Result<Ahead, StopCause> {
        let task = task_at(view, next)?;
        let reader = view.reader();
        let StepId::Chapter(chapter, stage) = task.step else {
            return Ok(Ahead::Work(with_newcomers(reader, task)?));
        };
        let work = |part| Ahead::Work(Task { part, ..task });
        let wants_draft = stage == ChapterStage::Draft;
        match self.goal {
            Goal::ScenePlan(_) => {
                // A damaged plan may be replaced at the author's word.
                let there =
                    self.renew == Reuse::Kept && SceneDraft::read(reader, chapter)?.is_some();
                return Ok(if there {
                    Ahead::Nothing
                } else {
                    work(Part::ScenePlan)
                });
            }
            Goal::Scenes(_, wanted) => {
                let open = self.open_scene(reader, chapter, wanted)?;
                return Ok(open.map_or(Ahead::Nothing, |scene| work(Part::Scene(scene))));
            }
            Goal::Draft(_) if !wants_draft => return Ok(Ahead::Nothing),
            Goal::Draft(_)
            | Goal::Chapters(_)
            | Goal::Until(_)
            | Goal::VolumeEnd
            | Goal::Decision => {}
        }
        let in_scenes = self.runner.project.config().drafting.mode == Drafting::Scenes;
        if !(wants_draft && in_scenes) || next.round == Round::Revision {
            return Ok(Ahead::Work(task));
        }
        Ok(match SceneDraft::read(reader, chapter)? {
            None => work(Part::ScenePlan),
            Some(draft) => match draft.first_open() {
                Some(scene) => work(Part::Scene(scene)),
                None => Ahead::Merge(chapter),
            },
        })
    }

    fn open_scene(
        &self,
        reader: &dyn BookReader,
        chapter: ChapterNo,
        wanted: Option<SceneNo>,
    ) -> Result<Option<SceneNo>, StopCause> {
        let draft = read_draft(reader, chapter)?;
        let Some(scene) = wanted else {
            return Ok(draft.first_open());
        };
        let planned = draft
            .planned_scene(scene)
            .ok_or(NotMergeable::NoSuchScene {
                chapter,
                scene,
                planned: draft.planned().len(),
            })?;
        let open = draft.standing(planned).is_open() || self.renew == Reuse::Another;
        Ok(open.then_some(scene))
    }

    /// Puts a part of a draft into staging.
    pub(super) fn accept_part(&mut self, task: Task) -> Event {
        let (label, mut changes, warnings) = match self.kept_part(task) {
            Ok(kept) => kept,
            Err(cause) if cause.is_rejected() => {
                return self.reject(task.step, JudgeRole::Primary, cause);
            }
            Err(error) => return self.write_failed(error),
        };
        if !matches!(self.goal, Goal::Draft(_)) {
            self.renew = Reuse::Kept;
        }
        let calls: Vec<StageLog> = self.answers.values().map(Recorded::stage_log).collect();
        let put_away = self
            .reader()
            .and_then(|reader| put_away::calls(&reader, task.step, &calls));
        match put_away {
            Ok(put_away) => changes.extend(put_away),
            Err(error) => return self.write_failed(error),
        }
        let made = self.runner.project.write(self.writer, label, changes);
        let extent = match task.part {
            Part::Newcomers => Extent::Newcomers,
            Part::ScenePlan | Part::Scene(_) | Part::Whole => Extent::Whole,
        };
        let made = made.map(|_| warnings).map_err(StopCause::from);
        self.accepted(task.step, extent, made)
    }

    /// What keeping a part changes.
    fn kept_part(&self, task: Task) -> Result<(TxnLabel, Changes, Vec<Warning>), StopCause> {
        if task.part == Part::Newcomers {
            let (changes, warnings) = self.kept_newcomers(task.step)?;
            let label = match task.step {
                StepId::Volume(volume, _) => volume::plan_label(volume),
                step => submit::label(step),
            };
            return Ok((label, changes, warnings));
        }
        let step = task.step;
        let reader = self.reader()?;
        expect_next(&self.runner.project.view(&reader)?, step)?;
        let answer = self.answers.get(judge_key(JudgeRole::Primary));
        let (StepId::Chapter(chapter, _), Some(answer)) = (step, answer) else {
            return Err(Refusal::NothingToSubmit { step }.into());
        };
        let kept = match task.part {
            Part::Scene(scene) => self.scene_in(&reader, step, chapter, scene, answer)?,
            Part::ScenePlan | Part::Newcomers | Part::Whole => plan_in(step, chapter, answer)?,
        };
        let mut changes = Changes::default();
        changes.write(kept.path, kept.text);
        // What a program that writes files left has been taken over.
        changes.remove(kept.answer);
        if let Part::Scene(scene) = task.part {
            changes.remove(layout::staged_scene_note(chapter, scene));
        }
        Ok((self.part_label(task, chapter), changes, kept.warnings))
    }

    /// Parts the author asks for by name are operations; those of a run are steps on the way.
    fn part_label(&self, task: Task, chapter: ChapterNo) -> TxnLabel {
        match (self.goal, task.part) {
            (Goal::ScenePlan(_), _) => plan_label(chapter),
            (Goal::Scenes(..), Part::Scene(scene)) => scenes_label(chapter, Some(scene)),
            _ => TxnLabel::new(TxnKind::Submit, task.step.to_string()),
        }
    }

    fn scene_in(
        &self,
        reader: &dyn BookReader,
        step: StepId,
        chapter: ChapterNo,
        scene: SceneNo,
        answer: &Recorded,
    ) -> Result<Kept, StopCause> {
        let draft = read_draft(reader, chapter)?;
        let planned = draft
            .planned_scene(scene)
            .ok_or(NotMergeable::NoSuchScene {
                chapter,
                scene,
                planned: draft.planned().len(),
            })?;
        let source = layout::call(step, &answer.id);
        let text = strip_wrapping(&answer.text);
        let written = scene_from(step, &source, text, &draft, planned)?;
        let budget = draft.budget(scene, &self.runner.project.config().chapter);
        Ok(Kept {
            path: layout::staged_scene(chapter, scene),
            text: to_json_text(&written),
            answer: layout::staged_scene_answer(chapter, scene),
            warnings: length_warning(&written, budget).into_iter().collect(),
        })
    }
}

/// The operation that plans the scenes of a chapter at the author's word.
pub(super) fn plan_label(chapter: ChapterNo) -> TxnLabel {
    TxnLabel::new(
        TxnKind::Scene { chapter },
        format!("chapter-{chapter}-plan"),
    )
}

/// The operation that writes a scene of a chapter, or all that are missing, at the author's word.
pub(super) fn scenes_label(chapter: ChapterNo, scene: Option<SceneNo>) -> TxnLabel {
    let target = match scene {
        Some(scene) => format!("chapter-{chapter}-scene-{scene}"),
        None => format!("chapter-{chapter}-scenes"),
    };
    TxnLabel::new(TxnKind::Scene { chapter }, target)
}

fn plan_in(step: StepId, chapter: ChapterNo, answer: &Recorded) -> Result<Kept, Rejected> {
    let Structured {
        value, repaired, ..
    } = object_in(step, answer, &scene_plan_schema())?;
    let value = with_key(value, "chapter_number", json!(chapter));
    let path = layout::staged_scene_plan(chapter);
    let plan = Document::<ScenePlan>::parse(&path, &to_json_text(&value))
        .map_err(|broken| Rejected::new(step, Explain::problems(&broken).to_vec()))?;
    Ok(Kept {
        text: plan.to_text(),
        path,
        answer: layout::staged_scene_plan_answer(chapter),
        warnings: repaired.into_iter().collect(),
    })
}

/// A part as it is put into staging.
struct Kept {
    path: RelPath,
    text: String,
    /// Where a program that writes files left it.
    answer: RelPath,
    warnings: Vec<Warning>,
}

/// What a merge led to.
pub(crate) struct Merged {
    /// The scenes.
    pub(crate) draft: SceneDraft,
    /// What the author should know.
    pub(crate) warnings: Vec<Warning>,
}

/// Makes all scenes of a chapter its accepted draft: the hand-in of the merged text and its
/// acceptance in one transaction of the given kind.
pub(crate) fn write_merged(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
    kind: TxnKind,
) -> Result<Merged, StopCause> {
    let reader = project.at_work(writer)?;
    let step = draft_step(chapter);
    let view = project.view(&reader)?;
    expect_unwritten(&view, chapter)?;
    if expect_next(&view, step)?.round == Round::Revision {
        return Err(Refusal::RevisionIsWhole { chapter }.into());
    }
    let draft = read_draft(&reader, chapter)?;
    let (text, mut warnings) = draft.merge(project.config().lang())?;
    let origin = Origin::default();
    let (handed, _) = submit::hand_in(&view, step, text.as_bytes(), &origin)?;
    let mut book = Edit::with(&reader, handed);
    let work = work_of(&book, step, std::iter::empty(), writer)?;
    let view = project.view(&book)?;
    let (accepted, report) = advance::acceptance(&view, step, work)?;
    drop(view);
    book.extend(accepted);
    warnings.extend(report.warnings);
    let label = TxnLabel::new(kind, format!("chapter-{chapter}"));
    project.write(writer, label, book.into_changes())?;
    Ok(Merged { draft, warnings })
}

fn read_draft(reader: &dyn BookReader, chapter: ChapterNo) -> Result<SceneDraft, StopCause> {
    let draft = SceneDraft::read(reader, chapter)?;
    Ok(draft.ok_or(NotMergeable::NoPlan { chapter })?)
}

const fn draft_step(chapter: ChapterNo) -> StepId {
    StepId::Chapter(chapter, ChapterStage::Draft)
}
