//! Every file against what the operations log says it should be.
//!
//! A file of the program that differs is damaged: nobody else writes it. One that authors edit too is noted.
//! Either is repaired only with a content that the log proves, byte for byte: one that lies in another
//! place, or that other files lead to.

use std::collections::BTreeMap;

use novel_book::operations::{Expected, Fingerprint, Line, OperationLog, Records};
use novel_model::{
    BookReader, ChapterNo, Explain, Message, Problem, ReadError, RelPath, layout, message,
};

use super::{Examination, Known, encoding};

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

/// What the log says, and whether it can be relied on. A log that cannot be read is reported with the logs.
pub(super) fn load(reader: &dyn BookReader, examination: &mut Examination) {
    let broken = OperationLog::broken_lines(reader).unwrap_or_default();
    for (path, line) in &broken {
        examination.report(changed_line(path, *line));
    }
    let is_lost = matches!(reader.read(&layout::operations()), Ok(None)) && has_history(reader);
    if is_lost {
        examination.report(lost_log());
    }
    let log = match OperationLog::read(reader) {
        Ok(log) => Some(log),
        Err(_) => {
            damaged_beginning(reader, examination);
            without_torn_line(reader)
        }
    };
    let is_damaged = is_lost || log.is_none() || !broken.is_empty();
    let log = log.unwrap_or_default();
    examination.known = Known {
        records: Records::of(&log),
        log,
        is_damaged,
    };
}

/// The log without its last line, which is torn, if the book is as the other lines say.
pub(super) fn without_torn_line(reader: &dyn BookReader) -> Option<OperationLog> {
    let path = layout::operations();
    let older = reader.older_lines(&path).ok()?;
    let newer = reader.text(&path).ok()??;
    let lines: Vec<&str> = older.lines().chain(newer.lines()).collect();
    let (_, sound) = lines.split_last()?;
    let sound = sound.iter().map(|line| Line::parse(line.as_bytes()));
    let log = sound.collect::<Result<OperationLog, _>>().ok()?;
    agree(reader, &Records::of(&log)).then_some(log)
}

/// The part of the log that is put away compressed is read nowhere else.
fn damaged_beginning(reader: &dyn BookReader, examination: &mut Examination) {
    let path = layout::operations();
    if let Err(error) = reader.older_lines(&path) {
        let problem = Problem::new("unreadable", error.path(), error.message());
        examination.report(problem.hint(from_a_copy()));
    }
}

/// Whether something shows that the log had lines.
fn has_history(reader: &dyn BookReader) -> bool {
    let any = |directory: &RelPath| {
        let names = reader.list(directory);
        names.is_ok_and(|names| !names.is_empty())
    };
    any(&layout::archive_dir())
        || any(&layout::calls_dir())
        || matches!(reader.read(&layout::older_operations()), Ok(Some(_)))
}

fn lost_log() -> Problem {
    let text = message!(
        en: "the file is missing, so changes to the book cannot be verified or undone",
        zh: "缺少该文件：无法核对或撤销对本书的操作"
    );
    Problem::new("missing", &layout::operations(), text).hint(from_a_copy())
}

/// A line of a log that is JSON and not what was written, or that does not follow the one before it.
pub(super) fn changed_line(path: &RelPath, line: usize) -> Problem {
    let text = message!(
        en: "the line is not what `novel` wrote, or the line before it is missing",
        zh: "该行与程序写入的内容不一致，或其前一行已丢失"
    );
    Problem::new("changed_outside", path, text)
        .at_line(line)
        .hint(from_a_copy())
}

/// Whether every file of the program that is there is as the log says: then the log lacks nothing.
fn agree(reader: &dyn BookReader, records: &Records) -> bool {
    let is_as_told = |path: &RelPath, expected: &Expected| match reader.read(path) {
        Ok(None) => true,
        Ok(Some(content)) => expected.is(Some(&content)),
        Err(_) => false,
    };
    let mut told = records
        .iter()
        .filter(|(path, _)| is_programs(path) && !path.is_under(&layout::staging_dir()));
    told.all(|(path, expected)| is_as_told(path, expected))
        && unrecorded(reader, records)
            .iter()
            .all(|path| !is_programs(path) || is_beside_the_log(path))
}

/// Files of the program that no operation records.
fn is_beside_the_log(path: &RelPath) -> bool {
    [layout::calls_dir(), layout::endpoints_dir()]
        .iter()
        .any(|directory| path.is_under(directory))
        || [
            layout::operations(),
            layout::older_operations(),
            layout::audit(),
        ]
        .contains(path)
}

/// Reports the files that are not as the log says, unless something else was said of them.
pub(super) fn compare(reader: &dyn BookReader, examination: &mut Examination) {
    let is_damaged = examination.known.is_damaged;
    let records = examination.known.records.clone();
    let mut differing: Vec<(&RelPath, &Expected, Option<Vec<u8>>)> = Vec::new();
    // What lies in a place where it does not belong, by its content.
    let mut elsewhere: BTreeMap<String, (RelPath, Vec<u8>)> = BTreeMap::new();
    for (path, expected) in records.iter() {
        // What cannot be read was reported with its encoding.
        let Ok(content) = reader.read(path) else {
            continue;
        };
        // Whoever works on a chapter adds to staging.
        let is_in_the_making =
            path.is_under(&layout::staging_dir()) && *expected == Expected::Absent;
        if is_in_the_making || expected.is(content.as_deref()) {
            continue;
        }
        if let Some(bytes) = &content {
            let fingerprint = Fingerprint::of(bytes).into();
            elsewhere.insert(fingerprint, (path.clone(), bytes.clone()));
        }
        differing.push((path, expected, content));
    }
    if differing.is_empty() {
        return;
    }
    for path in unrecorded(reader, &records) {
        if let Ok(Some(bytes)) = reader.read(&path) {
            let fingerprint = Fingerprint::of(&bytes).into();
            elsewhere.entry(fingerprint).or_insert((path, bytes));
        }
    }
    for (path, expected, content) in differing {
        let there = match expected {
            Expected::Whole(fingerprint) => elsewhere.get(&String::from(fingerprint.clone())),
            Expected::Absent | Expected::Grown { .. } => None,
        };
        let is_told = examination.tells_of(path);
        // A log that is damaged itself proves nothing.
        if let (Some((from, bytes)), false) = (there, is_damaged) {
            let text = message!(
                en: "its content is at `{from}`", zh: "其内容位于 `{from}`"
            );
            examination.forget(path);
            examination.repairable(
                Problem::new("misplaced", path, text),
                message!(en: "move the content back", zh: "把内容放回原处"),
                path.clone(),
                bytes.clone(),
            );
            continue;
        }
        if is_told {
            continue;
        }
        match content {
            None if *expected == Expected::Absent => {}
            None if path.is_under(&layout::staging_dir()) => examination.notes.push(taken(path)),
            None => examination.report(lost(path)),
            Some(_) if path.is_under(&layout::staging_dir()) => {
                examination.notes.push(edited(path));
            }
            Some(bytes) if bytes.trim_ascii().is_empty() => examination.report(emptied(path)),
            Some(_) if is_programs(path) => examination.report(changed(path)),
            Some(_) if examination.derived.contains(path) => {}
            Some(_) => examination.notes.push(edited(path)),
        }
    }
}

pub(super) fn lost(path: &RelPath) -> Problem {
    let text = message!(
        en: "the file is missing", zh: "缺少该文件"
    );
    Problem::new("missing", path, text).hint(from_a_copy())
}

pub(super) fn changed(path: &RelPath) -> Problem {
    let text = message!(
        en: "is not what `novel` last wrote (operations log)",
        zh: "与程序最后写入的内容不一致（操作日志）"
    );
    Problem::new("changed_outside", path, text).hint(from_a_copy())
}

fn emptied(path: &RelPath) -> Problem {
    let text = message!(
        en: "the file is empty, but the operations log recorded content",
        zh: "文件为空，而操作日志记载它有内容"
    );
    Problem::new("emptied", path, text).hint(from_a_copy())
}

/// The author may write it; whether they did only they know.
fn edited(path: &RelPath) -> Problem {
    let text = message!(
        en: "edited by hand since `novel` last wrote it",
        zh: "程序最后一次写入之后手动改过"
    );
    Problem::new("edited", path, text).hint(message!(
        en: "ignore this if the edit was yours; otherwise restore the file from a backup",
        zh: "若是你本人所改则无须处理；否则请用备份恢复"
    ))
}

/// The step that made it is done again.
fn taken(path: &RelPath) -> Problem {
    let text = message!(
        en: "removed since `novel` wrote it", zh: "程序写入之后不见了"
    );
    Problem::new("edited", path, text).hint(message!(
        en: "its step will run again; restore the file from a backup if you do not want that",
        zh: "产生它的步骤会重做；若非本意，请用备份恢复"
    ))
}

fn from_a_copy() -> Message {
    message!(
        en: "restore it from a backup or version control; its content cannot be derived from other files, so nothing was changed",
        zh: "请用备份或版本控制恢复；其他文件推不出它的内容，因此没有改动"
    )
}

/// Files of the project that no operation has written.
fn unrecorded(reader: &dyn BookReader, records: &Records) -> Vec<RelPath> {
    let mut found = Vec::new();
    for root in encoding::roots() {
        walk(reader, &root, &mut |path| {
            if records
                .get(path)
                .is_none_or(|expected| *expected == Expected::Absent)
            {
                found.push(path.clone());
            }
        });
    }
    found
}

/// Every file at or below a place.
fn walk(reader: &dyn BookReader, place: &RelPath, each: &mut dyn FnMut(&RelPath)) {
    match reader.exists(place) {
        Ok(true) => each(place),
        Err(ReadError::NotAFile { .. }) => {
            for name in reader.list(place).unwrap_or_default() {
                if let Ok(child) = place.join(&name) {
                    walk(reader, &child, each);
                }
            }
        }
        Ok(false) | Err(_) => {}
    }
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
                    en: "this is not the name of a chapter file", zh: "不是有效的章节文件名"
                ),
            };
            examination.report(Problem::new("stray", &path, text).hint(message!(
                en: "nothing reads this file; move it to where it belongs, or out of the project",
                zh: "没有任何命令读取它；请移走，或放到正确的位置"
            )));
        }
    }
}
