//! `novel report`: deterministic reports over committed chapters. Writes nothing.

use novel_model::VolumeNo;
use novel_steps::volumes::Volumes;
use novel_story::report::{Facts, Span};
pub use novel_story::report::{Page, Part, Report, Topic, due_word, scope_word};
pub use novel_text::{Canvas, Glyphs, Plot};

use crate::{BookError, Project, Refusal, read_checkpoint};

/// Which chapters a report is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// All that are written.
    Book,
    /// Those of one volume, as far as it is written.
    Volume(VolumeNo),
    /// From one to another, as far as they are written.
    Chapters {
        /// The first.
        first: Option<u32>,
        /// The last.
        last: Option<u32>,
    },
}

/// Reports over a range.
///
/// # Errors
/// When the volume is not planned, a chapter is not written, or a file is damaged.
pub fn report(project: &Project, range: Range) -> Result<Report, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let written = checkpoint.get().last_completed_chapter;
        let volumes = Volumes::load(reader, checkpoint.get().current_volume)?;
        let span = match range {
            Range::Volume(volume) => {
                let Some(bounds) = volumes.bounds_of(volume) else {
                    return Err(Refusal::NoSuchVolume { volume }.into());
                };
                Span::volume(volume, bounds, written)
            }
            Range::Book => chapters(&volumes, 1, written),
            Range::Chapters { first, last } => {
                let (first, last) = (first.unwrap_or(1), last.unwrap_or(written));
                if let Some(chapter) = [first, last].into_iter().find(|n| *n > written || *n == 0) {
                    return Err(Refusal::NoSuchChapter {
                        chapter,
                        newest: written,
                    }
                    .into());
                }
                chapters(&volumes, first, last)
            }
        };
        let facts = Facts::gather(reader, project.config(), span)?;
        Ok(Report::of(&facts))
    })
}

fn chapters(volumes: &Volumes, first: u32, last: u32) -> Span {
    Span {
        first,
        last,
        volume: None,
        volumes: volumes.planned().to_vec(),
    }
}
