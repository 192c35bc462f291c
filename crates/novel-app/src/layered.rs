//! Files that are about to be written, seen as if they were there.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{BookReader, ReadError, RelPath};

/// A project with some files replaced or taken away in memory.
pub(crate) struct Layered<'a> {
    base: &'a (dyn BookReader + Sync),
    files: BTreeMap<RelPath, Vec<u8>>,
    gone: BTreeSet<RelPath>,
}

impl<'a> Layered<'a> {
    pub(crate) fn new(
        base: &'a (dyn BookReader + Sync),
        files: BTreeMap<RelPath, Vec<u8>>,
    ) -> Self {
        Self {
            base,
            files,
            gone: BTreeSet::new(),
        }
    }

    /// The same with these files taken away.
    pub(crate) fn without(mut self, gone: BTreeSet<RelPath>) -> Self {
        self.gone = gone;
        self
    }

    /// Puts one more file in.
    pub(crate) fn put(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.gone.remove(&path);
        self.files.insert(path, bytes.into());
    }
}

impl BookReader for Layered<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.files.get(path) {
            _ if self.gone.contains(path) => Ok(None),
            Some(bytes) => Ok(Some(bytes.clone())),
            None if self.files.keys().any(|file| file.is_under(path)) => {
                Err(ReadError::NotAFile { path: path.clone() })
            }
            None => self.base.read(path),
        }
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let inside = |path: &&RelPath| path.parent().as_ref() == Some(directory);
        let name = |path: &RelPath| path.file_name().to_owned();
        let mut names = self.base.list(directory)?;
        let child = |path: &RelPath| -> Option<String> {
            let rest = path.as_str().strip_prefix(directory.as_str())?;
            Some(rest.strip_prefix('/')?.split('/').next()?.to_owned())
        };
        names.extend(self.files.keys().filter_map(child));
        let gone: BTreeSet<String> = self.gone.iter().filter(inside).map(name).collect();
        names.retain(|name| !gone.contains(name));
        names.sort();
        names.dedup();
        Ok(names)
    }
}
