//! Headings that a model puts inside a chapter: `### 场景`, `#### 2. 聊天`, `**Scene 2**`.
//!
//! A heading marks where a scene begins, so a scene separator takes its place. A sentence under a mark of
//! Markdown is prose and keeps its words.

use crate::chapter::{SCENE_SEPARATOR, is_scene_separator};

/// Characters of a heading; a longer line is prose.
const LONGEST: usize = 30;

/// Words with which a heading in bold begins, without a mark of a heading.
const SCENE_WORDS: [&str; 6] = ["场景", "第一场", "第二场", "第三场", "scene ", "part "];

/// A text without headings of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unheaded {
    /// The text.
    pub text: String,
    /// The headings and fences that were taken off, as they stood there.
    pub taken: Vec<String>,
}

/// What a line is to the chapter around it.
enum Line<'a> {
    Prose(&'a str),
    Heading,
    /// A fence of Markdown: its lines are prose.
    Fence,
}

/// The body of a chapter, its own heading not included, with scene separators in the place of headings.
#[must_use]
pub fn without_inner_headings(body: &str) -> Unheaded {
    let mut lines: Vec<&str> = Vec::new();
    let mut taken = Vec::new();
    // A separator is due before the next prose, and only between prose and prose.
    let mut is_due = false;
    for line in body.lines() {
        match read(line) {
            Line::Fence => taken.push(line.trim().to_owned()),
            Line::Heading => {
                taken.push(line.trim().to_owned());
                is_due = true;
            }
            Line::Prose(prose) => {
                let is_text = !prose.trim().is_empty() && !is_scene_separator(prose);
                if is_due && is_text {
                    is_due = false;
                    while lines.last().is_some_and(|last| last.trim().is_empty()) {
                        lines.pop();
                    }
                    match lines.last() {
                        None => {}
                        Some(last) if is_scene_separator(last) => lines.push(""),
                        Some(_) => lines.extend(["", SCENE_SEPARATOR, ""]),
                    }
                }
                lines.push(prose);
            }
        }
    }
    let text = if taken.is_empty() && lines.iter().copied().eq(body.lines()) {
        body.to_owned()
    } else {
        lines.join("\n")
    };
    Unheaded { text, taken }
}

fn read(line: &str) -> Line<'_> {
    let trimmed = line.trim();
    if trimmed.starts_with("```") {
        return Line::Fence;
    }
    let bare = trimmed.trim_start_matches('#');
    let marks = trimmed.len() - bare.len();
    let bare = bare.trim_end_matches('#').trim();
    if (1..=6).contains(&marks) {
        return if is_short(bare) {
            Line::Heading
        } else {
            Line::Prose(bare)
        };
    }
    let inner = trimmed
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    let is_scene = inner.is_some_and(|inner| {
        let lower = inner.trim().to_lowercase();
        is_short(inner) && SCENE_WORDS.iter().any(|word| lower.starts_with(word))
    });
    if is_scene {
        Line::Heading
    } else {
        Line::Prose(line)
    }
}

/// Whether the words of a line are a heading and no sentence.
fn is_short(text: &str) -> bool {
    const ENDS: [char; 9] = ['。', '！', '？', '.', '!', '?', '…', '”', '"'];
    let words = text.trim_matches(|char: char| char.is_whitespace() || "*_".contains(char));
    words.chars().count() <= LONGEST && !words.ends_with(ENDS)
}

#[cfg(test)]
#[path = "inner_heading_tests.rs"]
mod tests;
