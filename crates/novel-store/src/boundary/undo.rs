//! Putting a project back as a snapshot has it.

use std::{
    fs::{self, File, Permissions},
    io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use novel_model::RelPath;
use rustix::{
    fs::{AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags},
    io::Errno,
};

use super::{
    Change, ForeignWrite, MAX_FILE,
    own::Quiet,
    place_in,
    snapshot::{Before, TreeSnapshot},
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
    pub(super) fn undo(
        &self,
        writes: &[ForeignWrite],
        quarantine: &RelPath,
        quiet: &mut Quiet<'_>,
    ) -> Result<Vec<ForeignWrite>, StoreError> {
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
                self.restore_metadata(&write.path, before)?;
            }
        }
        // Another snapshot may be waiting to be compared.
        for write in &undone {
            quiet.learn(&write.path);
        }
        let quarantine = Path::new(quarantine.as_str());
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

    /// Owner first: changing it may change the mode. Times last: everything else changes them.
    fn restore_metadata(&self, path: &Path, before: &Before) -> Result<(), FsError> {
        let was = &before.facts;
        let Some(now) = self.now(path)?.filter(|now| now.kind == was.kind) else {
            return Ok(());
        };
        let here = self.root.join(path);
        let refused = |errno: Errno| failed(Operation::Write, path)(errno.into());
        if now.owner != was.owner {
            let (user, group) = (Uid::from_raw(was.owner.0), Gid::from_raw(was.owner.1));
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            rustix::fs::chownat(CWD, &here, Some(user), Some(group), flags).map_err(refused)?;
        }
        if now.kind != FileKind::Link && (now.mode != was.mode || now.owner != was.owner) {
            self.set_mode(path, was.mode)?;
        }
        for name in now.attributes.keys() {
            if !was.attributes.contains_key(name) {
                rustix::fs::lremovexattr(&here, name).map_err(refused)?;
            }
        }
        for (name, value) in &was.attributes {
            if now.attributes.get(name) != Some(value) {
                let flags = XattrFlags::empty();
                rustix::fs::lsetxattr(&here, name, value, flags).map_err(refused)?;
            }
        }
        if now.kind == FileKind::File && now.modified != was.modified {
            let (tv_sec, tv_nsec) = was.modified;
            let times = Timestamps {
                last_access: Timespec {
                    tv_sec: 0,
                    tv_nsec: UTIME_OMIT,
                },
                last_modification: Timespec { tv_sec, tv_nsec },
            };
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            rustix::fs::utimensat(CWD, &here, &times, flags).map_err(refused)?;
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
    fn displace(&self, write: &ForeignWrite, quarantine: &RelPath) -> Result<(), StoreError> {
        let place = place_in(quarantine, &write.path);
        let quarantine = Path::new(quarantine.as_str());
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
        if now.kind == FileKind::File && now.len > MAX_FILE {
            fs::remove_file(&here).map_err(failed(Operation::Remove, path))?;
            return Ok(());
        }
        let there = self.root.join(place.as_str());
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
            (FileKind::File, _, Some(kept)) => give_back(kept, &here),
            _ => Ok(()),
        };
        made.map_err(failed(Operation::Write, path))
    }
}

/// A copy at a place where nothing stands.
fn give_back(kept: &Path, here: &Path) -> io::Result<()> {
    let mut from = File::open(kept)?;
    let mut file = File::create_new(here)?;
    io::copy(&mut from, &mut file)?;
    file.sync_all()
}
