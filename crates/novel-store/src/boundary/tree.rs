//! What stands in a project, found without following a link.

use std::{
    collections::BTreeMap,
    ffi::{CString, OsStr},
    fs::{self, File, Metadata, Permissions},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use novel_model::RelPath;
use rustix::{
    fs::{Mode, OFlags},
    io::Errno,
};

use crate::{
    fs::{FileKind, FsError, Operation},
    real::fault_of_io,
};

/// Names and values of extended attributes.
pub(super) type Attributes = BTreeMap<CString, Vec<u8>>;

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
    /// User and group.
    pub(super) owner: (u32, u32),
    /// Extended attributes, by name.
    pub(super) attributes: Attributes,
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
            owner: (metadata.uid(), metadata.gid()),
            attributes: attributes(path),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            target,
        }))
    }

    /// Whether both are one inode, under any name.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Nothing was done to it. A directory's times tell of its entries, which are compared
    /// themselves.
    pub(super) fn is_untouched(&self, before: &Self) -> bool {
        match self.kind {
            FileKind::Dir => before.kind == FileKind::Dir && self.has_same_metadata(before),
            FileKind::File | FileKind::Link | FileKind::Special => self == before,
        }
    }

    /// Permissions, owner and attributes are the same, and for a file its time.
    pub(super) fn has_same_metadata(&self, before: &Self) -> bool {
        // A link has no mode of its own.
        (self.kind == FileKind::Link || self.mode == before.mode)
            && self.owner == before.owner
            && self.attributes == before.attributes
            && (self.kind != FileKind::File || self.modified == before.modified)
    }

    /// Whether a project cannot hold such a thing, wherever it stands: a link, a pipe or device, a
    /// name that is no name of a project file, a directory closed to its owner.
    pub(super) fn is_unfit(&self, path: &Path) -> bool {
        let is_named = path
            .to_str()
            .is_some_and(|path| path.parse::<RelPath>().is_ok());
        let is_fit = match self.kind {
            FileKind::File => true,
            FileKind::Dir => self.mode & 0o700 == 0o700,
            FileKind::Link | FileKind::Special => false,
        };
        !is_named || !is_fit
    }
}

/// None where the system has none or does not tell.
fn attributes(path: &Path) -> Attributes {
    let names = |room: usize| {
        let mut list = Vec::with_capacity(room);
        rustix::fs::llistxattr(path, rustix::buffer::spare_capacity(&mut list))?;
        Ok::<_, Errno>(list)
    };
    let list = match names(1 << 10) {
        Err(Errno::RANGE) => names(1 << 16),
        other => other,
    };
    let list = list.unwrap_or_default();
    let names = list.split_inclusive(|byte| *byte == 0);
    names
        .filter_map(|name| {
            let name = CString::from_vec_with_nul(name.to_vec()).ok()?;
            let mut value = Vec::with_capacity(1 << 16);
            rustix::fs::lgetxattr(path, &name, rustix::buffer::spare_capacity(&mut value)).ok()?;
            Some((name, value))
        })
        .collect()
}

/// Opens a regular file, whatever its mode says to its owner; never follows a link or waits for a pipe.
pub(super) fn open_plainly(path: &Path) -> io::Result<File> {
    let open = || {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty())
    };
    let fd = match open() {
        Err(Errno::ACCESS) => {
            fs::set_permissions(path, Permissions::from_mode(0o600))?;
            open()
        }
        other => other,
    }?;
    let file = File::from(fd);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::ErrorKind::InvalidData.into())
    }
}

/// Whether two files hold the same bytes.
pub(super) fn same_bytes(left: &Path, right: &Path) -> io::Result<bool> {
    let (mut left, mut right) = (open_plainly(left)?, open_plainly(right)?);
    let (mut one, mut other) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let count = left.read(&mut one)?;
        if count == 0 {
            return Ok(right.read(&mut other)? == 0);
        }
        match right.read_exact(&mut other[..count]) {
            Ok(()) if one[..count] == other[..count] => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
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
    walk_but(root, skip, is_ignored)
}

/// Like `walk`, leaving out what `is_ignored`.
pub(super) fn walk_but(
    root: &Path,
    skip: Option<&Facts>,
    is_ignored: impl Fn(&Path) -> bool,
) -> Result<BTreeMap<PathBuf, Facts>, FsError> {
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

/// What others write at any time: the lock with its heartbeat, the inbox of a run, and git's own
/// bookkeeping (but not what git would run).
fn is_ignored(path: &Path) -> bool {
    let is_lock = |first: &OsStr| {
        let first = first.as_encoded_bytes();
        first.starts_with(b".novel.lock")
            || first.starts_with(b".novel.agent")
            || first == b".novel.inbox"
    };
    if path.iter().next().is_some_and(is_lock) {
        return true;
    }
    is_git_bookkeeping(path)
}

/// What git writes for itself, but not what it would run.
pub(super) fn is_git_bookkeeping(path: &Path) -> bool {
    let mut names = path.components().map(|part| part.as_os_str());
    names.next() == Some(OsStr::new(".git"))
        && names
            .next()
            .is_some_and(|second| second != OsStr::new("hooks") && second != OsStr::new("config"))
}

/// Directories that come and go with the program's own work; their contents count all the same.
fn is_frame(path: &Path, kind: FileKind) -> bool {
    kind == FileKind::Dir && (path == Path::new(".novel.journal") || path == Path::new(".git"))
}
