//! The program's own writes while an agent's program runs.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::tree::Facts;
use crate::{error::StoreError, txn::Receipt};

/// Tells the program's own writes from those of an agent that runs at the same time.
///
/// Two judges run side by side, and the answer of the first is kept before the second is done.
/// Known only to this process, so no agent can claim a write for the program. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct OwnWrites(Arc<Mutex<Known>>);

/// The program's files as it left them; `None` for one it removed.
type Known = BTreeMap<PathBuf, Option<Facts>>;

/// Keeps the program's own writes out while the project is looked at.
pub(super) struct Quiet<'a>(MutexGuard<'a, Known>);

impl OwnWrites {
    /// Nothing written yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Commits a transaction of the project in `root` as the program's own. Needed only while an
    /// agent's program may be running.
    ///
    /// # Errors
    /// Those of the transaction.
    pub fn commit(
        &self,
        root: &Path,
        commit: impl FnOnce() -> Result<Receipt, StoreError>,
    ) -> Result<Receipt, StoreError> {
        let mut quiet = self.quiet();
        let receipt = commit()?;
        for path in &receipt.changed {
            for path in Path::new(path.as_str()).ancestors() {
                if path.as_os_str().is_empty() {
                    continue;
                }
                // What can not be looked at is not claimed.
                if let Ok(facts) = Facts::of(&root.join(path)) {
                    quiet.0.insert(path.to_owned(), facts);
                }
            }
        }
        Ok(receipt)
    }

    pub(super) fn quiet(&self) -> Quiet<'_> {
        Quiet(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Quiet<'_> {
    /// Whether what stands there now is what the program left.
    pub(super) fn left_so(&self, path: &Path, now: Option<&Facts>) -> bool {
        match (self.0.get(path), now) {
            (Some(Some(left)), Some(now)) => now.is_untouched(left),
            (Some(None), None) => true,
            _ => false,
        }
    }
}
