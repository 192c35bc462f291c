//! `novel agents [list] | show NAME | eject NAME`.

use clap::Subcommand;
use novel_app::setup::agents;
use novel_contract::setup::{AgentRow, AgentsAnswer};
use novel_model::{RelPath, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table,
};

/// Look at the prompts of the agents, or change them
///
/// Without a subcommand the agents are listed. A prompt in `agents/NAME.md` of the project replaces
/// the built-in one.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// List the agents
    List,
    /// Print the prompt of an agent
    Show {
        /// Agent, such as `chapter-writer`
        name: String,
    },
    /// Copy a built-in prompt to `agents/NAME.md`, to be changed there
    Eject {
        /// Agent, such as `chapter-writer`
        name: String,
    },
}

pub(crate) fn run(context: &Context, args: &AgentsArgs) -> CommandResult {
    let project = context.project()?;
    let output = match &args.action {
        None | Some(Action::List) => {
            let agents = agents::list(&project, context.lang)?;
            let built_in = message!(en: "built in", zh: "内置");
            let row = |agent: &AgentRow| {
                let place = agent.path.as_deref().unwrap_or(built_in.get(context.lang));
                vec![
                    agent.name.clone(),
                    format!("v{}", agent.version),
                    place.to_owned(),
                    agent.description.clone(),
                ]
            };
            let rows: Vec<Vec<String>> = agents.iter().map(row).collect();
            Output::new(AgentsAnswer {
                agents,
                warnings: Vec::new(),
            })
            .text(table::align(&rows))
        }
        Some(Action::Show { name }) => {
            let found = agents::show(&project, name)?;
            let mut text = found.text.clone();
            if !text.ends_with('\n') {
                text.push('\n');
            }
            Output::new(found.answer()).text(text)
        }
        Some(Action::Eject { name }) => {
            let found = agents::eject(&project, name)?;
            let path = found.own.as_ref().map_or("", RelPath::as_str);
            Output::new(found.answer())
                .text(format!("{path}\n"))
                .note(message!(
                    en: "Change `{path}`; remove it to restore the built-in prompt.",
                    zh: "可修改 `{path}`；删除它即恢复内置提示词。"
                ))
        }
    };
    Ok(output.about_config(project.warnings()))
}
