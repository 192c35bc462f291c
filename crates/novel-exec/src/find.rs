//! Finding a program before it is started, so that a missing one is told as such.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access};

/// The file of a program: a path (from `dir`, if it is not absolute), or a name looked up in the
/// directories of `search` as a shell would.
#[must_use]
pub fn find_program(program: &OsStr, dir: &Path, search: &OsStr) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    let name = Path::new(program);
    if name.components().count() > 1 || name.is_absolute() {
        return Some(dir.join(name)).filter(|path| is_program(path));
    }
    std::env::split_paths(search)
        .map(|place| dir.join(place).join(name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
