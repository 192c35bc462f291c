//! Putting a project back as a snapshot has it.

use std::{
    fs::{self, File, FileTimes, Permissions},
    io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use novel_model::RelPath;

use super::{
    Before, Change, ForeignWrite, TreeSnapshot,
    tree::{Facts, failed, walk},
};
use crate::{
    error::StoreError,
    fs::{FileKind, FsError, Operation},
};

impl TreeSnapshot {
    /// Undoes foreign writes. What stands in the way is moved into the directory `quarantine`
    /// (a path from the project that is not there yet), links and empty directories apart.
    /// Returns the writes that could not be undone because their contents were not kept.
    ///
    /// # Errors
    /// When the system refuses; some writes may be undone then.
    pub fn undo(
        &self,
        writes: &[ForeignWrite],
        quarantine: &RelPath,
    ) -> Result<Vec<ForeignWrite>, StoreError> {
        let mut quiet = self.own.quiet();
        let quarantine = Path::new(quarantine.as_str());
        // A directory closed to us would hide what lies in it.
        for write in writes {
            self.open_up(&write.path)?;
        }
        let (mut undone, mut lost) = (Vec::new(), Vec::new());
        for write in writes {
            if self.can_undo(write)? {
                undone.push(write);
            } else {
                lost.push(write.clone());
            }
        }
        // Links first: nothing later may pass through one. Then from the inside out.
        for write in undone.iter().rev() {
            self.remove_link(&write.path)?;
        }
        for write in undone.iter().rev() {
            self.displace(write, quarantine)?;
        }
        for write in &undone {
            if let Some(before) = self.entries.get(&write.path) {
                self.restore(&write.path, before)?;
            }
        }
        // From the inside out: the mode of a directory may forbid to change what lies in it.
        for write in undone.iter().rev() {
            if let Some(before) = self.entries.get(&write.path) {
                self.restore_mode(&write.path, before)?;
            }
        }
        // Another snapshot may be waiting to be compared.
        for write in &undone {
            quiet.learn(&write.path);
        }
        for path in walk(&self.root.join(quarantine), None)
            .unwrap_or_default()
            .keys()
        {
            quiet.learn(&quarantine.join(path));
        }
        Ok(lost)
    }

    fn can_undo(&self, write: &ForeignWrite) -> Result<bool, FsError> {
        let Some(before) = self.entries.get(&write.path) else {
            return Ok(true);
        };
        Ok(match before.facts.kind {
            FileKind::Dir | FileKind::Link => true,
            FileKind::File => before.kept.is_some() || self.is_as_before(&write.path, before)?,
            FileKind::Special => self.is_as_before(&write.path, before)?,
        })
    }

    /// Whether the thing is there with its content; its mode may differ.
    fn is_as_before(&self, path: &Path, before: &Before) -> Result<bool, FsError> {
        match self.now(path)? {
            Some(now) if now.kind == before.facts.kind => self.has_same_content(path, before, &now),
            _ => Ok(false),
        }
    }

    fn now(&self, path: &Path) -> Result<Option<Facts>, FsError> {
        Facts::of(&self.root.join(path)).map_err(failed(Operation::Examine, path))
    }

    fn open_up(&self, path: &Path) -> Result<(), FsError> {
        match self.now(path)? {
            Some(now) if now.kind == FileKind::Dir && now.mode & 0o700 != 0o700 => {
                self.set_mode(path, now.mode | 0o700)
            }
            _ => Ok(()),
        }
    }

    fn set_mode(&self, path: &Path, mode: u32) -> Result<(), FsError> {
        fs::set_permissions(self.root.join(path), Permissions::from_mode(mode))
            .map_err(failed(Operation::Write, path))
    }

    fn restore_mode(&self, path: &Path, before: &Before) -> Result<(), FsError> {
        let differs = self.now(path)?.is_some_and(|now| {
            now.kind != FileKind::Link
                && now.kind == before.facts.kind
                && now.mode != before.facts.mode
        });
        if differs {
            self.set_mode(path, before.facts.mode)?;
        }
        Ok(())
    }

    fn remove_link(&self, path: &Path) -> Result<(), FsError> {
        match self.now(path)? {
            Some(now) if now.kind == FileKind::Link => {
                fs::remove_file(self.root.join(path)).map_err(failed(Operation::Remove, path))
            }
            _ => Ok(()),
        }
    }

    /// Moves what stands at a path out of the way, unless it is what stood there before.
    fn displace(&self, write: &ForeignWrite, quarantine: &Path) -> Result<(), StoreError> {
        let path = &write.path;
        let Some(now) = self.now(path)? else {
            return Ok(());
        };
        if let Some(before) = self.entries.get(path)
            && write.change != Change::Created
            && self.is_as_before(path, before)?
        {
            return Ok(());
        }
        let here = self.root.join(path);
        let removed = match now.kind {
            // The quarantine itself is in it.
            FileKind::Dir if quarantine.starts_with(path) => Ok(()),
            FileKind::Dir => fs::remove_dir(&here),
            FileKind::Special => fs::remove_file(&here),
            // It stands where the quarantine is to be made.
            _ if quarantine.starts_with(path) => fs::remove_file(&here),
            FileKind::File | FileKind::Link => Err(io::ErrorKind::DirectoryNotEmpty.into()),
        };
        match removed {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(error) => return Err(failed(Operation::Remove, path)(error).into()),
        }
        let there = self.root.join(quarantine).join(path);
        let place = there.parent().map_or_else(PathBuf::new, Path::to_owned);
        fs::create_dir_all(&place).map_err(failed(Operation::CreateDir, quarantine))?;
        // A quarantined directory may have been emptied into its place before.
        if now.kind == FileKind::Dir && there.exists() {
            return self.empty_into(path, &there);
        }
        fs::rename(&here, &there).map_err(failed(Operation::Rename, path))?;
        Ok(())
    }

    /// Moves what is left in a directory that came anew, then the directory itself goes.
    fn empty_into(&self, path: &Path, there: &Path) -> Result<(), StoreError> {
        let here = self.root.join(path);
        for entry in fs::read_dir(&here).map_err(failed(Operation::List, path))? {
            let name = entry.map_err(failed(Operation::List, path))?.file_name();
            fs::rename(here.join(&name), there.join(&name))
                .map_err(failed(Operation::Rename, path))?;
        }
        fs::remove_dir(&here).map_err(failed(Operation::Remove, path))?;
        Ok(())
    }

    /// Makes what stood at a path, unless it stands there.
    fn restore(&self, path: &Path, before: &Before) -> Result<(), FsError> {
        if self.is_as_before(path, before)? {
            return Ok(());
        }
        let here = self.root.join(path);
        let made = match (before.facts.kind, &before.facts.target, &before.kept) {
            (FileKind::Dir, ..) => fs::create_dir(&here),
            (FileKind::Link, Some(target), _) => symlink(target, &here),
            (FileKind::File, _, Some(kept)) => give_back(kept, &here, &before.facts),
            _ => Ok(()),
        };
        made.map_err(failed(Operation::Write, path))
    }
}

/// A copy at a place where nothing stands, with the times it had.
fn give_back(kept: &Path, here: &Path, facts: &Facts) -> io::Result<()> {
    let mut from = File::open(kept)?;
    let mut file = File::create_new(here)?;
    io::copy(&mut from, &mut file)?;
    let (seconds, nanoseconds) = facts.modified;
    if let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds)) {
        let modified = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        file.set_times(FileTimes::new().set_modified(modified))?;
    }
    file.sync_all()
}
