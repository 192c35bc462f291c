//! Becoming a foreign program, apart from the project.

use std::{convert::Infallible, os::unix::process::CommandExt, path::Path, process::Command};

use rustix::process::getppid;

use crate::{
    job::{Isolation, Job},
    process, sandbox,
    sandbox_error::SandboxError,
    view,
};

/// Runs the program of a job in the place of this process, which `supervisor` started and which ends with
/// it. Returns only when something fails.
#[must_use]
pub fn exec(file: &Path, supervisor: u32) -> SandboxError {
    match Job::read(file).and_then(|job| launch(&job, supervisor)) {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

fn launch(job: &Job, supervisor: u32) -> Result<Infallible, SandboxError> {
    if job.isolation == Isolation::View {
        return view::be_first(job, supervisor);
    }
    sandbox::die_with_parent();
    if !process::is_process(getppid(), supervisor) {
        return Err(SandboxError::refused("the supervisor is gone"));
    }
    sandbox::apply(job)?;
    Err(SandboxError::Exec {
        program: (&job.program).into(),
        source: Command::new(&job.program).args(&job.args).exec(),
    })
}
