//! `novel completions SHELL`.

use clap::CommandFactory;
use clap_complete::Shell;
use novel_contract::shell::CompletionsAnswer;

use crate::{
    commands::Cli,
    context::Context,
    output::{CommandResult, Output},
};

/// Print a completion script for a shell
///
/// For bash: `novel completions bash > ~/.local/share/bash-completion/completions/novel`
#[derive(clap::Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(_context: &Context, args: &CompletionsArgs) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "novel", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let data = CompletionsAnswer {
        shell: args.shell.to_string(),
        script: script.clone(),
    };
    Ok(Output::new(data).text(script))
}
