//! The sandbox by Linux' Landlock.

use std::{
    collections::BTreeSet,
    fs,
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
};

use landlock::{
    ABI, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};
use rustix::fs::{FileType, Mode, OFlags};

use crate::{job::Enforcement, sandbox_error::SandboxError};

pub(super) fn available() -> Option<Enforcement> {
    [Enforcement::Full, Enforcement::Partial]
        .into_iter()
        .find(|enforcement| ruleset(*enforcement).is_ok())
}

pub(crate) fn die_with_parent() {
    // Where it is refused, the supervisor still sees that its starter is gone.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Truncating came with the third version; what came later has nothing to do with contents.
const fn abi(enforcement: Enforcement) -> ABI {
    match enforcement {
        Enforcement::Full => ABI::V3,
        Enforcement::Partial => ABI::V1,
    }
}

/// What may be made in the directories of a project: no device, pipe, socket or link.
fn in_project(abi: ABI) -> BitFlags<AccessFs> {
    AccessFs::from_write(abi)
        & !(AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeFifo
            | AccessFs::MakeSock
            | AccessFs::MakeSym)
}

/// Rules about writing. Signals to processes outside are refused where the kernel can do that.
fn ruleset(enforcement: Enforcement) -> Result<RulesetCreated, SandboxError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(abi(enforcement)))
        .and_then(|ruleset| {
            ruleset
                .set_compatibility(CompatLevel::BestEffort)
                .scope(Scope::Signal)
        })
        .and_then(Ruleset::create)
        .map_err(SandboxError::refused)
}

pub(super) fn apply(
    root: &Path,
    writable: &[PathBuf],
    enforcement: Enforcement,
) -> Result<(), SandboxError> {
    let abi = abi(enforcement);
    let mut ruleset = ruleset(enforcement)?;
    let closed = Closed::around(&[root.to_owned()]);
    for path in closed.beside() {
        ruleset = allow(ruleset, &path, AccessFs::from_write(abi), &closed)?;
    }
    for dir in writable {
        ruleset = allow(ruleset, dir, in_project(abi), &closed)?;
    }
    ruleset.restrict_self().map_err(SandboxError::refused)?;
    Ok(())
}

/// Gives up the right to read some files. Listing directories stays allowed.
pub(super) fn hide(files: &[PathBuf]) -> Result<(), SandboxError> {
    if files.is_empty() {
        return Ok(());
    }
    let reading = BitFlags::from(AccessFs::ReadFile);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(reading)
        .and_then(Ruleset::create)
        .map_err(SandboxError::refused)?;
    let closed = Closed::around(files);
    for path in closed.beside() {
        ruleset = allow(ruleset, &path, reading, &closed)?;
    }
    ruleset.restrict_self().map_err(SandboxError::refused)?;
    Ok(())
}

/// Gives up TCP, in and out.
pub(super) fn close_network() -> Result<(), SandboxError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)
        .and_then(Ruleset::create)
        .and_then(RulesetCreated::restrict_self)
        .map_err(SandboxError::refused)?;
    Ok(())
}

/// Paths that get no rights, and the directories above them.
struct Closed {
    directories: BTreeSet<PathBuf>,
    /// By number, not by name: a second way to the same directory (a bind mount beside the path)
    /// must not open it.
    numbers: BTreeSet<(u64, u64)>,
}

impl Closed {
    fn around(paths: &[PathBuf]) -> Self {
        let number = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            Some((metadata.dev(), metadata.ino()))
        };
        Self {
            directories: paths
                .iter()
                .flat_map(|path| path.ancestors().skip(1))
                .map(Path::to_owned)
                .collect(),
            numbers: paths
                .iter()
                .flat_map(|path| path.ancestors())
                .filter_map(number)
                .collect(),
        }
    }

    /// Every entry of the directories above, the closed ones among them. What cannot be listed is
    /// not opened either.
    fn beside(&self) -> impl Iterator<Item = PathBuf> {
        self.directories
            .iter()
            .filter_map(|dir| fs::read_dir(dir).ok())
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
    }
}

/// Allows `rights` to and below `path`. A link is not followed: its end has a rule of its own, or
/// none.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
    closed: &Closed,
) -> Result<RulesetCreated, SandboxError> {
    let Ok(fd) = open(path) else {
        return Ok(ruleset);
    };
    let Ok(stat) = rustix::fs::fstat(&fd) else {
        return Ok(ruleset);
    };
    let rights = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => return Ok(ruleset),
        FileType::Directory => rights,
        _ => rights & AccessFs::from_file(ABI::V3),
    };
    if closed.numbers.contains(&(stat.st_dev, stat.st_ino)) {
        return Ok(ruleset);
    }
    ruleset
        .add_rule(PathBeneath::new(fd, rights))
        .map_err(SandboxError::refused)
}

fn open(path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty())
}
