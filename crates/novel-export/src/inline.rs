//! Emphasis inside a paragraph: `*soft*`, `**strong**`, `***both***`.
//!
//! The rules are CommonMark's for asterisks, in the form that suits Chinese:
//! next to a Han character punctuation is no obstacle, so `**“走吧。”**他说`
//! works. `\*` is a plain asterisk. Nothing else is markup: prose full of
//! brackets, underscores and angle brackets stays what it is.
//!
//! Laws (property-tested): tags nest; all text but the asterisks of matched
//! pairs and the backslash before an asterisk is kept, in order.

/// A part of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text to be shown as it is.
    Text(&'a str),
    /// Emphasis begins.
    Open(Tag),
    /// Emphasis ends.
    Close(Tag),
}

/// How much emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Em,
    Strong,
}

impl Tag {
    fn asterisks(self) -> usize {
        match self {
            Self::Em => 1,
            Self::Strong => 2,
        }
    }
}

/// Splits a paragraph of one line.
pub(crate) fn parse(line: &str) -> Vec<Piece<'_>> {
    if !line.contains('*') {
        return vec![Piece::Text(line)];
    }
    let mut tokens = tokens(line);
    pair(&mut tokens);
    let mut pieces = Vec::new();
    for token in &tokens {
        match token {
            Token::Text(text) => pieces.push(Piece::Text(text)),
            Token::Run(run) => {
                pieces.extend(run.closes.iter().copied().map(Piece::Close));
                if run.left > 0 {
                    pieces.push(Piece::Text(&run.text[..run.left]));
                }
                // Pairs are found from the inside out.
                pieces.extend(run.opens.iter().rev().copied().map(Piece::Open));
            }
        }
    }
    pieces
}

enum Token<'a> {
    Text(&'a str),
    Run(Run<'a>),
}

/// Asterisks in a row.
struct Run<'a> {
    text: &'a str,
    /// How many have found no partner yet.
    left: usize,
    can_open: bool,
    can_close: bool,
    opens: Vec<Tag>,
    closes: Vec<Tag>,
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut text_start = 0;
    let mut at = 0;
    while let Some(found) = line[at..].find('*') {
        let start = at + found;
        if line[text_start..start].ends_with('\\') {
            tokens.push(Token::Text(&line[text_start..start - 1]));
            // The asterisk opens the next text.
            text_start = start;
            at = start + 1;
            continue;
        }
        let rest = line[start..].trim_start_matches('*');
        let end = line.len() - rest.len();
        tokens.push(Token::Text(&line[text_start..start]));
        let before = Side::of(line[..start].chars().next_back());
        let after = Side::of(rest.chars().next());
        tokens.push(Token::Run(Run {
            text: &line[start..end],
            left: end - start,
            can_open: after.may_touch(before),
            can_close: before.may_touch(after),
            opens: Vec::new(),
            closes: Vec::new(),
        }));
        text_start = end;
        at = end;
    }
    tokens.push(Token::Text(&line[text_start..]));
    tokens.retain(|token| !matches!(token, Token::Text("")));
    tokens
}

/// What stands beside a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// White space or the end of the paragraph.
    Space,
    /// Punctuation of scripts with spaces.
    Punctuation,
    /// A Han, kana or hangul character, or full-width punctuation.
    Cjk,
    Other,
}

impl Side {
    fn of(char: Option<char>) -> Self {
        match char {
            None => Self::Space,
            Some(char) if char.is_whitespace() => Self::Space,
            Some(char) if char.is_ascii_punctuation() => Self::Punctuation,
            Some('\u{A1}'..='\u{BF}' | '\u{2010}'..='\u{205E}') => Self::Punctuation,
            Some(
                '\u{1100}'..='\u{11FF}'
                | '\u{2E80}'..='\u{D7FF}'
                | '\u{F900}'..='\u{FAFF}'
                | '\u{FE30}'..='\u{FE4F}'
                | '\u{FF00}'..='\u{FFEF}'
                | '\u{1F000}'..='\u{3FFFF}',
            ) => Self::Cjk,
            Some(_) => Self::Other,
        }
    }

    /// Whether emphasised text may have this side at its edge, with `outside` beyond the asterisks.
    fn may_touch(self, outside: Self) -> bool {
        match self {
            Self::Space => false,
            Self::Punctuation => outside != Self::Other,
            Self::Cjk | Self::Other => true,
        }
    }
}

/// Finds the pairs: every closing run takes the nearest opening run that fits.
fn pair(tokens: &mut [Token<'_>]) {
    let mut runs: Vec<&mut Run<'_>> = tokens
        .iter_mut()
        .filter_map(|token| match token {
            Token::Run(run) => Some(run),
            Token::Text(_) => None,
        })
        .collect();
    let mut open: Vec<usize> = Vec::new();
    // Below these indices no opening run fits a closing run of the kind: keeps the search short.
    let mut floors = [[0; 3]; 2];
    for closer in 0..runs.len() {
        while runs[closer].can_close && runs[closer].left > 0 {
            let floor =
                &mut floors[usize::from(runs[closer].can_open)][runs[closer].text.len() % 3];
            let fitting = (0..open.len())
                .rev()
                .take_while(|place| open[*place] >= *floor)
                .find(|place| fits(runs[open[*place]], runs[closer]));
            let Some(place) = fitting else {
                *floor = closer;
                break;
            };
            let opener = open[place];
            open.truncate(place + 1);
            let tag = if runs[opener].left >= 2 && runs[closer].left >= 2 {
                Tag::Strong
            } else {
                Tag::Em
            };
            runs[opener].left -= tag.asterisks();
            runs[closer].left -= tag.asterisks();
            runs[opener].opens.push(tag);
            runs[closer].closes.push(tag);
            if runs[opener].left == 0 {
                open.pop();
            }
        }
        if runs[closer].can_open && runs[closer].left > 0 {
            open.push(closer);
        }
    }
}

/// CommonMark's rule of three: it lets `*他**说**道*` nest instead of ending early.
fn fits(opener: &Run<'_>, closer: &Run<'_>) -> bool {
    let (a, b) = (opener.text.len(), closer.text.len());
    !(opener.can_close || closer.can_open)
        || !(a + b).is_multiple_of(3)
        || (a.is_multiple_of(3) && b.is_multiple_of(3))
}

#[cfg(test)]
#[path = "inline_tests.rs"]
mod tests;
