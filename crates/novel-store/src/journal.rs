//! The write-ahead journal: prepare, seal, apply, clear.
//!
//! Invariants:
//! - Nothing outside `.novel.journal/` changes before `plan.json` stands there;
//!   its appearance (one rename) is the commit point.
//! - What a plan replaces is durable in `archive/` before it is replaced.
//! - Everything applied is durable before `plan.json` goes.
//! - Applying is idempotent: redoing a half-applied plan gives the same tree.
//! - Redoing makes everything anew, also what seems to be done: after a sync that failed the system
//!   may take for written what is not, and a second sync would not tell.
//!
//! All of it runs under the lock of the project directory, so no other process
//! ever works on the same journal.

mod apply;

use std::collections::BTreeSet;

use novel_book::operations::TxnLabel;
use novel_model::{RelPath, layout};

use self::apply::{Pass, Unsynced, apply, verify};
use crate::{
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError, Operation},
    limits::limit_of,
    plan::{OLDEST_PLAN, PLAN_VERSION, Plan, draft_path, sealed_path, unsealed_path},
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
    let mut written: Vec<RelPath> = blobs.iter().map(|(path, _)| path.clone()).collect();
    written.push(unsealed_path());
    fs.sync_files(&written)?;
    fs.sync_dir(&journal())?;
    fs.sync_dir(&Dir::Root)?;
    Ok(())
}

/// The commit point. An error leaves the plan unsealed.
pub(crate) fn seal(fs: &dyn FileSystem) -> Result<(), FsError> {
    fs.rename(&unsealed_path(), &sealed_path())
}

/// Applies the plan that was just sealed. If that fails it is redone once: what stopped it may have
/// passed.
pub(crate) fn finish(fs: &dyn FileSystem, plan: &Plan) -> Result<(), StoreError> {
    let first = fs
        .sync_dir(&journal())
        .map_err(StoreError::from)
        .and_then(|()| apply(fs, plan, Pass::First))
        .and_then(|()| clear(fs));
    match first {
        Ok(()) => Ok(()),
        Err(_) => recover(fs).map(drop),
    }
}

/// Completes or discards whatever a crash or a failure left behind.
pub(crate) fn recover(fs: &dyn FileSystem) -> Result<Recovery, StoreError> {
    if fs.metadata(&layout::journal_dir())?.is_none() {
        return Ok(Recovery::Nothing);
    }
    let Some(plan) = sealed(fs)? else {
        // A plan that was finished and removed may still come back with the
        // next power cut; it must not find its contents gone.
        fs.sync_dir(&journal())?;
        discard(fs)?;
        // It comes back as long as the journal does.
        fs.sync_dir(&Dir::Root)?;
        return Ok(Recovery::Discarded);
    };
    match redo(fs, &plan) {
        Ok(()) => Ok(Recovery::RolledForward { label: plan.label }),
        Err(error @ StoreError::JournalDamaged { .. }) => Err(error),
        Err(error) => Err(StoreError::Sealed {
            label: plan.label,
            source: Box::new(error),
        }),
    }
}

fn redo(fs: &dyn FileSystem, plan: &Plan) -> Result<(), StoreError> {
    verify(fs, plan)?;
    seal_anew(fs)?;
    apply(fs, plan, Pass::Redo)?;
    clear(fs)
}

/// The seal may be visible and yet not durable.
fn seal_anew(fs: &dyn FileSystem) -> Result<(), StoreError> {
    let bytes = fs.read(&sealed_path(), limit_of(&sealed_path()))?;
    write_synced(fs, &unsealed_path(), &bytes)?;
    seal(fs)?;
    fs.sync_dir(&journal())?;
    fs.sync_dir(&Dir::Root)?;
    Ok(())
}

/// Writes a file of the journal anew, durably but for its name.
fn write_synced(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
    write_anew(fs, path, bytes)?;
    fs.sync_file(path)
}

/// Writes a file anew.
pub(crate) fn write_anew(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), FsError> {
    if fs.metadata(path)?.is_some() {
        fs.remove_file(path)?;
    }
    fs.write_new(path, bytes)
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
    fresh: Option<&RelPath>,
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
    settle_name(fs, path, fresh)
}

/// Makes a file anew that has its content already, but perhaps not for good.
pub(crate) fn replace(
    fs: &dyn FileSystem,
    path: &RelPath,
    bytes: &[u8],
    fresh: Option<&RelPath>,
) -> Result<(), StoreError> {
    move_over(fs, path, bytes)?;
    settle_name(fs, path, fresh)
}

/// Makes the name of a file durable, and with the same sync that its `fresh` copy beside it is gone.
fn settle_name(
    fs: &dyn FileSystem,
    path: &RelPath,
    fresh: Option<&RelPath>,
) -> Result<(), StoreError> {
    if let Some(fresh) = fresh {
        // A copy that stays is swept by the next writer after a crash, or put away with its answer.
        let _ = fs.remove_file(fresh);
    }
    Ok(fs.sync_dir(&Dir::of(path))?)
}

/// Moves a file to a path that must not exist yet.
fn move_in(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
    if fs.metadata(path)?.is_some() {
        return Err(FsError::new(Operation::Write, path, Fault::Exists).into());
    }
    move_over(fs, path, bytes)
}

/// Until the file has its name it lies in the journal, where the next writer discards what a crash
/// leaves.
fn move_over(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
    fs.check_writable(path)?;
    let made = match fs.create_dir(&layout::journal_dir()) {
        // A transaction that cannot be finished keeps its journal; that is no reason to lose a file.
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
            // What cannot be removed now is discarded by the next writer.
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
    write_synced(fs, &draft_path(), bytes)?;
    Ok(fs.rename(&draft_path(), path)?)
}

/// Makes the directories above `path`, durably: a file in one that a power cut forgets would be
/// lost. The ones in `durable` are known to be.
pub(crate) fn make_room(
    fs: &dyn FileSystem,
    path: &RelPath,
    durable: &mut BTreeSet<RelPath>,
) -> Result<(), StoreError> {
    // A directory of answers goes with its last file.
    if let Some(dir) = path.parent()
        && fs.metadata(&dir)?.is_none()
    {
        durable.remove(&dir);
    }
    // A process that died may have made them and not synced them.
    let mut unsynced = Unsynced::knowing(durable.clone());
    unsynced.make_parents(fs, [path])?;
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
    match fs.read(path, limit_of(path)) {
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

/// The plan is done, and all of it durable: it goes first, the rest at leisure. Where the plan may come back
/// with the next power cut, the journal goes as a whole.
fn clear(fs: &dyn FileSystem) -> Result<(), StoreError> {
    fs.remove_file(&sealed_path())?;
    if fs.sync_dir(&journal()).is_ok() {
        // Whatever cannot go now is no failure of the transaction: the next writer discards it.
        let _ = discard(fs);
        return Ok(());
    }
    discard(fs)?;
    Ok(fs.sync_dir(&Dir::Root)?)
}
