//! Signs of life while a long step runs.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::{
    lock::{self, LockGuard},
    lock_state::LockError,
};

/// Time between two beats; far below the half hour after which a lock is stale.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(20);

/// A thread that keeps a lock alive until dropped.
#[derive(Debug)]
pub struct Heartbeat {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Beats for `guard` every `interval`. It ends by itself when the lock is lost.
    #[must_use]
    pub fn start(guard: &LockGuard, interval: Duration) -> Self {
        let (fs, machine, token) = guard.parts();
        let (stop, stopped) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                // A beat that fails (a full disk) is tried again next time.
                if let Err(LockError::Lost) = lock::beat(fs.as_ref(), machine.as_ref(), &token) {
                    break;
                }
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by the thread.
            let _ = thread.join();
        }
    }
}
