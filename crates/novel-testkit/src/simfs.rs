//! A file system in memory that can lose power.
//!
//! It keeps what a program sees and what a disk is sure to hold apart. A name is
//! durable after its directory was synced, a content after its file was. A
//! crash stops the program before, in the middle of or after any one mutating
//! operation; a reboot then decides the fate of all that was pending. The model
//! is harsher than journalling file systems: pending changes of names survive or
//! vanish one by one, in any combination. It grants only what those file systems
//! promise about a rename: inside one directory it is one change, and across
//! directories the old name never goes before the new one has come.
//!
//! Calls can also fail, once or for good. A sync that failed is the worst of them: as on a real
//! system, what it was to write counts as clean from then on and is lost with the power, unless it
//! is written anew.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard},
};

use jiff::Timestamp;
use novel_model::RelPath;
use novel_store::{
    Dir, Fault, FileKind, FileSystem, FsError, MANY_FILES, Meta, Operation, RootGuard, Stamp,
};

use crate::simfs::disk::{Disk, ROOT};

mod disk;
mod failing;

pub use failing::{Errno, Failing};

/// When a crash happens, relative to the operation it is set on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The operation has no effect.
    Before,
    /// Half of what was to be written is written; other operations are complete.
    Midway,
    /// The operation is complete, but the program never learns.
    After,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Before, Self::Midway, Self::After];
}

/// What a power cut takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing: the disk was quick.
    KeepAll,
    /// All that was not synced.
    LoseUnsynced,
    /// Contents that were not synced; names stay.
    LoseDataKeepNames,
    /// Each pending change by the toss of a coin; contents may be torn.
    Seeded(u64),
}

/// What stands at a path of a [`SimFs::tree`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A directory.
    Dir,
    /// A file with its content.
    File(Vec<u8>),
}

/// Features a file system may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Second names for a file.
    HardLink,
    /// Moving without replacing.
    RenameNoReplace,
    /// Files that get their name when they are written.
    UnnamedFile,
}

struct Inner {
    disk: Disk,
    operations: usize,
    crash: Option<(usize, When)>,
    reads: usize,
    failing: Option<(Failing, Errno)>,
    failing_reads: Option<Failing>,
    dead: bool,
    /// Another process holds the project directory.
    root_held: bool,
    missing: Vec<Feature>,
    log: Vec<String>,
    /// One line per call that failed because it was to.
    failed: Vec<String>,
}

/// A file system in memory, with crashes.
pub struct SimFs {
    inner: Mutex<Inner>,
    root_lock: Arc<(Mutex<bool>, Condvar)>,
}

struct RootHeld(Arc<(Mutex<bool>, Condvar)>);

impl Drop for RootHeld {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap() = false;
        self.0.1.notify_one();
    }
}

impl Default for SimFs {
    fn default() -> Self {
        Self::on(Disk::new())
    }
}

impl SimFs {
    /// A file system with these files, all durable.
    ///
    /// # Panics
    /// When a path is no project path.
    #[must_use]
    pub fn with_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut disk = Disk::new();
        for (path, bytes) in files {
            disk.put(&path.parse().unwrap(), bytes);
        }
        Self::on(disk.after(Loss::KeepAll))
    }

    fn on(disk: Disk) -> Self {
        Self {
            inner: Mutex::new(Inner {
                disk,
                operations: 0,
                crash: None,
                reads: 0,
                failing: None,
                failing_reads: None,
                dead: false,
                root_held: false,
                missing: Vec::new(),
                log: Vec::new(),
                failed: Vec::new(),
            }),
            root_lock: Arc::default(),
        }
    }

    /// The file system without `feature`.
    #[must_use]
    pub fn without(self, feature: Feature) -> Self {
        self.inner().missing.push(feature);
        self
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    /// Lets the program die at its `operation`-th mutation, counted from one.
    pub fn crash_at(&self, operation: usize, when: When) {
        self.inner().crash = Some((operation, when));
    }

    /// Lets mutations fail. A write that fails has written half; a sync that fails has lost what it
    /// was to make durable, and no later sync finds it.
    pub fn fail(&self, failing: Failing, with: Errno) {
        self.inner().failing = Some((failing, with));
    }

    /// Lets everything that only looks fail with `EIO`.
    pub fn fail_reads(&self, failing: Failing) {
        self.inner().failing_reads = Some(failing);
    }

    /// The disk works again.
    pub fn repair(&self) {
        let mut inner = self.inner();
        (inner.failing, inner.failing_reads) = (None, None);
    }

    /// Looks so far.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.inner().reads
    }

    /// Lets another process hold the project directory, or let go of it.
    pub fn hold_root(&self, held: bool) {
        self.inner().root_held = held;
    }

    /// Mutations so far.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.inner().operations
    }

    /// One line per mutation so far.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.inner().log.clone()
    }

    /// The first call that failed because it was to.
    #[must_use]
    pub fn first_failed(&self) -> Option<String> {
        self.inner().failed.first().cloned()
    }

    /// Whether the crash has happened.
    #[must_use]
    pub fn crashed(&self) -> bool {
        self.inner().dead
    }

    /// Sets the time that new contents are stamped with.
    pub fn set_time(&self, now: Timestamp) {
        self.inner().disk.set_time(now);
    }

    /// The file system as a new process finds it: what was pending still is.
    #[must_use]
    pub fn restart(&self) -> Self {
        self.revive(|disk| disk.clone())
    }

    /// The file system after a power cut: what is there is durable.
    #[must_use]
    pub fn reboot(&self, loss: Loss) -> Self {
        self.revive(|disk| disk.after(loss))
    }

    fn revive(&self, disk: impl FnOnce(&Disk) -> Disk) -> Self {
        let inner = self.inner();
        let revived = Self::on(disk(&inner.disk));
        revived.inner().missing = inner.missing.clone();
        revived
    }

    /// Everything a program sees now.
    #[must_use]
    pub fn tree(&self) -> BTreeMap<String, Entry> {
        self.inner().disk.tree()
    }

    /// Sets a file past all crash points: the work of someone else.
    ///
    /// # Panics
    /// When `path` is no project path.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        self.inner().disk.put(&path.parse().unwrap(), bytes);
    }

    fn look<T>(
        &self,
        operation: Operation,
        path: &impl ToString,
        act: impl FnOnce(&Disk) -> Result<T, Fault>,
    ) -> Result<T, FsError> {
        let mut inner = self.inner();
        inner.reads += 1;
        let reads = inner.reads;
        let outcome = if inner.dead {
            Err(dead())
        } else if inner
            .failing_reads
            .is_some_and(|failing| failing.includes(reads))
        {
            inner.failed.push(format!("look at {}", path.to_string()));
            Err(Errno::Io.fault())
        } else {
            act(&inner.disk)
        };
        outcome.map_err(|fault| FsError::new(operation, path.to_string(), fault))
    }

    /// One crash point. `act` is told how to scale what it writes.
    fn mutate(
        &self,
        operation: Operation,
        path: &impl ToString,
        name: &str,
        act: impl FnOnce(&mut Disk, Part) -> Result<(), Fault>,
    ) -> Result<(), FsError> {
        let mut inner = self.inner();
        let outcome = inner.mutate(format!("{name} {}", path.to_string()), act);
        outcome.map_err(|fault| FsError::new(operation, path.to_string(), fault))
    }
}

/// How much of an operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// Half of a content; other operations are complete.
    Half,
    /// What an operation leaves that fails.
    Failed,
}

impl Part {
    fn of(self, bytes: &[u8]) -> &[u8] {
        match self {
            Self::Whole => bytes,
            Self::Half | Self::Failed => &bytes[..bytes.len() / 2],
        }
    }
}

/// Operations of which something is left when they fail.
const LEAVE_TRACES: [&str; 4] = ["write_new", "append", "sync_file", "sync_dir"];

/// Operations that need no space.
const NEED_NO_SPACE: [&str; 4] = ["remove_file", "remove_dir", "truncate", "rename"];

impl Inner {
    fn mutate(
        &mut self,
        line: String,
        act: impl FnOnce(&mut Disk, Part) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.dead {
            return Err(dead());
        }
        self.operations += 1;
        let is_one_of = |names: &[&str]| names.iter().any(|name| line.starts_with(name));
        let refused = self.failing.and_then(|(failing, with)| {
            let spared = with == Errno::NoSpace && is_one_of(&NEED_NO_SPACE);
            (failing.includes(self.operations) && !spared).then_some(with)
        });
        if let Some(with) = refused {
            // Nothing is written to a disk that is read-only, but what waits for a sync is lost.
            let leaves =
                is_one_of(&LEAVE_TRACES) && (with != Errno::ReadOnly || line.starts_with("sync"));
            self.failed.push(line.clone());
            self.log.push(line);
            if leaves {
                act(&mut self.disk, Part::Failed)?;
            }
            return Err(with.fault());
        }
        self.log.push(line);
        match self.crash {
            Some((at, when)) if at == self.operations => {
                self.dead = true;
                match when {
                    When::Before => {}
                    When::Midway => act(&mut self.disk, Part::Half)?,
                    When::After => act(&mut self.disk, Part::Whole)?,
                }
                Err(dead())
            }
            _ => act(&mut self.disk, Part::Whole),
        }
    }
}

fn dead() -> Fault {
    Fault::Io(io::Error::other("the simulated process is dead"))
}

impl FileSystem for SimFs {
    fn metadata(&self, path: &RelPath) -> Result<Option<Meta>, FsError> {
        self.look(Operation::Examine, path, |disk| match disk.find(path) {
            Ok(node) => Ok(Some(Meta {
                kind: if disk.is_dir(node) {
                    FileKind::Dir
                } else {
                    FileKind::File
                },
                len: disk.content(node).map_or(0, |bytes| bytes.len() as u64),
                modified: disk.modified(node),
            })),
            Err(Fault::NotFound) => Ok(None),
            Err(fault) => Err(fault),
        })
    }

    fn stamp(&self, path: &RelPath) -> Result<Option<Stamp>, FsError> {
        self.look(Operation::Examine, path, |disk| match disk.find(path) {
            Ok(node) => Ok(Some(disk.stamp(node))),
            Err(Fault::NotFound) => Ok(None),
            Err(fault) => Err(fault),
        })
    }

    fn read(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, FsError> {
        self.look(Operation::Read, path, |disk| {
            let bytes = disk.content(disk.find(path)?)?;
            let size = bytes.len() as u64;
            if size > limit {
                return Err(Fault::TooLarge { size, limit });
            }
            Ok(bytes.to_vec())
        })
    }

    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError> {
        self.look(Operation::Read, path, |disk| {
            let bytes = disk.content(disk.find(path)?)?;
            let start = usize::try_from(offset).unwrap().min(bytes.len());
            let end = start.saturating_add(len).min(bytes.len());
            Ok(bytes[start..end].to_vec())
        })
    }

    fn list(&self, dir: &Dir) -> Result<Vec<String>, FsError> {
        self.look(Operation::List, dir, |disk| {
            let node = match dir {
                Dir::Root => ROOT,
                Dir::At(path) => disk.find(path)?,
            };
            disk.names(node)
        })
    }

    fn check_writable(&self, path: &RelPath) -> Result<(), FsError> {
        self.look(Operation::Write, path, |disk| match disk.find(path) {
            Ok(node) if disk.is_dir(node) => Err(Fault::NotAFile),
            Ok(_) | Err(Fault::NotFound) => Ok(()),
            Err(fault) => Err(fault),
        })
    }

    fn create_dir(&self, path: &RelPath) -> Result<(), FsError> {
        self.mutate(Operation::CreateDir, path, "create_dir", |disk, _| {
            disk.make_dir(path)
        })
    }

    fn write_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        self.mutate(Operation::Write, path, "write_new", |disk, part| {
            disk.make_file(path, part.of(bytes))
        })
    }

    fn write_whole(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        let lacking = self.inner().missing.contains(&Feature::UnnamedFile);
        self.mutate(
            Operation::Write,
            path,
            "write_whole",
            |disk, part| match part {
                _ if lacking => Err(Fault::Unsupported),
                // Half a file has no name, so nobody finds it.
                Part::Half | Part::Failed => Ok(()),
                Part::Whole => {
                    disk.make_file(path, bytes)?;
                    disk.sync_file(path)
                }
            },
        )
    }

    fn append(&self, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
        self.mutate(Operation::Write, path, "append", |disk, part| {
            disk.edit(path, |content| content.extend(part.of(bytes)))
        })
    }

    fn truncate(&self, path: &RelPath, len: u64) -> Result<(), FsError> {
        let len = usize::try_from(len).unwrap();
        self.mutate(Operation::Write, path, "truncate", |disk, _| {
            disk.edit(path, |content| content.resize(len, 0))
        })
    }

    fn sync_file(&self, path: &RelPath) -> Result<(), FsError> {
        self.mutate(
            Operation::Sync,
            path,
            "sync_file",
            |disk, part| match part {
                Part::Whole | Part::Half => disk.sync_file(path),
                Part::Failed => disk.lose_file(path),
            },
        )
    }

    fn sync_files(&self, paths: &[RelPath]) -> Result<(), FsError> {
        if paths.len() < MANY_FILES {
            return paths.iter().try_for_each(|path| self.sync_file(path));
        }
        // One call. Nothing is promised of names.
        self.mutate(Operation::Sync, &".", "sync_files", |disk, part| {
            let done = match part {
                Part::Whole => paths,
                Part::Half => &paths[..paths.len() / 2],
                Part::Failed => {
                    disk.lose_all();
                    return Ok(());
                }
            };
            done.iter().try_for_each(|path| disk.sync_file(path))
        })
    }

    fn sync_dir(&self, dir: &Dir) -> Result<(), FsError> {
        self.mutate(Operation::Sync, dir, "sync_dir", |disk, part| match part {
            Part::Whole | Part::Half => disk.sync_dir(dir),
            Part::Failed => disk.lose_names(dir),
        })
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        self.mutate(Operation::Rename, to, "rename", |disk, _| {
            disk.rename(from, to)
        })
    }

    fn rename_noreplace(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        let lacking = self.inner().missing.contains(&Feature::RenameNoReplace);
        self.mutate(Operation::Rename, to, "rename_noreplace", |disk, _| {
            if lacking {
                return Err(Fault::Unsupported);
            }
            match disk.find(to) {
                Err(Fault::NotFound) => disk.rename(from, to),
                Ok(_) => Err(Fault::Exists),
                Err(fault) => Err(fault),
            }
        })
    }

    fn hard_link(&self, from: &RelPath, to: &RelPath) -> Result<(), FsError> {
        let lacking = self.inner().missing.contains(&Feature::HardLink);
        self.mutate(Operation::Link, to, "hard_link", |disk, _| {
            if lacking {
                return Err(Fault::Unsupported);
            }
            disk.link(from, to)
        })
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FsError> {
        self.mutate(Operation::Remove, path, "remove_file", |disk, _| {
            disk.remove_file(path)
        })
    }

    fn remove_dir(&self, path: &RelPath) -> Result<(), FsError> {
        self.mutate(Operation::Remove, path, "remove_dir", |disk, _| {
            disk.remove_dir(path)
        })
    }

    fn lock_root(&self) -> Result<RootGuard, FsError> {
        self.look(Operation::Lock, &Dir::Root, |_| Ok(()))?;
        if self.inner().root_held {
            return Err(FsError::new(Operation::Lock, ".", Fault::Locked));
        }
        let (held, released) = &*self.root_lock;
        let mut held = released
            .wait_while(held.lock().unwrap(), |held| *held)
            .unwrap();
        *held = true;
        Ok(RootGuard::new(RootHeld(Arc::clone(&self.root_lock))))
    }
}

#[cfg(test)]
#[path = "simfs_tests.rs"]
mod tests;
