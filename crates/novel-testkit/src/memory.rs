//! A book in memory.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{BookReader, ReadError, RelPath};

/// Files by path; directories exist through their files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryBook {
    files: BTreeMap<RelPath, Vec<u8>>,
}

impl MemoryBook {
    /// An empty book.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The book with one more file (or another content of it).
    ///
    /// # Panics
    /// When `path` is no project path.
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.write(path.parse().unwrap(), content);
        self
    }

    /// Sets a file.
    pub fn write(&mut self, path: RelPath, content: impl Into<Vec<u8>>) {
        self.files.insert(path, content.into());
    }

    /// Removes a file; returns what it held.
    pub fn remove(&mut self, path: &RelPath) -> Option<Vec<u8>> {
        self.files.remove(path)
    }

    /// All files, sorted.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<RelPath, Vec<u8>> {
        &self.files
    }

    fn is_directory(&self, path: &RelPath) -> bool {
        self.files
            .keys()
            .any(|file| file != path && file.is_under(path))
    }
}

impl BookReader for MemoryBook {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.files.get(path) {
            Some(bytes) => Ok(Some(bytes.clone())),
            None if self.is_directory(path) => Err(ReadError::NotAFile { path: path.clone() }),
            None => Ok(None),
        }
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        if self.files.contains_key(directory) {
            let path = directory.clone();
            return Err(ReadError::NotADirectory { path });
        }
        let names: BTreeSet<String> = self
            .files
            .keys()
            .filter_map(|file| file.as_str().strip_prefix(directory.as_str()))
            .filter_map(|rest| rest.strip_prefix('/'))
            .map(|below| below.split('/').next().unwrap_or(below).to_owned())
            .collect();
        Ok(names.into_iter().collect())
    }
}
