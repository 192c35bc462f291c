//! `novel continue [N]`.

use clap::{ValueEnum, value_parser};
use novel_app::run::FromError;
use novel_engine::{config::ExecutorKind, run::Stop};
use novel_model::{Warning, message};
use serde_json::json;

use crate::{
    context::Context,
    output::{CommandResult, Output},
    writing::{self, Wish},
};

/// More chapters than this in one go are better looked at in between (seed 003).
const ADVISED: u32 = 5;

/// Write the next chapters
///
/// An interrupted chapter is finished first. Each chapter is drafted, summarized, refined and
/// judged, revised where the gate asks for it, and committed. Ctrl-C stops where nothing is lost;
/// answers that arrived are not asked for again.
#[derive(clap::Args, Debug)]
pub(crate) struct ContinueArgs {
    /// Chapters to write; at most 5 are advised
    #[arg(value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    chapters: u32,

    /// Try a step again that failed before
    #[arg(long)]
    retry: bool,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

/// Who runs the agents.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum Executor {
    /// The embedded author, which is not a language model
    Offline,
    /// A language model
    Llm,
    /// A program
    Command,
}

impl From<Executor> for ExecutorKind {
    fn from(executor: Executor) -> Self {
        match executor {
            Executor::Offline => Self::Offline,
            Executor::Llm => Self::Llm,
            Executor::Command => Self::Command,
        }
    }
}

pub(crate) fn run(context: &Context, args: &ContinueArgs) -> CommandResult {
    let project = context.project()?;
    let many = (args.chapters > ADVISED).then(|| too_many(args.chapters));
    if let Some(warning) = &many {
        context.printer.warning(warning);
    }
    let written = writing::write(
        context,
        &project,
        Wish {
            chapters: args.chapters,
            from_error: if args.retry {
                FromError::Retry
            } else {
                FromError::Refuse
            },
            executor: args.executor.map(Into::into),
        },
    )?;
    let mut data = written.report.to_json(context.lang);
    data["executor"] = json!(written.executor.word());
    let mut output = Output::new(data);
    if args.chapters > 1 {
        let head = message!(en: "Done:", zh: "续写完成：");
        let summary = writing::summary(&head, &written.seen.finished);
        output = output.text(summary.get(context.lang));
    }
    let shown = written.seen.warnings;
    let unseen: Vec<Warning> = written
        .report
        .warnings
        .iter()
        .filter(|warning| !shown.contains(warning))
        .cloned()
        .collect();
    output = output
        .warnings(&unseen)
        .about_config(project.warnings())
        .shown_already(many);
    Ok(output.note(match written.report.stop {
        Stop::VolumeEnd => message!(
            en: "The volume is complete; `novel next` gives its review.",
            zh: "本卷已完结；`novel next` 会给出卷末回顾。"
        ),
        _ => message!(
            en: "Go on with `novel continue`; `novel status` shows where the book stands.",
            zh: "用 `novel continue` 继续；`novel status` 查看进展。"
        ),
    }))
}

fn too_many(chapters: u32) -> Warning {
    Warning::new(
        "many_chapters",
        message!(
            en: "{chapters} chapters in one go: at most {ADVISED} are advised, so that you can look at them in between",
            zh: "一次续写 {chapters} 章：建议不超过 {ADVISED} 章，以便中途查看"
        ),
    )
}
