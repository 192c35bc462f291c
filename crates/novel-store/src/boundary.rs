//! The write boundary: what a foreign program changed in a project outside the directories it was
//! given, and what it handed in.
//!
//! A program works on a [`View`] of the project that is its own, where the system can give it one: the
//! project itself stays untouched, and the view tells what was changed in it. Otherwise it works in
//! place: a [`TreeSnapshot`] is taken before, and afterwards the project is compared with it and put
//! back. Both end in [`Left`]: every change outside the allowed directories, whatever was made inside
//! them that a project cannot hold (a link, a pipe or device, a name that is no name of a project file),
//! and the contents of the files that were asked for. The allowed directories are put back too: an
//! answer becomes a file by a transaction of the program, never by a foreign hand. Nothing is thrown
//! away: foreign files go to a quarantine directory. No step follows a symbolic link.
//!
//! Of `.git` all but hooks and configuration is left out, and in place the lock (its heartbeat goes on
//! during the run).

mod area;
mod own;
mod snapshot;
mod tree;
mod undo;
mod view;

use std::{
    collections::BTreeMap,
    fs, io,
    io::Read,
    path::{Path, PathBuf},
};

use novel_model::{RelPath, layout};

use self::tree::{Facts, failed, open_plainly, shown};
pub(crate) use self::{area::recover, own::OwnWrites};
pub use self::{snapshot::TreeSnapshot, view::View};
use crate::fs::{Fault, FileKind, FsError, Operation};

/// Whether a snapshot can give contents back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents<'a> {
    /// Every file outside the allowed directories is copied into this empty directory, which lies
    /// outside the project. Compares contents.
    Keep(&'a Path),
    /// Compares what the system says about a file: enough where the system itself refuses to change
    /// contents.
    Stat,
}

/// What a program left.
#[derive(Debug, Default)]
pub struct Left {
    /// Changes it had no right to, sorted by path.
    pub writes: Vec<ForeignWrite>,
    /// Files that the program made for itself, sorted by path: see [`ForeignWrite::is_of_a_tool`]. They
    /// are taken away like the others.
    pub own: Vec<ForeignWrite>,
    /// Those among both that could not be undone.
    pub lost: Vec<ForeignWrite>,
    /// Where foreign files were put.
    pub quarantine: Option<RelPath>,
    /// The files that were asked for, as far as the program made or changed them.
    pub outputs: BTreeMap<RelPath, HandedIn>,
}

/// A file a program handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandedIn {
    /// Its content.
    Content(Vec<u8>),
    /// It is larger than anything a project holds.
    TooLarge {
        /// In bytes.
        size: u64,
    },
}

/// Largest file that is handed in or put into quarantine; a long chapter has a hundredth of it.
pub const MAX_FILE: u64 = 16 << 20;

/// Hidden names of a project that are no tool's.
const BOOKS_OWN: [&str; 3] = [".checkpoint", ".novel", ".git"];

/// One change a foreign program had no right to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignWrite {
    path: PathBuf,
    /// What was done.
    pub change: Change,
    /// What stands there now; `None` for nothing.
    pub kind: Option<FileKind>,
}

impl ForeignWrite {
    fn new(path: &Path, change: Change, facts: Option<&Facts>) -> Self {
        Self {
            path: path.to_owned(),
            change,
            kind: facts.map(|facts| facts.kind),
        }
    }

    /// Whether it is something new in a hidden place of the project that is not the book's, such as
    /// `.claude/settings.local.json`: agent programs keep their own state there, and nothing of the book
    /// is touched by it.
    fn is_of_a_tool(&self) -> bool {
        is_place_of_tools(&self.path)
            && self.change == Change::Created
            && matches!(self.kind, Some(FileKind::File | FileKind::Dir))
    }

    /// The path from the project, as text; a name that is no text is shown as near as can be.
    #[must_use]
    pub fn path(&self) -> String {
        shown(&self.path)
    }
}

/// Whether a path lies in a hidden place of a project that is not the book's.
#[must_use]
pub fn is_place_of_tools(path: &Path) -> bool {
    let first = path.components().next();
    let name = first.map(|first| first.as_os_str().to_string_lossy());
    name.is_some_and(|name| {
        name.len() > 1
            && name.starts_with('.')
            && !BOOKS_OWN.iter().any(|own| name.starts_with(own))
    })
}

/// What was done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing stood there before.
    Created,
    /// Other content, permissions, owner, attributes or times.
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

fn is_inside(path: &Path, directories: &[PathBuf]) -> bool {
    directories.iter().any(|dir| path.starts_with(dir))
}

fn not_on_disk() -> FsError {
    FsError::new(Operation::Open, ".", Fault::Unsupported)
}

/// Makes directories of a project; real ones, no link may stand there.
fn make_directories(root: &Path, directories: &[RelPath]) -> Result<Vec<PathBuf>, FsError> {
    let mut made = Vec::new();
    for dir in directories {
        let dir = PathBuf::from(dir.as_str());
        let here = root.join(&dir);
        fs::create_dir_all(&here).map_err(failed(Operation::CreateDir, &dir))?;
        let facts = Facts::of(&here).map_err(failed(Operation::Examine, &dir))?;
        if facts.is_none_or(|facts| facts.kind != FileKind::Dir) {
            let path = shown(&dir);
            return Err(FsError::new(Operation::Open, path, Fault::ThroughLink));
        }
        made.push(dir);
    }
    Ok(made)
}

/// Reads a file that was handed in.
fn hand_in(here: &Path) -> io::Result<HandedIn> {
    let file = open_plainly(here)?;
    let size = file.metadata()?.len();
    if size > MAX_FILE {
        return Ok(HandedIn::TooLarge { size });
    }
    let mut content = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut content)?;
    Ok(HandedIn::Content(content))
}

/// The first place for foreign files that is not taken.
fn free_quarantine(root: &Path) -> RelPath {
    let mut number = 1_u64;
    loop {
        let place = layout::foreign_writes(number);
        if root.join(place.as_str()).symlink_metadata().is_err() {
            return place;
        }
        number += 1;
    }
}

/// The place of a foreign file in its quarantine; a name that is no name of a project file gets another.
fn place_in(quarantine: &RelPath, path: &Path) -> RelPath {
    let place = path
        .to_str()
        .and_then(|path| format!("{quarantine}/{path}").parse().ok());
    place.unwrap_or_else(|| {
        let name = novel_model::ContentHash::of(path.as_os_str().as_encoded_bytes());
        let name: String = name.as_str().chars().rev().take(12).collect();
        layout::odd_foreign_write(quarantine, &name)
    })
}
