//! Time and chance, as the retry loop needs them.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use crate::CancelToken;

/// The clock, the pause and the dice of a [`Client`](crate::Client).
///
/// Tests put their own in its place, so that no test waits for a backoff.
pub trait Pace: Send + Sync {
    /// Now, for `Retry-After` dates.
    fn now(&self) -> SystemTime;
    /// Pauses, but not longer than until `cancel`.
    fn wait(&self, duration: Duration, cancel: &CancelToken);
    /// A number from zero to one.
    fn jitter(&self) -> f64;
}

/// The real clock, real pauses and a random number.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemPace;

impl Pace for SystemPace {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, duration: Duration, cancel: &CancelToken) {
        cancel.wait(duration);
    }

    fn jitter(&self) -> f64 {
        // Each `RandomState` is keyed at random; spreading retries needs no more.
        let bits = RandomState::new().hash_one(0_u8) >> 32;
        f64::from(u32::try_from(bits).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
    }
}
