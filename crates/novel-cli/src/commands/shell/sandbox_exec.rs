//! `novel sandbox-exec`: becomes a program that may not write into a project.
//!
//! Hidden: `novel continue` runs itself with it to start a foreign program, because only a process
//! that is about to become that program can give up its rights.

use std::{ffi::OsString, path::PathBuf};

use novel_exec::sandbox::{self, Confinement};

use crate::output::CommandResult;

/// Become a program that may not write into a project
#[derive(clap::Args, Debug)]
#[command(hide = true)]
pub(crate) struct SandboxExecArgs {
    /// Project that may not be written
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Directory in it that may
    #[arg(long, value_name = "DIR", requires = "root")]
    writable: Vec<PathBuf>,

    /// Program
    #[arg(value_name = "PROGRAM")]
    program: OsString,

    /// Its arguments
    #[arg(value_name = "ARG", last = true)]
    args: Vec<OsString>,
}

pub(crate) fn run(args: &SandboxExecArgs) -> CommandResult {
    let confinement = args.root.clone().map(|root| Confinement {
        root,
        writable: args.writable.clone(),
    });
    Err(sandbox::exec(confinement.as_ref(), &args.program, &args.args).into())
}
