//! Columns of text whose characters differ in width.

use unicode_width::UnicodeWidthStr;

use super::wrap;

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

/// Like [`columns`], in lines of at most `line` columns: the widest columns of texts give way, and their
/// cells go on below, broken between words. Without a limit every cell is one line.
pub(crate) fn fitted(rows: &[Vec<String>], sides: &[Side], line: Option<usize>) -> String {
    let Some(line) = line else {
        return columns(rows, sides);
    };
    let widths = fitted_widths(rows, sides, line);
    let mut lines = Vec::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<Vec<String>> = cells
            .map(|(column, (cell, width))| match side(sides, column) {
                Side::Left => wrap::wrapped(cell, *width, 0)
                    .lines()
                    .map(str::to_owned)
                    .collect(),
                Side::Right => vec![cell.clone()],
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
        for at in 0..height {
            let of = |cell: &Vec<String>| cell.get(at).cloned().unwrap_or_default();
            let mut parts: Vec<String> = cells.iter().map(of).collect();
            // What stands right of the last text of a line would be spaces.
            while parts.len() > 1 && parts.last().is_some_and(String::is_empty) {
                parts.pop();
            }
            lines.push(parts);
        }
    }
    columns(&lines, sides)
}

/// The width of each column so that a line fits, as far as no word is broken for it.
fn fitted_widths(rows: &[Vec<String>], sides: &[Side], line: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize, width: &dyn Fn(&String) -> usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(width).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..count)
        .map(|column| widest(column, &|cell| cell.width()))
        .collect();
    let longest_word = |cell: &String| {
        let words = wrap::wrapped(cell, 1, 0);
        words.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
    };
    let least: Vec<usize> = (0..count)
        .map(|column| match side(sides, column) {
            Side::Left => widest(column, &longest_word),
            Side::Right => widths[column],
        })
        .collect();
    while widths.iter().sum::<usize>() + GAP * count.saturating_sub(1) > line {
        let open = (0..count).filter(|column| widths[*column] > least[*column]);
        let Some(column) = open.max_by_key(|column| widths[*column]) else {
            break;
        };
        widths[column] -= 1;
    }
    widths
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
