//! Prose: escaped text in paragraphs, nothing else.

use maud::{Markup, html};
use novel_model::{Lang, files::GeneratedChapter};

/// The language of a text, for the browser.
pub(crate) const fn tag(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    }
}

/// A chapter: scenes parted by a line.
pub(crate) fn scenes(
    lang: Lang,
    chapter: &GeneratedChapter,
    mut note: impl FnMut(u32, &str) -> Option<Markup>,
) -> Markup {
    html! {
        div class="prose" lang=(tag(lang)) {
            @for (index, scene) in chapter.scenes.iter().enumerate() {
                @if index > 0 { hr; }
                @for paragraph in paragraphs(&scene.content) {
                    @match note(scene.scene_number, paragraph) {
                        Some(note) => div class="noted" { (note) p { (paragraph) } },
                        None => p { (paragraph) },
                    }
                }
            }
        }
    }
}

pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A quotation with a place in it marked.
pub(crate) fn marked(text: &str, focus: Option<&str>) -> Markup {
    let found = focus
        .filter(|focus| !focus.is_empty())
        .and_then(|focus| text.split_once(focus).map(|parts| (parts, focus)));
    match found {
        Some(((before, after), focus)) => {
            html! { (before) mark class="hit" { (focus) } (after) }
        }
        None => html! { (text) },
    }
}

/// As much of a text as fits into a width; a Chinese character is as wide as two others.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let mut used = 0;
    let mut short = String::new();
    for c in text.chars() {
        used += if c > '\u{2e80}' { 2 } else { 1 };
        if used > width {
            short.push('…');
            break;
        }
        short.push(c);
    }
    short
}

/// The first characters of a text.
pub(crate) fn excerpt(text: &str, length: usize) -> String {
    let mut short: String = text.chars().take(length).collect();
    if short.chars().count() < text.chars().count() {
        short.push('…');
    }
    short
}
