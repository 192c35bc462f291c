//! A `<DATA>` wrapper taken apart, so that its content can be made shorter and wrapped again.
//!
//! Invariant: what comes out has exactly one opening and one closing tag. The header is kept as it
//! is; the content goes through the same escaping as before, which changes nothing that is
//! escaped already. Nothing is ever unescaped.

use novel_text::{DataKind, wrap_data};

const OPEN: &str = "<DATA ";
const CLOSE: &str = "\n</DATA>";

/// One wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrapped {
    header: String,
    /// The escaped content.
    pub(super) content: String,
}

impl Wrapped {
    /// Takes a wrapped text apart; `None` when it is not wrapped.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (header, rest) = text.split_once('\n')?;
        if !header.starts_with(OPEN) || !header.ends_with('>') {
            return None;
        }
        Some(Self {
            header: header.to_owned(),
            content: rest.strip_suffix(CLOSE)?.to_owned(),
        })
    }

    /// A fresh wrapper.
    pub(super) fn new(kind: DataKind, source: &str, content: &str) -> Self {
        let text = wrap_data(kind, source, content);
        let (header, rest) = text.split_once('\n').unwrap_or((&text, CLOSE));
        Self {
            header: header.to_owned(),
            content: rest.strip_suffix(CLOSE).unwrap_or(rest).to_owned(),
        }
    }

    /// The same wrapper around another content.
    pub(super) fn with(&self, content: &str) -> Self {
        let escaped = Self::new(DataKind::Reference, "", content);
        Self {
            header: self.header.clone(),
            content: escaped.content,
        }
    }

    pub(super) fn text(&self) -> String {
        format!("{}\n{}{CLOSE}", self.header, self.content)
    }
}

#[cfg(test)]
#[path = "wrapped_tests.rs"]
mod tests;
