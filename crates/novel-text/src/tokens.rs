//! Estimated token counts, for budgets before a call and progress during one.

/// Estimated tokens of `text`, rather too many than too few: one for each CJK character or
/// full-width mark, one for every four other bytes, rounded up.
///
/// The exact count is the provider's usage after the call. A tokenizer per model costs megabytes
/// and does not know the next model.
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut wide, mut wide_bytes, mut at) = (0_u64, 0_u64, 0);
    while let Some(first) = bytes.get(at) {
        // Nearly every character of a book is told by its first byte: ASCII, U+3000 to U+9FFF.
        let (is_wide, length) = match first {
            0..=0x7F => (false, 1),
            0xE3..=0xE9 => (true, 3),
            _ => match text[at..].chars().next() {
                Some(char) => (is_wide(char), char.len_utf8()),
                None => break,
            },
        };
        if is_wide {
            wide += 1;
            wide_bytes += length as u64;
        }
        at += length;
    }
    wide + (bytes.len() as u64 - wide_bytes).div_ceil(4)
}

/// The longest start of `text` that is estimated at `tokens` or fewer. It ends with a line unless
/// the first line alone is too long, which is cut between characters.
#[must_use]
pub fn start_within_tokens(text: &str, tokens: u64) -> &str {
    if estimate_tokens(text) <= tokens {
        return text;
    }
    // Counted in quarter tokens, so that the sum over characters equals the estimate of the whole.
    let mut left = tokens * 4;
    let mut end = 0;
    let mut line_end = 0;
    for (at, char) in text.char_indices() {
        let cost = if is_wide(char) {
            4
        } else {
            char.len_utf8() as u64
        };
        if cost > left {
            break;
        }
        left -= cost;
        end = at + char.len_utf8();
        if char == '\n' {
            line_end = at;
        }
    }
    if line_end > 0 {
        &text[..line_end]
    } else {
        &text[..end]
    }
}

/// The text in about so many parts, none larger than its share. A part ends with a line where it can, else with a
/// sentence, so there may be a part more; together the parts are the text.
#[must_use]
pub fn in_parts(text: &str, count: u64) -> Vec<&str> {
    let count = count.max(1);
    let size = estimate_tokens(text).div_ceil(count).max(1);
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let start = start_within_tokens(rest, size);
        let mut end = start.len();
        if end < rest.len() && !rest[end..].starts_with('\n') {
            let mark = start.rfind(['。', '！', '？', '.', '!', '?', '”', '"']);
            let after = mark.and_then(|at| Some(at + start[at..].chars().next()?.len_utf8()));
            end = after.unwrap_or(end);
        }
        // Blank lines go with the part they end.
        end += rest[end..].len() - rest[end..].trim_start_matches('\n').len();
        if end == 0 {
            end = rest.chars().next().map_or(rest.len(), char::len_utf8);
        }
        let (part, left) = rest.split_at(end);
        parts.push(part);
        rest = left;
    }
    parts
}

fn is_wide(char: char) -> bool {
    matches!(char,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
