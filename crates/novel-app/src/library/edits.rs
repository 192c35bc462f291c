//! Which chapters were edited by hand and not adopted, whatever their age, without reading all of them every
//! time.
//!
//! [`manuscript::has_edit`] tells. A chapter it found unedited is remembered with the states of its two files in
//! the cache of the project, outside of it; it is read again only when one of them is in another. What is
//! remembered follows from the files alone: without it, or in a copy of the project, every chapter is read once.

use std::collections::BTreeMap;

use novel_book::manuscript;
use novel_model::{ChapterNo, RelPath, layout};
use novel_store::UserCache;
use serde::{Deserialize, Serialize};

use crate::{BookError, Project};

/// Version of the form of what is remembered.
const VERSION: u32 = 2;

/// What is remembered of a project.
#[derive(Default, Serialize, Deserialize)]
struct Remembered {
    version: u32,
    /// Unedited chapters, with the states of JSON and Markdown.
    unedited: BTreeMap<u32, [u64; 2]>,
}

/// The edited ones among the first `last` chapters. A damaged one is told of by the checks.
///
/// # Errors
/// When the project cannot be read.
pub(super) fn edited(project: &Project, last: u32) -> Result<Vec<ChapterNo>, BookError> {
    let cache = project.store().cache();
    let mut known = cache.map(load).unwrap_or_default();
    let count = known.unedited.len();
    known.unedited.retain(|chapter, _| *chapter <= last);
    let mut is_changed = known.unedited.len() != count;
    let mut edited = Vec::new();
    for chapter in (1..=last).filter_map(ChapterNo::new) {
        let number = chapter.get();
        let states = states_of(project, chapter);
        if states.is_some() && known.unedited.get(&number) == states.as_ref() {
            continue;
        }
        let found = project.store().look(|reader| {
            let found = manuscript::has_edit(reader, chapter).unwrap_or(false);
            Ok::<_, BookError>(found)
        })?;
        is_changed |= known.unedited.remove(&number).is_some();
        match (found, states) {
            (true, _) => edited.push(chapter),
            (false, Some(states)) => {
                known.unedited.insert(number, states);
                is_changed = true;
            }
            (false, None) => {}
        }
    }
    if let (true, Some(cache)) = (is_changed, cache) {
        keep(cache, known);
    }
    Ok(edited)
}

/// The states of both files; `None` where one is missing or changed a short time ago.
fn states_of(project: &Project, chapter: ChapterNo) -> Option<[u64; 2]> {
    let state = |path: RelPath| project.store().stamp(&path)?.settled();
    let json = state(layout::chapter_json(chapter))?;
    Some([json, state(layout::chapter_markdown(chapter))?])
}

fn load(cache: &UserCache) -> Remembered {
    let text = cache.read(&layout::unedited_chapters()).unwrap_or_default();
    let known: Option<Remembered> = serde_json::from_slice(&text).ok();
    known
        .filter(|known| known.version == VERSION)
        .unwrap_or_default()
}

/// Remembers it, if it can: whoever cannot reads the chapters again.
fn keep(cache: &UserCache, mut known: Remembered) {
    known.version = VERSION;
    if let Ok(text) = serde_json::to_vec(&known) {
        let _ = cache.write(&[(layout::unedited_chapters(), text)]);
    }
}
