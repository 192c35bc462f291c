//! `novel chapter list`, `novel read` and `novel diff`: chapters looked at. Writes nothing.

use novel_book::{
    manuscript::{self, Manuscript},
    operations::{FileChange, Fingerprint, KeptContents, Operation, OperationLog},
};
use novel_contract::look::{
    ChapterRow, ChapterState, ChaptersAnswer, ComparedWith, Flag, FlaggedBy,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, ErrorTable, Kind, Row, SceneNo, Slug, StepId,
    files::{
        ChapterContract, ChapterLog, CheckStatus, ConsistencyReport, Evaluation, GeneratedChapter,
        LogicReview, ReviewIssue,
    },
    layout, message,
};
use novel_store::StoreReader;
pub use novel_text::{Piece, PieceKind};
use novel_text::{parse_outline, word_diff};

use crate::{
    Book, BookError, Project,
    error::use_case_error,
    runner::ledger,
    write::{
        chapter::{self, ShownChapter},
        run::staged_candidate_text,
    },
};

/// Why two versions of a chapter cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDifference {
    /// The chapter is not in the book.
    #[error("chapter {chapter} is not in the book")]
    NotWritten {
        /// Requested chapter, which is not in the book.
        chapter: ChapterNo,
    },
    /// There is one version of it.
    #[error("chapter {chapter} has one version")]
    OneVersion {
        /// Requested chapter, whose text has a single version.
        chapter: ChapterNo,
    },
    /// The operation did not change its text.
    #[error("operation {operation} did not change chapter {chapter}")]
    NotChanged {
        /// Requested chapter, which `operation` left alone.
        chapter: ChapterNo,
        /// Operation number given with `--with`.
        operation: u64,
    },
}

impl ErrorTable for NoDifference {
    fn row(&self) -> Row<'_> {
        match self {
            Self::NotWritten { chapter } => {
                let number = chapter.get();
                Row::new(
                    Kind::Input,
                    "NO_SUCH_CHAPTER",
                    message!(
                        en: "chapter {number} is not in the book", zh: "第 {number} 章不在书中"
                    ),
                )
                .hint(message!(
                    en: "`novel chapter list` shows the chapters", zh: "`novel chapter list` 列出各章"
                ))
            }
            Self::OneVersion { chapter } => {
                let number = chapter.get();
                Row::new(
                    Kind::Input,
                    "ONE_VERSION",
                    message!(
                        en: "chapter {number} has not changed since it was written",
                        zh: "第 {number} 章写成之后没有改动过"
                    ),
                )
                .hint(message!(
                    en: "`novel log` lists what changed the book", zh: "`novel log` 列出对书的改动"
                ))
            }
            Self::NotChanged { chapter, operation } => {
                let number = chapter.get();
                Row::new(
                    Kind::Input,
                    "ONE_VERSION",
                    message!(
                        en: "operation {operation} did not change the text of chapter {number}",
                        zh: "操作 {operation} 没有改动第 {number} 章的正文"
                    ),
                )
                .hint(message!(
                    en: "`novel log` lists the operations; without `--with` the last change is shown",
                    zh: "`novel log` 列出操作；不加 `--with` 时显示最近一次改动"
                ))
            }
        }
    }
}

use_case_error! {
    /// Why a chapter cannot be compared.
    pub enum DiffError {
        /// The book cannot be read.
        Book(BookError),
        /// There is nothing to compare.
        Difference(NoDifference),
    }
}

/// The chapter was not chosen from so many drafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no draft {number} of chapter {chapter}")]
pub struct NoDraft {
    chapter: ChapterNo,
    number: u32,
}

impl ErrorTable for NoDraft {
    fn row(&self) -> Row<'_> {
        let (chapter, number) = (self.chapter.get(), self.number);
        Row::new(
            Kind::Input,
            "NO_SUCH_DRAFT",
            message!(
                en: "there is no draft {number} of chapter {chapter}",
                zh: "第 {chapter} 章没有草稿 {number}"
            ),
        )
        .hint(message!(
            en: "drafts are kept of chapters written with `novel continue --drafts N`",
            zh: "只有用 `novel continue --drafts N` 写的章节才保留多份草稿"
        ))
    }
}

use_case_error! {
    /// Why a draft cannot be read.
    pub enum ReadError {
        /// The book cannot be read.
        Book(BookError),
        /// There is no such draft.
        Draft(NoDraft),
    }
}

/// Every chapter: those in the book, the one being written, those planned in this volume.
///
/// # Errors
/// When a file of a chapter is damaged.
pub fn list(project: &Project) -> Result<ChaptersAnswer, BookError> {
    let chapters = project.look(|view| {
        let mut rows = Vec::new();
        let checkpoint = view.checkpoint.get();
        let pending = view.survey()?.chapters();
        let marks = novel_steps::walls::marks(view.reader()).map_err(BookError::from)?;
        let marks = marks.get();
        for chapter in (1..=checkpoint.last_completed_chapter).filter_map(ChapterNo::new) {
            let mut row = committed(view, chapter)?;
            row.published = chapter.get() <= marks.published_to;
            row.locked = marks.locked.contains(&chapter);
            if pending.contains(&chapter) {
                row.state = ChapterState::Pending;
            }
            rows.push(row);
        }
        rows.extend(coming(view)?);
        Ok::<_, BookError>(rows)
    })?;
    Ok(ChaptersAnswer {
        chapters,
        warnings: Vec::new(),
    })
}

fn committed(view: &Book<'_>, chapter: ChapterNo) -> Result<ChapterRow, BookError> {
    let reader = view.reader();
    let text = load(reader, chapter)?;
    let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
    let log = log.as_ref().map(Document::get);
    let evaluation = Document::<Evaluation>::load(reader, &layout::evaluation(chapter))?;
    Ok(ChapterRow {
        chapter,
        title: text
            .as_ref()
            .map(|text| text.chapter_title.clone())
            .unwrap_or_default(),
        state: ChapterState::Committed,
        words: text.as_ref().map(|text| text.total_words),
        scored_by: evaluation.as_ref().and_then(|it| it.get().scored_by()),
        overall: evaluation.and_then(|evaluation| evaluation.get().overall),
        gate_decision: log.and_then(|log| log.gate_decision),
        revisions: log.map_or(0, |log| log.revisions),
        storyline_id: log.map(|log| log.storyline_id.clone()),
        edited: match &text {
            Some(text) => manuscript::differs(reader, text)?,
            None => false,
        },
        published: false,
        locked: false,
    })
}

/// The chapter being written and those planned after it.
fn coming(view: &Book<'_>) -> Result<Vec<ChapterRow>, BookError> {
    let (reader, checkpoint) = (view.reader(), view.checkpoint.get());
    let volume = checkpoint.current_volume;
    let Some(outline) = reader.text(&layout::outline(volume))? else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for block in parse_outline(&outline).blocks {
        let Some(chapter) = ChapterNo::new(block.number) else {
            continue;
        };
        if chapter.get() <= checkpoint.last_completed_chapter {
            continue;
        }
        let path = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load(reader, &path)?;
        let storyline_id: Option<Slug> =
            contract.map(|contract| contract.get().storyline_id.clone());
        let in_flight = checkpoint.inflight_chapter == Some(chapter);
        rows.push(ChapterRow {
            chapter,
            title: block.title,
            state: if in_flight {
                ChapterState::InFlight
            } else {
                ChapterState::Planned
            },
            words: None,
            overall: None,
            scored_by: None,
            gate_decision: None,
            revisions: 0,
            storyline_id,
            edited: false,
            published: false,
            locked: false,
        });
    }
    Ok(rows)
}

fn load(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<GeneratedChapter>, BookError> {
    let path = layout::chapter_json(chapter);
    let text = Document::<GeneratedChapter>::load(reader, &path)?;
    Ok(text.map(Document::into_value))
}

/// A chapter to read, with what was flagged in it.
#[derive(Debug)]
pub struct Reading {
    /// The chapter.
    pub shown: ShownChapter,
    /// What was flagged.
    pub flagged: Vec<Flag>,
}

/// A chapter to read: the one being written or else the newest, unless one is named.
///
/// # Errors
/// When there is no such chapter, or a file of it is damaged.
pub fn read(
    project: &Project,
    chapter: Option<ChapterNo>,
    scene: Option<SceneNo>,
) -> Result<Reading, BookError> {
    let newest = project.look(|view| {
        let checkpoint = view.checkpoint.get();
        let staged = checkpoint.inflight_chapter;
        let has_text = match staged {
            Some(staged) => view.staged_of(staged)?.text.is_some(),
            None => false,
        };
        let newest = checkpoint.last_chapter().unwrap_or(ChapterNo::first());
        Ok::<_, BookError>(staged.filter(|_| has_text).unwrap_or(newest))
    })?;
    let chapter = chapter.unwrap_or(newest);
    let shown = chapter::show(project, chapter, scene)?;
    let flagged = project.look(|view| flagged(view, chapter))?;
    Ok(Reading { shown, flagged })
}

/// One of the drafts a chapter was chosen from, as it came: from staging, or after the commit from the
/// ledger of answers.
///
/// # Errors
/// When the chapter was not chosen from so many drafts, or a file cannot be read.
pub fn draft(
    project: &Project,
    chapter: ChapterNo,
    number: u32,
) -> Result<ShownChapter, ReadError> {
    let path = layout::staged_candidate(chapter, number);
    let text = project.store().look(|reader| {
        if let Some(text) = reader.text(&path)? {
            return Ok::<_, ReadError>(Some(text));
        }
        // A draft that was put away is known by its hash, and stands in the ledger of answers.
        let log = OperationLog::read(reader)?;
        let mut changes = log.operations.iter().rev().flat_map(Operation::changes);
        let written = changes.find_map(|(_, change)| match change {
            FileChange::Created { path: made, after } if *made == path => Some(after.clone()),
            _ => None,
        });
        let Some(written) = written else {
            return Ok(None);
        };
        let step = StepId::Chapter(chapter, ChapterStage::Draft);
        let texts = ledger::texts(reader, step)?.into_iter();
        let mut drafts = texts.map(|text| staged_candidate_text(&text));
        Ok(drafts.find(|text| Fingerprint::of(text) == written))
    })?;
    let text = text.ok_or(NoDraft { chapter, number })?;
    let lang = project.config().lang();
    Ok(ShownChapter {
        chapter: Manuscript::from_markdown(chapter, &text, lang).chapter,
        source: chapter::Source::Draft,
    })
}

fn flagged(view: &Book<'_>, chapter: ChapterNo) -> Result<Vec<Flag>, BookError> {
    let reader = view.reader();
    let mut flags = Vec::new();
    let evaluation = match Document::<Evaluation>::load(reader, &layout::evaluation(chapter))? {
        Some(evaluation) => Some(evaluation),
        None => Document::<Evaluation>::load(reader, &layout::staged_evaluation(chapter))?,
    };
    if let Some(evaluation) = evaluation {
        flags.extend(judged(evaluation.get()));
    }
    let path = layout::consistency(chapter);
    if let Some(report) = Document::<ConsistencyReport>::load(reader, &path)? {
        let issues = report.get().issues.iter();
        flags.extend(issues.map(|issue| reported(FlaggedBy::Consistency, issue)));
    }
    let path = layout::logic_review(chapter);
    if let Some(report) = Document::<LogicReview>::load(reader, &path)? {
        let issues = report.get().issues.iter();
        flags.extend(issues.map(|issue| reported(FlaggedBy::LogicReview, issue)));
    }
    Ok(flags)
}

/// What the judge found: broken rules with their quotations, then what is to be repaired.
pub(crate) fn judged(evaluation: &Evaluation) -> Vec<Flag> {
    let contracts = &evaluation.contract_verification;
    let checks = contracts
        .l1_checks
        .iter()
        .chain(&contracts.l2_checks)
        .chain(&contracts.l3_checks)
        .chain(&contracts.ls_checks);
    let broken =
        checks.filter(|check| check.status == CheckStatus::Violation && check.withdrawn.is_none());
    let mut flags: Vec<Flag> = broken
        .map(|check| Flag {
            by: FlaggedBy::Judge,
            what: match &check.detail {
                Some(detail) => format!("{}: {detail}", check.rule_id),
                None => check.rule_id.clone(),
            },
            severity: None,
            quotation: check.evidence.clone(),
            repair: None,
        })
        .collect();
    flags.extend(evaluation.required_fixes.iter().map(|fix| Flag {
        by: FlaggedBy::Judge,
        what: fix.instruction.clone(),
        severity: None,
        quotation: None,
        repair: (!fix.target.is_empty()).then(|| fix.target.clone()),
    }));
    flags
}

fn reported(by: FlaggedBy, issue: &ReviewIssue) -> Flag {
    Flag {
        by,
        what: issue.description.clone(),
        severity: Some(issue.severity),
        quotation: issue.evidence.clone(),
        repair: issue.fix_instructions.clone(),
    }
}

/// Two versions of a chapter.
#[derive(Debug)]
pub struct Difference {
    /// With what the text was compared.
    pub with: ComparedWith,
    /// The pieces of both, in order.
    pub pieces: Vec<Piece>,
}

/// What changed in a chapter: an edit that is not adopted, or else its last change, or the one an
/// operation made.
///
/// # Errors
/// When there is one version alone, or a file is damaged.
pub fn diff(
    project: &Project,
    chapter: ChapterNo,
    operation: Option<u64>,
) -> Result<Difference, DiffError> {
    let lang = project.config().lang();
    project.store().look(|reader| {
        let text = load(reader, chapter)?.ok_or(NoDifference::NotWritten { chapter })?;
        let now = manuscript::render(&text, lang);
        let edit = reader.text(&layout::chapter_markdown(chapter))?;
        if let (Some(edit), None) = (edit, operation)
            && edit != now
        {
            return Ok(Difference {
                with: ComparedWith::Edit,
                pieces: word_diff(&now, &edit),
            });
        }
        let (number, before) = version_before(reader, chapter, operation)?;
        Ok(Difference {
            with: ComparedWith::Operation { operation: number },
            pieces: word_diff(&manuscript::render(&before, lang), &now),
        })
    })
}

/// The text before the last operation that changed it, or before a given one.
fn version_before(
    reader: &StoreReader,
    chapter: ChapterNo,
    wanted: Option<u64>,
) -> Result<(u64, GeneratedChapter), DiffError> {
    let path = layout::chapter_json(chapter);
    let log = OperationLog::read(reader)?;
    let newest_first = log.operations.iter().rev();
    for operation in
        newest_first.filter(|known| wanted.is_none_or(|wanted| wanted == known.operation))
    {
        // The oldest change inside an operation has what stood before all of it.
        let change = operation
            .changes()
            .find(|(_, change)| *change.path() == path);
        let Some((line, change)) = change else {
            continue;
        };
        let Ok(bytes) = reader.kept_before(line, change) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let before = Document::<GeneratedChapter>::parse(&path, &text)?;
        return Ok((operation.operation, before.into_value()));
    }
    Err(match wanted {
        Some(operation) => NoDifference::NotChanged { chapter, operation },
        None => NoDifference::OneVersion { chapter },
    }
    .into())
}
