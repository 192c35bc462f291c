//! What a program changed in a view of its own: the upper layer of an overlay over the project.
//!
//! The layer holds every file that was made or changed, whole, at its path; a removed one as a device
//! without numbers; and a directory that hides what lies below it has a mark. A file that was opened for
//! writing and not written is there too, the same as below.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
};

use novel_model::RelPath;

use super::{
    Change, ForeignWrite, HandedIn, Left, MAX_FILE, free_quarantine, hand_in, is_inside,
    make_directories, not_on_disk,
    own::OwnWrites,
    place_in,
    tree::{Facts, failed, is_git_bookkeeping, same_bytes, walk, walk_but},
};
use crate::{
    error::StoreError,
    fs::{FileKind, FsError, Operation},
};

/// The mark of a directory that hides what lies below it, and of others the overlay sets.
const MARKS: &[u8] = b"user.overlay.";
const OPAQUE: &std::ffi::CStr = c"user.overlay.opaque";

/// A view of a project, with the directories a program may write.
#[derive(Debug)]
pub struct View {
    own: OwnWrites,
    root: PathBuf,
    upper: PathBuf,
    allowed: Vec<PathBuf>,
}

impl View {
    /// The view whose changes go to the empty directory `upper`.
    pub(crate) fn of(
        own: &OwnWrites,
        allowed: &[RelPath],
        upper: &Path,
    ) -> Result<Self, StoreError> {
        let root = own.root().ok_or_else(not_on_disk)?.to_owned();
        let allowed = make_directories(&root, allowed)?;
        // The project directory itself looks as the layer does.
        let alike = fs::metadata(&root).and_then(|metadata| {
            chown(upper, Some(metadata.uid()), Some(metadata.gid()))?;
            let permissions = fs::Permissions::from_mode(metadata.mode() & 0o7777);
            fs::set_permissions(upper, permissions)
        });
        alike.map_err(failed(Operation::Write, upper))?;
        Ok(Self {
            own: own.clone(),
            root,
            upper: upper.to_owned(),
            allowed,
        })
    }

    /// What the program left.
    ///
    /// # Errors
    /// When layer or project cannot be read, or the quarantine cannot be written.
    pub fn settle(&self, wanted: &[RelPath]) -> Result<Left, StoreError> {
        let changes = self.changes()?;
        let mut left = Left::default();
        for write in changes {
            let path = write.path.clone();
            let here = self.upper.join(&path);
            let is_fit = || {
                let facts = Facts::of(&here).map_err(failed(Operation::Examine, &path))?;
                Ok::<_, FsError>(facts.is_none_or(|facts| !self.plain(facts).is_unfit(&path)))
            };
            let is_allowed =
                is_inside(&path, &self.allowed) && (write.change == Change::Removed || is_fit()?);
            if !is_allowed && write.is_of_a_tool() {
                left.own.push(write);
                continue;
            }
            if !is_allowed {
                left.writes.push(write);
                continue;
            }
            let asked = wanted
                .iter()
                .find(|wanted| Path::new(wanted.as_str()) == path);
            if let (Some(asked), Some(FileKind::File)) = (asked, write.kind) {
                let content = hand_in(&here).map_err(failed(Operation::Read, &path))?;
                left.outputs.insert(asked.clone(), content);
            }
        }
        left.quarantine = self.put_aside(&left.writes)?;
        Ok(left)
    }

    /// Keeps the foreign files.
    fn put_aside(&self, writes: &[ForeignWrite]) -> Result<Option<RelPath>, FsError> {
        let mut quiet = self.own.quiet();
        let quarantine = free_quarantine(&self.root);
        let mut used = None;
        for write in writes {
            if write.kind != Some(FileKind::File) {
                continue;
            }
            let copy = || {
                let HandedIn::Content(content) = hand_in(&self.upper.join(&write.path))? else {
                    return Ok(None);
                };
                let place = place_in(&quarantine, &write.path);
                let there = self.root.join(place.as_str());
                fs::create_dir_all(there.parent().unwrap_or(&self.root))?;
                fs::write(&there, content)?;
                Ok(Some(place))
            };
            if let Some(place) = copy().map_err(failed(Operation::Write, &write.path))? {
                quiet.learn(Path::new(place.as_str()));
                used = Some(quarantine.clone());
            }
        }
        Ok(used)
    }

    /// Every change, sorted by path.
    fn changes(&self) -> Result<Vec<ForeignWrite>, StoreError> {
        let layer = walk_but(&self.upper, None, is_git_bookkeeping)?;
        let mut changes = Vec::new();
        for (path, facts) in &layer {
            let below = self.below(path)?;
            let change = if self.is_whiteout(path, facts)? {
                below.map(|_| ForeignWrite::new(path, Change::Removed, None))
            } else {
                if facts.kind == FileKind::Dir && facts.attributes.contains_key(OPAQUE) {
                    changes.extend(self.hidden_by(path, &layer)?);
                }
                let change = self.change(path, facts.clone(), below)?;
                change.map(|change| ForeignWrite::new(path, change, Some(facts)))
            };
            changes.extend(change);
        }
        let top = self.plain_at(&self.upper)?;
        if let (Some(top), Some(below)) = (top, self.plain_at(&self.root)?)
            && !top.has_same_metadata(&below)
        {
            changes.push(ForeignWrite::new(
                Path::new("."),
                Change::Modified,
                Some(&top),
            ));
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        changes.dedup_by(|one, other| one.path == other.path);
        Ok(changes)
    }

    fn change(
        &self,
        path: &Path,
        facts: Facts,
        below: Option<Facts>,
    ) -> Result<Option<Change>, FsError> {
        let Some(below) = below else {
            return Ok(Some(Change::Created));
        };
        let now = self.plain(facts);
        if now.kind != below.kind {
            return Ok(Some(Change::Replaced));
        }
        let is_same = match now.kind {
            FileKind::Dir => true,
            FileKind::Link => now.target == below.target,
            FileKind::Special => false,
            FileKind::File => {
                now.len == below.len
                    && (now.len <= MAX_FILE)
                    && same_bytes(&self.upper.join(path), &self.root.join(path))
                        .map_err(failed(Operation::Read, path))?
            }
        };
        Ok((!is_same || !now.has_same_metadata(&below)).then_some(Change::Modified))
    }

    /// What lies in the project below a directory that hides it, and is not in the layer.
    fn hidden_by(
        &self,
        dir: &Path,
        layer: &BTreeMap<PathBuf, Facts>,
    ) -> Result<Vec<ForeignWrite>, FsError> {
        let below = self.root.join(dir);
        if self
            .below(dir)?
            .is_none_or(|facts| facts.kind != FileKind::Dir)
        {
            return Ok(Vec::new());
        }
        let gone = walk(&below, None)?.into_keys().map(|path| dir.join(path));
        let gone = gone.filter(|path| !layer.contains_key(path));
        Ok(gone
            .map(|path| ForeignWrite::new(&path, Change::Removed, None))
            .collect())
    }

    /// What stands in the project itself.
    fn below(&self, path: &Path) -> Result<Option<Facts>, FsError> {
        Facts::of(&self.root.join(path)).map_err(failed(Operation::Examine, path))
    }

    fn is_whiteout(&self, path: &Path, facts: &Facts) -> Result<bool, FsError> {
        if facts.kind != FileKind::Special {
            return Ok(false);
        }
        let examined = fs::symlink_metadata(self.upper.join(path));
        let metadata = examined.map_err(failed(Operation::Examine, path))?;
        Ok(metadata.file_type().is_char_device() && metadata.rdev() == 0)
    }

    fn plain_at(&self, path: &Path) -> Result<Option<Facts>, FsError> {
        let facts = Facts::of(path).map_err(failed(Operation::Examine, path))?;
        Ok(facts.map(|facts| self.plain(facts)))
    }

    /// Without the overlay's own marks.
    fn plain(&self, mut facts: Facts) -> Facts {
        facts
            .attributes
            .retain(|name, _| !name.as_bytes().starts_with(MARKS));
        facts
    }
}
