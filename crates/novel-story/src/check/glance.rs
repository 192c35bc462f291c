//! The newest chapter without a replay: the end of the changelog, and the few lines before it that
//! a rule can ask about.
//!
//! What is learnt here is enough to see that there is nothing to find. It may suspect too much, for
//! it does not follow an item that came back, but never too little: whoever suspects replays.

use std::collections::BTreeSet;

use novel_model::{ChapterNo, ContentHash, files::ForeshadowAction};
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
    earlier: &'l str,
}

impl<'l> Glance<'l> {
    /// `None` when the last line is not the chapter's, or can not be read.
    pub(super) fn at_end_of(log: &'l str, chapter: ChapterNo) -> Option<Self> {
        let (mut earlier, mut lines) = (log.trim_end(), Vec::new());
        while !earlier.is_empty() {
            let (before, line) = earlier.rsplit_once('\n').unwrap_or(("", earlier));
            let entry: Entry = serde_json::from_str(line).ok()?;
            if !matches!(&entry, Entry::Delta { chapter: other, .. } if *other == chapter) {
                break;
            }
            lines.push(entry);
            earlier = before.trim_end();
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
    /// when one of the lines can not be read.
    pub(super) fn past(&self, state: &Value, named: &BTreeSet<&str>) -> Option<Past> {
        let mut past = Past::at(state.clone());
        let planned = |action| {
            matches!(
                action,
                Some(ForeshadowAction::Planted | ForeshadowAction::Resolved)
            )
        };
        let ids = self.own.ops.iter().filter(|op| planned(op.action()));
        let ids = self.standing(ids.map(|op| format!("\"{}\"", op.path())));
        let inventories = named
            .iter()
            .map(|id| format!("\"characters.{id}.inventory\""));
        let inventories = self.standing(inventories);
        let holds = |line: &str, words: &[String]| words.iter().any(|word| line.contains(word));
        if !ids.is_empty() || !inventories.is_empty() {
            for line in self.earlier.lines() {
                if holds(line, &ids) {
                    past.remember(0, &serde_json::from_str(line).ok()?);
                } else if line.contains(REMOVE) && holds(line, &inventories) {
                    removals(line, &mut past)?;
                }
            }
        }
        if self.own.ops.iter().any(|op| op.path() == TIME_MARKER) {
            past.markers.extend(self.marker()?);
        }
        Some(past)
    }

    /// The last time marker of the chapter's line; the outer `None` when a line can not be read.
    fn marker(&self) -> Option<Option<(String, Record)>> {
        let line = Value::from(self.own.storyline.as_str()).to_string();
        let mut lines = self.earlier.rsplit('\n');
        let mut lines = lines
            .by_ref()
            .filter(|text| text.contains(TIME_MARKER) && text.contains(&line));
        lines
            .find_map(|text| {
                let Ok(entry) = serde_json::from_str(text) else {
                    return Some(None);
                };
                let mut past = Past::default();
                past.remember(0, &entry);
                let found = past.markers.remove_entry(&self.own.storyline)?;
                Some(Some(Some(found)))
            })
            .unwrap_or(Some(None))
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

    /// The words that stand anywhere in the lines before.
    fn standing(&self, words: impl Iterator<Item = String>) -> Vec<String> {
        words.filter(|word| self.earlier.contains(word)).collect()
    }
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
