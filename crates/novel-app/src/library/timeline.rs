//! What the state log says of one person, chapter by chapter. Writes nothing.

use novel_book::changelog::Entry;
use novel_model::{ChapterNo, Slug};
use novel_steps::rewrite;
use serde_json::Value;

use crate::{BookError, Project};

/// One value that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// In which chapter.
    pub chapter: ChapterNo,
    /// Which field, such as `location`.
    pub field: String,
    /// What it became; `null` where it was removed.
    pub value: Value,
}

/// What the log says of a person, and the story time of each chapter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// The changes, oldest first.
    pub changes: Vec<Changed>,
    /// Story time after a chapter.
    pub times: Vec<(ChapterNo, String)>,
}

impl Timeline {
    /// The value of a field after a chapter.
    #[must_use]
    pub fn at(&self, chapter: u32, field: &str) -> Option<&Value> {
        self.changes
            .iter()
            .rev()
            .find(|change| change.chapter.get() <= chapter && change.field == field)
            .map(|change| &change.value)
    }

    /// Story time after a chapter.
    #[must_use]
    pub fn time_at(&self, chapter: u32) -> Option<&str> {
        let found = self.times.iter().rev().find(|(at, _)| at.get() <= chapter);
        found.map(|(_, time)| time.as_str())
    }
}

/// What the state log says of a person.
///
/// # Errors
/// When the log is damaged.
pub fn timeline(project: &Project, id: &Slug) -> Result<Timeline, BookError> {
    let entries = project
        .store()
        .look(|reader| Ok::<_, BookError>(rewrite::Log::read(reader)?.entries))?;
    let prefix = format!("characters.{id}.");
    let mut timeline = Timeline::default();
    for entry in &entries {
        let Entry::Delta { chapter, ops, .. } = entry else {
            continue;
        };
        for applied in ops {
            let op = &applied.op;
            let path = op["path"].as_str().unwrap_or_default();
            if let Some(field) = path.strip_prefix(&prefix) {
                timeline.changes.push(Changed {
                    chapter: *chapter,
                    field: field.to_owned(),
                    value: op["value"].clone(),
                });
            } else if path == "world_state.time_marker"
                && let Some(time) = op["value"].as_str()
            {
                timeline.times.push((*chapter, time.to_owned()));
            }
        }
    }
    Ok(timeline)
}
