//! The file system of the operating system, rooted at one project directory.
//!
//! Every path is walked component by component from the root's descriptor with
//! `O_NOFOLLOW`, so no symbolic link, not even one that appears in between, can
//! redirect a write. Reads resolve a link first and then walk the resolved path
//! the same way.

use std::{
    fs::File,
    io::{self, Write},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use novel_model::RelPath;
use rustix::{
    fs::{Access, AtFlags, CWD, FlockOperation, Mode, OFlags, RawDir, RenameFlags, Stat},
    io::Errno,
};

use crate::fs::{
    Dir, Fault, FileKind, FileSystem, FsError, MANY_FILES, Meta, Operation, RootGuard, Stamp,
};

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

/// How long another process may hold the project directory before it is not waited for any more.
/// A process that writes holds it for the length of one transaction, and whoever wants to write
/// meanwhile is refused by the lock before it waits here.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two looks at whether it is free.
const PAUSE: Duration = Duration::from_millis(5);

/// A project directory on disk.
#[derive(Debug)]
pub struct RealFs {
    root: PathBuf,
    fd: OwnedFd,
    turn: Turns,
}

impl RealFs {
    /// Opens an existing project directory.
    ///
    /// # Errors
    /// When it is not there or not a directory.
    pub fn open(root: &Path) -> Result<Self, FsError> {
        let failed = |fault| FsError::new(Operation::Open, root.display(), fault);
        let root = root
            .canonicalize()
            .map_err(|error| failed(fault_of_io(error)))?;
        let fd = rustix::fs::open(&root, DIRECTORY, Mode::empty())
            .map_err(|errno| failed(fault_of(errno)))?;
        let turn = Turns::default();
        Ok(Self { root, fd, turn })
    }

    /// Opens a project directory, making it durably when it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(root: &Path) -> Result<Self, FsError> {
        std::fs::create_dir_all(root).map_err(|error| {
            FsError::new(Operation::CreateDir, root.display(), fault_of_io(error))
        })?;
        let made = Self::open(root)?;
        made.sync_way()?;
        Ok(made)
    }

    /// Makes the names of the project directory and of those above it durable: a process that made
    /// some of them may have died.
    fn sync_way(&self) -> Result<(), FsError> {
        let device = |fd: &OwnedFd| rustix::fs::fstat(fd).map(|stat| stat.st_dev);
        for above in self.root.ancestors().skip(1) {
            let failed = |errno| FsError::new(Operation::Sync, above.display(), fault_of(errno));
            let fd = match rustix::fs::open(above, DIRECTORY, Mode::empty()) {
                Ok(fd) => fd,
                // What may not be opened was not made by this user.
                Err(Errno::ACCESS | Errno::PERM) => break,
                Err(errno) => return Err(failed(errno)),
            };
            if device(&fd).map_err(failed)? != device(&self.fd).map_err(failed)? {
                break;
            }
            rustix::fs::fsync(&fd).map_err(failed)?;
        }
        Ok(())
    }

    /// The project directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens something without following any link, in one system call. `None` when that cannot be
    /// done, or when only the way step by step says what is wrong.
    #[cfg(target_os = "linux")]
    fn open_at_once(&self, path: &RelPath, flags: OFlags) -> Option<Result<OwnedFd, Fault>> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(&self.fd, path.as_str(), flags, Mode::empty(), resolve) {
            Ok(fd) => Some(Ok(fd)),
            Err(Errno::NOENT) => Some(Err(Fault::NotFound)),
            Err(_) => None,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_at_once(&self, _path: &RelPath, _flags: OFlags) -> Option<Result<OwnedFd, Fault>> {
        None
    }

    /// Opens a directory without following any link.
    fn open_dir(&self, dir: &Dir) -> Result<OwnedFd, Fault> {
        if let Dir::At(path) = dir
            && let Some(opened) = self.open_at_once(path, DIRECTORY)
        {
            return opened;
        }
        let mut fd = self.fd.as_fd().try_clone_to_owned().map_err(Fault::Io)?;
        if let Dir::At(path) = dir {
            for name in path.as_str().split('/') {
                fd = step_down(fd.as_fd(), name)?;
            }
        }
        Ok(fd)
    }

    fn open_parent(&self, path: &RelPath) -> Result<OwnedFd, Fault> {
        self.open_dir(&Dir::of(path))
    }

    fn open_plain(&self, path: &RelPath) -> Result<File, Fault> {
        // O_NONBLOCK keeps a pipe in a file's place from blocking the program.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        if let Some(opened) = self.open_at_once(path, flags) {
            return opened.map(File::from);
        }
        let parent = self.open_parent(path)?;
        let fd =
            rustix::fs::openat(parent, path.file_name(), flags, Mode::empty()).map_err(fault_of)?;
        Ok(File::from(fd))
    }

    /// Opens a file for reading; links are followed as long as they stay inside.
    fn open_for_read(&self, path: &RelPath) -> Result<(File, Stat), Fault> {
        let file = match self.open_plain(path) {
            Err(Fault::ThroughLink) => self.open_plain(&self.resolve(path)?)?,
            other => other?,
        };
        let stat = rustix::fs::fstat(&file).map_err(fault_of)?;
        match kind_of(&stat) {
            FileKind::File => Ok((file, stat)),
            FileKind::Dir | FileKind::Link | FileKind::Special => Err(Fault::NotAFile),
        }
    }

    /// Where a path with links in it leads, as a path without links.
    fn resolve(&self, path: &RelPath) -> Result<RelPath, Fault> {
        let target = self
            .root
            .join(path.as_str())
            .canonicalize()
            .map_err(fault_of_io)?;
        let inside = target
            .strip_prefix(&self.root)
            .map_err(|_| Fault::LeavesProject)?;
        inside
            .to_str()
            .and_then(|inside| inside.parse().ok())
            .ok_or(Fault::ThroughLink)
    }

    fn open_for_write(&self, path: &RelPath, flags: OFlags) -> Result<File, Fault> {
        let parent = self.open_parent(path)?;
        let flags = flags | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        let fd = rustix::fs::openat(parent, path.file_name(), flags, mode).map_err(fault_of)?;
        Ok(File::from(fd))
    }

    /// Writes a file that has no name yet, and gives it one.
    #[cfg(target_os = "linux")]
    fn write_unnamed(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Fault> {
        let parent = self.open_parent(path)?;
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        let fd = rustix::fs::openat(&parent, ".", flags, mode).map_err(|errno| match errno {
            // Old kernels see an attempt to write a directory.
            Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL => Fault::Unsupported,
            other => fault_of(other),
        })?;
        let mut file = File::from(fd);
        file.write_all(bytes).map_err(fault_of_io)?;
        file.sync_all().map_err(fault_of_io)?;
        let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
        let follow = AtFlags::SYMLINK_FOLLOW;
        rustix::fs::linkat(CWD, unnamed, parent, path.file_name(), follow).map_err(|errno| {
            match errno {
                // Without `/proc` there is no way to say which file is meant.
                Errno::NOENT | Errno::NOTDIR | Errno::PERM | Errno::XDEV => Fault::Unsupported,
                other => fault_of(other),
            }
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn write_unnamed(&self, _path: &RelPath, _bytes: &[u8]) -> Result<(), Fault> {
        Err(Fault::Unsupported)
    }

    fn stat(&self, path: &RelPath) -> Result<Option<Stat>, Fault> {
        let parent = match self.open_parent(path) {
            Err(Fault::NotFound) => return Ok(None),
            other => other?,
        };
        match rustix::fs::statat(parent, path.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(fault_of(errno)),
        }
    }

    /// The nearest directory above `path` that exists.
    fn nearest_parent(&self, path: &RelPath) -> Result<OwnedFd, Fault> {
        let mut dir = Dir::of(path);
        loop {
            match (self.open_dir(&dir), &dir) {
                (Err(Fault::NotFound), Dir::At(missing)) => dir = Dir::of(missing),
                (other, _) => return other,
            }
        }
    }

    fn writable(&self, path: &RelPath) -> Result<(), Fault> {
        let parent = self.nearest_parent(path)?;
        let home = rustix::fs::fstat(&self.fd).map_err(fault_of)?;
        let place = rustix::fs::fstat(&parent).map_err(fault_of)?;
        if home.st_dev != place.st_dev {
            return Err(Fault::OtherDevice);
        }
        rustix::fs::accessat(
            &parent,
            ".",
            Access::WRITE_OK | Access::EXEC_OK,
            AtFlags::empty(),
        )
        .map_err(fault_of)?;
        let Some(stat) = self.stat(path)? else {
            return Ok(());
        };
        match kind_of(&stat) {
            FileKind::Link => Err(Fault::ThroughLink),
            FileKind::Dir | FileKind::Special => Err(Fault::NotAFile),
            // A rename would replace a read-only file; whoever took the write
            // bits away did not want that, and the superuser is no exception.
            FileKind::File if stat.st_mode & 0o222 == 0 => Err(Fault::Denied),
            FileKind::File => Ok(()),
        }
    }
}

impl FileSystem for RealFs {
    fn metadata(&self, path: &RelPath) -> Result<Option<Meta>, FsError> {
        let stat = self.stat(path).map_err(on(Operation::Examine, path))?;
        Ok(stat.map(|stat| Meta {
            kind: kind_of(&stat),
            len: u64::try_from(stat.st_size).unwrap_or(0),
            modified: modified(&stat),
        }))
    }

    /// In one call, links and all: a stamp is compared and leads nowhere, and a search takes two
    /// of each file.
    fn stamp(&self, path: &RelPath) -> Result<Option<Stamp>, FsError> {
        match rustix::fs::statat(&self.fd, path.as_str(), AtFlags::empty()) {
            Ok(stat) => Ok(Some(stamp_of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(on(Operation::Examine, path)(fault_of(errno))),
        }
    }

    fn read(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, FsError> {
        let failed = on(Operation::Read, path);
        let (file, stat) = self.open_for_read(path).map_err(&failed)?;
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if size > limit {
            return Err(failed(Fault::TooLarge { size, limit }));
        }
        // One byte more than it should have shows whether it has grown since.
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0) + 1];
        let mut filled = 0;
        loop {
            filled += fill(&file, &mut bytes[filled..], filled as u64)
                .map_err(|error| failed(fault_of_io(error)))?;
            if filled < bytes.len() {
                bytes.truncate(filled);
                return Ok(bytes);
            }
            if filled as u64 > limit {
                let size = filled as u64;
                return Err(failed(Fault::TooLarge { size, limit }));
            }
            bytes.resize(2 * filled, 0);
        }
    }

    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError> {
        let failed = on(Operation::Read, path);
        let (file, _) = self.open_for_read(path).map_err(&failed)?;
        let mut bytes = vec![0; len];
        let filled = fill(&file, &mut bytes, offset).map_err(|error| failed(fault_of_io(error)))?;
        bytes.truncate(filled);
        Ok(bytes)
    }

    fn list(&self, dir: &Dir) -> Result<Vec<String>, FsError> {
        self.list_ending(dir, "")
    }

    fn list_ending(&self, dir: &Dir, suffix: &str) -> Result<Vec<String>, FsError> {
        let failed = on(Operation::List, dir);
        let fd = match (self.open_dir(dir), dir) {
            (Err(Fault::ThroughLink), Dir::At(path)) => self
                .resolve(path)
                .and_then(|path| self.open_dir(&Dir::At(path))),
            (other, _) => other,
        }
        .map_err(&failed)?;
        let mut names = Vec::new();
        // Names are looked at in place: a directory of a long book has thousands.
        let mut buffer = Vec::with_capacity(64 << 10);
        let mut entries = RawDir::new(fd, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(|errno| failed(fault_of(errno)))?;
            let name = entry.file_name().to_bytes();
            if !name.ends_with(suffix.as_bytes()) || matches!(name, b"." | b"..") {
                continue;
            }
            // A name that is not UTF-8 is no name of a project file.
            if let Ok(name) = str::from_utf8(name) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    fn check_writable(&self, path: &RelPath) -> Result<(), FsError> {
        self.writable(path).map_err(on(Operation::Write, path))
    }

    fn create_dir(&self, path: &RelPath) -> Result<(), FsError> {
        let mode = Mode::from_raw_mode(0o777);
        self.open_parent(path)
            .and_then(|parent| {
                rustix::fs::mkdirat(parent, path.file_name(), mode).map_err(fault_of)
            })
            .map_err(on(Operation::CreateDir, path))
    }

    fn write_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        self.open_for_write(path, OFlags::CREATE | OFlags::EXCL)
            .and_then(|mut file| file.write_all(bytes).map_err(fault_of_io))
            .map_err(on(Operation::Write, path))
    }

    fn write_whole(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        self.write_unnamed(path, bytes)
            .map_err(on(Operation::Write, path))
    }

    fn append(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        self.open_for_write(path, OFlags::APPEND)
            .and_then(|mut file| file.write_all(bytes).map_err(fault_of_io))
            .map_err(on(Operation::Write, path))
    }

    fn truncate(&self, path: &RelPath, len: u64) -> Result<(), FsError> {
        self.open_for_write(path, OFlags::empty())
            .and_then(|file| file.set_len(len).map_err(fault_of_io))
            .map_err(on(Operation::Write, path))
    }

    fn sync_file(&self, path: &RelPath) -> Result<(), FsError> {
        self.open_plain(path)
            .and_then(|file| file.sync_all().map_err(fault_of_io))
            .map_err(on(Operation::Sync, path))
    }

    fn sync_files(&self, paths: &[RelPath]) -> Result<(), FsError> {
        if paths.len() < MANY_FILES || !tells_of_failed_syncs() {
            return paths.iter().try_for_each(|path| self.sync_file(path));
        }
        sync_file_system(&self.fd).map_err(on(Operation::Sync, &"."))
    }

    fn sync_dir(&self, dir: &Dir) -> Result<(), FsError> {
        self.open_dir(dir)
            .and_then(|fd| rustix::fs::fsync(fd).map_err(fault_of))
            .map_err(on(Operation::Sync, dir))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        let failed = on(Operation::Rename, to);
        let source = self.open_parent(from).map_err(&failed)?;
        let target = self.open_parent(to).map_err(&failed)?;
        rustix::fs::renameat(source, from.file_name(), target, to.file_name())
            .map_err(|errno| failed(fault_of(errno)))
    }

    fn rename_noreplace(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        let failed = on(Operation::Rename, to);
        let source = self.open_parent(from).map_err(&failed)?;
        let target = self.open_parent(to).map_err(&failed)?;
        let flags = RenameFlags::NOREPLACE;
        rustix::fs::renameat_with(source, from.file_name(), target, to.file_name(), flags).map_err(
            |errno| {
                failed(match errno {
                    // File systems without the flag answer "invalid argument".
                    Errno::INVAL | Errno::NOSYS => Fault::Unsupported,
                    other => fault_of(other),
                })
            },
        )
    }

    fn hard_link(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        let failed = on(Operation::Link, to);
        let source = self.open_parent(from).map_err(&failed)?;
        let target = self.open_parent(to).map_err(&failed)?;
        let (old, new) = (from.file_name(), to.file_name());
        rustix::fs::linkat(source, old, target, new, AtFlags::empty()).map_err(|errno| {
            failed(match errno {
                Errno::PERM | Errno::MLINK | Errno::XDEV | Errno::NOSYS => Fault::Unsupported,
                other => fault_of(other),
            })
        })
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FsError> {
        self.open_parent(path)
            .and_then(|parent| {
                rustix::fs::unlinkat(parent, path.file_name(), AtFlags::empty()).map_err(fault_of)
            })
            .map_err(on(Operation::Remove, path))
    }

    fn remove_dir(&self, path: &RelPath) -> Result<(), FsError> {
        self.open_parent(path)
            .and_then(|parent| {
                rustix::fs::unlinkat(parent, path.file_name(), AtFlags::REMOVEDIR).map_err(fault_of)
            })
            .map_err(on(Operation::Remove, path))
    }

    fn lock_root(&self) -> Result<RootGuard, FsError> {
        let failed = on(Operation::Lock, &Dir::Root);
        // Threads of this process wait for each other: none of them can be stopped alone.
        let turn = Turn::wait_for(&self.turn);
        // A descriptor of its own: locks of one open file do not exclude each other.
        let fd = rustix::fs::open(&self.root, DIRECTORY, Mode::empty())
            .map_err(|errno| failed(fault_of(errno)))?;
        let begun = Instant::now();
        loop {
            match rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(RootGuard::new((fd, turn))),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if begun.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(Errno::WOULDBLOCK) => return Err(failed(Fault::Locked)),
                Err(errno) => return Err(failed(fault_of(errno))),
            }
        }
    }
}

/// Which thread of this process holds the project directory.
type Turns = Arc<(Mutex<bool>, Condvar)>;

/// The turn of one thread, until dropped.
struct Turn(Turns);

impl Turn {
    fn wait_for(turns: &Turns) -> Self {
        let (taken, given_back) = &**turns;
        let taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = given_back.wait_while(taken, |taken| *taken);
        *taken.unwrap_or_else(PoisonError::into_inner) = true;
        Self(Arc::clone(turns))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (taken, given_back) = &*self.0;
        *taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        given_back.notify_one();
    }
}

/// Whether the system says that a sync of a whole file system failed: Linux does from 5.8 on.
#[cfg(target_os = "linux")]
fn tells_of_failed_syncs() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|char: char| !char.is_ascii_digit());
    let mut number = || numbers.next().and_then(|digits| digits.parse::<u32>().ok());
    matches!((number(), number()), (Some(major), Some(minor)) if (major, minor) >= (5, 8))
}

#[cfg(not(target_os = "linux"))]
fn tells_of_failed_syncs() -> bool {
    false
}

#[cfg(target_os = "linux")]
fn sync_file_system(fd: &OwnedFd) -> Result<(), Fault> {
    rustix::fs::syncfs(fd).map_err(fault_of)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_fd: &OwnedFd) -> Result<(), Fault> {
    Err(Fault::Unsupported)
}

/// Reads from `offset` until the buffer is full or the file ends.
fn fill(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Opens the directory `name` in `parent`; a link there is a fault.
fn step_down(parent: BorrowedFd<'_>, name: &str) -> Result<OwnedFd, Fault> {
    let flags = DIRECTORY | OFlags::NOFOLLOW;
    rustix::fs::openat(parent, name, flags, Mode::empty()).map_err(|errno| match errno {
        // With O_DIRECTORY a link is reported as "not a directory".
        Errno::NOTDIR | Errno::LOOP => {
            match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if kind_of(&stat) == FileKind::Link => Fault::ThroughLink,
                _ => Fault::NotADirectory,
            }
        }
        other => fault_of(other),
    })
}

fn on<P: ToString>(operation: Operation, path: &P) -> impl Fn(Fault) -> FsError {
    move |fault| FsError::new(operation, path.to_string(), fault)
}

fn kind_of(stat: &Stat) -> FileKind {
    match rustix::fs::FileType::from_raw_mode(stat.st_mode) {
        rustix::fs::FileType::RegularFile => FileKind::File,
        rustix::fs::FileType::Directory => FileKind::Dir,
        rustix::fs::FileType::Symlink => FileKind::Link,
        _ => FileKind::Special,
    }
}

fn modified(stat: &Stat) -> Timestamp {
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_fallible_conversions,
        reason = "the field's type differs between systems"
    )]
    let seconds = i64::try_from(stat.st_mtime).unwrap_or(0);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn stamp_of(stat: &Stat) -> Stamp {
    let time = |seconds, nanoseconds| i128::from(seconds) * 1_000_000_000 + nanoseconds;
    Stamp {
        inode: stat.st_ino,
        len: u64::try_from(stat.st_size).unwrap_or(0),
        modified: time(stat.st_mtime, i128::from(stat.st_mtime_nsec)),
        changed: time(stat.st_ctime, i128::from(stat.st_ctime_nsec)),
    }
}

fn fault_of(errno: Errno) -> Fault {
    match errno {
        Errno::NOENT => Fault::NotFound,
        Errno::EXIST => Fault::Exists,
        Errno::NOTEMPTY => Fault::NotEmpty,
        Errno::NOTDIR => Fault::NotADirectory,
        Errno::ISDIR => Fault::NotAFile,
        Errno::LOOP => Fault::ThroughLink,
        Errno::NOSPC | Errno::DQUOT | Errno::FBIG => Fault::NoSpace,
        Errno::ACCESS | Errno::PERM => Fault::Denied,
        Errno::ROFS => Fault::ReadOnly,
        Errno::XDEV => Fault::OtherDevice,
        Errno::NOSYS | Errno::OPNOTSUPP => Fault::Unsupported,
        other => Fault::Io(other.into()),
    }
}

pub(crate) fn fault_of_io(error: io::Error) -> Fault {
    match Errno::from_io_error(&error) {
        Some(errno) => fault_of(errno),
        None => Fault::Io(error),
    }
}
