//! Text as a terminal may get it: nothing in it is invisible, and nothing steers the terminal.
//!
//! Control characters, marks that turn the direction of writing, and characters without a shape are
//! written as escapes such as `\u{202e}`. They stay where a script or an emoji needs them and they can do
//! no harm: the joiner within an emoji or between letters of an Indic or Arabic word, the selector that
//! follows an emoji or a Han character. A soft hyphen is left out, as where no line is broken.
//! Files are not changed by it.

use std::borrow::Cow;

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    IsEscaped,
    IsLeftOut,
}

/// A text without styles.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    rewritten(text, |_| 0, push_escaped)
}

/// A text that has styles of our own; other sequences for the terminal are escaped.
pub(crate) fn visible_styled(text: &str) -> Cow<'_, str> {
    rewritten(text, style_length, push_escaped)
}

/// A line of JSON that says the same.
pub(crate) fn visible_json(line: &str) -> Cow<'_, str> {
    rewritten(
        line,
        |_| 0,
        |out, char, _| {
            for unit in char.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        },
    )
}

fn push_escaped(out: &mut String, char: char, fate: Fate) {
    if fate == Fate::IsEscaped {
        out.extend(char.escape_default());
    }
}

/// The text with every character that does not stay given to `replace`. `kept` tells how many bytes at
/// the beginning of a text stay as they are.
fn rewritten<'t>(
    text: &'t str,
    kept: impl Fn(&str) -> usize,
    replace: impl Fn(&mut String, char, Fate),
) -> Cow<'t, str> {
    if !text.contains(may_be_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = Before::default();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = kept(rest);
        if length > 0 {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        rest = &rest[char.len_utf8()..];
        match before.fate(char, rest.chars().next()) {
            Fate::Stays => out.push(char),
            fate => replace(&mut out, char, fate),
        }
        before.note(char);
    }
    Cow::Owned(out)
}

/// The length of the style a text begins with: colours, bold and their ends, nothing that hides.
fn style_length(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let Some(end) = parameters.find(|char: char| !char.is_ascii_digit() && char != ';') else {
        return 0;
    };
    let hides = |number: &str| matches!(number, "5" | "6" | "8");
    let is_style =
        parameters[end..].starts_with('m') && end <= 20 && !parameters[..end].split(';').any(hides);
    if is_style { 2 + end + 1 } else { 0 }
}

/// What stands before a character.
#[derive(Default)]
struct Before {
    last: Option<char>,
    /// The last one that is no selector and no skin colour.
    base: Option<char>,
}

impl Before {
    fn note(&mut self, char: char) {
        self.last = Some(char);
        if !is_selector(char) && !is_skin(char) {
            self.base = Some(char);
        }
    }

    fn fate(&self, char: char, next: Option<char>) -> Fate {
        let both = |is: fn(char) -> bool| self.base.is_some_and(is) && next.is_some_and(is);
        let last = |is: fn(char) -> bool| self.last.is_some_and(is);
        let is_needed = match char {
            '\n' | '\t' => true,
            '\u{200D}' => both(is_emoji) || both(is_joining),
            '\u{200C}' => both(is_joining),
            '\u{FE0E}' | '\u{FE0F}' => last(takes_selector),
            '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}' => last(is_han),
            '\u{AD}' if both(char::is_alphabetic) => return Fate::IsLeftOut,
            char => !may_be_hidden(char),
        };
        if is_needed {
            Fate::Stays
        } else {
            Fate::IsEscaped
        }
    }
}

/// Controls, marks of direction, and what has no shape.
fn may_be_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{AD}'
                | '\u{034F}'
                | '\u{061C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

fn is_selector(char: char) -> bool {
    matches!(char, '\u{FE00}'..='\u{FE0F}')
}

fn is_skin(char: char) -> bool {
    matches!(char, '\u{1F3FB}'..='\u{1F3FF}')
}

fn is_emoji(char: char) -> bool {
    matches!(
        char,
        '\u{2190}'..='\u{21FF}'
            | '\u{2300}'..='\u{23FF}'
            | '\u{2600}'..='\u{27BF}'
            | '\u{2B00}'..='\u{2BFF}'
            | '\u{1F000}'..='\u{1FAFF}'
    )
}

fn takes_selector(char: char) -> bool {
    is_emoji(char)
        || matches!(
            char,
            '#' | '*' | '0'..='9' | '\u{A9}' | '\u{AE}' | '\u{2000}'..='\u{218F}'
                | '\u{2400}'..='\u{25FF}' | '\u{2900}'..='\u{297F}' | '\u{3000}'..='\u{303F}'
                | '\u{3200}'..='\u{32FF}'
        ) && !may_be_hidden(char)
}

fn is_han(char: char) -> bool {
    matches!(char, '\u{3000}'..='\u{303F}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Letters of scripts whose shapes depend on their neighbours.
fn is_joining(char: char) -> bool {
    matches!(
        char,
        '\u{0600}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}' | '\u{1800}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}'
    ) && !may_be_hidden(char)
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
