//! Taking, keeping and giving back the single-writer lock.
//!
//! Every act on `.novel.lock` happens while the project directory itself is
//! locked ([`FileSystem::lock_root`]). So "I saw it stale" and "I replaced it"
//! are one act, and of any number of takers exactly one wins. The lock directory
//! is made complete under another name and moved into place, and moved away
//! before it is taken apart: a crash never leaves a lock without a holder.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use novel_model::{ChapterNo, RelPath, layout};

use crate::{
    fs::{Dir, Fault, FileKind, FileSystem, FsError, RootGuard},
    limits::limit_of,
    lock_state::{LockError, LockInfo, LockStatus},
    machine::{Machine, Process},
};

/// What `novel lock clear` may remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clear {
    /// Only a stale lock.
    StaleOnly,
    /// Any lock, also a live or damaged one.
    Force,
}

/// The lock, held until dropped.
pub struct LockGuard {
    fs: Arc<dyn FileSystem>,
    machine: Arc<dyn Machine>,
    unreleased: Unreleased,
    token: String,
}

/// Why the last lock of a project could not be given back.
pub(crate) type Unreleased = Arc<Mutex<Option<LockError>>>;

/// The lock as it is taken.
pub(crate) struct Taken {
    pub(crate) guard: LockGuard,
    /// The holder of the stale lock it replaces.
    pub(crate) taken_over: Option<LockInfo>,
    /// The project directory; to be let go before the lock is given back.
    pub(crate) serialised: RootGuard,
}

impl LockGuard {
    /// Takes the lock, replacing a stale one, whose holder is returned too. The project directory is
    /// still held, so that no one comes between the lock and what follows.
    pub(crate) fn acquire(
        fs: &Arc<dyn FileSystem>,
        machine: &Arc<dyn Machine>,
        unreleased: &Unreleased,
        chapter: Option<ChapterNo>,
    ) -> Result<Taken, LockError> {
        // A live holder may be inside a transaction for long, or suspended in it: that is seen
        // without waiting for it.
        if let LockStatus::Held(holder) = LockStatus::examine(fs.as_ref(), machine.as_ref())? {
            return Err(LockError::held(holder));
        }
        let serialised = serialise(fs.as_ref(), machine.as_ref())?;
        let mut taken_over = None;
        match LockStatus::examine(fs.as_ref(), machine.as_ref())? {
            LockStatus::Held(holder) => return Err(LockError::held(holder)),
            LockStatus::Damaged { reason } => return Err(LockError::Damaged { reason }),
            LockStatus::Free => {}
            LockStatus::Stale(holder, _) => {
                let token = machine.random_token();
                take_apart(fs.as_ref(), &token)?;
                taken_over = holder.info;
            }
        }
        sweep(fs.as_ref())?;
        // What the dead holder did and could not tell stays known, though this process dies too.
        let before: Option<&LockInfo> = taken_over.as_ref();
        let info = LockInfo {
            last_operation: before.and_then(|holder| holder.last_operation),
            ..describe_self(machine.as_ref(), chapter)
        };
        let token = info.token.clone().unwrap_or_default();
        install(fs.as_ref(), machine.as_ref(), &info)?;
        let guard = Self {
            fs: Arc::clone(fs),
            machine: Arc::clone(machine),
            unreleased: Arc::clone(unreleased),
            token,
        };
        Ok(Taken {
            guard,
            taken_over,
            serialised,
        })
    }

    /// Whether this process still holds it.
    ///
    /// # Errors
    /// When the lock cannot be read.
    pub fn still_ours(&self) -> Result<bool, LockError> {
        Ok(read_own(self.fs.as_ref(), &self.token)?.is_some())
    }

    /// Fails with [`LockError::Lost`] when it no longer holds it.
    pub(crate) fn check(&self) -> Result<(), LockError> {
        if self.still_ours()? {
            Ok(())
        } else {
            Err(LockError::Lost)
        }
    }

    /// Records a sign of life.
    ///
    /// # Errors
    /// [`LockError::Lost`] when another has it, or a file operation fails.
    pub fn beat(&self) -> Result<(), LockError> {
        beat(self.fs.as_ref(), self.machine.as_ref(), &self.token)
    }

    /// Says which chapter is being written now.
    ///
    /// # Errors
    /// [`LockError::Lost`] when the lock is another's.
    pub fn name_chapter(&self, chapter: ChapterNo) -> Result<(), LockError> {
        self.renew(|info| info.chapter = Some(chapter.get()))
    }

    /// Says that operations are being taken or brought back, and which one was the newest before:
    /// whoever takes the lock over sees whether it was done.
    ///
    /// # Errors
    /// [`LockError::Lost`] when the lock is another's.
    pub fn name_last_operation(&self, last: u64) -> Result<(), LockError> {
        self.renew(|info| info.last_operation = Some(last))?;
        // After a power cut too.
        Ok(self.fs.sync_dir(&Dir::At(layout::lock_dir()))?)
    }

    fn renew(&self, change: impl FnOnce(&mut LockInfo)) -> Result<(), LockError> {
        renew(self.fs.as_ref(), self.machine.as_ref(), &self.token, change)
    }

    pub(crate) fn unreleased(&self) -> Unreleased {
        Arc::clone(&self.unreleased)
    }

    pub(crate) fn parts(&self) -> (Arc<dyn FileSystem>, Arc<dyn Machine>, String) {
        let (fs, machine) = (Arc::clone(&self.fs), Arc::clone(&self.machine));
        (fs, machine, self.token.clone())
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        let fs = self.fs.as_ref();
        let released = match release(fs, &self.token) {
            // Once the lock is gone, only its end on the disk is in doubt: a second sync would not
            // tell.
            Err(_) if matches!(read_own(fs, &self.token), Ok(Some(_))) => release(fs, &self.token),
            other => other,
        };
        // Nothing depends on it: a lock that stays behind is stale as soon as this process has
        // ended. But it is an error, and whoever runs the command tells it.
        if let Err(error) = released {
            *unreleased(&self.unreleased) = Some(error);
        }
    }
}

/// Takes out why a lock could not be given back.
pub(crate) fn take(left: &Unreleased) -> Option<LockError> {
    unreleased(left).take()
}

fn unreleased(left: &Unreleased) -> MutexGuard<'_, Option<LockError>> {
    left.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds the project directory, or tells who does.
fn serialise(fs: &dyn FileSystem, machine: &dyn Machine) -> Result<RootGuard, LockError> {
    match fs.lock_root() {
        Err(FsError {
            fault: Fault::Locked,
            ..
        }) => Err(LockError::Busy {
            holder: match LockStatus::examine(fs, machine)? {
                LockStatus::Held(holder) | LockStatus::Stale(holder, _) => Some(Box::new(holder)),
                LockStatus::Free | LockStatus::Damaged { .. } => None,
            },
        }),
        other => Ok(other?),
    }
}

/// Removes the lock as far as `clear` allows; returns what it was.
pub(crate) fn clear(
    fs: &dyn FileSystem,
    machine: &dyn Machine,
    clear: Clear,
) -> Result<LockStatus, LockError> {
    let _serialised = serialise(fs, machine)?;
    let status = LockStatus::examine(fs, machine)?;
    match (&status, clear) {
        (LockStatus::Free, _) => {}
        (LockStatus::Stale(..), _) | (_, Clear::Force) => {
            take_apart(fs, &machine.random_token())?;
        }
        (LockStatus::Held(holder), Clear::StaleOnly) => {
            return Err(LockError::held(holder.clone()));
        }
        (LockStatus::Damaged { reason }, Clear::StaleOnly) => {
            let reason = reason.clone();
            return Err(LockError::Damaged { reason });
        }
    }
    sweep(fs)?;
    Ok(status)
}

/// Records a sign of life of the lock with this token.
pub(crate) fn beat(
    fs: &dyn FileSystem,
    machine: &dyn Machine,
    token: &str,
) -> Result<(), LockError> {
    renew(fs, machine, token, |_| {})
}

/// Writes a new description of the holder: a sign of life, and what changed.
fn renew(
    fs: &dyn FileSystem,
    machine: &dyn Machine,
    token: &str,
    change: impl FnOnce(&mut LockInfo),
) -> Result<(), LockError> {
    let _serialised = fs.lock_root()?;
    let Some(mut info) = read_own(fs, token)? else {
        return Err(LockError::Lost);
    };
    info.heartbeat = Some(moment(machine));
    change(&mut info);
    let next = layout::lock_dir().join("info.json.next")?;
    if fs.metadata(&next)?.is_some() {
        fs.remove_file(&next)?;
    }
    fs.write_new(&next, &encode(&info)?)?;
    // A torn description would look like a damaged lock after a power cut.
    fs.sync_file(&next)?;
    fs.rename(&next, &layout::lock_info())?;
    Ok(())
}

fn release(fs: &dyn FileSystem, token: &str) -> Result<(), LockError> {
    let _serialised = fs.lock_root()?;
    match read_own(fs, token)? {
        Some(_) => take_apart(fs, token),
        None => Ok(()),
    }
}

/// The lock's description, if it is ours.
fn read_own(fs: &dyn FileSystem, token: &str) -> Result<Option<LockInfo>, LockError> {
    match fs.read(&layout::lock_info(), limit_of(&layout::lock_info())) {
        Ok(bytes) => Ok(serde_json::from_slice::<LockInfo>(&bytes)
            .ok()
            .filter(|info| info.token.as_deref() == Some(token))),
        Err(FsError {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn describe_self(machine: &dyn Machine, chapter: Option<ChapterNo>) -> LockInfo {
    let now = moment(machine);
    let process_start = match machine.process(machine.pid()) {
        Process::Running { start, .. } => start,
        Process::Gone => None,
    };
    LockInfo {
        pid: machine.pid(),
        started: now,
        chapter: chapter.map(ChapterNo::get),
        host: Some(machine.host()),
        process_start,
        heartbeat: Some(now),
        token: Some(machine.random_token()),
        boot_id: machine.boot_id(),
        pid_namespace: machine.pid_namespace(),
        last_operation: None,
    }
}

fn moment(machine: &dyn Machine) -> Timestamp {
    let now = machine.now();
    let second = TimestampRound::new()
        .smallest(Unit::Second)
        .mode(RoundMode::Trunc);
    now.round(second).unwrap_or(now)
}

fn encode(info: &LockInfo) -> Result<Vec<u8>, LockError> {
    let mut bytes = serde_json::to_vec_pretty(info)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Puts a complete lock directory in place; the caller has seen that none is there.
fn install(fs: &dyn FileSystem, machine: &dyn Machine, info: &LockInfo) -> Result<(), LockError> {
    let token = info.token.as_deref().unwrap_or_default();
    let fresh: RelPath = format!("{}.new-{token}", layout::lock_dir()).parse()?;
    let placed = build(fs, &fresh, info).and_then(|()| {
        match fs.rename_noreplace(&fresh, &layout::lock_dir()) {
            Err(FsError {
                fault: Fault::Unsupported,
                ..
            }) => build(fs, &layout::lock_dir(), info),
            other => Ok(other?),
        }
    });
    if placed.is_err() || fs.metadata(&fresh)?.is_some() {
        remove_tree(fs, &fresh)?;
    }
    match placed {
        // A tool that does not lock the directory made it just now.
        Err(LockError::Fs(FsError {
            fault: Fault::Exists | Fault::NotEmpty,
            ..
        })) => Err(match LockStatus::examine(fs, machine)? {
            LockStatus::Held(holder) | LockStatus::Stale(holder, _) => LockError::held(holder),
            LockStatus::Damaged { reason } => LockError::Damaged { reason },
            LockStatus::Free => LockError::Lost,
        }),
        other => other,
    }
}

fn build(fs: &dyn FileSystem, dir: &RelPath, info: &LockInfo) -> Result<(), LockError> {
    let file = dir.join("info.json")?;
    fs.create_dir(dir)?;
    fs.write_new(&file, &encode(info)?)?;
    fs.sync_file(&file)?;
    fs.sync_dir(&Dir::At(dir.clone()))?;
    Ok(())
}

/// Moves the lock away, then removes it, durably: one that comes back after a power cut would say
/// that someone was interrupted who was not.
fn take_apart(fs: &dyn FileSystem, token: &str) -> Result<(), LockError> {
    let stale: RelPath = format!("{}.stale-{token}", layout::lock_dir()).parse()?;
    fs.rename(&layout::lock_dir(), &stale)?;
    remove_tree(fs, &stale)?;
    Ok(fs.sync_dir(&Dir::Root)?)
}

/// Removes what a crash left of half-made or half-removed locks.
fn sweep(fs: &dyn FileSystem) -> Result<(), LockError> {
    let lock = layout::lock_dir();
    for name in fs.list(&Dir::Root)? {
        let rest = name.strip_prefix(lock.as_str()).unwrap_or_default();
        if rest.starts_with(".stale-") {
            // Whoever moved it away may have died before that was durable.
            fs.sync_dir(&Dir::Root)?;
        }
        if rest.starts_with(".new-") || rest.starts_with(".stale-") {
            remove_tree(fs, &name.parse()?)?;
        }
    }
    Ok(())
}

fn remove_tree(fs: &dyn FileSystem, path: &RelPath) -> Result<(), LockError> {
    match fs.metadata(path)? {
        None => Ok(()),
        Some(meta) if meta.kind == FileKind::Dir => {
            for name in fs.list(&Dir::At(path.clone()))? {
                remove_tree(fs, &path.join(&name)?)?;
            }
            Ok(fs.remove_dir(path)?)
        }
        Some(_) => Ok(fs.remove_file(path)?),
    }
}
