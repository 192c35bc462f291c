//! The story state before and after a chapter, from `state/changelog.jsonl`.
//!
//! Invariant: the cursor only moves forward while chapters are asked for in ascending order, so a
//! whole book replays the changelog once. Every fact keeps the line it came from.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{BookReader, ChapterNo, Problem, files::ForeshadowAction, layout, message};
use serde_json::{Value, json};

use super::{finding::Side, time::Moment};
use crate::{
    facts::item_name,
    ledger::{Slot, plain},
};
use novel_book::{
    changelog::{self, Entry, ReplayError},
    context::ContextError,
    ops,
};

/// Where the state keeps the time of the story.
pub(super) const TIME_MARKER: &str = "world_state.time_marker";

/// A recorded op with its line.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) line: usize,
    pub(super) chapter: ChapterNo,
    pub(super) op: Value,
}

impl Record {
    fn text(&self, key: &str) -> &str {
        self.op.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn verb(&self) -> &str {
        self.text("op")
    }

    pub(super) fn path(&self) -> &str {
        self.text("path")
    }

    pub(super) fn value(&self) -> Option<&Value> {
        self.op.get("value")
    }

    /// What a `foreshadow` op did.
    pub(super) fn action(&self) -> Option<ForeshadowAction> {
        (self.verb() == "foreshadow")
            .then(|| ForeshadowAction::from_word(self.value()?.as_str()?))
            .flatten()
    }

    pub(super) fn side(&self) -> Side {
        Side::line(layout::state_changelog(), self.line, self.op.to_string())
    }
}

/// Where a foreshadowing item was laid: by an op, or it stood in a recorded whole state.
#[derive(Debug, Clone)]
pub(super) enum Planting {
    Op(Record),
    Snapshot { line: usize },
}

/// The replay.
pub(super) struct Timeline {
    entries: Vec<(usize, Entry)>,
    by_chapter: BTreeMap<ChapterNo, Vec<usize>>,
    cursor: usize,
    past: Past,
}

/// Everything known from the lines before the cursor.
#[derive(Default)]
pub(super) struct Past {
    pub(super) state: Option<Value>,
    snapshot_line: usize,
    /// The largest chapter whose ops were applied.
    latest: Option<ChapterNo>,
    /// The last op on each path.
    written: BTreeMap<String, Record>,
    pub(super) planted: BTreeMap<String, Planting>,
    pub(super) resolved: BTreeMap<String, Record>,
    /// The last `world_state.time_marker` by storyline.
    pub(super) markers: BTreeMap<String, Record>,
    /// Every place somebody was recorded at; `None` while the lines were not read.
    seen: Option<BTreeSet<String>>,
    /// The year of the story from a chapter on.
    years: BTreeMap<ChapterNo, u32>,
    /// The last removal of an item from somebody's inventory, by (character, item).
    pub(super) given: BTreeMap<(String, String), Record>,
}

impl Timeline {
    pub(super) fn load(reader: &dyn BookReader) -> Result<Self, ContextError> {
        let path = layout::state_changelog();
        let text = reader.text(&path)?.unwrap_or_default();
        let mut entries = Vec::new();
        let mut by_chapter: BTreeMap<ChapterNo, Vec<usize>> = BTreeMap::new();
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                let text = message!(en: "not a line of the changelog: {error}", zh: "不是变更日志的一行：{error}");
                broken(at + 1, text)
            })?;
            if let Entry::Delta { chapter, .. } = &entry {
                by_chapter.entry(*chapter).or_default().push(entries.len());
            }
            entries.push((at + 1, entry));
        }
        Ok(Self {
            entries,
            by_chapter,
            cursor: 0,
            past: Past::replayed(),
        })
    }

    /// What was known right before `chapter`.
    pub(super) fn before(&mut self, chapter: ChapterNo) -> Result<&Past, ContextError> {
        if self.past.latest.is_some_and(|latest| latest >= chapter) {
            self.cursor = 0;
            self.past = Past::replayed();
        }
        while let Some((line, entry)) = self.entries.get(self.cursor) {
            if matches!(entry, Entry::Delta { chapter: other, .. } if *other >= chapter) {
                break;
            }
            self.past
                .apply(*line, entry)
                .map_err(|error| {
                    let text = message!(en: "the changelog cannot be replayed: {error}", zh: "变更日志无法重放：此行与前面的行不相符");
                    broken(*line, text)
                })?;
            self.cursor += 1;
        }
        Ok(&self.past)
    }

    /// The chapter's own ops, in order; `None` when the changelog has no line of it.
    pub(super) fn own(&self, chapter: ChapterNo) -> Option<Own> {
        let indices = self.by_chapter.get(&chapter)?;
        let lines = indices.iter().filter_map(|index| self.entries.get(*index));
        Own::of(chapter, lines.map(|(line, entry)| (*line, entry)))
    }
}

/// What a chapter changed.
pub(super) struct Own {
    /// Its (last) line in the changelog.
    pub(super) line: usize,
    pub(super) storyline: String,
    pub(super) ops: Vec<Record>,
}

impl Own {
    /// From the chapter's lines, in order; `None` when there are none.
    pub(super) fn of<'e>(
        chapter: ChapterNo,
        lines: impl Iterator<Item = (usize, &'e Entry)>,
    ) -> Option<Self> {
        let mut own: Option<Self> = None;
        for (line, entry) in lines {
            let Entry::Delta {
                storyline_id, ops, ..
            } = entry
            else {
                continue;
            };
            let own = own.get_or_insert_with(|| Self {
                line,
                storyline: String::new(),
                ops: Vec::new(),
            });
            own.line = line;
            own.storyline = storyline_id.to_string();
            own.ops.extend(ops.iter().map(|applied| Record {
                line,
                chapter,
                op: applied.op.clone(),
            }));
        }
        own
    }

    /// The state after the chapter.
    pub(super) fn applied_to(&self, before: &Value) -> Value {
        let mut after = before.clone();
        let raw: Vec<Value> = self.ops.iter().map(|record| record.op.clone()).collect();
        // What was applied then applies now; the replay reports a changelog where it does not.
        ops::apply(&mut after, &raw);
        after
    }

    /// Each value it changed, before and after, and what it did to foreshadowing.
    pub(super) fn changes(&self, before: &Value) -> Vec<Value> {
        let after = self.applied_to(before);
        let at = |state: &Value, path: &str| {
            let found = path.split('.').try_fold(state, |value, key| value.get(key));
            found.cloned().unwrap_or_default()
        };
        let mut seen = BTreeSet::new();
        let mut changes = Vec::new();
        for record in &self.ops {
            let path = record.path();
            if let Some(action) = record.action() {
                changes.push(json!({"foreshadowing": path, "action": action.word()}));
            } else if seen.insert(path) {
                changes.push(
                    json!({"path": path, "before": at(before, path), "after": at(&after, path)}),
                );
            }
        }
        changes
    }
}

impl Past {
    /// Nothing yet, to be filled line by line.
    fn replayed() -> Self {
        Self {
            seen: Some(BTreeSet::new()),
            ..Self::default()
        }
    }

    /// A state of which nobody says how it came about.
    pub(super) fn at(state: Value) -> Self {
        Self {
            state: Some(state),
            ..Self::default()
        }
    }

    fn apply(&mut self, line: usize, entry: &Entry) -> Result<(), ReplayError> {
        match entry {
            Entry::Snapshot { state, .. } => self.state = Some(state.clone()),
            Entry::Delta {
                chapter,
                base_state_version,
                state_version,
                ops,
                ..
            } => {
                let state = self.state.as_mut().ok_or(ReplayError::NoBase { line })?;
                let expected = changelog::version(state);
                if expected != *base_state_version {
                    return Err(ReplayError::Version {
                        line,
                        found: *base_state_version,
                        expected,
                    });
                }
                let raw: Vec<Value> = ops.iter().map(|applied| applied.op.clone()).collect();
                if !ops::apply(state, &raw).dropped.is_empty() {
                    return Err(ReplayError::Refused { line });
                }
                changelog::stamp(state, *state_version, *chapter);
            }
        }
        self.remember(line, entry);
        Ok(())
    }

    /// Keeps what a line tells of items, foreshadowing and time, and where; the state stays.
    pub(super) fn remember(&mut self, line: usize, entry: &Entry) {
        match entry {
            Entry::Snapshot { state, .. } => {
                let open = state.get("active_foreshadowing").and_then(Value::as_array);
                for id in open.into_iter().flatten().filter_map(Value::as_str) {
                    self.planted
                        .entry(id.to_owned())
                        .or_insert(Planting::Snapshot { line });
                }
                self.snapshot_line = line;
                self.written.clear();
            }
            Entry::Delta {
                chapter,
                storyline_id,
                ops,
                ..
            } => {
                self.latest = self.latest.max(Some(*chapter));
                for applied in ops {
                    let op = applied.op.clone();
                    let record = Record {
                        line,
                        chapter: *chapter,
                        op,
                    };
                    self.note(storyline_id.as_str(), record);
                }
            }
        }
    }

    pub(super) fn note(&mut self, storyline: &str, record: Record) {
        let path = record.path().to_owned();
        match record.action() {
            Some(ForeshadowAction::Planted) => {
                self.planted.entry(path).or_insert(Planting::Op(record));
                return;
            }
            Some(ForeshadowAction::Resolved) => {
                self.resolved.insert(path, record);
                return;
            }
            Some(ForeshadowAction::Advanced) => return,
            None => {}
        }
        if let (Some(seen), Some(Slot::Place), Some(place)) = (
            &mut self.seen,
            path.rsplit('.').next().and_then(Slot::of_field),
            record.value().and_then(Value::as_str),
        ) {
            seen.insert(plain(place));
        }
        if path == TIME_MARKER {
            let year = record
                .value()
                .and_then(Value::as_str)
                .and_then(|text| Moment::parse(text)?.year());
            if let Some(year) = year {
                self.years.insert(record.chapter, year);
            }
            self.markers.insert(storyline.to_owned(), record.clone());
        }
        if let (Some(owner), Some(item)) =
            (inventory_owner(&path), record.value().and_then(item_name))
        {
            let key = (owner.to_owned(), item.to_owned());
            match record.verb() {
                "remove" => {
                    self.given.insert(key, record.clone());
                }
                "add" => {
                    self.given.remove(&key);
                }
                _ => {}
            }
        }
        self.written.insert(path, record);
    }

    /// A character in the state.
    pub(super) fn character(&self, id: &str) -> Option<&Value> {
        self.state.as_ref()?.get("characters")?.get(id)
    }

    /// Whether somebody was recorded at a place of this name. Without the lines it may be.
    pub(super) fn knows_place(&self, name: &str) -> bool {
        self.seen
            .as_ref()
            .is_none_or(|seen| seen.contains(&plain(name)))
    }

    /// The chapter that recorded the value at `path`; unknown for a whole state and without the lines.
    pub(super) fn recorded_in(&self, path: &str) -> Option<ChapterNo> {
        Some(self.written.get(path)?.chapter)
    }

    /// The year in which the value at `path` was recorded.
    pub(super) fn year_at(&self, path: &str) -> Option<u32> {
        let chapter = self.written.get(path)?.chapter;
        self.years
            .range(..=chapter)
            .next_back()
            .map(|(_, year)| *year)
    }

    /// Where the value at `path` was recorded; `shown` is quoted when a whole state brought it.
    pub(super) fn source(&self, path: &str, shown: String) -> Side {
        let mut at = path;
        loop {
            if let Some(record) = self.written.get(at) {
                return record.side();
            }
            match at.rsplit_once('.') {
                Some((parent, _)) => at = parent,
                None => break,
            }
        }
        Side::line(layout::state_changelog(), self.snapshot_line, shown)
    }
}

/// `characters.lin-feng.inventory` belongs to `lin-feng`.
pub(super) fn inventory_owner(path: &str) -> Option<&str> {
    path.strip_prefix("characters.")?.strip_suffix(".inventory")
}

fn broken(line: usize, text: novel_model::Message) -> ContextError {
    let problem = Problem::new("changelog_broken", &layout::state_changelog(), text)
        .at_line(line)
        .hint(message!(en: "run `novel doctor` to see which files agree", zh: "运行 `novel doctor` 查看哪些文件相符"));
    ContextError::new(vec![problem])
}
