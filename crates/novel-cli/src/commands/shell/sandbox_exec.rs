//! `novel sandbox-exec`: becomes the program of a job.
//!
//! Hidden: `novel supervise` runs itself with it to start a foreign program, because only a process that
//! is about to become that program can give up its rights.

use std::path::PathBuf;

use crate::output::CommandResult;

/// Become a program that is kept out of a project
#[derive(clap::Args, Debug)]
#[command(hide = true)]
pub(crate) struct SandboxExecArgs {
    /// File with the job
    #[arg(value_name = "FILE")]
    job: PathBuf,

    /// Process that supervises it
    #[arg(value_name = "PID")]
    supervisor: u32,
}

pub(crate) fn run(args: &SandboxExecArgs) -> CommandResult {
    Err(novel_app::executor::exec(&args.job, args.supervisor).into())
}
