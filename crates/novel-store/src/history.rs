//! Reading what operations replaced: from the packs, and from the directories of older versions.

use novel_book::operations::{FileChange, Fingerprint, Kept, KeptContents, Line};
use novel_model::{
    BookReader, BrokenFile, Explain, FileError, Message, Problem, RelPath, layout, message,
};

use crate::{error::StoreError, pack, reader::StoreReader};

impl KeptContents for StoreReader {
    fn kept_before(&self, line: &Line, change: &FileChange) -> Result<Vec<u8>, FileError> {
        match (change.kept(), change) {
            (
                Some(at),
                FileChange::Replaced { before, .. }
                | FileChange::Removed { before, .. }
                | FileChange::Cut { tail: before, .. },
            ) => from_pack(self, line, at, before),
            _ => from_directory(self, line, change.path()),
        }
    }
}

fn from_pack(
    reader: &StoreReader,
    line: &Line,
    at: Kept,
    expected: &Fingerprint,
) -> Result<Vec<u8>, FileError> {
    let kept = pack::read(reader, at).map_err(|error| match error {
        StoreError::Read(error) => FileError::Read(error),
        other => damaged(line, at, &other),
    })?;
    if Fingerprint::of(&kept) == *expected {
        return Ok(kept);
    }
    let error = StoreError::PackDamaged {
        path: layout::pack(at.pack),
        offset: at.offset,
        reason: "the content is another one than was put there".to_owned(),
    };
    Err(damaged(line, at, &error))
}

fn damaged(line: &Line, at: Kept, error: &StoreError) -> FileError {
    let (text, operation) = (error.message(), line.operation);
    let text = Message {
        en: format!("{}; needed for operation {operation}", text.en),
        zh: format!("{}；操作 {operation} 需要它", text.zh),
    };
    let problem = Problem::new("archive_damaged", &layout::pack(at.pack), text);
    BrokenFile::new(problem).into()
}

/// Lines of older versions name a directory that has the old files under their own names.
fn from_directory(reader: &StoreReader, line: &Line, path: &RelPath) -> Result<Vec<u8>, FileError> {
    let kept: Option<RelPath> = line
        .archive
        .as_ref()
        .and_then(|archive| format!("{archive}/{path}").parse().ok());
    let bytes = kept.as_ref().map(|kept| reader.read(kept)).transpose()?;
    bytes.flatten().ok_or_else(|| FileError::Missing {
        path: kept.unwrap_or_else(layout::archive_dir),
        hint: message!(
            en: "the archive does not have the old content; it cannot be brought back",
            zh: "归档中没有旧内容，无法恢复"
        ),
    })
}

/// What is wrong with the packs of replaced contents.
#[must_use]
pub fn verify_archive(reader: &StoreReader) -> Vec<Problem> {
    let mut problems = Vec::new();
    for number in 1.. {
        let path = layout::pack(number);
        let size = match reader.length(&path) {
            Ok(Some(size)) => size,
            Ok(None) => break,
            Err(error) => {
                problems.push(Problem::new("unreadable", &path, error.message()));
                continue;
            }
        };
        if let Err(error) = pack::verify(reader, number, size) {
            problems.push(Problem::new("archive_damaged", &path, error.message()));
        }
    }
    problems
}
