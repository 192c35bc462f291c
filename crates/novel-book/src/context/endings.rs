//! How earlier chapters ended, word for word: what a writer goes on from.

use std::ops::Range;

use novel_model::{
    BookReader, ChapterNo, Document, Slug, VolumeNo, files::GeneratedChapter, layout,
};
use novel_text::{Outline, OutlineBlock, ending, outline_block, parse_outline};

use super::{Cast, ContextError};

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
    volume: VolumeNo,
    chapter: ChapterNo,
    line: &Slug,
    pov: (&Cast, Option<&Slug>),
) -> Result<Vec<Ending>, ContextError> {
    let Some(previous) = chapter.previous() else {
        return Ok(Vec::new());
    };
    let mut told = Heads::new(reader, volume);
    let (cast, eyes) = pov;
    let same_line = |head: &Head| head.storyline == line.as_str();
    let same_eyes = |head: &Head| eyes.is_some() && cast.point_of_view(&head.pov).as_ref() == eyes;
    let mut heads = vec![
        told.find(chapter, |head| head.chapter == previous)?
            .unwrap_or(Head {
                volume,
                chapter: previous,
                storyline: String::new(),
                pov: String::new(),
            }),
    ];
    heads.extend(told.find(chapter, same_line)?);
    if eyes.is_some() {
        heads.extend(told.find(chapter, same_eyes)?);
    }
    heads.sort_by_key(|head| head.chapter);
    heads.dedup_by_key(|head| head.chapter);
    let mut endings = Vec::new();
    for head in heads {
        let path = layout::chapter_json(head.chapter);
        let Some(text) = Document::<GeneratedChapter>::load(reader, &path)? else {
            continue;
        };
        let Some(last) = text.get().scenes.last() else {
            continue;
        };
        endings.push(Ending {
            chapter: head.chapter,
            is_known_here: head.storyline.is_empty() || same_line(&head),
            storyline: (!head.storyline.is_empty()).then_some(head.storyline),
            pov: head.pov,
            text: ending(&last.content, CHARACTERS).to_owned(),
        });
    }
    Ok(endings)
}

/// What an outline says of a chapter.
#[derive(Debug, Clone)]
pub struct Head {
    /// The volume whose outline it is.
    pub volume: VolumeNo,
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub storyline: String,
    /// Whose eyes it is told through, as it is written.
    pub pov: String,
}

/// The outlines of the volumes, newest first, read as far back as is asked for.
pub struct Heads<'a> {
    reader: &'a dyn BookReader,
    /// The next volume to read.
    volume: Option<VolumeNo>,
    outlines: Vec<Told>,
}

/// An outline that was read.
struct Told {
    volume: VolumeNo,
    text: String,
    /// Where its blocks may lie, by their numbers; only reading one says what it is.
    places: Vec<(u32, Range<usize>)>,
    /// All of its blocks, once they were asked for.
    outline: Option<Outline>,
}

impl Told {
    fn of(volume: VolumeNo, text: String) -> Self {
        let mut places: Vec<(u32, Range<usize>)> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with("### ") {
                if let Some((_, place)) = places.last_mut() {
                    place.end = at;
                }
                let digits = line.trim_start_matches(|char: char| !char.is_ascii_digit());
                let end = digits.find(|char: char| !char.is_ascii_digit());
                let number = digits[..end.unwrap_or(digits.len())].parse();
                places.push((number.unwrap_or(0), at..text.len()));
            }
            at += line.len();
        }
        Self {
            volume,
            text,
            places,
            outline: None,
        }
    }

    fn block(&self, chapter: ChapterNo) -> Option<OutlineBlock> {
        // A fence may hide a heading.
        if self.text.contains("```") || self.text.contains("~~~") {
            return outline_block(&self.text, chapter.get());
        }
        let mut places = self.places.iter();
        places.find_map(|(number, place)| {
            let is_wanted = *number == chapter.get();
            outline_block(
                self.text.get(place.clone()).filter(|_| is_wanted)?,
                chapter.get(),
            )
        })
    }
}

impl<'a> Heads<'a> {
    /// The outlines of `volume` and the ones before it.
    #[must_use]
    pub fn new(reader: &'a dyn BookReader, volume: VolumeNo) -> Self {
        Self {
            reader,
            volume: Some(volume),
            outlines: Vec::new(),
        }
    }

    /// What the outline says of a chapter.
    ///
    /// # Errors
    /// When an outline cannot be read.
    pub fn of(&mut self, chapter: ChapterNo) -> Result<Option<Head>, ContextError> {
        let mut at = 0;
        while self.read_to(at)? {
            let told = &self.outlines[at];
            if let Some(block) = told.block(chapter) {
                return Ok(head_of(told.volume, &block));
            }
            at += 1;
        }
        Ok(None)
    }

    /// Reads outlines until there are more than `at`; `false` where there are no more volumes.
    fn read_to(&mut self, at: usize) -> Result<bool, ContextError> {
        while self.outlines.len() <= at {
            let Some(volume) = self.volume else {
                return Ok(false);
            };
            self.volume = volume.previous();
            let text = self.reader.text(&layout::outline(volume))?;
            self.outlines
                .push(Told::of(volume, text.unwrap_or_default()));
        }
        Ok(true)
    }

    /// The newest chapter before `chapter` that is `wanted`.
    fn find(
        &mut self,
        chapter: ChapterNo,
        wanted: impl Fn(&Head) -> bool,
    ) -> Result<Option<Head>, ContextError> {
        let mut at = 0;
        while self.read_to(at)? {
            let told = &mut self.outlines[at];
            let outline = told
                .outline
                .get_or_insert_with(|| parse_outline(&told.text));
            let found = newest(told.volume, outline, chapter, &wanted);
            if found.is_some() {
                return Ok(found);
            }
            at += 1;
        }
        Ok(None)
    }
}

/// What a block says of its chapter.
fn head_of(volume: VolumeNo, block: &OutlineBlock) -> Option<Head> {
    let field = |key| block.field(key).unwrap_or_default().trim().to_owned();
    Some(Head {
        volume,
        chapter: ChapterNo::new(block.number)?,
        storyline: field("Storyline"),
        pov: field("POV"),
    })
}

fn newest(
    volume: VolumeNo,
    outline: &Outline,
    chapter: ChapterNo,
    wanted: impl Fn(&Head) -> bool,
) -> Option<Head> {
    let heads = outline.blocks.iter();
    let heads = heads.filter_map(|block| head_of(volume, block));
    let heads = heads.filter(|head| head.chapter < chapter);
    heads.filter(wanted).max_by_key(|head| head.chapter)
}
