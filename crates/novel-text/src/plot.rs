//! Small plots made of characters, for a screen or a Markdown file.

/// A chapter and its value, where it has one.
type Point = (u32, Option<f64>);

/// Rows of a plot of values.
const HEIGHT: usize = 5;
/// Columns a plot never exceeds, however wide the terminal is.
const MOST_COLUMNS: usize = 100;
/// Columns of one chapter where there is room for all of them.
const WIDEST: usize = 3;
/// Columns below which a plot says nothing.
const FEWEST_COLUMNS: usize = 8;

/// Which characters can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyphs {
    /// Block elements.
    Unicode,
    /// ASCII only.
    Ascii,
}

impl Glyphs {
    /// From empty to full.
    const fn levels(self) -> &'static [char] {
        match self {
            Self::Unicode => &[' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
            Self::Ascii => &[' ', '.', ':', '#'],
        }
    }

    const fn axis(self) -> (char, char, char) {
        match self {
            Self::Unicode => ('│', '└', '─'),
            Self::Ascii => ('|', '+', '-'),
        }
    }

    const fn on_stage(self) -> (char, char) {
        match self {
            Self::Unicode => ('█', '·'),
            Self::Ascii => ('#', '.'),
        }
    }
}

/// Where a plot is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    /// Columns there are.
    pub width: usize,
    /// Which characters.
    pub glyphs: Glyphs,
}

/// Something to draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// One value for each chapter.
    Values {
        /// The values.
        points: Vec<Point>,
        /// Bottom and top of the axis; from the values where there is none.
        axis: Option<(f64, f64)>,
        /// Digits after the point.
        digits: usize,
    },
    /// For each line the chapters it is on stage.
    Rhythm {
        /// First and last chapter.
        first: u32,
        /// Last chapter.
        last: u32,
        /// Name and chapters of each line.
        rows: Vec<(String, Vec<u32>)>,
    },
}

impl Plot {
    /// The plot, one line each; nothing where there is nothing to draw.
    #[must_use]
    pub fn draw(&self, canvas: Canvas) -> Vec<String> {
        match self {
            Self::Values {
                points,
                axis,
                digits,
            } => values(points, *axis, *digits, canvas),
            Self::Rhythm { first, last, rows } => rhythm(*first, *last, rows, canvas),
        }
    }
}

fn values(
    points: &[Point],
    axis: Option<(f64, f64)>,
    digits: usize,
    canvas: Canvas,
) -> Vec<String> {
    let known: Vec<f64> = points.iter().filter_map(|(_, value)| *value).collect();
    let (Some(found), Some(first), Some(last)) = (bounds(&known), points.first(), points.last())
    else {
        return Vec::new();
    };
    let (low, high) = axis.unwrap_or_else(|| with_room(found));
    let labels = [format!("{high:.digits$}"), format!("{low:.digits$}")];
    let margin = labels.iter().map(String::len).max().unwrap_or_default();
    let room = room(canvas, margin + 2);
    let columns = binned(points, room);
    let step = step(columns.len(), room);
    let steps = canvas.glyphs.levels().len() - 1;
    let (side, corner, floor) = canvas.glyphs.axis();
    // At least the smallest mark: a value at the bottom is not a chapter without one.
    let heights: Vec<Option<usize>> = columns
        .iter()
        .map(|value| value.map(|value| level(value, low, high, HEIGHT * steps).max(1)))
        .collect();
    let mut lines = Vec::with_capacity(HEIGHT + 2);
    for row in (0..HEIGHT).rev() {
        let label = match row {
            0 => labels[1].as_str(),
            top if top == HEIGHT - 1 => labels[0].as_str(),
            _ => "",
        };
        let cells: String = heights
            .iter()
            .map(|height| {
                let filled = height.unwrap_or_default().saturating_sub(row * steps);
                wide(canvas.glyphs.levels()[filled.min(steps)], step)
            })
            .collect();
        let line = format!("{label:>margin$} {side}{cells}");
        lines.push(line.trim_end().to_owned());
    }
    let drawn = drawn(columns.len(), step);
    let rule: String = std::iter::repeat_n(floor, drawn).collect();
    lines.push(format!("{:>margin$} {corner}{rule}", ""));
    lines.push(numbers(margin + 2, drawn, first.0, last.0));
    lines
}

fn rhythm(first: u32, last: u32, rows: &[(String, Vec<u32>)], canvas: Canvas) -> Vec<String> {
    let names = rows.iter().map(|(name, _)| name.len());
    let Some(margin) = names.max().filter(|_| first <= last) else {
        return Vec::new();
    };
    let count = (last - first + 1) as usize;
    let room = room(canvas, margin + 1);
    let columns = count.min(room);
    let step = step(columns, room);
    let (on, off) = canvas.glyphs.on_stage();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|(name, chapters)| {
            let mut cells = vec![off; columns];
            for chapter in chapters.iter().filter(|c| (first..=last).contains(c)) {
                cells[(chapter - first) as usize * columns / count] = on;
            }
            let cells: String = cells.into_iter().map(|cell| wide(cell, step)).collect();
            let line = format!("{name:<margin$} {cells}");
            line.trim_end().to_owned()
        })
        .collect();
    lines.push(numbers(margin + 1, drawn(columns, step), first, last));
    lines
}

/// Columns of one chapter: a few chapters are drawn wider, with a gap between them.
fn step(columns: usize, room: usize) -> usize {
    (room / columns.max(1)).clamp(1, WIDEST)
}

/// Columns that many chapters take, without the gap after the last.
fn drawn(columns: usize, step: usize) -> usize {
    columns * step - usize::from(step == WIDEST && columns > 0)
}

fn wide(cell: char, step: usize) -> String {
    let filled = if step == WIDEST { step - 1 } else { step };
    let mut text: String = std::iter::repeat_n(cell, filled).collect();
    text.extend(std::iter::repeat_n(' ', step - filled));
    text
}

/// First and last chapter under the ends of the axis.
fn numbers(margin: usize, columns: usize, first: u32, last: u32) -> String {
    let (first, last) = (first.to_string(), last.to_string());
    let line = if first == last || first.len() + last.len() >= columns {
        format!("{:margin$}{first}-{last}", "")
    } else {
        let between = columns - first.len();
        format!("{:margin$}{first}{last:>between$}", "")
    };
    line.trim_end().to_owned()
}

fn room(canvas: Canvas, margin: usize) -> usize {
    let free = canvas.width.saturating_sub(margin);
    free.clamp(FEWEST_COLUMNS, MOST_COLUMNS)
}

/// One value for each column: several chapters share one where there are more of them than columns.
fn binned(points: &[Point], columns: usize) -> Vec<Option<f64>> {
    let columns = columns.min(points.len());
    (0..columns)
        .map(|column| {
            let from = column * points.len() / columns;
            let to = (column + 1) * points.len() / columns;
            let known: Vec<f64> = points[from..to]
                .iter()
                .filter_map(|(_, value)| *value)
                .collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        })
        .collect()
}

fn bounds(values: &[f64]) -> Option<(f64, f64)> {
    let first = *values.first()?;
    Some(values.iter().fold((first, first), |(low, high), value| {
        (low.min(*value), high.max(*value))
    }))
}

/// An axis from zero says more about lengths than one that makes a hill of every difference.
fn with_room((low, high): (f64, f64)) -> (f64, f64) {
    if low >= 0.0 {
        (0.0, if high > 0.0 { high } else { 1.0 })
    } else {
        (low, high)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between zero and a handful of levels"
)]
fn level(value: f64, low: f64, high: f64, most: usize) -> usize {
    if high <= low {
        return most;
    }
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    (share * most as f64).round() as usize
}

#[cfg(test)]
#[path = "plot_tests.rs"]
mod tests;
