//! A process that stands in for another: starts it, waits for it, ends as it ended.

use std::{
    ffi::{OsStr, OsString},
    io,
    process::Command,
};

use rustix::{
    io::Errno,
    process::{Pid, WaitOptions, WaitStatus, wait},
};

use crate::sandbox_error::SandboxError;

/// Starts a program with this process's streams.
pub(crate) fn start(program: &OsStr, args: &[OsString]) -> Result<Pid, SandboxError> {
    let failed = |source| SandboxError::Exec {
        program: program.into(),
        source,
    };
    let child = Command::new(program).args(args).spawn().map_err(failed)?;
    let pid = Pid::from_raw(child.id().cast_signed());
    pid.ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))
}

/// Waits for the program, and collects the dead that were adopted meanwhile.
pub(crate) fn wait_for(leader: Pid) -> io::Result<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == leader => return Ok(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Ends this process as the program ended; as a shell tells it where a signal ended the program.
pub(crate) fn exit_as(status: WaitStatus) -> ! {
    let code = status.exit_status();
    exit(
        code.or_else(|| Some(128 + status.terminating_signal()?))
            .unwrap_or(1),
    )
}

#[expect(
    clippy::exit,
    reason = "a process that stands in for another ends with its code"
)]
pub(crate) fn exit(code: i32) -> ! {
    std::process::exit(code)
}
