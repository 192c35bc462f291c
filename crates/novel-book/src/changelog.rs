//! `state/changelog.jsonl`: one line per batch of ops, enough to replay and to undo.
//!
//! Law: replaying all lines gives `current-state.json` byte for byte. A state that came from
//! outside (the first one, or a hand edit) is recorded whole, so the law holds for it too.

use novel_model::{
    BrokenFile, ChapterNo, ContentHash, Document, Problem, RelPath, Slug, files::StoryState,
    layout, message, to_json_text,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ops::{self, AppliedOp, DroppedOp};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Entry {
    /// A whole state that did not come from ops.
    Snapshot {
        /// `initial` or `outside_edit`.
        reason: String,
        /// The state.
        state: Value,
        /// Hash of the state file after this line.
        state_hash: ContentHash,
    },
    /// The ops of one chapter.
    Delta {
        /// The chapter.
        chapter: ChapterNo,
        /// Its line.
        storyline_id: Slug,
        /// Version before.
        base_state_version: u64,
        /// Version after.
        state_version: u64,
        /// `last_updated_chapter` before.
        previous_chapter: u64,
        /// What was applied.
        ops: Vec<AppliedOp>,
        /// What was not.
        dropped: Vec<DroppedOp>,
        /// Hash of the state file after this line.
        state_hash: ContentHash,
    },
}

impl Entry {
    /// The line, with its newline.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Hash of the state file after this line.
    #[must_use]
    pub fn state_hash(&self) -> &ContentHash {
        match self {
            Self::Snapshot { state_hash, .. } | Self::Delta { state_hash, .. } => state_hash,
        }
    }
}

/// A changelog that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A line does not follow from the lines before it.
    #[error("line {line} is for state version {found}, but the state has version {expected}")]
    Version {
        /// Line of the changelog, counted from 1.
        line: usize,
        /// State version the line applies to.
        found: u64,
        /// State version after the lines before it.
        expected: u64,
    },
    /// The first line is no snapshot.
    #[error("line {line} changes a state nobody recorded")]
    NoBase {
        /// Line of the changelog, counted from 1.
        line: usize,
    },
    /// An op that was applied then is refused now.
    #[error("an op on line {line} cannot be applied again")]
    Refused {
        /// Line of the changelog, counted from 1.
        line: usize,
    },
}

/// The state after all entries; `None` when there are none.
///
/// # Errors
/// When the entries do not follow from each other.
pub fn replay<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Option<Value>, ReplayError> {
    let mut state: Option<Value> = None;
    for (index, entry) in entries.into_iter().enumerate() {
        let line = index + 1;
        match entry {
            Entry::Snapshot { state: whole, .. } => state = Some(whole.clone()),
            Entry::Delta {
                chapter,
                base_state_version,
                state_version,
                ops,
                ..
            } => {
                let state = state.as_mut().ok_or(ReplayError::NoBase { line })?;
                let expected = version(state);
                if expected != *base_state_version {
                    return Err(ReplayError::Version {
                        line,
                        found: *base_state_version,
                        expected,
                    });
                }
                let raw: Vec<Value> = ops.iter().map(|op| op.op.clone()).collect();
                if !ops::apply(state, &raw).dropped.is_empty() {
                    return Err(ReplayError::Refused { line });
                }
                stamp(state, *state_version, *chapter);
            }
        }
    }
    Ok(state)
}

/// The version of a raw state.
#[must_use]
pub fn version(state: &Value) -> u64 {
    state
        .get("state_version")
        .and_then(Value::as_u64)
        .unwrap_or_default()
}

/// Sets the two counters of a raw state.
pub fn stamp(state: &mut Value, version: u64, chapter: ChapterNo) {
    if let Some(object) = state.as_object_mut() {
        object.insert("state_version".into(), version.into());
        object.insert("last_updated_chapter".into(), chapter.get().into());
    }
}

/// New ops for one chapter.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline_id: &'a Slug,
    /// Its ops.
    pub ops: &'a [Value],
}

/// A changelog in which the ops of one chapter were replaced and all later lines follow anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Rebuilt {
    /// All lines.
    pub entries: Vec<Entry>,
    /// The state they lead to.
    pub state: Value,
    /// What the chapter and every later one did, in order.
    pub chapters: Vec<RebuiltChapter>,
}

/// What a chapter did when its ops were applied anew.
#[derive(Debug, Clone, PartialEq)]
pub struct RebuiltChapter {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline_id: Slug,
    /// What it did to the foreshadowing.
    pub foreshadowing: Vec<ops::ForeshadowOp>,
    /// Ops that are refused now; for a later chapter they had been applied before.
    pub refused: Vec<DroppedOp>,
}

/// Replaces the ops of one chapter (or puts them in where it has none) and replays the rest. With
/// the same ops the lines come out byte for byte as they were.
///
/// # Errors
/// When the lines before the chapter do not follow from each other.
pub fn rebuild(entries: &[Entry], new: Replacement<'_>) -> Result<Rebuilt, ReplayError> {
    let own =
        |entry: &Entry| matches!(entry, Entry::Delta { chapter, .. } if *chapter == new.chapter);
    let at = entries
        .iter()
        .position(|entry| own(entry) || reached(entry) > new.chapter.get())
        .unwrap_or(entries.len());
    let mut kept = entries[..at].to_vec();
    let mut state = match replay(&kept)? {
        Some(state) => state,
        None => {
            let state = Document::new(StoryState::initial()).raw().clone();
            kept.push(Entry::Snapshot {
                reason: "initial".to_owned(),
                state_hash: hash(&state),
                state: state.clone(),
            });
            state
        }
    };
    let mut rebuilt = Rebuilt {
        entries: kept,
        state: Value::Null,
        chapters: Vec::new(),
    };
    rebuilt.push(&mut state, new);
    let later = entries[at..].iter().filter(|entry| !own(entry));
    for entry in later {
        match entry {
            Entry::Snapshot { state: whole, .. } => {
                state = whole.clone();
                rebuilt.entries.push(entry.clone());
            }
            Entry::Delta {
                chapter,
                storyline_id,
                ops,
                dropped,
                ..
            } => {
                let ops: Vec<Value> = ops.iter().map(|op| op.op.clone()).collect();
                let delta = Replacement {
                    chapter: *chapter,
                    storyline_id,
                    ops: &ops,
                };
                rebuilt.push(&mut state, delta);
                // What was dropped then is still on record.
                if let Some(Entry::Delta { dropped: now, .. }) = rebuilt.entries.last_mut() {
                    now.splice(0..0, dropped.iter().cloned());
                }
            }
        }
    }
    rebuilt.state = state;
    Ok(rebuilt)
}

/// Changes the ops of one chapter, or gives it some where it has none; later lines follow anew. What was
/// dropped of the chapter stays on record.
///
/// # Errors
/// When the lines before the chapter do not follow from each other.
pub fn amend(
    entries: &[Entry],
    (chapter, line): (ChapterNo, &Slug),
    amend: impl FnOnce(&mut Vec<Value>),
) -> Result<Rebuilt, ReplayError> {
    let own = entries.iter().find_map(|entry| match entry {
        Entry::Delta {
            chapter: of,
            storyline_id,
            ops,
            dropped,
            ..
        } if *of == chapter => Some((storyline_id, ops, dropped)),
        _ => None,
    });
    let applied = own.iter().flat_map(|(_, ops, _)| *ops);
    let mut ops: Vec<Value> = applied.map(|op| op.op.clone()).collect();
    amend(&mut ops);
    let new = Replacement {
        chapter,
        storyline_id: own.map_or(line, |(own, _, _)| own),
        ops: &ops,
    };
    let mut rebuilt = rebuild(entries, new)?;
    let lines = rebuilt.entries.iter_mut();
    for entry in lines {
        match (entry, own) {
            (
                Entry::Delta {
                    chapter: of,
                    dropped,
                    ..
                },
                Some((_, _, before)),
            ) if *of == chapter => {
                dropped.splice(0..0, before.iter().cloned());
            }
            _ => {}
        }
    }
    Ok(rebuilt)
}

impl Rebuilt {
    fn push(&mut self, state: &mut Value, delta: Replacement<'_>) {
        let base = version(state);
        let previous_chapter = state
            .get("last_updated_chapter")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        let outcome = ops::apply(state, delta.ops);
        stamp(state, base + 1, delta.chapter);
        self.entries.push(Entry::Delta {
            chapter: delta.chapter,
            storyline_id: delta.storyline_id.clone(),
            base_state_version: base,
            state_version: base + 1,
            previous_chapter,
            ops: outcome.applied,
            dropped: outcome.dropped.clone(),
            state_hash: hash(state),
        });
        self.chapters.push(RebuiltChapter {
            chapter: delta.chapter,
            storyline_id: delta.storyline_id.clone(),
            foreshadowing: outcome.foreshadowing,
            refused: outcome.dropped,
        });
    }
}

/// The chapter a line brings the state to.
#[must_use]
pub fn reached(entry: &Entry) -> u32 {
    match entry {
        Entry::Delta { chapter, .. } => chapter.get(),
        Entry::Snapshot { state, .. } => state
            .get("last_updated_chapter")
            .and_then(Value::as_u64)
            .and_then(|chapter| u32::try_from(chapter).ok())
            .unwrap_or_default(),
    }
}

fn hash(state: &Value) -> ContentHash {
    ContentHash::of(to_json_text(state))
}

/// The problem of a changelog whose lines do not follow from each other.
#[must_use]
pub fn not_replayable(error: &ReplayError) -> Problem {
    Problem::new(
        "changelog_broken",
        &layout::state_changelog(),
        message!(en: "cannot be replayed: {error}", zh: "无法重放：{error}"),
    )
}

/// One line of the changelog; `None` for a line of an older tool.
///
/// # Errors
/// When the line is not JSON.
pub fn parse_entry(path: &RelPath, number: usize, line: &str) -> Result<Option<Entry>, BrokenFile> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let text = message!(en: "not JSON: {error}", zh: "不是 JSON：{error}");
        BrokenFile::new(Problem::new("json_syntax", path, text).at_line(number))
    })?;
    Ok(serde_json::from_value(value).ok())
}

#[cfg(test)]
#[path = "changelog_tests.rs"]
mod tests;
