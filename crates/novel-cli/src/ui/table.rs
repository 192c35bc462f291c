//! Columns of text whose characters differ in width.

use unicode_width::UnicodeWidthStr;

/// Columns between two cells.
const GAP: usize = 2;

/// On which side the cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells as lines; every cell but the last of a row is filled up to its column's width.
pub(crate) fn align(rows: &[Vec<String>]) -> String {
    columns(rows, &[])
}

/// Where the second column of such rows begins.
pub(crate) fn offset(rows: &[Vec<String>]) -> usize {
    widths(rows, &[]).first().map_or(0, |width| width + GAP)
}

/// Rows of cells as lines, with a side for each column; a column without one stands left.
pub(crate) fn columns(rows: &[Vec<String>], sides: &[Side]) -> String {
    let widths = widths(rows, sides);
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let fill = widths[column].saturating_sub(cell.width());
            let fill = std::iter::repeat_n(' ', fill);
            let is_last = column + 1 == row.len();
            match side(sides, column) {
                Side::Right => {
                    text.extend(fill);
                    text.push_str(cell);
                }
                Side::Left => {
                    text.push_str(cell);
                    if !is_last {
                        text.extend(fill);
                    }
                }
            }
            if !is_last {
                text.extend(std::iter::repeat_n(' ', GAP));
            }
        }
        text.push('\n');
    }
    text
}

/// The last cell of a row that stands left makes no column wider: nothing follows it.
fn widths(rows: &[Vec<String>], sides: &[Side]) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let free = column + 1 == row.len() && side(sides, column) == Side::Left;
            let width = if free { 0 } else { cell.width() };
            match widths.get_mut(column) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    widths
}

fn side(sides: &[Side], column: usize) -> Side {
    sides.get(column).copied().unwrap_or(Side::Left)
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
