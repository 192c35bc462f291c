//! The book with changes that are not written yet.
//!
//! An [`Edit`] reads through to the book below it and collects changes; its [`Changes`] become one
//! transaction of the store. An edit is a [`BookReader`] itself, so a rule that works on the book
//! works on the book as it is going to be.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{BookReader, Decoded, ReadError, RelPath, last_line_of, layout};

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The file gets this content.
    Write(Vec<u8>),
    /// The file grows by these bytes; a missing file is made.
    Append(Vec<u8>),
    /// The file goes; a missing file may go too.
    Remove,
}

/// Changes by path; a later change of a file counts on top of the earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes(BTreeMap<RelPath, Change>);

impl Changes {
    /// Gives a file new content.
    pub fn write(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path, Change::Write(bytes.into()));
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: RelPath) {
        self.0.insert(path, Change::Remove);
    }

    /// Adds bytes to the end of a file.
    pub fn append(&mut self, path: RelPath, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        match self.0.get_mut(&path) {
            Some(Change::Write(content) | Change::Append(content)) => content.extend(bytes),
            Some(change @ Change::Remove) => *change = Change::Write(bytes.to_vec()),
            None => {
                self.0.insert(path, Change::Append(bytes.to_vec()));
            }
        }
    }

    /// Puts later changes on top of these.
    pub fn extend(&mut self, later: Self) {
        for (path, change) in later.0 {
            match change {
                Change::Write(bytes) => self.write(path, bytes),
                Change::Append(bytes) => self.append(path, bytes),
                Change::Remove => self.remove(path),
            }
        }
    }

    /// Whether a file is taken away.
    #[must_use]
    pub fn removes(&self, path: &RelPath) -> bool {
        self.0.get(path) == Some(&Change::Remove)
    }

    /// Leaves out the changes of files that are not `wanted`.
    pub fn retain(&mut self, wanted: impl Fn(&RelPath) -> bool) {
        self.0.retain(|path, _| wanted(path));
    }

    /// Whether no file changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The change of a file, if there is one.
    #[must_use]
    pub fn get(&self, path: &RelPath) -> Option<&Change> {
        self.0.get(path)
    }

    /// All changes, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &Change)> {
        self.0.iter()
    }

    /// The files that change, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.0.keys()
    }

    /// A file with the changes made; `before` gives the file without them.
    ///
    /// # Errors
    /// Those of `before`, and when a changed file lies below `path`.
    pub fn read(
        &self,
        path: &RelPath,
        before: impl FnOnce() -> Result<Option<Vec<u8>>, ReadError>,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        match self.0.get(path) {
            Some(Change::Remove) => Ok(None),
            Some(Change::Write(bytes)) => Ok(Some(bytes.clone())),
            Some(Change::Append(tail)) => {
                let mut bytes = before()?.unwrap_or_default();
                bytes.extend(tail);
                Ok(Some(bytes))
            }
            None if self.is_directory(path) => Err(ReadError::NotAFile { path: path.clone() }),
            None => before(),
        }
    }

    /// The sorted names of a directory with the changes made; `names` are those without them.
    #[must_use]
    pub fn list(&self, directory: &RelPath, names: Vec<String>) -> Vec<String> {
        let mut names: BTreeSet<String> = names.into_iter().collect();
        for (path, change) in &self.0 {
            let below = path
                .as_str()
                .strip_prefix(directory.as_str())
                .and_then(|rest| rest.strip_prefix('/'));
            match (below, change) {
                (None, _) => {}
                (Some(below), Change::Write(_) | Change::Append(_)) => {
                    let name = below.split('/').next().unwrap_or(below);
                    names.insert(name.to_owned());
                }
                (Some(below), Change::Remove) => {
                    names.remove(below);
                }
            }
        }
        names.into_iter().collect()
    }

    /// Whether a file that is written lies below `path`.
    fn is_directory(&self, path: &RelPath) -> bool {
        self.0
            .range(path.clone()..)
            .skip_while(|(below, _)| *below == path)
            .take_while(|(below, _)| below.as_str().starts_with(path.as_str()))
            .any(|(below, change)| *change != Change::Remove && below.is_under(path))
    }
}

/// What a change does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    /// It is new.
    Create,
    /// It gets new content.
    Replace,
    /// It grows.
    Append,
    /// It goes (to `archive/`).
    Remove,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEffect {
    /// The file.
    pub path: RelPath,
    /// What happens to it.
    pub action: FileAction,
}

/// A book with changes on top.
#[derive(Clone)]
pub struct Edit<'a> {
    base: &'a dyn BookReader,
    changes: Changes,
}

impl<'a> Edit<'a> {
    /// An edit without changes.
    #[must_use]
    pub fn on(base: &'a dyn BookReader) -> Self {
        Self::with(base, Changes::default())
    }

    /// An edit that begins with some changes.
    #[must_use]
    pub fn with(base: &'a dyn BookReader, changes: Changes) -> Self {
        Self { base, changes }
    }

    /// An edit in which what is staged for `parts` (files or directories) stands in its place.
    ///
    /// # Errors
    /// When a staged file cannot be read.
    pub fn with_staged(base: &'a dyn BookReader, parts: &[RelPath]) -> Result<Self, ReadError> {
        let mut edit = Self::on(base);
        for (path, bytes) in staged_files(base, parts)? {
            edit.write(path, bytes);
        }
        Ok(edit)
    }

    /// Gives a file new content.
    pub fn write(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.changes.write(path, bytes);
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: RelPath) {
        self.changes.remove(path);
    }

    /// Adds bytes to the end of a file.
    pub fn append(&mut self, path: RelPath, bytes: impl AsRef<[u8]>) {
        self.changes.append(path, bytes);
    }

    /// Puts later changes on top.
    pub fn extend(&mut self, later: Changes) {
        self.changes.extend(later);
    }

    /// The changes so far.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The changes, for the transaction that makes them.
    #[must_use]
    pub fn into_changes(self) -> Changes {
        self.changes
    }

    /// What happens to which file, sorted; a removal of a missing file is left out.
    ///
    /// # Errors
    /// When a file of the book cannot be read.
    pub fn effects(&self) -> Result<Vec<FileEffect>, ReadError> {
        let mut effects = Vec::new();
        for (path, change) in self.changes.iter() {
            let action = match (change, self.base.exists(path)?) {
                (Change::Write(_), false) => FileAction::Create,
                (Change::Write(_), true) => FileAction::Replace,
                (Change::Append(_), _) => FileAction::Append,
                (Change::Remove, true) => FileAction::Remove,
                (Change::Remove, false) => continue,
            };
            let path = path.clone();
            effects.push(FileEffect { path, action });
        }
        Ok(effects)
    }
}

impl BookReader for Edit<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.changes.read(path, || self.base.read(path))
    }

    fn stamp(&self, path: &RelPath) -> Option<u64> {
        match self.changes.get(path) {
            Some(_) => None,
            None => self.base.stamp(path),
        }
    }

    fn exists(&self, path: &RelPath) -> Result<bool, ReadError> {
        match self.changes.get(path) {
            Some(change) => Ok(*change != Change::Remove),
            None if self.changes.is_directory(path) => self.read(path).map(|found| found.is_some()),
            None => self.base.exists(path),
        }
    }

    fn decoded(&self) -> Option<&Decoded> {
        self.base.decoded()
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        Ok(self.changes.list(directory, self.base.list(directory)?))
    }

    fn list_ending(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let names = self.base.list_ending(directory, suffix)?;
        let mut names = self.changes.list(directory, names);
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }

    fn older_lines(&self, path: &RelPath) -> Result<String, ReadError> {
        self.base.older_lines(path)
    }

    fn last_line(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.changes.get(path) {
            None => self.base.last_line(path),
            Some(_) => {
                let bytes = self.read(path)?.unwrap_or_default();
                Ok(last_line_of(&bytes).map(<[u8]>::to_vec))
            }
        }
    }
}

/// What is staged for `parts` (files or directories), by the path it is meant for.
///
/// # Errors
/// When a staged file cannot be read.
pub fn staged_files(
    book: &dyn BookReader,
    parts: &[RelPath],
) -> Result<BTreeMap<RelPath, Vec<u8>>, ReadError> {
    let mut files = BTreeMap::new();
    for part in parts {
        collect_staged(book, part, &mut files)?;
    }
    Ok(files)
}

fn collect_staged(
    book: &dyn BookReader,
    path: &RelPath,
    files: &mut BTreeMap<RelPath, Vec<u8>>,
) -> Result<(), ReadError> {
    let staged = layout::staged(path);
    match book.read(&staged) {
        Ok(Some(bytes)) => {
            files.insert(path.clone(), bytes);
        }
        // A directory that is not made yet is known by its files alone.
        Ok(None) | Err(ReadError::NotAFile { .. }) => {
            for name in book.list(&staged)? {
                if let Ok(child) = path.join(&name) {
                    collect_staged(book, &child, files)?;
                }
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}
