//! `novel next`.

use novel_app::write::next;
use novel_model::{ChapterStage, StepId, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Print the next step and why it is next
///
/// Writes nothing. Standard output is the step id alone, ready for a script.
#[derive(clap::Args, Debug)]
pub(crate) struct NextArgs {}

pub(crate) fn run(context: &Context, _args: &NextArgs) -> CommandResult {
    let project = context.project()?;
    let report = next::next_step(&project)?;
    let step = report.next.step;
    let command = command_for(step);
    Ok(Output::new(report.answer(context.lang))
        .text(format!("{step}\n"))
        .note(report.next.explanation.clone())
        .note(message!(en: "next: `{command}`", zh: "下一条命令：`{command}`"))
        .warnings(&report.next.warnings)
        .about_config(project.warnings()))
}

/// What to type for a step.
pub(crate) fn command_for(step: StepId) -> String {
    match step {
        StepId::Chapter(chapter, ChapterStage::Commit) => {
            format!("novel commit --chapter {}", chapter.get())
        }
        StepId::Volume(volume, novel_model::VolumeStage::Commit) => {
            format!("novel commit --volume {}", volume.get())
        }
        step => format!("novel instructions {step}"),
    }
}
