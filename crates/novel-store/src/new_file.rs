//! A file outside any project, whole or not at all, such as an export.
//!
//! Until it is complete it has no name, so whatever ends the program leaves nothing behind. Where
//! files have names from the start it lies beside its place, under a name that tells who writes it;
//! the next writer there removes what a dead one left.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write},
    os::fd::{AsRawFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags},
    io::Errno,
};

use crate::machine::{Machine, Process, RealMachine};

/// How names of unfinished files begin.
const PREFIX: &str = ".novel-export-";

/// What to do with a file that stands in the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays; the new one is not put there.
    Keep,
    /// The new one takes its place.
    Replace,
}

/// A file that is being written. Dropping it leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    directory: OwnedFd,
    name: OsString,
    /// Its name for now, where it has one.
    temporary: Option<OsString>,
}

impl NewFile {
    /// Begins the file that is to stand at `path`.
    ///
    /// # Errors
    /// When its directory does not exist or cannot be written.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory_fd = rustix::fs::open(directory, flags, Mode::empty())?;
        let owner = Owner::of_this_process();
        owner.sweep(directory)?;
        let unnamed = open_unnamed(&directory_fd)?;
        let (file, temporary) = match unnamed {
            Some(file) => (file, None),
            None => {
                let name = owner.name();
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                let fd = rustix::fs::openat(&directory_fd, &name, flags, mode())?;
                (File::from(fd), Some(name))
            }
        };
        Ok(Self {
            file,
            directory: directory_fd,
            name: name.to_owned(),
            temporary,
        })
    }

    /// Puts the file in its place, durably.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when a file stands there and is to stay; or the system
    /// refuses.
    pub fn put(mut self, existing: Existing) -> io::Result<()> {
        self.file.sync_all()?;
        match (existing, &self.temporary) {
            (Existing::Keep, None) => self.link_unnamed(&self.name)?,
            (Existing::Keep, Some(temporary)) => {
                let (dir, flags) = (&self.directory, AtFlags::empty());
                rustix::fs::linkat(dir, temporary, dir, &self.name, flags)?;
            }
            (Existing::Replace, None) => {
                let temporary = Owner::of_this_process().name();
                self.link_unnamed(&temporary)?;
                self.temporary = Some(temporary);
            }
            (Existing::Replace, Some(_)) => {}
        }
        if let (Existing::Replace, Some(temporary)) = (existing, &self.temporary) {
            rustix::fs::renameat(&self.directory, temporary, &self.directory, &self.name)?;
            self.temporary = None;
        }
        self.remove_temporary()?;
        Ok(rustix::fs::fsync(&self.directory)?)
    }

    fn link_unnamed(&self, name: &OsStr) -> io::Result<()> {
        let unnamed = format!("/proc/self/fd/{}", self.file.as_raw_fd());
        let follow = AtFlags::SYMLINK_FOLLOW;
        Ok(rustix::fs::linkat(
            CWD,
            unnamed,
            &self.directory,
            name,
            follow,
        )?)
    }

    fn remove_temporary(&mut self) -> io::Result<()> {
        match self.temporary.take() {
            Some(name) => Ok(rustix::fs::unlinkat(
                &self.directory,
                name,
                AtFlags::empty(),
            )?),
            None => Ok(()),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // What stays is removed by the next writer.
        let _ = self.remove_temporary();
    }
}

/// As for any new file, the umask takes away from this.
const fn mode() -> Mode {
    Mode::from_raw_mode(0o666)
}

/// A file without a name; `None` where there are none, or where it could not get one later.
#[cfg(target_os = "linux")]
fn open_unnamed(directory: &OwnedFd) -> io::Result<Option<File>> {
    if !Path::new("/proc/self/fd").exists() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::openat(directory, ".", flags, mode()) {
        Ok(fd) => Ok(Some(File::from(fd))),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_unnamed(_directory: &OwnedFd) -> io::Result<Option<File>> {
    Ok(None)
}

/// The process that writes a file, as its name tells.
struct Owner {
    /// Where process numbers mean the same.
    place: String,
    process: String,
}

impl Owner {
    fn of_this_process() -> Self {
        let machine = RealMachine;
        let plain = |text: &str| text.replace(|char: char| !char.is_ascii_alphanumeric(), "_");
        let namespace = machine.pid_namespace().unwrap_or_default();
        Self {
            place: format!("{PREFIX}{}-{}-", plain(&machine.host()), plain(&namespace)),
            process: process_name(machine.pid()).unwrap_or_default(),
        }
    }

    fn name(&self) -> OsString {
        format!("{}{}", self.place, self.process).into()
    }

    /// Removes what processes left that are gone.
    fn sweep(&self, directory: &Path) -> io::Result<()> {
        for entry in directory.read_dir()? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(process) = name
                .to_str()
                .and_then(|name| name.strip_prefix(&self.place))
            else {
                continue;
            };
            let pid = process.split('-').next().and_then(|pid| pid.parse().ok());
            let runs = pid.and_then(process_name).as_deref() == Some(process);
            if !runs || process == self.process {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// A process by its number and its start, if it runs.
fn process_name(pid: u32) -> Option<String> {
    match RealMachine.process(pid) {
        Process::Gone => None,
        Process::Running { start, .. } => Some(format!("{pid}-{}", start.unwrap_or_default())),
    }
}
