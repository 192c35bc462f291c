//! Directories outside the project for the runs of one process, removed with it, or by the next process
//! where it was killed.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::process::{Pid, test_kill_process};

/// A directory for the runs of this process.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    runs: AtomicU64,
}

/// The directory of one run.
#[derive(Debug)]
pub struct Place(PathBuf);

impl Scratch {
    /// Makes a directory in `parent` that nobody else can enter; removes those of earlier processes
    /// with the same `name` that are gone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(parent: &Path, name: &str) -> io::Result<Self> {
        let prefix = format!("novel-{name}-");
        for entry in fs::read_dir(parent)?.flatten() {
            let file_name = entry.file_name();
            let owner = file_name
                .to_str()
                .and_then(|file| file.strip_prefix(&prefix));
            if owner.is_some_and(|owner| !is_alive(owner)) {
                // Somebody else's stays where it is.
                let _ = remove(&entry.path());
            }
        }
        // A process may have several.
        for number in 0..1_000 {
            let path = parent.join(format!("{prefix}{}.{number}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    return made.and(path.canonicalize()).map(|path| Self {
                        path,
                        runs: AtomicU64::new(0),
                    });
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// A directory for one run.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn place(&self) -> io::Result<Place> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let path = self.path.join(format!("run-{number}"));
        fs::create_dir(&path)?;
        Ok(Place(path))
    }
}

impl Place {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = remove(&self.0);
    }
}

/// Whether the process whose number a name begins with runs.
fn is_alive(owner: &str) -> bool {
    let number = owner
        .split('.')
        .next()
        .and_then(|number| number.parse().ok());
    let pid = number.and_then(Pid::from_raw);
    // What is no number is nobody's business.
    pid.is_none_or(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// Removes a directory and all in it, directories closed to their owner too.
fn remove(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::set_permissions(entry.path(), Permissions::from_mode(0o700))?;
            remove(&entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let home = tempfile::tempdir().unwrap();
        // No process has this number.
        let gone = home.path().join("novel-book-2147483646.0");
        fs::create_dir_all(gone.join("work/work")).unwrap();
        fs::set_permissions(gone.join("work/work"), Permissions::from_mode(0o000)).unwrap();
        fs::create_dir(home.path().join("novel-other-2147483646")).unwrap();
        let names = || {
            let entries = fs::read_dir(home.path()).unwrap().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let mine = |number: u32| format!("novel-book-{}.{number}", std::process::id());
        let first = Scratch::new(home.path(), "book").unwrap();
        let second = Scratch::new(home.path(), "book").unwrap();
        let place = first.place().unwrap();
        assert!(place.path().is_dir());
        assert_eq!(names(), [&*mine(0), &*mine(1), "novel-other-2147483646"]);
        drop((first, second));
        assert_eq!(names(), ["novel-other-2147483646"]);
    }
}
