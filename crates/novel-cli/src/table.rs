//! Columns of text whose characters differ in width.

use unicode_width::UnicodeWidthStr;

/// Columns between two cells.
const GAP: usize = 2;

/// Rows of cells as lines; every cell but the last of a row is filled up to its column's width.
pub(crate) fn align(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        let inner = row.len().saturating_sub(1);
        for (column, cell) in row.iter().take(inner).enumerate() {
            let width = cell.width();
            match widths.get_mut(column) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            text.push_str(cell);
            if column + 1 < row.len() {
                let fill = widths[column] + GAP - cell.width();
                text.extend(std::iter::repeat_n(' ', fill));
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
