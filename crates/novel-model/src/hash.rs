//! Content hashes: what binds a verdict to a text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// BLAKE3 of some bytes, printed as `blake3:` and 64 hexadecimal digits.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(format!("blake3:{}", blake3::hash(bytes.as_ref()).to_hex()))
    }

    /// The printed form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
