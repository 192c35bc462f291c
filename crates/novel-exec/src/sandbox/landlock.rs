//! The sandbox by Linux' Landlock.

use std::{
    collections::BTreeSet,
    fs,
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
};

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr,
};
use rustix::fs::{FileType, Mode, OFlags};

use super::{Enforcement, SandboxError};

pub(super) fn available() -> Enforcement {
    [Enforcement::Full, Enforcement::Partial]
        .into_iter()
        .find(|enforcement| ruleset(*enforcement).is_ok())
        .unwrap_or(Enforcement::None)
}

pub(super) fn die_with_parent() {
    // An agent that outlives a killed run is a nuisance, not a fault of this one.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Truncating came with the third version; what came later has nothing to do with contents.
const fn abi(enforcement: Enforcement) -> ABI {
    match enforcement {
        Enforcement::Full => ABI::V3,
        Enforcement::Partial => ABI::V1,
        Enforcement::None => ABI::Unsupported,
    }
}

fn ruleset(enforcement: Enforcement) -> Result<RulesetCreated, SandboxError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(abi(enforcement)))
        .and_then(Ruleset::create)
        .map_err(refused)
}

fn refused(error: impl std::fmt::Display) -> SandboxError {
    SandboxError::Refused {
        reason: error.to_string(),
    }
}

pub(super) fn apply(
    root: &Path,
    writable: &[PathBuf],
    enforcement: Enforcement,
) -> Result<(), SandboxError> {
    let abi = abi(enforcement);
    let mut ruleset = ruleset(enforcement)?;
    // By number, not by name: a second way to the same directory (a bind mount beside the path)
    // must not open it.
    let closed: BTreeSet<(u64, u64)> = root
        .ancestors()
        .filter_map(|dir| fs::metadata(dir).ok())
        .map(|metadata| (metadata.dev(), metadata.ino()))
        .collect();
    for dir in root.ancestors().skip(1) {
        // What can not be listed is not opened either.
        let Ok(entries) = fs::read_dir(dir) else {
            continue;
        };
        for entry in entries.flatten() {
            ruleset = allow(ruleset, &entry.path(), abi, &closed)?;
        }
    }
    for dir in writable {
        ruleset = allow(ruleset, dir, abi, &closed)?;
    }
    ruleset.restrict_self().map_err(refused)?;
    Ok(())
}

/// Allows writing to and below `path`. A link is not followed: its end has a rule of its own, or
/// none.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    abi: ABI,
    closed: &BTreeSet<(u64, u64)>,
) -> Result<RulesetCreated, SandboxError> {
    let Ok(fd) = open(path) else {
        return Ok(ruleset);
    };
    let Ok(stat) = rustix::fs::fstat(&fd) else {
        return Ok(ruleset);
    };
    let rights: BitFlags<AccessFs> = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => return Ok(ruleset),
        FileType::Directory => AccessFs::from_write(abi),
        _ => AccessFs::from_write(abi) & AccessFs::from_file(abi),
    };
    if closed.contains(&(stat.st_dev, stat.st_ino)) {
        return Ok(ruleset);
    }
    ruleset
        .add_rule(PathBeneath::new(fd, rights))
        .map_err(refused)
}

fn open(path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty())
}
