//! Chapters as Markdown: heading, scenes, separators.
//!
//! Laws (property-tested): reading what was rendered gives the same title,
//! number and scenes; rendering what was read is a fixed point; no character
//! of the prose other than white space at scene ends is lost.

use novel_model::{ChapterNo, Lang};

use crate::{
    heading::{self, Heading},
    normalize_newlines, unix_lines,
};

/// The line written between two scenes.
pub const SCENE_SEPARATOR: &str = "* * *";

/// A chapter read from Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedChapter {
    /// The first level-one heading, if there is one.
    pub heading: Option<Heading>,
    /// The scenes in order; each satisfies [`is_scene_content`].
    pub scenes: Vec<String>,
}

impl ParsedChapter {
    /// The chapter number in the heading.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        self.heading.as_ref().and_then(|heading| heading.number)
    }

    /// The title; empty when the heading has none or is missing.
    #[must_use]
    pub fn title(&self) -> &str {
        self.heading.as_ref().map_or("", |heading| &heading.title)
    }
}

/// Reads a chapter. Any text is a chapter; what is missing is `None` or empty.
///
/// Text before the heading is prose and opens the first scene.
#[must_use]
pub fn parse_chapter(markdown: &str) -> ParsedChapter {
    let text = normalize_newlines(markdown);
    let mut heading = None;
    let mut scenes = Vec::new();
    let mut scene: Vec<&str> = Vec::new();
    for line in text.split('\n') {
        if heading.is_none() {
            heading = heading::parse(line);
            if heading.is_some() {
                // An empty line keeps the paragraphs before and after the heading apart.
                scene.push("");
                continue;
            }
        }
        if is_scene_separator(line) {
            scenes.push(trim_scene(&scene.join("\n")).to_owned());
            scene.clear();
        } else {
            scene.push(line);
        }
    }
    scenes.push(trim_scene(&scene.join("\n")).to_owned());
    scenes.retain(|scene| !scene.is_empty());
    ParsedChapter { heading, scenes }
}

/// Writes a chapter. Scenes are normalised, empty ones left out.
#[must_use]
pub fn render_chapter(number: ChapterNo, title: &str, scenes: &[String], lang: Lang) -> String {
    let mut text = heading::render(number, title, lang);
    let mut between = "\n\n".to_owned();
    for scene in scenes {
        let scene = normalize_scene(scene);
        if scene.is_empty() {
            continue;
        }
        text.push_str(&between);
        text.push_str(&scene);
        between = format!("\n\n{SCENE_SEPARATOR}\n\n");
    }
    text.push('\n');
    text
}

/// True for a line that separates scenes: three or more of one of `*-_◇※`, spaces allowed.
#[must_use]
pub fn is_scene_separator(line: &str) -> bool {
    let mut marks = line.chars().filter(|char| !char.is_whitespace());
    let Some(first) = marks.next().filter(|char| "*-_◇※".contains(*char)) else {
        return false;
    };
    let mut count = 1;
    marks.all(|mark| {
        count += 1;
        mark == first
    }) && count >= 3
        && !line.contains(['\n', '\r'])
}

/// The scene as a file holds it: LF line ends, no blank lines around it, no white space at its end.
///
/// The indentation of the first line stays.
#[must_use]
pub fn normalize_scene(scene: &str) -> String {
    trim_scene(&unix_lines(scene)).to_owned()
}

/// True when the text can be one scene: normal, not empty, without a separator line.
#[must_use]
pub fn is_scene_content(scene: &str) -> bool {
    !scene.is_empty()
        && !scene.contains('\r')
        && trim_scene(scene) == scene
        && !scene.split('\n').any(is_scene_separator)
}

fn trim_scene(scene: &str) -> &str {
    let scene = scene.trim_end();
    let blank = scene.len() - scene.trim_start().len();
    let start = scene[..blank].rfind('\n').map_or(0, |newline| newline + 1);
    &scene[start..]
}

#[cfg(test)]
#[path = "chapter_tests.rs"]
mod tests;
