//! What was made of the texts of files, so that one command makes it once.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::RelPath;

/// Bytes of texts that are held at most.
const MOST_BYTES: usize = 4 << 20;

/// Things made of files. Each is held with the path and the text it was made of and is given again for exactly
/// these: what a text means may depend on where it stands, and a file that changed is decoded anew.
#[derive(Default)]
pub struct Decoded(Mutex<Held>);

#[derive(Default)]
struct Held {
    bytes: usize,
    made: BTreeMap<(RelPath, TypeId), Made>,
}

struct Made {
    text: String,
    value: Arc<dyn Any + Send + Sync>,
}

impl Decoded {
    fn find<T: Send + Sync + 'static>(&self, path: &RelPath, text: &str) -> Option<Arc<T>> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = held.made.get(&(path.clone(), TypeId::of::<T>()))?;
        let is_same = made.text == text;
        is_same.then(|| Arc::clone(&made.value).downcast().ok())?
    }

    fn hold<T: Send + Sync + 'static>(&self, path: &RelPath, text: &str, value: &Arc<T>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.bytes + text.len() > MOST_BYTES {
            *held = Held::default();
        }
        held.bytes += text.len();
        let value: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(value);
        let key = (path.clone(), TypeId::of::<T>());
        let text = text.to_owned();
        if let Some(old) = held.made.insert(key, Made { text, value }) {
            held.bytes -= old.text.len();
        }
    }
}

/// What `make` makes of the text of a file, made once where such things are held.
///
/// # Errors
/// Those of `make`.
pub fn decoded<T: Send + Sync + 'static, E>(
    held: Option<&Decoded>,
    path: &RelPath,
    text: &str,
    make: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Arc<T>, E> {
    if let Some(made) = held.and_then(|held| held.find(path, text)) {
        return Ok(made);
    }
    let made = Arc::new(make(text)?);
    if let Some(held) = held {
        held.hold(path, text, &made);
    }
    Ok(made)
}

#[cfg(test)]
#[path = "decoded_tests.rs"]
mod tests;
