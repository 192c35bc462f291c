//! Lines that fit a terminal: broken between words, never inside one.

use std::os::fd::AsFd;

use rustix::termios::{isatty, tcgetwinsize};
use unicode_linebreak::linebreaks;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a stream that is a terminal.
pub(crate) fn columns(stream: impl AsFd) -> Option<usize> {
    let size = isatty(&stream).then(|| tcgetwinsize(&stream).ok())??;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// `text` with lines of at most `columns`; a line goes on `indent` columns further in than it begins. A
/// word that is longer than a line is left to the terminal.
pub(crate) fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    text.split_inclusive('\n')
        .map(|line| wrapped_line(line, columns, indent))
        .collect()
}

/// Help with lines of at most `columns`: the description of a command or an option goes on below its
/// beginning.
pub(crate) fn wrapped_help(text: &str, columns: usize) -> String {
    text.split_inclusive('\n')
        .map(|line| wrapped_line(line, columns, description_at(line)))
        .collect()
}

/// A text in one line of at most `columns`; what does not fit is left out behind a whole word.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if width(&line) <= columns {
        return line;
    }
    let fitting = wrapped(&line, columns.saturating_sub(1), 0);
    let first = fitting.lines().next().unwrap_or_default();
    format!("{}…", first.trim_end())
}

/// Prose that comes in pieces and is broken between words at the width of a terminal, paragraphs from
/// its left edge. What follows a word decides whether the line may end behind it, so the last word of a
/// piece waits for the next one.
#[derive(Debug)]
pub(crate) struct Flow {
    columns: usize,
    /// Columns of the line that are taken.
    used: usize,
    /// The word that waits.
    rest: String,
}

impl Flow {
    pub(crate) const fn new(columns: usize) -> Self {
        Self {
            columns,
            used: 0,
            rest: String::new(),
        }
    }

    /// What can be shown once `text` has come.
    pub(crate) fn push(&mut self, text: &str) -> String {
        self.rest.push_str(text);
        let rest = std::mem::take(&mut self.rest);
        let (mut shown, mut from) = (String::new(), 0);
        let breaks = linebreaks(&rest).filter(|(to, _)| *to < rest.len());
        for (to, _) in breaks.filter(|(to, _)| is_between_words(&rest, *to)) {
            self.put(&rest[from..to], &mut shown);
            from = to;
        }
        rest[from..].clone_into(&mut self.rest);
        shown
    }

    /// The word that waited for another one; the next text begins a line.
    pub(crate) fn end(&mut self) -> String {
        let (mut shown, rest) = (String::new(), std::mem::take(&mut self.rest));
        self.put(&rest, &mut shown);
        self.used = 0;
        shown
    }

    fn put(&mut self, piece: &str, shown: &mut String) {
        let taken = width(piece.trim_end_matches([' ', '\n']));
        if self.used > 0 && self.used + taken > self.columns {
            shown.push('\n');
            self.used = 0;
        }
        // A space at the edge would begin the next line.
        let is_full = self.used + taken == self.columns;
        let piece = if is_full {
            piece.trim_end_matches(' ')
        } else {
            piece
        };
        shown.push_str(piece);
        self.used = match piece.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.used + width(piece),
        };
    }
}

/// Where the second column of a line begins, counted from the first; zero where there is one column.
fn description_at(line: &str) -> usize {
    let line = line.trim_start_matches(' ');
    let Some(gap) = line.find("  ") else {
        return 0;
    };
    let description = line[gap..].trim_start_matches(' ');
    width(&line[..line.len() - description.len()])
}

fn wrapped_line(line: &str, columns: usize, indent: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let begins = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat((begins + indent).min(columns / 2));
    let (mut shown, mut used, mut from) = (String::new(), 0, 0);
    for (to, _) in linebreaks(line).filter(|(to, _)| is_between_words(line, *to)) {
        let piece = &line[from..to];
        let taken = width(piece.trim_end_matches([' ', '\n']));
        if used > indent.len() && used + taken > columns {
            shown.truncate(shown.trim_end_matches(' ').len());
            shown.push('\n');
            shown.push_str(&indent);
            used = indent.len();
        }
        shown.push_str(piece);
        used += width(piece.trim_end_matches('\n'));
        from = to;
    }
    shown
}

/// Whether a line may end here: after a space, or beside a character that is a word by itself. A command,
/// a path or a word with a hyphen stays whole.
fn is_between_words(line: &str, at: usize) -> bool {
    let (before, after) = (line[..at].chars().next_back(), line[at..].chars().next());
    let is_wide = |char: char| char.width() == Some(2);
    after.is_none_or(is_wide) || before.is_none_or(|char| char.is_whitespace() || is_wide(char))
}

/// Columns a text takes; styles take none.
fn width(text: &str) -> usize {
    let mut columns = 0;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        columns += before.width();
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    columns + rest.trim_end_matches('\n').width()
}

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
