//! The inverse of an operation: what brings its files back to the moment before it.

use std::collections::BTreeMap;

use novel_model::{BookReader, Document, FileError, RelPath, files::Blacklist, layout};
use serde_json::json;

use super::{FileChange, Fingerprint, Line, Operation, OperationLog, OperationState, TxnKind};
use crate::edit::Changes;

/// Reads what the store keeps of replaced files.
pub trait KeptContents {
    /// What a change of `line` replaced, removed or cut off.
    ///
    /// # Errors
    /// When it is not there or damaged.
    fn kept_before(&self, line: &Line, change: &FileChange) -> Result<Vec<u8>, FileError>;
}

/// Why an operation is not taken back.
#[derive(Debug, thiserror::Error)]
pub enum NotTakenBack {
    /// These files were changed since.
    #[error("{} files were changed since", paths.len())]
    ChangedSince {
        /// Files that were edited after the operation.
        paths: Vec<RelPath>,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Taking an operation back.
pub struct TakeBack<'a> {
    /// The operation whose inverse is wanted: for redo, the undo.
    pub operation: &'a Operation,
    /// The whole log.
    pub log: &'a OperationLog,
    /// The book as it is.
    pub book: &'a dyn BookReader,
    /// What was replaced.
    pub kept: &'a dyn KeptContents,
    /// What lies in staging for the chapter that the operation is writing.
    pub in_staging: &'a [RelPath],
    /// What is being done, for the update log of the blacklist.
    pub by: TxnKind,
    /// When, for the update log of the blacklist.
    pub at: &'a str,
}

impl TakeBack<'_> {
    /// The changes that take it back.
    ///
    /// # Errors
    /// When a file was changed by hand since, or a kept content cannot be read.
    pub fn changes(&self) -> Result<Changes, NotTakenBack> {
        let mut by_path: BTreeMap<&RelPath, Vec<(&Line, &FileChange)>> = BTreeMap::new();
        for (line, change) in self.operation.changes() {
            by_path
                .entry(change.path())
                .or_default()
                .push((line, change));
        }
        let mut changes = Changes::default();
        let mut edited = Vec::new();
        for (path, made) in &by_path {
            let now = self.book.read(path).map_err(FileError::from)?;
            let (Some((_, first)), Some((_, last))) = (made.first(), made.last()) else {
                continue;
            };
            let was_absent = matches!(first, FileChange::Created { .. }) || self.is_draft(path);
            if was_absent && matches!(last, FileChange::Removed { .. }) && !self.is_open_draft(path)
            {
                continue;
            }
            if !self.is_as_left(path, last, now.as_deref()) {
                edited.push((*path).clone());
                continue;
            }
            if was_absent {
                changes.remove((*path).clone());
                continue;
            }
            match self.before(made, now.as_deref())? {
                Some(bytes) => changes.write((*path).clone(), self.recorded(path, bytes, now)),
                None => changes.remove((*path).clone()),
            }
        }
        for path in self.in_staging {
            if self.is_open_draft(path) && self.is_draft(path) && !by_path.contains_key(path) {
                changes.remove(path.clone());
            }
        }
        if edited.is_empty() {
            Ok(changes)
        } else {
            Err(NotTakenBack::ChangedSince { paths: edited })
        }
    }

    /// Whether the operation, or an agent it called, made this file of staging.
    fn is_draft(&self, path: &RelPath) -> bool {
        let staged = self
            .operation
            .lines
            .first()
            .and_then(|line| line.staged.as_ref());
        staged.is_some_and(|staged| path.is_under(&layout::staging_dir()) && !staged.contains(path))
    }

    /// Whether the file belongs to a chapter under way, whose drafts go whatever was done to them.
    fn is_open_draft(&self, path: &RelPath) -> bool {
        let first = self.operation.lines.first();
        self.operation.state == OperationState::Open
            && first.is_some_and(|line| line.staged.is_some())
            && path.is_under(&layout::staging_dir())
    }

    /// Whether a file is as the operation, or a later one that counts no more, left it.
    fn is_as_left(&self, path: &RelPath, last: &FileChange, now: Option<&[u8]>) -> bool {
        self.is_open_draft(path)
            || is_result(last, now)
            || self
                .log
                .last_change(path)
                .is_some_and(|newest| is_result(newest, now))
    }

    /// The file as it was before the changes `made` to it, oldest first.
    fn before(
        &self,
        made: &[(&Line, &FileChange)],
        now: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let whole = made.iter().position(|(_, change)| {
            !matches!(change, FileChange::Grown { .. } | FileChange::Cut { .. })
        });
        let mut content = match whole.map(|index| made[index]) {
            Some((_, FileChange::Created { .. })) => None,
            Some((line, change)) => Some(self.kept.kept_before(line, change)?),
            None => now.map(<[u8]>::to_vec),
        };
        let later = whole.unwrap_or(made.len());
        for (line, change) in made[..later].iter().rev() {
            let bytes = content.get_or_insert_default();
            match change {
                FileChange::Grown { from, .. } => {
                    bytes.truncate(usize::try_from(*from).unwrap_or(usize::MAX));
                }
                FileChange::Cut { .. } => bytes.extend(self.kept.kept_before(line, change)?),
                FileChange::Created { .. }
                | FileChange::Replaced { .. }
                | FileChange::Removed { .. } => {}
            }
        }
        Ok(content)
    }

    /// The log of the blacklist only grows: what is restored gets its entries and one more.
    fn recorded(&self, path: &RelPath, bytes: Vec<u8>, now: Option<Vec<u8>>) -> Vec<u8> {
        if *path != layout::blacklist() {
            return bytes;
        }
        let parse = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).ok()?;
            Document::<Blacklist>::parse(path, text).ok()
        };
        let (Some(mut restored), Some(now)) = (parse(&bytes), now.as_deref().and_then(parse))
        else {
            return bytes;
        };
        restored.edit(|list| {
            list.update_log.clone_from(&now.get().update_log);
            let (TxnKind::Undo { operation } | TxnKind::Redo { operation }) = self.by else {
                return;
            };
            list.update_log.push(json!({
                "timestamp": self.at,
                "source": self.by.name(),
                "operation": operation,
            }));
        });
        restored.to_text().into_bytes()
    }
}

/// Whether a file is as a change left it.
fn is_result(change: &FileChange, now: Option<&[u8]>) -> bool {
    match change {
        FileChange::Created { after, .. }
        | FileChange::Replaced { after, .. }
        | FileChange::Cut { after, .. } => {
            now.is_some_and(|bytes| Fingerprint::of(bytes) == *after)
        }
        FileChange::Removed { .. } => now.is_none(),
        FileChange::Grown { from, added, .. } => now.is_some_and(|bytes| {
            let from = usize::try_from(*from).unwrap_or(usize::MAX);
            bytes
                .get(from..)
                .is_some_and(|tail| Fingerprint::of(tail) == *added)
        }),
    }
}
