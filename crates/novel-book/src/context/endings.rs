//! How earlier chapters ended, word for word: what a writer goes on from.

use novel_model::{BookReader, ChapterNo, Document, Slug, files::GeneratedChapter, layout};
use novel_text::ending;

use super::{Cast, ContextError};
use crate::plans::{Head, Heads};

/// Characters of an ending.
const CHARACTERS: usize = 800;

/// The end of an earlier chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line; unknown where no outline has the chapter.
    pub storyline: Option<String>,
    /// Whose eyes it was told through, as its outline says it.
    pub pov: String,
    /// Whether it is of the line of the chapter to be written. The people of that line do not know
    /// what happened on another one.
    pub is_known_here: bool,
    /// The text.
    pub text: String,
}

/// The end of the chapter before `chapter`, and of the last one on its line and the last one told
/// through the same eyes where these are others; oldest first.
///
/// # Errors
/// When an outline or a chapter cannot be read.
pub fn endings(
    reader: &dyn BookReader,
    told: &mut Heads<'_>,
    chapter: ChapterNo,
    line: &Slug,
    pov: (&Cast, Option<&Slug>),
) -> Result<Vec<Ending>, ContextError> {
    let Some(previous) = chapter.previous() else {
        return Ok(Vec::new());
    };
    let (cast, eyes) = pov;
    let same_line = |head: &Head| head.storyline == line.as_str();
    let same_eyes = |head: &Head| eyes.is_some() && cast.point_of_view(&head.pov).as_ref() == eyes;
    let before = told.newest(chapter, |head| head.chapter == previous)?;
    let mut heads = vec![(previous, before)];
    let numbered = |head: Head| (head.chapter, Some(head));
    heads.extend(told.newest(chapter, same_line)?.map(numbered));
    if eyes.is_some() {
        heads.extend(told.newest(chapter, same_eyes)?.map(numbered));
    }
    heads.sort_by_key(|(chapter, _)| *chapter);
    heads.dedup_by_key(|(chapter, _)| *chapter);
    let mut endings = Vec::new();
    for (chapter, head) in heads {
        // A chapter no outline has, such as an imported one, is of no line.
        let (storyline, pov) = head.map_or_else(Default::default, |it| (it.storyline, it.pov));
        let path = layout::chapter_json(chapter);
        let Some(text) = Document::<GeneratedChapter>::load(reader, &path)? else {
            continue;
        };
        let Some(last) = text.get().scenes.last() else {
            continue;
        };
        endings.push(Ending {
            chapter,
            is_known_here: storyline.is_empty() || storyline == line.as_str(),
            storyline: (!storyline.is_empty()).then_some(storyline),
            pov,
            text: ending(&last.content, CHARACTERS).to_owned(),
        });
    }
    Ok(endings)
}
