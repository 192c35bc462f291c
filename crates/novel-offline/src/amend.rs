//! Repairs a committed chapter where a note quotes the faulty sentence: the sentence goes, and with
//! it what would no longer make sense. A note that quotes nothing of the chapter is left undone, so
//! that a chapter no note could be applied to comes back as it was.

use novel_book::manuscript::chapter_of;
use novel_model::{Lang, files::GeneratedChapter, to_json_text};
use novel_text::sentences;
use serde_json::Value;

use crate::{OfflineError, plan::Task};

/// Quotation marks, opening and closing.
const MARKS: [(char, char); 3] = [('「', '」'), ('『', '』'), ('“', '”')];

pub(crate) fn amend(task: Task<'_>) -> Result<String, OfflineError> {
    let inline = &task.packet.manifest.inline;
    let chapter = inline.get("chapter_content").cloned().unwrap_or_default();
    let chapter: GeneratedChapter =
        serde_json::from_value(chapter).map_err(|_| OfflineError::PacketField {
            field: "chapter_content",
        })?;
    let notes = inline.get("revision_notes").and_then(Value::as_str);
    let notes = notes.ok_or(OfflineError::PacketField {
        field: "revision_notes",
    })?;
    let mut scenes: Vec<String> = chapter
        .scenes
        .iter()
        .map(|scene| scene.content.clone())
        .collect();
    for quotation in entries(notes).iter().filter_map(|note| quoted(note)) {
        for scene in &mut scenes {
            take_out(scene, quotation, task.lang());
        }
    }
    let amended = chapter_of(chapter.chapter_number, &chapter.chapter_title, &scenes);
    Ok(to_json_text(&amended))
}

/// The entries of the list; text before the first is one too.
fn entries(notes: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in notes.lines() {
        match (line.strip_prefix("- "), entries.last_mut()) {
            (None, Some(entry)) => {
                entry.push('\n');
                entry.push_str(line.trim_start());
            }
            (start, _) => entries.push(start.unwrap_or(line).to_owned()),
        }
    }
    entries
}

/// What a note quotes: from the first opening mark to the last closing one, for a sentence of a
/// chapter may hold marks itself. Brackets quote sentences, inner marks names and things.
fn quoted(note: &str) -> Option<&str> {
    MARKS.into_iter().find_map(|(open, close)| {
        let start = note.find(open)? + open.len_utf8();
        let end = note.rfind(close)?;
        let quotation = note.get(start..end)?.trim();
        (quotation.chars().count() > 1).then_some(quotation)
    })
}

/// Takes every sentence out that holds a part of the quotation.
fn take_out(scene: &mut String, quotation: &str, lang: Lang) {
    if !scene.contains(quotation) {
        return;
    }
    let lines: Vec<String> = scene
        .split('\n')
        .filter_map(|line| match line.find(quotation) {
            None => Some(line.to_owned()),
            Some(_) => without(line, quotation),
        })
        .collect();
    let text = squeeze_blank_lines(&lines);
    *scene = if text.trim().is_empty() {
        silence(lang).to_owned()
    } else {
        text
    };
}

/// The paragraph without the sentences of the quotation; `None` when nothing sensible is left.
fn without(line: &str, quotation: &str) -> Option<String> {
    let mut kept = String::new();
    let mut end = 0;
    let faulty: Vec<(usize, usize)> = line
        .match_indices(quotation)
        .map(|(at, found)| (at, at + found.len()))
        .collect();
    for sentence in sentences(line) {
        let at = end + line[end..].find(sentence)?;
        let space = &line[end..at];
        end = at + sentence.len();
        let is_faulty = faulty.iter().any(|(from, to)| at < *to && *from < end);
        if !is_faulty {
            kept.push_str(space);
            kept.push_str(sentence);
        }
    }
    let kept = kept.trim_end();
    (!kept.trim().is_empty() && is_balanced(kept)).then(|| kept.to_owned())
}

/// Whether every quotation that is opened is closed: half a speech is none.
fn is_balanced(line: &str) -> bool {
    let count = |mark: char| line.chars().filter(|char| *char == mark).count();
    let pairs = MARKS
        .iter()
        .all(|(open, close)| count(*open) == count(*close));
    pairs && count('"').is_multiple_of(2)
}

fn squeeze_blank_lines(lines: &[String]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        let is_blank = line.trim().is_empty();
        let after_blank = kept.last().is_none_or(|last| last.trim().is_empty());
        if !(is_blank && after_blank) {
            kept.push(line);
        }
    }
    kept.join("\n").trim_end().to_owned()
}

/// Stands where a scene had nothing but the fault: a scene is never empty.
const fn silence(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "有一阵子，谁也没有说话。",
        Lang::En => "For a while nobody spoke.",
    }
}

#[cfg(test)]
#[path = "amend_tests.rs"]
mod tests;
