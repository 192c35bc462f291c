//! The program's own writes while an agent's program runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::tree::Facts;
use crate::{error::StoreError, plan::Receipt};

/// Tells the program's own writes from those of an agent that runs at the same time.
///
/// Two judges run side by side, and the answer of the first is kept before the second is done.
/// Every transaction of a [`crate::Store`] and every undone write is recorded. Known only to this
/// process, so no agent can claim a write for the program. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnWrites {
    /// The project; `None` for one that is not on this machine's disk, which no agent can reach.
    root: Option<Arc<Path>>,
    known: Arc<Mutex<Known>>,
}

/// The program's files as it left them; `None` for one it removed.
type Known = BTreeMap<PathBuf, Option<Facts>>;

/// Keeps the program's own writes out while the project is looked at.
pub(super) struct Quiet<'a> {
    root: Option<&'a Path>,
    known: MutexGuard<'a, Known>,
}

impl OwnWrites {
    /// Of the project at `root`, a path without links.
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: Some(root.into()),
            known: Arc::default(),
        }
    }

    /// The project.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Runs a transaction and remembers what it left.
    pub(crate) fn commit(
        &self,
        commit: impl FnOnce() -> Result<Receipt, StoreError>,
    ) -> Result<Receipt, StoreError> {
        let mut quiet = self.quiet();
        let receipt = commit()?;
        // The directories of many files are few.
        let mut above = BTreeSet::new();
        for path in &receipt.changed {
            let path = Path::new(path.as_str());
            quiet.learn_alone(path);
            above.extend(path.ancestors().skip(1));
        }
        above.into_iter().for_each(|dir| quiet.learn_alone(dir));
        if let Some(pack) = &receipt.pack {
            quiet.learn(Path::new(pack.as_str()));
        }
        Ok(receipt)
    }

    pub(super) fn quiet(&self) -> Quiet<'_> {
        Quiet {
            root: self.root(),
            known: self.known.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

impl Quiet<'_> {
    /// Remembers what stands at a path, and that its directories are there.
    pub(super) fn learn(&mut self, path: &Path) {
        path.ancestors().for_each(|path| self.learn_alone(path));
    }

    fn learn_alone(&mut self, path: &Path) {
        let Some(root) = self.root.filter(|_| !path.as_os_str().is_empty()) else {
            return;
        };
        // What cannot be looked at is not claimed.
        if let Ok(facts) = Facts::of(&root.join(path)) {
            self.known.insert(path.to_owned(), facts);
        }
    }

    /// Whether what stands there now is what the program left.
    pub(super) fn left_so(&self, path: &Path, now: Option<&Facts>) -> bool {
        match (self.known.get(path), now) {
            (Some(Some(left)), Some(now)) => now.is_untouched(left),
            (Some(None), None) => true,
            _ => false,
        }
    }
}
