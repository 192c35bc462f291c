//! `novel lock`: who holds the lock of a project, and its removal.

pub use novel_store::{Clear, LockStatus};
use novel_store::{Store, StoreError};

/// State of the lock. Writes nothing.
///
/// # Errors
/// When it cannot be read.
pub fn status(store: &Store) -> Result<LockStatus, StoreError> {
    store.lock_status()
}

/// Removes the lock as far as `clear` allows; returns what it was.
///
/// # Errors
/// When its holder may be alive, or it is damaged, and `clear` is not [`Clear::Force`].
pub fn clear(store: &Store, clear: Clear) -> Result<LockStatus, StoreError> {
    store.clear_lock(clear)
}
