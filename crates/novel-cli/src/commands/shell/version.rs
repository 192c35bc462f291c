//! `novel version`.

use novel_contract::shell::VersionAnswer;

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Print the version
#[derive(clap::Args, Debug)]
pub(crate) struct VersionArgs {}

pub(crate) fn run(_context: &Context, _args: &VersionArgs) -> CommandResult {
    Ok(output())
}

/// The version, also for `--version`.
pub(crate) fn output() -> Output {
    let version = env!("CARGO_PKG_VERSION");
    Output::new(VersionAnswer {
        version: version.to_owned(),
    })
    .text(format!("novel {version}\n"))
}
