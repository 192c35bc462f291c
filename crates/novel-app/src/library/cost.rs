//! `novel cost`: what the book cost: the logs of its chapters, and from the ledger of calls whatever no log
//! has, what was rolled back or written anew included.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use novel_book::operations::OperationLog;
use novel_contract::library as contract;
use novel_model::{
    BookReader, ChapterNo, Document, RelPath,
    files::{ChapterLog, StageLog},
    layout,
};

use crate::{
    BookError, Project, read_checkpoint,
    runner::ledger::{self, Uncounted},
};

/// Tokens and money of some steps. What nobody reported is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// Calls made.
    pub calls: u64,
    /// Tokens read.
    pub input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
    /// Tokens read from a cache.
    pub cached_tokens: Option<u64>,
    /// Tokens written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
}

/// What the book cost.
#[derive(Debug, Default)]
pub struct CostReport {
    /// All of it.
    pub total: Cost,
    /// Of the chapters in the book.
    pub committed: Cost,
    /// Calls that no chapter's log has: planning, reviews, work in flight.
    pub other: Cost,
    /// Calls of chapters that were rolled back or started anew.
    pub discarded: Cost,
    /// By chapter.
    pub chapters: Vec<(ChapterNo, Cost)>,
    /// By step.
    pub steps: BTreeMap<String, Cost>,
    /// By model.
    pub models: BTreeMap<String, Cost>,
}

impl Cost {
    fn add(&mut self, stage: &StageLog) {
        self.calls += u64::from(stage.attempts.unwrap_or(0));
        add(&mut self.input_tokens, stage.input_tokens);
        add(&mut self.output_tokens, stage.output_tokens);
        add(&mut self.cached_tokens, stage.cached_tokens);
        add(&mut self.cache_write_tokens, stage.cache_write_tokens);
        if let Some(cost) = stage.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }

    fn answer(&self) -> contract::Cost {
        contract::Cost {
            calls: self.calls,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_tokens: self.cached_tokens,
            cache_write_tokens: self.cache_write_tokens,
            cost_usd: self.cost_usd,
        }
    }
}

fn add(sum: &mut Option<u64>, part: Option<u64>) {
    if let Some(part) = part {
        *sum = Some(sum.unwrap_or_default().saturating_add(part));
    }
}

/// Adds everything up. Writes nothing.
///
/// # Errors
/// When a log or a kept answer is damaged.
pub fn cost(project: &Project) -> Result<CostReport, BookError> {
    project.store().look(|reader| {
        let last = read_checkpoint(reader)?.get().last_completed_chapter;
        let mut report = CostReport::default();
        let mut counted = BTreeSet::new();
        for chapter in (1..=last).filter_map(ChapterNo::new) {
            let Some(log) = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?
            else {
                continue;
            };
            let mut of_chapter = Cost::default();
            for stage in &log.get().stages {
                of_chapter.add(stage);
                report.committed.add(stage);
                report.count(stage);
                counted.extend(stage.call.clone());
            }
            report.chapters.push((chapter, of_chapter));
        }
        let log = OperationLog::read(reader)?;
        for call in ledger::calls_but(reader, &layout::calls_dir(), &counted, &log)? {
            let discarded = call.discarded;
            let call = named(call);
            if discarded {
                report.discarded.add(&call);
            } else {
                report.other.add(&call);
            }
            report.count(&call);
        }
        let undone = undone_archives(&log);
        let archive = layout::archive_dir();
        let mut names = reader.list(&archive)?;
        names.sort_unstable();
        // Packs hold no calls; directories are of older versions.
        names.retain(|name| !name.ends_with(".bin"));
        for name in names {
            let directory = archive.join(&name)?;
            // What an undone rollback put aside is back in its place and counted there.
            if undone.contains(&directory) {
                continue;
            }
            let calls = RelPath::from_str(&format!("{directory}/{}", layout::calls_dir()))?;
            for call in ledger::calls_but(reader, &calls, &BTreeSet::new(), &log)? {
                let call = named(call);
                report.discarded.add(&call);
                report.count(&call);
            }
        }
        Ok(report)
    })
}

/// What the committed chapters of a range cost, each by its log; the ledger is left alone.
///
/// # Errors
/// When a log is damaged.
pub fn of_chapters(
    project: &Project,
    first: u32,
    last: u32,
) -> Result<Vec<(ChapterNo, Cost)>, BookError> {
    project.store().look(|reader| {
        let mut costs = Vec::new();
        for chapter in (first..=last).filter_map(ChapterNo::new) {
            let path = layout::chapter_log(chapter);
            if let Some(log) = Document::<ChapterLog>::load(reader, &path)? {
                let mut cost = Cost::default();
                for stage in &log.get().stages {
                    cost.add(stage);
                }
                costs.push((chapter, cost));
            }
        }
        Ok(costs)
    })
}

/// A call by its step, as the logs of chapters name it.
fn named(call: Uncounted) -> StageLog {
    let mut words = call.step.splitn(3, ':');
    let name = match (words.next(), words.next(), words.next()) {
        (Some("chapter"), Some(_), Some(stage)) => stage.to_owned(),
        (Some("volume"), Some(_), Some(stage)) => format!("volume-{stage}"),
        _ => call.step.replace(':', "-"),
    };
    StageLog { name, ..call.stage }
}

/// Archives of older versions, of operations that a later undo took back.
fn undone_archives(log: &OperationLog) -> BTreeSet<RelPath> {
    let standing: BTreeSet<u64> = log.standing().iter().map(|found| found.operation).collect();
    log.operations
        .iter()
        .filter(|operation| !standing.contains(&operation.operation))
        .filter_map(|operation| operation.lines.first()?.archive.clone())
        .collect()
}

impl CostReport {
    fn count(&mut self, stage: &StageLog) {
        self.total.add(stage);
        self.steps.entry(stage.name.clone()).or_default().add(stage);
        if let Some(model) = &stage.model {
            self.models.entry(model.clone()).or_default().add(stage);
        }
    }
}

impl CostReport {
    /// Mean cost of a committed chapter, where a price is known.
    #[must_use]
    pub fn per_chapter(&self) -> Option<f64> {
        let count = u32::try_from(self.chapters.len())
            .ok()
            .filter(|count| *count > 0)?;
        Some(self.committed.cost_usd? / f64::from(count))
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::CostAnswer {
        let chapter = |(chapter, cost): &(ChapterNo, Cost)| contract::ChapterCost {
            cost: cost.answer(),
            chapter: *chapter,
        };
        let by_name = |costs: &BTreeMap<String, Cost>| {
            let entries = costs.iter();
            entries
                .map(|(name, cost)| (name.clone(), cost.answer()))
                .collect()
        };
        contract::CostAnswer {
            total: self.total.answer(),
            committed: self.committed.answer(),
            other: self.other.answer(),
            discarded: self.discarded.answer(),
            per_chapter_usd: self.per_chapter(),
            chapters: self.chapters.iter().map(chapter).collect(),
            steps: by_name(&self.steps),
            models: by_name(&self.models),
            warnings: Vec::new(),
        }
    }
}
