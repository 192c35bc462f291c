//! Which chapters were edited by hand and not adopted, whatever their age. A chapter's two files are read
//! again only when one of them has changed: what is kept here follows from the files alone.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use novel_app::{Project, Stamp, library::overview};
use novel_model::{ChapterNo, layout};

/// Answers by chapter, with the state of its files they were given for.
#[derive(Default)]
pub(crate) struct Edits(Mutex<HashMap<PathBuf, Answers>>);

type Answers = HashMap<u32, ([Option<Stamp>; 2], bool)>;

impl Edits {
    /// The edited ones among the first `written` chapters. A damaged one is told of by the pages that show
    /// it, and by the checks.
    pub(crate) fn of(&self, root: &Path, project: &Project, written: u32) -> Vec<ChapterNo> {
        let mut known = {
            let mut books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            books.remove(root).unwrap_or_default()
        };
        known.retain(|chapter, _| *chapter <= written);
        let mut edited = Vec::new();
        for chapter in (1..=written).filter_map(ChapterNo::new) {
            let files = [
                layout::chapter_json(chapter),
                layout::chapter_markdown(chapter),
            ];
            let stamps = files.map(|path| project.store().stamp(&path));
            let is_edited = match known.get(&chapter.get()) {
                Some((seen, is_edited)) if *seen == stamps => *is_edited,
                _ => match overview::is_chapter_edited(project, chapter) {
                    Ok(is_edited) => {
                        known.insert(chapter.get(), (stamps, is_edited));
                        is_edited
                    }
                    Err(_) => false,
                },
            };
            if is_edited {
                edited.push(chapter);
            }
        }
        let mut books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        books.insert(root.to_owned(), known);
        edited
    }
}
