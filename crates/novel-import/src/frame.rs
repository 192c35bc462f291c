//! The frame Project Gutenberg puts around its texts: header, licence, credits.

use novel_model::{Warning, message};

use crate::lines::{Line, trimmed};

/// What the frame said.
pub(crate) struct Frame {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
}

impl Frame {
    pub(crate) fn warning(&self) -> Warning {
        Warning::new(
            "gutenberg_frame",
            message!(
                en: "Project Gutenberg's header and licence were left out",
                zh: "略去了 Project Gutenberg 的页眉与许可文本"
            ),
        )
    }
}

/// The lines inside the frame, and what the frame says of the book.
pub(crate) fn take_out(lines: Vec<Line>) -> (Vec<Line>, Option<Frame>) {
    let start = lines.iter().position(|line| is_mark(&line.text, "START"));
    let end = lines.iter().position(|line| is_mark(&line.text, "END"));
    let from = start.map_or(0, |start| start + 1);
    let to = end.filter(|end| *end > from).unwrap_or(lines.len());
    if start.is_none() && to == lines.len() {
        return (lines, None);
    }
    let said = |name: &str| {
        lines[..from].iter().find_map(|line| {
            let said = trimmed(&line.text).strip_prefix(name)?.strip_prefix(':')?;
            Some(trimmed(said).to_owned()).filter(|said| !said.is_empty())
        })
    };
    let frame = Frame {
        title: said("Title"),
        author: said("Author"),
    };
    let mut inside: Vec<Line> = lines
        .into_iter()
        .skip(from)
        .take(to.saturating_sub(from))
        .collect();
    drop_credits(&mut inside);
    (inside, Some(frame))
}

/// `*** START OF THE PROJECT GUTENBERG EBOOK …`, in its spellings over the years.
fn is_mark(line: &str, word: &str) -> bool {
    let text = trimmed(line);
    let Some(rest) = text.strip_prefix("***") else {
        return false;
    };
    let rest = rest.trim_start().to_ascii_uppercase();
    rest.starts_with(word) && rest.contains("PROJECT GUTENBERG")
}

/// `Produced by …` at the top, to the next empty line.
fn drop_credits(lines: &mut Vec<Line>) {
    const CREDITS: [&str; 4] = [
        "Produced by",
        "E-text prepared by",
        "Transcribed by",
        "This eBook was produced",
    ];
    let first = lines.iter().position(|line| !line.is_blank());
    let Some(first) = first else { return };
    if CREDITS
        .iter()
        .any(|word| trimmed(&lines[first].text).starts_with(word))
    {
        let end = lines[first..].iter().position(Line::is_blank);
        let end = end.map_or(lines.len(), |end| first + end);
        lines.drain(first..end);
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
