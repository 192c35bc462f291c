//! A word diff of a chapter on a terminal: paragraphs that changed, with a little around them.
//!
//! What went stands in `[-` `-]` and what came in `{+` `+}`, red and green where there are colours.

use anstyle::{AnsiColor, Style};
use novel_app::revise::revision::{Piece, PieceKind};
use novel_model::{Lang, counted};

use crate::ui::printer::visible;

/// Paragraphs shown around a change.
const AROUND: usize = 1;

/// The changes of a text; empty when there are none.
pub(crate) fn render(pieces: &[Piece], lang: Lang) -> String {
    let lines = lines(pieces);
    let near = |at: usize| {
        let first = at.saturating_sub(AROUND);
        lines[first..lines.len().min(at + AROUND + 1)]
            .iter()
            .any(|line| line.changed)
    };
    let mut text = String::new();
    let mut skipped = 0;
    for (at, line) in lines.iter().enumerate() {
        if near(at) {
            text.push_str(&gap(skipped, lang));
            text.push_str(&line.text);
            text.push('\n');
            skipped = 0;
        } else {
            skipped += 1;
        }
    }
    if !text.is_empty() {
        text.push_str(&gap(skipped, lang));
    }
    text
}

/// A paragraph of either text.
struct Line {
    text: String,
    changed: bool,
}

fn lines(pieces: &[Piece]) -> Vec<Line> {
    let mut lines = vec![];
    let mut line = Line {
        text: String::new(),
        changed: false,
    };
    for piece in pieces {
        for (index, part) in piece.text.split('\n').enumerate() {
            if index > 0 {
                line.changed |= piece.kind != PieceKind::Same;
                lines.push(std::mem::replace(
                    &mut line,
                    Line {
                        text: String::new(),
                        changed: piece.kind != PieceKind::Same,
                    },
                ));
            }
            if part.is_empty() {
                continue;
            }
            line.changed |= piece.kind != PieceKind::Same;
            line.text.push_str(&mark(piece.kind, part));
        }
    }
    lines.push(line);
    // Empty lines between paragraphs say nothing.
    lines.retain(|line| !line.text.is_empty());
    lines
}

fn mark(kind: PieceKind, text: &str) -> String {
    let text = visible(text);
    let style = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    match kind {
        PieceKind::Same => text.into_owned(),
        PieceKind::Gone => {
            let style = style(AnsiColor::Red).strikethrough();
            format!("{style}[-{text}-]{style:#}")
        }
        PieceKind::New => {
            let style = style(AnsiColor::Green);
            format!("{style}{{+{text}+}}{style:#}")
        }
    }
}

fn gap(skipped: usize, lang: Lang) -> String {
    let dim = Style::new().dimmed();
    match (skipped, lang) {
        (0, _) => String::new(),
        (_, Lang::Zh) => format!("{dim}⋯ {skipped} 段未改{dim:#}\n"),
        (_, Lang::En) => {
            format!(
                "{dim}⋯ {} unchanged{dim:#}\n",
                counted(skipped, "paragraph")
            )
        }
    }
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
