//! What standard output can show: how wide it is, and whether it knows block characters.

use std::{env, ffi::OsString, io};

use novel_app::library::report::{Canvas, Glyphs};

use super::wrap;

/// Columns when there is no terminal to ask.
const COLUMNS: usize = 80;

/// Standard output as a place to draw on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// For plots.
    pub(crate) canvas: Canvas,
    /// Columns a line should not exceed; none when it may, because nobody looks at it.
    pub(crate) line: Option<usize>,
}

/// Standard output as it is now.
pub(crate) fn screen() -> Screen {
    let columns = wrap::columns(io::stdout());
    Screen {
        canvas: Canvas {
            width: columns.unwrap_or(COLUMNS),
            glyphs: glyphs(|name| env::var_os(name)),
        },
        line: columns,
    }
}

/// The first of these that is set names the encoding; without any it is ASCII.
fn glyphs(variable: impl Fn(&str) -> Option<OsString>) -> Glyphs {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    let locale = locale.unwrap_or_default().to_string_lossy().to_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    }
}

#[cfg(test)]
#[path = "canvas_tests.rs"]
mod tests;
