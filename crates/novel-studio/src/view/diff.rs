//! Two texts, word by word: struck and underlined, unchanged paragraphs folded.

use maud::{Markup, html};
use novel_app::revise::revision::{Piece, PieceKind};
use novel_model::{Lang, message};

use super::prose::tag;

/// Unchanged paragraphs that stay beside a change.
const AROUND: usize = 1;

/// One paragraph of the joined text.
#[derive(Debug, Default, Clone)]
struct Paragraph {
    pieces: Vec<(PieceKind, String)>,
}

impl Paragraph {
    fn changed(&self) -> bool {
        self.pieces
            .iter()
            .any(|(kind, text)| *kind != PieceKind::Same && !text.trim().is_empty())
    }

    fn is_blank(&self) -> bool {
        self.pieces.iter().all(|(_, text)| text.trim().is_empty())
    }
}

fn paragraphs(pieces: &[Piece]) -> Vec<Paragraph> {
    let mut all = vec![Paragraph::default()];
    for piece in pieces {
        for (index, line) in piece.text.split('\n').enumerate() {
            if index > 0 {
                all.push(Paragraph::default());
            }
            if let Some(last) = all.last_mut()
                && !line.is_empty()
            {
                last.pieces.push((piece.kind, line.to_owned()));
            }
        }
    }
    all.retain(|paragraph| !paragraph.is_blank());
    all
}

/// So many paragraphs differ, in words.
pub(crate) fn changed_words(lang: Lang, count: usize) -> String {
    let text = match count {
        1 => message!(en: "1 paragraph changed", zh: "改动 1 段"),
        _ => message!(en: "{count} paragraphs changed", zh: "改动 {count} 段"),
    };
    text.get(lang).to_owned()
}

/// How many paragraphs differ.
pub(crate) fn paragraphs_changed(pieces: &[Piece]) -> usize {
    paragraphs(pieces)
        .iter()
        .filter(|paragraph| paragraph.changed())
        .count()
}

/// The difference, inline.
pub(crate) fn diff(ui: Lang, book: Lang, pieces: &[Piece]) -> Markup {
    let all = paragraphs(pieces);
    let near: Vec<bool> = (0..all.len())
        .map(|index| {
            let first = index.saturating_sub(AROUND);
            let last = (index + AROUND).min(all.len().saturating_sub(1));
            all[first..=last].iter().any(Paragraph::changed)
        })
        .collect();
    let mut folded = 0;
    let mut out = Vec::new();
    for (paragraph, near) in all.iter().zip(near) {
        if !near {
            folded += 1;
            continue;
        }
        if folded > 0 {
            out.push(fold(ui, folded));
            folded = 0;
        }
        out.push(html! {
            p class=[paragraph.changed().then_some("changed")] {
                @for (kind, text) in &paragraph.pieces {
                    @match kind {
                        PieceKind::Same => (text),
                        PieceKind::Gone => del { (text) },
                        PieceKind::New => ins { (text) },
                    }
                }
            }
        });
    }
    if folded > 0 {
        out.push(fold(ui, folded));
    }
    html! { div class="prose diff" lang=(tag(book)) { @for line in out { (line) } } }
}

fn fold(ui: Lang, count: usize) -> Markup {
    let text = match count {
        1 => message!(en: "1 paragraph unchanged", zh: "1 段未改"),
        _ => message!(en: "{count} paragraphs unchanged", zh: "{count} 段未改"),
    };
    html! { p class="fold" lang=(tag(ui)) { (text.get(ui)) } }
}

/// Texts side by side, for a save that met another one.
pub(crate) fn side_by_side(book: Lang, columns: &[(&str, &str)]) -> Markup {
    html! {
        div class="threeway" {
            @for (head, text) in columns {
                section {
                    h2 class="h-sec" { (head) }
                    div class="prose" lang=(tag(book)) role="group" aria-label=(head) tabindex="0" {
                        @for line in super::prose::paragraphs(text) { p { (line) } }
                    }
                }
            }
        }
    }
}
