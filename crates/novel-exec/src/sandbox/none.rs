//! A system without Landlock.

use std::path::{Path, PathBuf};

use crate::{job::Enforcement, sandbox_error::SandboxError};

pub(super) fn available() -> Option<Enforcement> {
    None
}

pub(super) fn apply(
    _root: &Path,
    _writable: &[PathBuf],
    _enforcement: Enforcement,
) -> Result<(), SandboxError> {
    Err(SandboxError::refused("this system has no Landlock"))
}

pub(super) fn hide(_files: &[PathBuf]) -> Result<(), SandboxError> {
    Err(SandboxError::refused("this system has no Landlock"))
}

pub(super) fn close_network() -> Result<(), SandboxError> {
    Err(SandboxError::refused(
        "this system cannot close the network to a program",
    ))
}

pub(crate) fn die_with_parent() {}
