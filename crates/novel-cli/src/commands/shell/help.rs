//! `novel help [COMMAND]...`.

use novel_contract::shell::HelpAnswer;
use novel_model::{Lang, message, nearest};

use crate::{
    commands::Cli,
    context::Context,
    help,
    output::{CommandResult, Output},
    usage::UsageError,
};

/// Print the help of a command
#[derive(clap::Args, Debug)]
pub(crate) struct HelpArgs {
    /// Command, such as `lock clear`; without one, the help of `novel`
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(context: &Context, args: &HelpArgs) -> CommandResult {
    let mut command = Cli::tree(context.lang);
    for word in &args.command {
        let Some(below) = command.find_subcommand(word) else {
            let known = command.get_subcommands().map(clap::Command::get_name);
            let hint = match nearest(word, known) {
                Some(near) => message!(en: "did you mean `{near}`?", zh: "是否想写 `{near}`？"),
                None => message!(en: "see `novel help`", zh: "参见 `novel help`"),
            };
            let message = message!(en: "unknown command `{word}`", zh: "未知的命令 `{word}`");
            return Err(UsageError::new(message, hint).into());
        };
        command = below.clone();
    }
    let help = command.render_long_help();
    let text = match context.lang {
        Lang::En => help.to_string(),
        Lang::Zh => help::with_chinese_marks(&help).to_string(),
    };
    Ok(Output::new(HelpAnswer { help: text.clone() }).text(text))
}
