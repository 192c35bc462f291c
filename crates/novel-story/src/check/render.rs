//! A finding as a compiler prints one: header, place, the line with carets, the other side, help.

use std::ops::Range;

use novel_model::{Lang, files::Severity};

use super::finding::{Finding, Side};

/// Columns of quoted text before it is clipped around its focus.
const MAX_COLUMNS: usize = 72;
/// Columns kept before the focus of a clipped line.
const LEAD: usize = 16;

/// Whether the text carries colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// None.
    Plain,
    /// ANSI colours.
    Ansi,
}

#[derive(Clone, Copy)]
enum Paint {
    Error,
    Warning,
    Note,
    Frame,
    Bold,
}

impl Style {
    fn paint(self, paint: Paint, text: &str) -> String {
        let code = match (self, paint) {
            (Self::Plain, _) => return text.to_owned(),
            (Self::Ansi, Paint::Error) => "1;31",
            (Self::Ansi, Paint::Warning) => "1;33",
            (Self::Ansi, Paint::Note) => "1;36",
            (Self::Ansi, Paint::Frame) => "1;34",
            (Self::Ansi, Paint::Bold) => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The finding for a terminal, without a newline at the end.
#[must_use]
pub fn render_text(finding: &Finding, lang: Lang, style: Style) -> String {
    let (word, paint) = match (finding.severity, lang) {
        (Severity::High, Lang::Zh) => ("错误", Paint::Error),
        (Severity::High, Lang::En) => ("error", Paint::Error),
        (Severity::Medium, Lang::Zh) => ("警告", Paint::Warning),
        (Severity::Medium, Lang::En) => ("warning", Paint::Warning),
        (Severity::Low, Lang::Zh) => ("提示", Paint::Note),
        (Severity::Low, Lang::En) => ("note", Paint::Note),
    };
    let header = style.paint(paint, &format!("{word}[{}]", finding.code));
    let message = style.paint(Paint::Bold, finding.message.get(lang));
    let colon = match lang {
        Lang::Zh => "：",
        Lang::En => ": ",
    };
    let mut lines = vec![format!("{header}{colon}{message}")];
    side(&mut lines, &finding.place, paint, lang, style);
    let against = match lang {
        Lang::Zh => "对照",
        Lang::En => "note",
    };
    lines.push(format!(
        "{} {}",
        style.paint(Paint::Frame, "  ="),
        style
            .paint(Paint::Note, &format!("{against}{colon}"))
            .trim_end()
    ));
    side(&mut lines, &finding.other_side, Paint::Note, lang, style);
    if let Some(fix) = &finding.fix_instructions {
        let help = match lang {
            Lang::Zh => "建议",
            Lang::En => "help",
        };
        lines.push(format!(
            "{} {}{fix}",
            style.paint(Paint::Frame, "  ="),
            style.paint(Paint::Note, &format!("{help}{colon}"))
        ));
    }
    let mark = match lang {
        Lang::Zh => "指纹",
        Lang::En => "fingerprint",
    };
    lines.push(format!(
        "{} {mark}{colon}{}",
        style.paint(Paint::Frame, "  ="),
        finding.fingerprint
    ));
    lines.join("\n")
}

fn side(lines: &mut Vec<String>, side: &Side, paint: Paint, lang: Lang, style: Style) {
    let bar = style.paint(Paint::Frame, "   |");
    let whole = 0..side.quotation.len();
    let focus = side.focus.clone().unwrap_or(whole);
    let (shown, before, carets) = clip(&side.quotation, focus);
    lines.push(format!(
        "{} {}",
        style.paint(Paint::Frame, "  -->"),
        side.location(lang)
    ));
    lines.push(format!("{bar} {shown}"));
    let underline = style.paint(paint, &"^".repeat(carets.max(1)));
    lines.push(format!("{bar} {}{underline}", " ".repeat(before)));
}

/// One line of at most [`MAX_COLUMNS`], the columns before the focus and the columns of the focus.
fn clip(text: &str, focus: Range<usize>) -> (String, usize, usize) {
    let cells: Vec<(usize, char)> = text
        .char_indices()
        .map(|(at, char)| (at, if char.is_control() { ' ' } else { char }))
        .collect();
    let is_focus = |at: usize| focus.contains(&at);
    let first = cells.iter().position(|(at, _)| is_focus(*at)).unwrap_or(0);
    let total: usize = cells.iter().map(|(_, char)| columns(*char)).sum();
    let mut start = 0;
    if total > MAX_COLUMNS {
        let mut lead = 0;
        start = first;
        while start > 0 && lead + columns(cells[start - 1].1) <= LEAD {
            start -= 1;
            lead += columns(cells[start].1);
        }
    }
    let mut shown = String::new();
    if start > 0 {
        shown.push('…');
    }
    let (mut width, mut before, mut carets) = (shown.chars().map(columns).sum::<usize>(), 0, 0);
    before += width;
    for (at, char) in &cells[start..] {
        let wide = columns(*char);
        if width + wide > MAX_COLUMNS {
            shown.push('…');
            break;
        }
        shown.push(*char);
        width += wide;
        if is_focus(*at) {
            carets += wide;
        } else if carets == 0 && *at < focus.start {
            before += wide;
        }
    }
    (shown, before, carets)
}

/// Columns of a character on a terminal. Dashes, ellipses and curly quotation marks take one, as
/// terminals show them outside Asian locales.
fn columns(char: char) -> usize {
    match u32::from(char) {
        0x0300..=0x036F | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFEFF => 0,
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0x33FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xA000..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
