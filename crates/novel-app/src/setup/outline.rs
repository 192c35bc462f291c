//! `novel import --outline FILE`: the author's own outline becomes the staged plan of the volume that
//! is due, or of the unwritten rest of the one that is being written.
//!
//! The outline is staged as it stands; contracts, schedule and foreshadowing are made from its keys. It
//! enters the book as any plan does, with `novel plan approve`.

use novel_book::{
    context::Cast,
    edit::{Changes, Edit},
};
use novel_contract::setup as contract;
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, Explain, FileError, Kind, Lang, Message, Place,
    Problem, RelPath, StepId, VolumeNo, VolumeStage, Warning, counted,
    files::{ChapterContract, OrchestratorState, Storylines},
    layout, message,
};
use novel_store::{TxnKind, TxnLabel};
use novel_story::plan::{self, Existing, Files, OutlineOf, Outlook};
use novel_text::{Outline, OutlineBlock, parse_outline};

use crate::{
    Book, BookError, Project, Refusal,
    error::use_case_error,
    setup::redo::remove_all,
    write::{advance::stamp_checkpoint, commit::CommitMode, volume},
};

/// An outline that was taken as a plan, or would be.
#[derive(Debug)]
pub struct OutlineReport {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter of the plan.
    pub chapters: (ChapterNo, ChapterNo),
    /// The staged files.
    pub files: Vec<RelPath>,
    /// Points of view nobody knew.
    pub newcomers: Vec<String>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// The outline of chapters that are not begun, to be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOutline {
    /// The outline as its file has it: the head, then the blocks of these chapters.
    pub markdown: String,
    /// Hash of this text, which an edit names to show that it saw it.
    pub hash: ContentHash,
}

/// An outline that does not fit as the plan of the volume.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the outline does not fit")]
pub struct OutlineRefused {
    name: String,
    volume: VolumeNo,
    problems: Vec<Problem>,
}

use_case_error! {
    /// Why an outline is not taken as a plan.
    pub enum OutlineError {
        /// No volume is to be planned, a chapter waits, or the book cannot be read or written.
        Book(BookError),
        /// The outline does not fit.
        Refused(OutlineRefused),
    }
}

impl Explain for OutlineRefused {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "OUTLINE_DOES_NOT_FIT"
    }

    fn message(&self) -> Message {
        let (name, volume, count) = (&self.name, self.volume.get(), self.problems.len());
        let problems = counted(count, "problem");
        message!(
            en: "`{name}` cannot be the plan of volume {volume}: {problems}",
            zh: "`{name}` 不能作为第 {volume} 卷的规划：{count} 个问题"
        )
    }

    fn hint(&self) -> Option<Message> {
        self.problems.first().and_then(|first| first.hint.clone())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Takes an outline as the plan of the volume that is due, or of the unwritten rest of the one that is
/// being written. `name` is what its file is called.
///
/// # Errors
/// When no volume is to be planned, a chapter waits for the author, or the outline does not fit; every
/// problem is at its line of the file, and nothing is written.
pub fn take(
    project: &Project,
    name: &str,
    text: &str,
    mode: CommitMode,
) -> Result<OutlineReport, OutlineError> {
    let text = text
        .strip_prefix('\u{FEFF}')
        .unwrap_or(text)
        .replace("\r\n", "\n");
    let outline = parse_outline(&text);
    if mode == CommitMode::DryRun {
        return project.look(|view| {
            let replanned = Edit::with(view.reader(), rest_of_volume(view, &outline)?);
            let view = project.view(&replanned).map_err(BookError::from)?;
            Ok(prepare(&view, name, &text, &outline)?.1)
        });
    }
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let replanned = rest_of_volume(&project.view(&reader)?, &outline)?;
    let replanned = Edit::with(&reader, replanned);
    let view = project.view(&replanned)?;
    let (changes, report) = prepare(&view, name, &text, &outline)?;
    let label = TxnLabel::new(TxnKind::Lifecycle, format!("outline-vol-{}", report.volume));
    project.write(&writer, label, changes)?;
    Ok(report)
}

fn prepare(
    view: &Book<'_>,
    name: &str,
    text: &str,
    outline: &Outline,
) -> Result<(Changes, OutlineReport), OutlineError> {
    let reader = view.reader();
    let checkpoint = view.checkpoint.get();
    let number = checkpoint.current_volume;
    let step = StepId::Volume(number, VolumeStage::Plan);
    check_due(view, step)?;
    let span = volume::span(view, number)?;
    let (config, first) = (view.config(), span.plan_first);
    // The author knows the file by the name it has outside the project.
    let file = name.rsplit('/').next().unwrap_or(name);
    let file = file
        .parse::<RelPath>()
        .unwrap_or_else(|_| layout::outline(number));
    let refused = |problems| OutlineRefused {
        name: name.to_owned(),
        volume: number,
        problems,
    };
    if !outline
        .blocks
        .iter()
        .any(|block| block.number >= first.get())
    {
        let problem = no_chapters(&file, first, outline, config.lang());
        return Err(refused(vec![problem]).into());
    }
    let cast = Cast::load(reader)?;
    let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
    let of = OutlineOf {
        volume: number,
        first,
        cast: &cast,
        lines: lines.as_ref().map(Document::get),
        lang: config.lang(),
    };
    let state = Outlook::load(reader, number, first)?.state;
    let answer = plan::completed(of.plan(outline), &cast, &state);
    let existing = Existing::load(reader, number, first)?;
    let mut files = plan::volume_files(&answer, &existing, number, config.lang());
    files.insert(layout::outline(number), text.to_owned());
    keep_goals(reader, number, outline, &mut files)?;
    let mut changes = Changes::default();
    for part in volume::parts(number) {
        remove_all(reader, &layout::staged(&part), &mut changes)?;
    }
    for (path, text) in &files {
        changes.write(layout::staged(path), text.clone());
    }
    let planned = Edit::with(reader, changes.clone());
    let check = volume::check_plan(config, &planned, number, &span)?;
    let mut findings = check.findings;
    if !findings.problems.is_empty() {
        for problem in &mut findings.problems {
            at_its_line(problem, &file, outline, number);
        }
        return Err(refused(findings.problems).into());
    }
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| checkpoint.go_to(OrchestratorState::VolPlanning));
    stamp_checkpoint(view.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
    let last = answer.chapters.last().map_or(first, |entry| entry.chapter);
    let newcomers = answer.new_characters.iter();
    let report = OutlineReport {
        volume: number,
        chapters: (first, last),
        files: files.keys().map(layout::staged).collect(),
        newcomers: newcomers
            .map(|person| person.display_name.clone())
            .collect(),
        warnings: findings.warnings,
    };
    Ok((changes, report))
}

/// What opens the unwritten rest of the volume that is being written for another plan: from the first
/// chapter of the outline that is not begun. Nothing in a book that stands elsewhere.
fn rest_of_volume(view: &Book<'_>, outline: &Outline) -> Result<Changes, BookError> {
    let mut changes = Changes::default();
    let mut checkpoint = view.checkpoint.clone();
    let (Some(bounds), Some(first)) = (view.volume_bounds()?, first_open(view)) else {
        return Ok(changes);
    };
    let mut planned = outline.blocks.iter().map(|block| block.number);
    let from = planned.find(|number| *number >= first.get());
    let from = from.and_then(ChapterNo::new).unwrap_or(first);
    // A plan with a gap is no plan: the outline goes on where the old plan ends at the latest.
    let from = from.min(bounds.last.next());
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(OrchestratorState::VolPlanning);
        checkpoint.plan_from = Some(from);
    });
    changes.write(layout::checkpoint(), checkpoint.to_text());
    Ok(changes)
}

/// The first chapter of the volume that is being written that is not begun.
fn first_open(view: &Book<'_>) -> Option<ChapterNo> {
    let checkpoint = view.checkpoint.get();
    let is_written = checkpoint.working_state() == OrchestratorState::Writing
        && checkpoint.trial_until.is_none()
        && checkpoint.rewrite.is_none();
    let begun = checkpoint.inflight_chapter.map(ChapterNo::next);
    is_written.then(|| begun.unwrap_or(checkpoint.next_chapter()))
}

/// The outline that another one may take the place of: the one that waits, or the chapters of the volume
/// that are not begun. Nothing where none of the two is there.
///
/// # Errors
/// When a file is damaged.
pub fn editable(project: &Project) -> Result<Option<OpenOutline>, BookError> {
    project.look(|view| {
        let reader = view.reader();
        let path = layout::outline(view.checkpoint.get().current_volume);
        let staged = reader.text(&layout::staged(&path))?;
        let text = match (staged, first_open(view)) {
            (Some(staged), _) => Some(staged),
            (None, Some(first)) => reader.text(&path)?.and_then(|text| since(&text, first)),
            (None, None) => None,
        };
        Ok(text.map(|markdown| OpenOutline {
            hash: ContentHash::of(&markdown),
            markdown,
        }))
    })
}

/// What an outline says before its chapters, and its chapters from one on.
fn since(text: &str, first: ChapterNo) -> Option<String> {
    let blocks = parse_outline(text).blocks;
    let head = blocks
        .first()
        .and_then(|block| text.split_once(&block.text));
    let head = head.map_or("", |(head, _)| head);
    let open = blocks.iter().filter(|block| block.number >= first.get());
    let open: Vec<&str> = open.map(|block| block.text.trim_end()).collect();
    (!open.is_empty()).then(|| format!("{head}{}\n", open.join("\n\n")))
}

/// A chapter whose block is as it was keeps what its contract says beyond the keys of an outline: goals,
/// rules, criteria, what the chapter is for.
fn keep_goals(
    reader: &dyn BookReader,
    volume: VolumeNo,
    outline: &Outline,
    files: &mut Files,
) -> Result<(), BookError> {
    let staged = reader.text(&layout::staged(&layout::outline(volume)))?;
    let waits = staged.is_some();
    let old = match staged {
        Some(staged) => Some(staged),
        None => reader.text(&layout::outline(volume))?,
    };
    let old = parse_outline(&old.unwrap_or_default());
    let said = |block: &OutlineBlock| {
        let fields = block.fields.iter();
        let fields: Vec<(String, String)> = fields
            .map(|field| (field.key.clone(), field.value.clone()))
            .collect();
        (block.title.clone(), fields)
    };
    for block in &outline.blocks {
        let same = old
            .block(block.number)
            .filter(|known| said(known) == said(block));
        let Some(chapter) = ChapterNo::new(block.number).filter(|_| same.is_some()) else {
            continue;
        };
        let path = layout::contract(volume, chapter);
        let place = if waits {
            layout::staged(&path)
        } else {
            path.clone()
        };
        let known = Document::<ChapterContract>::load_value(reader, &place)?;
        if let (Some(known), Some(text)) = (known, files.get_mut(&path)) {
            let mut made =
                Document::<ChapterContract>::parse(&path, text).map_err(FileError::from)?;
            made.edit(|made| {
                made.objectives = known.objectives;
                made.acceptance_criteria = known.acceptance_criteria;
                made.preconditions.required_world_rules = known.preconditions.required_world_rules;
                made.function = known.function;
            });
            *text = made.to_text();
        }
    }
    Ok(())
}

/// A volume is to be planned, or nothing of the book is there yet.
fn check_due(view: &Book<'_>, step: StepId) -> Result<(), OutlineError> {
    let checkpoint = view.checkpoint.get();
    let is_new = checkpoint.last_completed_chapter == 0
        && checkpoint.trial_until.is_none()
        && matches!(
            checkpoint.working_state(),
            OrchestratorState::Init | OrchestratorState::QuickStart
        );
    if !is_new && checkpoint.working_state() != OrchestratorState::VolPlanning {
        let next = view.next()?.step;
        return Err(Refusal::NotNow { asked: step, next }.into());
    }
    Ok(view.check_step_not_blocked(step)?)
}

fn no_chapters(file: &RelPath, first: ChapterNo, outline: &Outline, lang: Lang) -> Problem {
    let number = first.get();
    let what = match outline.bounds() {
        None => message!(en: "there are no chapter headings", zh: "没有章标题"),
        Some((_, last)) => message!(
            en: "the last chapter is {last}; the plan begins with chapter {number}",
            zh: "最后是第 {last} 章；规划应从第 {number} 章开始"
        ),
    };
    let heading = match lang {
        Lang::Zh => format!("### 第 {number} 章：章名"),
        Lang::En => format!("### Chapter {number}: Title"),
    };
    let keys = novel_text::OUTLINE_KEYS.join(", ");
    let hint = message!(
        en: "begin each chapter with a line such as `{heading}`, then write a line `- **Key**: value` for each of {keys}",
        zh: "每章以 `{heading}` 这样的一行开头，其下为以下各键各写一行 `- **键**: 值`：{keys}"
    );
    Problem::new("no_chapters", file, what).hint(hint)
}

/// A problem of a staged file is one of the outline it was made from.
fn at_its_line(problem: &mut Problem, file: &RelPath, outline: &Outline, volume: VolumeNo) {
    if problem.path != layout::staged(&layout::outline(volume)) {
        let block = outline.blocks.iter().find(|block| {
            let chapter = ChapterNo::new(block.number);
            let contract =
                chapter.map(|chapter| layout::staged(&layout::contract(volume, chapter)));
            contract.as_ref() == Some(&problem.path)
        });
        problem.place = match block {
            Some(block) => Place::Line {
                line: block.line,
                column: None,
            },
            None => Place::File,
        };
    }
    problem.path = file.clone();
}

impl OutlineReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, written: bool, lang: Lang) -> contract::OutlineTaken {
        contract::OutlineTaken {
            volume: self.volume,
            chapters: self.chapters,
            written,
            files: self.files.iter().map(RelPath::to_string).collect(),
            new_characters: self.newcomers.clone(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
