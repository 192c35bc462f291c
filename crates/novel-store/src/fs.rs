//! The few file operations everything else is built from.
//!
//! Each mutating operation is one crash point: a test file system can stop
//! before or after any of them and forget whatever was not synced. Nothing but
//! an implementation of [`FileSystem`] may touch a project's files.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jiff::Timestamp;
use novel_model::{Explain, Kind, Message, ReadError, RelPath, message};

/// What changed this long ago or less may change again without its times telling: the clock of a
/// file system ticks.
pub(crate) const CLOCK_TICK: Duration = Duration::from_millis(100);

/// What changed this long ago shows every later change in its times, on any file system: the coarsest
/// count in steps of two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// From this many files on, all of a file system is synced instead of each of them.
pub const MANY_FILES: usize = 64;

/// A directory of a project: the project itself, or one below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dir {
    /// The project directory.
    Root,
    /// A directory below it.
    At(RelPath),
}

impl Dir {
    /// The directory that holds `path`.
    #[must_use]
    pub fn of(path: &RelPath) -> Self {
        path.parent().map_or(Self::Root, Self::At)
    }
}

impl fmt::Display for Dir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("."),
            Self::At(path) => path.fmt(f),
        }
    }
}

/// What stands at a path; a symbolic link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A socket, a pipe, a device.
    Special,
}

/// Facts about one entry of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub len: u64,
    /// When its content last changed.
    pub modified: Timestamp,
}

/// What tells one state of a file or directory from another. Equal stamps of a file mean that
/// nothing was written to it in between, and that it is the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Which file it is.
    pub inode: u64,
    /// Its size in bytes.
    pub len: u64,
    /// When its content last changed, as finely as the system knows.
    pub modified: i128,
    /// When its content or its names last changed.
    pub changed: i128,
}

impl Stamp {
    /// All of it as one number; `None` where the file changed a short time ago, or later than now.
    #[must_use]
    pub fn settled(&self) -> Option<u64> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let latest = i128::try_from(now.checked_sub(SETTLED)?.as_nanos()).ok()?;
        (self.changed < latest && self.modified < latest).then(|| {
            let parts = [
                u128::from(self.inode),
                u128::from(self.len),
                self.modified.unsigned_abs(),
                self.changed.unsigned_abs(),
            ];
            // Each part spreads over all bits before the next one comes.
            parts.iter().fold(0_u64, |mixed, part| {
                let folded = (*part ^ (*part >> 64)) as u64;
                let product =
                    u128::from(mixed ^ folded ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93_u128;
                (product ^ (product >> 64)) as u64
            })
        })
    }
}

/// Keeps every other process (and thread) out of [`FileSystem::lock_root`] until dropped.
pub struct RootGuard(#[expect(dead_code, reason = "held for its drop")] Box<dyn Send>);

impl RootGuard {
    /// Wraps whatever releases the lock when dropped.
    pub fn new(held: impl Send + 'static) -> Self {
        Self(Box::new(held))
    }
}

impl fmt::Debug for RootGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RootGuard")
    }
}

/// File operations below one project directory.
///
/// Reading follows symbolic links that stay inside the project; writing never
/// goes through one. Names are durable after [`FileSystem::sync_dir`] of their
/// directory, contents after [`FileSystem::sync_file`].
pub trait FileSystem: Send + Sync {
    /// What stands at `path`, or `None`. Does not follow a link at the end.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn metadata(&self, path: &RelPath) -> Result<Option<Meta>, FsError>;

    /// The stamp of what a reader finds at `path`, or `None`; links are followed as in reading.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn stamp(&self, path: &RelPath) -> Result<Option<Stamp>, FsError>;

    /// The whole content of a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`Fault::NotFound`], [`Fault::NotAFile`], [`Fault::TooLarge`], ….
    fn read(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, FsError>;

    /// At most `len` bytes from `offset`; fewer at the end of the file.
    ///
    /// # Errors
    /// As [`FileSystem::read`].
    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError>;

    /// The sorted names in a directory.
    ///
    /// # Errors
    /// [`Fault::NotFound`], [`Fault::NotADirectory`], ….
    fn list(&self, dir: &Dir) -> Result<Vec<String>, FsError>;

    /// The sorted names in a directory that end with `suffix`.
    ///
    /// # Errors
    /// As [`FileSystem::list`].
    fn list_ending(&self, dir: &Dir, suffix: &str) -> Result<Vec<String>, FsError> {
        let mut names = self.list(dir)?;
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }

    /// Whether `path` could be created, replaced or removed: found out before
    /// anything is written. Missing parent directories are no obstacle.
    ///
    /// # Errors
    /// The fault a later write would meet.
    fn check_writable(&self, path: &RelPath) -> Result<(), FsError>;

    /// Makes one directory.
    ///
    /// # Errors
    /// [`Fault::Exists`], [`Fault::NotFound`] without its parent, ….
    fn create_dir(&self, path: &RelPath) -> Result<(), FsError>;

    /// Makes a new file and writes it; an existing one is an error.
    ///
    /// # Errors
    /// [`Fault::Exists`], [`Fault::NoSpace`], ….
    fn write_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError>;

    /// Makes a new file whose name comes with its whole content, which is durable; the name is after
    /// its directory was synced. An existing one is an error.
    ///
    /// # Errors
    /// [`Fault::Exists`], [`Fault::Unsupported`] where files have names from the start, ….
    fn write_whole(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError>;

    /// Writes at the end of an existing file.
    ///
    /// # Errors
    /// [`Fault::NotFound`], [`Fault::NoSpace`], ….
    fn append(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError>;

    /// Cuts a file to `len` bytes.
    ///
    /// # Errors
    /// [`Fault::NotFound`], ….
    fn truncate(&self, path: &RelPath, len: u64) -> Result<(), FsError>;

    /// Makes a file's content durable.
    ///
    /// # Errors
    /// [`Fault::NotFound`], [`Fault::NoSpace`], ….
    fn sync_file(&self, path: &RelPath) -> Result<(), FsError>;

    /// Makes the contents of some files durable, of many in one go where the system can do that.
    ///
    /// # Errors
    /// As [`FileSystem::sync_file`]; then nothing is known of any of them.
    fn sync_files(&self, paths: &[RelPath]) -> Result<(), FsError> {
        paths.iter().try_for_each(|path| self.sync_file(path))
    }

    /// Makes a directory's names durable.
    ///
    /// # Errors
    /// [`Fault::NotFound`], ….
    fn sync_dir(&self, dir: &Dir) -> Result<(), FsError>;

    /// Moves `from` to `to`, replacing a file that stands there, in one act.
    ///
    /// # Errors
    /// [`Fault::NotFound`], ….
    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError>;

    /// Moves `from` to `to` unless something stands there.
    ///
    /// # Errors
    /// [`Fault::Exists`], [`Fault::Unsupported`] where the system cannot do it, ….
    fn rename_noreplace(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError>;

    /// Gives the file `from` the second name `to`.
    ///
    /// # Errors
    /// [`Fault::Exists`], [`Fault::Unsupported`] where the file system has no links, ….
    fn hard_link(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError>;

    /// Removes a file's name.
    ///
    /// # Errors
    /// [`Fault::NotFound`], ….
    fn remove_file(&self, path: &RelPath) -> Result<(), FsError>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// [`Fault::NotFound`], [`Fault::NotEmpty`], ….
    fn remove_dir(&self, path: &RelPath) -> Result<(), FsError>;

    /// Holds the project directory, after a short wait where another process holds it. The system
    /// releases it when the process ends, however it ends.
    ///
    /// # Errors
    /// [`Fault::Locked`] when another process does not let go of it: it may be stopped.
    fn lock_root(&self) -> Result<RootGuard, FsError>;
}

/// The operation that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Opening a project directory.
    Open,
    /// Looking at an entry.
    Examine,
    /// Reading.
    Read,
    /// Listing a directory.
    List,
    /// Making a directory.
    CreateDir,
    /// Writing a file.
    Write,
    /// Making it durable.
    Sync,
    /// Moving.
    Rename,
    /// Linking.
    Link,
    /// Removing.
    Remove,
    /// Locking.
    Lock,
}

impl Operation {
    fn message(self) -> Message {
        match self {
            Self::Open => message!(en: "open", zh: "打开"),
            Self::Examine => message!(en: "examine", zh: "查看"),
            Self::Read => message!(en: "read", zh: "读取"),
            Self::List => message!(en: "list", zh: "列出"),
            Self::CreateDir => message!(en: "make the directory", zh: "创建目录"),
            Self::Write => message!(en: "write", zh: "写入"),
            Self::Sync => message!(en: "sync", zh: "落盘"),
            Self::Rename => message!(en: "move", zh: "移动"),
            Self::Link => message!(en: "link", zh: "链接"),
            Self::Remove => message!(en: "remove", zh: "移除"),
            Self::Lock => message!(en: "lock", zh: "锁定"),
        }
    }
}

/// Reason a file operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The path does not exist.
    #[error("not found")]
    NotFound,
    /// The path already exists.
    #[error("already exists")]
    Exists,
    /// The directory is not empty.
    #[error("not empty")]
    NotEmpty,
    /// The path is not a regular file.
    #[error("not a regular file")]
    NotAFile,
    /// The path is not a directory.
    #[error("not a directory")]
    NotADirectory,
    /// A symbolic link leads out of the project.
    #[error("a symbolic link leaves the project")]
    LeavesProject,
    /// Writing would go through or over a symbolic link.
    #[error("a symbolic link is in the way")]
    ThroughLink,
    /// The file is larger than the limit of its reader.
    #[error("{size} bytes; at most {limit} are read")]
    TooLarge {
        /// Size of the file in bytes.
        size: u64,
        /// Largest accepted size in bytes.
        limit: u64,
    },
    /// The disk or the quota is full.
    #[error("no space left")]
    NoSpace,
    /// Permission denied, or the file is marked read-only.
    #[error("permission denied")]
    Denied,
    /// The file system is mounted read-only.
    #[error("read-only file system")]
    ReadOnly,
    /// The place is on another file system than the project.
    #[error("on another file system")]
    OtherDevice,
    /// The file system cannot do this at all.
    #[error("not supported here")]
    Unsupported,
    /// Another process holds the project directory: it is inside a write.
    #[error("another process is inside a write")]
    Locked,
    /// Anything else the operating system said.
    #[error("{0}")]
    Io(#[source] std::io::Error),
}

/// A file operation that failed.
#[derive(Debug, thiserror::Error)]
#[error("failed to {} `{path}`", operation.message().en)]
pub struct FsError {
    /// File operation that was attempted.
    pub operation: Operation,
    /// On what, relative to the project (`.` is the project itself).
    pub path: String,
    /// Reason of the failure.
    #[source]
    pub fault: Fault,
}

impl FsError {
    /// An error of one operation on one path.
    pub fn new(operation: Operation, path: impl fmt::Display, fault: Fault) -> Self {
        Self {
            operation,
            path: path.to_string(),
            fault,
        }
    }

    /// The same fault as a reader of `path` reports it.
    #[must_use]
    pub fn into_read_error(self, path: &RelPath) -> ReadError {
        let path = path.clone();
        match self.fault {
            Fault::NotAFile => ReadError::NotAFile { path },
            Fault::NotADirectory => ReadError::NotADirectory { path },
            Fault::LeavesProject => ReadError::LeavesProject { path },
            Fault::TooLarge { size, limit } => ReadError::TooLarge { path, size, limit },
            Fault::Io(source) => ReadError::Io { path, source },
            Fault::Denied => ReadError::Io {
                path,
                source: std::io::ErrorKind::PermissionDenied.into(),
            },
            other => ReadError::Io {
                path,
                source: std::io::Error::other(other),
            },
        }
    }
}

impl Explain for FsError {
    fn kind(&self) -> Kind {
        match self.fault {
            Fault::Unsupported | Fault::Io(_) => Kind::Internal,
            Fault::Locked => Kind::Locked,
            _ => Kind::Input,
        }
    }

    fn code(&self) -> &'static str {
        match self.fault {
            Fault::NotFound => "FILE_NOT_FOUND",
            Fault::Exists => "FILE_EXISTS",
            Fault::NotEmpty => "DIRECTORY_NOT_EMPTY",
            Fault::NotAFile => "NOT_A_FILE",
            Fault::NotADirectory => "NOT_A_DIRECTORY",
            Fault::LeavesProject => "LINK_LEAVES_PROJECT",
            Fault::ThroughLink => "LINK_IN_THE_WAY",
            Fault::TooLarge { .. } => "FILE_TOO_LARGE",
            Fault::NoSpace => "DISK_FULL",
            Fault::Denied => "PERMISSION_DENIED",
            Fault::ReadOnly => "READ_ONLY_FILE_SYSTEM",
            Fault::OtherDevice => "OTHER_FILE_SYSTEM",
            Fault::Unsupported => "NOT_SUPPORTED",
            Fault::Locked => "LOCK_BUSY",
            Fault::Io(_) => "IO_ERROR",
        }
    }

    fn message(&self) -> Message {
        let operation = self.operation.message();
        let why = match &self.fault {
            Fault::NotFound => message!(en: "it does not exist", zh: "不存在"),
            Fault::Exists => message!(en: "it already exists", zh: "已存在"),
            Fault::NotEmpty => message!(en: "the directory is not empty", zh: "目录不为空"),
            Fault::NotAFile => message!(en: "it is not a regular file", zh: "不是普通文件"),
            Fault::NotADirectory => message!(en: "it is not a directory", zh: "不是目录"),
            Fault::LeavesProject => message!(
                en: "a symbolic link leads out of the project", zh: "符号链接指向项目之外"
            ),
            Fault::ThroughLink => message!(
                en: "a symbolic link is in the way", zh: "路径上有符号链接"
            ),
            Fault::TooLarge { size, limit } => message!(
                en: "it has {size} bytes; at most {limit} are accepted",
                zh: "共 {size} 字节，最多接受 {limit} 字节"
            ),
            Fault::NoSpace => message!(en: "the disk is full", zh: "磁盘空间不足"),
            Fault::Denied => message!(
                en: "permission denied, or the file is read-only", zh: "权限不足，或文件为只读"
            ),
            Fault::ReadOnly => message!(
                en: "the file system is read-only", zh: "文件系统为只读"
            ),
            Fault::OtherDevice => message!(
                en: "it lies on another file system than the project", zh: "与项目不在同一文件系统"
            ),
            Fault::Unsupported => message!(
                en: "the file system cannot do this", zh: "文件系统不支持此操作"
            ),
            Fault::Locked => message!(
                en: "another process is inside a write", zh: "另一个进程正在写入"
            ),
            Fault::Io(source) => Message::same(source.to_string()),
        };
        let path = &self.path;
        Message {
            en: format!("cannot {} `{path}`: {}", operation.en, why.en),
            zh: format!("无法{} `{path}`：{}", operation.zh, why.zh),
        }
    }

    fn hint(&self) -> Option<Message> {
        let path = &self.path;
        Some(match self.fault {
            Fault::NoSpace => message!(
                en: "free some disk space, then run the same command again",
                zh: "请先释放磁盘空间，再运行同一命令"
            ),
            Fault::Denied => message!(
                en: "make `{path}` and its directory writable, then run the same command again",
                zh: "请让 `{path}` 及其所在目录对你可写，再运行同一命令"
            ),
            Fault::ReadOnly => message!(
                en: "mount it writable, or copy the project to a writable disk",
                zh: "请以可写方式挂载，或把项目复制到可写的磁盘"
            ),
            Fault::ThroughLink | Fault::LeavesProject => message!(
                en: "replace the link with the file or directory it points to",
                zh: "请用链接所指的文件或目录替换该链接"
            ),
            Fault::OtherDevice => message!(
                en: "keep the whole project on one file system",
                zh: "请把整个项目放在同一文件系统上"
            ),
            Fault::NotAFile | Fault::NotADirectory | Fault::Exists => message!(
                en: "move `{path}` out of the way and run the command again",
                zh: "请移走 `{path}` 后重新运行命令"
            ),
            Fault::Io(_) => message!(
                en: "check the disk and its connection (the system log says more), then run the same command again",
                zh: "请检查磁盘及其连接（详见系统日志），再运行同一命令"
            ),
            Fault::Locked => message!(
                en: "run the same command again in a moment; `novel lock status` shows who writes",
                zh: "请稍后再运行同一命令；`novel lock status` 可查看谁在写入"
            ),
            Fault::NotFound | Fault::NotEmpty | Fault::TooLarge { .. } | Fault::Unsupported => {
                return None;
            }
        })
    }
}

/// The names in `directory`, none when there is no such directory.
pub(crate) fn list_if_there(
    fs: &dyn FileSystem,
    directory: &RelPath,
    suffix: &str,
) -> Result<Vec<String>, ReadError> {
    match fs.list_ending(&Dir::At(directory.clone()), suffix) {
        Ok(names) => Ok(names),
        Err(FsError {
            fault: Fault::NotFound,
            ..
        }) => Ok(Vec::new()),
        Err(error) => Err(error.into_read_error(directory)),
    }
}
