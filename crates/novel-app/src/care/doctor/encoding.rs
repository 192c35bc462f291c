//! Text files that are not UTF-8 with LF line ends.

use novel_model::{BookReader, Explain, Problem, ReadError, RelPath, decode, message};

use super::{Examination, records};

/// Top-level files and directories of a project that hold text.
const TEXT_ROOTS: [&str; 25] = [
    ".checkpoint.json",
    ".gitignore",
    "novel.toml",
    "brief.md",
    "style-profile.json",
    "style-drift.json",
    "ai-blacklist.json",
    "style-guide.md",
    "quality-rubric.md",
    "writing-methodology.md",
    "research",
    "world",
    "characters",
    "storylines",
    "volumes",
    "chapters",
    "summaries",
    "evaluations",
    "foreshadowing",
    "staging",
    "state",
    "reviews",
    "logs",
    "agents",
    "samples",
];

/// The places of the project, those of the store left out.
pub(super) fn roots() -> impl Iterator<Item = RelPath> {
    TEXT_ROOTS.iter().filter_map(|root| root.parse().ok())
}

/// Reports every text file of the project that cannot be read, with a repair where one is safe.
pub(super) fn examine(reader: &dyn BookReader, examination: &mut Examination) {
    for path in roots() {
        visit(reader, &path, examination);
    }
}

fn visit(reader: &dyn BookReader, path: &RelPath, examination: &mut Examination) {
    match reader.read(path) {
        Ok(Some(bytes)) if is_text(path) => check(path, bytes, examination),
        Ok(_) => {}
        // A directory with the name of a file is in the way of that file.
        Err(error @ ReadError::NotAFile { .. }) if is_text(path) => {
            examination.report(problem_of(&error));
        }
        Err(ReadError::NotAFile { .. }) => match reader.list(path) {
            Ok(names) => {
                for name in names {
                    if let Ok(child) = path.join(&name) {
                        visit(reader, &child, examination);
                    }
                }
            }
            Err(error) => examination.report(problem_of(&error)),
        },
        Err(error) => examination.report(problem_of(&error)),
    }
}

fn is_text(path: &RelPath) -> bool {
    [".json", ".jsonl", ".md", ".toml", ".txt"]
        .iter()
        .any(|end| path.as_str().ends_with(end))
}

fn problem_of(error: &ReadError) -> Problem {
    Problem {
        hint: error.hint(),
        ..Problem::new("unreadable", error.path(), error.message())
    }
}

fn check(path: &RelPath, bytes: Vec<u8>, examination: &mut Examination) {
    let Err(error) = decode(path, bytes.clone()) else {
        return;
    };
    match repaired(&bytes) {
        // An author's editor may have changed the text and its encoding, all of it.
        Some(text) if !records::is_programs(path) && is_whole(&bytes) => examination.repairable(
            problem_of(&error),
            message!(en: "rewrite it as UTF-8 with LF line ends", zh: "改写为 LF 换行的 UTF-8"),
            path.clone(),
            text,
        ),
        Some(text) => examination.proven(
            problem_of(&error),
            message!(en: "rewrite it as UTF-8 with LF line ends", zh: "改写为 LF 换行的 UTF-8"),
            path.clone(),
            text,
        ),
        None => examination.report(problem_of(&error)),
    }
}

/// The bytes as clean text, if they can be read without any replacement character.
fn repaired(bytes: &[u8]) -> Option<String> {
    let (text, _, faulty) = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes),
        None if std::str::from_utf8(bytes).is_ok() => encoding_rs::UTF_8.decode(bytes),
        None if is_damaged_utf8(bytes) => return None,
        None => encoding_rs::GB18030.decode(bytes),
    };
    (!faulty).then(|| text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Whether a text has other line ends or another encoding throughout. One carriage return in the midst
/// of other line ends is damage, and what stood in its place is not known.
fn is_whole(bytes: &[u8]) -> bool {
    let has_mark = encoding_rs::Encoding::for_bom(bytes).is_some();
    if has_mark || std::str::from_utf8(bytes).is_err() {
        return true;
    }
    let count = |end: &[u8]| bytes.windows(end.len()).filter(|part| *part == end).count();
    let (both, returns, feeds) = (count(b"\r\n"), count(b"\r"), count(b"\n"));
    returns > 0 && (returns, both) == (both, feeds) || feeds == 0 && returns > 1
}

/// A few places of UTF-8 that are no UTF-8 are damage, and GBK only by chance.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let bad = text.matches(char::REPLACEMENT_CHARACTER).count();
    let wide = text.chars().filter(|char| !char.is_ascii()).count();
    bad < 8 || bad * 10 < wide
}
