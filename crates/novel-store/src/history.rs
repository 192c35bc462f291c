//! Reading what operations replaced: from the packs, and from the directories of older versions.

use std::collections::BTreeMap;

use novel_book::operations::{FileChange, Fingerprint, Kept, KeptContents, Line, OperationLog};
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

/// What is wrong with the packs of replaced contents, and what of that which `log` says they keep is
/// not there.
#[must_use]
pub fn verify_archive(reader: &StoreReader, log: &OperationLog) -> Vec<Problem> {
    let lines = || log.operations.iter().flat_map(|operation| &operation.lines);
    let kept = lines().flat_map(|line| {
        let changes = line.changes.iter();
        changes.filter_map(move |change| Some((line.operation, change.path(), change.kept()?)))
    });
    let mut wanted: BTreeMap<u32, Vec<(u64, &RelPath, u64)>> = BTreeMap::new();
    for (operation, path, at) in kept {
        let of_pack = wanted.entry(at.pack).or_default();
        of_pack.push((operation, path, at.offset));
    }
    let last = wanted.keys().next_back().copied().unwrap_or(0);
    let mut problems = Vec::new();
    for number in 1.. {
        let path = layout::pack(number);
        let is_beyond = number > last;
        let wanted = wanted.remove(&number).unwrap_or_default();
        let size = match reader.length(&path) {
            Ok(Some(size)) => size,
            Ok(None) if is_beyond => break,
            Ok(None) if wanted.is_empty() => continue,
            Ok(None) => {
                let text = message!(
                    en: "the file is missing; the operations log has it", zh: "缺少该文件；操作日志中有它"
                );
                problems.push(Problem::new("missing", &path, text));
                continue;
            }
            Err(error) => {
                problems.push(Problem::new("unreadable", &path, error.message()));
                // Nobody knows of more packs, and a disk that cannot be read never says that there are none.
                if is_beyond {
                    break;
                }
                continue;
            }
        };
        let pack::Content { entries, damage } = pack::content(reader, number, size);
        let lost = wanted
            .iter()
            .find(|(_, path, offset)| entries.get(offset) != Some(*path));
        let text = match (damage, lost) {
            (Some(error), _) => error.message(),
            (None, Some((operation, path, offset))) => message!(
                en: "does not keep `{path}` at byte {offset}, as operation {operation} says",
                zh: "操作 {operation} 记载 `{path}` 保存在第 {offset} 字节处，但那里没有"
            ),
            (None, None) => continue,
        };
        problems.push(Problem::new("archive_damaged", &path, text));
    }
    problems
}
