//! Which chapters were edited by hand and not adopted, whatever their age, without reading all of them every
//! time.
//!
//! [`manuscript::has_edit`] tells. A chapter it found unedited is remembered with the stamps of its two files
//! (which file, size, both times) in the user's cache directory, outside the project; it is read again only
//! when a stamp differs. What is remembered follows from the files alone: without it, or in a copy of the
//! project, every chapter is read once.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use novel_book::manuscript;
use novel_model::{ChapterNo, ContentHash, layout};
use novel_store::Stamp;
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
    let place = place_of(project);
    let mut known = place.as_deref().map(load).unwrap_or_default();
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
    if let (true, Some(place)) = (is_changed, place) {
        keep(&place, &known);
    }
    Ok(edited)
}

fn stamps_of(project: &Project, chapter: ChapterNo) -> Option<[Seen; 2]> {
    let seen = |path| project.store().stamp(&path).and_then(Seen::of);
    let json = seen(layout::chapter_json(chapter))?;
    Some([json, seen(layout::chapter_markdown(chapter))?])
}

/// Where the unedited chapters of a project are remembered; nowhere for a project that is not on the disk, and
/// never inside of one.
fn place_of(project: &Project) -> Option<PathBuf> {
    let root = project.store().root()?;
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.filter(|path| path.is_absolute());
    let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
    let root = root.canonicalize().ok()?;
    if cache.starts_with(&root) {
        return None;
    }
    let name = ContentHash::of(root.as_os_str().as_encoded_bytes());
    let name: String = name
        .to_string()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    Some(cache.join("novel").join(format!("edits-{name}.json")))
}

fn load(place: &Path) -> Remembered {
    let text = fs::read(place).unwrap_or_default();
    let known: Option<Remembered> = serde_json::from_slice(&text).ok();
    known
        .filter(|known| known.version == VERSION)
        .unwrap_or_default()
}

/// Remembers it, if it can: whoever cannot reads the chapters again.
fn keep(place: &Path, known: &Remembered) {
    let known = Remembered {
        version: VERSION,
        unedited: known.unedited.clone(),
    };
    let fresh = place.with_extension(format!("{}.new", std::process::id()));
    let written = serde_json::to_vec(&known)
        .map_err(std::io::Error::from)
        .and_then(|text| {
            fs::create_dir_all(place.parent().unwrap_or(place))?;
            fs::write(&fresh, text)?;
            fs::rename(&fresh, place)
        });
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
    }
}
