//! The one way through a book: volumes open before their first chapter in the range.

use std::ops::RangeInclusive;

use novel_model::{ChapterNo, files::GeneratedChapter};

use crate::{BookInfo, ChapterSource, ExportError, VolumeInfo};

/// Takes the parts of a book in reading order.
pub(crate) trait Sink {
    /// The chapters after this belong to `volume`.
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError>;
    /// The chapters after this belong to no volume.
    fn no_volume(&mut self);
    /// The next chapter.
    fn chapter(&mut self, chapter: &GeneratedChapter) -> Result<(), ExportError>;
}

/// What was walked through.
pub(crate) struct Walked {
    pub(crate) chapters: u32,
    pub(crate) words: u64,
}

/// Hands every chapter of the range to `sink`, holding one at a time.
pub(crate) fn walk(
    info: &BookInfo,
    range: RangeInclusive<ChapterNo>,
    source: &mut dyn ChapterSource,
    sink: &mut dyn Sink,
) -> Result<Walked, ExportError> {
    let (first, last) = range.into_inner();
    if first > last {
        return Err(ExportError::EmptyRange { first, last });
    }
    let mut walked = Walked {
        chapters: 0,
        words: 0,
    };
    let mut open: Option<usize> = None;
    for number in (first.get()..=last.get()).filter_map(ChapterNo::new) {
        let chapter = source.chapter(number)?;
        if chapter.chapter_number != number {
            return Err(ExportError::OtherChapter {
                asked: number,
                found: chapter.chapter_number,
            });
        }
        let holds = |volume: &VolumeInfo| (volume.first..=volume.last).contains(&number);
        let volume = info.volumes.iter().position(holds);
        if volume != open {
            match volume.and_then(|index| info.volumes.get(index)) {
                Some(volume) => sink.volume(volume)?,
                None => sink.no_volume(),
            }
            open = volume;
        }
        sink.chapter(&chapter)?;
        walked.chapters += 1;
        walked.words = walked.words.saturating_add(chapter.total_words);
    }
    Ok(walked)
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
