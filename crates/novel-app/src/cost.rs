//! `novel cost`: what the chapters cost, from their logs.

use std::collections::BTreeMap;

use novel_model::{
    ChapterNo, Document, Failure, Lang,
    files::{ChapterLog, StageLog},
    layout,
};
use serde_json::{Value, json};

use crate::{Project, read_checkpoint};

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
    /// US dollars.
    pub cost_usd: Option<f64>,
}

/// What the book cost.
#[derive(Debug, Default)]
pub struct CostReport {
    /// All of it.
    pub total: Cost,
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
        if let Some(cost) = stage.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
            "cost_usd": self.cost_usd,
        })
    }
}

fn add(sum: &mut Option<u64>, part: Option<u64>) {
    if let Some(part) = part {
        *sum = Some(sum.unwrap_or_default().saturating_add(part));
    }
}

/// Adds the logs of all committed chapters up. Writes nothing.
///
/// # Errors
/// When a log is damaged.
pub fn cost(project: &Project) -> Result<CostReport, Failure> {
    let reader = project.store().reader()?;
    let last = read_checkpoint(&reader)?.get().last_completed_chapter;
    let mut report = CostReport::default();
    for chapter in (1..=last).filter_map(ChapterNo::new) {
        let Some(log) = Document::<ChapterLog>::load(&reader, &layout::chapter_log(chapter))?
        else {
            continue;
        };
        let mut of_chapter = Cost::default();
        for stage in &log.get().stages {
            report.total.add(stage);
            of_chapter.add(stage);
            report
                .steps
                .entry(stage.name.clone())
                .or_default()
                .add(stage);
            if let Some(model) = &stage.model {
                report.models.entry(model.clone()).or_default().add(stage);
            }
        }
        report.chapters.push((chapter, of_chapter));
    }
    Ok(report)
}

impl CostReport {
    /// Mean cost of a committed chapter, where a price is known.
    #[must_use]
    pub fn per_chapter(&self) -> Option<f64> {
        let count = u32::try_from(self.chapters.len())
            .ok()
            .filter(|count| *count > 0)?;
        Some(self.total.cost_usd? / f64::from(count))
    }

    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, _lang: Lang) -> Value {
        let chapters: Vec<Value> = self
            .chapters
            .iter()
            .map(|(chapter, cost)| {
                let mut object = cost.to_json();
                object["chapter"] = json!(chapter);
                object
            })
            .collect();
        let by_name = |costs: &BTreeMap<String, Cost>| -> Value {
            costs
                .iter()
                .map(|(name, cost)| (name.clone(), cost.to_json()))
                .collect()
        };
        json!({
            "total": self.total.to_json(),
            "per_chapter_usd": self.per_chapter(),
            "chapters": chapters,
            "steps": by_name(&self.steps),
            "models": by_name(&self.models),
        })
    }
}
