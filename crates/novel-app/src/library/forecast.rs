//! What the next chapters will cost: from the calls of the chapters so far, or where none was paid for,
//! from the sizes of prompts and the prices. Writes nothing.

use std::collections::BTreeMap;

use novel_book::{
    config::{Config, ExecutorKind},
    run::Goal,
};
use novel_contract::forecast::{
    AgentForecast, EarlierForecast, Estimate, ForecastAnswer, ForecastBasis, Hindsight, Interval,
};
use novel_llm::Usage;
use novel_model::{
    ChapterNo, ChapterStage, Document, Lang, StepId, Warning,
    files::{ChapterLog, StageLog},
    layout, message,
};
use novel_prompt::packet::{self, PacketMode, Request};
use novel_story::forecast::{self, Range};

use crate::{
    Book, BookError, Project, Refusal,
    library::runs,
    runner::{Budget, prompt_for},
};

/// How often the cost is meant to lie inside the interval.
const LEVEL: f64 = 0.9;

/// Earlier runs that are shown.
const SHOWN: usize = 5;

/// Tokens of a draft's prompt where none can be built yet.
const DRAFT_PROMPT: f64 = 12_000.0;

/// Tokens of the answers that are not prose: the summary with its ops, the verdict.
const SUMMARY: f64 = 1_200.0;
const VERDICT: f64 = 1_500.0;

/// Words of a chapter where the author set no bounds, and tokens a word has.
const WORDS_ZH: f64 = 3_000.0;
const WORDS_EN: f64 = 2_500.0;
const TOKENS_A_WORD_ZH: f64 = 1.1;
const TOKENS_A_WORD_EN: f64 = 1.4;

/// A guess from prompts may be twice too high or three times too low: revisions, retries, reasoning.
const GUESS: (f64, f64) = (0.5, 3.0);

/// Tokens of one call that plans, and of what is planned for a chapter.
const PLAN_PROMPT: f64 = 15_000.0;
const PLAN_OF_A_CHAPTER: f64 = 500.0;

/// Tokens and money of some calls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Taken {
    calls: f64,
    input: f64,
    output: f64,
    cost: f64,
}

impl Taken {
    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.input += other.input;
        self.output += other.output;
        self.cost += other.cost;
    }
}

/// What is known to forecast from.
struct Known {
    basis: ForecastBasis,
    /// For each chapter, what each kind of call took.
    chapters: Vec<BTreeMap<String, Taken>>,
    /// The model of each kind of call.
    models: BTreeMap<String, String>,
    /// Whether every call has a price.
    priced: bool,
}

/// A forecast of the chapters from the next one to `to`; to the end of the volume without it.
///
/// # Errors
/// When `to` is in the book already, or a log is damaged.
pub fn forecast(project: &Project, to: Option<ChapterNo>) -> Result<ForecastAnswer, BookError> {
    let forecast = forecast_by(project, project.config().executor, to)?;
    Ok(ForecastAnswer {
        earlier: earlier(project)?,
        ..forecast
    })
}

/// A forecast for an executor, without a look at earlier runs.
fn forecast_by(
    project: &Project,
    executor: ExecutorKind,
    to: Option<ChapterNo>,
) -> Result<ForecastAnswer, BookError> {
    let (known, from, to, volumes) = project.look(|view| {
        let from = view.checkpoint.get().next_chapter();
        let end = volume_end(view)?;
        let to = to.unwrap_or_else(|| end.filter(|end| *end >= from).unwrap_or(from));
        if to < from {
            let chapter = to;
            return Err(BookError::from(Refusal::AlreadyWritten { chapter }));
        }
        let volumes = volumes_to_plan(project.config(), end, from, to);
        Ok((known(project, executor, view)?, from, to, volumes))
    })?;
    let ahead = to.get() - from.get() + 1;
    let mut warnings = Vec::new();
    let mut total = known.estimate(None, ahead);
    let mut agents: Vec<AgentForecast> =
        known.names().map(|name| known.agent(name, ahead)).collect();
    if volumes > 0 && known.basis != ForecastBasis::Free {
        let plan = planning(project, project.config().plan.chapters(), volumes);
        total = sum(&total, &plan.estimate);
        agents.push(plan);
    }
    if !known.priced {
        warnings.push(no_price(&known));
    }
    Ok(ForecastAnswer {
        from,
        to,
        basis: known.basis,
        learnt_from: match known.basis {
            ForecastBasis::Ledger => count(known.chapters.len()),
            ForecastBasis::Prompts | ForecastBasis::Free => 0,
        },
        level: LEVEL,
        total,
        agents,
        hindsight: known.hindsight(),
        earlier: Vec::new(),
        warnings: novel_contract::warnings(&warnings, project.config().lang()),
    })
}

/// What a run to a goal is expected to cost; nothing where no one is paid, or the goal is no chapter.
///
/// # Errors
/// When a log is damaged.
pub fn of_run(
    project: &Project,
    executor: ExecutorKind,
    goal: Goal,
) -> Result<Option<ForecastAnswer>, BookError> {
    if executor == ExecutorKind::Offline {
        return Ok(None);
    }
    let next = project.look(|view| Ok::<_, BookError>(view.checkpoint.get().next_chapter()))?;
    let to = match goal {
        Goal::Chapters(count) => {
            let last = next.get().saturating_add(count.max(1) - 1);
            ChapterNo::new(last)
        }
        Goal::Until(chapter) => Some(chapter),
        Goal::VolumeEnd => None,
        Goal::Decision | Goal::Draft(_) | Goal::ScenePlan(_) | Goal::Scenes(..) => {
            return Ok(None);
        }
    };
    forecast_by(project, executor, to).map(Some)
}

/// What planning so many chapters of a volume is expected to take; nothing where no one is paid.
#[must_use]
pub fn of_plan(project: &Project, chapters: u32) -> Option<Estimate> {
    let paid = project.config().executor != ExecutorKind::Offline;
    paid.then(|| planning(project, chapters, 1).estimate)
}

fn volume_end(view: &Book<'_>) -> Result<Option<ChapterNo>, BookError> {
    Ok(view.volume_bounds()?.map(|bounds| bounds.last))
}

/// How many volumes must be planned on the way.
fn volumes_to_plan(config: &Config, end: Option<ChapterNo>, from: ChapterNo, to: ChapterNo) -> u32 {
    let planned = end.map_or(from.get() - 1, ChapterNo::get);
    let beyond = to.get().saturating_sub(planned.max(from.get() - 1));
    beyond.div_ceil(config.plan.chapters())
}

fn known(project: &Project, executor: ExecutorKind, view: &Book<'_>) -> Result<Known, BookError> {
    if executor == ExecutorKind::Offline {
        return Ok(Known {
            basis: ForecastBasis::Free,
            chapters: vec![BTreeMap::new()],
            models: BTreeMap::new(),
            priced: true,
        });
    }
    let learnt = learnt(project, view)?;
    if learnt.chapters.is_empty() {
        guessed(project, view)
    } else {
        Ok(learnt)
    }
}

/// What the chapters so far took, the newest last.
fn learnt(project: &Project, view: &Book<'_>) -> Result<Known, BookError> {
    let last = view.checkpoint.get().last_completed_chapter;
    let first = last.saturating_sub(count(2 * forecast::WINDOW)) + 1;
    let mut known = Known {
        basis: ForecastBasis::Ledger,
        chapters: Vec::new(),
        models: BTreeMap::new(),
        priced: true,
    };
    for chapter in (first..=last).filter_map(ChapterNo::new) {
        let path = layout::chapter_log(chapter);
        let Some(log) = Document::<ChapterLog>::load(view.reader(), &path)? else {
            continue;
        };
        // Reading a chapter that was imported says nothing of writing one.
        if log.get().warnings.iter().any(|it| it == "imported") {
            continue;
        }
        let mut taken: BTreeMap<String, Taken> = BTreeMap::new();
        for stage in log.get().stages.iter().filter(|stage| is_paid(stage)) {
            let (price, model) = known.price(project, stage);
            let one = Taken {
                calls: 1.0,
                input: tokens(stage.input_tokens),
                output: tokens(stage.output_tokens),
                cost: price.unwrap_or_default(),
            };
            known.priced &= price.is_some();
            taken.entry(stage.name.clone()).or_default().add(one);
            known.models.insert(stage.name.clone(), model);
        }
        if !taken.is_empty() {
            known.chapters.push(taken);
        }
    }
    Ok(known)
}

/// Whether a call was made of a model: not by the offline author, nor by an outside driver.
fn is_paid(stage: &StageLog) -> bool {
    let offline = stage.executor.as_deref() == Some(ExecutorKind::Offline.word());
    !offline && (stage.input_tokens.is_some() || stage.cost_usd.is_some())
}

impl Known {
    /// What a call would cost today, and of which model: prices and models may have changed.
    fn price(&self, project: &Project, stage: &StageLog) -> (Option<f64>, String) {
        let config = project.config();
        let prices = Budget::of(config).prices;
        let was = stage.model.clone().unwrap_or_default();
        let is = config.model_for(roles(&stage.name)).unwrap_or(&was);
        let usage = Usage {
            input: stage.input_tokens,
            output: stage.output_tokens,
            cached: stage.cached_tokens,
            cache_write: stage.cache_write_tokens,
        };
        if is == was || prices.price(is).is_none() {
            return (stage.cost_usd.or_else(|| prices.cost(&was, &usage)), was);
        }
        (prices.cost(is, &usage), is.to_owned())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.models.keys().map(String::as_str).collect();
        names.sort_by_key(|name| (order(name), *name));
        names.into_iter()
    }

    /// One figure of every chapter, of one kind of call or of all.
    fn history(&self, name: Option<&str>, figure: impl Fn(&Taken) -> f64) -> Vec<f64> {
        let of = |chapter: &BTreeMap<String, Taken>| -> f64 {
            let calls = chapter.iter();
            calls
                .filter(|(known, _)| name.is_none_or(|name| *known == name))
                .map(|(_, taken)| figure(taken))
                .sum()
        };
        self.chapters.iter().map(of).collect()
    }

    fn range(&self, name: Option<&str>, ahead: u32, figure: impl Fn(&Taken) -> f64) -> Range {
        let history = self.history(name, figure);
        match self.basis {
            ForecastBasis::Ledger => {
                forecast::predict(&history, ahead).unwrap_or(Range::exactly(0.0))
            }
            ForecastBasis::Prompts => {
                let sum: f64 = history.iter().sum();
                Range::guess(sum * f64::from(ahead), GUESS.0, GUESS.1)
            }
            ForecastBasis::Free => Range::exactly(0.0),
        }
    }

    fn estimate(&self, name: Option<&str>, ahead: u32) -> Estimate {
        let cost = self.range(name, ahead, |taken| taken.cost);
        Estimate {
            chapters: ahead,
            calls: interval(self.range(name, ahead, |taken| taken.calls)),
            input_tokens: interval(self.range(name, ahead, |taken| taken.input)),
            output_tokens: interval(self.range(name, ahead, |taken| taken.output)),
            cost_usd: self.priced.then(|| interval(cost)),
        }
    }

    fn agent(&self, name: &str, ahead: u32) -> AgentForecast {
        let calls: f64 = self.history(Some(name), |taken| taken.calls).iter().sum();
        AgentForecast {
            agent: name.to_owned(),
            model: self.models.get(name).cloned().unwrap_or_default(),
            calls_per_chapter: calls / f64::from(count(self.chapters.len()).max(1)),
            estimate: self.estimate(Some(name), ahead),
        }
    }

    fn hindsight(&self) -> Option<Hindsight> {
        let history = self.history(None, |taken| taken.cost);
        let seen = forecast::hindsight(&history);
        let told = self.basis == ForecastBasis::Ledger && self.priced && seen.chapters > 0;
        told.then_some(Hindsight {
            chapters: seen.chapters,
            held: seen.held,
            mean_error: seen.error,
        })
    }
}

/// What a chapter takes, by the size of the next draft's prompt and the length of a chapter.
fn guessed(project: &Project, view: &Book<'_>) -> Result<Known, BookError> {
    let config = project.config();
    let prices = Budget::of(config).prices;
    let prompt = draft_prompt(project, view);
    let prose = prose_tokens(config);
    let thinking = f64::from(config.llm.thinking_tokens.unwrap_or_default());
    // The other prompts hold the text and a part of what the writer was told.
    let calls = [
        ("draft", prompt, prose),
        ("summarize", prose + prompt / 3.0, SUMMARY),
        ("refine", prose + prompt / 6.0, prose),
        ("judge", prose + prompt / 2.0, VERDICT),
    ];
    let mut known = Known {
        basis: ForecastBasis::Prompts,
        chapters: Vec::new(),
        models: BTreeMap::new(),
        priced: true,
    };
    let mut chapter = BTreeMap::new();
    for (name, input, output) in calls {
        let model = config.model_for(roles(name)).unwrap_or_default().to_owned();
        let output = output + thinking;
        let price = prices.cost(&model, &usage(input, output));
        known.priced &= price.is_some();
        let taken = Taken {
            calls: 1.0,
            input,
            output,
            cost: price.unwrap_or_default(),
        };
        chapter.insert(name.to_owned(), taken);
        known.models.insert(name.to_owned(), model);
    }
    known.chapters.push(chapter);
    Ok(known)
}

/// The tokens of the next draft's prompt; a usual number where it cannot be built yet.
fn draft_prompt(project: &Project, view: &Book<'_>) -> f64 {
    let step = StepId::Chapter(view.checkpoint.get().next_chapter(), ChapterStage::Draft);
    let book = project.files(view.reader(), view.checkpoint.get());
    let request = Request {
        mode: PacketMode::Embed,
        ..Request::new(step)
    };
    packet::build(book, request)
        .ok()
        .and_then(|packet| prompt_for(project.config(), view.reader(), &packet).ok())
        .map_or(DRAFT_PROMPT, |prompt| float(prompt.tokens()))
}

fn prose_tokens(config: &Config) -> f64 {
    let (words, tokens) = match config.lang() {
        Lang::Zh => (WORDS_ZH, TOKENS_A_WORD_ZH),
        Lang::En => (WORDS_EN, TOKENS_A_WORD_EN),
    };
    let bounds = (config.chapter.min_words, config.chapter.max_words);
    let words = match bounds {
        (Some(least), Some(most)) => (float(least) + float(most)) / 2.0,
        (Some(one), None) | (None, Some(one)) => float(one),
        (None, None) => words,
    };
    words * tokens
}

/// Planning and review of volumes of so many chapters on the way, by the prices alone.
fn planning(project: &Project, chapters: u32, volumes: u32) -> AgentForecast {
    let config = project.config();
    let chapters = f64::from(chapters.max(1));
    let calls = (chapters / f64::from(config.plan.chunk())).ceil() + 2.0;
    let (input, output) = (calls * PLAN_PROMPT, chapters * PLAN_OF_A_CHAPTER + SUMMARY);
    let model = config
        .model_for(&["plot-architect"])
        .or_else(|| config.model_for(&["chapter-writer"]))
        .unwrap_or_default();
    let price = Budget::of(config).prices.cost(model, &usage(input, output));
    let volumes = f64::from(volumes);
    let guess = |figure: f64| interval(Range::guess(figure * volumes, GUESS.0, GUESS.1));
    AgentForecast {
        agent: "plan".to_owned(),
        model: model.to_owned(),
        calls_per_chapter: calls / chapters,
        estimate: Estimate {
            chapters: 0,
            calls: guess(calls),
            input_tokens: guess(input),
            output_tokens: guess(output),
            cost_usd: price.map(guess),
        },
    }
}

fn sum(one: &Estimate, other: &Estimate) -> Estimate {
    let plus = |one: Interval, other: Interval| Interval {
        low: one.low + other.low,
        expected: one.expected + other.expected,
        high: one.high + other.high,
    };
    Estimate {
        chapters: one.chapters,
        calls: plus(one.calls, other.calls),
        input_tokens: plus(one.input_tokens, other.input_tokens),
        output_tokens: plus(one.output_tokens, other.output_tokens),
        cost_usd: one
            .cost_usd
            .zip(other.cost_usd)
            .map(|(one, other)| plus(one, other)),
    }
}

/// Runs whose forecast can be compared with what they cost: they wrote all the chapters it was for.
fn earlier(project: &Project) -> Result<Vec<EarlierForecast>, BookError> {
    let mut earlier = Vec::new();
    for ended in runs::ended(project, SHOWN)? {
        let Some(expected) = ended.forecast.as_ref().and_then(|told| told.cost_usd) else {
            continue;
        };
        let chapters = count(ended.chapters);
        let told = ended.forecast.as_ref().map(|told| told.chapters);
        if let (Some(actual), true) = (ended.cost_usd, told == Some(chapters)) {
            let range = Range {
                low: expected.low,
                expected: expected.expected,
                high: expected.high,
            };
            earlier.push(EarlierForecast {
                run: ended.run,
                chapters,
                expected_usd: expected,
                actual_usd: actual,
                held: range.holds(actual),
            });
        }
    }
    Ok(earlier)
}

/// Names under which the model of a kind of call is configured, the most particular first.
fn roles(name: &str) -> &'static [&'static str] {
    match name {
        "draft" => &["chapter-writer"],
        "revise" => &["revision", "chapter-writer"],
        "summarize" => &["summarizer"],
        "refine" | "polish" => &["style-refiner"],
        "judge" => &["quality-judge"],
        "review" => &["logic-reviewer"],
        "audit" => &["consistency-auditor"],
        _ => &[],
    }
}

fn order(name: &str) -> usize {
    let stages = ["draft", "summarize", "refine", "judge", "revise", "polish"];
    let place = stages.iter().position(|stage| *stage == name);
    place.unwrap_or(stages.len())
}

fn no_price(known: &Known) -> Warning {
    let models: Vec<&str> = known.models.values().map(String::as_str).collect();
    let model = models.first().copied().unwrap_or_default().to_owned();
    Warning::new(
        "no_price",
        message!(
            en: "the price of `{model}` is not known, so only tokens are forecast; write it into novel.toml: `[prices.\"{model}\"]`, `input = 0.5`, `output = 2.0`",
            zh: "不知道 `{model}` 的价格，只能预估 token 数；请在 novel.toml 中写明：`[prices.\"{model}\"]`、`input = 0.5`、`output = 2.0`"
        ),
    )
}

fn interval(range: Range) -> Interval {
    Interval {
        low: range.low,
        expected: range.expected,
        high: range.high,
    }
}

fn usage(input: f64, output: f64) -> Usage {
    Usage {
        input: Some(whole(input)),
        output: Some(whole(output)),
        ..Usage::default()
    }
}

fn tokens(count: Option<u64>) -> f64 {
    float(count.unwrap_or_default())
}

/// Counts of tokens are far below what a float holds exactly.
fn float(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

fn whole(figure: f64) -> u64 {
    let text = format!("{figure:.0}");
    text.parse().unwrap_or_default()
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
