//! The write-ahead journal: prepare, seal, apply, clear.
//!
//! Invariants:
//! - Nothing outside `.novel.journal/` changes before `plan.json` stands there;
//!   its appearance (one rename) is the commit point.
//! - What a plan replaces is durable in `archive/` before it is replaced.
//! - Everything applied is durable before `plan.json` goes.
//! - Applying is idempotent: redoing a half-applied plan gives the same tree.
//!
//! All of it runs under the lock of the project directory, so no other process
//! ever works on the same journal.

use std::collections::BTreeSet;

use novel_book::operations::TxnLabel;
use novel_model::{ContentHash, RelPath, layout};

use crate::{
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError, Operation},
    plan::{OLDEST_PLAN, Op, PLAN_VERSION, Plan, draft_path, sealed_path, unsealed_path},
};

/// What was found and done about an unfinished transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// There was none.
    Nothing,
    /// It was sealed and is now complete.
    RolledForward {
        /// The transaction.
        label: TxnLabel,
    },
    /// It was not sealed and is gone; the project never saw it.
    Discarded,
}

/// Whether this process itself made what it builds on, or another one that may have died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    /// What another process did may be visible and yet not durable: sync it all again.
    Redo,
}

/// Writes the new contents and the plan, all durable but not sealed.
pub(crate) fn prepare(
    fs: &dyn FileSystem,
    plan: &Plan,
    blobs: &[(RelPath, Vec<u8>)],
) -> Result<(), StoreError> {
    fs.create_dir(&layout::journal_dir())?;
    for (path, bytes) in blobs {
        fs.write_new(path, bytes)?;
    }
    let mut bytes = serde_json::to_vec_pretty(plan)?;
    bytes.push(b'\n');
    fs.write_new(&unsealed_path(), &bytes)?;
    // Syncing after all is written lets the disk do it in one go.
    for (path, _) in blobs {
        fs.sync_file(path)?;
    }
    fs.sync_file(&unsealed_path())?;
    fs.sync_dir(&journal())?;
    fs.sync_dir(&Dir::Root)?;
    Ok(())
}

/// The commit point. An error leaves the plan unsealed.
pub(crate) fn seal(fs: &dyn FileSystem) -> Result<(), FsError> {
    fs.rename(&unsealed_path(), &sealed_path())
}

/// Applies the plan that was just sealed.
pub(crate) fn finish(fs: &dyn FileSystem, plan: &Plan) -> Result<(), StoreError> {
    fs.sync_dir(&journal())?;
    apply(fs, plan, Pass::First)?;
    clear(fs)
}

/// Completes or discards whatever a crash left behind.
pub(crate) fn recover(fs: &dyn FileSystem) -> Result<Recovery, StoreError> {
    if fs.metadata(&layout::journal_dir())?.is_none() {
        return Ok(Recovery::Nothing);
    }
    let Some(plan) = sealed(fs)? else {
        // A plan that was finished and removed may still come back with the
        // next power cut; it must not find its contents gone.
        fs.sync_dir(&journal())?;
        discard(fs)?;
        return Ok(Recovery::Discarded);
    };
    let redo = || {
        // The seal may be visible and yet not durable.
        fs.sync_dir(&journal())?;
        fs.sync_dir(&Dir::Root)?;
        verify(fs, &plan)?;
        apply(fs, &plan, Pass::Redo)?;
        clear(fs)
    };
    match redo() {
        Ok(()) => Ok(Recovery::RolledForward { label: plan.label }),
        Err(error @ StoreError::JournalDamaged { .. }) => Err(error),
        Err(error) => Err(StoreError::Sealed {
            label: plan.label,
            source: Box::new(error),
        }),
    }
}

/// The sealed plan, if one lies there.
pub(crate) fn sealed(fs: &dyn FileSystem) -> Result<Option<Plan>, StoreError> {
    let path = sealed_path();
    let Some(bytes) = read_if_there(fs, &path)? else {
        return Ok(None);
    };
    let damaged = |reason: String| StoreError::JournalDamaged {
        path: path.clone(),
        reason,
    };
    let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if (OLDEST_PLAN..=PLAN_VERSION).contains(&plan.version) {
        Ok(Some(plan))
    } else {
        let (found, known) = (plan.version, PLAN_VERSION);
        Err(damaged(format!(
            "format {found}, this program knows {known}"
        )))
    }
}

/// Makes one file, whole or not at all, and durably. The directories in `durable` are known to be.
pub(crate) fn place(
    fs: &dyn FileSystem,
    path: &RelPath,
    bytes: &[u8],
    durable: &mut BTreeSet<RelPath>,
) -> Result<(), StoreError> {
    make_room(fs, path, durable)?;
    match fs.write_whole(path, bytes) {
        Err(FsError {
            fault: Fault::Unsupported,
            ..
        }) => move_in(fs, path, bytes)?,
        other => other?,
    }
    Ok(fs.sync_dir(&Dir::of(path))?)
}

/// The same where a file has a name from the start. Until it has its own it lies in the journal,
/// where the next writer discards what a crash leaves.
fn move_in(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
    if fs.metadata(path)?.is_some() {
        return Err(FsError::new(Operation::Write, path, Fault::Exists).into());
    }
    fs.check_writable(path)?;
    let made = match fs.create_dir(&layout::journal_dir()) {
        // A transaction that can not be finished keeps its journal; that is no reason to lose a file.
        Err(FsError {
            fault: Fault::Exists,
            ..
        }) => false,
        other => other.map(|()| true)?,
    };
    let moved = move_through_journal(fs, path, bytes);
    if made {
        match &moved {
            Ok(()) => fs.remove_dir(&layout::journal_dir())?,
            // What can not be removed now is discarded by the next writer.
            Err(_) => drop(discard(fs)),
        }
    }
    moved
}

fn move_through_journal(
    fs: &dyn FileSystem,
    path: &RelPath,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let draft = draft_path();
    if fs.metadata(&draft)?.is_some() {
        fs.remove_file(&draft)?;
    }
    fs.write_new(&draft, bytes)?;
    fs.sync_file(&draft)?;
    Ok(fs.rename(&draft, path)?)
}

/// Makes the directories above `path`, durably: a file in one that a power cut forgets would be
/// lost. The ones in `durable` are known to be.
pub(crate) fn make_room(
    fs: &dyn FileSystem,
    path: &RelPath,
    durable: &mut BTreeSet<RelPath>,
) -> Result<(), StoreError> {
    let mut unsynced = Unsynced::new(Pass::First);
    unsynced.make_parents(fs, path)?;
    // A process that died may have made the others and not synced them.
    let above = std::iter::successors(path.parent(), RelPath::parent);
    let unknown: Vec<RelPath> = above.take_while(|dir| !durable.contains(dir)).collect();
    for dir in &unknown {
        unsynced.touch(dir);
    }
    unsynced.sync(fs)?;
    durable.extend(unknown);
    Ok(())
}

/// Removes an unsealed (or finished) journal.
pub(crate) fn discard(fs: &dyn FileSystem) -> Result<(), StoreError> {
    let directory = layout::journal_dir();
    for name in fs.list(&journal())? {
        fs.remove_file(&directory.join(&name)?)?;
    }
    fs.remove_dir(&directory)?;
    Ok(())
}

/// The bytes of a file, or `None` when there is none.
pub(crate) fn read_if_there(
    fs: &dyn FileSystem,
    path: &RelPath,
) -> Result<Option<Vec<u8>>, FsError> {
    match fs.read(path, u64::MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FsError {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn journal() -> Dir {
    Dir::At(layout::journal_dir())
}

/// The plan is done: it goes first and durably, the rest at leisure. What a
/// power cut brings back of the rest has no plan and is discarded.
fn clear(fs: &dyn FileSystem) -> Result<(), StoreError> {
    fs.remove_file(&sealed_path())?;
    fs.sync_dir(&journal())?;
    discard(fs)
}

/// Makes sure that everything still to be applied is there and whole.
fn verify(fs: &dyn FileSystem, plan: &Plan) -> Result<(), StoreError> {
    for op in &plan.ops {
        let (path, blob, hash, may_be_applied) = match op {
            Op::Write {
                path, blob, hash, ..
            } => (path, blob, hash, true),
            Op::Append {
                path, blob, hash, ..
            } => (path, blob, hash, false),
            Op::Remove { .. } => continue,
        };
        let found = hash_if_there(fs, blob)?;
        if found.as_ref() == Some(hash)
            || (may_be_applied && hash_if_there(fs, path)?.as_ref() == Some(hash))
        {
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

fn hash_if_there(fs: &dyn FileSystem, path: &RelPath) -> Result<Option<ContentHash>, FsError> {
    Ok(read_if_there(fs, path)?.map(ContentHash::of))
}

/// Whether a change is visible already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    Done,
}

fn apply(fs: &dyn FileSystem, plan: &Plan, pass: Pass) -> Result<(), StoreError> {
    let mut unsynced = Unsynced::new(pass);
    let mut progress = Vec::with_capacity(plan.ops.len());
    for op in &plan.ops {
        progress.push(archive(fs, plan, op, &mut unsynced)?);
    }
    for op in &plan.ops {
        if let Op::Write { path, .. } = op {
            unsynced.make_parents(fs, path)?;
        }
    }
    // Old contents and new directories are durable before anything moves: a
    // file moved into a directory that a power cut forgets would be lost.
    unsynced.sync(fs)?;
    let steps: Vec<(&Op, Progress)> = plan.ops.iter().zip(progress).collect();
    let (packs, files): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|(op, _)| op.is_to_archive());
    for (op, progress) in packs {
        change(fs, op, progress, &mut unsynced)?;
    }
    unsynced.sync(fs)?;
    for (op, progress) in files {
        change(fs, op, progress, &mut unsynced)?;
    }
    unsynced.sync(fs)
}

/// Keeps what the change is about to replace.
fn archive(
    fs: &dyn FileSystem,
    plan: &Plan,
    op: &Op,
    unsynced: &mut Unsynced,
) -> Result<Progress, StoreError> {
    let (path, new, old) = match op {
        Op::Write {
            path, hash, old, ..
        } => (path, Some(hash), old.as_ref()),
        Op::Remove { path, old, .. } => (path, None, Some(old)),
        Op::Append { .. } => return Ok(Progress::Open),
    };
    let present = hash_if_there(fs, path)?;
    if present.as_ref() == new {
        if let Some(kept) = op.archived_at() {
            unsynced.make_parents(fs, kept)?;
            unsynced.touch(kept);
        }
        return Ok(Progress::Done);
    }
    let Some(present) = present else {
        return Ok(Progress::Open);
    };
    if old.is_some_and(|old| old.hash == present) {
        if let Some(kept) = op.archived_at() {
            keep(fs, path, &present, kept, unsynced)?;
        }
    } else {
        // Someone edited the file between the crash and now: that is kept, always.
        let kept = free_place(fs, &plan.archive, path, &present)?;
        keep(fs, path, &present, &kept, unsynced)?;
    }
    Ok(Progress::Open)
}

/// Gives the content of `path` a second name at `kept`.
fn keep(
    fs: &dyn FileSystem,
    path: &RelPath,
    present: &ContentHash,
    kept: &RelPath,
    unsynced: &mut Unsynced,
) -> Result<(), StoreError> {
    unsynced.make_parents(fs, kept)?;
    unsynced.touch(kept);
    match hash_if_there(fs, kept)? {
        Some(hash) if hash == *present => {
            // A copy made by a process that died may not be durable.
            if unsynced.pass == Pass::Redo {
                fs.sync_file(kept)?;
            }
            return Ok(());
        }
        // A copy that a crash cut short; the original is still in its place.
        Some(_) => fs.remove_file(kept)?,
        None => {}
    }
    match fs.hard_link(path, kept) {
        Err(FsError {
            fault: Fault::Unsupported,
            ..
        }) => {
            fs.write_new(kept, &fs.read(path, u64::MAX)?)?;
            fs.sync_file(kept)?;
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
    if !matches!(op, Op::Append { .. }) || unsynced.pass == Pass::Redo {
        unsynced.touch(op.path());
    }
    match (op, progress) {
        (Op::Write { .. } | Op::Remove { .. }, Progress::Done) => {}
        (Op::Write { path, blob, .. }, Progress::Open) => fs.rename(blob, path)?,
        (Op::Remove { path, .. }, Progress::Open) => fs.remove_file(path)?,
        (
            Op::Append {
                path,
                blob,
                old_len,
                ..
            },
            _,
        ) => append(fs, path, blob, *old_len)?,
    }
    Ok(())
}

fn append(
    fs: &dyn FileSystem,
    path: &RelPath,
    blob: &RelPath,
    old_len: u64,
) -> Result<(), StoreError> {
    let bytes = fs.read(blob, u64::MAX)?;
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
    if tail != bytes {
        if !tail.is_empty() {
            fs.truncate(path, old_len)?;
        }
        fs.append(path, &bytes)?;
    }
    fs.sync_file(path)?;
    Ok(())
}

/// Directories whose names changed since they were last synced.
struct Unsynced {
    pass: Pass,
    dirs: BTreeSet<Dir>,
}

impl Unsynced {
    fn new(pass: Pass) -> Self {
        let dirs = BTreeSet::new();
        Self { pass, dirs }
    }

    /// The entry `path` changed.
    fn touch(&mut self, path: &RelPath) {
        self.dirs.insert(Dir::of(path));
    }

    /// Makes the missing directories above `path`.
    fn make_parents(&mut self, fs: &dyn FileSystem, path: &RelPath) -> Result<(), FsError> {
        if self.pass == Pass::Redo {
            // A process that died may have made them and not synced them.
            let above = std::iter::successors(path.parent(), RelPath::parent);
            self.dirs.extend(above.map(|dir| Dir::of(&dir)));
        }
        let mut missing = Vec::new();
        let mut next = path.parent();
        while let Some(dir) = next {
            if fs.metadata(&dir)?.is_some() {
                break;
            }
            next = dir.parent();
            missing.push(dir);
        }
        for dir in missing.into_iter().rev() {
            fs.create_dir(&dir)?;
            self.touch(&dir);
        }
        Ok(())
    }

    fn sync(&mut self, fs: &dyn FileSystem) -> Result<(), StoreError> {
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
