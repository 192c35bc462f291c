//! `novel export`: the book as one file, from chapter JSON only.

use std::{io::Write, ops::RangeInclusive};

use novel_book::context::VolumeBounds;
use novel_export::{BookInfo, ChapterSource, Cover, ExportError, VolumeInfo};
pub use novel_export::{ExportFormat, ExportReport};
use novel_model::{
    BookReader, ChapterNo, Document, ErrorTable, Kind, Row, VolumeNo, files::GeneratedChapter,
    layout, message,
};
pub use novel_store::{Existing, NewFile};
use novel_store::{Store, StoreError, StoreReader};
use novel_text::parse_outline;

use crate::{BookError, Project, Refusal, error::use_case_error, library::edits, read_checkpoint};

/// What to export.
#[derive(Debug, Clone, Default)]
pub struct ExportRequest {
    /// First chapter; the book's first without it.
    pub first: Option<ChapterNo>,
    /// Last chapter; the newest without it.
    pub last: Option<ChapterNo>,
    /// What hand edits that are not adopted do.
    pub edits: Edits,
}

/// What hand edits that are not adopted do to an export, which has none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Edits {
    /// They stop it.
    #[default]
    Stop,
    /// They are left out knowingly.
    LeaveOut,
}

/// Chapters were edited by hand, and the edits would not be in the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} edited chapters are not adopted", chapters.len())]
pub struct UnadoptedEdits {
    /// Chapters of the exported range with such an edit.
    pub chapters: Vec<ChapterNo>,
}

impl ErrorTable for UnadoptedEdits {
    fn row(&self) -> Row<'_> {
        let numbers: Vec<String> = self.chapters.iter().map(|n| n.get().to_string()).collect();
        let (list, first) = (
            numbers.join(", "),
            numbers.first().cloned().unwrap_or_default(),
        );
        let message = if self.chapters.len() == 1 {
            message!(
                en: "chapter {list} was edited by hand, and the edit is not in the book",
                zh: "第 {list} 章有手工改动，尚未采纳"
            )
        } else {
            message!(
                en: "chapters {list} were edited by hand, and the edits are not in the book",
                zh: "第 {list} 章有手工改动，尚未采纳"
            )
        };
        Row::new(Kind::Input, "UNADOPTED_EDITS", message).hint(message!(
            en: "`novel diff {first}` shows the edit, `novel adopt {first}` adopts it; `--ignore-edits` exports without it",
            zh: "`novel diff {first}` 查看改动，`novel adopt {first}` 采纳；`--ignore-edits` 不带改动直接导出"
        ))
    }
}

use_case_error! {
    /// Why a book cannot be exported.
    pub enum BookExportError {
        /// It cannot be read.
        Book(BookError),
        /// A chapter or the cover does not fit the format, or the file cannot be written.
        Export(ExportError),
        /// Edits would not be in it.
        Edits(UnadoptedEdits),
    }
}

/// Writes the book to `out`, one chapter in memory at a time.
///
/// # Errors
/// When there is no such chapter, a chapter is damaged, or `out` cannot be written.
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
    if request.edits == Edits::Stop {
        let mut chapters = edits::edited(project, range.end().get())?;
        chapters.retain(|chapter| range.contains(chapter));
        if !chapters.is_empty() {
            return Err(UnadoptedEdits { chapters }.into());
        }
    }
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
    let is_mark = |c: char| c.is_whitespace() || ":：·—–-《》「」".contains(c);
    let rest = match heading.split_once('卷') {
        Some((number, rest)) if number.contains('第') => rest,
        _ => heading
            .split_once([':', '：', '—', '–'])
            .or_else(|| heading.split_once(" - "))
            .map_or("", |(_, rest)| rest),
    };
    let title = rest.trim_matches(is_mark);
    let title = ["大纲", "outline", "Outline"]
        .iter()
        .find_map(|word| title.strip_suffix(word))
        .unwrap_or(title)
        .trim_matches(is_mark);
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
