//! Changes to files, collected and not made, and how a book reads with them.

use std::collections::BTreeMap;

use novel_model::{ReadError, RelPath};

use crate::reader::{Presence, with_changes};

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Write(Vec<u8>),
    Append(Vec<u8>),
    Remove,
}

/// Changes by path; the last word about a file counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes(BTreeMap<RelPath, Change>);

impl Changes {
    pub(crate) fn write(&mut self, path: RelPath, bytes: Vec<u8>) {
        self.0.insert(path, Change::Write(bytes));
    }

    pub(crate) fn remove(&mut self, path: RelPath) {
        self.0.insert(path, Change::Remove);
    }

    pub(crate) fn append(&mut self, path: RelPath, bytes: &[u8]) {
        match self.0.get_mut(&path) {
            Some(Change::Write(content) | Change::Append(content)) => content.extend(bytes),
            Some(change @ Change::Remove) => *change = Change::Write(bytes.to_vec()),
            None => {
                self.0.insert(path, Change::Append(bytes.to_vec()));
            }
        }
    }

    /// Later changes on top of these.
    pub(crate) fn extend(&mut self, later: Self) {
        for (path, change) in later.0 {
            match change {
                Change::Write(bytes) => self.write(path, bytes),
                Change::Append(bytes) => self.append(path, &bytes),
                Change::Remove => self.remove(path),
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, path: &RelPath) -> Option<&Change> {
        self.0.get(path)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RelPath, &Change)> {
        self.0.iter()
    }

    /// The file as it would be; `before` is what it is without the changes.
    pub(crate) fn read(
        &self,
        path: &RelPath,
        before: impl FnOnce() -> Result<Option<Vec<u8>>, ReadError>,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        match self.0.get(path) {
            None => before(),
            Some(Change::Remove) => Ok(None),
            Some(Change::Write(bytes)) => Ok(Some(bytes.clone())),
            Some(Change::Append(tail)) => {
                let mut bytes = before()?.unwrap_or_default();
                bytes.extend(tail);
                Ok(Some(bytes))
            }
        }
    }

    /// The names in a directory as they would be; `names` is what they are without the changes.
    pub(crate) fn list(&self, directory: &RelPath, names: Vec<String>) -> Vec<String> {
        let changes = self.0.iter().map(|(path, change)| match change {
            Change::Write(_) | Change::Append(_) => (path, Presence::There),
            Change::Remove => (path, Presence::Gone),
        });
        with_changes(names, directory, changes)
    }
}
