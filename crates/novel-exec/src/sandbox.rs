//! Giving up the right to write into a project, for good, before becoming another program.
//!
//! Reading, running and the network stay as they are; so does writing outside the project. Inside
//! it only the named directories may be written. The kernel (Landlock) keeps it so for the program
//! and everything it starts. Permission bits and times are not its business: comparison finds
//! changes of those.
//!
//! Landlock knows only what is allowed, and a right to a directory reaches all the way down. So
//! the right is given for every entry beside the path from `/` to the project, and **new entries
//! directly in a directory above the project can not be made** (nor entries removed there). A
//! program that needs to, runs without the sandbox and under comparison alone.

#[cfg(target_os = "linux")]
#[path = "sandbox/landlock.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/none.rs"]
mod system;

use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

use novel_model::{Explain, Kind, Message, message};

/// How well the system can keep a program out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforcement {
    /// Not at all.
    None,
    /// Files can not be made, removed or opened for writing; truncating may go through.
    Partial,
    /// No content can be changed.
    Full,
}

/// What this system can do.
#[must_use]
pub fn available() -> Enforcement {
    system::available()
}

/// Why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A directory can not be used.
    #[error("`{}` can not be used", path.display())]
    Place {
        /// The directory.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The system refused.
    #[error("the sandbox can not be set up: {reason}")]
    Refused {
        /// In its words.
        reason: String,
    },
    /// The program can not be started.
    #[error("`{}` can not be run", program.display())]
    Exec {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Gives up this thread's right to write inside `root`, except in the directories `writable`.
/// Returns what the system enforces from now on, which is what it said it can ([`available`]).
///
/// # Errors
/// When the sandbox can not be set up as it should; nothing was given up then.
pub fn apply(root: &Path, writable: &[PathBuf]) -> Result<Enforcement, SandboxError> {
    let enforcement = available();
    if enforcement == Enforcement::None {
        return Ok(enforcement);
    }
    let root = canonical(root)?;
    let mut open = Vec::new();
    for dir in writable {
        let dir = canonical(dir)?;
        // A link out of the project must not widen what is allowed.
        if !dir.starts_with(&root) || dir == root {
            return Err(SandboxError::Refused {
                reason: format!(
                    "`{}` is no directory inside `{}`",
                    dir.display(),
                    root.display()
                ),
            });
        }
        open.push(dir);
    }
    system::apply(&root, &open, enforcement)?;
    Ok(enforcement)
}

/// The part of the disk a program is kept out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// A project, which may not be written.
    pub root: PathBuf,
    /// Directories in it that may.
    pub writable: Vec<PathBuf>,
}

/// Becomes the program, under the confinement if there is one. The program dies with the process
/// that started this one, where the system can see to it. Returns only when something fails.
#[must_use]
pub fn exec(confinement: Option<&Confinement>, program: &OsStr, args: &[OsString]) -> SandboxError {
    system::die_with_parent();
    let applied = confinement.map(|area| apply(&area.root, &area.writable));
    match applied.transpose() {
        Err(error) => error,
        Ok(_) => SandboxError::Exec {
            program: program.into(),
            source: Command::new(program).args(args).exec(),
        },
    }
}

fn canonical(path: &Path) -> Result<PathBuf, SandboxError> {
    path.canonicalize().map_err(|source| SandboxError::Place {
        path: path.to_owned(),
        source,
    })
}

impl Explain for SandboxError {
    fn kind(&self) -> Kind {
        Kind::Provider
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Place { .. } | Self::Refused { .. } => "SANDBOX_FAILED",
            Self::Exec { .. } => "COMMAND_NOT_STARTED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Place { path, source } => message!(
                en: "the sandbox can not be set up: `{}`: {source}",
                zh: "无法建立沙箱：`{}`：{source}", path.display()
            ),
            Self::Refused { reason } => message!(
                en: "the sandbox can not be set up: {reason}", zh: "无法建立沙箱：{reason}"
            ),
            Self::Exec { program, source } => message!(
                en: "`{}` can not be run: {source}", zh: "无法运行 `{}`：{source}", program.display()
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::Place { .. } | Self::Refused { .. } => Some(message!(
                en: "set `sandbox = \"compare\"` under `[command]` in novel.toml to go on with comparison alone",
                zh: "可在 novel.toml 的 `[command]` 中设置 `sandbox = \"compare\"`，只用前后比对"
            )),
            Self::Exec { .. } => None,
        }
    }
}
