//! The newest chapter without a replay: the end of the changelog, and the few lines before it that
//! a rule can ask about.
//!
//! What is learnt here is enough to see that there is nothing to find. It may suspect too much, for
//! it does not follow an item that came back, but never too little: whoever suspects replays.
//!
//! The log has a line per chapter. It is searched as bytes, and only lines that are asked about are
//! decoded.

use std::{collections::BTreeSet, ops::Range};

use aho_corasick::AhoCorasick;
use memchr::{memchr, memmem, memrchr};
use novel_model::{ChapterNo, ContentHash};
use serde_json::Value;

use super::timeline::{Own, Past, Record, TIME_MARKER};
use novel_book::{changelog::Entry, ops};

/// The verb of an op that takes an item away, as a line has it.
const REMOVE: &str = "\"remove\"";

/// The end of the changelog.
pub(super) struct Glance<'l> {
    pub(super) own: Own,
    /// The chapter's own lines, newest first.
    lines: Vec<Entry>,
    /// The lines before the chapter's own.
    earlier: &'l [u8],
}

impl<'l> Glance<'l> {
    /// `None` when the last line is not the chapter's, or cannot be read.
    pub(super) fn at_end_of(log: &'l [u8], chapter: ChapterNo) -> Option<Self> {
        let (mut earlier, mut lines) = (log.trim_ascii_end(), Vec::new());
        while !earlier.is_empty() {
            let begin = memrchr(b'\n', earlier).map_or(0, |end| end + 1);
            let entry: Entry = serde_json::from_slice(&earlier[begin..]).ok()?;
            if !matches!(&entry, Entry::Delta { chapter: other, .. } if *other == chapter) {
                break;
            }
            lines.push(entry);
            earlier = earlier[..begin].trim_ascii_end();
        }
        // The number of a line is not known here and not shown: who shows lines replays.
        let own = Own::of(chapter, lines.iter().rev().map(|entry| (0, entry)))?;
        Some(Self {
            own,
            lines,
            earlier,
        })
    }

    /// What the rules can ask of the lines before, for a text that names these characters. `None`
    /// when one of the lines cannot be read.
    pub(super) fn past(&self, state: &Value, named: &BTreeSet<&str>) -> Option<Past> {
        let mut past = Past::at(state.clone());
        let ids = self.own.ops.iter().filter(|op| op.action().is_some());
        let ids = ids.map(|op| (About::Foreshadowing, format!("\"{}\"", op.path())));
        let inventories = named.iter().map(|id| {
            let path = format!("\"characters.{id}.inventory\"");
            (About::Inventory, path)
        });
        for (about, line) in self.lines_with(ids.chain(inventories).collect())? {
            if about == About::Foreshadowing {
                past.remember(0, &serde_json::from_slice(line).ok()?);
            } else if memmem::find(line, REMOVE.as_bytes()).is_some() {
                removals(std::str::from_utf8(line).ok()?, &mut past)?;
            }
        }
        past.markers.extend(self.marker()?);
        Some(past)
    }

    /// The last time marker of the chapter's line; the outer `None` when a line cannot be read.
    fn marker(&self) -> Option<Option<(String, Record)>> {
        let storyline = Value::from(self.own.storyline.as_str()).to_string();
        let mut rest = self.earlier;
        while let Some(at) = memmem::rfind(rest, TIME_MARKER.as_bytes()) {
            let line = line_at(self.earlier, at);
            rest = &rest[..line.start];
            let line = &self.earlier[line];
            if memmem::find(line, storyline.as_bytes()).is_some() {
                let mut past = Past::default();
                past.remember(0, &serde_json::from_slice(line).ok()?);
                if let Some(found) = past.markers.remove_entry(&self.own.storyline) {
                    return Some(Some(found));
                }
            }
        }
        Some(None)
    }

    /// The state the chapter started from, by taking its ops back from the current one; `None` when
    /// the text is not the state the chapter left.
    pub(super) fn state_before(&self, current: &str) -> Option<Value> {
        let left = self.lines.first()?.state_hash();
        if *left != ContentHash::of(current) {
            return None;
        }
        let mut state: Value = serde_json::from_str(current).ok()?;
        for entry in &self.lines {
            let Entry::Delta {
                ops,
                base_state_version,
                previous_chapter,
                ..
            } = entry
            else {
                return None;
            };
            ops::undo(&mut state, ops).ok()?;
            state["state_version"] = (*base_state_version).into();
            state["last_updated_chapter"] = (*previous_chapter).into();
        }
        Some(state)
    }

    /// The earlier lines that hold one of the words, in order, each with what it is about.
    fn lines_with(&self, words: Vec<(About, String)>) -> Option<Vec<(About, &'l [u8])>> {
        let searched = AhoCorasick::new(words.iter().map(|(_, word)| word)).ok()?;
        let mut found: Vec<(About, Range<usize>)> = Vec::new();
        for word in searched.find_iter(self.earlier) {
            let about = words[word.pattern().as_usize()].0;
            match found.last_mut() {
                Some((known, line)) if word.start() < line.end => *known = about.min(*known),
                _ => found.push((about, line_at(self.earlier, word.start()))),
            }
        }
        let lines = found.into_iter();
        Some(
            lines
                .map(|(about, line)| (about, &self.earlier[line]))
                .collect(),
        )
    }
}

/// What a searched word is about; a line about both is about the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Foreshadowing,
    Inventory,
}

/// The line that holds a byte.
fn line_at(log: &[u8], at: usize) -> Range<usize> {
    let begin = memrchr(b'\n', &log[..at]).map_or(0, |end| end + 1);
    let end = memchr(b'\n', &log[at..]).map_or(log.len(), |length| at + length);
    begin..end
}

/// Keeps the items a line takes away. An op is short and a line is long: only the ops are read,
/// unless one has an unusual form.
fn removals(line: &str, past: &mut Past) -> Option<()> {
    let mut records = Vec::new();
    for (at, _) in line.match_indices(REMOVE) {
        let start = line[..at].rfind('{')?;
        let op = serde_json::Deserializer::from_str(&line[start..])
            .into_iter::<Value>()
            .next();
        // When and where is not asked here.
        let record = op.and_then(Result::ok).map(|op| Record {
            line: 0,
            chapter: ChapterNo::first(),
            op,
        });
        match record.filter(|record| record.verb() == "remove" && !record.path().is_empty()) {
            Some(record) => records.push(record),
            None => {
                past.remember(0, &serde_json::from_str(line).ok()?);
                return Some(());
            }
        }
    }
    for record in records {
        past.note("", record);
    }
    Some(())
}
