//! Parts of a project as they would be if what is staged for them were in place.

use std::collections::BTreeMap;

use novel_model::{BookReader, ReadError, RelPath, layout};

/// A project in which `staging/X` stands in for `X`, for some files or directories `X`.
pub(crate) struct Shadow<'a> {
    base: &'a dyn BookReader,
    parts: Vec<RelPath>,
}

impl<'a> Shadow<'a> {
    pub(crate) fn new(base: &'a dyn BookReader, parts: Vec<RelPath>) -> Self {
        Self { base, parts }
    }

    fn staged(&self, path: &RelPath) -> Option<RelPath> {
        self.parts
            .iter()
            .any(|part| path.is_under(part))
            .then(|| layout::staged(path))
    }

    /// All staged files of the parts, by the path they are meant for.
    pub(crate) fn staged_files(&self) -> Result<BTreeMap<RelPath, Vec<u8>>, ReadError> {
        let mut files = BTreeMap::new();
        for part in &self.parts {
            self.collect(part, &mut files)?;
        }
        Ok(files)
    }

    fn collect(
        &self,
        path: &RelPath,
        files: &mut BTreeMap<RelPath, Vec<u8>>,
    ) -> Result<(), ReadError> {
        let staged = layout::staged(path);
        match self.base.read(&staged) {
            Ok(Some(bytes)) => {
                files.insert(path.clone(), bytes);
            }
            // A directory that is not made yet is known by its files alone.
            Ok(None) | Err(ReadError::NotAFile { .. }) => {
                for name in self.base.list(&staged)? {
                    if let Ok(child) = path.join(&name) {
                        self.collect(&child, files)?;
                    }
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl BookReader for Shadow<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        if let Some(staged) = self.staged(path)
            && let Some(bytes) = self.base.read(&staged)?
        {
            return Ok(Some(bytes));
        }
        self.base.read(path)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let mut names = self.base.list(directory)?;
        if let Some(staged) = self.staged(directory) {
            names.extend(self.base.list(&staged)?);
            names.sort();
            names.dedup();
        }
        Ok(names)
    }
}
