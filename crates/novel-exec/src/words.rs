//! What a program said, without what terminals and runtimes add to it.

use serde_json::Value;

/// Longest line that is shown.
const SHOWN: usize = 300;

/// Beginnings of lines that runtimes and package managers write on their own account.
const NOISE: [&str; 7] = [
    "(node:",
    "(Use `node",
    "npm notice",
    "npm warn",
    "npm WARN",
    "Debugger attached",
    "Waiting for the debugger",
];

/// Text without escape sequences and control characters; line ends stay.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            // A progress line that is written over ends here.
            '\r' if chars.peek() != Some(&'\n') => plain.push('\n'),
            '\n' => plain.push('\n'),
            '\t' => plain.push(' '),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// `ESC [ … letter`, `ESC ] … BEL`, or `ESC` and one character.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => {
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if ('\u{40}'..='\u{7e}').contains(&c) {
                    break;
                }
            }
        }
        Some(']') => {
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        _ => {}
    }
}

/// The last line of each stream that says something, standard error first; `None` for a silent program.
pub(crate) fn last_words(stderr: &str, stdout: &str) -> Option<String> {
    let (stderr, stdout) = (last_line(stderr), last_line(stdout));
    match (stderr, stdout) {
        (Some(error), Some(output)) if error.contains(&output) => Some(error),
        (Some(error), Some(output)) if output.contains(&error) => Some(output),
        (Some(error), Some(output)) => Some(format!("{error}; {output}")),
        (one, other) => one.or(other),
    }
}

fn last_line(text: &str) -> Option<String> {
    let text = plain(text);
    let said = text
        .lines()
        .map(str::trim)
        .rev()
        .find(|line| !is_noise(line));
    said.map(|line| {
        let line = in_json(line).unwrap_or_else(|| line.to_owned());
        match line.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    })
}

fn is_noise(line: &str) -> bool {
    !line.chars().any(char::is_alphanumeric)
        || NOISE.iter().any(|beginning| line.starts_with(beginning))
        // A line of a stack trace.
        || (line.starts_with("at ") && (line.ends_with(')') || line.contains(':')))
}

/// The message in a line of JSON, as programs write that are driven by others.
fn in_json(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    let places = [
        "/error/message",
        "/error/data/message",
        "/message",
        "/error",
        "/result",
    ];
    let found = places
        .iter()
        .find_map(|place| value.pointer(place)?.as_str());
    found.map(|text| text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_taken_off() {
        let stderr = "\u{1b}[31mError: no key\u{1b}[0m\n    at main (app.js:1:2)\n\
            (node:17) [DEP0040] DeprecationWarning: punycode\n(Use `node --trace-deprecation ...` to show)\n───\n";
        assert_eq!(last_words(stderr, "").unwrap(), "Error: no key");
        assert_eq!(
            last_words("", "Credit balance is too low\n").unwrap(),
            "Credit balance is too low"
        );
        assert_eq!(
            last_words(
                "npm notice new version\n",
                "Not logged in · Please run /login"
            )
            .unwrap(),
            "Not logged in · Please run /login"
        );
        assert_eq!(
            last_words("failed\n", "no quota\n").unwrap(),
            "failed; no quota"
        );
        assert_eq!(last_words("the same: x", "x").unwrap(), "the same: x");
        assert_eq!(last_words("\n  \n", "···"), None);
    }

    #[test]
    fn a_message_in_json_is_read() {
        for line in [
            r#"{"type":"result","is_error":true,"result":"Invalid API key"}"#,
            r#"{"type":"error","message":"Invalid API key"}"#,
            r#"{"type":"turn.failed","error":{"message":"Invalid API key"}}"#,
        ] {
            assert_eq!(last_words("", line).unwrap(), "Invalid API key");
        }
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let line = "雨".repeat(400);
        assert_eq!(last_words(&line, "").unwrap().chars().count(), SHOWN + 1);
    }
}
