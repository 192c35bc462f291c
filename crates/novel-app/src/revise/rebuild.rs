//! `novel state rebuild` and `novel memory rebuild`: what was said about chapters is said anew.
//! Every chapter is one transaction, so an interruption loses nothing.

use novel_book::{changelog, edit::Changes, operations::OperationLog};
use novel_contract::revise as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, Lang, Warning, files::Checkpoint, layout, to_json_text,
};
use novel_steps::stamp_checkpoint;
use novel_store::{TxnKind, TxnLabel, Writer};
use serde_json::json;

use crate::{
    BookError, Project,
    revise::review,
    revise::revision::ReviseError,
    revise::rewrite::{self, Parts, Rewrite, summarise},
    runner::{
        Reuse, Runner, Spent,
        ledger::{UnderLock, is_told_nobody, name_what_was_told},
    },
};

/// Names of the operations: the state as the changelog has it, and chapters summarised anew.
const REPLAYED: &str = "changelog";
const SUMMARISED: &str = "state";

/// What a rebuild did.
#[derive(Debug, Default)]
pub struct RebuildReport {
    /// Chapters that were summarised anew.
    pub chapters: Vec<ChapterNo>,
    /// Whether the state file did not say what the changelog says, and was replaced.
    pub restored: bool,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What it cost.
    pub spent: Spent,
}

/// Summarises a chapter anew: summary, cross-references and storyline memory.
///
/// # Errors
/// When an earlier chapter waits for the author, or the summarizer gives no usable answer.
pub fn memory(
    runner: &Runner<'_>,
    chapter: ChapterNo,
) -> Result<UnderLock<RebuildReport>, ReviseError> {
    let lock = runner.project.store().acquire(Some(chapter))?;
    let _alive = lock.heartbeat();
    name_what_was_told(&lock)?;
    let mut report = RebuildReport::default();
    again(runner, &lock, chapter, Parts::Memory, &mut report)?;
    Ok(UnderLock { report, lock })
}

/// Chapters whose state ops were lost, ascending.
///
/// # Errors
/// When the checkpoint cannot be read.
pub fn lost(project: &Project) -> Result<Vec<ChapterNo>, BookError> {
    project
        .store()
        .look(|reader| Ok(without_ops(crate::read_checkpoint(reader)?.get())))
}

fn without_ops(checkpoint: &Checkpoint) -> Vec<ChapterNo> {
    let mut chapters: Vec<ChapterNo> = checkpoint
        .pending_actions
        .iter()
        .filter(|action| action.get("action") == Some(&json!("state_rebuild")))
        .filter_map(|action| serde_json::from_value(action.get("chapter")?.clone()).ok())
        .collect();
    chapters.sort_unstable();
    chapters.dedup();
    chapters
}

/// Brings the state back to what the changelog says.
///
/// # Errors
/// When the changelog cannot be replayed.
pub fn replay(project: &Project) -> Result<UnderLock<RebuildReport>, BookError> {
    let lock = project.store().acquire(None)?;
    let report = RebuildReport {
        restored: restored(project, &lock)?,
        ..RebuildReport::default()
    };
    Ok(UnderLock { report, lock })
}

/// Replaces a state that does not say what the changelog says; whether it did.
fn restored(project: &Project, writer: &Writer) -> Result<bool, BookError> {
    let reader = writer.reader()?;
    let entries = rewrite::Log::read(&reader)?.entries;
    let replayed = changelog::replay(&entries)
        .map_err(|error| BrokenFile::new(changelog::not_replayable(&error)))?;
    let Some(state) = replayed.map(|state| to_json_text(&state).into_bytes()) else {
        return Ok(false);
    };
    if reader.read(&layout::state())?.as_ref() == Some(&state) {
        return Ok(false);
    }
    let chapter = crate::read_checkpoint(&reader)?.get().last_chapter();
    let kind = TxnKind::Rewrite {
        chapter: chapter.unwrap_or(ChapterNo::first()),
    };
    let mut changes = Changes::default();
    changes.write(layout::state(), state);
    project.write(writer, TxnLabel::new(kind, REPLAYED), changes)?;
    Ok(true)
}

/// Asks anew what chapters did to the story: those from `from` on, or those whose ops were lost. The
/// state is brought back to what the changelog says before; under one lock, since the lock that a
/// killed process left tells whether anybody knows that all of it was done.
///
/// # Errors
/// When the summarizer gives no usable answer; the chapters before are done.
pub fn state(
    runner: &Runner<'_>,
    from: Option<ChapterNo>,
) -> Result<UnderLock<RebuildReport>, ReviseError> {
    let lock = runner.project.store().acquire(from)?;
    let _alive = lock.heartbeat();
    let report = rebuilt(runner, &lock, from)?;
    Ok(UnderLock { report, lock })
}

fn rebuilt(
    runner: &Runner<'_>,
    writer: &Writer,
    from: Option<ChapterNo>,
) -> Result<RebuildReport, ReviseError> {
    let project = runner.project;
    name_what_was_told(writer)?;
    let mut report = RebuildReport {
        restored: restored(project, writer)?,
        ..RebuildReport::default()
    };
    let checkpoint = crate::read_checkpoint(&writer.reader()?)?;
    let newest = checkpoint.get().last_completed_chapter;
    let chapters: Vec<ChapterNo> = match from {
        Some(from) => {
            rewrite::committed(&writer.reader()?, checkpoint.get(), from)?;
            (from.get()..=newest).filter_map(ChapterNo::new).collect()
        }
        None => without_ops(checkpoint.get()),
    };
    let mut done = Vec::new();
    if let Some(first) = chapters.first() {
        let label = TxnLabel::new(TxnKind::Rewrite { chapter: *first }, SUMMARISED);
        if is_told_nobody(writer, &label)? {
            report.chapters = chapters;
            return Ok(report);
        }
        if writer.open_operation()?.as_ref() == Some(&label) {
            done = rebuilt_so_far(writer)?;
        }
        writer.operation(label, None)?;
    }
    for chapter in chapters {
        if done.contains(&chapter) {
            report.chapters.push(chapter);
        } else {
            again(runner, writer, chapter, Parts::State, &mut report)?;
        }
    }
    writer.finish_operation(project.now())?;
    Ok(report)
}

/// The chapters that the interrupted operation at the end of the log has done: the same command goes
/// on after them.
fn rebuilt_so_far(writer: &Writer) -> Result<Vec<ChapterNo>, BookError> {
    let log = OperationLog::read(&writer.reader()?)?;
    let lines = log.operations.last().map(|operation| &operation.lines);
    let rebuilt = lines.into_iter().flatten().filter_map(|line| {
        let step = line.step.as_ref()?;
        match step.kind {
            TxnKind::Rewrite { chapter } => Some(chapter),
            _ => None,
        }
    });
    Ok(rebuilt.collect())
}

fn again(
    runner: &Runner<'_>,
    writer: &Writer,
    chapter: ChapterNo,
    parts: Parts,
    report: &mut RebuildReport,
) -> Result<(), ReviseError> {
    let project = runner.project;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    let manuscript = review::manuscript(project.config(), &reader, view.checkpoint.get(), chapter)?;
    let summarised = summarise(
        runner,
        writer,
        &mut report.spent,
        &view.checkpoint,
        chapter,
        &manuscript.markdown,
        Reuse::Another,
    )?;
    let rewrite = Rewrite {
        config: project.config(),
        reader: &reader,
        checkpoint: &view.checkpoint,
        manuscript: &manuscript,
        summarised: &summarised,
        parts,
    };
    let mut plan = rewrite.plan()?;
    if parts == Parts::State {
        let entry = json!({"action": "state_rebuild", "chapter": chapter});
        let mut checkpoint = view.checkpoint.clone();
        checkpoint.edit(|checkpoint| checkpoint.pending_actions.retain(|action| *action != entry));
        if checkpoint != view.checkpoint {
            stamp_checkpoint(project.now(), &mut checkpoint);
            plan.changes
                .write(layout::checkpoint(), checkpoint.to_text());
        }
    }
    let checkpoint = view.checkpoint.get();
    rewrite::write(project, writer, checkpoint, chapter, plan.changes)?;
    report.warnings.extend(plan.warnings);
    report.chapters.push(chapter);
    Ok(())
}

impl RebuildReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::RebuildAnswer {
        contract::RebuildAnswer {
            chapters: self.chapters.iter().map(|chapter| chapter.get()).collect(),
            restored: self.restored,
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
