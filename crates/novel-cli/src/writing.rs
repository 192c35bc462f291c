//! Writing chapters from the command line: executor, signals, progress, and what is said at the
//! end. Shared by the commands that write.

use std::{env, path::PathBuf, str::FromStr, sync::Arc};

use clap::ValueEnum;
use novel_app::{
    Project, Refusal, Writer,
    executor::{self, CancelToken, ExecutorKind},
    library::{forecast, status},
    runner::{Budget, Recorder, Runner, Spent},
    write::next,
    write::run::{Approval, Finished, FromError, Goal, RunError, RunReport, Stop},
};
use novel_contract::{setup::RedoneAnswer, write::RunAnswer};
use novel_model::{Explain, Failure, Message, StepId, Warning, files::ScoredBy, message};

use crate::{
    context::Context,
    error::CliError,
    interrupt::Interrupts,
    output::Output,
    ui::labels,
    ui::printer::Format,
    ui::progress::{Progress, Seen},
};

/// Who runs the agents, as an option.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub(crate) enum Executor {
    /// The embedded author, which is not a language model
    Offline,
    /// A language model
    Llm,
    /// A program
    Command,
}

impl From<Executor> for ExecutorKind {
    fn from(executor: Executor) -> Self {
        match executor {
            Executor::Offline => Self::Offline,
            Executor::Llm => Self::Llm,
            Executor::Command => Self::Command,
        }
    }
}

/// Whether the author is asked about a trial and a plan.
#[derive(clap::Args, Debug)]
pub(crate) struct ApprovalArgs {
    /// Accept the trial and every plan without asking
    #[arg(long)]
    yes: bool,
}

impl ApprovalArgs {
    /// Who approves, by this option or by the project.
    pub(crate) fn of(&self, project: &Project) -> Approval {
        if self.yes {
            Approval::Unattended
        } else {
            project.config().approval.into()
        }
    }
}

/// What a run may cost, in US dollars; nothing for no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MaxCost(pub(crate) Option<f64>);

impl FromStr for MaxCost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        match text.parse::<f64>() {
            Ok(limit) if limit.is_finite() && limit >= 0.0 => Ok(Self(Some(limit))),
            _ => Err("expected an amount such as 2.50, or `none`".to_owned()),
        }
    }
}

/// How a command goes on to the author's next decision.
#[derive(clap::Args, Debug)]
pub(crate) struct DecisionArgs {
    /// Retry a step that failed before
    #[arg(long)]
    retry: bool,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

impl DecisionArgs {
    /// What is to be done, if the book's next step belongs to the command.
    ///
    /// `own` is the step the command is named after.
    pub(crate) fn wish(
        &self,
        project: &Project,
        own: StepId,
        belongs: impl Fn(StepId) -> bool,
    ) -> Result<Wish, Failure> {
        let next = next::next_step(project)?.next.step;
        if !belongs(next) {
            return Err(Refusal::NotNow { asked: own, next }.into());
        }
        Ok(Wish {
            goal: Goal::Decision,
            from_error: if self.retry {
                FromError::Retry
            } else {
                FromError::Refuse
            },
            executor: self.executor.map(Into::into),
            approval: Approval::Author,
        })
    }
}

/// What to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    /// Up to where.
    pub(crate) goal: Goal,
    /// Whether to start from a failed step.
    pub(crate) from_error: FromError,
    /// Who runs the agents, if not as the project says.
    pub(crate) executor: Option<ExecutorKind>,
    /// Who approves a trial and a plan.
    pub(crate) approval: Approval,
}

/// What was written.
pub(crate) struct Written {
    /// The report of the run.
    pub(crate) report: RunReport,
    /// Who ran the agents; nobody when there was nothing to write.
    pub(crate) executor: Option<ExecutorKind>,
    /// What was shown already.
    pub(crate) seen: Seen,
}

/// Writes chapters. Each one is printed as soon as it is in the book.
pub(crate) fn write(context: &Context, project: &Project, wish: Wish) -> Result<Written, Failure> {
    write_by(context, project, wish, |runner| {
        runner.run(wish.goal, wish.from_error)
    })
}

/// Writes chapters with the lock that `lock` holds.
pub(crate) fn write_holding(
    context: &Context,
    project: &Project,
    wish: Wish,
    lock: &Writer,
) -> Result<Written, Failure> {
    write_by(context, project, wish, |runner| {
        runner.run_holding(lock, wish.goal, wish.from_error)
    })
}

fn write_by(
    context: &Context,
    project: &Project,
    wish: Wish,
    run: impl FnOnce(&Runner<'_>) -> Result<RunReport, RunError>,
) -> Result<Written, Failure> {
    if is_reached(project, wish.goal)? {
        return Ok(nothing_to_write());
    }
    let Worked {
        result,
        executor: kind,
        seen,
    } = with_runner(
        context,
        project,
        wish.executor,
        wish.approval,
        Some(wish.goal),
        run,
    )?;
    match result {
        Ok(report) => Ok(Written {
            report,
            executor: Some(kind),
            seen,
        }),
        Err(failure) => {
            if is_long(wish.goal) && context.printer.format == Format::Text {
                let head = message!(en: "Written before it stopped:", zh: "停止前已写：");
                let text = summary(&head, &seen.finished);
                context
                    .printer
                    .data(text.get(context.lang))
                    .map_err(|source| CliError::Output { source })?;
            }
            Err(failure)
        }
    }
}

/// What a runner did.
pub(crate) struct Worked<T> {
    /// What came of it.
    pub(crate) result: Result<T, Failure>,
    /// Who ran the agents.
    pub(crate) executor: ExecutorKind,
    /// What was shown already.
    pub(crate) seen: Seen,
}

/// This program's own file.
pub(crate) fn launcher() -> Result<PathBuf, CliError> {
    env::current_exe().map_err(|source| CliError::NoProgramFile { source })
}

/// Asks a runner something that calls no agent, such as what a work would cost.
pub(crate) fn look<T, E: Explain>(
    context: &Context,
    project: &Project,
    other: Option<ExecutorKind>,
    look: impl FnOnce(&Runner<'_>) -> Result<T, E>,
) -> Result<T, Failure> {
    let executor = executor::open(project, launcher()?, other)?;
    let runner = Runner {
        project,
        executor: executor.as_ref(),
        watch: &Progress::new(context.printer),
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    };
    Ok(look(&runner)?)
}

/// Gives work to a runner: executor, progress on the terminal, Ctrl-C.
pub(crate) fn with_runner<T, E: Explain>(
    context: &Context,
    project: &Project,
    other: Option<ExecutorKind>,
    approval: Approval,
    goal: Option<Goal>,
    work: impl FnOnce(&Runner<'_>) -> Result<T, E>,
) -> Result<Worked<T>, Failure> {
    let launcher = launcher()?;
    let executor = executor::open(project, launcher, other)?;
    let kind = executor.kind();
    if kind == ExecutorKind::Offline {
        context.printer.note(&honest_note());
    }
    let progress = Arc::new(Progress::new(context.printer));
    let cancel = CancelToken::new();
    let interrupts = {
        let progress = Arc::clone(&progress);
        Interrupts::listen(cancel.clone(), move || progress.stopping())?
    };
    let forecast = match goal {
        Some(goal) => forecast::of_run(project, kind, goal)?,
        None => None,
    };
    if let Some(forecast) = &forecast {
        context
            .printer
            .note(&labels::expected_cost(&forecast.total));
    }
    let forecast = forecast.map(|forecast| forecast.total);
    let recorder = Recorder::new(project, kind, forecast, progress.as_ref());
    let result = work(&Runner {
        project,
        executor: executor.as_ref(),
        watch: &recorder,
        cancel: &cancel,
        budget: Budget::of(project.config()),
        approval,
    });
    for warning in recorder.end(result.as_ref().err().map(|error| error as &dyn Explain)) {
        context.printer.warning(&warning);
    }
    // From here on there is nothing to stop, and Ctrl-C has been announced if there was one.
    drop(interrupts);
    let mut seen = progress.seen();
    if let Some(source) = seen.unprintable.take() {
        return Err(CliError::Output { source }.into());
    }
    // The line of a chapter is the seed's; whose score it shows is said below the last one.
    let offline = |chapter: &Finished| chapter.scored_by == Some(ScoredBy::OfflineAuthor);
    if context.printer.format == Format::Text && seen.finished.iter().any(offline) {
        let said = labels::scored_offline();
        context
            .printer
            .data(&format!("{}\n", said.get(context.lang)))
            .map_err(|source| CliError::Output { source })?;
    }
    Ok(Worked {
        result: result.map_err(Failure::from),
        executor: kind,
        seen,
    })
}

/// Runs `work` with a runner and returns its result; only its progress is printed.
pub(crate) fn ask<T, E: Explain>(
    context: &Context,
    project: &Project,
    other: Option<ExecutorKind>,
    work: impl FnOnce(&Runner<'_>) -> Result<T, E>,
) -> Result<T, Failure> {
    with_runner(context, project, other, Approval::Author, None, work)?.result
}

/// A chapter that is in the book is not written again.
fn is_reached(project: &Project, goal: Goal) -> Result<bool, Failure> {
    Ok(match goal {
        Goal::Until(chapter) => {
            let checkpoint = status::status(project)?.checkpoint;
            checkpoint.last_completed_chapter >= chapter.get()
        }
        Goal::Chapters(wanted) => wanted == 0,
        Goal::VolumeEnd
        | Goal::Decision
        | Goal::Draft(_)
        | Goal::ScenePlan(_)
        | Goal::Scenes(..) => false,
    })
}

fn nothing_to_write() -> Written {
    Written {
        report: RunReport {
            finished: Vec::new(),
            steps: Vec::new(),
            stop: Stop::GoalReached,
            spent: Spent::default(),
            later: Vec::new(),
            candidates: Vec::new(),
            warnings: Vec::new(),
        },
        executor: None,
        seen: Seen::default(),
    }
}

/// Whether more than one chapter may come of it.
fn is_long(goal: Goal) -> bool {
    goal != Goal::Chapters(1)
}

/// The answer of a command that wrote chapters.
pub(crate) fn output(context: &Context, project: &Project, goal: Goal, written: Written) -> Output {
    output_as(context, project, goal, written, Output::new)
}

/// The answer of a command that did a part of the set-up, or a plan, again.
pub(crate) fn output_redone(
    context: &Context,
    project: &Project,
    written: Written,
) -> Result<Output, Failure> {
    let next = next::next_step(project)?.next.step.to_string();
    let checkpoint = status::checkpoint(project)?;
    let redone = |run| {
        Output::new(RedoneAnswer {
            next,
            checkpoint,
            run,
        })
    };
    Ok(output_as(context, project, Goal::Decision, written, redone))
}

fn output_as(
    context: &Context,
    project: &Project,
    goal: Goal,
    written: Written,
    answer: impl FnOnce(RunAnswer) -> Output,
) -> Output {
    let Written {
        report,
        executor,
        seen,
    } = written;
    let mut output = answer(RunAnswer {
        run: report.answer(context.lang),
        executor: executor.map(ExecutorKind::answer),
    });
    if is_long(goal) {
        let head = message!(en: "Done:", zh: "续写完成：");
        output = output.text(summary(&head, &seen.finished).get(context.lang));
    }
    let unseen: Vec<Warning> = report
        .warnings
        .iter()
        .filter(|warning| !seen.warnings.contains(warning))
        .cloned()
        .collect();
    let output = output.warnings(&unseen).about_config(project.warnings());
    // Where the author decides next the command says what there is to decide.
    if goal == Goal::Decision {
        return output;
    }
    output.note(match (report.stop, executor) {
        (Stop::VolumeEnd, _) => message!(
            en: "The volume is complete; `novel start` reviews it.",
            zh: "本卷已完结；用 `novel start` 进行卷末回顾。"
        ),
        (_, None) => message!(
            en: "The book already has these chapters; go on with `novel continue`.",
            zh: "这些章已经写好；用 `novel continue` 继续。"
        ),
        _ => message!(
            en: "Go on with `novel continue`; `novel status` shows where the book stands.",
            zh: "用 `novel continue` 继续；`novel status` 查看进展。"
        ),
    })
}

/// Everything this author does is labelled.
fn honest_note() -> Message {
    let author = labels::offline_author();
    Message {
        en: format!(
            "Written by the {}; set `executor` in novel.toml for a real one.",
            author.en
        ),
        zh: format!(
            "由{}执笔；在 novel.toml 中设置 `executor` 可改用语言模型。",
            author.zh
        ),
    }
}

/// Head and line over several chapters; empty without any.
fn summary(head: &Message, finished: &[Finished]) -> Message {
    if finished.is_empty() {
        return Message::same("");
    }
    let line = labels::summary_line(finished);
    Message {
        en: format!("{}\n{}\n", head.en, line.en),
        zh: format!("{}\n{}\n", head.zh, line.zh),
    }
}
