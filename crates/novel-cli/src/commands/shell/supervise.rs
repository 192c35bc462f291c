//! `novel supervise`: runs the program of a job and ends with it everything it started.
//!
//! Hidden: `novel continue` runs itself with it to start a foreign program, because only a process of its
//! own can have namespaces of its own or adopt what that program leaves behind.

use std::path::PathBuf;

use crate::{output::CommandResult, writing};

/// Run a program and end everything it started
#[derive(clap::Args, Debug)]
#[command(hide = true)]
pub(crate) struct SuperviseArgs {
    /// File with the job
    #[arg(value_name = "FILE")]
    job: PathBuf,
}

pub(crate) fn run(args: &SuperviseArgs) -> CommandResult {
    let launcher = writing::launcher()?;
    Err(novel_app::executor::supervise(&args.job, &launcher).into())
}
