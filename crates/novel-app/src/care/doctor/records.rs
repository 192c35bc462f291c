//! Every file against what the operations log says it should be.
//!
//! A file of the program that differs is damaged: nobody else writes it. It is repaired only with a content
//! that the log proves, byte for byte: one that lies in another place, or that other files lead to.

use std::collections::BTreeMap;

use novel_book::operations::{Expected, Fingerprint, OperationLog, Records};
use novel_model::{BookReader, ChapterNo, Message, Problem, RelPath, layout, message};

use super::Examination;

/// Directories whose files carry the number of their chapter.
const OF_CHAPTERS: [&str; 6] = [
    "chapters",
    "summaries",
    "evaluations",
    "reviews",
    "state",
    "logs",
];

/// Files the program writes and the author does not edit.
pub(super) fn is_programs(path: &RelPath) -> bool {
    let text = path.as_str();
    let below = |directory: &str| text.starts_with(directory);
    let of_chapters = OF_CHAPTERS.iter().any(|directory| {
        text.strip_prefix(directory)
            .is_some_and(|rest| rest.starts_with('/'))
    });
    (of_chapters && !text.ends_with(".md") && *path != layout::waivers())
        || below("summaries/")
        || below("foreshadowing/")
        || (below("storylines/") && text.ends_with("/memory.md"))
        || (below("volumes/") && text.ends_with("/review.md"))
        || *path == layout::style_drift()
        || *path == layout::checkpoint()
}

/// What the log says; nothing where it cannot be read, which is reported with the logs.
pub(super) fn load(reader: &dyn BookReader) -> Records {
    OperationLog::read(reader).map_or_else(|_| Records::default(), |log| Records::of(&log))
}

/// Reports the files that are not as the log says, unless something else was said of them.
pub(super) fn compare(reader: &dyn BookReader, records: &Records, examination: &mut Examination) {
    let mut differing: Vec<(&RelPath, &Expected)> = Vec::new();
    // What lies in a place where it does not belong, by its content.
    let mut elsewhere: BTreeMap<String, RelPath> = BTreeMap::new();
    for (path, expected) in records.iter() {
        if path.is_under(&layout::staging_dir()) {
            continue;
        }
        // What cannot be read was reported with its encoding.
        let Ok(content) = reader.read(path) else {
            continue;
        };
        if !expected.is(content.as_deref()) {
            differing.push((path, expected));
            if let Some(bytes) = content {
                elsewhere.insert(Fingerprint::of(bytes).into(), path.clone());
            }
        }
    }
    if differing.is_empty() {
        return;
    }
    for path in unrecorded(reader, records) {
        if let Ok(Some(bytes)) = reader.read(&path) {
            let fingerprint = Fingerprint::of(bytes).into();
            elsewhere.entry(fingerprint).or_insert(path);
        }
    }
    for (path, expected) in differing {
        let there = match expected {
            Expected::Whole(fingerprint) => elsewhere.get(&String::from(fingerprint.clone())),
            Expected::Absent | Expected::Grown { .. } => None,
        };
        let missing = matches!(reader.read(path), Ok(None));
        let is_told = examination.tells_of(path);
        let found = there.and_then(|from| Some((from, reader.read(from).ok()??)));
        if let Some((from, bytes)) = found {
            let text = message!(
                en: "its content lies at `{from}`", zh: "其内容位于 `{from}`"
            );
            examination.forget(path);
            examination.repairable(
                Problem::new("misplaced", path, text),
                message!(en: "bring the content back", zh: "把内容放回原处"),
                path.clone(),
                bytes,
            );
        } else if missing && *expected != Expected::Absent && !is_told {
            examination.report(lost(path));
        } else if !missing && is_programs(path) && !is_told {
            examination.report(changed(path));
        }
    }
}

fn lost(path: &RelPath) -> Problem {
    let text = message!(
        en: "the file is missing; the operations log has it", zh: "缺少该文件；操作日志中有它"
    );
    Problem::new("missing", path, text).hint(from_a_copy())
}

fn changed(path: &RelPath) -> Problem {
    let text = message!(
        en: "is not what the program wrote there last (operations log)",
        zh: "与程序最后写入的内容不一致（操作日志）"
    );
    Problem::new("changed_outside", path, text).hint(from_a_copy())
}

fn from_a_copy() -> Message {
    message!(
        en: "put it back from a copy or from version control; the content cannot be proven from other files, so nothing was changed",
        zh: "请用备份或版本控制恢复；无法由其他文件证明其内容，因此未作任何改动"
    )
}

/// Files in the directories of chapters that no operation has written.
fn unrecorded(reader: &dyn BookReader, records: &Records) -> Vec<RelPath> {
    let directories = OF_CHAPTERS.iter().filter_map(|name| name.parse().ok());
    directories
        .flat_map(|directory: RelPath| {
            let names = reader.list(&directory).unwrap_or_default();
            let paths = names
                .into_iter()
                .filter_map(move |name| directory.join(&name).ok());
            paths.collect::<Vec<_>>()
        })
        .filter(|path| records.get(path).is_none())
        .collect()
}

/// Reports files of chapters that the book does not have, and numbers written in another way.
pub(super) fn beyond_last(reader: &dyn BookReader, last: u32, examination: &mut Examination) {
    for directory in OF_CHAPTERS {
        let Ok(directory) = directory.parse::<RelPath>() else {
            continue;
        };
        for name in reader.list(&directory).unwrap_or_default() {
            let Ok(path) = directory.join(&name) else {
                continue;
            };
            let digits = name
                .strip_prefix("chapter-")
                .or_else(|| name.strip_prefix("chapter_"))
                .map(|rest| rest.split(|char: char| !char.is_ascii_digit()).next());
            let Some(Some(digits)) = digits.filter(|_| !examination.tells_of(&path)) else {
                continue;
            };
            let chapter = digits.parse().ok().and_then(ChapterNo::new);
            let text = match chapter {
                Some(chapter) if chapter.to_string() == digits && chapter.get() <= last => continue,
                Some(chapter) if chapter.to_string() == digits => {
                    let n = chapter.get();
                    message!(
                        en: "belongs to chapter {n}, but the book ends with chapter {last}",
                        zh: "属于第 {n} 章，但本书到第 {last} 章为止"
                    )
                }
                _ => message!(
                    en: "is named as no file of a chapter is", zh: "文件名不是任何一章的文件名"
                ),
            };
            examination.report(Problem::new("stray", &path, text).hint(message!(
                en: "nothing reads it; move it away, or to where it belongs",
                zh: "没有任何命令读取它；请移走，或放到正确的位置"
            )));
        }
    }
}
