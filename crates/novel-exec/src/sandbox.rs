//! Giving up rights for good, by rules of the kernel (Landlock), where a program works on the project
//! itself.
//!
//! Inside the project only the named directories may be written, and only plain files and directories
//! made there. Hidden files may not be read. Where the kernel can, no process outside may be sent a
//! signal. All else stays as it is: reading, running programs, writing outside the project. The kernel
//! keeps it so for the program and everything it starts. Permission bits, owners and times are not its
//! business: comparison finds changes of those.
//!
//! Landlock knows only what is allowed, and a right to a directory reaches all the way down. So
//! the right is given for every entry beside the path from `/` to the project, and **new entries
//! directly in a directory above the project cannot be made** (nor entries removed there). The same
//! holds for reading beside a hidden file.

#[cfg(target_os = "linux")]
#[path = "sandbox/landlock.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/none.rs"]
mod system;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{
    job::{Enforcement, Isolation, Job, Network},
    sandbox_error::SandboxError,
};

pub(crate) use system::die_with_parent;

/// What the kernel can enforce; `None` where it has no rules.
#[must_use]
pub fn available() -> Option<Enforcement> {
    system::available()
}

/// Gives up what the job takes from this thread.
///
/// # Errors
/// When the rules cannot be set up as they should; the program must not be started then.
pub fn apply(job: &Job) -> Result<(), SandboxError> {
    if job.network == Network::Closed {
        system::close_network()?;
    }
    let Isolation::Landlock(enforcement) = job.isolation else {
        return Ok(());
    };
    let hidden: Vec<PathBuf> = job.hidden.iter().map(PathBuf::from).collect();
    system::hide(&hidden)?;
    let root = canonical(&job.root)?;
    let mut open = Vec::new();
    for dir in &job.writable {
        let dir = canonical(dir)?;
        // A link out of the project must not widen what is allowed.
        if !dir.starts_with(&root) || dir == root {
            return Err(SandboxError::refused(format!(
                "`{}` is not a directory inside `{}`",
                dir.display(),
                root.display()
            )));
        }
        open.push(dir);
    }
    system::apply(&root, &open, enforcement)
}

fn canonical(path: &OsString) -> Result<PathBuf, SandboxError> {
    let path = Path::new(path);
    path.canonicalize().map_err(|source| SandboxError::Place {
        path: path.to_owned(),
        source,
    })
}
