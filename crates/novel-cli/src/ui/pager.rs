//! The author's pager.

use std::{
    env,
    io::Write,
    process::{Command, Stdio},
};

/// Longest lines of prose; the eye loses its place in longer ones.
pub(crate) const WIDEST: usize = 100;

/// Shows the text in the author's pager; false where there is none.
pub(crate) fn page(text: &str) -> bool {
    let wanted = env::var("PAGER").unwrap_or_else(|_| "less -R".to_owned());
    let mut words = wanted.split_whitespace();
    let Some(program) = words.next() else {
        return false;
    };
    let child = Command::new(program)
        .args(words)
        .env("LESSCHARSET", "utf-8")
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return false };
    if let Some(mut input) = child.stdin.take() {
        // Whoever quits the pager has read enough.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}
