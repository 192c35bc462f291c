//! A report as people read it, before anyone knows whether it goes to a terminal or into a file.

use novel_model::{Lang, Message};
use novel_text::{Canvas, Glyphs, Plot};

/// Columns of a plot in a Markdown file.
const MARKDOWN_COLUMNS: usize = 72;

/// One report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its heading.
    pub title: Message,
    /// Its content, in order.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A sentence.
    Text(Message),
    /// Points, one line each.
    List(Vec<Message>),
    /// Rows under headings.
    Table {
        /// The headings.
        head: Vec<Message>,
        /// The rows, as wide as the headings.
        rows: Vec<Vec<Message>>,
    },
    /// A plot with its caption.
    Plot {
        /// What it shows.
        caption: Message,
        /// The plot.
        plot: Plot,
    },
}

impl Page {
    pub(super) fn new(title: Message) -> Self {
        Self {
            title,
            parts: Vec::new(),
        }
    }

    pub(super) fn text(&mut self, text: Message) {
        self.parts.push(Part::Text(text));
    }

    /// Points; none give no part.
    pub(super) fn list(&mut self, points: Vec<Message>) {
        if !points.is_empty() {
            self.parts.push(Part::List(points));
        }
    }

    /// A table; one without rows gives no part.
    pub(super) fn table(&mut self, head: Vec<Message>, rows: Vec<Vec<Message>>) {
        if !rows.is_empty() {
            self.parts.push(Part::Table { head, rows });
        }
    }

    pub(super) fn plot(&mut self, caption: Message, plot: Plot) {
        self.parts.push(Part::Plot { caption, plot });
    }

    /// The page as Markdown with a second-level heading.
    #[must_use]
    pub fn markdown(&self, lang: Lang) -> String {
        let mut text = format!("## {}\n", self.title.get(lang));
        for part in &self.parts {
            text.push('\n');
            text.push_str(&part.markdown(lang));
        }
        text
    }
}

impl Part {
    fn markdown(&self, lang: Lang) -> String {
        match self {
            Self::Text(message) => format!("{}\n", message.get(lang)),
            Self::List(points) => points
                .iter()
                .map(|point| format!("- {}\n", one_line(point.get(lang))))
                .collect(),
            Self::Table { head, rows } => {
                let mut text = row(head, lang);
                text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
                text.extend(rows.iter().map(|cells| row(cells, lang)));
                text
            }
            Self::Plot { caption, plot } => {
                let canvas = Canvas {
                    width: MARKDOWN_COLUMNS,
                    glyphs: Glyphs::Unicode,
                };
                let lines = plot.draw(canvas).join("\n");
                format!("{}\n\n```\n{lines}\n```\n", caption.get(lang))
            }
        }
    }
}

/// Text of the book may hold anything; it must not begin a line of its own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Nor may it end a cell.
fn row(cells: &[Message], lang: Lang) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| one_line(cell.get(lang)).replace('|', "\\|"))
        .collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Numbers and ids are the same in every language.
pub(super) fn same(text: impl ToString) -> Message {
    Message::same(text.to_string())
}

/// Something nobody knows.
pub(super) fn unknown() -> Message {
    Message::same("-")
}

/// Chapter numbers, runs of neighbours drawn together: `1-3, 7`.
pub(super) fn ranges(chapters: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for chapter in chapters {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *chapter => *last = *chapter,
            _ => runs.push((*chapter, *chapter)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    texts.join(", ")
}
