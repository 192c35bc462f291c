//! Files that are about to be written, seen as if they were there.

use std::collections::BTreeMap;

use novel_model::{BookReader, ReadError, RelPath};

/// A project with some files replaced in memory.
pub(crate) struct Layered<'a> {
    base: &'a dyn BookReader,
    files: BTreeMap<RelPath, Vec<u8>>,
}

impl<'a> Layered<'a> {
    pub(crate) fn new(base: &'a dyn BookReader, files: BTreeMap<RelPath, Vec<u8>>) -> Self {
        Self { base, files }
    }
}

impl BookReader for Layered<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.files.get(path) {
            Some(bytes) => Ok(Some(bytes.clone())),
            None => self.base.read(path),
        }
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let mut names = self.base.list(directory)?;
        for path in self.files.keys() {
            if path.parent().as_ref() == Some(directory) {
                names.push(path.file_name().to_owned());
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }
}
