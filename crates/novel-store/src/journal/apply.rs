//! Applying a sealed plan: the first time, and again.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{ContentHash, RelPath, layout};

use super::{read_if_there, write_anew, write_synced};
use crate::{
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError},
    limits::limit_of,
    plan::{Op, Plan, copy_path, draft_path},
};

/// Whether this process itself made what it builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    First,
    /// What is there may be visible and yet not durable, and a sync that failed may have lost it for
    /// good: everything is made anew.
    Redo,
}

/// Makes sure that everything still to be applied is there and whole.
pub(super) fn verify(fs: &dyn FileSystem, plan: &Plan) -> Result<(), StoreError> {
    for op in &plan.ops {
        let (Op::Write { blob, hash, .. } | Op::Append { blob, hash, .. }) = op else {
            continue;
        };
        let found = hash_if_there(fs, blob)?;
        if found.as_ref() == Some(hash) || is_applied(fs, op)? {
            continue;
        }
        let reason = match found {
            Some(found) => format!("expected {hash}, found {found}"),
            None => "it is missing".to_owned(),
        };
        return Err(StoreError::JournalDamaged {
            path: blob.clone(),
            reason,
        });
    }
    Ok(())
}

fn is_applied(fs: &dyn FileSystem, op: &Op) -> Result<bool, StoreError> {
    Ok(match op {
        Op::Write { path, hash, .. } => hash_if_there(fs, path)?.as_ref() == Some(hash),
        Op::Append { hash, .. } => {
            added(fs, op)?.is_some_and(|bytes| ContentHash::of(bytes) == *hash)
        }
        Op::Remove { path, .. } => fs.metadata(path)?.is_none(),
    })
}

/// What stands where an append puts its bytes; `None` where the plan does not say how many.
fn added(fs: &dyn FileSystem, op: &Op) -> Result<Option<Vec<u8>>, FsError> {
    let Op::Append {
        path,
        old_len,
        len: Some(len),
        ..
    } = op
    else {
        return Ok(None);
    };
    if fs.metadata(path)?.is_none() {
        return Ok(None);
    }
    let len = usize::try_from(*len).unwrap_or(usize::MAX);
    fs.read_at(path, *old_len, len).map(Some)
}

fn hash_if_there(fs: &dyn FileSystem, path: &RelPath) -> Result<Option<ContentHash>, FsError> {
    Ok(read_if_there(fs, path)?.map(ContentHash::of))
}

/// Whether a change is visible already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    Done,
}

/// A content that is about to be replaced, and where it is kept.
struct Kept {
    path: RelPath,
    at: RelPath,
}

pub(super) fn apply(fs: &dyn FileSystem, plan: &Plan, pass: Pass) -> Result<(), StoreError> {
    let mut unsynced = Unsynced::new(pass);
    let mut steps = Vec::with_capacity(plan.ops.len());
    let mut archived = Vec::new();
    for op in &plan.ops {
        let (progress, kept) = examine(fs, plan, op)?;
        steps.push((op, progress));
        archived.extend(kept);
    }
    for kept in &archived {
        // A copy that a crash or a failed sync cut short; the original is still in its place.
        if fs.metadata(&kept.at)?.is_some() {
            fs.remove_file(&kept.at)?;
        }
    }
    let written = plan.ops.iter().filter_map(|op| match op {
        Op::Write { path, .. } => Some(path),
        Op::Remove { .. } | Op::Append { .. } => None,
    });
    unsynced.make_parents(fs, written.chain(archived.iter().map(|kept| &kept.at)))?;
    for kept in &archived {
        keep(fs, kept, &mut unsynced)?;
    }
    // Old contents and new directories are durable before anything moves: a
    // file moved into a directory that a power cut forgets would be lost.
    unsynced.sync(fs)?;
    let (packs, files): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|(op, _)| op.is_to_archive());
    for (op, progress) in packs {
        change(fs, op, progress, &mut unsynced)?;
    }
    unsynced.sync(fs)?;
    let anew = match pass {
        Pass::First => BTreeMap::new(),
        Pass::Redo => copies(fs, &files)?,
    };
    for (op, progress) in files {
        match anew.get(op.path()) {
            Some(copy) => {
                unsynced.touch(op.path());
                fs.rename(copy, op.path())?;
            }
            None => change(fs, op, progress, &mut unsynced)?,
        }
    }
    unsynced.sync(fs)
}

/// Durable copies of the files that are there already, to take their places.
fn copies(
    fs: &dyn FileSystem,
    files: &[(&Op, Progress)],
) -> Result<BTreeMap<RelPath, RelPath>, StoreError> {
    let mut copies = BTreeMap::new();
    for (index, (op, progress)) in files.iter().enumerate() {
        if let (Op::Write { path, .. }, Progress::Done) = (op, progress) {
            let copy = copy_path(index);
            write_anew(fs, &copy, &fs.read(path, limit_of(path))?)?;
            copies.insert(path.clone(), copy);
        }
    }
    let made: Vec<RelPath> = copies.values().cloned().collect();
    fs.sync_files(&made)?;
    Ok(copies)
}

/// Whether a change is made already, and what it is about to replace.
fn examine(
    fs: &dyn FileSystem,
    plan: &Plan,
    op: &Op,
) -> Result<(Progress, Option<Kept>), StoreError> {
    let (path, new, old) = match op {
        Op::Write {
            path, hash, old, ..
        } => (path, Some(hash), old.as_ref()),
        Op::Remove { path, old, .. } => (path, None, Some(old)),
        Op::Append { .. } => return Ok((Progress::Open, None)),
    };
    let present = hash_if_there(fs, path)?;
    if present.as_ref() == new {
        return Ok((Progress::Done, None));
    }
    let at = match present {
        // There is nothing to keep; a redo of a removal leaves an empty file.
        None => None,
        Some(present) if present == ContentHash::of([]) => None,
        Some(present) if old.is_some_and(|old| old.hash == present) => op.archived_at().cloned(),
        // Someone edited the file between the crash and now: that is kept, always.
        Some(present) => Some(free_place(fs, &plan.archive, path, &present)?),
    };
    let path = path.clone();
    Ok((Progress::Open, at.map(|at| Kept { path, at })))
}

/// Gives a content a second name in the archive.
fn keep(fs: &dyn FileSystem, kept: &Kept, unsynced: &mut Unsynced) -> Result<(), StoreError> {
    unsynced.touch(&kept.at);
    match fs.hard_link(&kept.path, &kept.at) {
        Err(FsError {
            fault: Fault::Unsupported,
            ..
        }) => {
            fs.write_new(&kept.at, &fs.read(&kept.path, limit_of(&kept.path))?)?;
            fs.sync_file(&kept.at)?;
        }
        other => other?,
    }
    Ok(())
}

/// A place in the archive for content the plan does not know.
fn free_place(
    fs: &dyn FileSystem,
    archive: &RelPath,
    path: &RelPath,
    present: &ContentHash,
) -> Result<RelPath, StoreError> {
    for number in 1_u32.. {
        let place: RelPath = format!("{archive}/edited-meanwhile-{number}/{path}").parse()?;
        match hash_if_there(fs, &place)? {
            Some(hash) if hash != *present => {}
            _ => return Ok(place),
        }
    }
    Err(StoreError::BadTarget { path: path.clone() })
}

fn change(
    fs: &dyn FileSystem,
    op: &Op,
    progress: Progress,
    unsynced: &mut Unsynced,
) -> Result<(), StoreError> {
    let pass = unsynced.pass;
    if !matches!(op, Op::Append { .. }) || pass == Pass::Redo {
        unsynced.touch(op.path());
    }
    if let Op::Remove { path, .. } = op
        && let Some(directory) = goes_along(path)
    {
        unsynced.touch(&directory);
    }
    match (op, progress, pass) {
        (Op::Write { path, blob, .. }, Progress::Open, _) => fs.rename(blob, path)?,
        (Op::Remove { path, .. }, Progress::Open, _) => remove(fs, path)?,
        (Op::Write { path, .. }, Progress::Done, Pass::Redo) => {
            write_synced(fs, &draft_path(), &fs.read(path, limit_of(path))?)?;
            fs.rename(&draft_path(), path)?;
        }
        (Op::Remove { path, .. }, Progress::Done, Pass::Redo) => remove_anew(fs, path)?,
        (Op::Write { .. } | Op::Remove { .. }, Progress::Done, Pass::First) => {}
        (
            Op::Append {
                path,
                blob,
                old_len,
                ..
            },
            ..,
        ) => {
            let bytes = bytes_to_append(fs, op, blob)?;
            append(fs, path, &bytes, *old_len, pass)?;
        }
    }
    Ok(())
}

fn remove(fs: &dyn FileSystem, path: &RelPath) -> Result<(), FsError> {
    fs.remove_file(path)?;
    match goes_along(path) {
        Some(directory) => remove_if_empty(fs, &directory),
        None => Ok(()),
    }
}

/// The directory that goes with its last file. There are some directories of answers for every chapter;
/// one without any is of no use.
fn goes_along(path: &RelPath) -> Option<RelPath> {
    path.parent()
        .filter(|directory| directory.parent() == Some(layout::calls_dir()))
}

/// A name that is gone, but perhaps not for good, goes once more.
fn remove_anew(fs: &dyn FileSystem, path: &RelPath) -> Result<(), FsError> {
    let is_there = |made| match made {
        Err(FsError {
            fault: Fault::NotFound,
            ..
        }) => Ok(false),
        other => other.map(|()| true),
    };
    // So does a directory that went along.
    if let Some(directory) = goes_along(path)
        && fs.metadata(&directory)?.is_none()
        && !is_there(fs.create_dir(&directory))?
    {
        return Ok(());
    }
    if is_there(fs.write_new(path, b""))? {
        remove(fs, path)?;
    }
    Ok(())
}

/// What an append adds. Where the blob went with a journal that came back, the file has it.
fn bytes_to_append(fs: &dyn FileSystem, op: &Op, blob: &RelPath) -> Result<Vec<u8>, StoreError> {
    if let Some(bytes) = read_if_there(fs, blob)? {
        return Ok(bytes);
    }
    let bytes = added(fs, op)?.unwrap_or_default();
    // The file is about to be cut.
    write_synced(fs, blob, &bytes)?;
    fs.sync_dir(&Dir::of(blob))?;
    Ok(bytes)
}

fn append(
    fs: &dyn FileSystem,
    path: &RelPath,
    bytes: &[u8],
    old_len: u64,
    pass: Pass,
) -> Result<(), StoreError> {
    let found = fs.metadata(path)?.map_or(0, |meta| meta.len);
    if found < old_len {
        return Err(StoreError::Shortened {
            path: path.clone(),
            expected: old_len,
            found,
        });
    }
    // One byte more than appended, so that a longer file is noticed.
    let tail = fs.read_at(path, old_len, bytes.len() + 1)?;
    if tail != bytes || pass == Pass::Redo {
        if !tail.is_empty() {
            fs.truncate(path, old_len)?;
        }
        fs.append(path, bytes)?;
    }
    fs.sync_file(path)?;
    Ok(())
}

/// Directories whose names changed since they were last synced.
pub(super) struct Unsynced {
    pass: Pass,
    dirs: BTreeSet<Dir>,
    /// Directories that are known to be there for good.
    durable: BTreeSet<RelPath>,
}

impl Unsynced {
    pub(super) fn new(pass: Pass) -> Self {
        Self {
            pass,
            dirs: BTreeSet::new(),
            durable: BTreeSet::new(),
        }
    }

    /// For files beside any transaction: like a redo, but for directories that are known to be there
    /// for good.
    pub(super) fn knowing(durable: BTreeSet<RelPath>) -> Self {
        Self {
            durable,
            ..Self::new(Pass::Redo)
        }
    }

    /// The entry `path` changed.
    pub(super) fn touch(&mut self, path: &RelPath) {
        self.dirs.insert(Dir::of(path));
    }

    /// Makes the missing directories above some paths. A redo also makes those anew that are empty:
    /// a file comes into a directory once that is durable, so all others are.
    pub(super) fn make_parents<'a>(
        &mut self,
        fs: &dyn FileSystem,
        paths: impl IntoIterator<Item = &'a RelPath>,
    ) -> Result<(), FsError> {
        let mut above = BTreeSet::new();
        for path in paths {
            let dirs = std::iter::successors(path.parent(), RelPath::parent);
            above.extend(dirs.take_while(|dir| !self.durable.contains(dir)));
        }
        if self.pass == Pass::Redo {
            // From the inside out.
            for dir in above.iter().rev() {
                remove_if_empty(fs, dir)?;
            }
        }
        for dir in above {
            if fs.metadata(&dir)?.is_none() {
                fs.create_dir(&dir)?;
                self.touch(&dir);
            }
        }
        Ok(())
    }

    pub(super) fn sync(&mut self, fs: &dyn FileSystem) -> Result<(), StoreError> {
        for dir in std::mem::take(&mut self.dirs) {
            match fs.sync_dir(&dir) {
                // A directory that is not there has no names to keep.
                Err(FsError {
                    fault: Fault::NotFound,
                    ..
                }) => {}
                other => other?,
            }
        }
        Ok(())
    }
}

fn remove_if_empty(fs: &dyn FileSystem, dir: &RelPath) -> Result<(), FsError> {
    match fs.remove_dir(dir) {
        // Something stands in it, or there is none.
        Err(FsError {
            fault: Fault::NotEmpty | Fault::Exists | Fault::NotFound | Fault::NotADirectory,
            ..
        }) => Ok(()),
        other => other,
    }
}
