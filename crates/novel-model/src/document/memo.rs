//! Files that were read before: the same text read as the same format is the same document.
//!
//! A run looks at the same few dozen files many times between two answers; checking one against its
//! schema takes far longer than hashing it. Only sound documents are kept, the newest of them, and
//! nothing is ever answered from here without the text of the file.

use std::{
    any::{Any, TypeId},
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use super::{Document, Format};

/// Bytes of text whose documents are kept.
const CAPACITY: usize = 4 * 1024 * 1024;

type Key = (TypeId, [u8; 32]);

#[derive(Default)]
struct Memo {
    documents: HashMap<Key, Arc<dyn Any + Send + Sync>>,
    /// The oldest first, with the length of their texts.
    order: VecDeque<(Key, usize)>,
    bytes: usize,
}

static MEMO: LazyLock<Mutex<Memo>> = LazyLock::new(Mutex::default);

/// The document of `text`, from memory or from `parse`.
pub(super) fn remembered<T: Format, E>(
    text: &str,
    parse: impl FnOnce() -> Result<Document<T>, E>,
) -> Result<Document<T>, E> {
    let key = (TypeId::of::<T>(), *blake3::hash(text.as_bytes()).as_bytes());
    if let Some(found) = with(|memo| memo.get(&key))
        && let Some(document) = found.downcast_ref::<Document<T>>()
    {
        return Ok(document.clone());
    }
    let document = parse()?;
    let kept = Arc::new(document.clone());
    with(|memo| memo.keep(key, kept, text.len()));
    Ok(document)
}

/// Whoever panicked while holding it did so between two whole operations.
fn with<R>(work: impl FnOnce(&mut Memo) -> R) -> R {
    work(&mut MEMO.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Memo {
    fn get(&self, key: &Key) -> Option<Arc<dyn Any + Send + Sync>> {
        self.documents.get(key).cloned()
    }

    fn keep(&mut self, key: Key, document: Arc<dyn Any + Send + Sync>, length: usize) {
        if length > CAPACITY || self.documents.insert(key, document).is_some() {
            return;
        }
        self.order.push_back((key, length));
        self.bytes += length;
        while self.bytes > CAPACITY
            && let Some((oldest, length)) = self.order.pop_front()
        {
            self.documents.remove(&oldest);
            self.bytes -= length;
        }
    }
}

#[cfg(test)]
#[path = "memo_tests.rs"]
mod tests;
