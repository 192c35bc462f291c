//! Columns of text whose characters differ in width.

use unicode_width::UnicodeWidthStr;

use super::wrap;

/// Columns between two cells.
const GAP: usize = 2;

/// Columns a text needs to be read beside others.
const READABLE: usize = 16;

/// Columns up to which a text is not broken at all.
const SHORT: usize = 6;

/// Before a cell that stands below its row.
const BELOW: &str = "    ";

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
/// cells go on below, broken between words. A last column of texts for which too little is left gets a
/// line of its own below its row. Without a limit every cell is one line.
pub(crate) fn fitted(rows: &[Vec<String>], sides: &[Side], line: Option<usize>) -> String {
    let Some(line) = line else {
        return columns(rows, sides);
    };
    let mut widths = fitted_widths(rows, sides, line);
    let is_below = last_is_cramped(rows, sides, &widths, line);
    let beside: Vec<Vec<String>>;
    let cells_of = if is_below {
        beside = rows
            .iter()
            .map(|row| row[..row.len().min(widths.len() - 1)].to_vec())
            .collect();
        widths = fitted_widths(&beside, sides, line);
        &beside
    } else {
        rows
    };
    let is_above = first_is_too_wide(cells_of, sides, &widths, line);
    let mut lines = Vec::new();
    for (row, whole) in cells_of.iter().zip(rows) {
        let mut row = row.clone();
        if is_above && row.len() > 1 {
            let name = wrap::wrapped(&std::mem::take(&mut row[0]), line, 0);
            lines.extend(name.lines().map(|part| vec![part.to_owned()]));
        }
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
        if let Some(last) = whole.get(row.len()) {
            let text = wrap::wrapped(last, line.saturating_sub(BELOW.len()), 0);
            lines.extend(text.lines().map(|part| vec![format!("{BELOW}{part}")]));
        }
    }
    columns(&lines, sides)
}

/// Whether a first column of texts does not fit beside the others, so that it gets a line of its own
/// above its row.
fn first_is_too_wide(rows: &[Vec<String>], sides: &[Side], widths: &[usize], line: usize) -> bool {
    let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let is_list = rows.iter().any(|row| row.len() > 1);
    is_list && side(sides, 0) == Side::Left && total > line
}

/// Whether the last column holds texts of some length and has no room to read them.
fn last_is_cramped(rows: &[Vec<String>], sides: &[Side], widths: &[usize], line: usize) -> bool {
    let Some((last, before)) = widths.split_last().filter(|(_, before)| !before.is_empty()) else {
        return false;
    };
    let cells = rows.iter().filter_map(|row| row.get(before.len()));
    let own = cells.map(|cell| cell.width()).max().unwrap_or(0);
    let total = widths.iter().sum::<usize>() + GAP * before.len();
    side(sides, before.len()) == Side::Left && own >= READABLE && (total > line || *last < READABLE)
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
            Side::Left => widest(column, &longest_word).max(widths[column].min(SHORT)),
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
