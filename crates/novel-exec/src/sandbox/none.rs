//! A system without Landlock.

use std::path::{Path, PathBuf};

use super::{Enforcement, SandboxError};

pub(super) fn available() -> Enforcement {
    Enforcement::None
}

pub(super) fn apply(
    _root: &Path,
    _writable: &[PathBuf],
    _enforcement: Enforcement,
) -> Result<(), SandboxError> {
    Ok(())
}

pub(super) fn die_with_parent() {}
