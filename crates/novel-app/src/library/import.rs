//! `novel import`: an existing novel becomes a project's chapters, all of them in one transaction.
//!
//! Imported chapters are committed chapters: JSON, rendering, log, a block of the outline and a
//! light contract, so that every later step finds what it finds for a chapter written here.

use std::collections::BTreeMap;

use novel_book::{
    config::{ApprovalPolicy, StyleConfig},
    edit::Changes,
    manuscript::Manuscript,
    operations::OperationLog,
};
use novel_contract::setup as contract;
use novel_import::oddities;
pub use novel_import::{EncodingName, HeadingPattern, Imported, Odd, Reading, import_all};
use novel_model::{
    BookReader, ChapterNo, Document, ErrorTable, Kind, Lang, RelPath, Row, Slug, VolumeNo, Warning,
    counted,
    files::{
        ChapterContract, ChapterLog, ChapterProgress, GeneratedChapter, Objective,
        OrchestratorState, PipelineStage, Postconditions, Preconditions, Progress, StoryState,
        Storyline, Storylines,
    },
    layout, message, to_json_text,
};
use novel_store::{Store, TxnKind, TxnLabel};
use novel_text::{OUTLINE_KEYS, count_words, normalize_title, render_chapter};

use crate::{
    BookError, Clock, OpenError, Project,
    error::use_case_error,
    history, read_checkpoint,
    setup::init::{self, InitOptions, Overwrite},
    write::advance::stamp_checkpoint,
    write::commit::add_progress,
};

/// The one line an imported book has until its author plans more.
const LINE: &str = "main-arc";

/// Longest chapter, in bytes: its file must stay below what the store reads.
const LONGEST_CHAPTER: usize = 12 * 1024 * 1024;

/// Why a book cannot take an import.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportRefusal {
    /// The target book already has written chapters.
    #[error("the book has {chapters} chapters already")]
    HasChapters {
        /// Number of those chapters.
        chapters: u32,
    },
    /// A chapter is being written, or a volume is planned.
    #[error("the book has been begun: `{path}`")]
    Begun {
        /// File that shows that the target book is under way.
        path: RelPath,
    },
    /// A chapter is larger than any file of a project may be.
    #[error("chapter {chapter} is too large")]
    ChapterTooLarge {
        /// Its number in the book.
        chapter: ChapterNo,
        /// Size of the chapter in bytes.
        bytes: usize,
    },
    /// No number is left for all chapters or volumes.
    #[error("too many chapters")]
    TooMany,
}

/// What the author says about the book.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Title; the source's without it.
    pub title: Option<String>,
    /// Author; the source's without it.
    pub author: Option<String>,
    /// Language; guessed from the text without it. A project that is there keeps its own.
    pub language: Option<Lang>,
}

/// Where the chapters go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A project is made for them.
    New,
    /// A project without chapters.
    Project,
}

/// One chapter as it will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChapter {
    /// Its number in the book.
    pub chapter: ChapterNo,
    /// Its volume.
    pub volume: VolumeNo,
    /// Its heading in the source; empty when there is none.
    pub heading: String,
    /// Its title in the book.
    pub title: String,
    /// Counted words.
    pub words: usize,
    /// What is odd about it.
    pub odd: Vec<Odd>,
}

/// An import, worked out and not written.
#[derive(Debug, Clone)]
pub struct ImportPlan {
    source: Imported,
    /// Title of the book.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its language.
    pub language: Lang,
    /// The chapters, in order.
    pub chapters: Vec<PlannedChapter>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// What an import wrote.
#[derive(Debug)]
pub struct ImportReport {
    /// The plan it followed.
    pub plan: ImportPlan,
    /// Where what stood before the first chapter is.
    pub front: Option<RelPath>,
    /// Whether a project was made.
    pub place: Place,
    /// Whether an earlier import wrote these very chapters.
    pub before: bool,
}

/// Whether a directory can take an import; `None` for one that is not there.
///
/// # Errors
/// When it holds a book that was begun, or files a new project would replace.
pub fn inspect(store: Option<&Store>) -> Result<Place, BookImportError> {
    let Some(store) = store else {
        return Ok(Place::New);
    };
    store.look(|reader| {
        if reader.read(&layout::checkpoint())?.is_none() {
            init::refuse_existing(reader)?;
            return Ok(Place::New);
        }
        refuse_begun(reader)?;
        Ok(Place::Project)
    })
}

/// Whether the book was imported from these very chapters, by a command that may have been killed
/// after it had written them. Later edits and chapters make it another book.
///
/// # Errors
/// When the project cannot be read.
pub fn is_imported(
    store: &Store,
    clock: Clock,
    plan: &ImportPlan,
) -> Result<bool, BookImportError> {
    let Some(last) = plan.chapters.last().map(|chapter| chapter.chapter) else {
        return Ok(false);
    };
    if store.reader()?.read(&layout::checkpoint())?.is_none() {
        return Ok(false);
    }
    let lang = Project::open(store.clone(), clock)?.config().lang();
    store.look(|reader| {
        let newest = read_checkpoint(reader)?.get().last_completed_chapter;
        let imported = history::imported_through(&OperationLog::read(reader)?);
        if imported != last.get() || newest != last.get() {
            return Ok(false);
        }
        for (chapter, source) in plan.chapters.iter().zip(&plan.source.chapters) {
            let (number, text) = (chapter.chapter, std::slice::from_ref(&source.text));
            let markdown = render_chapter(number, &chapter.title, text, lang);
            let manuscript = Manuscript::from_markdown(number, &markdown, lang);
            let path = layout::chapter_json(number);
            let there = Document::<GeneratedChapter>::load(reader, &path)?;
            if there.is_none_or(|there| *there.get() != manuscript.chapter) {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

impl ImportPlan {
    /// What an import that was done before wrote.
    #[must_use]
    pub fn done_before(self) -> ImportReport {
        let has_front = count_words(&self.source.front) > 0;
        ImportReport {
            plan: self,
            front: has_front.then(layout::imported_front),
            place: Place::Project,
            before: true,
        }
    }
}

fn refuse_begun(reader: &dyn BookReader) -> Result<(), BookImportError> {
    let checkpoint = read_checkpoint(reader)?;
    let chapters = checkpoint.get().last_completed_chapter;
    if chapters > 0 {
        return Err(ImportRefusal::HasChapters { chapters }.into());
    }
    let first = ChapterNo::first();
    let mut begun = vec![
        layout::chapter_json(first),
        layout::chapter_markdown(first),
        layout::staged_chapter(first),
        layout::outline(VolumeNo::first()),
    ];
    if checkpoint.get().inflight_chapter.is_some() {
        return Err(ImportRefusal::Begun {
            path: layout::checkpoint(),
        }
        .into());
    }
    for path in begun.drain(..) {
        if reader.read(&path)?.is_some() {
            return Err(ImportRefusal::Begun { path }.into());
        }
    }
    Ok(())
}

/// Works an import out. Writes nothing.
///
/// # Errors
/// When there are more chapters than numbers.
pub fn plan(source: Imported, options: &ImportOptions) -> Result<ImportPlan, ImportRefusal> {
    let mut chapters = Vec::new();
    for (index, (chapter, (words, odd))) in
        source.chapters.iter().zip(oddities(&source)).enumerate()
    {
        let number = u32::try_from(index + 1).ok().and_then(ChapterNo::new);
        let volume = u32::try_from(chapter.volume.unwrap_or_default() + 1).ok();
        let (Some(number), Some(volume)) = (number, volume.and_then(VolumeNo::new)) else {
            return Err(ImportRefusal::TooMany);
        };
        if chapter.text.len() > LONGEST_CHAPTER {
            return Err(ImportRefusal::ChapterTooLarge {
                chapter: number,
                bytes: chapter.text.len(),
            });
        }
        chapters.push(PlannedChapter {
            chapter: number,
            volume,
            heading: chapter.heading.clone(),
            title: normalize_title(&chapter.title),
            words,
            odd,
        });
    }
    let mut warnings = source.warnings.clone();
    warnings.extend(shifted(&source));
    let given =
        |own: &Option<String>, found: &Option<String>| own.clone().or_else(|| found.clone());
    Ok(ImportPlan {
        title: given(&options.title, &source.title),
        author: given(&options.author, &source.author),
        language: options.language.unwrap_or_else(|| language_of(&source)),
        chapters,
        warnings,
        source,
    })
}

/// The book counts through; a source that counts otherwise is told of.
fn shifted(source: &Imported) -> Option<Warning> {
    let (place, chapter) = (1..)
        .zip(&source.chapters)
        .find(|(place, chapter)| chapter.number.is_some_and(|number| number != *place))?;
    let heading = &chapter.heading;
    Some(Warning::new(
        "renumbered",
        message!(
            en: "chapters are numbered consecutively: `{heading}` becomes chapter {place}",
            zh: "章节按顺序统一编号：`{heading}` 成为第 {place} 章"
        ),
    ))
}

/// Han characters make a Chinese book.
fn language_of(source: &Imported) -> Lang {
    let text: String = source
        .chapters
        .iter()
        .take(3)
        .flat_map(|chapter| chapter.text.chars().take(2000))
        .collect();
    let han = text
        .chars()
        .filter(|char| ('\u{4E00}'..='\u{9FFF}').contains(char));
    if han.count() * 2 >= count_words(&text) {
        Lang::Zh
    } else {
        Lang::En
    }
}

/// Writes an import: all chapters or none.
///
/// # Errors
/// When the place cannot take it, or cannot be written.
pub fn write(
    store: &Store,
    clock: Clock,
    plan: ImportPlan,
) -> Result<ImportReport, BookImportError> {
    let place = inspect(Some(store))?;
    if place == Place::New {
        let options = InitOptions {
            title: plan.title.clone(),
            author: plan.author.clone(),
            language: plan.language,
            genre: None,
            protagonist: None,
            conflict: None,
            style: StyleConfig::default(),
            approval: ApprovalPolicy::default(),
            brief: None,
            overwrite: Overwrite::Refuse,
        };
        drop(init::init(store, clock, &options)?);
    }
    let project = Project::open(store.clone(), clock)?;
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    refuse_begun(&reader)?;
    let last = plan.chapters.last().map(|chapter| chapter.chapter);
    let last = last.ok_or(ImportRefusal::TooMany)?;
    let mut changes = Changes::default();
    let line = LINE.parse::<Slug>()?;
    plan_chapters(&project, &plan, &line, &mut changes);
    plan_volumes(&project, &plan, &line, &mut changes);
    if reader.read(&layout::storylines())?.is_none() {
        changes.write(
            layout::storylines(),
            storylines(&line, project.config().lang()),
        );
    }
    // Nothing is known of the story before somebody reads it: a book may go on from there too.
    if reader.read(&layout::state())?.is_none() {
        let state = StoryState::initial();
        changes.write(layout::state(), to_json_text(&state));
    }
    let front = plan_front(&plan, &mut changes);
    let mut checkpoint = read_checkpoint(&reader)?;
    let volumes = plan
        .chapters
        .last()
        .map_or(VolumeNo::first(), |chapter| chapter.volume);
    checkpoint.edit(|checkpoint| {
        checkpoint.last_completed_chapter = last.get();
        checkpoint.current_volume = volumes.next();
        checkpoint.orchestrator_state = OrchestratorState::VolPlanning;
        checkpoint.pipeline_stage = Some(PipelineStage::Committed);
    });
    stamp_checkpoint(project.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    let label = TxnLabel::new(TxnKind::Import { last }, format!("chapter-{last}"));
    project.write(&writer, label, changes)?;
    Ok(ImportReport {
        plan,
        front,
        place,
        before: false,
    })
}

/// Text, rendering and log of every chapter, and the running totals.
fn plan_chapters(project: &Project, plan: &ImportPlan, line: &Slug, changes: &mut Changes) {
    let lang = project.config().lang();
    let mut totals = Progress::default();
    for (chapter, source) in plan.chapters.iter().zip(&plan.source.chapters) {
        let number = chapter.chapter;
        let text = std::slice::from_ref(&source.text);
        let markdown = render_chapter(number, &chapter.title, text, lang);
        let manuscript = Manuscript::from_markdown(number, &markdown, lang);
        let log = ChapterLog {
            chapter: number,
            storyline_id: line.clone(),
            started_at: Some(project.now().to_string()),
            stages: Vec::new(),
            gate_decision: None,
            revisions: 0,
            force_passed: false,
            judges: None,
            total_duration_ms: None,
            total_cost_usd: None,
            warnings: vec!["imported".to_owned()],
            violations: Vec::new(),
            summarized: None,
        };
        let progress = ChapterProgress {
            chapter: number,
            storyline_id: line.clone(),
            words: manuscript.chapter.total_words,
            overall: None,
            scored_by: None,
            gate: None,
            revisions: 0,
            markdown_hash: manuscript.hash,
        };
        add_progress(&mut totals, progress, None);
        changes.write(
            layout::chapter_json(number),
            to_json_text(&manuscript.chapter),
        );
        changes.write(layout::chapter_markdown(number), manuscript.markdown);
        changes.write(layout::chapter_log(number), to_json_text(&log));
    }
    changes.write(layout::progress(), to_json_text(&totals));
}

/// An outline for each volume, and a contract that asks of each chapter what it is.
fn plan_volumes(project: &Project, plan: &ImportPlan, line: &Slug, changes: &mut Changes) {
    let lang = project.config().lang();
    let mut outlines: BTreeMap<VolumeNo, String> = BTreeMap::new();
    for chapter in &plan.chapters {
        let outline = outlines.entry(chapter.volume).or_insert_with(|| {
            let index = usize::try_from(chapter.volume.get() - 1).unwrap_or_default();
            let title = plan.source.volumes.get(index);
            volume_heading(
                chapter.volume,
                title.map_or("", |volume| &volume.title),
                lang,
            )
        });
        outline.push_str(&block(chapter, line, lang));
        let contract = contract(chapter, line, lang);
        changes.write(
            layout::contract(chapter.volume, chapter.chapter),
            to_json_text(&contract),
        );
    }
    for (volume, outline) in outlines {
        changes.write(layout::outline(volume), outline);
    }
}

fn volume_heading(volume: VolumeNo, title: &str, lang: Lang) -> String {
    let number = volume.get();
    let title = normalize_title(title);
    let heading = match (lang, title.is_empty()) {
        (Lang::Zh, true) => format!("# 第 {number} 卷"),
        (Lang::Zh, false) => format!("# 第 {number} 卷 {title}"),
        (Lang::En, true) => format!("# Volume {number}"),
        (Lang::En, false) => format!("# Volume {number}: {title}"),
    };
    format!("{heading}\n")
}

fn block(chapter: &PlannedChapter, line: &Slug, lang: Lang) -> String {
    let number = chapter.chapter.get();
    let title = &chapter.title;
    let heading = match (lang, title.is_empty()) {
        (Lang::Zh, true) => format!("### 第 {number} 章"),
        (Lang::Zh, false) => format!("### 第 {number} 章: {title}"),
        (Lang::En, true) => format!("### Chapter {number}"),
        (Lang::En, false) => format!("### Chapter {number}: {title}"),
    };
    let keys = OUTLINE_KEYS.map(|key| match key {
        "Storyline" => format!("- **Storyline**: {line}\n"),
        key => format!("- **{key}**:\n"),
    });
    format!("\n{heading}\n{}", keys.concat())
}

fn contract(chapter: &PlannedChapter, line: &Slug, lang: Lang) -> ChapterContract {
    let told = if chapter.heading.is_empty() {
        &chapter.title
    } else {
        &chapter.heading
    };
    let description = match lang {
        Lang::Zh => format!("导入的章节，正文已定：{told}"),
        Lang::En => format!("imported, the text stands: {told}"),
    };
    ChapterContract {
        chapter: chapter.chapter,
        storyline_id: line.clone(),
        storyline_context: None,
        transition_hint: None,
        preconditions: Preconditions::default(),
        objectives: vec![Objective {
            id: format!("OBJ-{}-1", chapter.chapter.get()),
            kind: "plot".to_owned(),
            required: true,
            description,
        }],
        postconditions: Postconditions::default(),
        acceptance_criteria: Vec::new(),
        function: None,
        told_from: Vec::new(),
    }
}

fn storylines(line: &Slug, lang: Lang) -> String {
    let name = match lang {
        Lang::Zh => "主线",
        Lang::En => "Main line",
    };
    to_json_text(&Storylines {
        storylines: vec![Storyline {
            id: line.clone(),
            name: name.to_owned(),
            kind: "main_arc".to_owned(),
            scope: None,
            pov_characters: Vec::new(),
            affiliated_factions: Vec::new(),
            timeline: None,
            status: Some("active".to_owned()),
            description: None,
        }],
        relationships: Vec::new(),
    })
}

/// A blurb or a note before the first chapter is kept as a note of the author.
fn plan_front(plan: &ImportPlan, changes: &mut Changes) -> Option<RelPath> {
    let front = &plan.source.front;
    if count_words(front) == 0 {
        return None;
    }
    let path = layout::imported_front();
    changes.write(path.clone(), format!("{}\n", front.trim_end()));
    Some(path)
}

impl ImportPlan {
    /// Words of all chapters.
    #[must_use]
    pub fn words(&self) -> usize {
        self.chapters.iter().map(|chapter| chapter.words).sum()
    }

    /// How the bytes were read.
    #[must_use]
    pub fn encoding(&self) -> &str {
        &self.source.encoding
    }

    /// Headings of the volumes, in order.
    pub fn volumes(&self) -> impl Iterator<Item = &str> {
        self.source
            .volumes
            .iter()
            .map(|volume| volume.heading.as_str())
    }

    /// What was read, as answers tell it.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ImportedBook {
        contract::ImportedBook {
            title: self.title.clone(),
            author: self.author.clone(),
            language: match self.language {
                Lang::Zh => "zh-CN",
                Lang::En => "en",
            }
            .to_owned(),
            encoding: self.encoding().to_owned(),
            volumes: self.volumes().map(str::to_owned).collect(),
            chapters: self.chapters.iter().map(PlannedChapter::answer).collect(),
            words: self.words(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

impl PlannedChapter {
    fn answer(&self) -> contract::ImportedChapter {
        let oddity = |odd: &Odd| match odd {
            Odd::Empty => contract::Oddity::Empty,
            Odd::VeryShort => contract::Oddity::VeryShort,
            Odd::VeryLong => contract::Oddity::VeryLong,
            Odd::Gap { .. } => contract::Oddity::Gap,
            Odd::Duplicate => contract::Oddity::Duplicate,
            Odd::Unreadable => contract::Oddity::UnreadableNumber,
        };
        contract::ImportedChapter {
            chapter: self.chapter,
            volume: self.volume,
            heading: self.heading.clone(),
            title: self.title.clone(),
            words: self.words,
            odd: self.odd.iter().map(oddity).collect(),
        }
    }
}

impl ImportReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ImportWritten {
        contract::ImportWritten {
            plan: self.plan.answer(lang),
            written: true,
            already_imported: self.before,
            front: self.front.as_ref().map(RelPath::to_string),
            analysed: None,
            outline: None,
        }
    }
}

impl ErrorTable for ImportRefusal {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        let elsewhere = message!(
            en: "import into another directory: `novel import FILE --into DIR`",
            zh: "请导入到其他目录：`novel import FILE --into DIR`"
        );
        match self {
            Self::HasChapters { chapters } => row("BOOK_NOT_EMPTY", {
                let counted = counted(chapters, "chapter");
                message!(
                    en: "the book already has {counted}; import needs an empty one",
                    zh: "该作品已有 {chapters} 章；只能导入到空的作品"
                )
            })
            .hint(elsewhere)
            .fact("chapters", chapters),
            Self::Begun { path } => row(
                "BOOK_NOT_EMPTY",
                message!(
                    en: "the book is already under way (`{path}`); import needs an empty one",
                    zh: "该作品已经动笔（`{path}`）；只能导入到空的作品"
                ),
            )
            .hint(elsewhere)
            .fact("path", path.as_str()),
            Self::ChapterTooLarge { chapter, bytes } => {
                let (n, most) = (chapter.get(), LONGEST_CHAPTER);
                row("CHAPTER_TOO_LARGE", message!(
                    en: "chapter {n} has {bytes} bytes, more than the {most} allowed: headings were not recognised",
                    zh: "第 {n} 章有 {bytes} 字节，一章最多 {most} 字节：标题没有被识别"
                ))
                .hint(message!(
                    en: "put headings such as `Chapter 1` or `第一章` on lines of their own",
                    zh: "请让 `第一章`、`Chapter 1` 这样的标题各占一行"
                ))
                .fact("chapter", chapter)
                .fact("bytes", bytes)
            }
            Self::TooMany => row(
                "TOO_MANY_CHAPTERS",
                message!(
                    en: "there are too many chapters to number", zh: "章节太多，超出可用的编号"
                ),
            )
            .hint(message!(en: "import only a part of the file", zh: "请只导入文件的一部分")),
        }
    }
}

use_case_error! {
    /// Why a book cannot be imported.
    pub enum BookImportError {
        /// The project cannot be opened, read or written.
        Open(OpenError) from [BookError],
        /// The place or the text does not allow it.
        Refused(ImportRefusal),
    }
}
