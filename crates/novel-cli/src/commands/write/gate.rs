//! `novel gate accept|rewrite N`.

use clap::Subcommand;
use novel_app::write::gate;
use novel_model::{ChapterNo, message};

use crate::{
    args::NoteArgs,
    context::Context,
    output::{CommandResult, Output},
};

/// Decide where the gate waits for you
///
/// When `novel next` stops with exit code 3, accept the chapter as it is, or have it rewritten.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct GateArgs {
    #[command(subcommand)]
    decision: Decision,
}

#[derive(Subcommand, Debug)]
enum Decision {
    /// Accept the staged chapter despite its verdict
    ///
    /// Applies to exactly this text: after a change the gate waits again.
    Accept {
        /// Chapter the gate waits at
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Rewrite the chapter
    ///
    /// The staged files go to `archive/` and the chapter starts with a draft.
    Rewrite {
        /// Chapter the gate waits at
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        #[command(flatten)]
        note: NoteArgs,
    },
}

pub(crate) fn run(context: &Context, args: &GateArgs) -> CommandResult {
    let project = context.project()?;
    let (report, note) = match &args.decision {
        Decision::Accept { chapter, reason } => {
            let report = gate::accept(&project, *chapter, reason.clone())?;
            let number = chapter.get();
            let note = message!(
                en: "Chapter {number} is accepted; commit it with `novel commit --chapter {number}`.",
                zh: "已接受第 {number} 章；用 `novel commit --chapter {number}` 提交。"
            );
            (report, note)
        }
        Decision::Rewrite { chapter, note } => {
            let report = gate::rewrite(&project, *chapter, note.read()?.as_deref())?;
            let number = chapter.get();
            let note = message!(
                en: "Chapter {number} will be rewritten; run `novel continue`.",
                zh: "第 {number} 章将重写；用 `novel continue` 开始。"
            );
            (report, note)
        }
    };
    Ok(Output::new(report.answer())
        .note(note)
        .about_config(project.warnings()))
}
