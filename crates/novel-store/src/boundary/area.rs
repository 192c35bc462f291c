//! The directories a program is given, as they were, kept on disk while it works on the project itself:
//! half a text that a killed run left is no text, and the next writer puts the directories back.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, Permissions},
    io::{self, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use novel_model::layout;
use serde::{Deserialize, Serialize};

use super::tree::{Facts, failed, is_absent, open_plainly, walk_but};
use crate::{
    error::StoreError,
    fs::{FileKind, FsError, Operation},
    real::fault_of_io,
};

/// Some directories and everything in them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Area {
    directories: Vec<PathBuf>,
    /// Directories inside them.
    inner: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Kept>,
    /// Links by their targets; an author's own.
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    /// What has no place in the file: names that are no text, pipes. Left alone.
    #[serde(skip)]
    odd: BTreeSet<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    mode: u32,
    content: Content,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Puts back what a run that was killed was given.
pub(crate) fn recover(root: &Path) -> Result<(), StoreError> {
    let file = root.join(layout::agent_area().as_str());
    let text = match fs::read(&file) {
        Ok(text) => text,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(about_file(error).into()),
    };
    let area: Area = serde_json::from_slice(&text).map_err(|error| about_file(error.into()))?;
    area.restore(root)?;
    Ok(())
}

fn about_file(error: io::Error) -> FsError {
    FsError::new(Operation::Read, layout::agent_area(), fault_of_io(error))
}

impl Area {
    /// Reads the directories and writes them down, unless there are none.
    pub(super) fn keep(root: &Path, directories: &[PathBuf]) -> Result<Self, FsError> {
        let mut area = Self {
            directories: directories.to_vec(),
            ..Self::default()
        };
        for dir in directories {
            for (path, facts) in entries(root, dir)? {
                match facts.kind {
                    _ if path.to_str().is_none() => {
                        area.odd.insert(path);
                    }
                    FileKind::Dir => {
                        area.inner.insert(path);
                    }
                    FileKind::File => {
                        let kept = Kept::of(&root.join(&path), &facts);
                        area.files
                            .insert(path.clone(), kept.map_err(failed(Operation::Read, &path))?);
                    }
                    FileKind::Link => {
                        area.links.extend(facts.target.map(|target| (path, target)));
                    }
                    FileKind::Special => {
                        area.odd.insert(path);
                    }
                }
            }
        }
        if !directories.is_empty() {
            area.save(root).map_err(|error| {
                FsError::new(Operation::Write, layout::agent_area(), fault_of_io(error))
            })?;
        }
        Ok(area)
    }

    fn save(&self, root: &Path) -> io::Result<()> {
        let file = root.join(layout::agent_area().as_str());
        let mut new = file.clone().into_os_string();
        new.push(".new");
        let mut written = File::create(&new)?;
        written.write_all(&serde_json::to_vec(self)?)?;
        written.sync_all()?;
        fs::rename(new, file)?;
        File::open(root)?.sync_all()
    }

    /// Makes the directories what they were; returns the paths that were changed.
    pub(super) fn restore(&self, root: &Path) -> Result<Vec<PathBuf>, FsError> {
        let mut changed = Vec::new();
        for dir in &self.directories {
            self.clear(root, dir, &mut changed)
                .map_err(failed(Operation::Remove, dir))?;
        }
        let made = self.directories.iter().chain(&self.inner);
        for dir in made {
            fs::create_dir_all(root.join(dir)).map_err(failed(Operation::CreateDir, dir))?;
        }
        for (path, kept) in &self.files {
            let here = root.join(path);
            if here.symlink_metadata().is_err() {
                kept.write(&here).map_err(failed(Operation::Write, path))?;
                changed.push(path.clone());
            }
        }
        for (path, target) in &self.links {
            let here = root.join(path);
            if here.symlink_metadata().is_err() {
                symlink(target, &here).map_err(failed(Operation::Write, path))?;
                changed.push(path.clone());
            }
        }
        for dir in &self.directories {
            let synced = File::open(root.join(dir)).and_then(|dir| dir.sync_all());
            synced.map_err(failed(Operation::Write, dir))?;
        }
        match fs::remove_file(root.join(layout::agent_area().as_str())) {
            Err(error) if !is_absent(&error) => Err(FsError::new(
                Operation::Remove,
                layout::agent_area(),
                fault_of_io(error),
            )),
            _ => Ok(changed),
        }
    }

    /// Removes what was not there, and what is not as it was.
    fn clear(&self, root: &Path, dir: &Path, changed: &mut Vec<PathBuf>) -> io::Result<()> {
        let here = root.join(dir);
        let Some(facts) = Facts::of(&here)? else {
            return Ok(());
        };
        if facts.kind != FileKind::Dir {
            return fs::remove_file(here);
        }
        if facts.mode & 0o700 != 0o700 {
            fs::set_permissions(&here, Permissions::from_mode(facts.mode | 0o700))?;
        }
        for entry in fs::read_dir(&here)? {
            let path = dir.join(entry?.file_name());
            if self.odd.contains(&path) {
                continue;
            }
            let Some(facts) = Facts::of(&root.join(&path))? else {
                continue;
            };
            let is_kept = match facts.kind {
                FileKind::Dir => {
                    self.clear(root, &path, changed)?;
                    if !self.is_ours(&path) {
                        fs::remove_dir(root.join(&path))?;
                    }
                    continue;
                }
                FileKind::File => match self.files.get(&path) {
                    Some(kept) => kept.is_at(&root.join(&path), &facts)?,
                    None => false,
                },
                FileKind::Link => self.links.get(&path) == facts.target.as_ref(),
                FileKind::Special => false,
            };
            if !is_kept {
                fs::remove_file(root.join(&path))?;
                changed.push(path);
            }
        }
        Ok(())
    }

    /// Whether a directory was there before, or another one that was lies in it.
    fn is_ours(&self, path: &Path) -> bool {
        self.inner.contains(path) || self.directories.iter().any(|dir| dir.starts_with(path))
    }
}

impl Kept {
    fn of(here: &Path, facts: &Facts) -> io::Result<Self> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut open_plainly(here)?, &mut bytes)?;
        Ok(Self {
            mode: facts.mode,
            content: String::from_utf8(bytes)
                .map_or_else(|error| Content::Bytes(error.into_bytes()), Content::Text),
        })
    }

    /// Whether this very content stands there, in a file that has no second name.
    fn is_at(&self, here: &Path, facts: &Facts) -> io::Result<bool> {
        let bytes = self.content.bytes();
        let is_alike = facts.links == 1
            && facts.mode == self.mode
            && usize::try_from(facts.len) == Ok(bytes.len());
        Ok(is_alike && {
            let mut found = Vec::new();
            io::Read::read_to_end(&mut open_plainly(here)?, &mut found)?;
            found == bytes
        })
    }

    fn write(&self, here: &Path) -> io::Result<()> {
        let mut file = File::options()
            .write(true)
            .create_new(true)
            .mode(self.mode)
            .open(here)?;
        file.write_all(self.content.bytes())?;
        file.sync_all()
    }
}

/// Everything in a directory of a project, by its path from the project.
fn entries(root: &Path, dir: &Path) -> Result<Vec<(PathBuf, Facts)>, FsError> {
    let found = walk_but(&root.join(dir), None, |_| false)?;
    let below = found.into_iter();
    Ok(below.map(|(path, facts)| (dir.join(path), facts)).collect())
}
