//! What writing is expected to cost.

use novel_model::{ChapterNo, RunId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Warning, answer::answers};

/// A figure with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The figure is hardly ever smaller.
    pub low: f64,
    /// The figure that is expected.
    pub expected: f64,
    /// The figure is hardly ever larger.
    pub high: f64,
}

/// What a piece of work is expected to take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Chapters.
    pub chapters: u32,
    /// Calls of agents.
    pub calls: Interval,
    /// Tokens sent.
    pub input_tokens: Interval,
    /// Tokens received.
    pub output_tokens: Interval,
    /// US dollars; null when a price is not known.
    pub cost_usd: Option<Interval>,
}

/// What a forecast is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForecastBasis {
    /// The calls of the chapters that were written.
    Ledger,
    /// The sizes of prompts and answers, and the prices: nothing was written yet.
    Prompts,
    /// No agent is paid.
    Free,
}

/// What one agent is expected to take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentForecast {
    /// The agent's work, such as `draft`.
    pub agent: String,
    /// The model it is asked of.
    pub model: String,
    /// Calls in a chapter, on average.
    pub calls_per_chapter: f64,
    /// What it takes in all.
    pub estimate: Estimate,
}

/// How forecasts did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hindsight {
    /// Chapters that were forecast.
    pub chapters: u32,
    /// Those whose cost lay inside the interval.
    pub held: u32,
    /// Mean distance from the expected cost, as a part of the real one.
    pub mean_error: f64,
}

/// A run that has ended, against what was expected of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierForecast {
    /// The run.
    pub run: RunId,
    /// Chapters it committed.
    pub chapters: u32,
    /// What was expected of as many chapters, in US dollars.
    pub expected_usd: Interval,
    /// What they cost.
    pub actual_usd: f64,
    /// Whether the interval held the cost.
    pub held: bool,
}

/// The answer of `forecast`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastAnswer {
    /// The first chapter.
    pub from: ChapterNo,
    /// The last chapter.
    pub to: ChapterNo,
    /// What it is made from.
    pub basis: ForecastBasis,
    /// Chapters it learnt from.
    pub learnt_from: u32,
    /// How often the cost is meant to lie inside the interval: 0.9.
    pub level: f64,
    /// All of it.
    pub total: Estimate,
    /// By agent.
    pub agents: Vec<AgentForecast>,
    /// How forecasts of single chapters would have done, each from the chapters before it.
    pub hindsight: Option<Hindsight>,
    /// Forecasts of earlier runs, newest first, against what the runs cost.
    pub earlier: Vec<EarlierForecast>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

answers! {
    ForecastAnswer { warnings },
}
