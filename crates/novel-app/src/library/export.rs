//! `novel export`: the book as one file, from chapter JSON only.

use std::{io::Write, ops::RangeInclusive};

use novel_book::context::VolumeBounds;
use novel_export::{BookInfo, ChapterSource, Cover, ExportError, VolumeInfo};
pub use novel_export::{ExportFormat, ExportReport};
use novel_model::{
    BookReader, ChapterNo, Document, VolumeNo, files::GeneratedChapter, layout, message,
};
pub use novel_store::{Existing, NewFile};
use novel_store::{Store, StoreError, StoreReader};
use novel_text::parse_outline;

use crate::{BookError, Project, Refusal, error::use_case_error, read_checkpoint};

/// What to export.
#[derive(Debug, Clone, Default)]
pub struct ExportRequest {
    /// First chapter; the book's first without it.
    pub first: Option<ChapterNo>,
    /// Last chapter; the newest without it.
    pub last: Option<ChapterNo>,
}

use_case_error! {
    /// Why a book cannot be exported.
    pub enum BookExportError {
        /// It cannot be read.
        Book(BookError),
        /// A chapter or the cover does not fit the format, or the file cannot be written.
        Export(ExportError),
    }
}

/// Writes the book to `out`, one chapter in memory at a time.
///
/// # Errors
/// When there is no such chapter, a chapter is damaged, or `out` can not be written.
pub fn export(
    project: &Project,
    format: ExportFormat,
    request: &ExportRequest,
    out: &mut dyn Write,
) -> Result<ExportReport, BookExportError> {
    let store = project.store();
    let (range, volumes, cover) = store.look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let checkpoint = checkpoint.get();
        let range = range(request, checkpoint.last_completed_chapter)?;
        let volumes = volumes(reader, checkpoint.current_volume)?;
        Ok::<_, BookExportError>((range, volumes, cover(reader)?))
    })?;
    let config = project.config();
    let title = config.title.clone().unwrap_or_else(|| "novel".to_owned());
    let mut info = BookInfo::new(
        title,
        config.author.clone(),
        config.lang(),
        project.now().to_string(),
    );
    info.volumes = volumes;
    info.cover = cover;
    let mut source = Committed { store };
    Ok(novel_export::export(
        format,
        &info,
        range,
        &mut source,
        out,
    )?)
}

fn range(request: &ExportRequest, newest: u32) -> Result<RangeInclusive<ChapterNo>, Refusal> {
    let first = request.first.unwrap_or(ChapterNo::first());
    let last = request.last.or(ChapterNo::new(newest));
    match last {
        Some(last) if last.get() <= newest && first <= last => Ok(first..=last),
        _ => {
            let asked = request.last.unwrap_or(first).get().max(first.get());
            Err(Refusal::NoSuchChapter {
                chapter: asked,
                newest,
            })
        }
    }
}

/// Planned volumes, as parts of the book.
fn volumes(reader: &dyn BookReader, current: VolumeNo) -> Result<Vec<VolumeInfo>, BookError> {
    let mut volumes = Vec::new();
    for number in (1..=current.get()).filter_map(VolumeNo::new) {
        let Some(text) = reader.text(&layout::outline(number))? else {
            continue;
        };
        if let Some(bounds) = VolumeBounds::of(&parse_outline(&text)) {
            let title = outline_title(&text);
            volumes.push(VolumeInfo {
                number,
                title,
                first: bounds.first,
                last: bounds.last,
            });
        }
    }
    Ok(volumes)
}

/// The title in `# 第一卷 …` or `# Volume 1: …`, without the number.
fn outline_title(outline: &str) -> Option<String> {
    let heading = outline
        .lines()
        .find_map(|line| line.strip_prefix("# "))?
        .trim();
    let rest = match heading.split_once('卷') {
        Some((number, rest)) if number.starts_with('第') => rest,
        _ => heading.split_once(':').map_or("", |(_, rest)| rest),
    };
    let title = rest.trim_matches(|c: char| c.is_whitespace() || ":：".contains(c));
    (!title.is_empty()).then(|| title.to_owned())
}

fn cover(reader: &dyn BookReader) -> Result<Option<Cover>, BookExportError> {
    for path in layout::covers() {
        if let Some(bytes) = reader.read(&path)? {
            return Ok(Some(Cover::from_bytes(bytes)?));
        }
    }
    Ok(None)
}

/// The committed chapters, each as it is when its turn comes.
struct Committed<'a> {
    store: &'a Store,
}

impl ChapterSource for Committed<'_> {
    fn chapter(&mut self, number: ChapterNo) -> Result<GeneratedChapter, ExportError> {
        let load = |reader: &StoreReader| {
            let hint = message!(
                en: "run `novel doctor` to see what else is missing",
                zh: "运行 `novel doctor` 查看还缺少什么"
            );
            let path = layout::chapter_json(number);
            Ok::<_, StoreError>(Document::require(reader, &path, hint))
        };
        self.store
            .look(load)
            .map_err(|error| ExportError::chapter(number, error))?
            .map(Document::into_value)
            .map_err(|error| ExportError::chapter(number, error))
    }
}
