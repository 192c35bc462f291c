//! Content hashes: what binds a verdict to a text.

use std::{fmt, str::FromStr};

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

    /// The hash of `bytes` as it is, for files that are not text.
    #[must_use]
    pub fn raw(bytes: impl AsRef<[u8]>) -> [u8; 32] {
        *blake3::hash(bytes.as_ref()).as_bytes()
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

/// A text that is no content hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no hash: `blake3:` and 64 hexadecimal digits")]
pub struct NoHash(String);

impl FromStr for ContentHash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("blake3:").unwrap_or_default();
        let is_hash = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(NoHash(text.to_owned()))
        }
    }
}
