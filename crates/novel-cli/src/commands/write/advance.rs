//! `novel advance STEP`.

use novel_app::write::advance;
use novel_model::{StepId, files::GateDecision, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
};

/// Accept the outputs of a step and move the book on
///
/// Refuses a step that is not the next one, and outputs that are not valid.
#[derive(clap::Args, Debug)]
pub(crate) struct AdvanceArgs {
    /// Step, such as `chapter:048:draft`
    step: StepId,
}

pub(crate) fn run(context: &Context, args: &AdvanceArgs) -> CommandResult {
    let project = context.project()?;
    let report = advance::advance(&project, args.step)?;
    let step = args.step;
    let mut output = Output::new(report.answer(context.lang))
        .note(message!(en: "Accepted {step}.", zh: "已接受 {step}。"))
        .warnings(&report.warnings)
        .about_config(project.warnings());
    if let Some(gate) = &report.gate {
        let (word, overall) = (gate.decision.word(), gate.overall);
        let whose = labels::whose_score(report.scored_by);
        let whose = whose.get(context.lang);
        output = output.text(format!("{word} {overall:.2}{whose}\n"));
        if gate.decision == GateDecision::Pass && gate.force_passed {
            output = output.note(message!(
                en: "It passes because no revisions are left.", zh: "修订次数已用尽，强制通过。"
            ));
        }
    }
    Ok(output.note(message!(
        en: "See `novel next` for what comes next.", zh: "用 `novel next` 查看下一步。"
    )))
}
