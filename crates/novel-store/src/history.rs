//! The operations log, and what each operation did to which file.
//!
//! Every line of `logs/operations.jsonl` records its changes; the old contents are in the
//! operation's directory under `archive/`, so any operation can be taken back byte for byte.

use novel_model::{
    BookReader, BrokenFile, ContentHash, FileError, Problem, RelPath, layout, message,
};
use serde::{Deserialize, Serialize};

use crate::plan::Op;

/// One line of the operations log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastOperation {
    /// Its number, from one.
    pub operation: u64,
    /// Such as `commit`.
    pub kind: String,
    /// Such as `chapter-048`.
    pub target: String,
    /// When.
    pub at: String,
    /// Where the old contents are, if there were any.
    pub archive: Option<RelPath>,
    /// What it changed, by path; the log itself is not among them.
    pub changes: Vec<FileChange>,
}

/// What an operation did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum FileChange {
    /// It was not there before.
    Created {
        /// The file.
        path: RelPath,
        /// Hash after.
        after: ContentHash,
    },
    /// It got new content.
    Replaced {
        /// The file.
        path: RelPath,
        /// Hash before.
        before: ContentHash,
        /// Hash after.
        after: ContentHash,
    },
    /// It was taken away.
    Removed {
        /// The file.
        path: RelPath,
        /// Hash before.
        before: ContentHash,
    },
    /// It grew.
    Grown {
        /// The file.
        path: RelPath,
        /// Length before.
        from: u64,
        /// Hash of what was added.
        added: ContentHash,
    },
}

impl FileChange {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Created { path, .. }
            | Self::Replaced { path, .. }
            | Self::Removed { path, .. }
            | Self::Grown { path, .. } => path,
        }
    }
}

/// The changes of a plan.
pub(crate) fn changes_of(ops: &[Op]) -> Vec<FileChange> {
    ops.iter()
        .map(|op| match op.clone() {
            Op::Write {
                path,
                hash,
                old: None,
                ..
            } => FileChange::Created { path, after: hash },
            Op::Write {
                path,
                hash,
                old: Some(old),
                ..
            } => FileChange::Replaced {
                path,
                before: old.hash,
                after: hash,
            },
            Op::Remove { path, old, .. } => FileChange::Removed {
                path,
                before: old.hash,
            },
            Op::Append {
                path,
                hash,
                old_len,
                ..
            } => FileChange::Grown {
                path,
                from: old_len,
                added: hash,
            },
        })
        .collect()
}

/// All operations, oldest first.
///
/// # Errors
/// When the log is damaged.
pub fn operations(reader: &dyn BookReader) -> Result<Vec<PastOperation>, FileError> {
    let path = layout::operations();
    let text = reader.text(&path)?.unwrap_or_default();
    text.lines()
        .enumerate()
        .map(|(index, line)| Ok(parse(&path, line, index + 1)?))
        .collect()
}

impl PastOperation {
    /// The content a file had before the operation replaced or removed it.
    ///
    /// # Errors
    /// When it is not in the archive.
    pub fn before(&self, reader: &dyn BookReader, path: &RelPath) -> Result<Vec<u8>, FileError> {
        let kept = self.kept(path.as_str());
        let bytes = kept
            .as_ref()
            .map(|kept| reader.read(kept))
            .transpose()?
            .flatten();
        bytes.ok_or_else(|| FileError::Missing {
            path: kept.unwrap_or_else(layout::archive_dir),
            hint: message!(
                en: "the archive does not have the old content; it can not be brought back",
                zh: "归档中没有旧内容，无法恢复"
            ),
        })
    }

    fn kept(&self, name: &str) -> Option<RelPath> {
        format!("{}/{name}", self.archive.as_ref()?).parse().ok()
    }
}

fn parse(path: &RelPath, text: &str, line: usize) -> Result<PastOperation, BrokenFile> {
    serde_json::from_str(text).map_err(|error| {
        let text = message!(en: "not a valid record: {error}", zh: "不是有效的记录：{error}");
        BrokenFile::new(Problem::new("json_syntax", path, text).at_line(line))
    })
}
