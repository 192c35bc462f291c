//! Which chapters were edited by hand and not adopted, whatever their age, without reading all of them every
//! time.
//!
//! [`manuscript::has_edit`] tells. A chapter it found unedited is remembered with the stamps of its two files
//! (which file, size, both times) in the cache of the project, outside of it; it is read again only when a stamp differs. What is remembered follows from the files alone: without it, or in a copy of the
//! project, every chapter is read once.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use novel_book::manuscript;
use novel_model::{ChapterNo, layout};
use novel_store::{Stamp, UserCache};
use serde::{Deserialize, Serialize};

use crate::{BookError, Project};

/// A file that changed less long ago may change again and keep its stamp.
const SETTLED: Duration = Duration::from_secs(1);
/// Version of the form of what is remembered.
const VERSION: u32 = 1;

/// What is remembered of a project.
#[derive(Default, Serialize, Deserialize)]
struct Remembered {
    version: u32,
    /// Unedited chapters, with the stamps of JSON and Markdown.
    unedited: BTreeMap<u32, [Seen; 2]>,
}

/// A stamp: which file, its size, when its content and when anything of it changed last.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Seen(u64, u64, i64, i64);

impl Seen {
    fn of(stamp: Stamp) -> Option<Self> {
        let modified = i64::try_from(stamp.modified).ok()?;
        let changed = i64::try_from(stamp.changed).ok()?;
        Some(Self(stamp.inode, stamp.len, modified, changed))
    }

    fn is_settled(self, now: Duration) -> bool {
        let before = now.saturating_sub(SETTLED).as_nanos();
        i64::try_from(before).is_ok_and(|before| self.3 < before)
    }
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
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default();
    let mut edited = Vec::new();
    for chapter in (1..=last).filter_map(ChapterNo::new) {
        let number = chapter.get();
        let stamps = stamps_of(project, chapter);
        if stamps.is_some() && known.unedited.get(&number) == stamps.as_ref() {
            continue;
        }
        let found = project.store().look(|reader| {
            let found = manuscript::has_edit(reader, chapter).unwrap_or(false);
            Ok::<_, BookError>(found)
        })?;
        is_changed |= known.unedited.remove(&number).is_some();
        let settled = stamps.filter(|all| all.iter().all(|seen| seen.is_settled(now)));
        match (found, settled) {
            (true, _) => edited.push(chapter),
            (false, Some(stamps)) => {
                known.unedited.insert(number, stamps);
                is_changed = true;
            }
            (false, None) => {}
        }
    }
    if let (true, Some(cache)) = (is_changed, cache) {
        keep(cache, &known);
    }
    Ok(edited)
}

fn stamps_of(project: &Project, chapter: ChapterNo) -> Option<[Seen; 2]> {
    let seen = |path| project.store().stamp(&path).and_then(Seen::of);
    let json = seen(layout::chapter_json(chapter))?;
    Some([json, seen(layout::chapter_markdown(chapter))?])
}

fn load(cache: &UserCache) -> Remembered {
    let text = cache.read(&layout::unedited_chapters()).unwrap_or_default();
    let known: Option<Remembered> = serde_json::from_slice(&text).ok();
    known
        .filter(|known| known.version == VERSION)
        .unwrap_or_default()
}

/// Remembers it, if it can: whoever cannot reads the chapters again.
fn keep(cache: &UserCache, known: &Remembered) {
    let known = Remembered {
        version: VERSION,
        unedited: known.unedited.clone(),
    };
    if let Ok(text) = serde_json::to_vec(&known) {
        let _ = cache.write(&[(layout::unedited_chapters(), text)]);
    }
}
