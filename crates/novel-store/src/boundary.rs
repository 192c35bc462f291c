//! The write boundary, found by comparison: what a foreign program changed in a project outside
//! the directories it was given, and how to undo it.
//!
//! A [`TreeSnapshot`] is taken before the program runs. Afterwards [`TreeSnapshot::foreign`] lists
//! every change outside the allowed directories, and every link made inside them that leads out;
//! [`TreeSnapshot::undo`] puts things back. Nothing is thrown away: what stands in the way of the
//! old state goes to a quarantine directory. No step follows a symbolic link.
//!
//! The lock is left out (its heartbeat goes on during the run), and of `.git` all but hooks and
//! configuration. Modes are compared; owners, times and extended attributes are not.

mod own;
mod tree;
mod undo;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use novel_model::RelPath;

pub(crate) use self::own::OwnWrites;
use self::{
    own::Quiet,
    tree::{Facts, failed, is_absent, shown, walk},
};
use crate::{
    error::StoreError,
    fs::{CLOCK_TICK, Fault, FileKind, FsError, Operation},
    store::Store,
};

/// Whether a snapshot can give contents back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents<'a> {
    /// Every file outside the allowed directories is copied into this empty directory, which lies
    /// outside the project. Compares contents.
    Keep(&'a Path),
    /// Compares kind, size, mode, inode and time of change alone: enough where the system itself
    /// refuses the write.
    Stat,
}

/// A project as it was before a foreign program ran.
#[derive(Debug)]
pub struct TreeSnapshot {
    own: OwnWrites,
    root: PathBuf,
    allowed: Vec<PathBuf>,
    entries: BTreeMap<PathBuf, Before>,
    /// Where copies lie; `None` when none were made.
    kept_in: Option<Facts>,
}

#[derive(Debug)]
struct Before {
    facts: Facts,
    kept: Option<PathBuf>,
    clock: Clock,
}

/// Whether equal times prove that nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    Tells,
    TooCoarse,
}

/// One change a foreign program had no right to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignWrite {
    path: PathBuf,
    /// What was done.
    pub change: Change,
}

impl ForeignWrite {
    /// The path from the project, as text; a name that is no text is shown as near as can be.
    #[must_use]
    pub fn path(&self) -> String {
        shown(&self.path)
    }
}

/// What was done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing stood there before.
    Created,
    /// Other content, or other permissions.
    Modified,
    /// Nothing stands there now.
    Removed,
    /// Another file, or another kind of thing.
    Replaced,
}

impl Change {
    /// The word in logs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Removed => "removed",
            Self::Replaced => "replaced",
        }
    }
}

impl TreeSnapshot {
    /// Looks at everything in the project; a program that runs afterwards may change what lies in
    /// the directories `allowed`, which are made if they are not there.
    ///
    /// # Errors
    /// When the project is not on disk, can not be read, or contents can not be kept.
    pub fn take(
        store: &Store,
        allowed: &[RelPath],
        contents: Contents<'_>,
    ) -> Result<Self, StoreError> {
        let own = store.own_writes().clone();
        let quiet = own.quiet();
        let root = own.root().ok_or_else(not_on_disk)?.to_owned();
        let allowed: Vec<PathBuf> = allowed
            .iter()
            .map(|dir| PathBuf::from(dir.as_str()))
            .collect();
        for dir in &allowed {
            make_directory(&root, dir)?;
        }
        let kept_in = match contents {
            Contents::Keep(dir) => Facts::of(dir).map_err(failed(Operation::Examine, dir))?,
            Contents::Stat => None,
        };
        let now = SystemTime::now();
        let mut entries = BTreeMap::new();
        for (number, (path, facts)) in walk(&root, kept_in.as_ref())?.into_iter().enumerate() {
            let kept = match contents {
                Contents::Keep(dir)
                    if facts.kind == FileKind::File && !is_inside(&path, &allowed) =>
                {
                    keep(&root.join(&path), &dir.join(number.to_string()))
                        .map_err(failed(Operation::Read, &path))?
                }
                Contents::Keep(_) | Contents::Stat => None,
            };
            let clock = clock_of(&facts, now);
            entries.insert(path, Before { facts, kept, clock });
        }
        drop(quiet);
        Ok(Self {
            own,
            root,
            allowed,
            entries,
            kept_in,
        })
    }

    /// Every change since that was not allowed, sorted by path.
    ///
    /// # Errors
    /// When the project can not be read.
    pub fn foreign(&self) -> Result<Vec<ForeignWrite>, StoreError> {
        self.foreign_now(&self.own.quiet())
    }

    /// Whether anything was done to a path since; a file nobody touched is nobody's answer.
    ///
    /// # Errors
    /// When it can not be looked at.
    pub fn is_touched(&self, path: &RelPath) -> Result<bool, StoreError> {
        let path = Path::new(path.as_str());
        let now = Facts::of(&self.root.join(path)).map_err(failed(Operation::Examine, path))?;
        let before = self.entries.get(path).map(|before| &before.facts);
        Ok(match (before, &now) {
            (Some(before), Some(now)) => !now.is_untouched(before),
            (before, now) => before.is_some() != now.is_some(),
        })
    }

    fn foreign_now(&self, quiet: &Quiet<'_>) -> Result<Vec<ForeignWrite>, StoreError> {
        let now = walk(&self.root, self.kept_in.as_ref())?;
        let guarded: BTreeSet<(u64, u64)> = self
            .entries
            .iter()
            .filter(|(path, _)| !is_inside(path, &self.allowed))
            .map(|(_, before)| (before.facts.device, before.facts.inode))
            .collect();
        let mut foreign = Vec::new();
        for (path, facts) in &now {
            let before = self.entries.get(path);
            let change = if is_inside(path, &self.allowed) {
                let leads_out = self.leads_out(path, facts, &guarded);
                let is_new = before.is_none_or(|before| {
                    before.facts.target != facts.target || !before.facts.is_same_file(facts)
                });
                (leads_out && is_new).then_some(match before {
                    None => Change::Created,
                    Some(_) => Change::Replaced,
                })
            } else {
                match before {
                    None => Some(Change::Created),
                    Some(before) => self.change(path, before, facts)?,
                }
            };
            if let Some(change) = change.filter(|_| !quiet.left_so(path, Some(facts))) {
                foreign.push(ForeignWrite {
                    path: path.clone(),
                    change,
                });
            }
        }
        for path in self.entries.keys() {
            if !now.contains_key(path)
                && !is_inside(path, &self.allowed)
                && !quiet.left_so(path, None)
            {
                foreign.push(ForeignWrite {
                    path: path.clone(),
                    change: Change::Removed,
                });
            }
        }
        foreign.sort();
        Ok(foreign)
    }

    fn change(&self, path: &Path, before: &Before, now: &Facts) -> Result<Option<Change>, FsError> {
        if before.facts.kind != now.kind {
            return Ok(Some(Change::Replaced));
        }
        if !self.has_same_content(path, before, now)? {
            return Ok(Some(
                if now.kind == FileKind::File && before.facts.is_same_file(now) {
                    Change::Modified
                } else {
                    Change::Replaced
                },
            ));
        }
        // A link has no mode of its own.
        let same_mode = now.kind == FileKind::Link || before.facts.mode == now.mode;
        Ok((!same_mode).then_some(Change::Modified))
    }

    /// For two entries of the same kind.
    fn has_same_content(&self, path: &Path, before: &Before, now: &Facts) -> Result<bool, FsError> {
        let was = &before.facts;
        match now.kind {
            FileKind::Dir => Ok(true),
            FileKind::Link => Ok(was.target == now.target),
            FileKind::Special => Ok(was.is_same_file(now)),
            FileKind::File => match &before.kept {
                None => {
                    Ok(was.is_same_file(now) && was.len == now.len && was.modified == now.modified)
                }
                Some(_) if was == now && before.clock == Clock::Tells => Ok(true),
                Some(_) if was.len != now.len => Ok(false),
                Some(kept) => match same_bytes(&self.root.join(path), kept) {
                    Err(error) if is_absent(&error) => Ok(false),
                    // Its mode was changed, or it is another file; both are told.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        Ok(was.is_same_file(now) && was.modified == now.modified)
                    }
                    other => other.map_err(failed(Operation::Read, path)),
                },
            },
        }
    }

    /// Whether an entry of the allowed area is a way out of it: a symbolic link that leads
    /// elsewhere, or a second name of a file that lies elsewhere in the project.
    fn leads_out(&self, path: &Path, facts: &Facts, guarded: &BTreeSet<(u64, u64)>) -> bool {
        match (facts.kind, &facts.target) {
            (FileKind::Link, Some(target)) => {
                let link = self.root.join(path);
                let base = link.parent().unwrap_or(&self.root);
                let end =
                    fs::canonicalize(&link).unwrap_or_else(|_| without_dots(&base.join(target)));
                let is_allowed = |end: &Path| is_inside(end, &self.allowed);
                // The area itself must be a directory, so a link in its place leads out.
                self.allowed.iter().any(|dir| dir == path)
                    || !end.strip_prefix(&self.root).is_ok_and(is_allowed)
            }
            (FileKind::File, _) => {
                facts.links > 1 && guarded.contains(&(facts.device, facts.inode))
            }
            _ => false,
        }
    }
}

fn not_on_disk() -> StoreError {
    FsError::new(Operation::Open, ".", Fault::Unsupported).into()
}

/// A real directory; no link may stand there.
fn make_directory(root: &Path, dir: &Path) -> Result<(), FsError> {
    let here = root.join(dir);
    fs::create_dir_all(&here).map_err(failed(Operation::CreateDir, dir))?;
    match Facts::of(&here).map_err(failed(Operation::Examine, dir))? {
        Some(facts) if facts.kind == FileKind::Dir => Ok(()),
        _ => Err(FsError::new(
            Operation::Open,
            shown(dir),
            Fault::ThroughLink,
        )),
    }
}

fn is_inside(path: &Path, directories: &[PathBuf]) -> bool {
    directories.iter().any(|dir| path.starts_with(dir))
}

/// The path without `.` and `..`, for a link whose end is not there.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn clock_of(facts: &Facts, now: SystemTime) -> Clock {
    let (seconds, nanoseconds) = facts.changed;
    let changed = u64::try_from(seconds)
        .ok()
        .zip(u32::try_from(nanoseconds).ok())
        .map(|(seconds, nanoseconds)| UNIX_EPOCH + Duration::new(seconds, nanoseconds));
    match changed {
        Some(changed) if changed + CLOCK_TICK < now => Clock::Tells,
        _ => Clock::TooCoarse,
    }
}

/// Copies a file, sharing its blocks where the file system can. A file that is gone or that
/// nobody may read is not kept.
fn keep(from: &Path, to: &Path) -> io::Result<Option<PathBuf>> {
    match fs::copy(from, to) {
        Ok(_) => Ok(Some(to.to_owned())),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut left, mut right) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let count = fill(&mut one, &mut left)?;
        if count != fill(&mut other, &mut right)? || left[..count] != right[..count] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
    }
}

fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
