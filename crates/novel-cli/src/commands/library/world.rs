//! `novel world add TEXT`.

use clap::Subcommand;
use novel_app::setup::world;
use novel_model::{counted, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    writing::{self, Executor},
};

/// Add to the world of the book
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct WorldArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Write something new into the world
    ///
    /// New rules are numbered and hold from the next chapter on; old ones stay as they are. Lists
    /// the contracts of characters and of later chapters that mention the same. `novel undo` takes
    /// it back.
    Add {
        /// What is new, in your own words
        text: String,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
}

pub(crate) fn run(context: &Context, args: &WorldArgs) -> CommandResult {
    let project = context.project()?;
    let Action::Add { text, executor } = &args.action;
    let other = executor.map(Into::into);
    let report = writing::ask(context, &project, other, |runner| world::add(runner, text))?;
    let mut shown = String::new();
    for rule in &report.rules {
        shown.push_str(&format!("[{}][{}] {}\n", rule.id, rule.category, rule.rule));
    }
    for it in &report.touched {
        shown.push_str(&format!(
            "{} {} ({})\n",
            it.path,
            it.id,
            it.terms.join(", ")
        ));
    }
    let count = report.touched.len();
    let note = if count == 0 {
        message!(
            en: "No contract mentions it. `novel undo` reverts it.",
            zh: "不影响现有契约。`novel undo` 可撤销。"
        )
    } else {
        let contracts = counted(count, "contract");
        message!(
            en: "Named in {contracts}: check whether they still fit. `novel undo` reverts it.",
            zh: "有 {count} 条契约提到它，请看是否仍然相容。`novel undo` 可撤销。"
        )
    };
    Ok(Output::new(report.answer())
        .text(shown)
        .note(note)
        .about_config(project.warnings()))
}
