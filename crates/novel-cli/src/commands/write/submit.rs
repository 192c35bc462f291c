//! `novel submit STEP [FILE|-]`.

use std::path::PathBuf;

use clap::ValueEnum;
use novel_app::write::submit::{self, Origin};
use novel_model::{StepId, files::JudgeRole, message};

use crate::{
    context::Context,
    input::Source,
    output::{CommandResult, Output},
};

/// Hand in the output of a step
///
/// The answer is checked and put into `staging/`; nothing is written when it is not valid. Without
/// FILE, or with `-`, it is read from standard input. Then run `novel advance STEP`.
#[derive(clap::Args, Debug)]
pub(crate) struct SubmitArgs {
    /// Step, such as `chapter:048:judge`
    step: StepId,

    /// File with the answer; `-` is standard input
    file: Option<PathBuf>,

    /// Which judge of a key chapter the answer is from
    #[arg(long, value_name = "ROLE", value_enum, default_value_t)]
    judge: Judge,

    /// Name of the model that gave the answer, for the log
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

/// The judges of a key chapter.
#[derive(ValueEnum, Debug, Clone, Copy, Default)]
enum Judge {
    /// The first judge
    #[default]
    Primary,
    /// The second judge of a key chapter
    Secondary,
}

pub(crate) fn run(context: &Context, args: &SubmitArgs) -> CommandResult {
    let project = context.project()?;
    let answer = Source::of_answer(args.file.as_deref(), args.step)?.bytes()?;
    let origin = Origin {
        judge: match args.judge {
            Judge::Primary => JudgeRole::Primary,
            Judge::Secondary => JudgeRole::Secondary,
        },
        model: args.model.clone(),
        ..Origin::default()
    };
    let step = args.step;
    let report = submit::submit(&project, step, &answer, &origin)?;
    let written: String = report
        .written
        .iter()
        .map(|path| format!("{path}\n"))
        .collect();
    let next = match report.awaiting {
        Some(_) => message!(
            en: "This is a key chapter: hand in the second judge with `novel submit {step} --judge secondary FILE`.",
            zh: "这是关键章：请用 `novel submit {step} --judge secondary FILE` 提交第二位评审的结果。"
        ),
        None => message!(
            en: "Accept it with `novel advance {step}`.", zh: "用 `novel advance {step}` 接受。"
        ),
    };
    Ok(Output::new(report.answer(context.lang))
        .text(written)
        .note(next)
        .warnings(&report.warnings)
        .about_config(project.warnings()))
}
