//! A project as it was before a program worked on it in place, and what the program changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use novel_model::RelPath;

use super::{
    Change, Contents, ForeignWrite, HandedIn, Left,
    area::Area,
    free_quarantine, hand_in, is_inside, make_directories, not_on_disk,
    own::{OwnWrites, Quiet},
    tree::{Facts, failed, is_absent, same_bytes, walk},
};
use crate::{
    error::StoreError,
    fs::{CLOCK_TICK, FileKind, FsError, Operation},
};

/// A project as it was before a foreign program ran.
#[derive(Debug)]
pub struct TreeSnapshot {
    pub(super) own: OwnWrites,
    pub(super) root: PathBuf,
    allowed: Vec<PathBuf>,
    /// The allowed directories, to be put back.
    area: Area,
    pub(super) entries: BTreeMap<PathBuf, Before>,
    /// Where copies lie; `None` when none were made.
    kept_in: Option<Facts>,
}

#[derive(Debug)]
pub(super) struct Before {
    pub(super) facts: Facts,
    pub(super) kept: Option<PathBuf>,
    clock: Clock,
}

/// Whether equal times prove that nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    Tells,
    TooCoarse,
}

impl TreeSnapshot {
    /// Examines everything in the project.
    pub(crate) fn take(
        own: &OwnWrites,
        allowed: &[RelPath],
        contents: Contents<'_>,
    ) -> Result<Self, StoreError> {
        let quiet = own.quiet();
        let root = own.root().ok_or_else(not_on_disk)?.to_owned();
        let allowed = make_directories(&root, allowed)?;
        let area = Area::keep(&root, &allowed)?;
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
            own: own.clone(),
            root,
            allowed,
            area,
            entries,
            kept_in,
        })
    }

    /// Takes what the program handed in, undoes what it had no right to, and puts the directories back
    /// that it was given.
    ///
    /// # Errors
    /// When the system refuses; some writes may be undone then.
    pub fn settle(&self, wanted: &[RelPath]) -> Result<Left, StoreError> {
        let mut quiet = self.own.quiet();
        let writes = self.foreign_now(&quiet)?;
        let outputs = self.outputs(wanted)?;
        let quarantine = (!writes.is_empty()).then(|| free_quarantine(&self.root));
        let lost = match &quarantine {
            Some(quarantine) => self.undo(&writes, quarantine, &mut quiet)?,
            None => Vec::new(),
        };
        for path in self.area.restore(&self.root)? {
            quiet.learn(&path);
        }
        let (own, writes) = writes
            .into_iter()
            .partition(|write| write.is_of_a_tool() && !lost.contains(write));
        Ok(Left {
            writes,
            own,
            lost,
            quarantine,
            outputs,
        })
    }

    fn outputs(&self, wanted: &[RelPath]) -> Result<BTreeMap<RelPath, HandedIn>, FsError> {
        let mut outputs = BTreeMap::new();
        for wanted in wanted {
            let path = Path::new(wanted.as_str());
            let here = self.root.join(path);
            let now = Facts::of(&here).map_err(failed(Operation::Examine, path))?;
            let before = self.entries.get(path).map(|before| &before.facts);
            // A file nobody touched is nobody's answer.
            let is_new = |now: &Facts| before.is_none_or(|before| !now.is_untouched(before));
            if now.is_some_and(|now| now.kind == FileKind::File && is_new(&now)) {
                let content = hand_in(&here).map_err(failed(Operation::Read, path))?;
                outputs.insert(wanted.clone(), content);
            }
        }
        Ok(outputs)
    }

    /// Every change that was not allowed, sorted by path.
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
                // A second name of a file that lies elsewhere in the project is a way out.
                let leads_out = facts.kind == FileKind::File
                    && facts.links > 1
                    && guarded.contains(&(facts.device, facts.inode));
                let is_new = before.is_none_or(|before| !facts.is_untouched(&before.facts));
                (is_new && (leads_out || facts.is_unfit(path))).then_some(match before {
                    None => Change::Created,
                    Some(before) if before.facts.is_same_file(facts) => Change::Modified,
                    Some(_) => Change::Replaced,
                })
            } else {
                match before {
                    None => Some(Change::Created),
                    Some(before) => self.change(path, before, facts)?,
                }
            };
            if let Some(change) = change.filter(|_| !quiet.left_so(path, Some(facts))) {
                foreign.push(ForeignWrite::new(path, change, Some(facts)));
            }
        }
        for path in self.entries.keys() {
            if !now.contains_key(path)
                && !is_inside(path, &self.allowed)
                && !quiet.left_so(path, None)
            {
                foreign.push(ForeignWrite::new(path, Change::Removed, None));
            }
        }
        foreign.sort_by(|one, other| one.path.cmp(&other.path));
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
        let is_same = now.has_same_metadata(&before.facts);
        Ok((!is_same).then_some(Change::Modified))
    }

    /// For two entries of the same kind.
    pub(super) fn has_same_content(
        &self,
        path: &Path,
        before: &Before,
        now: &Facts,
    ) -> Result<bool, FsError> {
        let was = &before.facts;
        match now.kind {
            FileKind::Dir => Ok(true),
            FileKind::Link => Ok(was.target == now.target),
            FileKind::Special => Ok(was.is_same_file(now)),
            FileKind::File => match &before.kept {
                // The system refuses to change contents: another time alone is a touch.
                None => Ok(was.is_same_file(now) && was.len == now.len),
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
