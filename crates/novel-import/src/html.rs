//! Text of an XHTML page, line by line. Any bytes are a page: tags are passed over, never trusted.

use novel_text::SCENE_SEPARATOR;

use crate::lines::Line;

/// The lines of a page, and how many images were passed over.
pub(crate) fn lines(page: &str) -> (Vec<Line>, usize) {
    let mut reader = Reader::default();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        reader.text(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap_or(data.len());
            reader.text(&data[..end].replace('&', "&amp;"));
            rest = data.get(end + 3..).unwrap_or_default();
            continue;
        }
        let is_tag =
            rest[1..].starts_with(|char: char| char.is_ascii_alphabetic() || "/!?".contains(char));
        if !is_tag {
            reader.text("<");
            rest = &rest[1..];
            continue;
        }
        let Some(end) = rest.find('>') else {
            rest = "";
            break;
        };
        reader.tag(&rest[1..end]);
        rest = &rest[end + 1..];
    }
    reader.text(rest);
    reader.end_line();
    (reader.lines, reader.images)
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    line: String,
    level: Option<u8>,
    /// The element whose content is not text, while inside it.
    hidden: Option<String>,
    images: usize,
}

impl Reader {
    fn tag(&mut self, tag: &str) {
        let closes = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|char| char.is_ascii_alphanumeric())
            .collect::<String>()
            .to_ascii_lowercase();
        if let Some(hidden) = &self.hidden {
            if closes && *hidden == name {
                self.hidden = None;
            }
            return;
        }
        match name.as_str() {
            "head" | "script" | "style" | "rt" | "rp" | "svg" if !closes && !tag.ends_with('/') => {
                self.hidden = Some(name);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_line();
                let level = name.as_bytes().get(1).map(|digit| digit - b'0');
                self.level = if closes { None } else { level };
            }
            "hr" => {
                self.end_line();
                self.push(SCENE_SEPARATOR.to_owned());
            }
            "br" if self.level.is_some() => self.line.push(' '),
            "br" => {
                self.break_line();
            }
            "p" | "div" | "li" | "tr" | "blockquote" | "section" | "article" | "body" | "ul"
            | "ol" | "table" | "figure" | "aside" | "header" | "footer" | "nav" | "dt" | "dd"
            | "pre" => self.end_line(),
            "img" | "image" => self.images += 1,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_none() {
            self.line.push_str(&decoded(text));
        }
    }

    /// A paragraph ends: an empty line follows.
    fn end_line(&mut self) {
        if self.break_line() {
            self.lines.push(Line::plain(""));
        }
    }

    fn break_line(&mut self) -> bool {
        let text = collapsed(&self.line);
        self.line.clear();
        if text.is_empty() {
            return self.lines.last().is_some_and(|line| !line.text.is_empty());
        }
        self.lines.push(Line {
            text,
            level: self.level,
        });
        true
    }

    fn push(&mut self, text: String) {
        self.lines.push(Line::plain(text));
        self.lines.push(Line::plain(""));
    }
}

/// White space of the source is one space; the full-width spaces of an indentation stay.
fn collapsed(text: &str) -> String {
    let is_space = |char: char| matches!(char, ' ' | '\t' | '\n' | '\r' | '\u{0C}');
    let mut out = String::new();
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.trim().is_empty() {
        String::new()
    } else {
        out
    }
}

/// Text with its character references replaced; what is none stays as it is.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().skip(1).take(11).position(|byte| byte == b';');
        let reference = end.filter(|end| *end <= 10);
        match reference.and_then(|end| Some((end, referred(&rest[1..=end])?))) {
            Some((end, char)) => {
                out.push(char);
                rest = &rest[end + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn referred(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{A0}',
        "ensp" => '\u{2002}',
        "emsp" => '\u{2003}',
        "ldquo" => '“',
        "rdquo" => '”',
        "lsquo" => '‘',
        "rsquo" => '’',
        "hellip" => '…',
        "mdash" => '—',
        "ndash" => '–',
        "middot" => '·',
        "times" => '×',
        "copy" => '©',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        "ccedil" => 'ç',
        "uuml" => 'ü',
        "ouml" => 'ö',
        "auml" => 'ä',
        "szlig" => 'ß',
        "shy" => '\u{AD}',
        _ => return None,
    })
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
