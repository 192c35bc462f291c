//! What was worked out of a text before: the same text gives the same value.
//!
//! A run looks at the same few dozen files many times between two answers; checking one against its
//! schema or counting its words takes far longer than hashing it. Only functions of nothing but the
//! given parts may be remembered, the newest results are kept, and nothing is ever answered without
//! the text it came from.

use std::{
    any::{Any, TypeId},
    collections::{HashMap, VecDeque},
    convert::Infallible,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Bytes of text whose values are kept.
const CAPACITY: usize = 4 * 1024 * 1024;

type Key = (TypeId, [u8; 32]);

#[derive(Default)]
struct Memory {
    values: HashMap<Key, Arc<dyn Any + Send + Sync>>,
    /// The oldest first, with the length of their texts.
    order: VecDeque<(Key, usize)>,
    bytes: usize,
}

static MEMORY: LazyLock<Mutex<Memory>> = LazyLock::new(Mutex::default);

/// The value that `make` gives for `parts`, remembered by its type; failures are not remembered.
///
/// # Errors
/// As `make`.
pub fn try_recall<T: Clone + Send + Sync + 'static, E>(
    parts: &[&str],
    make: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let key = (TypeId::of::<T>(), hash(parts));
    if let Some(found) = with(|memory| memory.get(&key))
        && let Some(value) = found.downcast_ref::<T>()
    {
        return Ok(value.clone());
    }
    let value = make()?;
    let kept = Arc::new(value.clone());
    let length = parts.iter().map(|part| part.len()).sum();
    with(|memory| memory.keep(key, kept, length));
    Ok(value)
}

/// The same for what can not fail.
pub fn recall<T: Clone + Send + Sync + 'static>(parts: &[&str], make: impl FnOnce() -> T) -> T {
    match try_recall(parts, || Ok::<T, Infallible>(make())) {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// Parts that are cut in another way are other parts.
fn hash(parts: &[&str]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// Whoever panicked while holding it did so between two whole operations.
fn with<R>(work: impl FnOnce(&mut Memory) -> R) -> R {
    work(&mut MEMORY.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Memory {
    fn get(&self, key: &Key) -> Option<Arc<dyn Any + Send + Sync>> {
        self.values.get(key).cloned()
    }

    fn keep(&mut self, key: Key, value: Arc<dyn Any + Send + Sync>, length: usize) {
        if length > CAPACITY || self.values.insert(key, value).is_some() {
            return;
        }
        self.order.push_back((key, length));
        self.bytes += length;
        while self.bytes > CAPACITY
            && let Some((oldest, length)) = self.order.pop_front()
        {
            self.values.remove(&oldest);
            self.bytes -= length;
        }
    }
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod tests;
