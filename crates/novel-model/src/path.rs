//! Project-relative paths that cannot leave the project.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A normalised, `/`-separated path below the project root.
///
/// Invariant: not empty, not absolute, no `.`, `..` or empty segment, no control
/// character and no backslash. Whether a symbolic link leads out is the store's
/// concern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelPath(String);

/// A text that is no project-relative path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a path inside the project")]
pub struct RelPathError(pub(crate) String);

impl RelPath {
    /// A path made of parts that are known to be safe; used by [`crate::layout`] only.
    pub(crate) fn trusted(path: String) -> Self {
        debug_assert!(Self::is_valid(&path), "layout built a bad path: {path}");
        Self(path)
    }

    fn is_valid(path: &str) -> bool {
        !path.is_empty()
            && !path.contains('\\')
            && !path.chars().any(char::is_control)
            && path
                .split('/')
                .all(|segment| !matches!(segment, "" | "." | ".."))
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The directory above, or `None` at the top.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0
            .rsplit_once('/')
            .map(|(parent, _)| Self(parent.to_owned()))
    }

    /// The last segment.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The path with one more segment.
    ///
    /// # Errors
    /// When `segment` is not a plain name.
    pub fn join(&self, segment: &str) -> Result<Self, RelPathError> {
        if segment.contains('/') {
            return Err(RelPathError(segment.to_owned()));
        }
        format!("{}/{segment}", self.0).parse()
    }

    /// Whether this path is `directory` or lies below it.
    #[must_use]
    pub fn is_under(&self, directory: &Self) -> bool {
        self.0
            .strip_prefix(directory.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl FromStr for RelPath {
    type Err = RelPathError;

    fn from_str(path: &str) -> Result<Self, Self::Err> {
        if Self::is_valid(path) {
            Ok(Self(path.to_owned()))
        } else {
            Err(RelPathError(path.to_owned()))
        }
    }
}

impl TryFrom<String> for RelPath {
    type Error = RelPathError;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        path.parse()
    }
}

impl From<RelPath> for String {
    fn from(path: RelPath) -> Self {
        path.0
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
