//! Puts lines and headings together into a book.

use std::collections::BTreeSet;

use novel_model::{Warning, counted, message};
use novel_text::count_words;

use crate::{
    Imported, ImportedChapter, ImportedVolume, contents,
    error::ImportError,
    heading::Part,
    lines::{Line, trimmed},
    marks::{self, Hints, Mark},
    titles,
};

/// A text without any heading is a novel from this length on.
const LEAST_WORDS: usize = 300;
/// Of a hundred words of prose at least this many end a sentence; lists and tables have none.
const LEAST_SENTENCES_PER_HUNDRED: usize = 1;
/// What stands before the first heading is a note up to this length, and a chapter beyond it.
const LONGEST_FRONT: usize = 1000;
/// Lines at the top in which title and author are looked for.
const TOP_LINES: usize = 12;

/// The book these lines are.
pub(crate) fn assemble(
    name: &str,
    mut lines: Vec<Line>,
    hints: &Hints,
) -> Result<Imported, ImportError> {
    let controls = take_out_controls(name, &mut lines)?;
    let mut found = marks::find(&lines, hints);
    let idle = contents::settle(&lines, &mut found);
    let mut marks = found.marks;
    promote_volumes(&lines, &mut marks, &idle);
    let mut imported = Imported {
        title: hints.title.clone(),
        author: hints.author.clone(),
        warnings: (controls > 0)
            .then(|| controls_warning(controls))
            .into_iter()
            .collect(),
        ..Imported::default()
    };
    let first = marks.first().map_or(lines.len(), |mark| mark.line);
    let mut taken = idle;
    titles::settle(&lines, &mut marks, &mut taken);
    take_metadata(&lines[..first], found.title, &mut taken, &mut imported);
    let text = |from: usize, to: usize| body(&lines, from, to, &taken);
    let front = text(0, first);
    if marks.is_empty() {
        return whole(name, front, imported);
    }
    if count_words(&front) > LONGEST_FRONT {
        imported.warnings.push(front_warning());
        imported.chapters.push(ImportedChapter {
            volume: None,
            heading: String::new(),
            number: None,
            title: String::new(),
            text: front,
        });
    } else {
        imported.front = front;
    }
    let mut volume = None;
    // Text between the heading of a volume and its first chapter opens that chapter.
    let mut waiting = String::new();
    for (index, mark) in marks.iter().enumerate() {
        let end = marks.get(index + 1).map_or(lines.len(), |next| next.line);
        let from = if mark.is_text {
            mark.line
        } else {
            mark.line + 1
        };
        let words = text(from, end);
        if mark.part == Part::Volume {
            volume = Some(imported.volumes.len());
            imported.volumes.push(ImportedVolume {
                heading: mark.heading.clone(),
                title: mark.title.clone(),
            });
            waiting = joined(waiting, &words);
            continue;
        }
        if let Some((heading, title)) = &mark.volume
            && imported
                .volumes
                .last()
                .is_none_or(|open| open.heading != *heading)
        {
            volume = Some(imported.volumes.len());
            imported.volumes.push(ImportedVolume {
                heading: heading.clone(),
                title: title.clone(),
            });
        }
        imported.chapters.push(ImportedChapter {
            volume,
            heading: mark.heading.clone(),
            number: mark.number,
            title: mark.title.clone(),
            text: joined(std::mem::take(&mut waiting), &words),
        });
    }
    if let Some(last) = imported.chapters.last_mut() {
        last.text = joined(std::mem::take(&mut last.text), &waiting);
    }
    drop_empty_volumes(&mut imported);
    Ok(imported)
}

/// Takes control characters out, and counts them. A NUL is a sign that all of it is read wrongly.
fn take_out_controls(name: &str, lines: &mut [Line]) -> Result<usize, ImportError> {
    let is_control = |char: char| char.is_control() && char != '\t';
    let mut count = 0;
    for (at, line) in lines.iter_mut().enumerate() {
        if line.text.contains('\0') {
            let (name, line) = (name.to_owned(), at + 1);
            return Err(ImportError::Nul { name, line });
        }
        if line.text.contains(is_control) {
            count += line.text.matches(is_control).count();
            line.text.retain(|char| !is_control(char));
        }
    }
    Ok(count)
}

fn controls_warning(count: usize) -> Warning {
    let counted = counted(count, "control character");
    Warning::new(
        "control_characters",
        message!(
            en: "left out {counted}", zh: "略去了 {count} 个控制字符"
        ),
    )
}

/// A volume with text of its own and no chapter is a chapter.
fn promote_volumes(lines: &[Line], marks: &mut [Mark], idle: &BTreeSet<usize>) {
    for index in 0..marks.len() {
        let end = marks.get(index + 1).map_or(lines.len(), |next| next.line);
        let leads_on = marks
            .get(index + 1)
            .is_some_and(|next| next.part != Part::Volume);
        let mark = &mut marks[index];
        if mark.part == Part::Volume
            && !leads_on
            && !body(lines, mark.line + 1, end, idle).is_empty()
        {
            mark.part = Part::Chapter;
        }
    }
}

/// Without chapters under it, a volume is only a heading.
fn drop_empty_volumes(imported: &mut Imported) {
    let mut used: Vec<usize> = imported
        .chapters
        .iter()
        .filter_map(|chapter| chapter.volume)
        .collect();
    used.sort_unstable();
    used.dedup();
    for chapter in &mut imported.chapters {
        let volume = chapter.volume;
        chapter.volume = volume.and_then(|volume| used.binary_search(&volume).ok());
    }
    let mut at = 0;
    imported.volumes.retain(|_| {
        at += 1;
        used.binary_search(&(at - 1)).is_ok()
    });
}

/// Lines `from..to` but the taken ones, without blank lines around them.
fn body(lines: &[Line], from: usize, to: usize, taken: &BTreeSet<usize>) -> String {
    let lines = (from..to)
        .filter(|at| !taken.contains(at))
        .map(|at| lines[at].text.as_str());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim_end();
    let blank = text.len() - text.trim_start().len();
    let start = text[..blank].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..].to_owned()
}

fn joined(before: String, after: &str) -> String {
    match (before.is_empty(), after.is_empty()) {
        (true, _) => after.to_owned(),
        (false, true) => before,
        (false, false) => format!("{before}\n\n{after}"),
    }
}

/// A source without any heading: one chapter, if it is prose at all.
fn whole(name: &str, text: String, mut imported: Imported) -> Result<Imported, ImportError> {
    let words = count_words(&text);
    let sentences = text.matches(['。', '！', '？', '.', '!', '?', '…']).count();
    if words < LEAST_WORDS || sentences * 100 < words * LEAST_SENTENCES_PER_HUNDRED {
        return Err(ImportError::NotANovel {
            name: name.to_owned(),
            words,
        });
    }
    imported.warnings.push(Warning::new(
        "no_headings",
        message!(
            en: "no chapter heading was found: the whole text is one chapter",
            zh: "没有找到章节标题：全文作为一章"
        ),
    ));
    imported.chapters.push(ImportedChapter {
        volume: None,
        heading: String::new(),
        number: None,
        title: imported.title.clone().unwrap_or_default(),
        text,
    });
    Ok(imported)
}

fn front_warning() -> Warning {
    Warning::new(
        "front_matter",
        message!(
            en: "there is a long text before the first heading; it becomes a chapter of its own",
            zh: "第一个标题之前有较长的文字，单独成为一章"
        ),
    )
}

/// Title and author at the top of the source.
fn take_metadata(
    top: &[Line],
    marked_title: Option<usize>,
    taken: &mut BTreeSet<usize>,
    imported: &mut Imported,
) {
    let said: Vec<usize> = (0..top.len())
        .filter(|at| !top[*at].is_blank() && !taken.contains(at))
        .take(TOP_LINES)
        .collect();
    for at in &said {
        let words = top[*at].words();
        if let Some(author) = author_of(words) {
            imported.author.get_or_insert_with(|| author.to_owned());
        } else if let Some(title) = named_title(words) {
            imported.title.get_or_insert_with(|| title.to_owned());
        } else if marked_title == Some(*at) {
            imported.title.get_or_insert_with(|| words.to_owned());
        } else if said.first() == Some(at) && is_bare_title(top, *at) {
            imported.title.get_or_insert_with(|| words.to_owned());
        } else {
            continue;
        }
        taken.insert(*at);
        imported.metadata.push(top[*at].text.clone());
    }
}

/// `作者：林深`, `林深 著`, `by Lin Shen`, `Author: Lin Shen`.
fn author_of(words: &str) -> Option<&str> {
    const BEFORE: [&str; 7] = ["作者", "著者", "原著", "文/", "文／", "Author:", "by "];
    let colon = |rest: &str| rest.starts_with([':', '：', ' ', '\u{3000}', '/', '／']);
    for word in BEFORE {
        let whole = word.ends_with([':', ' ', '/', '／']);
        let Some(rest) = words
            .strip_prefix(word)
            .or_else(|| words.strip_prefix(&capital(word)))
        else {
            continue;
        };
        let name = trimmed(rest.trim_start_matches([':', '：', '/', '／']));
        if (whole || colon(rest)) && is_name(name) {
            return Some(name);
        }
    }
    let name = trimmed(words.strip_suffix('著')?);
    let spaced = words.strip_suffix('著')?.ends_with(char::is_whitespace);
    (spaced && is_name(name)).then_some(name)
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=40).contains(&length) && !name.contains(['。', '，', '！', '？'])
}

/// `书名：山海`, `《山海》`, `Title: The Sea`.
fn named_title(words: &str) -> Option<&str> {
    let named = ["书名", "書名", "Title"].iter().find_map(|word| {
        let rest = words.strip_prefix(word)?;
        rest.strip_prefix([':', '：']).map(trimmed)
    });
    let bracketed = words
        .strip_prefix('《')
        .and_then(|rest| rest.strip_suffix('》'))
        .filter(|title| !title.contains(['《', '》']));
    named.or(bracketed).filter(|title| is_name(title))
}

/// A short first line that is no sentence and stands off from what follows.
fn is_bare_title(top: &[Line], at: usize) -> bool {
    let words = top[at].words();
    let is_short = words.chars().count() <= 30;
    let ends = words.ends_with([
        '。', '！', '？', '…', '.', '!', '?', '，', ',', '：', ':', '”', '"',
    ]);
    let alone = top.get(at + 1).is_none_or(Line::is_blank)
        || top
            .get(at + 1)
            .is_some_and(|next| author_of(next.words()).is_some());
    // A dash or a star is an ornament.
    let has_letters = words.chars().any(char::is_alphanumeric);
    is_short && !ends && alone && has_letters && !words.contains(['，', '。'])
}

/// Several books as one.
pub(crate) fn join(parts: Vec<(&str, Imported)>) -> Imported {
    let several = parts.len() > 1;
    let mut book = Imported::default();
    for (name, part) in parts {
        book.title = book.title.or(part.title);
        book.author = book.author.or(part.author);
        book.metadata.extend(part.metadata);
        book.front = joined(book.front, &part.front);
        let base = book.volumes.len();
        book.volumes.extend(part.volumes);
        if book.encoding.is_empty() {
            book.encoding = part.encoding;
        }
        let single = several && part.chapters.len() == 1;
        for mut chapter in part.chapters {
            chapter.volume = chapter.volume.map(|volume| volume + base);
            // A file for each chapter, without headings: the file's name is the chapter's.
            if single && chapter.heading.is_empty() {
                chapter.title = stem(name).to_owned();
            }
            book.chapters.push(chapter);
        }
        for warning in part.warnings {
            if !book.warnings.contains(&warning) {
                book.warnings.push(warning);
            }
        }
    }
    book
}

fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
