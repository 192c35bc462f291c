//! `novel instructions STEP`.

use novel_app::instructions::{self, Save};
use novel_engine::packet::PacketMode;
use novel_model::{StepId, message, to_json_text};

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Print the instruction packet of a step
///
/// The packet says who does the step, what it may read, what it must write and what comes after.
/// Files are named by path; `--embed` gives their contents instead.
#[derive(clap::Args, Debug)]
pub(crate) struct InstructionsArgs {
    /// Step, such as `chapter:048:draft`
    step: StepId,

    /// Put the contents of files into the packet, wrapped as data
    #[arg(long)]
    embed: bool,

    /// Save the packet under `staging/manifests/` too
    #[arg(long)]
    write_manifest: bool,
}

pub(crate) fn run(context: &Context, args: &InstructionsArgs) -> CommandResult {
    let mode = if args.embed {
        PacketMode::Embed
    } else {
        PacketMode::Paths
    };
    let save = if args.write_manifest {
        Save::Manifest
    } else {
        Save::Print
    };
    let project = context.project()?;
    let report = instructions::instructions(&project, args.step, mode, save)?;
    let mut output = Output::new(report.to_json(context.lang))
        .text(to_json_text(&report.packet))
        .about_config(project.warnings());
    if let Some(path) = &report.manifest_path {
        output = output.note(message!(en: "Saved as `{path}`.", zh: "已保存为 `{path}`。"));
    }
    Ok(output)
}
