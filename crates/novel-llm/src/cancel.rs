//! Stopping a call from another thread.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

type Hook = Box<dyn FnOnce() + Send>;

/// A switch that is turned once. Clones are the same switch.
///
/// [`cancel`](Self::cancel) takes a lock: call it from a thread, not from inside a
/// signal handler.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    hooks: Mutex<Hooks>,
    turned: Condvar,
}

#[derive(Default)]
struct Hooks {
    next: u64,
    list: Vec<(u64, Hook)>,
}

impl CancelToken {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Turns it on, for good; calls under way end at once.
    pub fn cancel(&self) {
        let hooks = {
            let mut hooks = self.hooks();
            self.0.cancelled.store(true, Ordering::SeqCst);
            std::mem::take(&mut hooks.list)
        };
        self.0.turned.notify_all();
        for (_, hook) in hooks {
            hook();
        }
    }

    /// Whether it is on.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Waits until the time is over or the switch is turned.
    pub fn wait(&self, duration: Duration) {
        let end = Instant::now() + duration;
        let mut hooks = self.hooks();
        while !self.is_cancelled() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            hooks = self
                .0
                .turned
                .wait_timeout(hooks, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Runs `hook` when the switch is turned, at once if it already is; not after
    /// the returned guard is gone.
    pub(crate) fn on_cancel(&self, hook: impl FnOnce() + Send + 'static) -> HookGuard<'_> {
        let mut hooks = self.hooks();
        let id = hooks.next;
        hooks.next += 1;
        if self.is_cancelled() {
            drop(hooks);
            hook();
        } else {
            hooks.list.push((id, Box::new(hook)));
        }
        HookGuard { token: self, id }
    }

    fn hooks(&self) -> MutexGuard<'_, Hooks> {
        self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken")
            .field(&self.is_cancelled())
            .finish()
    }
}

/// Forgets the hook when dropped.
pub(crate) struct HookGuard<'t> {
    token: &'t CancelToken,
    id: u64,
}

impl Drop for HookGuard<'_> {
    fn drop(&mut self) {
        self.token.hooks().list.retain(|(id, _)| *id != self.id);
    }
}
