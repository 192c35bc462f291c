//! The wall around published and locked chapters: their titles and texts are changed by nothing unless
//! the author says so (`--published`). What is derived from them may be made anew.

use novel_book::{
    edit::{Change, Changes},
    manuscript::Manuscript,
    revision,
};
use novel_model::{
    BookReader, ChapterNo, Document, FileError, Lang, VolumeNo,
    files::{GeneratedChapter, Marks, ReviewIssue, Wall},
    layout,
};

use crate::{StepError, walled::Walled};

/// The marks of a book; a book without the file has none.
///
/// # Errors
/// When the file is damaged: a chapter might be walled.
pub fn marks(reader: &dyn BookReader) -> Result<Document<Marks>, FileError> {
    let stored = Document::<Marks>::load(reader, &layout::marks())?;
    Ok(stored.unwrap_or_else(|| Document::new(Marks::default())))
}

/// The wall: refuses to change any of these chapters that is published or locked.
///
/// # Errors
/// When one is, or the marks cannot be read.
pub fn check(
    reader: &dyn BookReader,
    chapters: impl IntoIterator<Item = ChapterNo>,
) -> Result<(), StepError> {
    let marks = marks(reader)?;
    let walled: Vec<(ChapterNo, Wall)> = chapters
        .into_iter()
        .filter_map(|chapter| Some((chapter, marks.get().wall(chapter)?)))
        .collect();
    match walled.first() {
        None => Ok(()),
        Some((chapter, wall)) => Err(Walled {
            chapter: *chapter,
            wall: *wall,
            chapters: walled.iter().map(|(chapter, _)| *chapter).collect(),
        }
        .into()),
    }
}

/// Refuses changes that give a walled chapter another title or text.
///
/// # Errors
/// As [`check`].
pub fn check_changes(
    book: &dyn BookReader,
    changes: &Changes,
    lang: Lang,
) -> Result<(), StepError> {
    let mut touched: Vec<ChapterNo> = changes.paths().filter_map(layout::chapter_of).collect();
    touched.sort_unstable();
    touched.dedup();
    if touched.is_empty() {
        return Ok(());
    }
    let mut changed = Vec::new();
    for chapter in touched {
        if changes_text(book, changes, chapter, lang)? {
            changed.push(chapter);
        }
    }
    check(book, changed)
}

/// Whether changes give a chapter of the book another title or text.
fn changes_text(
    book: &dyn BookReader,
    changes: &Changes,
    chapter: ChapterNo,
    lang: Lang,
) -> Result<bool, FileError> {
    let path = layout::chapter_json(chapter);
    // A chapter that is not there, or is damaged, has no text to protect.
    let Some(old) = Document::<GeneratedChapter>::load_if_sound(book, &path)? else {
        return Ok(false);
    };
    let old = old.get();
    let same = |new: &GeneratedChapter| {
        new.chapter_title == old.chapter_title
            && new.scenes.len() == old.scenes.len()
            && (new.scenes.iter().zip(&old.scenes)).all(|(new, old)| new.content == old.content)
    };
    let in_json = match changes.get(&path) {
        None => true,
        Some(Change::Write(bytes)) => {
            let new = Document::<GeneratedChapter>::parse(&path, &String::from_utf8_lossy(bytes));
            new.is_ok_and(|new| same(new.get()))
        }
        Some(Change::Remove | Change::Append(_)) => false,
    };
    let in_markdown = match changes.get(&layout::chapter_markdown(chapter)) {
        Some(Change::Write(bytes)) => {
            let text = String::from_utf8_lossy(bytes);
            same(&Manuscript::from_markdown(chapter, &text, lang).chapter)
        }
        Some(Change::Append(_)) => false,
        None | Some(Change::Remove) => true,
    };
    Ok(!(in_json && in_markdown))
}

/// Whether a chapter is published or locked.
///
/// # Errors
/// When the marks cannot be read.
pub fn is_walled(reader: &dyn BookReader, chapter: ChapterNo) -> Result<bool, FileError> {
    Ok(marks(reader)?.get().wall(chapter).is_some())
}

/// Turns issues of a walled chapter into forward repairs.
///
/// # Errors
/// When the marks cannot be read.
pub fn repair_forward(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    issues: &[ReviewIssue],
    changes: &mut Changes,
) -> Result<(), FileError> {
    let fixable: Vec<ReviewIssue> = issues
        .iter()
        .filter(|issue| revision::fix_of(issue).is_some())
        .cloned()
        .collect();
    let mut marks = marks(reader)?;
    let before = marks.clone();
    marks.edit(|marks| marks.add_repairs(chapter, &fixable));
    if marks != before {
        changes.write(layout::marks(), marks.to_text());
    }
    Ok(())
}

/// Notes that the writer of `chapter` was told what must be explained.
///
/// # Errors
/// When the marks cannot be read.
pub fn told_writer(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    changes: &mut Changes,
) -> Result<(), FileError> {
    told(reader, changes, |marks| {
        for repair in &mut marks.forward_repairs {
            repair.told_chapter.get_or_insert(chapter);
        }
    })
}

/// Notes that the plan of `volume` was made by a planner who was told.
///
/// # Errors
/// When the marks cannot be read.
pub fn told_planner(
    reader: &dyn BookReader,
    volume: VolumeNo,
    changes: &mut Changes,
) -> Result<(), FileError> {
    told(reader, changes, |marks| {
        for repair in &mut marks.forward_repairs {
            repair.told_volume.get_or_insert(volume);
        }
    })
}

fn told(
    reader: &dyn BookReader,
    changes: &mut Changes,
    note: impl FnOnce(&mut Marks),
) -> Result<(), FileError> {
    let Some(mut marks) = Document::<Marks>::load(reader, &layout::marks())? else {
        return Ok(());
    };
    let before = marks.clone();
    marks.edit(note);
    if marks != before {
        changes.write(layout::marks(), marks.to_text());
    }
    Ok(())
}
