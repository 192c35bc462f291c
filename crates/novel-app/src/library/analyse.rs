//! `novel import --analyse`: an imported book gets what a book written here has.
//!
//! First the book-reader goes through the chapters: cast, places, rules and threads, with quotations,
//! are one transaction. Then the summarizer reads them in order, with the cast known; summary, state,
//! cross-references and memory of a chapter are one more. A chapter whose summary is of its very text
//! is passed over, so the analysis can be stopped and gone on with at any time; answers that arrived
//! are never bought again. An agent whose answers cannot be used costs a chapter, not the analysis.
//! Last the style-analyzer reads samples of the text; the figures of the style are the program's.

mod read;
mod style;

use novel_book::{
    config::ExecutorKind,
    edit::Edit,
    manuscript::{self, Manuscript},
    operations::OperationLog,
};
use novel_contract::setup as contract;
use novel_llm::Usage;
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, ErrorTable, Explain, Kind, Lang, Message, Row,
    StepId, Warning,
    files::{ChapterLog, GeneratedChapter, ImportedReading, StoryEnd},
    layout, message,
};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_story::reading::Brought;
use novel_text::estimate_tokens;

use crate::{
    BookError, Project,
    error::use_case_error,
    history, read_checkpoint,
    revise::rewrite::{Parts, Rewrite, moment, summarise},
    runner::{AskError, Inquiry, Reuse, Runner, Spent},
};

/// Tokens of a usual answer, for the estimate.
const USUAL_ANSWER: u64 = 1_500;

/// The book has no imported chapters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the book was not imported")]
pub struct NotImported;

/// What an analysis would take.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Chapters to read.
    pub chapters: usize,
    /// Chapters that are analysed already.
    pub done: usize,
    /// Calls that read people, places, rules and threads; zero when that was done.
    pub readings: u64,
    /// Whether the style is to be analysed.
    pub style: bool,
    /// Who runs the summarizer.
    pub executor: ExecutorKind,
    /// Which model.
    pub model: String,
    /// Tokens it will read, about.
    pub input_tokens: u64,
    /// Tokens it will write, about.
    pub output_tokens: u64,
    /// US dollars, about; `None` when no price is known.
    pub cost_usd: Option<f64>,
}

/// What an analysis did.
#[derive(Debug, Default)]
pub struct AnalyseReport {
    /// Chapters it analysed.
    pub analysed: u32,
    /// Chapters that were analysed already, or have nothing to read.
    pub skipped: u32,
    /// Chapters for which the summarizer gave no usable answer.
    pub failed: Vec<ChapterNo>,
    /// What was found of the story; `None` when it was read before.
    pub found: Option<Found>,
    /// Entries of answers that the text does not bear out.
    pub dropped: usize,
    /// Whether the style was analysed.
    pub style: bool,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// What was found of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// People who are in the cast.
    pub people: usize,
    /// People who are in too few chapters for the cast.
    pub left_out: usize,
    /// Places.
    pub places: usize,
    /// Rules of the world.
    pub rules: usize,
    /// Threads that are open at the end.
    pub open_threads: usize,
    /// Threads that are resolved.
    pub resolved_threads: usize,
    /// Whether the story is told to its end.
    pub story: StoryEnd,
}

impl Found {
    fn of(record: &ImportedReading, left_out: usize) -> Self {
        let open_threads = Brought::open_threads(record);
        Self {
            people: record.people.len() - left_out,
            left_out,
            places: record.places.len(),
            rules: record.rules.len(),
            open_threads,
            resolved_threads: record.threads.len() - open_threads,
            story: record.story,
        }
    }
}

/// Where and why the analysis goes no further.
struct Halt {
    chapter: ChapterNo,
    cause: Option<AskError>,
}

impl Halt {
    fn at(chapter: ChapterNo, cause: impl Into<AskError>) -> Self {
        let cause = Some(cause.into());
        Self { chapter, cause }
    }

    /// The author stopped it.
    const fn asked_for(chapter: ChapterNo) -> Self {
        let cause = None;
        Self { chapter, cause }
    }
}

/// An analysis that did not reach the last chapter.
#[derive(Debug, thiserror::Error)]
#[error("the analysis stopped")]
pub struct AnalyseStopped {
    /// Chapters analysed and money spent before the stop.
    pub report: Box<AnalyseReport>,
    /// First chapter that was not analysed.
    pub chapter: ChapterNo,
    interrupted: bool,
    cause: Option<Box<AskError>>,
}

/// What the analysis of an imported book would take. Writes nothing.
///
/// # Errors
/// When the book was not imported, or a file is damaged.
pub fn estimate(runner: &Runner<'_>) -> Result<Estimate, AnalyseError> {
    let project = runner.project;
    project.store().look(|reader| {
        let imported = imported(reader)?;
        let model = runner.executor.model_for(&["summarizer"]);
        let mut estimate = Estimate {
            chapters: 0,
            done: 0,
            readings: 0,
            style: false,
            executor: runner.executor.kind(),
            model,
            input_tokens: 0,
            output_tokens: 0,
            cost_usd: None,
        };
        if let Some((calls, tokens)) = read::estimate(runner, reader, imported)? {
            estimate.readings = calls;
            estimate.input_tokens += tokens;
            estimate.output_tokens += calls * USUAL_ANSWER;
        }
        let mut around = None;
        for chapter in chapters(imported) {
            let Some(manuscript) = unread(project, reader, chapter)? else {
                estimate.done += 1;
                continue;
            };
            let text = estimate_tokens(&manuscript.markdown);
            let around = match around {
                Some(around) => around,
                None => *around.insert(around_text(runner, reader, &manuscript)?),
            };
            estimate.chapters += 1;
            estimate.input_tokens += text + around;
            estimate.output_tokens += USUAL_ANSWER;
        }
        if let Some(style) = style::prompt_tokens(runner, reader, imported)? {
            estimate.style = true;
            estimate.input_tokens += style;
            estimate.output_tokens += USUAL_ANSWER;
        }
        let usage = Usage {
            input: Some(estimate.input_tokens),
            output: Some(estimate.output_tokens),
            ..Usage::default()
        };
        if estimate.executor != ExecutorKind::Offline {
            estimate.cost_usd = runner.budget.prices.cost(&estimate.model, &usage);
        }
        Ok(estimate)
    })
}

/// Tokens of a prompt of the summarizer without the text of the chapter.
fn around_text(
    runner: &Runner<'_>,
    reader: &dyn BookReader,
    manuscript: &Manuscript,
) -> Result<u64, AskError> {
    let chapter = manuscript.chapter.chapter_number;
    let checkpoint = read_checkpoint(reader)?;
    let (volume, _) = Volumes::load(reader, checkpoint.get().current_volume)?.of(chapter.get());
    let mut book = Edit::on(reader);
    let heading = manuscript.markdown.lines().next().unwrap_or_default();
    book.write(layout::staged_chapter(chapter), heading);
    let then = moment(&checkpoint, chapter, volume);
    let step = StepId::Chapter(chapter, ChapterStage::Summarize);
    Ok(Inquiry::of_step(runner, &book, then.get(), step)?
        .prompt
        .tokens())
}

/// Analyses an imported book from where an earlier analysis stopped.
///
/// # Errors
/// When the book was not imported, or something stops the analysis; what was done before stays and
/// is told with the error.
pub fn analyse(runner: &Runner<'_>) -> Result<AnalyseReport, AnalyseError> {
    let project = runner.project;
    let imported = project.store().look(|reader| imported(reader))?;
    let writer = project.store().acquire(Some(ChapterNo::first()))?;
    let _alive = writer.heartbeat();
    let mut report = AnalyseReport {
        warnings: runner.executor.begin_run(),
        ..AnalyseReport::default()
    };
    let last = ChapterNo::new(imported).unwrap_or(ChapterNo::first());
    let label = TxnLabel::new(TxnKind::Analyse { chapter: last }, "book");
    writer.operation(label, None)?;
    match read_all(runner, &writer, imported, &mut report) {
        Ok(()) => {
            writer.finish_operation(project.now())?;
            report.warnings.extend(passed_over(&report.failed));
            Ok(report)
        }
        Err(Halt { chapter, cause }) => Err(AnalyseStopped {
            report: Box::new(report),
            chapter,
            interrupted: runner.cancel.is_cancelled(),
            cause: cause.map(Box::new),
        }
        .into()),
    }
}

fn read_all(
    runner: &Runner<'_>,
    writer: &Writer,
    imported: u32,
    report: &mut AnalyseReport,
) -> Result<(), Halt> {
    let last = ChapterNo::new(imported).unwrap_or(ChapterNo::first());
    let check = |chapter| -> Result<(), AskError> {
        let reader = writer.reader()?;
        Ok(runner.project.view(&reader)?.check_not_blocked(chapter)?)
    };
    check(last).map_err(|error| Halt::at(last, error))?;
    read::bring_in(runner, writer, imported, report)?;
    for chapter in chapters(imported) {
        if runner.cancel.is_cancelled() {
            return Err(Halt::asked_for(chapter));
        }
        match analyse_chapter(runner, writer, chapter, report) {
            Ok(()) => {}
            // The chapter stays without a summary; the next analysis asks for it again.
            Err(error) if error.is_unusable_answer() => report.failed.push(chapter),
            Err(error) => return Err(Halt::at(chapter, error)),
        }
    }
    style::analyse(runner, writer, imported, report).map_err(|error| Halt::at(last, error))
}

fn passed_over(chapters: &[ChapterNo]) -> Option<Warning> {
    let numbers: Vec<String> = chapters.iter().map(|it| it.get().to_string()).collect();
    if numbers.is_empty() {
        return None;
    }
    let (en, zh) = (numbers.join(", "), numbers.join("、"));
    Some(Warning::new(
        "chapters_not_summarised",
        message!(
            en: "no usable summary of chapter {en}; run `novel import --analyse` again to retry",
            zh: "第 {zh} 章没有得到可用的摘要；再次运行 `novel import --analyse` 即可重试"
        ),
    ))
}

fn analyse_chapter(
    runner: &Runner<'_>,
    writer: &Writer,
    chapter: ChapterNo,
    report: &mut AnalyseReport,
) -> Result<(), AskError> {
    let project = runner.project;
    let reader = writer.reader()?;
    let Some(manuscript) = unread(project, &reader, chapter)? else {
        report.skipped += 1;
        return Ok(());
    };
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    let guard = writer.guard();
    guard
        .name_chapter(chapter)
        .map_err(novel_store::StoreError::from)?;
    let summarised = summarise(
        runner,
        writer,
        &mut report.spent,
        &view.checkpoint,
        chapter,
        &manuscript.markdown,
        Reuse::Kept,
    )?;
    let reader = writer.reader()?;
    let plan = Rewrite {
        config: project.config(),
        reader: &reader,
        checkpoint: &view.checkpoint,
        manuscript: &manuscript,
        summarised: &summarised,
        parts: Parts::Text,
    }
    .plan()?;
    let kind = TxnKind::Analyse { chapter };
    let label = TxnLabel::new(kind, format!("chapter-{chapter}"));
    project.write(writer, label, plan.changes)?;
    report.analysed += 1;
    report.warnings.extend(plan.warnings);
    Ok(())
}

/// The last imported chapter.
fn imported(reader: &dyn BookReader) -> Result<u32, AnalyseError> {
    let newest = read_checkpoint(reader)?.get().last_completed_chapter;
    match history::imported_through(&OperationLog::read(reader)?).min(newest) {
        0 => Err(NotImported.into()),
        last => Ok(last),
    }
}

fn chapters(last: u32) -> impl Iterator<Item = ChapterNo> {
    (1..=last).filter_map(ChapterNo::new)
}

/// A chapter whose summary is missing or of another text; one with nothing to read has none.
fn unread(
    project: &Project,
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<Manuscript>, BookError> {
    let hint = message!(
        en: "run `novel doctor` to see what else is missing",
        zh: "运行 `novel doctor` 查看还缺少什么"
    );
    let text = Document::<GeneratedChapter>::require(reader, &layout::chapter_json(chapter), hint)?;
    let lang = project.config().lang();
    let markdown = manuscript::render(text.get(), lang);
    let manuscript = Manuscript::from_markdown(chapter, &markdown, lang);
    let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
    let read = log.and_then(|log| log.get().summarized.clone());
    let is_read = read.as_ref() == Some(&manuscript.hash)
        && reader.read(&layout::summary(chapter))?.is_some();
    Ok(Some(manuscript).filter(|manuscript| !is_read && !manuscript.is_empty()))
}

impl Estimate {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::Estimate {
        contract::Estimate {
            chapters: self.chapters,
            done: self.done,
            readings: self.readings,
            style: self.style,
            executor: self.executor.answer(),
            model: self.model.clone(),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost_usd: self.cost_usd,
        }
    }
}

impl Found {
    fn answer(&self) -> contract::StoryFound {
        contract::StoryFound {
            people: self.people,
            left_out: self.left_out,
            places: self.places,
            rules: self.rules,
            open_threads: self.open_threads,
            resolved_threads: self.resolved_threads,
            story: self.story,
        }
    }
}

impl AnalyseReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::AnalysisReport {
        contract::AnalysisReport {
            analysed: self.analysed,
            skipped: self.skipped,
            failed: self.failed.clone(),
            found: self.found.as_ref().map(Found::answer),
            dropped: self.dropped,
            style: self.style,
            spent: self.spent.answer(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

impl ErrorTable for NotImported {
    fn row(&self) -> Row<'_> {
        let message = message!(
            en: "this book was written with `novel`; there is nothing to analyse",
            zh: "该作品由 novel 写成，没有需要分析的内容"
        );
        Row::new(Kind::Input, "NOT_IMPORTED", message).hint(message!(
            en: "`novel memory rebuild N` redoes the summary of one chapter",
            zh: "用 `novel memory rebuild N` 可重做某一章的摘要"
        ))
    }
}

impl ErrorTable for AnalyseStopped {
    fn row(&self) -> Row<'_> {
        let chapter = self.chapter.get();
        let go_on = message!(
            en: "continue from chapter {chapter} with `novel import --analyse`; finished calls are not billed twice",
            zh: "用 `novel import --analyse` 从第 {chapter} 章继续；已收到的回答不会重复付费"
        );
        let row = match self.cause.as_deref().filter(|_| !self.interrupted) {
            None => {
                let message = message!(
                    en: "stopped at your request; nothing is lost",
                    zh: "已按要求停止，没有丢失任何内容"
                );
                Row::new(Kind::Interrupted, "INTERRUPTED", message).hint(go_on)
            }
            Some(cause) => {
                // An agent whose answers are not valid is an executor that failed.
                let kind = match cause {
                    AskError::Book(error) if error.is_rejected() => Kind::Provider,
                    _ => cause.kind(),
                };
                let hint = match cause.hint() {
                    Some(Message { en, zh }) => Message {
                        en: format!("{en}; {}", go_on.en),
                        zh: format!("{zh}；{}", go_on.zh),
                    },
                    None => go_on,
                };
                Row::of(cause).kind(kind).hint(hint)
            }
        };
        row.fact("chapter", self.chapter)
            .fact("analysed", self.report.analysed)
            .fact("spent", self.report.spent.answer())
    }
}

use_case_error! {
    /// Why an imported book is not analysed.
    pub enum AnalyseError {
        /// It cannot be begun.
        Ask(AskError) from [BookError],
        /// It was not imported.
        NotImported(NotImported),
        /// The analysis stopped on the way.
        Stopped(AnalyseStopped),
    }
}
