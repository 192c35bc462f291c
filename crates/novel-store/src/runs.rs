//! Logs of runs and the inbox: the two things written beside transactions.
//!
//! A log only grows, by whole lines, and nothing is built on it: a crash may lose its end. The inbox is
//! written by processes that do not hold the lock; a file there is whole from the moment it has a name,
//! and is never replaced.

use std::collections::BTreeSet;

use novel_model::{RelPath, layout};

use crate::{
    TxnKind, TxnLabel,
    error::StoreError,
    fs::{Dir, Fault, FileSystem, FsError},
    journal,
    lock_state::LockStatus,
    machine::Process,
    plan::Receipt,
    store::Store,
};

/// How much of a log is read at once.
const PIECE: usize = 1 << 20;

/// A process, so that it can be told from a later one with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessName {
    /// Its number.
    pub pid: u32,
    /// When it was started, where the system tells.
    pub start: Option<String>,
    /// The machine.
    pub host: String,
}

impl Store {
    /// Makes the log of a run. Whoever is second to make it is told.
    ///
    /// # Errors
    /// [`Fault::Exists`] when there is such a log, or it cannot be made.
    pub fn begin_log(&self, path: &RelPath, line: &[u8]) -> Result<(), StoreError> {
        self.beside(path, |fs| {
            journal::make_room(fs, path, &mut BTreeSet::new())?;
            Ok(fs.write_new(path, line)?)
        })
    }

    /// Adds lines to the log of a run.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append_log(&self, path: &RelPath, lines: &[u8]) -> Result<(), StoreError> {
        self.beside(path, |fs| Ok(fs.append(path, lines)?))
    }

    /// Removes the log of a run, or a wish that came too late. One that is gone already is no error.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_beside(&self, path: &RelPath) -> Result<(), StoreError> {
        self.beside(path, |fs| match fs.remove_file(path) {
            Err(FsError {
                fault: Fault::NotFound,
                ..
            }) => Ok(()),
            other => Ok(other?),
        })
    }

    /// Puts a file into the inbox. Needs no lock.
    ///
    /// # Errors
    /// [`Fault::Exists`] when there is such a file, or it cannot be written.
    pub fn post(&self, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
        debug_assert!(path.is_under(&layout::inbox_dir()), "{path} is no inbox");
        self.beside(path, |fs| {
            match fs.create_dir(&layout::inbox_dir()) {
                Err(FsError {
                    fault: Fault::Exists,
                    ..
                }) => {}
                other => other?,
            }
            match fs.write_whole(path, bytes) {
                Err(FsError {
                    fault: Fault::Unsupported,
                    ..
                }) => move_in(fs, path, bytes)?,
                other => other?,
            }
            Ok(fs.sync_dir(&Dir::of(path))?)
        })
    }

    /// What stands in the log of a run from `offset` on; nothing where there is no such log.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_log(&self, path: &RelPath, offset: u64) -> Result<Vec<u8>, StoreError> {
        match self.fs().read_at(path, offset, PIECE) {
            Err(FsError {
                fault: Fault::NotFound,
                ..
            }) => Ok(Vec::new()),
            other => Ok(other?),
        }
    }

    /// This process, as a log names it.
    #[must_use]
    pub fn this_process(&self) -> ProcessName {
        let machine = self.machine();
        let pid = machine.pid();
        let start = match machine.process(pid) {
            Process::Running { start, .. } => start,
            Process::Gone => None,
        };
        ProcessName {
            pid,
            start,
            host: machine.host(),
        }
    }

    /// Whether a process that a log names still runs. One of another machine holds the lock, or is
    /// gone.
    ///
    /// # Errors
    /// When the lock cannot be looked at.
    pub fn is_running(&self, process: &ProcessName) -> Result<bool, StoreError> {
        let machine = self.machine();
        if machine.host() == process.host {
            return Ok(match machine.process(process.pid) {
                Process::Gone => false,
                Process::Running { start, .. } => start.is_none() || start == process.start,
            });
        }
        Ok(match self.lock_status()? {
            LockStatus::Held(holder) => holder.info.is_some_and(|info| info.pid == process.pid),
            LockStatus::Free | LockStatus::Stale(..) | LockStatus::Damaged { .. } => false,
        })
    }

    /// A write of the program's own, so that it is not taken for one of an agent that runs.
    fn beside(
        &self,
        path: &RelPath,
        write: impl FnOnce(&dyn FileSystem) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.own().commit(|| {
            write(self.fs())?;
            Ok(Receipt {
                label: TxnLabel::new(TxnKind::Call, path.as_str()),
                operation: None,
                pack: None,
                changed: vec![path.clone()],
            })
        })?;
        Ok(())
    }
}

/// Where files have names from the start: under another name first, which nobody takes for a note.
fn move_in(fs: &dyn FileSystem, path: &RelPath, bytes: &[u8]) -> Result<(), StoreError> {
    let draft = layout::inbox_draft(path, std::process::id());
    fs.write_new(&draft, bytes)?;
    let moved = fs.hard_link(&draft, path);
    fs.remove_file(&draft)?;
    Ok(moved?)
}
