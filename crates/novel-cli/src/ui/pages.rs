//! Pages of reports on a terminal.

use novel_app::library::report::{Page, Part};
use novel_model::{Lang, Message};

use crate::{
    ui::canvas::Screen,
    ui::table::{self, Side},
};

/// Pages one after another, an empty line between them.
pub(crate) fn render(pages: &[Page], lang: Lang, screen: Screen) -> String {
    let texts: Vec<String> = pages.iter().map(|page| one(page, lang, screen)).collect();
    texts.join("\n")
}

fn one(page: &Page, lang: Lang, screen: Screen) -> String {
    let mut text = format!("## {}\n", page.title.get(lang));
    for part in &page.parts {
        text.push('\n');
        match part {
            Part::Text(message) => text.push_str(&format!("{}\n", message.get(lang))),
            Part::List(points) => {
                for point in points {
                    text.push_str(&format!("- {}\n", point.get(lang)));
                }
            }
            Part::Table { head, rows } => text.push_str(&cells(head, rows, lang, screen.line)),
            Part::Plot { caption, plot } => {
                text.push_str(&format!("{}\n", caption.get(lang)));
                for line in plot.draw(screen.canvas) {
                    text.push_str(&line);
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// A table: numbers stand right, and texts give way where the line is too long.
fn cells(head: &[Message], rows: &[Vec<Message>], lang: Lang, line: Option<usize>) -> String {
    let flat = |cell: &Message| {
        let words: Vec<&str> = cell.get(lang).split_whitespace().collect();
        words.join(" ")
    };
    let texts = |row: &[Message]| -> Vec<String> { row.iter().map(flat).collect() };
    let mut lines = vec![texts(head)];
    lines.extend(rows.iter().map(|row| texts(row)));
    let is_number = |text: &String| text == "-" || text.starts_with(|c: char| c.is_ascii_digit());
    let sides: Vec<Side> = (0..head.len())
        .map(|column| {
            let last = column + 1 == head.len();
            let numbers = lines.iter().skip(1).all(|row| is_number(&row[column]));
            if numbers && !last {
                Side::Right
            } else {
                Side::Left
            }
        })
        .collect();
    table::fitted(&lines, &sides, line)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
