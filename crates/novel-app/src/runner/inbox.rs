//! What the author tells a run from another terminal: `.novel.inbox/`.
//!
//! A file there is made without the lock, whole and once. The run takes it.

use novel_model::{BookReader, layout};
use novel_store::{Store, StoreError};

/// Removes a wish to stop that was meant for an earlier run.
pub(crate) fn discard_stop(store: &Store) -> Result<(), StoreError> {
    let path = layout::inbox_stop();
    match store.reader()?.read(&path)? {
        Some(_) => store.remove_beside(&path),
        None => Ok(()),
    }
}

/// Whether the author wants the run to stop; the wish is taken.
pub(crate) fn take_stop(store: &Store) -> bool {
    let path = layout::inbox_stop();
    let is_there =
        |store: &Store| -> Result<bool, StoreError> { Ok(store.reader()?.read(&path)?.is_some()) };
    is_there(store).unwrap_or_default() && store.remove_beside(&path).is_ok()
}
