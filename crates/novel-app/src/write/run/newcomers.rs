//! The people a plan brings: asked for when the plan is whole, before anybody approves it.
//!
//! A second call of the step that plans the volume, kept in the ledger and accepted like any other.
//! The plan in staging says whether it was made, so a run goes on where the last one ended.

use novel_book::{edit::Changes, run::Task, scenes::Part};
use novel_model::{
    BookReader, StepId, VolumeStage, Warning, files::JudgeRole, layout, to_json_text,
};
use novel_prompt::prompt::{self, Agent, Mode};
use novel_story::plan;

use super::{
    Drive,
    accept::{Structured, object_in},
    ask::judge_key,
};
use crate::{
    BookError, Refusal, StepError,
    write::advance::{expect_next, stamp_checkpoint},
    write::submit::planning,
};

/// The task, unless the people of the plan it would commit are still to be written out.
pub(super) fn with_newcomers(reader: &dyn BookReader, task: Task) -> Result<Task, StepError> {
    let StepId::Volume(volume, VolumeStage::Commit) = task.step else {
        return Ok(task);
    };
    Ok(if plan::is_unwoven(reader, volume)? {
        Task {
            step: StepId::Volume(volume, VolumeStage::Plan),
            part: Part::Newcomers,
            ..task
        }
    } else {
        task
    })
}

impl Drive<'_> {
    /// What keeping the people of a plan changes.
    pub(super) fn kept_newcomers(
        &self,
        step: StepId,
    ) -> Result<(Changes, Vec<Warning>), BookError> {
        let project = self.runner.project;
        let reader = self.reader()?;
        let view = project.view(&reader)?;
        expect_next(&view, step)?;
        let answer = self.answers.get(judge_key(JudgeRole::Primary));
        let (StepId::Volume(volume, _), Some(answer)) = (step, answer) else {
            return Err(Refusal::NothingToSubmit { step }.into());
        };
        let form = prompt::output_in(Agent::CharacterWeaver, Mode::Introduce);
        let prompt::Output::Json { schema, .. } = form else {
            return Err(Refusal::NothingToSubmit { step }.into());
        };
        let Structured {
            value, repaired, ..
        } = object_in(step, answer, &schema)?;
        let (files, mut warnings) =
            planning::accept_newcomers(&view, volume, &to_json_text(&value))?;
        warnings.extend(repaired);
        let mut changes = Changes::default();
        for (path, text) in files {
            changes.write(path, text);
        }
        // What a program that writes files left has been taken over.
        changes.remove(layout::staged_newcomers_answer(volume));
        let mut checkpoint = view.checkpoint.clone();
        checkpoint.edit(|checkpoint| checkpoint.go_to(checkpoint.working_state()));
        if checkpoint != view.checkpoint {
            stamp_checkpoint(project.now(), &mut checkpoint);
            changes.write(layout::checkpoint(), checkpoint.to_text());
        }
        Ok((changes, warnings))
    }
}
