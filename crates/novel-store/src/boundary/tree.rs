//! What stands in a project, found without following a link.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, Metadata},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use crate::{
    fs::{FileKind, FsError, Operation},
    real::fault_of_io,
};

/// Seconds and nanoseconds since 1970.
type Moment = (i64, i64);

/// What the system says about one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) kind: FileKind,
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) links: u64,
    pub(super) len: u64,
    pub(super) mode: u32,
    pub(super) modified: Moment,
    pub(super) changed: Moment,
    /// Where a symbolic link points.
    pub(super) target: Option<PathBuf>,
}

impl Facts {
    /// Of what stands at `path`, or `None`.
    pub(super) fn of(path: &Path) -> io::Result<Option<Self>> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let kind = kind_of(&metadata);
        let target = match kind {
            FileKind::Link => match fs::read_link(path) {
                Ok(target) => Some(target),
                Err(error) if is_absent(&error) => return Ok(None),
                Err(error) => return Err(error),
            },
            FileKind::File | FileKind::Dir | FileKind::Special => None,
        };
        Ok(Some(Self {
            kind,
            device: metadata.dev(),
            inode: metadata.ino(),
            links: metadata.nlink(),
            len: metadata.len(),
            mode: metadata.mode() & 0o7777,
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            target,
        }))
    }

    /// The same file, whatever its name.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Nothing was done to it. A directory's times tell of its entries, which are compared
    /// themselves.
    pub(super) fn is_untouched(&self, before: &Self) -> bool {
        match self.kind {
            FileKind::Dir => before.kind == FileKind::Dir && self.mode == before.mode,
            FileKind::File | FileKind::Link | FileKind::Special => self == before,
        }
    }
}

fn kind_of(metadata: &Metadata) -> FileKind {
    let kind = metadata.file_type();
    if kind.is_file() {
        FileKind::File
    } else if kind.is_dir() {
        FileKind::Dir
    } else if kind.is_symlink() {
        FileKind::Link
    } else {
        debug_assert!(
            kind.is_socket() || kind.is_fifo() || kind.is_block_device() || kind.is_char_device()
        );
        FileKind::Special
    }
}

/// Nothing is there, or what was above it is a directory no more.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

pub(super) fn failed(operation: Operation, path: &Path) -> impl Fn(io::Error) -> FsError {
    move |error| FsError::new(operation, shown(path), fault_of_io(error))
}

/// A path as text for people and logs; a name may hold anything but `/` and NUL.
pub(super) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.chars().any(char::is_control) {
        return text.escape_debug().to_string();
    }
    text.into_owned()
}

/// Every entry below `root`, by its path from there; `skip` is the place of kept contents.
pub(super) fn walk(root: &Path, skip: Option<&Facts>) -> Result<BTreeMap<PathBuf, Facts>, FsError> {
    let mut found = BTreeMap::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(dir) = pending.pop() {
        let entries = match fs::read_dir(root.join(&dir)) {
            Ok(entries) => entries,
            Err(error) if is_absent(&error) && !dir.as_os_str().is_empty() => continue,
            // A directory nobody may look into has no entries that count.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            Err(error) => return Err(failed(Operation::List, &dir)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(failed(Operation::List, &dir))?;
            let path = dir.join(entry.file_name());
            if is_ignored(&path) {
                continue;
            }
            let facts = Facts::of(&root.join(&path)).map_err(failed(Operation::Examine, &path))?;
            let Some(facts) = facts else { continue };
            if skip.is_some_and(|skip| skip.is_same_file(&facts)) {
                continue;
            }
            if facts.kind == FileKind::Dir {
                pending.push(path.clone());
            }
            if !is_frame(&path, facts.kind) {
                found.insert(path, facts);
            }
        }
    }
    Ok(found)
}

/// What others write at any time: the lock with its heartbeat, and git's own bookkeeping (but not
/// what git would run).
fn is_ignored(path: &Path) -> bool {
    let mut names = path.components().map(|part| part.as_os_str());
    let Some(first) = names.next() else {
        return false;
    };
    if first.as_encoded_bytes().starts_with(b".novel.lock") {
        return true;
    }
    first == ".git"
        && names
            .next()
            .is_some_and(|second| second != OsStr::new("hooks") && second != OsStr::new("config"))
}

/// Directories that come and go with the program's own work; their contents count all the same.
fn is_frame(path: &Path, kind: FileKind) -> bool {
    kind == FileKind::Dir && (path == Path::new(".novel.journal") || path == Path::new(".git"))
}
