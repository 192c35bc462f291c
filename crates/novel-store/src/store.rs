//! A project on disk, and the right to write to it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::Timestamp;
use novel_model::{ChapterNo, RelPath, layout};

use crate::{
    boundary::{Contents, OwnWrites, TreeSnapshot, View},
    cache::UserCache,
    error::StoreError,
    fs::{FileSystem, Stamp},
    lock::{self, Clear, Unreleased},
    lock_state::LockStatus,
    machine::{Machine, RealMachine},
    plan::sealed_path,
    reader::{Held, StoreReader},
    real::RealFs,
    witness::Witness,
    writer::Writer,
};

/// How often a look is begun anew before it is given up.
const LOOKS: usize = 100;

/// One project. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    fs: Arc<dyn FileSystem>,
    machine: Arc<dyn Machine>,
    own: OwnWrites,
    unreleased: Unreleased,
    /// Notes what is read, where somebody wants to know.
    watch: Option<Arc<Witness>>,
    /// What was made of the project's files to be quicker.
    cache: Option<Arc<UserCache>>,
    held: Arc<Held>,
}

/// What was read through a watched [`Store`], and as what it was found.
pub struct Watched {
    fs: Arc<dyn FileSystem>,
    seen: Arc<Witness>,
}

impl Watched {
    /// Whether all of it is still as it was found, and nobody was writing then or is now.
    #[must_use]
    pub fn holds(&self) -> bool {
        let is_free = |place: &RelPath| matches!(self.fs.stamp(place), Ok(None));
        [layout::lock_dir(), sealed_path()].iter().all(is_free) && self.seen.holds(self.fs.as_ref())
    }

    /// How many files and directories it depends on.
    #[must_use]
    pub fn places(&self) -> usize {
        self.seen.places()
    }
}

impl Store {
    /// A project on any file system and machine.
    #[must_use]
    pub fn new(fs: Arc<dyn FileSystem>, machine: Arc<dyn Machine>) -> Self {
        Self {
            fs,
            machine,
            own: OwnWrites::default(),
            unreleased: Unreleased::default(),
            watch: None,
            cache: None,
            held: Arc::default(),
        }
    }

    /// A store of the same project that records every path read through it.
    #[must_use]
    pub fn watched(&self) -> (Self, Watched) {
        let seen: Arc<Witness> = Arc::default();
        let watched = Watched {
            fs: Arc::clone(&self.fs),
            seen: Arc::clone(&seen),
        };
        let store = Self {
            watch: Some(seen),
            ..self.clone()
        };
        (store, watched)
    }

    /// What tells the state of a file from others of it; `None` where nothing is, or it cannot be told.
    #[must_use]
    pub fn stamp(&self, path: &RelPath) -> Option<Stamp> {
        if let Some(watch) = &self.watch {
            watch.before(self.fs.as_ref(), path);
        }
        self.fs.stamp(path).ok().flatten()
    }

    /// The project in an existing directory of this machine.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        Ok(Self::on_disk(RealFs::open(root)?))
    }

    /// A project in a directory that is made if it is not there.
    ///
    /// # Errors
    /// When the directory cannot be made.
    pub fn create(root: &Path) -> Result<Self, StoreError> {
        Ok(Self::on_disk(RealFs::create(root)?))
    }

    fn on_disk(fs: RealFs) -> Self {
        let own = OwnWrites::at(fs.root());
        Self {
            own,
            ..Self::new(Arc::new(fs), Arc::new(RealMachine))
        }
    }

    /// The same project with a cache below the user's cache directory `home`; without one where that lies in the
    /// project.
    #[must_use]
    pub fn with_cache(mut self, home: &Path) -> Self {
        let cache = self.root().and_then(|root| UserCache::of(root, home));
        self.cache = cache.map(Arc::new);
        self
    }

    /// The cache of the project.
    #[must_use]
    pub fn cache(&self) -> Option<&UserCache> {
        self.cache.as_deref()
    }

    /// The project directory, if it is on this machine's disk.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.own.root()
    }

    pub(crate) fn own(&self) -> &OwnWrites {
        &self.own
    }

    pub(crate) fn fs(&self) -> &dyn FileSystem {
        self.fs.as_ref()
    }

    pub(crate) fn machine(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    /// The project as it is now; a program that runs afterwards may change what lies in the
    /// directories `allowed`, which are made if they do not exist.
    ///
    /// # Errors
    /// When the project is not on disk, cannot be read, or contents cannot be kept.
    pub fn snapshot(
        &self,
        allowed: &[RelPath],
        contents: Contents<'_>,
    ) -> Result<TreeSnapshot, StoreError> {
        TreeSnapshot::take(&self.own, allowed, contents)
    }

    /// A view of the project for a program that may change what lies in the directories `allowed`,
    /// which are made if they do not exist. Whatever it changes goes to the empty directory `upper`.
    ///
    /// # Errors
    /// When the project is not on disk, or a directory cannot be made.
    pub fn view(&self, allowed: &[RelPath], upper: &Path) -> Result<View, StoreError> {
        View::of(&self.own, allowed, upper)
    }

    /// One look at the book, a sealed transaction counted as done. Takes no lock, and no writer
    /// waits for it: if the book changed while `look` read it, `look` is run again, whether it
    /// succeeded or failed. What it returns is true of one moment.
    ///
    /// # Errors
    /// Those of `look`; [`StoreError::Changing`] when the book never stood still for it; or when
    /// a sealed journal cannot be understood.
    pub fn look<T, E: From<StoreError>>(
        &self,
        mut look: impl FnMut(&StoreReader) -> Result<T, E>,
    ) -> Result<T, E> {
        for _ in 0..LOOKS {
            let reader = self.reader()?.witnessing();
            let found = look(&reader);
            if reader.is_settled() {
                if let (Some(watch), Some(seen)) = (&self.watch, reader.witness()) {
                    watch.join(seen);
                }
                return found;
            }
        }
        Err(StoreError::Changing.into())
    }

    /// The book as it is, a sealed transaction counted as done. Takes no lock: with another
    /// process writing, files read one after the other may be of different moments. Whoever does
    /// not hold the lock takes a [`Store::look`] instead.
    ///
    /// # Errors
    /// When a sealed journal cannot be understood.
    pub fn reader(&self) -> Result<StoreReader, StoreError> {
        let reader = StoreReader::new(Arc::clone(&self.fs))?
            .with_cache(self.cache.clone())
            .with_held(Arc::clone(&self.held));
        Ok(match &self.watch {
            Some(watch) => reader.witnessed_by(Arc::clone(watch)).noting_stamps(),
            None => reader,
        })
    }

    /// Takes the lock and completes or discards what a crash left behind.
    ///
    /// # Errors
    /// [`crate::LockError::Held`] when another writes; or recovery fails, and
    /// then the lock is given back.
    pub fn acquire(&self, chapter: Option<ChapterNo>) -> Result<Writer, StoreError> {
        let (fs, machine) = (&self.fs, &self.machine);
        let writer = Writer::acquire(fs, machine, &self.own, &self.unreleased, chapter)?;
        Ok(writer
            .with_cache(self.cache.clone())
            .with_held(Arc::clone(&self.held)))
    }

    /// Why the lock of a writer that is gone could not be given back, if so. What was written is
    /// written; the next writer takes the lock over.
    #[must_use]
    pub fn take_unreleased(&self) -> Option<StoreError> {
        lock::take(&self.unreleased).map(StoreError::from)
    }

    /// Whether a process did not come to its end here: a lock or a sealed transaction is left that
    /// nobody holds. Writes nothing.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn is_interrupted(&self) -> Result<bool, StoreError> {
        Ok(match self.lock_status()? {
            LockStatus::Held(_) => false,
            LockStatus::Stale(..) => true,
            LockStatus::Free | LockStatus::Damaged { .. } => self.reader()?.sealed().is_some(),
        })
    }

    /// State of the lock. Writes nothing.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn lock_status(&self) -> Result<LockStatus, StoreError> {
        let (fs, machine) = (self.fs.as_ref(), self.machine.as_ref());
        Ok(LockStatus::examine(fs, machine)?)
    }

    /// Removes the lock as far as `clear` allows; returns what it was.
    ///
    /// # Errors
    /// [`crate::LockError::Held`] or [`crate::LockError::Damaged`] when it may not be removed.
    pub fn clear_lock(&self, clear: Clear) -> Result<LockStatus, StoreError> {
        let (fs, machine) = (self.fs.as_ref(), self.machine.as_ref());
        Ok(lock::clear(fs, machine, clear)?)
    }

    /// The time on this store's machine.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.machine.now()
    }
}

/// The project directory that holds `start`: the nearest one with a checkpoint.
/// `None` when there is none up to the root of the file system.
#[must_use]
pub fn find_project(start: &Path) -> Option<PathBuf> {
    let absolute = start.canonicalize().ok()?;
    let found = absolute.ancestors().find(|place| is_project(place));
    found.map(Path::to_owned)
}

/// Whether a directory is a project. One whose first files wait in a sealed journal is one too.
#[must_use]
pub fn is_project(directory: &Path) -> bool {
    [layout::checkpoint(), sealed_path()]
        .iter()
        .any(|path| directory.join(path.as_str()).symlink_metadata().is_ok())
}
