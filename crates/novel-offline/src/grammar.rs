//! The fragments: named sections of interchangeable wordings, one text file per language.

use std::{collections::BTreeMap, sync::OnceLock};

use novel_model::Lang;

/// Starts a new paragraph inside a wording.
pub(crate) const PARAGRAPH: &str = " / ";

/// All sections of one language.
#[derive(Debug)]
pub(crate) struct Grammar {
    sections: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Grammar {
    /// The built-in fragments of a language.
    pub(crate) fn of(lang: Lang) -> &'static Self {
        static ZH: OnceLock<Grammar> = OnceLock::new();
        static EN: OnceLock<Grammar> = OnceLock::new();
        match lang {
            Lang::Zh => ZH.get_or_init(|| Self::parse(include_str!("../assets/grammar/zh.txt"))),
            Lang::En => EN.get_or_init(|| Self::parse(include_str!("../assets/grammar/en.txt"))),
        }
    }

    /// Reads a list of sections.
    pub(crate) fn parse(text: &'static str) -> Self {
        let mut sections: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
        let mut current = "";
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("## ") {
                current = name;
            } else if !line.is_empty() && !line.starts_with("//") {
                sections.entry(current).or_default().push(line);
            }
        }
        Self { sections }
    }

    /// The wordings of a section; a section that does not exist has none.
    pub(crate) fn section(&self, name: &str) -> Option<(&'static str, &[&'static str])> {
        self.sections
            .get_key_value(name)
            .map(|(name, wordings)| (*name, wordings.as_slice()))
    }

    /// A wording's next mark: `{slot}` or a group of choices, `[one|another]`. A group may hold slots
    /// and other groups.
    pub(crate) fn next_mark(wording: &str) -> Option<Mark<'_>> {
        let at = wording.find(['{', '['])?;
        let (before, inside) = (&wording[..at], &wording[at + 1..]);
        if wording[at..].starts_with('{') {
            let (slot, after) = inside.split_once('}')?;
            return Some(Mark {
                before,
                kind: MarkKind::Slot(slot),
                after,
            });
        }
        let mut depth = 0_usize;
        let (mut choices, mut start) = (Vec::new(), 0);
        for (at, char) in inside.char_indices() {
            match char {
                '[' => depth += 1,
                ']' if depth > 0 => depth -= 1,
                '|' | ']' if depth == 0 => {
                    choices.push(&inside[start..at]);
                    start = at + 1;
                    if char == ']' {
                        let after = &inside[start..];
                        let kind = MarkKind::Group(choices);
                        return Some(Mark {
                            before,
                            kind,
                            after,
                        });
                    }
                }
                _ => {}
            }
        }
        None
    }

    #[cfg(test)]
    pub(crate) fn sections(&self) -> impl Iterator<Item = (&'static str, &[&'static str])> {
        self.sections
            .iter()
            .map(|(name, wordings)| (*name, wordings.as_slice()))
    }
}

/// A mark of a wording, with what stands before and after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mark<'a> {
    pub(crate) before: &'a str,
    pub(crate) kind: MarkKind<'a>,
    pub(crate) after: &'a str,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MarkKind<'a> {
    /// A name to be replaced by a value.
    Slot(&'a str),
    /// Choices, one of which is taken.
    Group(Vec<&'a str>),
}

#[cfg(test)]
#[path = "grammar_tests.rs"]
mod tests;
